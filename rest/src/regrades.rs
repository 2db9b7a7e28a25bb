//! Publishing of page drafts: what it means for results of learners, and regradings.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, RegradeId};
use kurso_base::messages::Message as Text;
use kurso_base::page_draft_entries::PageDraftEntries;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::courses::page::Importance;
use kurso_core::regrades::{self as core, PastAttempts, Plan, PublishError, RemovedQuestions};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::KursoState;
use crate::consequences::LearnerConsequences;
use crate::courses::page_drafts::{PageDraftState, shapes};
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::fields::{Command, Field, Given, body};
use crate::grading::shapes::PersonName;
use crate::openapi_parts::{CourseRefusals, HTTPError};

body! {
    /// Unpublished changes of 1 to 500 pages of one course, and what is to become of results that learners have.
    ConsequencesRead -> Plan {
        pages: PageDraftEntries,
        /// Default: `keep`.
        past_attempts: Given<PastAttempts>,
        /// Default: `exclude`. Only with `regrade`.
        removed_questions: Given<RemovedQuestions>,
    }
}

/// What [`core::publish`] takes.
pub struct Publish {
    pages: PageDraftEntries,
    importance: Option<Importance>,
    past_attempts: Option<PastAttempts>,
    removed_questions: Option<RemovedQuestions>,
    digest: Option<String>,
}

body! {
    /// Unpublished changes of 1 to 500 pages of one course, as the client showed them.
    PageDraftsPublish -> Publish {
        pages: PageDraftEntries,
        /// Without it: `correction`.
        importance: Option<Importance>,
        /// Default: `keep`.
        past_attempts: Given<PastAttempts>,
        /// Default: `exclude`. Only with `regrade`.
        removed_questions: Given<RemovedQuestions>,
        /// Digest of the consequences that the client showed. If they have changed since, nothing is published (409). Null: they are not compared.
        digest: Option<String>,
    }
}

/// What becomes of results that learners have: `keep`: they stay as the quiz was taken; `regrade`: they are computed again by the changed quiz.
#[derive(ToSchema)]
#[schema(as = PastAttempts, rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum PastAttemptsName {
    Keep,
    Regrade,
}

impl Field for PastAttempts {
    fn schema() -> RefOr<Schema> {
        <PastAttemptsName as PartialSchema>::schema()
    }
}

/// What becomes of the points of questions that attempts have and the quiz has no longer: `exclude`: they are out of the total; `full_points`:
/// everybody who had the question gets its points.
#[derive(ToSchema)]
#[schema(as = RemovedQuestions, rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum RemovedQuestionsName {
    Exclude,
    FullPoints,
}

impl Field for RemovedQuestions {
    fn schema() -> RefOr<Schema> {
        <RemovedQuestionsName as PartialSchema>::schema()
    }
}

/// What was published.
#[derive(Serialize, ToSchema)]
pub struct PublishedPages {
    /// The pages whose changes were published, in the order of the request.
    pub pages: Vec<PageDraftState>,
    /// Null if no attempt was regraded.
    #[schema(required)]
    pub regrade: Option<Regrade>,
}

/// Pages or their drafts, or the consequences, have changed since the client read them. Nothing was published.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct PublishConflict {
    detail: String,
    /// The pages that changed, as they are stored; absent if only the consequences changed.
    #[schema(nullable = false)]
    pages: Option<Vec<PageDraftState>>,
    /// The present consequences, if they are others than `digest` names.
    #[schema(nullable = false)]
    consequences: Option<Consequences>,
}

/// What publishing would change for learners.
#[derive(Serialize, ToSchema)]
pub struct Consequences {
    /// Names these changes: `publish_page_drafts` with it publishes only if they are the same then.
    pub digest: String,
    /// The number of learners whose progress, grade or results would change.
    pub affected: usize,
    /// At most 500 of them, by name.
    pub learners: Vec<LearnerConsequences>,
    /// How many attempts are graded by changed quizzes; 0 with `keep`.
    pub regraded_attempts: i64,
    /// Number of attempts that would not be regraded, because an answer to a removed or worthless question waits for a grader, or because no
    /// points would be left.
    pub left_attempts: i64,
}

/// A regrading.
#[derive(Serialize, ToSchema)]
pub struct Regrade {
    pub id: Uuid,
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
    /// Null if the account was deleted.
    #[schema(required)]
    pub by: Option<PersonName>,
    /// The pages with regraded attempts, in the order of the outline.
    pub page_ids: Vec<Uuid>,
    /// Number of regraded attempts.
    pub attempts: i64,
    /// Number of these attempts whose result changed.
    pub changed: i64,
    /// Time until which it can be undone.
    #[serde(serialize_with = "wire::time")]
    pub undo_until: DateTime<Utc>,
    /// Null unless it was undone.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub undone_at: Option<DateTime<Utc>>,
    pub is_undoable: bool,
}

/// The regradings of a course, newest first.
#[derive(Serialize, ToSchema)]
pub struct Regrades {
    pub data: Vec<Regrade>,
    pub count: usize,
}

