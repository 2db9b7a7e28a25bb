//! A quiz as learners see it: no type here has a field with the answer key.

use async_graphql::{Enum, ID, Interface, SimpleObject};
use kurso_formats::quiz;
use kurso_formats::quiz::{LearnerBlank, LearnerKind, LearnerQuestion, LearnerQuiz, Shown};
use serde_json::Value;

use super::rubric::Rubric;
use super::{Document, id_of, int};
use crate::cost;

/// The quiz of a page, without its answer key.
#[derive(SimpleObject)]
pub struct Quiz {
    /// Percentage from which an attempt passes.
    pass_percent: i32,
    /// Maximum number of attempts; null when there is no limit.
    max_attempts: Option<i32>,
    /// Whether the order of the questions changes with each attempt.
    shuffle_questions: bool,
    /// Whether the order of the options changes with each attempt.
    shuffle_options: bool,
    /// When explanations and correct answers are revealed.
    reveal: QuizReveal,
    /// When answers are checked.
    checking: QuizChecking,
    /// Seconds that the caller has for an attempt, with their own time factor; null when there is no limit.
    time_limit_seconds: Option<i32>,
    /// Seconds after the end of the time in which answers given in time are still accepted.
    grace_seconds: i32,
    /// The number of the attempt that the questions belong to, from 1.
    attempt_no: i32,
    /// The number of questions, also while `questions` is empty.
    question_count: i32,
    /// In display order. Empty for a learner who has not yet started an attempt at a quiz with a time limit, and between attempts at a quiz with
    /// draws. During an attempt these are the questions as they were when it started.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    questions: Vec<Question>,
}

/// When a quiz reveals explanations and correct answers to a learner.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum QuizReveal {
    /// After every attempt.
    AfterSubmit,
    /// After an attempt has passed; until then only which answers were correct.
    AfterPass,
    /// Never, not even which answers were correct.
    Never,
}

/// When answers that need no grader are checked.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum QuizChecking {
    /// All together, when the attempt is submitted.
    AtEnd,
    /// Each when its learner asks for it during the attempt; from then on the answer is fixed.
    EachQuestion,
}

/// A question of one of eleven kinds.
#[derive(Interface)]
#[graphql(
    field(name = "id", ty = "&ID", desc = "ID that answers refer to."),
    field(name = "prompt", ty = "&Document", desc = "Prompt."),
    field(name = "points", ty = "&f64", desc = "Points of a correct answer."),
    field(
        name = "hints",
        ty = "&Vec<Document>",
        desc = "Documents that help while answering, to be opened one by one."
    )
)]
pub enum Question {
    SingleChoice(SingleChoiceQuestion),
    MultipleChoice(MultipleChoiceQuestion),
    ShortText(ShortTextQuestion),
    Numeric(NumericQuestion),
    Matching(MatchingQuestion),
    Ordering(OrderingQuestion),
    FillBlank(FillBlankQuestion),
    Hotspot(HotspotQuestion),
    Essay(EssayQuestion),
    FileUpload(FileUploadQuestion),
    HandIn(HandInQuestion),
}

