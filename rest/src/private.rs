//! Operations that exist in development only (`KURSO_DEV=1`), when the server listens on a loopback address: tests of web apps
//! create their accounts with them.

use axum::Json;
use axum::extract::State;
use kurso_base::email::Email;
use kurso_base::values::{FullName, Password};
use kurso_core::users::{self, CreateUser};

use crate::KursoState;
use crate::error::Result;
use crate::fields::{Command, body};
use crate::openapi_parts::HTTPError;
use crate::users::UserPublic;

body! {
    PrivateUserCreate -> CreateUser {
        email: Email,
        full_name: FullName,
        password: Password,
    } => |_fields| Some(CreateUser::ordinary(email?, password?, Some(full_name?)));
}

/// Create an account without a token
///
/// Available only when the server runs in development (`KURSO_DEV=1`).
#[utoipa::path(
    post, path = "/api/v1/private/users/", operation_id = "private-create_user", tag = "private",
    request_body = PrivateUserCreate,
    responses(
        (status = 200, description = "The new account", body = UserPublic),
        (status = 400, description = "The email address is already in use, or the body is not UTF-8", body = HTTPError),
        (status = 404, description = "The server does not run in development mode", body = HTTPError),
    )
)]
pub async fn create_user(
    State(kurso): KursoState,
    Command(new): Command<PrivateUserCreate>,
) -> Result<Json<UserPublic>> {
    Ok(Json(users::create(&kurso, new).await?.into()))
}