/// An undone regrading.
#[derive(Serialize, ToSchema)]
pub struct UndoneRegrade {
    pub regrade: Regrade,
    /// How many results stay as they are, because somebody has changed them since.
    pub left: i64,
}

impl From<core::Consequences> for Consequences {
    fn from(consequences: core::Consequences) -> Self {
        Consequences {
            digest: consequences.digest,
            affected: consequences.affected,
            learners: consequences
                .learners
                .into_iter()
                .map(LearnerConsequences::from)
                .collect(),
            regraded_attempts: consequences.regraded,
            left_attempts: consequences.left,
        }
    }
}

impl Regrade {
    pub fn of(regrade: core::Regrade, now: DateTime<Utc>) -> Self {
        Regrade {
            id: regrade.id.0,
            at: regrade.at,
            page_ids: regrade.pages.iter().map(|page| page.0).collect(),
            attempts: regrade.attempts,
            changed: regrade.changed,
            undo_until: regrade.undo_until(),
            undone_at: regrade.undone_at,
            is_undoable: regrade.is_undoable(now),
            by: regrade.by.map(PersonName::from),
        }
    }
}

/// Read what publishing unpublished changes would mean for learners
///
/// Names the learners whose progress, grade or results in these quizzes would change, with both values. Nothing is published or stored. 422
/// names each quiz that is not complete. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/consequences/{course_id}", operation_id = "courses-consequences", tag = "courses",
    request_body = ConsequencesRead,
    responses(
        CourseRefusals,
        (status = 200, description = "The consequences", body = Consequences),
        (status = 409, description = "Pages have changed since the client read them", body = PublishConflict),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn consequences(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    Command(plan): Command<ConsequencesRead>,
) -> Result<Json<Consequences>> {
    let found = core::consequences(&kurso, &viewer, id, &plan).await.map_err(refused)?;
    Ok(Json(found.into()))
}

/// List the regradings of a course
///
/// Those of the last 30 days, newest first. Owner and editors.
#[utoipa::path(
    get, path = "/api/v1/courses/regrades/{course_id}", operation_id = "courses-regrades", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The regradings", body = Regrades))
)]
pub async fn regrades(State(kurso): KursoState, viewer: Viewer, Path(id): Path<CourseId>) -> Result<Json<Regrades>> {
    let now = kurso.clock.now();
    let found = core::list(&kurso, &viewer, id).await?.into_iter();
    let data: Vec<Regrade> = found.map(|regrade| Regrade::of(regrade, now)).collect();
    Ok(Json(Regrades {
        count: data.len(),
        data,
    }))
}

/// Undo a regrading
///
/// Its attempts get back the results that they had before. The quizzes stay as they were published, and so do results that somebody has
/// changed since. 409 after 30 days, and if it was undone. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/undo_regrade/{regrade_id}", operation_id = "courses-undo_regrade", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The undone regrading", body = UndoneRegrade),
        (status = 409, description = "It cannot be undone any more", body = HTTPError),
    )
)]
pub async fn undo_regrade(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<RegradeId>,
) -> Result<Json<UndoneRegrade>> {
    let undone = core::undo(&kurso, &viewer, id).await?;
    Ok(Json(UndoneRegrade {
        regrade: Regrade::of(undone.regrade, kurso.clock.now()),
        left: undone.left,
    }))
}

/// Publish unpublished changes
///
/// Learners see the changes of all these pages from now on, or of none. With `regrade`, their attempts are graded by the changed quizzes in the
/// same step; `undo_regrade` restores the results. Responds with 422, naming each incomplete quiz. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/publish_page_drafts/{course_id}", operation_id = "courses-publish_page_drafts",
    tag = "courses",
    request_body = PageDraftsPublish,
    responses(
        CourseRefusals,
        (status = 200, description = "The published pages", body = PublishedPages),
        (status = 409, description = "Pages or consequences have changed since the client read them", body = PublishConflict),
        (status = 413, description = "The quota of content of the course's owner is full", body = HTTPError),
    )
)]
pub async fn publish_page_drafts(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    Command(command): Command<PageDraftsPublish>,
) -> Result<Json<PublishedPages>> {
    let plan = Plan {
        pages: command.pages,
        past_attempts: command.past_attempts,
        removed_questions: command.removed_questions,
    };
    let published = core::publish(
        &kurso,
        &viewer,
        id,
        &plan,
        command.importance.unwrap_or_default(),
        command.digest.as_deref(),
    )
    .await;
    let published = published.map_err(refused)?;
    let now = kurso.clock.now();
    Ok(Json(PublishedPages {
        pages: shapes(published.pages),
        regrade: published.regrade.map(|regrade| Regrade::of(regrade, now)),
    }))
}

/// The response to pages that were not published.
pub fn refused(error: PublishError) -> Error {
    match error {
        PublishError::Refused(error) => error.into(),
        PublishError::Conflict(changed) => Error::outdated(Text::PageDraftsChanged, "pages", &shapes(changed)),
        PublishError::Changed(consequences) => {
            let consequences = Consequences::from(*consequences);
            Error::outdated(Text::ConsequencesChanged, "consequences", &consequences)
        }
    }
}
