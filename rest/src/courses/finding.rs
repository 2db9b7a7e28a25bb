//! Search for courses, lessons and pages by title.

use axum::Json;
use axum::extract::State;
use kurso_core::access::{Role, Viewer};
use kurso_core::courses::finding::{self, What};
use kurso_core::courses::tree;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::{CourseRole, PageKind};
use crate::KursoState;
use crate::error::Result;
use crate::extract::Listing;
use crate::openapi_parts::{PagingParams, SearchParams, SignedInRefusals};
use crate::response::lists;

lists! {
    /// A page of a list of what was found.
    FoundList of Found;
}

/// A course, lesson or page that a search found, with what it takes to name it and to go there.
#[derive(Serialize, ToSchema)]
pub struct Found {
    #[schema(inline)]
    pub kind: FoundKind,
    /// Of the course, lesson or page.
    pub id: Uuid,
    /// Null for a page without a title: interfaces show 'Страница {number}'.
    #[schema(required)]
    pub title: Option<String>,
    pub course_id: Uuid,
    pub course_title: String,
    /// Of a page, else null.
    #[schema(required)]
    pub lesson_title: Option<String>,
    /// Where to read it: the page itself, or the first page of a lesson. Null for a course, and for a lesson without pages.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// Of a page, in the lesson, from 1.
    #[schema(required)]
    pub number: Option<usize>,
    /// Of a page, else null.
    #[schema(required, inline, value_type = Option<PageKind>)]
    pub page_kind: Option<tree::PageKind>,
    /// Of a page, else null: learners find no other than published ones.
    #[schema(required)]
    pub published: Option<bool>,
    #[schema(inline, value_type = CourseRole)]
    pub my_role: Role,
}

/// What a search found.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundKind {
    Course,
    Lesson,
    Page,
}

/// Search
///
/// Courses, lessons and pages the caller teaches or learns, by their titles: each word of `search` is in the title or in that
/// of the lesson, module or course above, one of them in the title itself. Order: the best fit first, then courses before
/// lessons before pages, then the course of the latest activity, then as they are read. Without a word, all the courses.
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
