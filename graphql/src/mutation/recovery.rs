//! What the links of mails are for: setting a password, undoing the change of an e-mail address. No token needed.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use kurso_core::auth::recovery::{self, Reset};
use kurso_core::messages::Message;
use kurso_core::users::email_change;

use crate::context::{kurso, mail_lang, say};
use crate::error::wrap;
use crate::input::Body;

#[derive(Default)]
pub struct RecoveryMutation;

/// A forgotten password.
#[derive(InputObject)]
pub struct RequestPasswordRecoveryInput {
    /// Of the account, if there is one.
    email: String,
}

/// Said of every address.
#[derive(SimpleObject)]
pub struct RequestPasswordRecoveryPayload {
    /// What was done, in the language of the request.
    message: String,
}

/// A new password by a mailed link.
#[derive(InputObject)]
pub struct ResetPasswordInput {
    /// Of the link in the mail.
    token: String,
    /// 8 to 128 characters.
    new_password: String,
}

/// The password was changed.
#[derive(SimpleObject)]
pub struct ResetPasswordPayload {
    /// What was done, in the language of the request.
    message: String,
}

/// An address to bring back.
#[derive(InputObject)]
pub struct UndoEmailChangeInput {
    /// Of the link in the mail.
    token: String,
}

/// The account has its old address.
#[derive(SimpleObject)]
pub struct UndoEmailChangePayload {
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl RecoveryMutation {
    /// Mails a link that sets a new password, once within an hour. The answer is the same whatever the address.
    async fn request_password_recovery(
        &self,
        ctx: &Context<'_>,
        input: RequestPasswordRecoveryInput,
    ) -> Result<RequestPasswordRecoveryPayload> {
        recovery::ask(kurso(ctx), mail_lang(ctx), &input.email)
            .await
            .map_err(wrap(ctx))?;
        Ok(RequestPasswordRecoveryPayload {
            message: say(ctx, Message::RecoverySent),
        })
    }

    /// Sets a password by the token of a recovery link. Every session of the account ends, and so does the link.
    async fn reset_password(&self, ctx: &Context<'_>, input: ResetPasswordInput) -> Result<ResetPasswordPayload> {
        let body = Body::default()
            .with("token", input.token)
            .with("new_password", input.new_password);
        let reset = Reset::from_body(&body.json()).map_err(wrap(ctx))?;
        recovery::reset(kurso(ctx), reset).await.map_err(wrap(ctx))?;
        Ok(ResetPasswordPayload {
            message: say(ctx, Message::PasswordUpdated),
        })
    }

    /// Brings back the e-mail address that a person gave up, by the token of the link mailed to it. Every session of the
    /// account ends. CONFLICT when the address is another's by now.
    async fn undo_email_change(
        &self,
        ctx: &Context<'_>,
        input: UndoEmailChangeInput,
    ) -> Result<UndoEmailChangePayload> {
        email_change::undo(kurso(ctx), &input.token).await.map_err(wrap(ctx))?;
        Ok(UndoEmailChangePayload {
            message: say(ctx, Message::EmailChangeUndone),
        })
    }
}
