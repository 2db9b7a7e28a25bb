//! The caller's own account.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::messages::{Lang, Message as Text};
use kurso_core::users::{self, Changes, PasswordChange};
use utoipa::ToSchema;

use crate::body::JsonBody;
use crate::error::Result;
use crate::extract::MailLang;
use crate::message::Message;
use crate::openapi::{BodyRefusals, HTTPError, InvalidRefusal, ServerRefusals, SignedInRefusals};
use crate::users::UserPublic;

/// What is left out stays as it is.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON, all errors at once")]
pub struct UserUpdateMe {
    /// Null clears it.
    #[schema(max_length = 255)]
    full_name: Option<String>,
    #[schema(format = Email, max_length = 255, nullable = false)]
    email: Option<String>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON, all errors at once")]
pub struct UpdatePassword {
    #[schema(min_length = 8, max_length = 128)]
    current_password: String,
    #[schema(min_length = 8, max_length = 128)]
    new_password: String,
}

/// Read User Me
#[utoipa::path(
    get, path = "/api/v1/users/me", operation_id = "users-read_user_me", tag = "users",
    security(("OAuth2PasswordBearer" = [])),
    responses(ServerRefusals, SignedInRefusals, (status = 200, description = "The caller", body = UserPublic))
)]
pub async fn read(viewer: Viewer) -> Json<UserPublic> {
    Json(viewer.user.into())
}

/// Update User Me
///
/// Changes what is given. An e-mail address that is given up gets a mail, with a link that brings it back for 72 hours.
#[utoipa::path(
    patch, path = "/api/v1/users/me", operation_id = "users-update_user_me", tag = "users",
    request_body = UserUpdateMe,
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals,
        SignedInRefusals,
        BodyRefusals,
        InvalidRefusal,
        (status = 200, description = "The caller", body = UserPublic),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 409, description = "The e-mail address is another's", body = HTTPError),
        (status = 429, description = "Too many changes of the e-mail address; `Retry-After` says when", body = HTTPError),
    )
)]
pub async fn update(
    State(kurso): State<Arc<Kurso>>,
    viewer: Viewer,
    MailLang(lang): MailLang,
    body: JsonBody,
) -> Result<Json<UserPublic>> {
    let changes = Changes::from_me(&body.0)?;
    Ok(Json(users::update_me(&kurso, &viewer, lang, changes).await?.into()))
}

/// Delete User Me
///
/// Deletes the caller's account. A course of it that somebody else learns passes to its first editor, else to the oldest
/// superuser; everything else goes.
#[utoipa::path(
    delete, path = "/api/v1/users/me", operation_id = "users-delete_user_me", tag = "users",
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals,
        SignedInRefusals,
        (status = 200, description = "Deleted", body = Message),
        (status = 403, description = "The caller is a superuser, or the token is not good", body = HTTPError),
    )
)]
pub async fn delete(State(kurso): State<Arc<Kurso>>, viewer: Viewer, lang: Lang) -> Result<Json<Message>> {
    users::delete_me(&kurso, &viewer).await?;
    Ok(Message::say(Text::UserDeleted, lang))
}

/// Update Password Me
///
/// Changes the caller's password; all other sessions end.
#[utoipa::path(
    patch, path = "/api/v1/users/me/password", operation_id = "users-update_password_me", tag = "users",
    request_body = UpdatePassword,
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals,
        SignedInRefusals,
        BodyRefusals,
        InvalidRefusal,
        (status = 200, description = "Changed", body = Message),
        (status = 400, description = "The current password is wrong, or the new one is the same; the user is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 429, description = "Too many tries; `Retry-After` says when", body = HTTPError),
    )
)]
pub async fn update_password(
    State(kurso): State<Arc<Kurso>>,
    viewer: Viewer,
    body: JsonBody,
    lang: Lang,
) -> Result<Json<Message>> {
    let change = PasswordChange::from_body(&body.0)?;
    users::change_password(&kurso, &viewer, change).await?;
    Ok(Message::say(Text::PasswordUpdated, lang))
}
