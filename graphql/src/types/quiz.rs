//! A quiz as a learner sees it. Answers cannot be asked for: no type here has a field for them.

use async_graphql::{Enum, ID, Interface, SimpleObject};
use kurso_core::quiz::{self, LearnerBlank, LearnerKind, LearnerQuestion, LearnerQuiz, Shown};
use serde_json::Value;

use super::{Document, id_of, int};
use crate::cost;

/// The questions of a page, without their answers.
#[derive(SimpleObject)]
pub struct Quiz {
    /// From how many percent on an attempt passes.
    pass_percent: i32,
    /// Null: as many as one likes.
    max_attempts: Option<i32>,
    /// Do the questions come in another order each time?
    shuffle_questions: bool,
    /// Do the options come in another order each time?
    shuffle_options: bool,
    /// When explanations and right answers are shown.
    reveal: QuizReveal,
    /// In the order to show them in.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    questions: Vec<Question>,
}

/// When a learner is shown explanations and right answers.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum QuizReveal {
    /// With every attempt.
    AfterSubmit,
    /// After any attempt has passed; until then only which answers were right.
    AfterPass,
    /// Not even which answers were right.
    Never,
}

/// A question of one of seven kinds.
#[derive(Interface)]
#[graphql(
    field(name = "id", ty = "&ID", desc = "What answers name it by."),
    field(name = "prompt", ty = "&Document", desc = "What is asked."),
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
            /// What answers name it by.
            id: ID,
            /// What is asked.
            #[graphql(complexity = "cost::DOCUMENT")]
            prompt: Document,
            /// What a right answer is worth.
            points: f64,
            $(
                $(#[$field_doc])*
                #[graphql(complexity = "cost::list(cost::PARTS, child_complexity)")]
                $field: $type,
            )*
        }
    )*};
}

questions! {
    /// Answered by one of the options.
    SingleChoiceQuestion {
        /// In the order to show them in.
        options: Vec<QuizPart>
    }
    /// Answered by any of the options.
    MultipleChoiceQuestion {
        /// In the order to show them in.
        options: Vec<QuizPart>
    }
    /// Answered by a text.
    ShortTextQuestion {}
    /// Answered by a number.
    NumericQuestion {}
    /// Answered by putting sides together.
    MatchingQuestion {
        /// What to find a partner for.
        left: Vec<QuizPart>,
        /// The partners, in another order.
        right: Vec<QuizPart>
    }
    /// Answered by putting the items in order.
    OrderingQuestion {
        /// In any order.
        items: Vec<QuizPart>
    }
    /// Answered by filling the blanks of the text.
    FillBlankQuestion {
        /// With `blank` nodes, whose `blank_id` is a blank's id.
        text: Document,
        /// In the order of the text.
        blanks: Vec<QuizBlank>
    }
}

/// Something with an id to answer by: an option, a side of a pair, an item.
#[derive(SimpleObject)]
pub struct QuizPart {
    /// What answers name it by.
    id: ID,
    /// What it says.
    #[graphql(complexity = "cost::DOCUMENT")]
    content: Document,
}

/// A blank of a text.
#[derive(SimpleObject)]
pub struct QuizBlank {
    /// What answers name it by.
    id: ID,
    /// Null: a text of one's own goes here.
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
