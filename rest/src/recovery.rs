//! Operations behind the links in mails: setting a password, undoing a change of the email address.

use axum::Json;
use axum::extract::State;
use axum::response::Html;
use http::{HeaderName, HeaderValue};
use kurso_base::error as core;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::values::{LinkToken, Password};
use kurso_core::auth::Origin;
use kurso_core::auth::recovery::{self, ResetPassword};
use kurso_core::users::email_change;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{MailLang, PathText, Superuser};
use crate::fields::{Command, body};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, SuperuserRefusals};

body! {
    /// A new password, and the token of a mailed link.
    NewPassword -> ResetPassword {
        token: LinkToken,
        new_password: Password,
    }

    /// The token of a mailed link.
    UndoEmailChange -> LinkToken {
        token: LinkToken,
    } => |_fields| token;
}

/// Request a mail for a forgotten password
///
/// Mails a link for setting a new password, at most once per hour. The response is the same for every address.
#[utoipa::path(
    post, path = "/api/v1/password-recovery/{email}", operation_id = "login-recover_password", tag = "login",
    params(("email" = String, Path)),
    responses(
        (status = 200, description = "The mail is sent if the account exists", body = Message),
        (status = 429, description = "Too many mails to this address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn ask(
    State(kurso): KursoState,
    origin: Origin,
    PathText(email): PathText,
    MailLang(mail_lang): MailLang,
    lang: Lang,
) -> Result<Json<Message>> {
    recovery::request(&kurso, &origin, mail_lang, &email).await?;
    Ok(Message::say(Text::RecoverySent, lang))
}

/// Set a new password with a recovery link
///
/// All sessions of the account end, and the link becomes invalid.
#[utoipa::path(
    post, path = "/api/v1/reset-password/", operation_id = "login-reset_password", tag = "login",
    request_body = NewPassword,
    responses(
        (status = 200, description = "The password is set", body = Message),
        (
            status = 400, body = HTTPError,
            description = "The link is not or no longer good, the user is inactive, or the body is not UTF-8",
        ),
    )
)]
pub async fn reset(State(kurso): KursoState, Command(new): Command<NewPassword>, lang: Lang) -> Result<Json<Message>> {
    recovery::reset(&kurso, new).await?;
    Ok(Message::say(Text::PasswordUpdated, lang))
}

/// Preview the recovery mail of a user
///
/// Returns the HTML of the mail without sending it; the header `subject` is its subject, encoded as in a mail. Superusers only.
#[utoipa::path(
    post, path = "/api/v1/password-recovery-html-content/{email}",
    operation_id = "login-recover_password_html_content", tag = "login",
    params(("email" = String, Path)),
    responses(
        SuperuserRefusals,
        (
            status = 200, description = "The mail", body = String,
            content_type = "text/html",
            headers(("subject" = String, description = "The mail's subject")),
        ),
    )
)]
pub async fn html_content(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    PathText(email): PathText,
    MailLang(lang): MailLang,
) -> Result<([(HeaderName, HeaderValue); 1], Html<String>)> {
    let letter = recovery::preview(&kurso, &viewer, lang, &email).await?;
    let subject = HeaderValue::try_from(letter.subject_header()).map_err(core::Error::internal)?;
    Ok(([(HeaderName::from_static("subject"), subject)], Html(letter.html)))
}

/// Undo a change of the email address
///
/// Restores the old address by the token of the link that was mailed to it. All sessions of the account end.
#[utoipa::path(
    post, path = "/api/v1/login/undo-email-change", operation_id = "login-undo_email_change", tag = "login",
    request_body = UndoEmailChange,
    responses(
        (status = 200, description = "The old address is restored", body = Message),
        (
            status = 400, body = HTTPError,
            description = "The link is not or no longer good, the user is inactive, or the body is not UTF-8",
        ),
        (status = 409, description = "The address now belongs to another account", body = HTTPError),
    )
)]
pub async fn undo_email_change(
    State(kurso): KursoState,
    Command(token): Command<UndoEmailChange>,
    lang: Lang,
) -> Result<Json<Message>> {
    email_change::undo(&kurso, &token).await?;
    Ok(Message::say(Text::EmailChangeUndone, lang))
}
