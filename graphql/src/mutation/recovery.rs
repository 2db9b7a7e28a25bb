//! Mutations behind the links in mails: setting a password, undoing a change of the email address. They need no token.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use kurso_base::messages::Message;
use kurso_base::values::LinkToken;
use kurso_core::auth::recovery::{self, ResetPassword};
use kurso_core::users::email_change;

use crate::context::{kurso, origin};
use crate::error::wrap;
use crate::input::command;
use crate::language::{mail_lang, say};

#[derive(Default)]
pub struct RecoveryMutation;

/// A forgotten password.
#[derive(InputObject)]
pub struct RequestPasswordRecoveryInput {
    /// Email address of the account, which need not exist.
    email: String,
}

/// The request was accepted; the response is the same for every address.
#[derive(SimpleObject)]
pub struct RequestPasswordRecoveryPayload {
    /// The result in words, in the language of the request.
    message: String,
}

/// A new password, with the token of a mailed link.
#[derive(InputObject)]
pub struct ResetPasswordInput {
    /// Token of the mailed link.
    token: String,
    /// 8 to 128 characters.
    new_password: String,
}

/// The password was changed.
#[derive(SimpleObject)]
pub struct ResetPasswordPayload {
    /// The result in words, in the language of the request.
    message: String,
}

/// An email address to restore.
#[derive(InputObject)]
pub struct UndoEmailChangeInput {
    /// Token of the mailed link.
    token: String,
}

/// The old address was restored.
#[derive(SimpleObject)]
pub struct UndoEmailChangePayload {
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl RecoveryMutation {
    /// Mails a link for setting a new password, at most once per hour. The response is the same for every address.
    async fn request_password_recovery(
        &self,
        ctx: &Context<'_>,
        input: RequestPasswordRecoveryInput,
    ) -> Result<RequestPasswordRecoveryPayload> {
        recovery::request(kurso(ctx), &origin(ctx), mail_lang(ctx), &input.email)
            .await
            .map_err(wrap(ctx))?;
        Ok(RequestPasswordRecoveryPayload {
            message: say(ctx, Message::RecoverySent),
        })
    }

    /// Sets a password by the token of a recovery link. All sessions of the account end, and the link becomes invalid.
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

    /// Restores the old email address of an account, by the token of the link mailed to it. All sessions of the account
    /// end. CONFLICT when the address now belongs to another account.
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
