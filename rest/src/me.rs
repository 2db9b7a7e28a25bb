//! Operations on the caller's own account.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::email::Email;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::pagination::Page;
use kurso_base::values::{Change, FullName, Password};
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::users::{self, ChangePassword, UpdateMe};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::KursoState;
use crate::error::Result;
use crate::extract::MailLang;
use crate::fields::{Command, Given, body};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, PagingParams, SignedInRefusals};
use crate::response::lists;
use crate::users::UserPublic;

body! {
    /// Fields that are absent keep their values.
    UserUpdateMe -> UpdateMe {
        /// Null clears it.
        full_name: Change<FullName>,
        email: Given<Email>,
    }

    UpdatePassword -> ChangePassword {
        current_password: Password,
        new_password: Password,
    }
}

/// Get the caller's account
#[utoipa::path(
    get, path = "/api/v1/users/me", operation_id = "users-read_user_me", tag = "users",
    responses(SignedInRefusals, (status = 200, description = "The caller", body = UserPublic))
)]
pub async fn read(viewer: Viewer) -> Json<UserPublic> {
    Json(viewer.user.into())
}

/// Update the caller's account
///
/// Changes the fields that are present in the body. When the email address changes, the old address gets a mail with a link that
/// restores it for 72 hours.
#[utoipa::path(
    patch, path = "/api/v1/users/me", operation_id = "users-update_user_me", tag = "users",
    request_body = UserUpdateMe,
    responses(
        SignedInRefusals,
        (status = 200, description = "The caller", body = UserPublic),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 409, description = "The email address belongs to another account", body = HTTPError),
        (
            status = 429, body = HTTPError,
            description = "Too many changes of the email address; `Retry-After` is the wait in seconds",
        ),
    )
)]
pub async fn update(
    State(kurso): KursoState,
    viewer: Viewer,
    MailLang(lang): MailLang,
    Command(update): Command<UserUpdateMe>,
) -> Result<Json<UserPublic>> {
    Ok(Json(users::update_me(&kurso, &viewer, lang, update).await?.into()))
}

/// Delete the caller's account
///
/// A course of the caller that has other learners is transferred to its first editor, otherwise to the oldest superuser. All
/// other data of the account is deleted.
#[utoipa::path(
    delete, path = "/api/v1/users/me", operation_id = "users-delete_user_me", tag = "users",
    responses(
        SignedInRefusals,
        (status = 200, description = "Deleted", body = Message),
        (status = 403, description = "The caller is a superuser, or the token is invalid", body = HTTPError),
    )
)]
pub async fn delete(State(kurso): KursoState, viewer: Viewer, lang: Lang) -> Result<Json<Message>> {
    users::delete_me(&kurso, &viewer).await?;
    Ok(Message::say(Text::UserDeleted, lang))
}

/// Change the caller's password
///
/// All other sessions of the caller end.
#[utoipa::path(
    patch, path = "/api/v1/users/me/password", operation_id = "users-update_password_me", tag = "users",
    request_body = UpdatePassword,
    responses(
        SignedInRefusals,
        (status = 200, description = "Changed", body = Message),
        (
            status = 400, body = HTTPError,
            description = "The current password is wrong, or the new one is the same; the user is inactive, or the \
                body is not UTF-8",
        ),
        (status = 429, description = "Too many attempts; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn update_password(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(change): Command<UpdatePassword>,
    lang: Lang,
) -> Result<Json<Message>> {
    users::change_password(&kurso, &viewer, change).await?;
    Ok(Message::say(Text::PasswordUpdated, lang))
}

/// A text that the caller has written to others or in a private note.
#[derive(Serialize, ToSchema)]
pub struct WrittenText {
    /// `question` or `answer` under a page, `report` of a question or an answer, `comment` of authors on a page, `announcement`, `feedback` on an answer
    /// that was graded, the `reason` why a question or an answer was hidden, a grade was set or a certificate was revoked,
    /// or a private `note`.
    #[schema(pattern = "^(question|answer|report|comment|announcement|feedback|reason|note)$")]
    pub kind: &'static str,
    /// Title of the course; null if the caller takes no part in it any more.
    #[schema(required)]
    pub course: Option<String>,
    /// Title of the page; null where `course` is, without a page or a title, and if the page is not published.
    #[schema(required)]
    pub page: Option<String>,
    #[serde(serialize_with = "wire::time")]
    pub written_at: DateTime<Utc>,
    /// Title of an announcement; null for others.
    #[schema(required)]
    pub title: Option<String>,
    /// Null for a document.
    #[schema(required)]
    pub text: Option<String>,
    /// The document of a question, an answer or an announcement; null for others.
    #[schema(required, value_type = Option<Object>)]
    pub document: Option<Value>,
}

lists! {
    /// Texts of the caller.
    WrittenTexts of WrittenText;
}

impl From<users::WrittenText> for WrittenText {
    fn from(text: users::WrittenText) -> Self {
        WrittenText {
            kind: text.kind.name(),
            course: text.course,
            page: text.page,
            written_at: text.written_at,
            title: text.title,
            text: text.text,
            document: text.document,
        }
    }
}

/// List what the caller has written
///
/// To others and in private notes. Oldest first, at most 100. The texts stay the caller's own when the course is out of reach. With the account, questions, answers, reports and
/// notes are deleted; the others stay without the name.
#[utoipa::path(
    get, path = "/api/v1/users/me/texts", operation_id = "users-texts_of_me", tag = "users",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "The texts", body = WrittenTexts))
)]
pub async fn texts(State(kurso): KursoState, viewer: Viewer, page: Page) -> Result<Json<WrittenTexts>> {
    Ok(Json(users::texts(&kurso, &viewer, page).await?.into()))
}
