//! What people do with their own account.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_core::auth::sessions;
use kurso_core::ids::SessionId;
use kurso_core::messages::Message;
use kurso_core::users::{self, Changes, PasswordChange};

use crate::context::{self, kurso, mail_lang, say, viewer};
use crate::error::wrap;
use crate::input::Body;
use crate::types::User;

#[derive(Default)]
pub struct AccountMutation;

/// What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdateMeInput {
    /// At most 255 characters; null clears it.
    full_name: MaybeUndefined<String>,
    /// May not be null.
    email: MaybeUndefined<String>,
}

/// The account was changed.
#[derive(SimpleObject)]
pub struct UpdateMePayload {
    /// The account as it is now.
    user: User,
}

/// A new password for the caller.
#[derive(InputObject)]
pub struct ChangePasswordInput {
    /// The one to be replaced.
    current_password: String,
    /// 8 to 128 characters.
    new_password: String,
}

/// The password was changed.
#[derive(SimpleObject)]
pub struct ChangePasswordPayload {
    /// What was done, in the language of the request.
    message: String,
}

/// The caller's account was deleted.
#[derive(SimpleObject)]
pub struct DeleteMePayload {
    /// Of the account that is gone.
    user_id: ID,
    /// What was done, in the language of the request.
    message: String,
}

/// A place to sign out in.
#[derive(InputObject)]
pub struct EndSessionInput {
    /// Which session.
    session_id: ID,
}

/// The session has ended.
#[derive(SimpleObject)]
pub struct EndSessionPayload {
    /// Of the session that is gone.
    session_id: ID,
    /// What was done, in the language of the request.
    message: String,
}

#[Object]
impl AccountMutation {
    /// Changes what is given. An e-mail address that is given up gets a mail, with a link that brings it back for 72 hours.
    /// CONFLICT when the new one is another's.
    async fn update_me(&self, ctx: &Context<'_>, input: UpdateMeInput) -> Result<UpdateMePayload> {
        let viewer = viewer(ctx)?;
        let body = Body::default()
            .given("full_name", input.full_name)
            .given("email", input.email);
        let changes = Changes::from_me(&body.json()).map_err(wrap(ctx))?;
        let user = users::update_me(kurso(ctx), viewer, mail_lang(ctx), changes)
            .await
            .map_err(wrap(ctx))?;
        Ok(UpdateMePayload { user: User(user) })
    }

    /// Changes the caller's password; all other sessions end. BAD_USER_INPUT when the current one is wrong or the new one is
    /// the same.
    async fn change_password(&self, ctx: &Context<'_>, input: ChangePasswordInput) -> Result<ChangePasswordPayload> {
        let viewer = viewer(ctx)?;
        let body = Body::default()
            .with("current_password", input.current_password)
            .with("new_password", input.new_password);
        let change = PasswordChange::from_body(&body.json()).map_err(wrap(ctx))?;
        users::change_password(kurso(ctx), viewer, change)
            .await
            .map_err(wrap(ctx))?;
        Ok(ChangePasswordPayload {
            message: say(ctx, Message::PasswordUpdated),
        })
    }

    /// Deletes the caller's account. A course of it that somebody else learns passes to its first editor, else to the oldest
    /// superuser; everything else goes. FORBIDDEN for superusers.
    async fn delete_me(&self, ctx: &Context<'_>) -> Result<DeleteMePayload> {
        let viewer = viewer(ctx)?;
        users::delete_me(kurso(ctx), viewer).await.map_err(wrap(ctx))?;
        Ok(DeleteMePayload {
            user_id: ID(viewer.id().to_string()),
            message: say(ctx, Message::UserDeleted),
        })
    }

    /// Signs the caller out in one place: that session's token is refused from now on.
    async fn end_session(&self, ctx: &Context<'_>, input: EndSessionInput) -> Result<EndSessionPayload> {
        let viewer = viewer(ctx)?;
        let id: SessionId = context::id(ctx, "session_id", &input.session_id)?;
        sessions::end(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(EndSessionPayload {
            session_id: ID(id.to_string()),
            message: say(ctx, Message::SessionEnded),
        })
    }
}
