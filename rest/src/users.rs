//! People.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::users::{self, NewUser};
use kurso_core::{Kurso, wire};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::body::JsonBody;
use crate::error::Result;
use crate::openapi::{BodyRefusals, HTTPError, InvalidRefusal, ServerRefusals, SignedInRefusals};

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

/// Read User Me
#[utoipa::path(
    get, path = "/api/v1/users/me", operation_id = "users-read_user_me", tag = "users",
    security(("OAuth2PasswordBearer" = [])),
    responses(ServerRefusals, SignedInRefusals, (status = 200, description = "The caller", body = UserPublic))
)]
pub async fn me(viewer: Viewer) -> Json<UserPublic> {
    Json(viewer.user.into())
}
