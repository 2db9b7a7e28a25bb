//! Mutations of accounts by superusers.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::UserId;
use kurso_base::messages::Message;
use kurso_core::mail;
use kurso_core::users::{self, CreateUser, UpdateUser};

use crate::context::{self, kurso, superuser};
use crate::error::wrap;
use crate::input::{Fields, command};
use crate::language::{mail_lang, say};
use crate::types::User;

#[derive(Default)]
pub struct UsersMutation;

/// A new account.
#[derive(InputObject)]
pub struct CreateUserInput {
    /// Not used by another account.
    email: String,
    /// 8 to 128 characters.
    password: String,
    /// At most 255 characters.
    full_name: MaybeUndefined<String>,
    /// Default: true.
    is_active: MaybeUndefined<bool>,
    /// Default: false.
    is_superuser: MaybeUndefined<bool>,
}

/// The account was created.
#[derive(SimpleObject)]
pub struct CreateUserPayload {
    /// The new account.
    user: User,
}

/// Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdateUserInput {
    /// ID of the account.
    user_id: ID,
    /// May not be null.
    email: MaybeUndefined<String>,
    /// 8 to 128 characters; may not be null.
    password: MaybeUndefined<String>,
    /// At most 255 characters; null clears it.
    full_name: MaybeUndefined<String>,
    /// May not be null.
    is_active: MaybeUndefined<bool>,
    /// May not be null.
    is_superuser: MaybeUndefined<bool>,
}

/// The account was changed.
#[derive(SimpleObject)]
pub struct UpdateUserPayload {
    /// The account as it is now.
    user: User,
}

/// An account to delete.
#[derive(InputObject)]
pub struct DeleteUserInput {
    /// ID of the account.
    user_id: ID,
}

/// The account was deleted.
#[derive(SimpleObject)]
pub struct DeleteUserPayload {
    /// ID of the deleted account.
    user_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// A mail that tests the mail settings.
#[derive(InputObject)]
pub struct SendTestEmailInput {
    /// Recipient.
    email: String,
}

/// The mail is queued.
#[derive(SimpleObject)]
pub struct SendTestEmailPayload {
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl UsersMutation {
    /// Creates an account and mails its address a link to set a password. Superusers only.
    async fn create_user(&self, ctx: &Context<'_>, input: CreateUserInput) -> Result<CreateUserPayload> {
        let viewer = superuser(ctx)?;
        let new = command!(
            ctx,
            CreateUser {
                email: required(input.email),
                is_active: flag(input.is_active, true),
                is_superuser: flag(input.is_superuser, false),
                full_name: optional(input.full_name.take()),
                password: required(input.password),
            }
        );
        let user = users::add(kurso(ctx), viewer, mail_lang(ctx), new)
            .await
            .map_err(wrap(ctx))?;
        Ok(CreateUserPayload { user: User(user) })
    }

    /// Changes the fields that are present. A new password or deactivation ends the account's sessions. CONFLICT when the
    /// email address belongs to another account. Superusers only.
    async fn update_user(&self, ctx: &Context<'_>, input: UpdateUserInput) -> Result<UpdateUserPayload> {
        let viewer = superuser(ctx)?;
        let id: UserId = context::id(ctx, "user_id", &input.user_id)?;
        let update = command!(
            ctx,
            UpdateUser {
                email: given(input.email),
                is_active: given(input.is_active),
                is_superuser: given(input.is_superuser),
                full_name: change(input.full_name),
                password: given(input.password),
            }
        );
        let user = users::update(kurso(ctx), viewer, mail_lang(ctx), id, update)
            .await
            .map_err(wrap(ctx))?;
        Ok(UpdateUserPayload { user: User(user) })
    }

    /// Deletes an account. A course of it that has other learners is transferred to its first editor, otherwise to the oldest
    /// superuser. Superusers only; they cannot delete their own account here.
    async fn delete_user(&self, ctx: &Context<'_>, input: DeleteUserInput) -> Result<DeleteUserPayload> {
        let viewer = superuser(ctx)?;
        let id: UserId = context::id(ctx, "user_id", &input.user_id)?;
        users::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteUserPayload {
            user_id: ID(id.to_string()),
            message: say(ctx, Message::UserDeleted),
        })
    }

    /// Sends a test mail after the response; only the server's log shows a failure. Superusers only.
    async fn send_test_email(&self, ctx: &Context<'_>, input: SendTestEmailInput) -> Result<SendTestEmailPayload> {
        let viewer = superuser(ctx)?;
        let mut fields = Fields::default();
        let email = fields.required("email", input.email);
        let email = fields.finish(email).map_err(wrap(ctx))?;
        mail::send_test(kurso(ctx), viewer, mail_lang(ctx), &email)
            .await
            .map_err(wrap(ctx))?;
        Ok(SendTestEmailPayload {
            message: say(ctx, Message::TestMailSent),
        })
    }
}
