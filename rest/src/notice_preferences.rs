//! Notice preferences, and unsubscribing from notice mails.

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

/// How soon a notice is mailed: never, after two minutes, at eight in the morning, or on Monday at eight.
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

/// Hours of each day in which no mail and no push is sent.
#[derive(Serialize, ToSchema)]
pub struct QuietHours {
    /// A local time such as `22:00`.
    pub from: String,
    /// A local time; on the next day if it is earlier than `from`.
    pub until: String,
}

/// How notices of a kind are delivered to the caller.
#[derive(Serialize, ToSchema)]
pub struct NoticeChoice {
    #[schema(inline)]
    pub kind: NoticeKind,
    /// Whether they appear in the list of notices.
    pub in_app: bool,
    #[schema(inline)]
    pub mail: NoticeMail,
    /// Whether they are pushed to the devices of the caller, if there are any.
    pub push: bool,
    /// Whether it is the default of the kind.
    pub is_default: bool,
}

/// The choices of the caller for one course.
#[derive(Serialize, ToSchema)]
pub struct CourseNoticeChoices {
    pub course: NoticePlace,
    /// Only the kinds with a choice for this course.
    pub choices: Vec<NoticeChoice>,
}

/// The notice preferences of the caller.
#[derive(Serialize, ToSchema)]
pub struct NoticePreferences {
    #[schema(inline)]
    pub language: Language,
    /// IANA name.
    pub time_zone: String,
    /// Null: mails and pushes are sent at any time.
    #[schema(required)]
    pub quiet_hours: Option<QuietHours>,
    /// Whether language, time zone and quiet hours are stored; otherwise they are the defaults.
    pub is_stored: bool,
    /// One choice per kind, for all courses without a choice of their own.
    pub choices: Vec<NoticeChoice>,
    /// The courses in which the caller learns or teaches, ordered by title.
    pub courses: Vec<CourseNoticeChoices>,
}

/// What the link in a notice mail can unsubscribe from.
#[derive(Serialize, ToSchema)]
pub struct NoticeSubscription {
    /// The masked address that the mail was sent to.
    pub email: String,
    /// The kinds that the mail was about.
    #[schema(inline)]
    pub kinds: Vec<NoticeKind>,
    /// The course that the mail was about; null if it was about several.
    #[schema(required)]
    pub course: Option<NoticePlace>,
}

body! {
    /// Language, time zone and quiet hours of the caller.
    NoticeSettings -> SetNoticeSettings {
        /// Language of mails and pushes.
        language: Lang,
        /// IANA name such as `Europe/Moscow`.
        time_zone: TimeZone,
        /// Null or absent: mails and pushes are sent at any time.
        quiet_hours: Option<Quiet>,
    }

    /// How notices of a kind are delivered.
    NoticeChosen -> ChooseNotices {
        /// Null or absent: for all courses without a choice of their own.
        course_id: Option<CourseId>,
        kind: Kind,
        /// Whether they appear in the list of notices.
        in_app: bool,
        mail: Mail,
        /// Whether they are pushed to the devices of the caller. Null or absent: as before.
        push: Option<bool>,
    }

    /// What to unsubscribe from.
    NoticeUnsubscribe -> Stop {
        /// Null or absent: all notice mails.
        kind: Option<Kind>,
        /// The course of the mail. Null or absent: all courses.
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
    /// Absent: the choice for all courses.
    course_id: Option<Uuid>,
}

/// Get notice preferences
#[utoipa::path(
    get, path = "/api/v1/notices/preferences", operation_id = "notices-read_preferences", tag = "notices",
    responses(SignedInRefusals, (status = 200, description = "The preferences", body = NoticePreferences))
)]
pub async fn preferences(State(kurso): KursoState, viewer: Viewer) -> Result<Json<NoticePreferences>> {
    Ok(Json(preferences::get(&kurso, &viewer).await?.into()))
}

/// Set language, time zone and quiet hours
///
/// Notice mails and pushes that are not due yet are rescheduled.
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

/// Choose how notices of a kind are delivered
///
/// Notice mails and pushes that are not due yet are rescheduled.
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

/// Remove a choice for a kind of notice
///
/// Repeating the call has no effect.
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

/// Get what the link in a notice mail can unsubscribe from
///
/// Needs no session: the token of the link identifies the user. Changes nothing.
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

/// Open the unsubscribe page
///
/// For mail programs that open the URL of the header `List-Unsubscribe` in a browser: redirects to the page of the web app. Changes nothing, and
/// does not check the token.
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

/// Unsubscribe from notice mails
///
/// Needs no session: the token of the link identifies the user. Mail programs send the form `List-Unsubscribe=One-Click` (RFC 8058), which turns
/// off all notice mails. The notices stay in the list.
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

/// Whether a body is the form of RFC 8058, URL-encoded or multipart. Some programs send an empty body.
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
            in_app: choice.delivery.in_app,
            mail: choice.delivery.mail.into(),
            push: choice.delivery.push,
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
