//! Unpublished changes of pages. `update_page` and `restore_page_version` save them.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message as Text;
use kurso_base::page_draft_entries::PageDraftEntries;
use kurso_base::{error as core, wire};
use kurso_core::access::Viewer;
use kurso_core::courses::page::draft::DraftSummary;
use kurso_core::courses::page::publishing::DraftState;
use kurso_core::courses::page::{UpdateError, draft};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::{AdditionalProperties, Type};
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::shapes::{AuthorPage, PageConflict, PageEditor};
use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::{Path, VersionQuery, with_path};
use crate::fields::{Field, entries_schema, of_type, uuid_schema};
use crate::openapi_parts::CourseRefusals;
use crate::quiz::AuthorQuiz;

/// Changes of a published page that learners do not see yet, without content and quiz.
#[derive(Serialize, ToSchema)]
pub struct UnpublishedChange {
    pub page_id: Uuid,
    pub lesson_id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    /// Drafts and pages have versions of one sequence.
    pub version: i64,
    /// The version of the page from which the draft began, or with which it was merged.
    pub base_version: i64,
    /// The version that learners read.
    pub page_version: i64,
    /// Whether the page itself was changed since: publishing replaces that change.
    pub is_behind: bool,
    /// The user who saved it last; null when the account is deleted.
    #[schema(required)]
    pub editor: Option<PageEditor>,
    /// Time of its first save.
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    /// Time of its last save.
    #[serde(serialize_with = "wire::time")]
    pub saved_at: DateTime<Utc>,
}

impl From<DraftSummary> for UnpublishedChange {
    fn from(draft: DraftSummary) -> Self {
        let is_behind = draft.is_behind();
        let full_name = draft.editor_full_name;
        UnpublishedChange {
            page_id: draft.page_id.0,
            lesson_id: draft.lesson_id.0,
            title: draft.title,
            version: draft.version,
            base_version: draft.base_version,
            page_version: draft.page_version,
            is_behind,
            editor: draft.editor_id.map(|id| PageEditor { id: id.0, full_name }),
            created_at: draft.created_at,
            saved_at: draft.saved_at,
        }
    }
}

/// Changes of a published page that learners do not see yet.
#[derive(Serialize, ToSchema)]
pub struct PageDraft {
    #[serde(flatten)]
    pub change: UnpublishedChange,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Quiz with its answer key, which may be incomplete; null on content pages.
    #[schema(required, value_type = Option<AuthorQuiz>)]
    pub quiz: Option<Box<RawValue>>,
}

impl PageDraft {
    fn of(draft: draft::PageDraft) -> Result<Self, core::Error> {
        let raw = |text| RawValue::from_string(text).map_err(core::Error::internal);
        Ok(PageDraft {
            content: raw(draft.content)?,
            quiz: draft.quiz.map(raw).transpose()?,
            change: draft.summary.into(),
        })
    }
}

/// What is unpublished in a course, in the order of its outline.
#[derive(Serialize, ToSchema)]
pub struct UnpublishedChanges {
    pub data: Vec<UnpublishedChange>,
    pub count: usize,
}

/// The versions of a page.
#[derive(Serialize, ToSchema)]
pub struct PageDraftState {
    pub page_id: Uuid,
    /// The version of its draft; null without one.
    #[schema(required)]
    pub version: Option<i64>,
    /// The version that learners read.
    pub page_version: i64,
}

/// The versions of pages as they are sent.
pub fn shapes(states: Vec<DraftState>) -> Vec<PageDraftState> {
    let shape = |state: DraftState| PageDraftState {
        page_id: state.page_id.0,
        version: state.version,
        page_version: state.page_version,
    };
    states.into_iter().map(shape).collect()
}

impl Field for PageDraftEntries {
    fn schema() -> RefOr<Schema> {
        entries_schema("PageDraftPublish", Self::MAX)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let number = || of_type(Type::Integer).minimum(Some(1));
        let object = of_type(Type::Object)
            .description(Some(
                "`version` is that of the draft, `page_version` the one that learners read. If others are stored, nothing is published (409).",
            ))
            .additional_properties(Some(AdditionalProperties::FreeForm(true)))
            .property("page_id", uuid_schema())
            .property("version", number())
            .property("page_version", number())
            .required("page_id")
            .required("version")
            .required("page_version");
        to.push(("PageDraftPublish".to_owned(), object.into()));
    }
}

/// Get the unpublished changes of a page
///
/// 404 when it has none. Owner, editors and reviewers.
#[utoipa::path(
    get, path = "/api/v1/courses/page_draft/{page_id}", operation_id = "courses-page_draft", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The draft", body = PageDraft))
)]
pub async fn page_draft(State(kurso): KursoState, viewer: Viewer, Path(id): Path<PageId>) -> Result<Json<PageDraft>> {
    let draft = draft::get(&kurso, &viewer, id).await?;
    Ok(Json(PageDraft::of(draft)?))
}

/// Discard the unpublished changes of a page
///
/// Their texts stay in the history of the page. Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/discard_page_draft/{page_id}", operation_id = "courses-discard_page_draft",
    tag = "courses",
    params(("version" = i64, Query, minimum = 1, description = "The version of the draft.")),
    responses(
        CourseRefusals,
        (status = 200, description = "The page", body = AuthorPage),
        (status = 409, description = "The draft has another version", body = PageConflict),
    )
)]
pub async fn discard_page_draft(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    version: Result<VersionQuery>,
) -> Result<Json<AuthorPage>> {
    let (id, VersionQuery(version)) = with_path(path, version)?;
    let discarded = draft::discard(&kurso, &viewer, id, version).await;
    Ok(Json(AuthorPage::of(discarded.map_err(refusal)?)?))
}

/// The response to a change of a page that failed.
pub fn refusal(error: UpdateError) -> Error {
    match error {
        UpdateError::Refused(error) => error.into(),
        UpdateError::Conflict(stored) => match AuthorPage::of(*stored) {
            Ok(page) => Error::outdated(Text::PageChanged, "page", &page),
            Err(error) => error.into(),
        },
    }
}

/// List the unpublished changes of a course
///
/// Order: that of the outline. Owner, editors and reviewers.
#[utoipa::path(
    get, path = "/api/v1/courses/unpublished_changes/{course_id}", operation_id = "courses-unpublished_changes",
    tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The changes", body = UnpublishedChanges))
)]
pub async fn unpublished_changes(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<UnpublishedChanges>> {
    let drafts = draft::list(&kurso, &viewer, id).await?;
    let data: Vec<_> = drafts.into_iter().map(UnpublishedChange::from).collect();
    Ok(Json(UnpublishedChanges {
        count: data.len(),
        data,
    }))
}
