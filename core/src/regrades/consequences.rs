//! Compares what learners have before and after. Pure.

use std::collections::BTreeMap;

use kurso_base::hex::hex;
use kurso_base::ids::{EnrollmentId, PageId, UserId};
use kurso_base::search::fold;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::picture::Concerned;
use crate::access::shown_name;

/// The most learners that consequences name.
pub const SHOWN_LEARNERS: usize = 500;

/// The differences that publishing would make for learners.
#[derive(Clone, Debug, PartialEq)]
pub struct Consequences {
    /// The digest of all changes. A client sends it when publishing.
    pub digest: String,
    /// The number of learners whose progress, grade or results would change.
    pub affected: usize,
    /// At most [`SHOWN_LEARNERS`] of them, by name.
    pub learners: Vec<LearnerConsequences>,
    /// The number of attempts that would be regraded.
    pub regraded: i64,
    /// The number of attempts that would not be regraded, because their waiting answers do not fit the changed quiz or no points would be left.
    pub left: i64,
}

/// The differences that publishing would make for one learner.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnerConsequences {
    pub user_id: UserId,
    pub enrollment_id: EnrollmentId,
    pub full_name: Option<String>,
    pub email: String,
    pub before: Outline,
    pub after: Outline,
    /// The pages with another result, by id.
    pub pages: Vec<PageConsequence>,
}

impl LearnerConsequences {
    /// The full name, or the e-mail address if there is none.
    pub fn shown_name(&self) -> &str {
        shown_name(self.full_name.as_deref(), &self.email)
    }
}

/// The state of a learner in a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Percent of the published pages that are done.
    pub progress: u8,
    pub is_completed: bool,
    /// The grade of the course in hundredths of a percent; None where nothing counts.
    pub grade: Option<i64>,
}

impl Outline {
    /// The grade of the course in percent.
    #[expect(clippy::cast_precision_loss, reason = "a grade has few digits")]
    pub fn grade_percent(&self) -> Option<f64> {
        self.grade.map(|hundredths| hundredths as f64 / 100.0)
    }
}

/// The results of a learner in a quiz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageConsequence {
    pub page_id: PageId,
    pub before: Counted,
    pub after: Counted,
}

/// The counted result of a learner in a quiz: that of the best attempt, and whether any attempt passed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counted {
    pub score: f64,
    pub max_score: f64,
    /// None without an attempt.
    pub percent: Option<i64>,
    pub passed: bool,
}

/// The state of a learner, with the results in some quizzes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    pub progress: u8,
    pub is_completed: bool,
    pub grade: Option<i64>,
    pub pages: BTreeMap<PageId, Counted>,
}

impl Picture {
    fn outline(&self) -> Outline {
        Outline {
            progress: self.progress,
            is_completed: self.is_completed,
            grade: self.grade,
        }
    }
}

/// The changes between two pictures of each learner.
pub(super) fn compare(learners: &[Concerned], before: &[Picture], after: &[Picture]) -> Vec<LearnerConsequences> {
    let pairs = learners.iter().zip(before.iter().zip(after));
    let changed = pairs.filter(|(_, (before, after))| before != after);
    let consequences = changed.map(|(learner, (before, after))| LearnerConsequences {
        user_id: learner.user_id,
        enrollment_id: learner.enrollment_id,
        full_name: learner.full_name.clone(),
        email: learner.email.clone(),
        before: before.outline(),
        after: after.outline(),
        pages: pages(before, after),
    });
    consequences.collect()
}

fn pages(before: &Picture, after: &Picture) -> Vec<PageConsequence> {
    let pages = after.pages.iter().map(|(page, counted)| PageConsequence {
        page_id: *page,
        before: before.pages.get(page).copied().unwrap_or_default(),
        after: *counted,
    });
    pages.filter(|page| page.before != page.after).collect()
}

impl Consequences {
    pub(super) fn of(mut learners: Vec<LearnerConsequences>, (regraded, left): (i64, i64)) -> Self {
        let digest = digest(&learners);
        let affected = learners.len();
        learners.sort_by_cached_key(|learner| (fold(learner.shown_name()), learner.enrollment_id));
        learners.truncate(SHOWN_LEARNERS);
        Consequences {
            digest,
            affected,
            learners,
            regraded,
            left,
        }
    }
}

/// The digest of a list of changes in the order of the enrollments. It does not cover the names of people.
fn digest(learners: &[LearnerConsequences]) -> String {
    let mut digest = Sha256::new();
    for learner in learners {
        digest.update(learner.enrollment_id.0.as_bytes());
        for Outline {
            progress,
            is_completed,
            grade,
        } in [learner.before, learner.after]
        {
            digest.update([progress, is_completed.into(), grade.is_some().into()]);
            digest.update(grade.unwrap_or_default().to_be_bytes());
        }
        digest.update(learner.pages.len().to_be_bytes());
        for page in &learner.pages {
            digest.update(page.page_id.0.as_bytes());
            for counted in [page.before, page.after] {
                digest.update(counted.score.to_be_bytes());
                digest.update(counted.max_score.to_be_bytes());
                digest.update([counted.passed.into()]);
            }
        }
    }
    hex(&digest.finalize())
}
