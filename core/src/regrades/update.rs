//! Predicts what an update of a course by a file changes for its learners. Results stay as they are, but the new tree determines which of them count.

use std::collections::HashMap;
use std::sync::Arc;

use kurso_base::error::Result;
use kurso_base::ids::EnrollmentId;
use kurso_db::DbOrTx;
use kurso_formats::CourseDraft;
use serde::{Deserialize, Serialize};

use super::consequences::{self, Consequences, LearnerConsequences, Outline};
use super::picture::{self, Concerned, LEARNERS, Pictures};
use crate::Kurso;
use crate::courses::Course;
use crate::courses::tree::Tree;
use crate::gradebook::Learner;
use crate::learning::progress::Marks;
use crate::learning::stored_progress::results;

/// The learners whose progress or grade changes. Has no names, because it is stored with an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutlineChanges {
    /// The number of all of them.
    pub affected: usize,
    /// At most [`super::SHOWN_LEARNERS`] of them, by name.
    learners: Vec<OutlineChange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OutlineChange {
    enrollment: EnrollmentId,
    before: Outline,
    after: Outline,
}

/// Derives the progress and grades of all learners from the current tree and from the tree after the update. The parts of the draft have their
/// stored IDs. Only reads. Keeps the marks of at most 500 learners in memory.
pub(crate) async fn of_update(kurso: &Kurso, course: &Course, draft: &CourseDraft) -> Result<OutlineChanges> {
    let stored = Pictures::new(kurso, course.clone()).await?;
    let planned = Arc::new(Tree::planned(&kurso.db, course, &stored.tree, draft).await?);
    let mut updated = course.clone();
    updated.dates = draft.dates.clone();
    let planned = Pictures::with_tree(kurso, updated, planned).await?;
    let on = &mut DbOrTx::Db(&kurso.db);
    let learners = picture::all(on, course.id).await?;
    let mut changed = vec![];
    for chunk in learners.chunks(LEARNERS) {
        let ids: Vec<EnrollmentId> = chunk.iter().map(|learner| learner.enrollment_id).collect();
        let marks = results::marks(on, &stored.tree, &ids).await?;
        let moved = marks.iter().map(|marks| marks.moved(&stored.tree, &planned.tree));
        let after: Vec<(Learner, Marks)> = chunk.iter().map(Concerned::learner).zip(moved).collect();
        let before: Vec<(Learner, Marks)> = chunk.iter().map(Concerned::learner).zip(marks).collect();
        let (before, after) = (stored.of(on, &before).await?, planned.of(on, &after).await?);
        changed.extend(consequences::compare(chunk, &before, &after));
    }
    let Consequences { affected, learners, .. } = Consequences::of(changed, (0, 0));
    let learners = learners.iter().map(|learner| OutlineChange {
        enrollment: learner.enrollment_id,
        before: learner.before,
        after: learner.after,
    });
    Ok(OutlineChanges {
        affected,
        learners: learners.collect(),
    })
}

impl OutlineChanges {
    /// The listed learners with their names. Those who have left the course are left out. One statement.
    pub async fn named(&self, kurso: &Kurso) -> Result<Vec<LearnerConsequences>> {
        if self.learners.is_empty() {
            return Ok(vec![]);
        }
        let listed = self.learners.iter().map(|learner| learner.enrollment);
        let rows = picture::enrolled(&kurso.db, listed).await?;
        let mut people: HashMap<EnrollmentId, Concerned> =
            rows.into_iter().map(|row| (row.enrollment_id, row)).collect();
        let named = self.learners.iter().filter_map(|learner| {
            let person = people.remove(&learner.enrollment)?;
            Some(LearnerConsequences {
                user_id: person.user_id,
                enrollment_id: person.enrollment_id,
                full_name: person.full_name,
                email: person.email,
                before: learner.before,
                after: learner.after,
                pages: vec![],
            })
        });
        Ok(named.collect())
    }
}
