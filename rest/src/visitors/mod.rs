//! Pages for visitors, as HTML without scripts: the public page of a course, the catalogue, the sitemap, `robots.txt`, and certificates with what
//! verifiers of their badges read.
//!
//! Search engines and previews of shared links read them, and so do people without JavaScript. The app begins where a visitor starts
//! a course.

mod catalogue;
mod certificate;
mod certificates;
mod course;
mod html;
mod sitemap;
mod texts;

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use kurso_base::error as core;
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_base::values::Checked as _;
use kurso_core::auth::Origin;
use kurso_core::{Kurso, public_page};
use serde::Deserialize;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::extract::PathText;
use crate::files::{is_cached, stream};
use crate::{App, KursoState, paths};
use html::{Html, Language, Missing};

/// The routes of the pages. They are outside of `/api`, at addresses that people read and share.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/courses", get(show_catalogue))
        .route("/courses/{course_id}", get(show_course))
        .route("/courses/{course_id}/cover", get(show_cover))
        .route("/sitemap.xml", get(show_sitemap))
        .route("/robots.txt", get(show_robots))
        .route("/courses/", any(paths::redirect))
        .route("/courses/{course_id}/", any(paths::redirect))
        .merge(certificates::routes())
}

/// How long a page may be shown without asking again: a course that becomes private disappears after that.
const SHORT: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// Courses on a page of the catalogue.
const COURSES: i64 = 24;

/// The query of a page; what cannot be read is ignored, because people edit addresses.
#[derive(Deserialize, Default)]
#[serde(default)]
struct PageQuery {
    lang: Option<String>,
    q: Option<String>,
    page: Option<String>,
}

impl PageQuery {
    fn of(uri: &Uri) -> Self {
        Query::try_from_uri(uri).map_or_else(|_| PageQuery::default(), |Query(query)| query)
    }

    /// The language that the address names; else that of `Accept-Language`, or Russian.
    fn language(&self, headers: &HeaderMap) -> Language {
        let named = self.lang.clone().and_then(|lang| Lang::check(lang).ok());
        let accepted = || {
            let accepted = headers.get(header::ACCEPT_LANGUAGE);
            Lang::of_mail(accepted.and_then(|value| value.to_str().ok()).unwrap_or_default())
        };
        Language {
            lang: named.unwrap_or_else(accepted),
            is_named: named.is_some(),
        }
    }

    /// The words to find, at most as many characters as a search may have.
    fn search(&self) -> String {
        let typed = self.q.as_deref().unwrap_or_default().trim().replace('\0', "");
        typed.chars().take(Search::MAX).collect()
    }

    /// The number of the page, from 1.
    fn number(&self) -> i64 {
        let number = self.page.as_deref().and_then(|page| page.parse::<i64>().ok());
        number.unwrap_or(1).clamp(1, i64::from(u16::MAX))
    }
}

/// A request for a page.
struct Visit {
    headers: HeaderMap,
    language: Language,
}

impl Visit {
    /// The page, or 304 if the visitor has it.
    fn answer(&self, page: Html, status: StatusCode) -> Result<Response> {
        let is_found = status == StatusCode::OK;
        let etag = format!("\"{}\"", page.digest());
        let mut headers = HeaderMap::from_iter([
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("text/html; charset=utf-8"),
            ),
            (header::CONTENT_SECURITY_POLICY, value(html::policy())?),
            (
                header::CACHE_CONTROL,
                if is_found {
                    SHORT
                } else {
                    HeaderValue::from_static("no-cache")
                },
            ),
            (header::VARY, HeaderValue::from_static("accept-language")),
            (
                header::CONTENT_LANGUAGE,
                HeaderValue::from_static(self.language.lang.name()),
            ),
        ]);
        if !page.is_indexed {
            headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
        }
        if is_found {
            // Weak, because the compressed page has the same tag.
            headers.insert(header::ETAG, value(format!("W/{etag}"))?);
            if is_cached(&self.headers, &etag) {
                return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
            }
        }
        let mut response = (status, headers, page.text).into_response();
        response.extensions_mut().insert(crate::layers::Compressible);
        Ok(response)
    }

    /// The same page for a private course, a deleted one and an unknown address.
    fn not_found(&self, kurso: &Kurso) -> Result<Response> {
        self.missing(kurso, Missing::Course)
    }

    fn missing(&self, kurso: &Kurso, missing: Missing) -> Result<Response> {
        self.answer(html::not_found(kurso, missing, self.language), StatusCode::NOT_FOUND)
    }
}

async fn show_course(
    State(kurso): KursoState,
    origin: Origin,
    PathText(id): PathText,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    let language = PageQuery::of(&uri).language(&headers);
    let visit = Visit { headers, language };
    let Ok(id) = Uuid::check(id) else {
        return visit.not_found(&kurso);
    };
    match public_page::read(&kurso, &origin, CourseId(id)).await {
        Ok(page) => visit.answer(course::page(&kurso, &page, language), StatusCode::OK),
        Err(core::Error::NotFound(_)) => visit.not_found(&kurso),
        Err(error) => Err(error.into()),
    }
}

async fn show_catalogue(State(kurso): KursoState, origin: Origin, uri: Uri, headers: HeaderMap) -> Result<Response> {
    let query = PageQuery::of(&uri);
    let language = query.language(&headers);
    let visit = Visit { headers, language };
    let (search, number) = (query.search(), query.number());
    let window = Page {
        skip: (number - 1) * COURSES,
        limit: COURSES,
    };
    let found = public_page::list(&kurso, &origin, &Search::of(&search), window).await?;
    let shown = catalogue::Shown {
        found,
        search,
        number,
        pages_of: COURSES,
    };
    let status = match shown.is_beyond_the_end() {
        true => StatusCode::NOT_FOUND,
        false => StatusCode::OK,
    };
    visit.answer(catalogue::page(&kurso, &shown, language), status)
}

/// The cover at an address that stays: a preview of a shared link may be made long after the page was read.
async fn show_cover(
    State(kurso): KursoState,
    PathText(id): PathText,
    method: Method,
    request: HeaderMap,
) -> Result<Response> {
    let not_found = || Error::from(core::Error::NotFound(Message::FileNotFound));
    let id = Uuid::check(id).map_err(|_| not_found())?;
    let file = public_page::cover(&kurso, CourseId(id)).await?;
    let etag = format!("\"{}\"", file.id);
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, value(file.content_type.clone())?),
        (header::ETAG, value(etag.clone())?),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300")),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("cross-origin"),
        ),
    ]);
    if is_cached(&request, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let body = match method {
        Method::HEAD => Body::empty(),
        _ => stream(&kurso, &file).await?,
    };
    let length = [(header::CONTENT_LENGTH, HeaderValue::from(file.size))];
    Ok((headers, length, body).into_response())
}

async fn show_sitemap(State(kurso): KursoState, origin: Origin) -> Result<Response> {
    let text = sitemap::sitemap(&kurso, &public_page::sitemap(&kurso, &origin).await?);
    let kind = HeaderValue::from_static("application/xml; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, SHORT)], text).into_response();
    response.extensions_mut().insert(crate::layers::Compressible);
    Ok(response)
}

async fn show_robots(State(kurso): KursoState) -> Response {
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, SHORT)];
    (headers, sitemap::robots(&kurso)).into_response()
}

fn value(text: String) -> Result<HeaderValue> {
    Ok(HeaderValue::try_from(text).map_err(core::Error::internal)?)
}
