//! The stored progress of learners after visits and attempts were restored.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;

use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap};
use crate::learning::stored_progress::{agree, derived};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_db::{Tx, sql};

/// Learners in one statement.
const LEARNERS: usize = 500;

/// Derives the stored progress of these learners again where it differs from their visits and attempts.
pub(super) async fn renew(tx: &mut Tx, course: CourseId, enrollments: &BTreeSet<Uuid>) -> Result<()> {
    if enrollments.is_empty() {
        return Ok(());
    }
    let numbers = sql!(
        "SELECT mark_no FROM pages WHERE course_id = $1 AND mark_no IS NOT NULL",
        course
    );
    let numbers = numbers.fetch_all::<(i64,)>(&mut *tx).await?;
    let present: HashSet<i64> = numbers.into_iter().map(|(number,)| number).collect();
    let enrollments: Vec<EnrollmentId> = enrollments.iter().copied().map(EnrollmentId).collect();
    for learners in enrollments.chunks(LEARNERS) {
        // Locks the rows, as every change of progress does.
        let stored = sql!("UPDATE enrollments SET last_activity_at = last_activity_at WHERE id IN ")
            .push_in(learners.iter().copied())
            .push(" RETURNING id, marks, tries")
            .fetch_all::<(EnrollmentId, Option<ProgressBitmap>, Option<AttemptSummaries>)>(&mut *tx)
            .await?;
        let mut found = derived(&mut *tx, learners).await?;
        for (id, marks, tries) in stored {
            let (is_derivable, progress) = match found.remove(&id) {
                Some(progress) => (progress.is_some(), progress.unwrap_or_default()),
                None => (true, Default::default()),
            };
            let is_right = marks
                .as_ref()
                .is_none_or(|marks| is_derivable && agree(marks, tries.as_ref(), Some(&progress), &present));
            if !is_right {
                sql!(
                    "UPDATE enrollments SET marks = $2, tries = $3 WHERE id = $1",
                    id,
                    is_derivable.then_some(progress.marks),
                    is_derivable.then_some(progress.tries)
                )
                .execute(&mut *tx)
                .await?;
            }
        }
    }
    Ok(())
}
