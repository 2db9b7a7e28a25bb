//! Extractors of the handlers. Their order in a handler is the order of the checks: token, path, query, body; the syntax of a
//! JSON body is checked before all of them (`body::takes_json`).

use std::borrow::Cow;
use std::convert::Infallible;

use axum::extract::{FromRequestParts, MatchedPath};
use chrono::{DateTime, Utc};
use http::request::Parts;
use http::{HeaderMap, header};
use kurso_base::email::Email;
use kurso_base::error::{self as core, FieldError, Loc};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_base::values::{self, Checked as _, EditorSession, Problem};
use kurso_core::access::Viewer;
use kurso_core::audit;
use kurso_core::auth;
use kurso_core::exports;
use kurso_core::learning::students::{self, Order};
use kurso_formats::Outcome;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::App;
use crate::error::{self, Error, Result};

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

/// The signed-in person, a superuser: without the rank it is a 403 before anything else of the request is looked at.
pub struct Superuser(pub Viewer);

impl FromRequestParts<App> for Superuser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let viewer = Viewer::from_request_parts(parts, app).await?;
        viewer.require_superuser()?;
        Ok(Superuser(viewer))
    }
}

/// The language of the mails a request causes: its own, else Russian.
pub struct MailLang(pub Lang);

impl FromRequestParts<App> for MailLang {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        let header = parts.headers.get(header::ACCEPT_LANGUAGE);
        let header = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
        Ok(MailLang(Lang::of_mail(header)))
    }
}

/// The token of `Authorization: Bearer …`: empty when the scheme stands alone, None for another scheme or none.
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

/// The two ids in a path such as `/reset_attempts/{enrollment_id}/{page_id}`; what is wrong with both is said at once.
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

/// Path and query or body checked together: all errors at once, those of the path first.
pub fn with_path<A, B>(path: Result<Path<A>>, body: Result<B, impl Into<Error>>) -> Result<(A, B)> {
    let (Path(id), body) = both(path, body.map_err(Into::into))?;
    Ok((id, body))
}

/// Two parts of a request checked together: all errors at once, in this order.
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

fn read_id(name: String, text: String) -> Result<Uuid, Box<FieldError>> {
    Uuid::check(text.clone()).map_err(|problem| {
        let loc = vec![Loc::from("path"), Loc::Name(name)];
        Box::new(problem.at(loc, Value::String(text)))
    })
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

/// The name and the text of the first `{…}` of the route.
fn id_segment(parts: &Parts) -> Option<(String, String)> {
    segments(parts).next()
}

/// Laid on the calls of `/users/{user_id}` where they stand at a fixed path that is also of that form, such as
/// `/users/signup`: the route they were meant for.
#[derive(Clone, Copy)]
pub struct MeantFor(pub &'static str);

/// The names and the texts of each `{…}` of the route. Bytes that are not UTF-8 show as `�`, which no id has.
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

/// `skip` and `limit` of a list: a limit above the maximum is read as the maximum, all that is wrong is said at once.
impl FromRequestParts<App> for Page {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let page = query.page();
        query.finish(page)
    }
}

/// `skip`, `limit` and `search` of a list.
pub struct Listing {
    pub page: Page,
    pub search: Search,
}

impl FromRequestParts<App> for Listing {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let (page, search) = (query.page(), query.search());
        query.finish(Listing { page, search })
    }
}

/// `skip`, `limit`, `search` and `sort` of a class list.
pub struct StudentsQuery {
    pub page: Page,
    pub students: students::Query,
}

impl FromRequestParts<App> for StudentsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let (page, search, order) = (query.page(), query.search(), query.order());
        query.finish(StudentsQuery {
            page,
            students: students::Query { search, order },
        })
    }
}

/// `skip`, `limit`, `kind`, `user_id`, `since` and `until` of the audit log.
pub struct AuditQuery {
    pub page: Page,
    pub filter: audit::Filter,
}

