//! What superusers do with accounts.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_core::error::Loc;
use kurso_core::ids::UserId;
use kurso_core::messages::Message;
use kurso_core::users::{self, Changes, NewUser};
use kurso_core::{error, input, mail};

use crate::context::{self, kurso, mail_lang, say, superuser};
use crate::error::wrap;
use crate::input::Body;
use crate::types::User;

#[derive(Default)]
pub struct UsersMutation;

/// A new account.
#[derive(InputObject)]
pub struct CreateUserInput {
    /// Nobody else's.
    email: String,
    /// 8 to 128 characters.
    password: String,
    /// At most 255 characters.
    full_name: MaybeUndefined<String>,
    /// True when left out.
    is_active: MaybeUndefined<bool>,
    /// False when left out.
    is_superuser: MaybeUndefined<bool>,
}

/// The account was made.
#[derive(SimpleObject)]
pub struct CreateUserPayload {
    /// The new account.
    user: User,
}

/// What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdateUserInput {
    /// Which account.
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
    /// Which account.
    user_id: ID,
}

/// The account was deleted.
#[derive(SimpleObject)]
pub struct DeleteUserPayload {
    /// Of what is gone.
    user_id: ID,
    /// What was done, in the language of the request.
    message: String,
}

/// A mail to try the mail settings with.
#[derive(InputObject)]
pub struct SendTestEmailInput {
    /// Where it goes.
    email: String,
}

/// The mail will be tried.
#[derive(SimpleObject)]
pub struct SendTestEmailPayload {
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl UsersMutation {
    /// Makes an account and mails its person a link to set a password. Superusers only.
    async fn create_user(&self, ctx: &Context<'_>, input: CreateUserInput) -> Result<CreateUserPayload> {
        let viewer = superuser(ctx)?;
        let body = Body::default()
            .with("email", input.email)
            .with("password", input.password)
            .given("full_name", input.full_name)
            .given("is_active", input.is_active)
            .given("is_superuser", input.is_superuser);
        let new = NewUser::from_superuser(&body.json()).map_err(wrap(ctx))?;
        let user = users::add(kurso(ctx), viewer, mail_lang(ctx), new)
            .await
            .map_err(wrap(ctx))?;
        Ok(CreateUserPayload { user: User(user) })
    }

    /// Changes what is given. A new password or deactivation ends the account's sessions. CONFLICT when the e-mail address is
    /// another's. Superusers only.
    async fn update_user(&self, ctx: &Context<'_>, input: UpdateUserInput) -> Result<UpdateUserPayload> {
        let viewer = superuser(ctx)?;
        let id: UserId = context::id(ctx, "user_id", &input.user_id)?;
        let body = Body::default()
            .given("email", input.email)
            .given("password", input.password)
            .given("full_name", input.full_name)
            .given("is_active", input.is_active)
            .given("is_superuser", input.is_superuser);
        let changes = Changes::from_superuser(&body.json()).map_err(wrap(ctx))?;
        let user = users::update(kurso(ctx), viewer, mail_lang(ctx), id, changes)
            .await
            .map_err(wrap(ctx))?;
        Ok(UpdateUserPayload { user: User(user) })
    }

    /// Deletes an account. A course of it that somebody else learns passes to its first editor, else to the oldest superuser.
    /// Superusers only, and not their own.
    async fn delete_user(&self, ctx: &Context<'_>, input: DeleteUserInput) -> Result<DeleteUserPayload> {
        let viewer = superuser(ctx)?;
        let id: UserId = context::id(ctx, "user_id", &input.user_id)?;
        users::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteUserPayload {
            user_id: ID(id.to_string()),
            message: say(ctx, Message::UserDeleted),
        })
    }

    /// Sends a mail to an address, after the answer: that it failed shows in the server's log alone. Superusers only.
    async fn send_test_email(&self, ctx: &Context<'_>, input: SendTestEmailInput) -> Result<SendTestEmailPayload> {
        let viewer = superuser(ctx)?;
        let email = input::read_email(vec![Loc::from("body"), Loc::from("email")], &input.email.into())
            .map_err(|error| wrap(ctx)(error::Error::invalid(*error)))?;
        mail::send_test(kurso(ctx), viewer, mail_lang(ctx), &email)
            .await
            .map_err(wrap(ctx))?;
        Ok(SendTestEmailPayload {
            message: say(ctx, Message::TestMailSent),
        })
    }
}
