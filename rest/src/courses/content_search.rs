//! Full-text search over pages and bank questions.

use axum::Json;
use axum::extract::State;
use kurso_core::access::{Role, Viewer};
use kurso_core::content_search::{self, Matched};
use kurso_core::courses::tree;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::shapes::CourseRole;
use crate::KursoState;
use crate::error::Result;
use crate::extract::ContentQuery;
use crate::openapi_parts::{HTTPError, SignedInRefusals};
use crate::page_kind::PageKind;
use crate::response::{from_fields, lists};

lists! {
    /// A page of matches of a full-text search.
    ContentMatchList of ContentMatch;
}

/// A page or a bank question whose text matches a search.
#[derive(Serialize, ToSchema)]
pub struct ContentMatch {
    #[schema(inline)]
    pub kind: ContentMatchKind,
    /// Course of the page; null for a bank question.
    #[schema(required)]
    pub course_id: Option<Uuid>,
    #[schema(required)]
    pub course_title: Option<String>,
    /// Title of the page's lesson; null for a bank question.
    #[schema(required)]
    pub lesson_title: Option<String>,
    /// ID of the page; null for a bank question.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// Title of the page. Null for an untitled page, which clients show as 'Страница {number}', and for a bank question.
    #[schema(required)]
    pub title: Option<String>,
    /// Number of the page in its lesson, from 1; null for a bank question.
    #[schema(required)]
    pub number: Option<usize>,
    /// Kind of the page; null for a bank question.
    #[schema(required, inline, value_type = Option<PageKind>)]
    pub page_kind: Option<tree::PageKind>,
    /// Whether the page is published; learners find no other pages. Null for a bank question.
    #[schema(required)]
    pub published: Option<bool>,
    /// Whether the match is in unpublished changes, which only those who may edit or review the course find. Null for a bank question.
    #[schema(required)]
    pub in_draft: Option<bool>,
    /// The caller's highest role in the course; null for a bank question.
    #[schema(required, inline, value_type = Option<CourseRole>)]
    pub my_role: Option<Role>,
    /// ID of the question bank; null for a page.
    #[schema(required)]
    pub bank_id: Option<Uuid>,
    #[schema(required)]
    pub bank_title: Option<String>,
    /// ID of the bank question; null for a page.
    #[schema(required)]
    pub question_id: Option<Uuid>,
    /// At most three snippets of the text, best first. The title is among them only if nothing else matches.
    pub fragments: Vec<ContentFragment>,
}

/// The kind of a match.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContentMatchKind {
    Page,
    BankQuestion,
}

/// A snippet of a text that matches a search, about 160 characters long.
#[derive(Serialize, ToSchema)]
pub struct ContentFragment {
    /// The snippet in consecutive parts, with an ellipsis where the text goes on.
    pub parts: Vec<FragmentPart>,
    /// Index of the top-level block of a content page that contains the snippet, from 0; in its draft with `in_draft`. Null for titles and questions.
    #[schema(required)]
    pub block: Option<usize>,
    /// ID of the quiz question whose prompt matches; null for others.
    #[schema(required)]
    pub question_id: Option<Uuid>,
}

/// Part of a snippet.
#[derive(Serialize, ToSchema)]
pub struct FragmentPart {
    pub text: String,
    /// Whether the text matches a search term.
    pub matched: bool,
}

/// What a full-text search asks for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct ContentParams {
    /// Words to find; blank text finds nothing.
    #[param(max_length = 255)]
    text: Option<String>,
    /// Finds pages of this course only, and no bank questions.
    course_id: Option<Uuid>,
    /// Number of rows to skip.
    #[param(minimum = 0, default = 0)]
    skip: Option<i64>,
    /// Maximum number of rows; values above 100 are read as 100.
    #[param(minimum = 0, default = 20)]
    limit: Option<i64>,
}

/// Search the texts of pages and bank questions
///
/// Searches titles, text, captions, code and prompts of questions of all pages that the caller may read now, and the prompts of the
/// questions of the caller's banks. Finds other forms of a word, the beginning of the last word, and words with one wrong letter if
/// there is no better match. Order: best match first.
#[utoipa::path(
    get, path = "/api/v1/courses/search_content", operation_id = "courses-search_content", tag = "courses",
    params(ContentParams),
    responses(
        SignedInRefusals,
        (status = 200, description = "What was found", body = ContentMatchList),
        (status = 404, description = "The course does not exist, or the caller neither teaches nor learns it", body = HTTPError)
    )
)]
pub async fn search_content(
    State(kurso): KursoState,
    viewer: Viewer,
    query: ContentQuery,
) -> Result<Json<ContentMatchList>> {
    let ContentQuery { text, course, page } = query;
    Ok(Json(
        content_search::search(&kurso, &viewer, &text, course, page)
            .await?
            .into(),
    ))
}

impl From<content_search::ContentMatch> for ContentMatch {
    fn from(found: content_search::ContentMatch) -> Self {
        let empty = ContentMatch {
            kind: ContentMatchKind::Page,
            course_id: None,
            course_title: None,
            lesson_title: None,
            page_id: None,
            title: None,
            number: None,
            page_kind: None,
            published: None,
            in_draft: None,
            my_role: None,
            bank_id: None,
            bank_title: None,
            question_id: None,
            fragments: found.fragments.into_iter().map(Into::into).collect(),
        };
        match found.what {
            Matched::Page {
                course_id,
                course_title,
                role,
                lesson_title,
                id,
                title,
                number,
                kind,
                published,
                in_draft,
            } => ContentMatch {
                course_id: Some(course_id.0),
                course_title: Some(course_title),
                lesson_title: Some(lesson_title),
                page_id: Some(id.0),
                title,
                number: Some(number),
                page_kind: Some(kind),
                published: Some(published),
                in_draft: Some(in_draft),
                my_role: Some(role),
                ..empty
            },
            Matched::BankQuestion {
                id,
                bank_id,
                bank_title,
            } => ContentMatch {
                kind: ContentMatchKind::BankQuestion,
                bank_id: Some(bank_id.0),
                bank_title: Some(bank_title),
                question_id: Some(id.0),
                ..empty
            },
        }
    }
}

impl From<content_search::Fragment> for ContentFragment {
    fn from(fragment: content_search::Fragment) -> Self {
        ContentFragment {
            parts: fragment.parts.into_iter().map(Into::into).collect(),
            block: fragment.block,
            question_id: fragment.question,
        }
    }
}

from_fields! {
    FragmentPart from content_search::FragmentPart { text, matched }
}
