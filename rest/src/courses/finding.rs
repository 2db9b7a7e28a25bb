//! Search for courses, lessons and pages by title.

use axum::Json;
use axum::extract::State;
use kurso_core::access::{Role, Viewer};
use kurso_core::courses::tree;
use kurso_core::finding::{self, What};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::CourseRole;
use crate::KursoState;
use crate::error::Result;
use crate::extract::Listing;
use crate::openapi_parts::{PagingParams, SearchParams, SignedInRefusals};
use crate::page_kind::PageKind;
use crate::response::lists;

lists! {
    /// A page of search results.
    FoundList of Found;
}

/// A course, lesson or page that matches a search, with the titles above it and the page to open.
#[derive(Serialize, ToSchema)]
pub struct Found {
    #[schema(inline)]
    pub kind: FoundKind,
    /// ID of the course, lesson or page.
    pub id: Uuid,
    /// Null for an untitled page: clients show 'Страница {number}'.
    #[schema(required)]
    pub title: Option<String>,
    pub course_id: Uuid,
    pub course_title: String,
    /// Title of the lesson of a page; otherwise null.
    #[schema(required)]
    pub lesson_title: Option<String>,
    /// Page to open: the page itself, or the first page of a lesson. Null for a course and for a lesson without pages.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// Number of a page in its lesson, from 1; otherwise null.
    #[schema(required)]
    pub number: Option<usize>,
    /// Kind of a page; otherwise null.
    #[schema(required, inline, value_type = Option<PageKind>)]
    pub page_kind: Option<tree::PageKind>,
    /// Whether a page is published; otherwise null. Learners find published pages only.
    #[schema(required)]
    pub published: Option<bool>,
    #[schema(inline, value_type = CourseRole)]
    pub my_role: Role,
}

/// The kind of a search result.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundKind {
    Course,
    Lesson,
    Page,
}

/// Search courses, lessons and pages by title
///
/// Searches the courses that the caller teaches or learns. Each word of `search` must occur in the title or in the title of the
/// lesson, module or course above it, and at least one word in the title itself. Order: best match first, then courses, lessons,
/// pages, then the course with the latest activity, then reading order. Without a word, returns all these courses.
#[utoipa::path(
    get, path = "/api/v1/courses/search", operation_id = "courses-search", tag = "courses",
    params(PagingParams, SearchParams),
    responses(SignedInRefusals, (status = 200, description = "What was found", body = FoundList))
)]
pub async fn search(State(kurso): KursoState, viewer: Viewer, listing: Listing) -> Result<Json<FoundList>> {
    Ok(Json(
        finding::search(&kurso, &viewer, &listing.search, listing.page)
            .await?
            .into(),
    ))
}

impl From<finding::Found> for Found {
    fn from(found: finding::Found) -> Self {
        let course = Found {
            kind: FoundKind::Course,
            id: found.course_id.0,
            title: Some(found.course_title.clone()),
            course_id: found.course_id.0,
            course_title: found.course_title,
            lesson_title: None,
            page_id: None,
            number: None,
            page_kind: None,
            published: None,
            my_role: found.role,
        };
        match found.what {
            What::Course => course,
            What::Lesson { id, title, first_page } => Found {
                kind: FoundKind::Lesson,
                id: id.0,
                title: Some(title),
                page_id: first_page.map(|page| page.0),
                ..course
            },
            What::Page {
                id,
                title,
                number,
                kind,
                published,
                lesson_title,
            } => Found {
                kind: FoundKind::Page,
                id: id.0,
                title,
                lesson_title: Some(lesson_title),
                page_id: Some(id.0),
                number: Some(number),
                page_kind: Some(kind),
                published: Some(published),
                ..course
            },
        }
    }
}
