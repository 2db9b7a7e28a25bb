//! Publishes page drafts with a regrade of the attempts, and predicts the consequences.

use chrono::{DateTime, Utc};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::page_draft_entries::PageDraftEntries;
use kurso_db::events::Event;
use kurso_db::{DbOrTx, Tx};
use kurso_formats::quiz::RemovedQuestions;

use super::apply::{self, Regraded};
use super::consequences::{self, Consequences};
use super::picture::{self, Concerned, Pictures};
use super::{Act, PastAttempts, Regrade, history, notify};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit;
use crate::courses::page::Importance;
use crate::courses::page::publishing::{self, DraftState};
use crate::courses::{self, Course, Scope};
use crate::learning::stored_progress::results;
use crate::learning::{self, completion};

/// Page drafts to publish, and how to treat the existing results of learners.
#[derive(Clone, Debug)]
pub struct Plan {
    pub pages: PageDraftEntries,
    pub past_attempts: Option<PastAttempts>,
    /// Has no effect unless past attempts are regraded.
    pub removed_questions: Option<RemovedQuestions>,
}

impl Plan {
    /// The pages, each once.
    fn page_ids(&self) -> Vec<PageId> {
        let mut pages: Vec<PageId> = self.pages.0.iter().map(|entry| entry.page_id).collect();
        pages.sort_unstable();
        pages.dedup();
        pages
    }
}

/// What was published.
#[derive(Clone, Debug)]
pub struct Published {
    /// The pages with their new versions, in the order given.
    pub pages: Vec<DraftState>,
    /// None if no attempt was regraded.
    pub regrade: Option<Regrade>,
}

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// These pages or their drafts are not those that the viewer was shown.
    #[error("conflict: {} pages have changed", .0.len())]
    Conflict(Vec<DraftState>),
    /// The consequences are not those that the viewer was shown. These are the present ones.
    #[error("the consequences have changed")]
    Changed(Box<Consequences>),
    #[error(transparent)]
    Refused(#[from] Error),
}

impl From<sqlx::Error> for PublishError {
    fn from(error: sqlx::Error) -> Self {
        PublishError::Refused(error.into())
    }
}

impl From<publishing::PublishError> for PublishError {
    fn from(error: publishing::PublishError) -> Self {
        match error {
            publishing::PublishError::Conflict(states) => PublishError::Conflict(states),
            publishing::PublishError::Refused(error) => PublishError::Refused(error),
        }
    }
}

/// Publishes drafts of a course as [`publishing::publish`], and regrades the attempts at these pages if wanted, all in one transaction. With the
/// digest of consequences that the viewer was shown it fails unless they are the same now; then nothing was published. Owner and editors.
pub async fn publish(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    plan: &Plan,
    importance: Importance,
    digest: Option<&str>,
) -> Result<Published, PublishError> {
    if plan.past_attempts.unwrap_or_default() == PastAttempts::Keep && digest.is_none() {
        let pages = publishing::publish(kurso, viewer, course, &plan.pages, importance).await?;
        return Ok(Published { pages, regrade: None });
    }
    let mut publishing = Publishing::begin(kurso, viewer, course).await?;
    let (course, now) = (publishing.course.id, publishing.now);
    publishing::snapshot_before(&mut publishing.tx, viewer, course, &plan.pages, now).await?;
    let (tx, done) = publishing.run(plan, importance).await?;
    if digest.is_some_and(|digest| digest != done.consequences.digest) {
        tx.rollback().await?;
        return Err(PublishError::Changed(Box::new(done.consequences)));
    }
    tx.commit().await?;
    let regrade = match done.regraded.id {
        Some(id) => history::find(kurso, id).await?,
        None => None,
    };
    Ok(Published {
        pages: done.pages,
        regrade,
    })
}

/// Predicts what publishing would change for learners: grades their attempts by the drafts, and derives progress and grades from the stored results and
/// from the new ones. Only reads, so that nobody waits for it. Fails as [`publish`], except for the quota. Owner and editors.
pub async fn consequences(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    plan: &Plan,
) -> Result<Consequences, PublishError> {
    let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?;
    let pictures = Pictures::new(kurso, course.clone()).await?;
    let on = &mut DbOrTx::Db(&kurso.db);
    publishing::check(on, &course, &plan.pages).await?;
    let pages = plan.page_ids();
    let learners = picture::concerned(on, course.id, &pages).await?;
    let regraded = match plan.past_attempts.unwrap_or_default() {
        PastAttempts::Keep => Regraded::default(),
        PastAttempts::Regrade => {
            let removed = plan.removed_questions.unwrap_or_default();
            apply::predict(on, (&pages, &enrollments(&learners)), removed).await?
        }
    };
    let (before, after) = pictures
        .before_and_after(on, &learners, &pages, &regraded.outcomes)
        .await?;
    let changes = consequences::compare(&learners, &before, &after);
    Ok(Consequences::of(changes, (regraded.attempts, regraded.left)))
}

