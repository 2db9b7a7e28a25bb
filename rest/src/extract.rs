//! Extractors of the handlers. Their order in a handler is the order of the checks: token, path, query, body. The syntax of a
//! JSON body is checked before all of them (`body::takes_json`).

mod query;

use std::convert::Infallible;

use axum::extract::{FromRequestParts, MatchedPath};
use http::request::Parts;
use http::{HeaderMap, header};
use kurso_base::error::{self as core, FieldError, Loc};
use kurso_base::messages::Lang;
use kurso_base::values::Checked as _;
use kurso_core::access::Viewer;
use kurso_core::auth;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use uuid::Uuid;

use crate::App;
use crate::error::{self, Error, Result};
use query::reader::whole_number;
pub use query::{
    AnnouncementsQuery, AnswersQuery, AuditQuery, BankQuestionsQuery, CalendarQuery, CertificatePictureQuery,
    ContentQuery, DiscussionAnswersQuery, DiscussionsQuery, DraftQuery, DuplicateQuery, EmailTo, ExpectedQuery,
    ExportReportQuery, ExportRequest, GradeCellQuery, GradebookQuery, GrantQuery, GroupQuery, Listing, NextAnswerQuery,
    NotesQuery, NoticeChoiceQuery, NoticesQuery, OverridesQuery, PreviewQuery, QuestionIdsQuery, ReportQuery,
    SaveQuery, ShownQuery, SinceQuery, StudentsQuery, ThreadStateQuery, ThreadsQuery, TimesQuery, UpcomingQuery,
    VersionQuery,
};

impl FromRequestParts<App> for Lang {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(error::lang(&parts.headers))
    }
}

/// The signed-in person.
impl FromRequestParts<App> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let token = bearer(&parts.headers).ok_or(core::Error::NotAuthenticated)?;
        Ok(auth::authenticate(&app.kurso, &token).await?)
    }
}

/// The signed-in superuser. Others get 403 before anything else of the request is checked.
pub struct Superuser(pub Viewer);

impl FromRequestParts<App> for Superuser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let viewer = Viewer::from_request_parts(parts, app).await?;
        viewer.require_superuser()?;
        Ok(Superuser(viewer))
    }
}

/// The language of the mails that a request sends: that of `Accept-Language`, or Russian.
pub struct MailLang(pub Lang);

impl FromRequestParts<App> for MailLang {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        let header = parts.headers.get(header::ACCEPT_LANGUAGE);
        let header = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
        Ok(MailLang(Lang::of_mail(header)))
    }
}

/// Returns the token of `Authorization: Bearer …`: empty when only the scheme is given, None for another scheme or no header.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = String::from_utf8_lossy(headers.get(header::AUTHORIZATION)?.as_bytes()).into_owned();
    let (scheme, token) = value.split_once(' ').unwrap_or((&value, ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}

/// The id in a path such as `/enrolled_page/{page_id}`.
pub struct Path<T>(pub T);

impl<T: From<Uuid>> FromRequestParts<App> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let (name, text) = id_segment(parts).ok_or_else(|| core::Error::internal("a path without an id"))?;
        let id = read_id(name, text).map_err(|error| core::Error::invalid(*error))?;
        Ok(Path(id.into()))
    }
}

/// The two ids in a path such as `/reset_attempts/{enrollment_id}/{page_id}`. The errors of both are reported at once.
pub struct Path2<A, B>(pub A, pub B);

impl<A: From<Uuid>, B: From<Uuid>> FromRequestParts<App> for Path2<A, B> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut ids = segments(parts).map(|(name, text)| read_id(name, text));
        match (ids.next(), ids.next()) {
            (Some(Ok(first)), Some(Ok(second))) => Ok(Path2(first.into(), second.into())),
            (Some(first), Some(second)) => {
                let errors = [first, second].into_iter().filter_map(Result::err);
                Err(core::Error::Invalid(errors.map(|error| *error).collect()).into())
            }
            _ => Err(core::Error::internal("a path without two ids").into()),
        }
    }
}

/// Checks the path together with the query or the body. Reports all errors at once, those of the path first.
pub fn with_path<A, B>(path: Result<Path<A>>, body: Result<B, impl Into<Error>>) -> Result<(A, B)> {
    let (Path(id), body) = both(path, body.map_err(Into::into))?;
    Ok((id, body))
}

/// Checks two parts of a request together. Reports all errors at once, in this order.
pub fn both<A, B>(first: Result<A>, second: Result<B>) -> Result<(A, B)> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(Error::Core(core::Error::Invalid(mut errors))), Err(Error::Core(core::Error::Invalid(more)))) => {
            errors.extend(more);
            Err(core::Error::Invalid(errors).into())
        }
        (Err(error), _) => Err(error),
        (_, Err(error)) => Err(error),
    }
}

fn location(part: &str, name: &str) -> Vec<Loc> {
    vec![Loc::from(part), Loc::from(name)]
}

fn read_id(name: String, text: String) -> Result<Uuid, Box<FieldError>> {
    Uuid::check(text.clone()).map_err(|problem| Box::new(problem.at(location("path", &name), Value::String(text))))
}

/// The text in a path such as `/password-recovery/{email}`.
pub struct PathText(pub String);

impl FromRequestParts<App> for PathText {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let (_, text) = id_segment(parts).ok_or_else(|| core::Error::internal("a path without a text"))?;
        Ok(PathText(text))
    }
}

/// Returns the name and the value of the first parameter of the route.
fn id_segment(parts: &Parts) -> Option<(String, String)> {
    segments(parts).next()
}

/// The route whose parameters a call at a fixed path has. Calls of `/users/{user_id}` also answer at `/users/signup`.
#[derive(Clone, Copy)]
pub struct MeantFor(pub &'static str);

/// Returns the name and the value of each parameter of the route. Bytes that are not UTF-8 become `�`, which no id contains.
fn segments(parts: &Parts) -> impl Iterator<Item = (String, String)> + '_ {
    let route = match parts.extensions.get() {
        Some(MeantFor(route)) => *route,
        None => parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str),
    };
    route
        .split('/')
        .zip(parts.uri.path().split('/'))
        .filter_map(|(pattern, segment)| {
            let name = pattern.strip_prefix('{')?.strip_suffix('}')?;
            Some((
                name.to_owned(),
                percent_decode_str(segment).decode_utf8_lossy().into_owned(),
            ))
        })
}

/// The number after the id in `/restore_page_version/{page_id}/{version}`.
pub struct VersionInPath(pub i64);

impl FromRequestParts<App> for VersionInPath {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let (name, text) = segments(parts)
            .nth(1)
            .ok_or_else(|| core::Error::internal("a path without a version"))?;
        match whole_number(&text) {
            Ok(number) => Ok(VersionInPath(i64::try_from(number).unwrap_or(i64::MAX))),
            Err(problem) => Err(core::Error::invalid(problem.at(location("path", &name), Value::from(text))).into()),
        }
    }
}
