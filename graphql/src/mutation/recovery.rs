//! Mutations behind the links in mails: setting a password, undoing a change of the e-mail address. They need no token.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use kurso_base::messages::Message;
use kurso_base::values::LinkToken;
use kurso_core::auth::recovery::{self, ResetPassword};
use kurso_core::users::email_change;

use crate::context::{kurso, mail_lang, say};
use crate::error::wrap;
use crate::input::command;

#[derive(Default)]
pub struct RecoveryMutation;

/// A forgotten password.
#[derive(InputObject)]
pub struct RequestPasswordRecoveryInput {
    /// The address of the account, which need not exist.
    email: String,
}

/// The same for every address.
#[derive(SimpleObject)]
pub struct RequestPasswordRecoveryPayload {
    /// What was done, in the language of the request.
    message: String,
}

/// A new password by a mailed link.
#[derive(InputObject)]
pub struct ResetPasswordInput {
    /// The token of the link in the mail.
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

/// An e-mail address to restore.
#[derive(InputObject)]
pub struct UndoEmailChangeInput {
    /// The token of the link in the mail.
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
        recovery::request(kurso(ctx), mail_lang(ctx), &input.email)
            .await
            .map_err(wrap(ctx))?;
        Ok(RequestPasswordRecoveryPayload {
            message: say(ctx, Message::RecoverySent),
        })
    }

    /// Sets a password by the token of a recovery link. Every session of the account ends, and so does the link.
    async fn reset_password(&self, ctx: &Context<'_>, input: ResetPasswordInput) -> Result<ResetPasswordPayload> {
        let reset = command!(
            ctx,
            ResetPassword {
                token: required(input.token),
                new_password: required(input.new_password),
            }
        );
        recovery::reset(kurso(ctx), reset).await.map_err(wrap(ctx))?;
        Ok(ResetPasswordPayload {
            message: say(ctx, Message::PasswordUpdated),
        })
    }

    /// Restores the old e-mail address of an account, by the token of the link mailed to it. Every session of the account
    /// ends. CONFLICT when the address belongs to another account by now.
    async fn undo_email_change(
        &self,
        ctx: &Context<'_>,
        input: UndoEmailChangeInput,
    ) -> Result<UndoEmailChangePayload> {
        email_change::undo(kurso(ctx), &LinkToken(input.token))
            .await
            .map_err(wrap(ctx))?;
        Ok(UndoEmailChangePayload {
            message: say(ctx, Message::EmailChangeUndone),
        })
    }
}
