//! Health check, server status and test mail.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::mail;
use utoipa::IntoParams;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{EmailTo, MailLang, Superuser};
use crate::message::Message;
use crate::openapi_parts::SuperuserRefusals;

/// The recipient of a test mail.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct TestEmailParams {
    #[param(format = Email)]
    email_to: String,
}

/// Send a test mail
///
/// The mail is sent after the response: a failure appears only in the server's log. Superusers only.
#[utoipa::path(
    post, path = "/api/v1/utils/test-email/", operation_id = "utils-test_email", tag = "utils",
    params(TestEmailParams),
    responses(SuperuserRefusals, (status = 201, description = "The mail will be sent", body = Message))
)]
pub async fn test_email(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    EmailTo(email): EmailTo,
    MailLang(mail_lang): MailLang,
    lang: Lang,
) -> Result<(StatusCode, Json<Message>)> {
    mail::send_test(&kurso, &viewer, mail_lang, &email).await?;
    Ok((StatusCode::CREATED, Message::say(Text::TestMailSent, lang)))
}

/// Check that the server is up
///
/// Returns true as soon as the server accepts requests.
#[utoipa::path(
    get, path = "/api/v1/utils/health-check/", operation_id = "utils-health_check", tag = "utils",
    responses((status = 200, description = "Up", body = bool, content_type = "application/json"))
)]
pub async fn health_check() -> Json<bool> {
    Json(true)
}
