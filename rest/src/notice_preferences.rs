//! How the caller is told of notices, and unsubscribing from mails about them.

use axum::Json;
use axum::extract::State;
use axum::response::Html;
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::schedule::{QuietHours as Quiet, TimeZone};
use kurso_base::values::LinkToken;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::notice_mails::preferences::{self, ChooseNotices, KindChoice, Preferences, SetNoticeSettings};
use kurso_core::notice_mails::unsubscribe::{self as links, UnsubscribeNotices};
use kurso_core::notices::{Kind, NoticeMail as Mail};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use uuid::Uuid;

use crate::KursoState;
use crate::body::JsonBody;
use crate::error::Result;
use crate::extract::{NoticeChoiceQuery, PathText};
use crate::fields::{Command, Field, body};
use crate::message::Message;
use crate::notices::{NoticeKind, NoticePlace};
use crate::openapi_parts::{HTTPError, SignedInRefusals};

/// How soon a mail comes: never, two minutes later, in the morning, or on Monday morning.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeMail {
    Off,
    Once,
    Daily,
    Weekly,
}

impl From<Mail> for NoticeMail {
    fn from(mail: Mail) -> Self {
        match mail {
            Mail::Off => NoticeMail::Off,
            Mail::Once => NoticeMail::Once,
            Mail::Daily => NoticeMail::Daily,
            Mail::Weekly => NoticeMail::Weekly,
        }
    }
}

/// A language of mails.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    En,
    Ru,
}

impl Field for Kind {
    fn schema() -> RefOr<Schema> {
        <NoticeKind as PartialSchema>::schema()
    }
}

impl Field for Mail {
    fn schema() -> RefOr<Schema> {
        <NoticeMail as PartialSchema>::schema()
    }
}

impl Field for Lang {
    fn schema() -> RefOr<Schema> {
        <Language as PartialSchema>::schema()
    }
}

/// Hours of each day in which no mail is sent.
#[derive(Serialize, ToSchema)]
pub struct QuietHours {
    /// A local time such as `22:00`.
    pub from: String,
    /// A local time, of the next day if it is not later than `from`.
    pub until: String,
}

/// How the caller is told of notices of a kind.
#[derive(Serialize, ToSchema)]
pub struct NoticeChoice {
    #[schema(inline)]
    pub kind: NoticeKind,
    /// Whether they are in the list of notices.
    pub in_app: bool,
    #[schema(inline)]
    pub mail: NoticeMail,
    /// Whether the caller has chosen nothing.
    pub is_default: bool,
}

/// What the caller has chosen for one course.
#[derive(Serialize, ToSchema)]
pub struct CourseNoticeChoices {
    pub course: NoticePlace,
    /// Only kinds with a choice for this course.
    pub choices: Vec<NoticeChoice>,
}

/// How the caller is told of notices.
#[derive(Serialize, ToSchema)]
pub struct NoticePreferences {
    #[schema(inline)]
    pub language: Language,
    /// IANA name.
    pub time_zone: String,
    /// Null: mails come at any hour.
    #[schema(required)]
    pub quiet_hours: Option<QuietHours>,
    /// Whether language, time zone and quiet hours are chosen; otherwise they are the defaults.
    pub is_stored: bool,
    /// For all courses without a choice of their own: every kind.
    pub choices: Vec<NoticeChoice>,
    /// The courses that the caller learns or teaches, by title.
    pub courses: Vec<CourseNoticeChoices>,
}

/// What a link in a mail may stop.
#[derive(Serialize, ToSchema)]
pub struct NoticeSubscription {
    /// The address that the mail went to, with most of it hidden.
    pub email: String,
    /// The kinds that the mail was about.
    #[schema(inline)]
    pub kinds: Vec<NoticeKind>,
    /// The course that the mail was about; null if it was about several.
    #[schema(required)]
    pub course: Option<NoticePlace>,
}

