//! Response schemas of the consequences of a change for a learner.

use kurso_core::regrades::{self as core, Counted};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::person::Person;

/// The differences that publishing, or an update by a file, would make for one learner.
#[derive(Serialize, ToSchema)]
pub struct LearnerConsequences {
    pub user: Person,
    /// Percent of the published pages that are done.
    #[schema(minimum = 0, maximum = 100)]
    pub progress_before: u8,
    #[schema(minimum = 0, maximum = 100)]
    pub progress_after: u8,
    /// Whether all published pages are done. The time of the first completion stays in any case.
    pub is_completed_before: bool,
    pub is_completed_after: bool,
    /// The grade of the course in percent; null where nothing counts.
    #[schema(required)]
    pub grade_before: Option<f64>,
    #[schema(required)]
    pub grade_after: Option<f64>,
    /// The quizzes whose result would change; none by an update.
    pub pages: Vec<PageConsequence>,
}

/// The results of a learner in a quiz: those of the best attempt. Null without an attempt.
#[derive(Serialize, ToSchema)]
pub struct PageConsequence {
    pub page_id: Uuid,
    #[schema(required)]
    pub score_before: Option<f64>,
    #[schema(required)]
    pub score_after: Option<f64>,
    #[schema(required)]
    pub max_score_before: Option<f64>,
    #[schema(required)]
    pub max_score_after: Option<f64>,
    /// Whether an attempt passed.
    pub passed_before: bool,
    pub passed_after: bool,
}

impl From<core::LearnerConsequences> for LearnerConsequences {
    fn from(learner: core::LearnerConsequences) -> Self {
        let (before, after) = (learner.before, learner.after);
        LearnerConsequences {
            user: Person {
                id: learner.user_id.0,
                full_name: learner.full_name,
                email: learner.email,
            },
            progress_before: before.progress,
            progress_after: after.progress,
            is_completed_before: before.is_completed,
            is_completed_after: after.is_completed,
            grade_before: before.grade_percent(),
            grade_after: after.grade_percent(),
            pages: learner.pages.into_iter().map(PageConsequence::from).collect(),
        }
    }
}

impl From<core::PageConsequence> for PageConsequence {
    fn from(page: core::PageConsequence) -> Self {
        let of = |counted: Counted| counted.percent.map(|_| (counted.score, counted.max_score)).unzip();
        let ((score_before, max_score_before), (score_after, max_score_after)) = (of(page.before), of(page.after));
        PageConsequence {
            page_id: page.page_id.0,
            score_before,
            score_after,
            max_score_before,
            max_score_after,
            passed_before: page.before.passed,
            passed_after: page.after.passed,
        }
    }
}
