//! Calls about accounts: signup, and what superusers do.

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

/// A person.
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
    /// A page of a list of people.
    UsersPublic of UserPublic;
}

body! {
    /// A new account of the person who signs up.
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

    /// What is left out stays as it is.
    UserUpdate -> UpdateUser {
        email: Given<Email>,
        is_active: Given<bool>,
        is_superuser: Given<bool>,
        /// Null clears it.
        full_name: Change<FullName>,
        password: Given<Password>,
    }
}

/// Read Users
///
/// Everybody, newest first, then by id. `search` looks into the name and the address. Superusers only.
#[utoipa::path(
    get, path = "/api/v1/users/", operation_id = "users-read_users", tag = "users",
    params(PagingParams, SearchParams),
    responses(SuperuserRefusals, (status = 200, description = "People", body = UsersPublic))
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

/// Create User
///
/// Makes an account and mails its person a link to set a password. Superusers only.
#[utoipa::path(
    post, path = "/api/v1/users/", operation_id = "users-create_user", tag = "users",
    request_body = UserCreate,
    responses(
        SuperuserRefusals,
        (status = 200, description = "The new account", body = UserPublic),
        (
            status = 400, body = HTTPError,
            description = "The e-mail address is taken, the caller is inactive, or the body is not UTF-8",
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

/// Register User
///
/// Makes an ordinary account; open to all. An e-mail address is unique without regard to case.
#[utoipa::path(
    post, path = "/api/v1/users/signup", operation_id = "users-register_user", tag = "users",
    request_body = UserRegister,
    responses(
        (status = 200, description = "The new account", body = UserPublic),
        (status = 400, description = "The e-mail address is taken, or the body is not UTF-8", body = HTTPError),
        (status = 429, description = "Too many signups from this address; `Retry-After` says when", body = HTTPError),
    )
)]
pub async fn signup(
    State(kurso): KursoState,
    origin: Origin,
    Command(new): Command<UserRegister>,
) -> Result<Json<UserPublic>> {
    Ok(Json(users::signup(&kurso, &origin, new).await?.into()))
}

/// Read User By Id
///
/// One's own account, or anybody's for a superuser.
#[utoipa::path(
    get, path = "/api/v1/users/{user_id}", operation_id = "users-read_user_by_id", tag = "users",
    responses(SuperuserRefusals, (status = 200, description = "The account", body = UserPublic))
)]
pub async fn read(State(kurso): KursoState, viewer: Viewer, Path(id): Path<UserId>) -> Result<Json<UserPublic>> {
    Ok(Json(users::get(&kurso, &viewer, id).await?.into()))
}

/// Update User
///
/// Changes what is given. A new password or deactivation ends the account's sessions. Superusers only.
#[utoipa::path(
    patch, path = "/api/v1/users/{user_id}", operation_id = "users-update_user", tag = "users",
    request_body = UserUpdate,
    responses(
        SuperuserRefusals,
        (status = 200, description = "The account", body = UserPublic),
        (status = 400, description = "The caller is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 409, description = "The e-mail address is another's", body = HTTPError),
        (
            status = 429, body = HTTPError,
            description = "Too many changes of one's own e-mail address; `Retry-After` says when",
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

/// Delete User
///
/// Deletes an account. A course of it that somebody else learns passes to its first editor, else to the oldest superuser.
/// Superusers only, and not one's own.
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
