//! Queries for users and sessions.

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_base::ids::UserId;
use kurso_core::auth::{recovery, sessions};
use kurso_core::users;

use crate::context::{self, kurso, superuser, viewer};
use crate::cost;
use crate::error::wrap;
use crate::language::mail_lang;
use crate::lists::{self, List, list, window, window_at};
use crate::types::{Session, User, WrittenText};

#[derive(Default)]
pub struct UsersQuery;

/// A rendered mail.
#[derive(SimpleObject)]
pub struct Mail {
    /// Subject.
    subject: String,
    /// HTML text.
    html: String,
}

#[Object]
impl UsersQuery {
    /// The caller.
    async fn me(&self, ctx: &Context<'_>) -> Result<User> {
        Ok(User(viewer(ctx)?.user.clone()))
    }

    /// The caller's sessions: latest activity first, then by ID.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn sessions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Session>> {
        let viewer = viewer(ctx)?;
        let page = window(ctx, first, after)?;
        let found = sessions::list(kurso(ctx), viewer, page).await.map_err(wrap(ctx))?;
        let sessions = found.data.into_iter().map(|row| Session {
            current: row.id == viewer.session,
            row,
        });
        Ok(list(page, found.count, sessions.collect()))
    }

    /// What the caller has written to others and in private notes, oldest first. The texts stay the caller's own when the course is out of reach.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn my_texts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 100.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<WrittenText>> {
        let page = window(ctx, first, after)?;
        let found = users::texts(kurso(ctx), viewer(ctx)?, page).await.map_err(wrap(ctx))?;
        Ok(list(
            page,
            found.count,
            found.data.into_iter().map(WrittenText).collect(),
        ))
    }

    /// All users, newest first, then by ID. Superusers only.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn users(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words to find in the name or the email address, all of them; at most 255 characters.")]
        search: Option<String>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<User>> {
        let viewer = superuser(ctx)?;
        let (page, search) = (window_at(ctx, first, after, skip)?, lists::search(ctx, search)?);
        let found = users::list(kurso(ctx), viewer, &search, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(page, found.count, found.data.into_iter().map(User).collect()))
    }

    /// The caller's account, or any account for a superuser; FORBIDDEN for others, whether it exists or not.
    async fn user(&self, ctx: &Context<'_>, #[graphql(desc = "ID of the user.")] id: ID) -> Result<User> {
        let viewer = viewer(ctx)?;
        let id: UserId = context::id(ctx, "id", &id)?;
        let user = users::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(User(user))
    }

    /// Renders the recovery mail of an account with a valid link, without sending it. Superusers only.
    async fn password_recovery_html(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Email address of the account.")] email: String,
    ) -> Result<Mail> {
        let viewer = superuser(ctx)?;
        let letter = recovery::preview(kurso(ctx), viewer, mail_lang(ctx), &email)
            .await
            .map_err(wrap(ctx))?;
        Ok(Mail {
            subject: letter.subject,
            html: letter.html,
        })
    }
}