impl FromRequestParts<App> for AuditQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let filter = audit::Filter {
            act: query.act(),
            person: query.user("user_id"),
            since: query.time("since"),
            until: query.time("until"),
        };
        let page = query.page();
        query.finish(AuditQuery { page, filter })
    }
}

/// `skip`, `limit` and `outcome` of the report of an import.
pub struct ReportQuery {
    pub page: Page,
    pub outcome: Option<Outcome>,
}

impl FromRequestParts<App> for ReportQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let (page, outcome) = (query.page(), query.outcome());
        query.finish(ReportQuery { page, outcome })
    }
}

/// Who asks for an export of which course: by the header, or by the token in the address.
pub struct ExportAsked {
    pub viewer: Viewer,
    pub course: CourseId,
    pub format: exports::Format,
}

impl FromRequestParts<App> for ExportAsked {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let text = parts.uri.query().unwrap_or_default().to_owned();
        let token = query_value(&text, "token").filter(|_| bearer(&parts.headers).is_none());
        let viewer = match token {
            None => Some(Viewer::from_request_parts(parts, app).await?),
            Some(_) => None,
        };
        let path = Path::<CourseId>::from_request_parts(parts, app).await;
        let format = exports::Format::parse(query_value(&text, "format").as_deref());
        let (course, format) = with_path(path, format)?;
        let viewer = match (viewer, token) {
            (Some(viewer), _) => viewer,
            (None, Some(token)) => exports::viewer_of(&app.kurso, &token, course, format).await?,
            (None, None) => return Err(core::Error::NotAuthenticated.into()),
        };
        Ok(ExportAsked { viewer, course, format })
    }
}

/// The query of a request, read value by value; all that is wrong is said at once.
struct Query<'a> {
    text: &'a str,
    errors: Vec<FieldError>,
}

impl<'a> Query<'a> {
    fn of(parts: &'a Parts) -> Self {
        Query {
            text: parts.uri.query().unwrap_or_default(),
            errors: vec![],
        }
    }

    fn page(&mut self) -> Page {
        let skip = self.number("skip", 0);
        Page::new(skip, self.number("limit", Page::DEFAULT_LIMIT.unsigned_abs()))
    }

    fn number(&mut self, name: &str, default: u64) -> u64 {
        let Some(text) = query_value(self.text, name) else {
            return default;
        };
        whole_number(&text).unwrap_or_else(|problem| {
            self.errors.push(problem.at("query", name, &text));
            0
        })
    }

    fn search(&mut self) -> Search {
        let typed = query_value(self.text, "search").unwrap_or_default();
        if let Err(problem) = values::check_length(&typed, 0, Search::MAX) {
            self.refuse("search", problem, &typed);
        }
        Search::of(&typed)
    }

    fn outcome(&mut self) -> Option<Outcome> {
        let text = query_value(self.text, "outcome")?;
        let found = Outcome::ALL.into_iter().find(|outcome| outcome.name() == text);
        if found.is_none() {
            let problem = Problem::not_one_of(Outcome::ALL.map(Outcome::name).into());
            self.refuse("outcome", problem, &text);
        }
        found
    }

    fn order(&mut self) -> Order {
        let Some(text) = query_value(self.text, "sort") else {
            return Order::default();
        };
        Order::parse(&text).unwrap_or_else(|| {
            self.refuse("sort", Problem::not_one_of(Order::names()), &text);
            Order::default()
        })
    }

    fn act(&mut self) -> Option<audit::Act> {
        let text = query_value(self.text, "kind")?;
        let act = audit::Act::parse(&text);
        if act.is_none() {
            self.refuse("kind", Problem::not_one_of(audit::Act::names()), &text);
        }
        act
    }

    fn user(&mut self, name: &str) -> Option<UserId> {
        let text = query_value(self.text, name)?;
        let id = UserId::check(text.clone().into_owned());
        id.map_err(|problem| self.refuse(name, problem, &text)).ok()
    }

