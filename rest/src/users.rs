//! People: signing up, and what superusers do with accounts.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::ids::UserId;
use kurso_core::messages::{Lang, Message as Text};
use kurso_core::users::{self, Changes, NewUser};
use kurso_core::{Kurso, wire};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::body::JsonBody;
use crate::error::Result;
use crate::extract::{Listing, MailLang, Path, Superuser, with_path};
use crate::message::Message;
use crate::openapi::{
    BodyRefusals, HTTPError, InvalidRefusal, PagingParams, SearchParams, ServerRefusals, SuperuserRefusals,
};

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

impl From<users::User> for UserPublic {
    fn from(user: users::User) -> Self {
        UserPublic {
            email: user.email,
            is_active: user.is_active,
            is_superuser: user.is_superuser,
            full_name: user.full_name,
            id: user.id.0,
            created_at: user.created_at,
        }
    }
}

/// A page of a list of people.
#[derive(Serialize, ToSchema)]
pub struct UsersPublic {
    pub data: Vec<UserPublic>,
    /// How many there are in all.
    pub count: i64,
}

/// What a signup says; the core reads it, this describes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON, all errors at once")]
pub struct UserRegister {
    #[schema(format = Email, max_length = 255)]
    email: String,
    #[schema(min_length = 8, max_length = 128)]
    password: String,
    #[schema(max_length = 255)]
    full_name: Option<String>,
}

/// What a superuser says of a new account.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON, all errors at once")]
pub struct UserCreate {
    #[schema(format = Email, max_length = 255)]
    email: String,
    #[schema(default = true, nullable = false)]
    is_active: Option<bool>,
    #[schema(default = false, nullable = false)]
    is_superuser: Option<bool>,
    #[schema(max_length = 255)]
    full_name: Option<String>,
    #[schema(min_length = 8, max_length = 128)]
    password: String,
}

/// What is left out stays as it is.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON, all errors at once")]
pub struct UserUpdate {
    #[schema(format = Email, max_length = 255, nullable = false)]
    email: Option<String>,
    #[schema(nullable = false)]
    is_active: Option<bool>,
    #[schema(nullable = false)]
    is_superuser: Option<bool>,
    /// Null clears it.
    #[schema(max_length = 255)]
    full_name: Option<String>,
    #[schema(min_length = 8, max_length = 128, nullable = false)]
    password: Option<String>,
}

/// Read Users
///
/// Everybody, newest first, then by id. `search` looks into the name and the address. Superusers only.
#[utoipa::path(
    get, path = "/api/v1/users/", operation_id = "users-read_users", tag = "users",
    params(PagingParams, SearchParams),
    security(("OAuth2PasswordBearer" = [])),
    responses(ServerRefusals, SuperuserRefusals, InvalidRefusal, (status = 200, description = "People", body = UsersPublic))
)]
pub async fn list(
    State(kurso): State<Arc<Kurso>>,
    Superuser(viewer): Superuser,
    listing: Listing,
) -> Result<Json<UsersPublic>> {
    let listed = users::list(&kurso, &viewer, &listing.search, listing.page).await?;
    Ok(Json(UsersPublic {
        data: listed.data.into_iter().map(UserPublic::from).collect(),
        count: listed.count,
    }))
}

/// Create User
///
/// Makes an account and mails its person a link to set a password. Superusers only.
#[utoipa::path(
    post, path = "/api/v1/users/", operation_id = "users-create_user", tag = "users",
    request_body = UserCreate,
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals,
        SuperuserRefusals,
        BodyRefusals,
        InvalidRefusal,
        (status = 200, description = "The new account", body = UserPublic),
        (status = 400, description = "The e-mail address is taken, the caller is inactive, or the body is not UTF-8", body = HTTPError),
    )
)]
pub async fn create(
    State(kurso): State<Arc<Kurso>>,
    Superuser(viewer): Superuser,
    MailLang(lang): MailLang,
    body: JsonBody,
) -> Result<Json<UserPublic>> {
    let new = NewUser::from_superuser(&body.0)?;
    Ok(Json(users::add(&kurso, &viewer, lang, new).await?.into()))
}

/// Register User
///
/// Makes an ordinary account; open to all. An e-mail address is unique without regard to case.
#[utoipa::path(
    post, path = "/api/v1/users/signup", operation_id = "users-register_user", tag = "users",
    request_body = UserRegister,
    responses(
        ServerRefusals,
        BodyRefusals,
        InvalidRefusal,
        (status = 200, description = "The new account", body = UserPublic),
        (status = 400, description = "The e-mail address is taken, or the body is not UTF-8", body = HTTPError),
        (status = 429, description = "Too many signups from this address; `Retry-After` says when", body = HTTPError),
    )
)]
pub async fn signup(State(kurso): State<Arc<Kurso>>, origin: Origin, body: JsonBody) -> Result<Json<UserPublic>> {
    let new = NewUser::from_signup(&body.0)?;
    Ok(Json(users::signup(&kurso, &origin, new).await?.into()))
}

/// Read User By Id
///
/// One's own account, or anybody's for a superuser.
#[utoipa::path(
    get, path = "/api/v1/users/{user_id}", operation_id = "users-read_user_by_id", tag = "users",
    params(("user_id" = Uuid, Path)),
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals,
        SuperuserRefusals,
        InvalidRefusal,
        (status = 200, description = "The account", body = UserPublic),
    )
)]
pub async fn read(State(kurso): State<Arc<Kurso>>, viewer: Viewer, Path(id): Path<UserId>) -> Result<Json<UserPublic>> {
    Ok(Json(users::get(&kurso, &viewer, id).await?.into()))
}

/// Update User
///
/// Changes what is given. A new password or deactivation ends the account's sessions. Superusers only.
#[utoipa::path(
    patch, path = "/api/v1/users/{user_id}", operation_id = "users-update_user", tag = "users",
    params(("user_id" = Uuid, Path)),
    request_body = UserUpdate,
    security(("OAuth2PasswordBearer" = [])),
    responses(
        ServerRefusals,
        SuperuserRefusals,
        BodyRefusals,
        InvalidRefusal,
        (status = 200, description = "The account", body = UserPublic),
        (status = 400, description = "The caller is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 409, description = "The e-mail address is another's", body = HTTPError),
        (status = 429, description = "Too many changes of one's own e-mail address; `Retry-After` says when", body = HTTPError),
    )
)]
pub async fn update(
    State(kurso): State<Arc<Kurso>>,
    Superuser(viewer): Superuser,
    id: Result<Path<UserId>>,
    MailLang(lang): MailLang,
    body: JsonBody,
) -> Result<Json<UserPublic>> {
    let (id, changes) = with_path(id, Changes::from_superuser(&body.0))?;
    Ok(Json(users::update(&kurso, &viewer, lang, id, changes).await?.into()))
}

/// Delete User
///
/// Deletes an account. A course of it that somebody else learns passes to its first editor, else to the oldest superuser.
/// Superusers only, and not one's own.
#[utoipa::path(
    delete, path = "/api/v1/users/{user_id}", operation_id = "users-delete_user", tag = "users",
    params(("user_id" = Uuid, Path)),
    security(("OAuth2PasswordBearer" = [])),
    responses(ServerRefusals, SuperuserRefusals, InvalidRefusal, (status = 200, description = "Deleted", body = Message))
)]
pub async fn delete(
    State(kurso): State<Arc<Kurso>>,
    Superuser(viewer): Superuser,
    Path(id): Path<UserId>,
    lang: Lang,
) -> Result<Json<Message>> {
    users::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::UserDeleted, lang))
}
