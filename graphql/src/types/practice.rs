//! Questions that the caller practises.

use std::sync::Arc;

use async_graphql::{ID, SimpleObject};
use kurso_core::attempts::practice;

use super::quiz::Question;
use super::{DateTime, Page, View, id_of, int};
use crate::cost;

/// What the caller can practise now.
#[derive(SimpleObject)]
pub struct Practice {
    /// The number of questions that are due now, at most 100.
    due_count: i32,
    /// When the next question that is not due yet becomes due; null if there is none.
    next_due_at: Option<DateTime>,
    /// Questions that are due, at most 20; those that are due the longest come first.
    #[graphql(complexity = "cost::list(20, child_complexity)")]
    questions: Vec<PracticeQuestion>,
}

/// A question that is due.
#[derive(SimpleObject)]
pub struct PracticeQuestion {
    /// Unique ID.
    id: ID,
    /// The number of reviews so far: answers of the caller in attempts and in practice.
    reviews: i32,
    /// The quiz page.
    page: Page,
    /// The question, without its answer key.
    question: Question,
}

impl From<practice::Practice> for Practice {
    fn from(found: practice::Practice) -> Self {
        let loaders = Arc::default();
        let question = |due: practice::DueQuestion| PracticeQuestion {
            id: id_of(due.id),
            reviews: int(due.reviews),
            page: Page::at(&View::among(due.view, Arc::clone(&loaders)), due.place),
            question: Question::from(&due.question),
        };
        Practice {
            questions: found.questions.into_iter().map(question).collect(),
            due_count: i32::try_from(found.due_count).unwrap_or(i32::MAX),
            next_due_at: found.next_due_at.map(DateTime),
        }
    }
}
