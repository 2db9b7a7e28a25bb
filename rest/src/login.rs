//! Signing in and out.

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::error::{self as core, FieldError};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::auth::{self, Origin};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::KursoState;
use crate::body::Form;
use crate::error::Result;
use crate::message::Message;
use crate::openapi_parts::{HTTPError, SignedInRefusals};
use crate::users::UserPublic;

/// A token for the header `Authorization: Bearer …`. It is valid for 8 days or until its session ends.
#[derive(Serialize, ToSchema)]
pub struct Token {
    access_token: String,
    token_type: &'static str,
}

/// The login form, URL-encoded or multipart.
#[derive(ToSchema)]
#[schema(as = Body_login_login_access_token)]
#[expect(dead_code, reason = "the fields are read from the form, all errors at once")]
pub struct LoginForm {
    #[schema(pattern = "^password$")]
    grant_type: Option<String>,
    /// Email address.
    username: String,
    #[schema(format = Password)]
    password: String,
    /// Ignored.
    scope: Option<String>,
    /// Ignored.
    client_id: Option<String>,
    /// Ignored.
    client_secret: Option<String>,
}

struct Login {
    email: String,
    password: String,
}

const GRANT_TYPE: &str = "^password$";

impl Login {
    fn from_form(form: &Form) -> Result<Self> {
        let mut errors = Vec::new();
        if let Some(other) = form.get("grant_type").filter(|grant| *grant != "password") {
            errors.push(FieldError {
                ctx: Some(json!({ "pattern": GRANT_TYPE })),
                ..FieldError::body(
                    "string_pattern_mismatch",
                    "grant_type",
                    Text::BadPattern(GRANT_TYPE),
                    Value::from(other),
                )
            });
        }
        let mut required = |name: &str| {
            let value = form.get(name);
            if value.is_none() {
                errors.push(FieldError::body("missing", name, Text::FieldRequired, Value::Null));
            }
            value.unwrap_or_default().to_owned()
        };
        let email = required("username");
        let password = required("password");
        if errors.is_empty() {
            Ok(Login { email, password })
        } else {
            Err(core::Error::Invalid(errors).into())
        }
    }
}

/// Sign in
///
/// OAuth 2.0 password flow. A wrong password and an unknown email address get the same response. The form may also be sent as
/// `multipart/form-data`.
#[utoipa::path(
    post, path = "/api/v1/login/access-token", operation_id = "login-login_access_token", tag = "login",
    request_body(content = LoginForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "Signed in", body = Token),
        (status = 400, description = "Incorrect email or password, or the user is inactive", body = HTTPError),
        (status = 429, description = "Too many failed logins; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn access_token(State(kurso): KursoState, origin: Origin, request: Request) -> Result<Json<Token>> {
    let login = Login::from_form(&Form::read(request).await?)?;
    let access_token = auth::login(&kurso, &origin, &login.email, login.password).await?;
    Ok(Json(Token {
        access_token,
        token_type: "bearer",
    }))
}

/// Check the token
///
/// Returns the user to whom the token belongs.
#[utoipa::path(
    post, path = "/api/v1/login/test-token", operation_id = "login-test_token", tag = "login",
    responses(SignedInRefusals, (status = 200, description = "The caller", body = UserPublic))
)]
pub async fn test_token(viewer: Viewer) -> Json<UserPublic> {
    Json(viewer.user.into())
}

/// Sign out
///
/// Ends the session of the request's token. The token is refused from then on.
#[utoipa::path(
    post, path = "/api/v1/login/logout", operation_id = "login-logout", tag = "login",
    responses(SignedInRefusals, (status = 200, description = "Signed out", body = Message))
)]
pub async fn logout(State(kurso): KursoState, viewer: Viewer, lang: Lang) -> Result<Json<Message>> {
    auth::logout(&kurso, &viewer).await?;
    Ok(Message::say(Text::LoggedOut, lang))
}