body! {
    /// Language and clock of the caller.
    NoticeSettings -> SetNoticeSettings {
        /// Of mails.
        language: Lang,
        /// IANA name such as `Europe/Moscow`.
        time_zone: TimeZone,
        /// Null or left out: mails come at any hour.
        quiet_hours: Option<Quiet>,
    }

    /// How to be told of notices of a kind.
    NoticeChosen -> ChooseNotices {
        /// Null or left out: for all courses that have no choice of their own.
        course_id: Option<CourseId>,
        kind: Kind,
        /// Whether they are in the list of notices.
        in_app: bool,
        mail: Mail,
    }

    /// What to stop.
    NoticeUnsubscribe -> Stop {
        /// Null or left out: all mails about notices.
        kind: Option<Kind>,
        /// The course that the mail was about. Null or left out: in all courses.
        course_id: Option<CourseId>,
    }
}

pub struct Stop {
    kind: Option<Kind>,
    course_id: Option<CourseId>,
}

/// The kind of a choice, and its course.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct NoticeChoiceParams {
    #[param(inline)]
    kind: NoticeKind,
    /// Left out: the choice for all courses that have none of their own.
    course_id: Option<Uuid>,
}

/// Get how the caller is told of notices
#[utoipa::path(
    get, path = "/api/v1/notices/preferences", operation_id = "notices-read_preferences", tag = "notices",
    responses(SignedInRefusals, (status = 200, description = "The preferences", body = NoticePreferences))
)]
pub async fn preferences(State(kurso): KursoState, viewer: Viewer) -> Result<Json<NoticePreferences>> {
    Ok(Json(preferences::get(&kurso, &viewer).await?.into()))
}

/// Set language, time zone and quiet hours
///
/// Mails about notices that are not due yet move with them.
#[utoipa::path(
    put, path = "/api/v1/notices/settings", operation_id = "notices-set_settings", tag = "notices",
    request_body = NoticeSettings,
    responses(SignedInRefusals, (status = 200, description = "The preferences", body = NoticePreferences))
)]
pub async fn set_settings(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(new): Command<NoticeSettings>,
) -> Result<Json<NoticePreferences>> {
    Ok(Json(preferences::set_settings(&kurso, &viewer, new).await?.into()))
}

/// Choose how to be told of notices of a kind
///
/// Mails about notices that are not due yet follow the choice.
#[utoipa::path(
    put, path = "/api/v1/notices/choice", operation_id = "notices-choose", tag = "notices",
    request_body = NoticeChosen,
    responses(
        SignedInRefusals,
        (status = 200, description = "The preferences", body = NoticePreferences),
        (status = 404, description = "The caller has no relation to such a course, or the user is deleted", body = HTTPError),
    )
)]
pub async fn choose(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(choice): Command<NoticeChosen>,
) -> Result<Json<NoticePreferences>> {
    Ok(Json(preferences::choose(&kurso, &viewer, choice).await?.into()))
}

/// Take back a choice about notices of a kind
///
/// Without such a choice nothing changes.
#[utoipa::path(
    delete, path = "/api/v1/notices/choice", operation_id = "notices-reset", tag = "notices",
    params(NoticeChoiceParams),
    responses(
        SignedInRefusals,
        (status = 200, description = "The preferences", body = NoticePreferences),
        (status = 404, description = "The caller has no relation to such a course, or the user is deleted", body = HTTPError),
    )
)]
pub async fn reset(
    State(kurso): KursoState,
    viewer: Viewer,
    NoticeChoiceQuery(choice): NoticeChoiceQuery,
) -> Result<Json<NoticePreferences>> {
    Ok(Json(preferences::reset(&kurso, &viewer, choice).await?.into()))
}

