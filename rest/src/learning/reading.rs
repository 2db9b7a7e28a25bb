//! What has changed of pages since the caller read them.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::error as core;
use kurso_base::ids::PageId;
use kurso_base::values::PageVersion;
use kurso_base::wire;
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::courses::page::Importance;
use kurso_core::learning::reading;
use kurso_core::learning::view::CourseView;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::shapes::page::EnrolledPage;
use super::shown_page;
use crate::KursoState;
use crate::courses::Page;
use crate::courses::timeline::PageLocked;
use crate::error::Result;
use crate::extract::{Path, with_path};
use crate::fields::{Command, Field, body};
use crate::openapi_parts::{CourseRefusals, SignedInRefusals};

/// How important a change of a page is to learners who have read it. `important`: their home screen lists it.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ChangeImportance {
    Correction,
    Important,
}

impl Field for Importance {
    fn schema() -> RefOr<Schema> {
        <ChangeImportance as PartialSchema>::schema()
    }
}

/// A change of title or content since the caller read the page.
#[derive(Serialize, ToSchema)]
pub struct ChangeSinceRead {
    #[serde(serialize_with = "wire::time")]
    pub read_at: DateTime<Utc>,
    /// Since when learners read the present text.
    #[serde(serialize_with = "wire::time")]
    pub changed_at: DateTime<Utc>,
    /// `important` if any change since was.
    #[schema(inline, value_type = ChangeImportance)]
    pub importance: Importance,
    /// The present version, for `mark_reread`.
    pub version: i64,
    /// The text that the caller read; null if it is no longer stored, or if it had been replaced before the visit arrived.
    #[schema(required)]
    pub before: Option<TextRead>,
}

/// A published text that the caller has read.
#[derive(Serialize, ToSchema)]
pub struct TextRead {
    pub version: i64,
    /// Null for an untitled page.
    #[schema(required)]
    pub title: Option<String>,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
}

impl ChangeSinceRead {
    /// Of the page at this index. No statement unless the viewer has read it as a learner, and two if it has changed since.
    pub async fn of(kurso: &Kurso, view: &CourseView, index: usize) -> Result<Option<Self>> {
        let Some(read) = view.reading(index) else {
            return Ok(None);
        };
        let Some(change) = reading::changes(kurso, &[read]).await?.remove(&read) else {
            return Ok(None);
        };
        let before = match change.before {
            Some(text) => reading::contents(kurso, &[text.key()])
                .await?
                .remove(&text.key())
                .map(|content| (text, content)),
            None => None,
        };
        let before = before.map(|(text, content)| {
            Ok::<_, core::Error>(TextRead {
                version: text.version,
                title: text.title,
                content: RawValue::from_string(content).map_err(core::Error::internal)?,
            })
        });
        Ok(Some(ChangeSinceRead {
            read_at: change.read_at,
            changed_at: change.changed_at,
            importance: change.importance,
            version: change.version,
            before: before.transpose()?,
        }))
    }
}

/// An important change of a page that the caller has read.
#[derive(Serialize, ToSchema)]
pub struct ImportantChange {
    pub page: Page,
    /// Number of the page in its lesson, from 1.
    pub number: usize,
    pub course_id: Uuid,
    pub course_title: String,
    /// Since when learners read the important version.
    #[serde(serialize_with = "wire::time")]
    pub changed_at: DateTime<Utc>,
}

/// Important changes of pages that the caller has read.
#[derive(Serialize, ToSchema)]
pub struct ImportantChanges {
    pub data: Vec<ImportantChange>,
    pub count: usize,
}

body! {
    /// The version of `change_since_read`, which the learner has read.
    RereadPage -> PageVersion {
        version: PageVersion,
    } => |_fields| version;
}

/// Mark a changed page as read again
///
/// `change_since_read` is null until the page changes again. Repeating the call has no effect. Neither has a version that was replaced meanwhile:
/// `change_since_read` then shows the newer change. Progress stays as it is. 404 also for a version that the page does not have yet.
/// Learners only.
#[utoipa::path(
    post, path = "/api/v1/courses/mark_reread/{page_id}", operation_id = "courses-mark_reread", tag = "courses",
    request_body = RereadPage,
    responses(
        CourseRefusals,
        (status = 200, description = "The page", body = EnrolledPage),
        (status = 409, description = "The page is locked for the learner", body = PageLocked),
    )
)]
pub async fn mark_reread(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<PageId>>,
    body: Result<Command<RereadPage>>,
) -> Result<Json<EnrolledPage>> {
    let (id, Command(version)) = with_path(path, body)?;
    let (view, index) = reading::mark_reread(&kurso, &viewer, id, version.get()).await?;
    shown_page(&kurso, &view, index).await
}

/// List important changes of pages that the caller has read
///
/// Only pages that the caller may read now, and that differ from what they have read. Order: newest first. At most 50.
#[utoipa::path(
    get, path = "/api/v1/courses/important_changes", operation_id = "courses-important_changes", tag = "courses",
    responses(SignedInRefusals, (status = 200, description = "The changes", body = ImportantChanges))
)]
pub async fn important_changes(State(kurso): KursoState, viewer: Viewer) -> Result<Json<ImportantChanges>> {
    let found = reading::important_changes(&kurso, &viewer).await?;
    let data: Vec<_> = found
        .changes
        .iter()
        .filter_map(|change| {
            let view = found.views.get(change.view)?;
            Some(ImportantChange {
                page: Page::of(view, change.place),
                number: view.number(change.place),
                course_id: view.course.id.0,
                course_title: view.course.title.clone(),
                changed_at: change.changed_at,
            })
        })
        .collect();
    Ok(Json(ImportantChanges {
        count: data.len(),
        data,
    }))
}
