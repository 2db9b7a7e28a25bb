//! Operations on accounts: sign-up, and administration by superusers.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::email::Email;
use kurso_base::ids::UserId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::values::{Change, FullName, Password};
use kurso_base::wire;
use kurso_core::access::{User, Viewer};
use kurso_core::auth::Origin;
use kurso_core::users::{self, CreateUser, UpdateUser};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Listing, MailLang, Path, Superuser, with_path};
use crate::fields::{Command, Flag, Given, body};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, PagingParams, SearchParams, SuperuserRefusals};
use crate::response::{from_fields, lists};

/// A user account.
#[derive(Serialize, ToSchema)]
pub struct UserPublic {
    #[schema(format = Email)]
    pub email: String,
    pub is_active: bool,
    pub is_superuser: bool,
    #[schema(required)]
    pub full_name: Option<String>,
    pub id: Uuid,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
}

from_fields! {
    UserPublic from User { email, is_active, is_superuser, full_name, id, created_at }
}

lists! {
    /// A page of a list of users.
    UsersPublic of UserPublic;
}

body! {
    /// A new account for sign-up.
    UserRegister -> CreateUser {
        email: Email,
        full_name: Option<FullName>,
        password: Password,
    } => |_fields| Some(CreateUser::ordinary(email?, password?, full_name?));

    /// A new account that a superuser creates.
    UserCreate -> CreateUser {
        email: Email,
        is_active: Flag<true>,
        is_superuser: Flag<false>,
        full_name: Option<FullName>,
        password: Password,
    }

    /// Fields that are absent keep their values.
    UserUpdate -> UpdateUser {
        email: Given<Email>,
        is_active: Given<bool>,
        is_superuser: Given<bool>,
        /// Null clears it.
        full_name: Change<FullName>,
        password: Given<Password>,
    }
}

/// List users
///
/// `search` matches names and email addresses. Order: newest first, then by ID. Superusers only.
#[utoipa::path(
    get, path = "/api/v1/users/", operation_id = "users-read_users", tag = "users",
    params(PagingParams, SearchParams),
    responses(SuperuserRefusals, (status = 200, description = "Users", body = UsersPublic))
)]
pub async fn list(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    listing: Listing,
) -> Result<Json<UsersPublic>> {
    Ok(Json(
        users::list(&kurso, &viewer, &listing.search, listing.page)
            .await?
            .into(),
    ))
}

/// Create an account
///
/// Mails the user a link for setting their own password. Superusers only.
#[utoipa::path(
    post, path = "/api/v1/users/", operation_id = "users-create_user", tag = "users",
    request_body = UserCreate,
    responses(
        SuperuserRefusals,
        (status = 200, description = "The new account", body = UserPublic),
        (
            status = 400, body = HTTPError,
            description = "The email address is already in use, the caller is inactive, or the body is not UTF-8",
        ),
    )
)]
pub async fn create(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    MailLang(lang): MailLang,
    Command(new): Command<UserCreate>,
) -> Result<Json<UserPublic>> {
    Ok(Json(users::add(&kurso, &viewer, lang, new).await?.into()))
}

/// Sign up
///
/// Creates an ordinary account; needs no token. Email addresses are unique without regard to case.
#[utoipa::path(
    post, path = "/api/v1/users/signup", operation_id = "users-register_user", tag = "users",
    request_body = UserRegister,
    responses(
        (status = 200, description = "The new account", body = UserPublic),
        (status = 400, description = "The email address is already in use, or the body is not UTF-8", body = HTTPError),
        (status = 429, description = "Too many sign-ups from this IP address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn signup(
    State(kurso): KursoState,
    origin: Origin,
    Command(new): Command<UserRegister>,
) -> Result<Json<UserPublic>> {
    Ok(Json(users::signup(&kurso, &origin, new).await?.into()))
}

/// Get an account
///
/// Users may read their own account, superusers every account.
#[utoipa::path(
    get, path = "/api/v1/users/{user_id}", operation_id = "users-read_user_by_id", tag = "users",
    responses(SuperuserRefusals, (status = 200, description = "The account", body = UserPublic))
)]
pub async fn read(State(kurso): KursoState, viewer: Viewer, Path(id): Path<UserId>) -> Result<Json<UserPublic>> {
    Ok(Json(users::get(&kurso, &viewer, id).await?.into()))
}

/// Update an account
///
/// Changes the fields that are present in the body. A new password or a deactivation ends the sessions of the account. Superusers
/// only.
#[utoipa::path(
    patch, path = "/api/v1/users/{user_id}", operation_id = "users-update_user", tag = "users",
    request_body = UserUpdate,
    responses(
        SuperuserRefusals,
        (status = 200, description = "The account", body = UserPublic),
        (status = 400, description = "The caller is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 409, description = "The email address belongs to another account", body = HTTPError),
        (
            status = 429, body = HTTPError,
            description = "Too many changes of the caller's own email address; `Retry-After` is the wait in seconds",
        ),
    )
)]
pub async fn update(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    id: Result<Path<UserId>>,
    MailLang(lang): MailLang,
    update: Result<Command<UserUpdate>>,
) -> Result<Json<UserPublic>> {
    let (id, Command(update)) = with_path(id, update)?;
    Ok(Json(users::update(&kurso, &viewer, lang, id, update).await?.into()))
}

/// Delete an account
///
/// A course of the user that has other learners is transferred to its first editor, otherwise to the oldest superuser. Superusers
/// only; they cannot delete their own account here.
#[utoipa::path(
    delete, path = "/api/v1/users/{user_id}", operation_id = "users-delete_user", tag = "users",
    responses(SuperuserRefusals, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    Path(id): Path<UserId>,
    lang: Lang,
) -> Result<Json<Message>> {
    users::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::UserDeleted, lang))
}