/// Get what a link in a mail may stop
///
/// Needs no token of a session: that of the link names the user. Changes nothing.
#[utoipa::path(
    get, path = "/api/v1/notices/subscription/{token}", operation_id = "notices-read_subscription", tag = "notices",
    params(("token" = String, Path, description = "The token of the link")),
    responses(
        (status = 200, description = "What it may stop", body = NoticeSubscription),
        (status = 404, description = "The link is not or no longer good", body = HTTPError),
        (status = 429, description = "Too many bad links; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn subscription(
    State(kurso): KursoState,
    PathText(token): PathText,
    origin: Origin,
) -> Result<Json<NoticeSubscription>> {
    Ok(Json(links::get(&kurso, origin.address, &token).await?.into()))
}

/// Open the page that stops mails
///
/// For mail programs that open the address of the header `List-Unsubscribe` instead of sending a request to it: leads a browser to the page
/// of the web app. Changes nothing, and does not look at the token.
#[utoipa::path(
    get, path = "/api/v1/notices/unsubscribe/{token}", operation_id = "notices-open_unsubscribe", tag = "notices",
    params(("token" = String, Path, description = "The token of the link")),
    responses((status = 200, description = "Leads to the page", body = String, content_type = "text/html"))
)]
pub async fn open_unsubscribe(State(kurso): KursoState, PathText(token): PathText) -> Html<String> {
    let page = links::page(&kurso, &token);
    Html(format!(
        "<!doctype html><title>Kurso</title><meta http-equiv=\"refresh\" content=\"0; url={page}\"><a href=\"{page}\">Kurso</a>"
    ))
}

/// Stop mails about notices
///
/// Needs no token of a session: that of the link names the user. Mail programs send `List-Unsubscribe=One-Click` as a form (RFC 8058), which
/// stops all mails about notices. The notices stay in the list.
#[utoipa::path(
    post, path = "/api/v1/notices/unsubscribe/{token}", operation_id = "notices-unsubscribe", tag = "notices",
    params(("token" = String, Path, description = "The token of the link")),
    request_body = NoticeUnsubscribe,
    responses(
        (status = 200, description = "They are no longer sent", body = Message),
        (status = 404, description = "The link is not or no longer good, or the mail was not about the course", body = HTTPError),
        (status = 429, description = "Too many bad links; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn unsubscribe(
    State(kurso): KursoState,
    PathText(token): PathText,
    JsonBody(body): JsonBody,
    origin: Origin,
    lang: Lang,
) -> Result<Json<Message>> {
    let everything = Value::Object(serde_json::Map::new());
    let sent = if is_one_click(&body) { &everything } else { &*body };
    let Command(Stop { kind, course_id }) = Command::<NoticeUnsubscribe>::of(sent)?;
    let what = UnsubscribeNotices {
        token: LinkToken(token),
        kind,
        course_id,
    };
    links::unsubscribe(&kurso, origin.address, &what).await?;
    Ok(Message::say(Text::Unsubscribed, lang))
}

/// Whether a body is the form of RFC 8058, URL-encoded or multipart. Some programs send an empty one.
fn is_one_click(body: &Value) -> bool {
    match body {
        Value::Null => true,
        Value::String(form) => form.contains("List-Unsubscribe") && form.contains("One-Click"),
        _ => false,
    }
}

impl From<KindChoice> for NoticeChoice {
    fn from(choice: KindChoice) -> Self {
        NoticeChoice {
            kind: choice.kind.into(),
            in_app: choice.told.in_app,
            mail: choice.told.mail.into(),
            is_default: choice.is_default,
        }
    }
}

impl From<Preferences> for NoticePreferences {
    fn from(found: Preferences) -> Self {
        let choices = |choices: Vec<KindChoice>| choices.into_iter().map(Into::into).collect();
        let hours = found.settings.hours;
        NoticePreferences {
            language: match found.settings.lang {
                Lang::En => Language::En,
                Lang::Ru => Language::Ru,
            },
            time_zone: hours.zone.name().to_owned(),
            quiet_hours: hours.quiet.map(|quiet| QuietHours {
                from: quiet.from().to_string(),
                until: quiet.until().to_string(),
            }),
            is_stored: found.is_stored,
            choices: choices(found.choices),
            courses: found
                .courses
                .into_iter()
                .map(|course| CourseNoticeChoices {
                    course: NoticePlace {
                        id: course.course.0,
                        title: Some(course.title),
                    },
                    choices: choices(course.choices),
                })
                .collect(),
        }
    }
}

impl From<links::Subscription> for NoticeSubscription {
    fn from(found: links::Subscription) -> Self {
        NoticeSubscription {
            email: found.email,
            kinds: found.kinds.into_iter().map(Into::into).collect(),
            course: found.course.map(|(id, title)| NoticePlace {
                id: id.0,
                title: Some(title),
            }),
        }
    }
}
