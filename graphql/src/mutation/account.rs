//! Mutations of the caller's own account.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::SessionId;
use kurso_base::messages::Message;
use kurso_core::auth::sessions;
use kurso_core::users::{self, ChangePassword, UpdateMe};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::{mail_lang, say};
use crate::types::User;

#[derive(Default)]
pub struct AccountMutation;

/// Absent fields keep their values.
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

/// A change of the caller's password.
#[derive(InputObject)]
pub struct ChangePasswordInput {
    /// The current password.
    current_password: String,
    /// 8 to 128 characters.
    new_password: String,
}

/// The password was changed.
#[derive(SimpleObject)]
pub struct ChangePasswordPayload {
    /// The result in words, in the language of the request.
    message: String,
}

/// The caller's account was deleted.
#[derive(SimpleObject)]
pub struct DeleteMePayload {
    /// The deleted account.
    user_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

/// A session to end.
#[derive(InputObject)]
pub struct EndSessionInput {
    /// ID of the session.
    session_id: ID,
}

/// The session has ended.
#[derive(SimpleObject)]
pub struct EndSessionPayload {
    /// The ended session.
    session_id: ID,
    /// The result in words, in the language of the request.
    message: String,
}

#[Object]
impl AccountMutation {
    /// Changes the fields that are present. The old email address gets a mail with a link that restores it for 72 hours.
    /// CONFLICT when the new address belongs to another account.
    async fn update_me(&self, ctx: &Context<'_>, input: UpdateMeInput) -> Result<UpdateMePayload> {
        let viewer = viewer(ctx)?;
        let update = command!(
            ctx,
            UpdateMe {
                full_name: change(input.full_name),
                email: given(input.email),
            }
        );
        let user = users::update_me(kurso(ctx), viewer, mail_lang(ctx), update)
            .await
            .map_err(wrap(ctx))?;
        Ok(UpdateMePayload { user: User(user) })
    }

    /// Changes the caller's password; all other sessions end. BAD_USER_INPUT when the current one is wrong or the new one is
    /// the same.
    async fn change_password(&self, ctx: &Context<'_>, input: ChangePasswordInput) -> Result<ChangePasswordPayload> {
        let viewer = viewer(ctx)?;
        let change = command!(
            ctx,
            ChangePassword {
                current_password: required(input.current_password),
                new_password: required(input.new_password),
            }
        );
        users::change_password(kurso(ctx), viewer, change)
            .await
            .map_err(wrap(ctx))?;
        Ok(ChangePasswordPayload {
            message: say(ctx, Message::PasswordUpdated),
        })
    }

    /// Deletes the caller's account. A course of it that has other learners passes to its first editor, else to the oldest
    /// superuser; everything else is deleted. FORBIDDEN for superusers.
    async fn delete_me(&self, ctx: &Context<'_>) -> Result<DeleteMePayload> {
        let viewer = viewer(ctx)?;
        users::delete_me(kurso(ctx), viewer).await.map_err(wrap(ctx))?;
        Ok(DeleteMePayload {
            user_id: ID(viewer.id().to_string()),
            message: say(ctx, Message::UserDeleted),
        })
    }

    /// Ends one session of the caller: its token is refused from then on.
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
