//! The grades of learners as a transaction sees them.

use std::sync::Arc;

use kurso_base::error::Result;
use kurso_base::ids::UserId;
use kurso_db::DbOrTx;

use super::cells::Final;
use super::ledger::{Dues, Learner, Ledger};
use crate::Kurso;
use crate::courses::Course;
use crate::courses::tree::Tree;
use crate::learning::progress::Marks;

/// Derives the grades of a course from the marks of its learners.
pub(crate) struct Totals(Ledger);

impl Totals {
    /// Reads the settings. The caller has locked the course, so that they stay. Three statements.
    pub async fn load(kurso: &Kurso, course: Course, tree: Arc<Tree>) -> Result<Self> {
        Ledger::of(kurso, course, tree).await.map(Totals)
    }

    /// The grades of learners with these marks, in the order given. Two statements.
    pub async fn of(&self, on: &mut DbOrTx<'_>, learners: &[(Learner, Marks)]) -> Result<Vec<Final>> {
        let users: Vec<UserId> = learners.iter().map(|(learner, _)| learner.user_id).collect();
        let verdicts = self.0.verdicts(on, Some(&users)).await?;
        let mut dues = Dues::default();
        let grades = learners.iter().map(|(learner, marks)| {
            let due = self.0.dues(&mut dues, learner);
            let verdicts = verdicts.get(&learner.user_id);
            self.0.grade(&self.0.bests_of(marks), verdicts, &due).total
        });
        Ok(grades.collect())
    }
}