    fn session(&mut self) -> Option<EditorSession> {
        let name = "user_session_id";
        let text = query_value(self.text, name)?;
        let session = EditorSession::parse(text.clone());
        session.map_err(|problem| self.refuse(name, problem, &text)).ok()
    }

    fn time(&mut self, name: &str) -> Option<DateTime<Utc>> {
        let text = query_value(self.text, name)?;
        // A plus that was not escaped came as a space.
        let time = text.replace(' ', "+").parse().ok();
        if time.is_none() {
            let problem = Problem::new("datetime_parsing", Message::BadTime).with(json!({}));
            self.refuse(name, problem, &text);
        }
        time
    }

    fn refuse(&mut self, name: &str, problem: Problem, text: &str) {
        let loc = vec![Loc::from("query"), Loc::from(name)];
        self.errors.push(problem.at(loc, Value::from(text)));
    }

    fn finish<T>(self, read: T) -> Result<T> {
        if self.errors.is_empty() {
            Ok(read)
        } else {
            Err(core::Error::Invalid(self.errors).into())
        }
    }
}

/// Of a name given twice the last counts.
fn query_value<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let given = url::form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
    given.last().map(|(_, value)| value)
}

/// The address in `?email_to=…`.
pub struct EmailTo(pub Email);

impl FromRequestParts<App> for EmailTo {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        const NAME: &str = "email_to";
        let loc = vec![Loc::from("query"), Loc::from(NAME)];
        let (email, input) = match query_value(parts.uri.query().unwrap_or_default(), NAME) {
            Some(text) => (Email::check(text.clone().into_owned()), Value::from(text)),
            None => (Err(Problem::missing()), Value::Null),
        };
        Ok(EmailTo(
            email.map_err(|problem| core::Error::invalid(problem.at(loc, input)))?,
        ))
    }
}

/// `?user_session_id=…`: the open editor that the request comes from.
pub struct UserSession(pub Option<EditorSession>);

impl FromRequestParts<App> for UserSession {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let session = query.session();
        query.finish(UserSession(session))
    }
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
            Err(problem) => Err(core::Error::invalid(problem.at("path", &name, &text)).into()),
        }
    }
}

enum NumberProblem {
    NoNumber,
    Negative,
}

impl NumberProblem {
    fn at(self, part: &str, name: &str, text: &str) -> FieldError {
        let (kind, message, ctx) = match self {
            NumberProblem::NoNumber => ("int_parsing", Message::BadInteger, None),
            NumberProblem::Negative => (
                "greater_than_equal",
                Message::IntegerTooSmall(0),
                Some(json!({"ge": 0})),
            ),
        };
        FieldError {
            kind,
            loc: vec![Loc::from(part), Loc::from(name)],
            message,
            input: Value::String(text.to_owned()),
            ctx,
        }
    }
}

/// `7`, ` 7 `, `+7` and `7.0`; a number beyond 64 bits is the largest.
fn whole_number(text: &str) -> Result<u64, NumberProblem> {
    let text = text.trim();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match text.split_once('.') {
        Some((digits, zeros)) if !zeros.is_empty() && zeros.chars().all(|c| c == '0') => digits,
        Some(_) => return Err(NumberProblem::NoNumber),
        None => text,
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return Err(NumberProblem::NoNumber);
    }
    match digits.parse().unwrap_or(u64::MAX) {
        0 => Ok(0),
        _ if negative => Err(NumberProblem::Negative),
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_whole_numbers() {
        let read = |text| whole_number(text).ok();
        assert_eq!(read(" 7 "), Some(7));
        assert_eq!(read("+7"), Some(7));
        assert_eq!(read("7.00"), Some(7));
        assert_eq!(read("-0"), Some(0));
        assert_eq!(read("99999999999999999999999"), Some(u64::MAX));
        for bad in ["", " ", "-", "x", "1.5", "1.", ".0", "1e3", "٣", "1_000", "--1", "-1"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