fn enrollments(learners: &[Concerned]) -> Vec<EnrollmentId> {
    learners.iter().map(|learner| learner.enrollment_id).collect()
}

/// How often beginning is retried after a concurrent change of the structure of the course.
const TRIES: usize = 5;

struct Publishing<'a> {
    kurso: &'a Kurso,
    viewer: &'a Viewer,
    course: Course,
    pictures: Pictures,
    tx: Tx,
    now: DateTime<Utc>,
}

/// What the transaction contains.
struct Done {
    pages: Vec<DraftState>,
    regraded: Regraded,
    consequences: Consequences,
}

impl<'a> Publishing<'a> {
    /// Fails with [`Error::Busy`] while others keep changing the structure of the course.
    async fn begin(kurso: &'a Kurso, viewer: &'a Viewer, course: CourseId) -> Result<Self, Error> {
        for _ in 0..TRIES {
            let found = courses::find(&kurso.db, viewer, course, Right::Edit).await?;
            let pictures = Pictures::new(kurso, found.clone()).await?;
            let now = kurso.clock.now();
            let mut tx = courses::begin(&kurso.db, found.id, Scope::Content(now)).await?;
            // Read again, because it may have changed before the lock.
            let course = courses::find(&mut tx, viewer, found.id, Right::Edit).await?;
            if course.structure_version == found.structure_version {
                return Ok(Publishing {
                    kurso,
                    viewer,
                    course,
                    pictures,
                    tx,
                    now,
                });
            }
            tx.rollback().await?;
        }
        Err(Error::Busy)
    }

    /// Returns the transaction, which is to be committed or rolled back. After an error it is rolled back.
    async fn run(mut self, plan: &Plan, importance: Importance) -> Result<(Tx, Done), PublishError> {
        match self.publish(plan, importance).await {
            Ok(done) => Ok((self.tx, done)),
            Err(error) => {
                self.tx.rollback().await?;
                Err(error)
            }
        }
    }

    async fn publish(&mut self, plan: &Plan, importance: Importance) -> Result<Done, PublishError> {
        let (course, pages) = (self.course.id, plan.page_ids());
        let learners = picture::concerned(&mut DbOrTx::Tx(&mut self.tx), course, &pages).await?;
        let enrollments = enrollments(&learners);
        learning::lock_all(&mut self.tx, &enrollments).await?;
        let (kurso, now) = (self.kurso, self.now);
        let published = publishing::publish_in(
            kurso,
            &mut self.tx,
            self.viewer,
            &self.course,
            &plan.pages,
            importance,
            now,
        )
        .await?;
        let regraded = match plan.past_attempts.unwrap_or_default() {
            PastAttempts::Keep => Regraded::default(),
            PastAttempts::Regrade => {
                let removed = plan.removed_questions.unwrap_or_default();
                self.regrade((&pages, &enrollments), removed).await?
            }
        };
        let on = &mut DbOrTx::Tx(&mut self.tx);
        let (before, after) = self
            .pictures
            .before_and_after(on, &learners, &pages, &regraded.outcomes)
            .await?;
        if let Some(regrade) = regraded.id {
            apply::take_effect(&mut self.tx, regrade).await?;
            results::store(&mut self.tx, &enrollments, &pages).await?;
            let act = Act {
                by: self.viewer.id(),
                at: now,
            };
            notify::changed(&mut self.tx, (course, regrade), act).await?;
        }
        let completed = learners.iter().zip(&after);
        let completed = completed.filter(|(learner, after)| after.is_completed && !learner.is_recorded);
        let completed: Vec<EnrollmentId> = completed.map(|(learner, _)| learner.enrollment_id).collect();
        completion::record_in(&mut self.tx, course, &completed, now).await?;
        let changes = consequences::compare(&learners, &before, &after);
        Ok(Done {
            pages: published,
            consequences: Consequences::of(changes, (regraded.attempts, regraded.left)),
            regraded,
        })
    }

    async fn regrade(
        &mut self,
        (pages, enrollments): (&[PageId], &[EnrollmentId]),
        removed: RemovedQuestions,
    ) -> Result<Regraded, Error> {
        let (course, act) = (
            self.course.id,
            Act {
                by: self.viewer.id(),
                at: self.now,
            },
        );
        let regraded = apply::apply(&mut self.tx, course, (pages, enrollments), removed, act).await?;
        if regraded.id.is_some() {
            let entry = audit::Entry::new(audit::Act::AttemptsRegraded)
                .by(act.by)
                .in_course(course);
            entry.detail(regraded.attempts).write(&mut self.tx, self.now).await?;
            self.tx.publish(Event::Grades { course });
        }
        Ok(regraded)
    }
}
