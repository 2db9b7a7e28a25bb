//! What publishing changed quizzes means for results of learners, and regradings.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::PageId;
use kurso_base::page_draft_entries::PageDraftEntries;
use kurso_core::attempts;
use kurso_core::regrades::{self as core, Counted, Plan};
use serde_json::{Value, json};

use super::grading::PersonName;
use super::student::Person;
use super::{DateTime, Page, View, id_of, int};
use crate::context::kurso;
use crate::cost;
use crate::error::wrap;
use crate::input::Fields;

/// The unpublished changes of one page, as they were shown.
#[derive(InputObject)]
pub struct PublishPageDraftInput {
    /// A page of the course.
    page_id: ID,
    /// The version of its draft.
    version: i32,
    /// Its own version, which learners read.
    page_version: i32,
}

/// How to treat the existing results of learners.
#[derive(Clone, Copy, PartialEq, Eq, Default, Enum)]
#[graphql(remote = "core::PastAttempts")]
pub enum PastAttempts {
    /// Results stay as they are.
    #[default]
    Keep,
    /// Attempts are regraded with the changed quiz.
    Regrade,
}

/// How to treat the points of questions that were removed from the quiz.
#[derive(Clone, Copy, PartialEq, Eq, Default, Enum)]
#[graphql(remote = "core::RemovedQuestions")]
pub enum RemovedQuestions {
    /// Their points are excluded from the total.
    #[default]
    Exclude,
    /// Every attempt that has the question gets its full points.
    FullPoints,
}

/// What the arguments of both operations mean. Fails with BAD_USER_INPUT.
pub fn plan(
    ctx: &Context<'_>,
    pages: Vec<PublishPageDraftInput>,
    past_attempts: PastAttempts,
    removed_questions: RemovedQuestions,
) -> Result<Plan> {
    let mut fields = Fields::default();
    let pages = fields.required::<PageDraftEntries>("pages", Value::from_iter(pages.into_iter().map(entry)));
    Ok(Plan {
        pages: fields.finish(pages).map_err(wrap(ctx))?,
        past_attempts: Some(past_attempts.into()),
        removed_questions: Some(removed_questions.into()),
    })
}

/// The entry as REST sends it: both APIs have one reader.
fn entry(input: PublishPageDraftInput) -> Value {
    json!({"page_id": input.page_id.0, "version": input.version, "page_version": input.page_version})
}

/// What publishing would change for learners.
pub struct Consequences {
    found: core::Consequences,
    view: View,
}

/// What publishing would change for learners.
#[Object]
impl Consequences {
    /// Digest of these changes. `publishPageDrafts` with this digest publishes only if the changes are still the same.
    async fn digest(&self) -> &str {
        &self.found.digest
    }
    /// The number of learners whose progress, grade or results would change.
    async fn affected(&self) -> i32 {
        int(self.found.affected)
    }
    /// At most 500 of them, by name.
    #[graphql(complexity = "cost::list(cost::AFFECTED, child_complexity)")]
    async fn learners(&self, ctx: &Context<'_>) -> Result<Vec<LearnerConsequences>> {
        cost::spend(ctx, self.found.learners.len())?;
        let learners = self.found.learners.iter().cloned();
        let of = |learner| LearnerConsequences {
            learner,
            view: Some(self.view.clone()),
        };
        Ok(learners.map(of).collect())
    }
    /// Number of attempts that would be regraded; 0 with KEEP.
    async fn regraded_attempts(&self) -> i32 {
        int(self.found.regraded)
    }
    /// Number of attempts that would not be regraded, because an answer to a removed or worthless question waits for a grader, or because no
    /// points would be left.
    async fn left_attempts(&self) -> i32 {
        int(self.found.left)
    }
}

impl Consequences {
    pub fn of(found: core::Consequences, view: View) -> Self {
        Consequences { found, view }
    }
}

pub struct LearnerConsequences {
    learner: core::LearnerConsequences,
    /// None for an update by a file, which changes no results.
    view: Option<View>,
}

/// The differences that publishing, or an update by a file, would make for one learner.
#[Object]
impl LearnerConsequences {
    /// The learner.
    async fn user(&self) -> Person {
        Person {
            id: id_of(self.learner.user_id),
            full_name: self.learner.full_name.clone(),
            email: self.learner.email.clone(),
        }
    }
    /// Percent of the published pages that are done.
    async fn progress_before(&self) -> i32 {
        self.learner.before.progress.into()
    }
    /// The same after the change.
    async fn progress_after(&self) -> i32 {
        self.learner.after.progress.into()
    }
    /// Whether all published pages are done. The time of the first completion stays in any case.
    async fn is_completed_before(&self) -> bool {
        self.learner.before.is_completed
    }
    /// The same after the change.
    async fn is_completed_after(&self) -> bool {
        self.learner.after.is_completed
    }
    /// The grade of the course in percent; null where nothing counts.
    async fn grade_before(&self) -> Option<f64> {
        self.learner.before.grade_percent()
    }
    /// The same after the change.
    async fn grade_after(&self) -> Option<f64> {
        self.learner.after.grade_percent()
    }
    /// The quizzes whose result would change; none by an update.
    #[graphql(complexity = "cost::list(cost::CHANGED_QUIZZES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<PageConsequence>> {
        cost::spend(ctx, self.learner.pages.len())?;
        let pages = self.learner.pages.iter();
        let pages = pages.filter_map(|page| Some(PageConsequence::of(page, self.page(page.page_id)?)));
        Ok(pages.collect())
    }
}

