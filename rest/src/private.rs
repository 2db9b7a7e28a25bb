//! Calls of servers in development alone (`KURSO_DEV=1`), which listen on their own machine: the tests of web apps make
//! their people so.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use kurso_core::Kurso;
use kurso_core::users::{self, NewUser};
use utoipa::ToSchema;

use crate::body::JsonBody;
use crate::error::Result;
use crate::openapi::{BodyRefusals, HTTPError, InvalidRefusal, ServerRefusals};
use crate::users::UserPublic;

#[derive(ToSchema)]
#[expect(dead_code, reason = "the fields are read from the JSON, all errors at once")]
pub struct PrivateUserCreate {
    #[schema(format = Email)]
    email: String,
    #[schema(min_length = 8, max_length = 128)]
    password: String,
    #[schema(max_length = 255)]
    full_name: String,
}

/// Create User
///
/// Makes an account without a token. Only there when the server runs in development.
#[utoipa::path(
    post, path = "/api/v1/private/users/", operation_id = "private-create_user", tag = "private",
    request_body = PrivateUserCreate,
    responses(
        ServerRefusals,
        BodyRefusals,
        InvalidRefusal,
        (status = 200, description = "The new account", body = UserPublic),
        (status = 400, description = "The e-mail address is taken, or the body is not UTF-8", body = HTTPError),
        (status = 404, description = "The server does not run in development", body = HTTPError),
    )
)]
pub async fn create_user(State(kurso): State<Arc<Kurso>>, body: JsonBody) -> Result<Json<UserPublic>> {
    let new = NewUser::from_private(&body.0)?;
    Ok(Json(users::create(&kurso, new).await?.into()))
}