/// Declares types of questions: the fields that contain parts, and after a semicolon the others.
macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$field_doc:meta])* $field:ident: $type:ty),*
        $(; $($(#[$plain_doc:meta])* $plain:ident: $plain_type:ty),+)?
    })*) => {$(
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// ID that answers refer to.
            id: ID,
            /// Prompt.
            #[graphql(complexity = "cost::DOCUMENT")]
            prompt: Document,
            /// Points of a correct answer.
            points: f64,
            /// Documents that help while answering, to be opened one by one.
            #[graphql(complexity = "cost::list(cost::HINTS, cost::DOCUMENT)")]
            hints: Vec<Document>,
            $(
                $(#[$field_doc])*
                #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
                $field: $type,
            )*
            $($($(#[$plain_doc])* $plain: $plain_type,)+)?
        }
    )*};
}

questions! {
    /// A single choice question.
    SingleChoiceQuestion {
        /// In display order.
        options: Vec<QuizPart>
    }
    /// A multiple choice question.
    MultipleChoiceQuestion {
        /// In display order.
        options: Vec<QuizPart>;
        /// Whether only exactly the right options earn points.
        all_or_nothing: bool
    }
    /// A short text question.
    ShortTextQuestion {}
    /// A numeric question.
    NumericQuestion {
        ;
        /// Names of the units of which an answer needs one; empty if it has none.
        units: Vec<String>
    }
    /// A matching question.
    MatchingQuestion {
        /// The left sides.
        left: Vec<QuizPart>,
        /// The right sides, shuffled.
        right: Vec<QuizPart>
    }
    /// An ordering question.
    OrderingQuestion {
        /// The items, shuffled.
        items: Vec<QuizPart>
    }
    /// A fill-in-the-blanks question.
    FillBlankQuestion {
        /// The text with `blank` nodes, whose `blank_id` is the ID of a blank.
        text: Document,
        /// The blanks, in the order of the text.
        blanks: Vec<QuizBlank>
    }
    /// A hotspot question: places on a picture are marked.
    HotspotQuestion {
        ;
        /// The picture: a document with one image. It is empty while the question is incomplete.
        #[graphql(complexity = "cost::DOCUMENT")]
        picture: Document,
        /// The most places that an answer may mark.
        max_places: i32
    }
}

/// An essay question, which a person grades.
#[derive(SimpleObject)]
pub struct EssayQuestion {
    /// ID that answers refer to.
    id: ID,
    /// Prompt.
    #[graphql(complexity = "cost::DOCUMENT")]
    prompt: Document,
    /// Points of a correct answer.
    points: f64,
    /// Documents that help while answering, to be opened one by one.
    #[graphql(complexity = "cost::list(cost::HINTS, cost::DOCUMENT)")]
    hints: Vec<Document>,
    /// Minimum number of words of an answer.
    min_words: Option<i32>,
    /// Maximum number of words of an answer.
    max_words: Option<i32>,
    /// What graders judge the answer by; null unless students see it before they answer.
    rubric: Option<Rubric>,
}

/// A question that is answered with files, which a person grades.
#[derive(SimpleObject)]
pub struct FileUploadQuestion {
    /// ID that answers refer to.
    id: ID,
    /// Prompt.
    #[graphql(complexity = "cost::DOCUMENT")]
    prompt: Document,
    /// Points of a correct answer.
    points: f64,
    /// Documents that help while answering, to be opened one by one.
    #[graphql(complexity = "cost::list(cost::HINTS, cost::DOCUMENT)")]
    hints: Vec<Document>,
    /// The most files of an answer.
    max_files: i32,
    /// The accepted file extensions, such as `pdf`; any file if empty.
    extensions: Vec<String>,
    /// What graders judge the answer by; null unless students see it before they answer.
    rubric: Option<Rubric>,
}

/// The only question of an assignment: it takes a text, files and links, which a person grades.
#[derive(SimpleObject)]
pub struct HandInQuestion {
    /// ID that answers refer to.
    id: ID,
    /// Prompt; usually empty, because the page has the instructions.
    #[graphql(complexity = "cost::DOCUMENT")]
    prompt: Document,
    /// Points of a correct answer.
    points: f64,
    /// Documents that help while answering, to be opened one by one.
    #[graphql(complexity = "cost::list(cost::HINTS, cost::DOCUMENT)")]
    hints: Vec<Document>,
    /// Whether it takes a text.
    takes_text: bool,
    /// Minimum number of words of a text.
    min_words: Option<i32>,
    /// Maximum number of words of a text.
    max_words: Option<i32>,
    /// The most files of an answer; 0 if it takes none.
    max_files: i32,
    /// The accepted file extensions, such as `pdf`; any file if empty.
    extensions: Vec<String>,
    /// The most links of an answer; 0 if it takes none.
    max_links: i32,
    /// What graders judge the answer by; null unless students see it before they answer.
    rubric: Option<Rubric>,
}

/// An option, a side of a pair or an item.
#[derive(SimpleObject)]
pub struct QuizPart {
    /// ID that answers refer to.
    id: ID,
    /// Content.
    #[graphql(complexity = "cost::DOCUMENT")]
    content: Document,
}

/// A blank of a text.
#[derive(SimpleObject)]
pub struct QuizBlank {
    /// ID that answers refer to.
    id: ID,
    /// Options to choose from; null for a blank that takes free text.
    #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
    options: Option<Vec<QuizPart>>,
}

impl From<&LearnerQuiz> for Quiz {
    fn from(quiz: &LearnerQuiz) -> Self {
        Quiz {
            pass_percent: quiz.pass_percent.into(),
            max_attempts: quiz.max_attempts.map(int),
            shuffle_questions: quiz.shuffle_questions,
            shuffle_options: quiz.shuffle_options,
            reveal: match quiz.reveal {
                quiz::Reveal::AfterSubmit => QuizReveal::AfterSubmit,
                quiz::Reveal::AfterPass => QuizReveal::AfterPass,
                quiz::Reveal::Never => QuizReveal::Never,
            },
            checking: match quiz.checking {
                quiz::Checking::AtEnd => QuizChecking::AtEnd,
                quiz::Checking::EachQuestion => QuizChecking::EachQuestion,
            },
            time_limit_seconds: quiz.time_limit_seconds.map(int),
            grace_seconds: int(quiz.grace_seconds),
            attempt_no: int(quiz.attempt_no),
            question_count: int(quiz.question_count),
            questions: quiz.questions.iter().map(Question::from).collect(),
        }
    }
}

impl From<&LearnerQuestion> for Question {
    fn from(question: &LearnerQuestion) -> Self {
        let (id, prompt) = (id_of(question.id), document(&question.prompt));
        let points = question.points.as_f64();
        let hints = question.hints.iter().map(document).collect();
        match &question.kind {
            LearnerKind::SingleChoice { options } => Question::SingleChoice(SingleChoiceQuestion {
                id,
                prompt,
                points,
                hints,
                options: parts(options),
            }),
            LearnerKind::MultipleChoice {
                options,
                all_or_nothing,
            } => Question::MultipleChoice(MultipleChoiceQuestion {
                id,
                prompt,
                points,
                hints,
                options: parts(options),
                all_or_nothing: *all_or_nothing,
            }),
            LearnerKind::ShortText => Question::ShortText(ShortTextQuestion {
                id,
                prompt,
                points,
                hints,
            }),
            LearnerKind::Numeric { units } => Question::Numeric(NumericQuestion {
                id,
                prompt,
                points,
                hints,
                units: units.clone(),
            }),
            LearnerKind::Matching { left, right } => Question::Matching(MatchingQuestion {
                id,
                prompt,
                points,
                hints,
                left: parts(left),
                right: parts(right),
            }),
            LearnerKind::Ordering { items } => Question::Ordering(OrderingQuestion {
                id,
                prompt,
                points,
                hints,
                items: parts(items),
            }),
            LearnerKind::Hotspot { picture, max_places } => Question::Hotspot(HotspotQuestion {
                id,
                prompt,
                points,
                hints,
                picture: document(picture),
                max_places: int(*max_places),
            }),
            LearnerKind::Essay {
                min_words,
                max_words,
                rubric,
            } => Question::Essay(EssayQuestion {
                id,
                prompt,
                points,
                hints,
                min_words: min_words.map(int),
                max_words: max_words.map(int),
                rubric: rubric.as_ref().map(Rubric::from),
            }),
            LearnerKind::FileUpload {
                max_files,
                extensions,
                rubric,
            } => Question::FileUpload(FileUploadQuestion {
                id,
                prompt,
                points,
                hints,
                max_files: int(*max_files),
                extensions: extensions.clone(),
                rubric: rubric.as_ref().map(Rubric::from),
            }),
            LearnerKind::HandIn {
                takes_text,
                min_words,
                max_words,
                max_files,
                extensions,
                max_links,
                rubric,
            } => Question::HandIn(HandInQuestion {
                id,
                prompt,
                points,
                hints,
                takes_text: *takes_text,
                min_words: min_words.map(int),
                max_words: max_words.map(int),
                max_files: int(*max_files),
                extensions: extensions.clone(),
                max_links: int(*max_links),
                rubric: rubric.as_ref().map(Rubric::from),
            }),
            LearnerKind::FillBlank { text, blanks } => Question::FillBlank(FillBlankQuestion {
                id,
                prompt,
                points,
                hints,
                text: document(text),
                blanks: blanks.iter().map(blank).collect(),
            }),
        }
    }
}

pub(super) fn document(value: &Value) -> Document {
    Document::Stored(value.to_string().into())
}

fn parts(shown: &[Shown]) -> Vec<QuizPart> {
    let part = |shown: &Shown| QuizPart {
        id: id_of(shown.id),
        content: document(&shown.content),
    };
    shown.iter().map(part).collect()
}

fn blank(blank: &LearnerBlank) -> QuizBlank {
    QuizBlank {
        id: id_of(blank.id),
        options: blank.options.as_deref().map(parts),
    }
}
