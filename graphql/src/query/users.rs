//! People.

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::auth::{recovery, sessions};
use kurso_core::ids::UserId;
use kurso_core::users;

use crate::context::{self, kurso, mail_lang, superuser, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window, window_at, words};
use crate::types::{Session, User};

#[derive(Default)]
pub struct UsersQuery;

/// A mail as it would be sent.
#[derive(SimpleObject)]
pub struct Mail {
    /// What it is about.
    subject: String,
    /// What it says.
    html: String,
}

#[Object]
impl UsersQuery {
    /// The signed-in person.
    async fn me(&self, ctx: &Context<'_>) -> Result<User> {
        Ok(User(viewer(ctx)?.user.clone()))
    }

    /// Where the caller is signed in: last seen first, then by id.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn sessions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
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

    /// Everybody, newest first, then by id. Superusers only.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn users(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words, each of which must be in the name or the e-mail address; at most 255 characters.")]
        search: Option<String>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
        #[graphql(
            desc = "How many to leave out at the beginning, for numbered pages; `after` wins over it.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<User>> {
        let viewer = superuser(ctx)?;
        let (page, search) = (window_at(ctx, first, after, skip)?, words(ctx, search)?);
        let found = users::list(kurso(ctx), viewer, &search, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(page, found.count, found.data.into_iter().map(User).collect()))
    }

    /// One's own account, or anybody's for a superuser; FORBIDDEN for others, whether it exists or not.
    async fn user(&self, ctx: &Context<'_>, #[graphql(desc = "Of the person.")] id: ID) -> Result<User> {
        let viewer = viewer(ctx)?;
        let id: UserId = context::id(ctx, "id", &id)?;
        let user = users::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(User(user))
    }

    /// The recovery mail to an account as it would be sent, its link good; nothing is sent. Superusers only.
    async fn password_recovery_html(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Of the account.")] email: String,
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
