//! Operations on the caller's own account.

use axum::Json;
use axum::extract::State;
use kurso_base::email::Email;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::values::{Change, FullName, Password};
use kurso_core::access::Viewer;
use kurso_core::users::{self, ChangePassword, UpdateMe};

use crate::KursoState;
use crate::error::Result;
use crate::extract::MailLang;
use crate::fields::{Command, Given, body};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, SignedInRefusals};
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