impl LearnerConsequences {
    pub fn of_update(learner: core::LearnerConsequences) -> Self {
        LearnerConsequences { learner, view: None }
    }

    fn page(&self, page: PageId) -> Option<Page> {
        let view = self.view.as_ref()?;
        view.tree.place(page).map(|place| Page::at(view, place))
    }
}

/// The results of a learner in a quiz: those of the best attempt.
#[derive(SimpleObject)]
pub struct PageConsequence {
    /// The page of the quiz.
    page: Page,
    /// Score; null without an attempt.
    score_before: Option<f64>,
    /// The same after publishing.
    score_after: Option<f64>,
    /// Sum of the points of all questions; null without an attempt.
    max_score_before: Option<f64>,
    /// The same after publishing.
    max_score_after: Option<f64>,
    /// Whether an attempt passed.
    passed_before: bool,
    /// The same after publishing.
    passed_after: bool,
}

impl PageConsequence {
    fn of(consequence: &core::PageConsequence, page: Page) -> Self {
        let of = |counted: Counted| counted.percent.map(|_| (counted.score, counted.max_score)).unzip();
        let (before, after) = (of(consequence.before), of(consequence.after));
        PageConsequence {
            page,
            score_before: before.0,
            score_after: after.0,
            max_score_before: before.1,
            max_score_after: after.1,
            passed_before: consequence.before.passed,
            passed_after: consequence.after.passed,
        }
    }
}

/// A regrading: attempts were graded again when changed quizzes were published.
pub struct Regrade {
    regrade: core::Regrade,
    view: View,
}

/// A regrading: attempts were graded again when changed quizzes were published.
#[Object]
impl Regrade {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.regrade.id)
    }
    /// Time of the change.
    async fn at(&self) -> DateTime {
        DateTime(self.regrade.at)
    }
    /// User who regraded; null when the account is deleted.
    async fn by(&self) -> Option<PersonName> {
        self.regrade.by.as_ref().map(PersonName::from)
    }
    /// The pages with regraded attempts, in the order of the outline.
    #[graphql(complexity = "cost::list(cost::CHANGED_QUIZZES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<Page>> {
        cost::spend(ctx, self.regrade.pages.len())?;
        let places = self.regrade.pages.iter().filter_map(|page| self.view.tree.place(*page));
        Ok(places.map(|place| Page::at(&self.view, place)).collect())
    }
    /// Number of regraded attempts.
    async fn attempts(&self) -> i32 {
        int(self.regrade.attempts)
    }
    /// Number of these attempts whose result changed.
    async fn changed(&self) -> i32 {
        int(self.regrade.changed)
    }
    /// Time until which it can be undone.
    async fn undo_until(&self) -> DateTime {
        DateTime(self.regrade.undo_until())
    }
    /// When it was undone; null unless it was.
    async fn undone_at(&self) -> Option<DateTime> {
        self.regrade.undone_at.map(DateTime)
    }
    /// Whether it can be undone.
    async fn is_undoable(&self, ctx: &Context<'_>) -> bool {
        self.regrade.is_undoable(kurso(ctx).clock.now())
    }
}

impl Regrade {
    pub fn of(regrade: core::Regrade, view: &View) -> Self {
        Regrade {
            regrade,
            view: view.clone(),
        }
    }
}

/// Why the result of an attempt changed.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "attempts::ResultChangeKind", name = "ResultChangeKind")]
pub enum ChangeKind {
    /// The attempt was regraded with a changed quiz.
    Regraded,
    /// A regrade was undone.
    RegradeUndone,
}

/// A change of the result of an attempt, after a changed quiz was published.
#[derive(SimpleObject)]
pub struct ResultChange {
    /// Time of the change.
    at: DateTime,
    /// Kind of the change.
    kind: ChangeKind,
    /// Score, rounded to four decimal places.
    score_before: f64,
    /// Sum of the points of all questions.
    max_score_before: f64,
    /// Whether the exact score reached the pass mark.
    passed_before: bool,
    /// The score since then.
    score_after: f64,
    /// The sum of the points since then.
    max_score_after: f64,
    /// Whether it has passed since then.
    passed_after: bool,
}

impl From<&attempts::ResultChange> for ResultChange {
    fn from(change: &attempts::ResultChange) -> Self {
        ResultChange {
            at: DateTime(change.at),
            kind: change.kind.into(),
            score_before: change.score_before,
            max_score_before: change.max_score_before,
            passed_before: change.passed_before,
            score_after: change.score_after,
            max_score_after: change.max_score_after,
            passed_after: change.passed_after,
        }
    }
}
