//! A quiz as a learner sees it. Answers cannot be asked for: no type here has a field for them.

use async_graphql::{Enum, ID, Interface, SimpleObject};
use kurso_core::quiz::{self, LearnerBlank, LearnerKind, LearnerQuestion, LearnerQuiz, Shown};
use serde_json::Value;

use super::{Document, id_of, int};

/// The questions of a page, without their answers.
#[derive(SimpleObject)]
pub struct Quiz {
    /// From how many percent on an attempt passes.
    pass_percent: i32,
    /// Null: as many as one likes.
    max_attempts: Option<i32>,
    shuffle_questions: bool,
    shuffle_options: bool,
    reveal: QuizReveal,
    /// In the order to show them in.
    questions: Vec<Question>,
}

/// When a learner is shown explanations and right answers.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum QuizReveal {
    AfterSubmit,
    /// After any attempt has passed; until then only which answers were right.
    AfterPass,
    /// Not even which answers were right.
    Never,
}

/// A question of one of seven kinds.
#[derive(Interface)]
#[graphql(
    field(name = "id", ty = "&ID"),
    field(name = "prompt", ty = "&Document"),
    field(name = "points", ty = "&f64", desc = "What a right answer is worth.")
)]
pub enum Question {
    SingleChoice(SingleChoiceQuestion),
    MultipleChoice(MultipleChoiceQuestion),
    ShortText(ShortTextQuestion),
    Numeric(NumericQuestion),
    Matching(MatchingQuestion),
    Ordering(OrderingQuestion),
    FillBlank(FillBlankQuestion),
}

macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* })*) => {$(
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            id: ID,
            prompt: Document,
            points: f64,
            $($(#[$field_doc])* $field: $type,)*
        }
    )*};
}

questions! {
    /// Answered by one of the options.
    SingleChoiceQuestion { options: Vec<QuizPart> }
    /// Answered by any of the options.
    MultipleChoiceQuestion { options: Vec<QuizPart> }
    /// Answered by a text.
    ShortTextQuestion {}
    /// Answered by a number.
    NumericQuestion {}
    /// Answered by putting sides together.
    MatchingQuestion { left: Vec<QuizPart>, right: Vec<QuizPart> }
    /// Answered by putting the items in order.
    OrderingQuestion { items: Vec<QuizPart> }
    /// Answered by filling the blanks of the text.
    FillBlankQuestion {
        /// With `blank` nodes, whose `blank_id` is a blank's id.
        text: Document,
        blanks: Vec<QuizBlank>
    }
}

/// Something with an id to answer by: an option, a side of a pair, an item.
#[derive(SimpleObject)]
pub struct QuizPart {
    id: ID,
    content: Document,
}

/// A blank of a text.
#[derive(SimpleObject)]
pub struct QuizBlank {
    id: ID,
    /// Null: a text of one's own goes here.
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
            questions: quiz.questions.iter().map(Question::from).collect(),
        }
    }
}

impl From<&LearnerQuestion> for Question {
    fn from(question: &LearnerQuestion) -> Self {
        let (id, prompt) = (id_of(question.id), document(&question.prompt));
        let points = question.points.as_f64();
        match &question.kind {
            LearnerKind::SingleChoice { options } => Question::SingleChoice(SingleChoiceQuestion {
                id,
                prompt,
                points,
                options: parts(options),
            }),
            LearnerKind::MultipleChoice { options } => Question::MultipleChoice(MultipleChoiceQuestion {
                id,
                prompt,
                points,
                options: parts(options),
            }),
            LearnerKind::ShortText => Question::ShortText(ShortTextQuestion { id, prompt, points }),
            LearnerKind::Numeric => Question::Numeric(NumericQuestion { id, prompt, points }),
            LearnerKind::Matching { left, right } => Question::Matching(MatchingQuestion {
                id,
                prompt,
                points,
                left: parts(left),
                right: parts(right),
            }),
            LearnerKind::Ordering { items } => Question::Ordering(OrderingQuestion {
                id,
                prompt,
                points,
                items: parts(items),
            }),
            LearnerKind::FillBlank { text, blanks } => Question::FillBlank(FillBlankQuestion {
                id,
                prompt,
                points,
                text: document(text),
                blanks: blanks.iter().map(blank).collect(),
            }),
        }
    }
}

pub(super) fn document(value: &Value) -> Document {
    Document::Stored(value.to_string())
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
