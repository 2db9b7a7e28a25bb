//! What those who run the server see of it.

use async_graphql::{Context, ID, Object, Result};
use kurso_core::ids::UserId;
use kurso_core::{audit, signals};

use crate::context::{self, kurso, lang, superuser};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window_at};
use crate::types::{AuditEntry, AuditKind, DateTime, ServerStatus};

#[derive(Default)]
pub struct AdminQuery;

#[Object]
impl AdminQuery {
    /// How the node that answers is doing, since its start. Superusers only.
    async fn server_status(&self, ctx: &Context<'_>) -> Result<ServerStatus> {
        let viewer = superuser(ctx)?;
        let status = signals::status(kurso(ctx), viewer).map_err(wrap(ctx))?;
        Ok(ServerStatus(status))
    }

    /// What was done that matters for security or cannot be undone: the newest first, then by id. Superusers only.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn audit_log(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The act.")] kind: Option<AuditKind>,
        #[graphql(desc = "Who did it, or to whom it was done.")] user_id: Option<ID>,
        #[graphql(desc = "From this time on.")] since: Option<DateTime>,
        #[graphql(desc = "Before this time.")] until: Option<DateTime>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
        #[graphql(
            desc = "How many to leave out at the beginning, for numbered pages; `after` wins over it.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<AuditEntry>> {
        let viewer = superuser(ctx)?;
        let page = window_at(ctx, first, after, skip)?;
        let person: Option<UserId> = match &user_id {
            Some(id) => Some(context::id(ctx, "userId", id)?),
            None => None,
        };
        let filter = audit::Filter {
            act: kind.map(AuditKind::act),
            person,
            since: since.map(|DateTime(at)| at),
            until: until.map(|DateTime(at)| at),
        };
        let found = audit::list(kurso(ctx), viewer, &filter, page)
            .await
            .map_err(wrap(ctx))?;
        let lang = lang(ctx);
        let entries = found.data.into_iter().map(|written| AuditEntry { written, lang });
        Ok(list(page, found.count, entries.collect()))
    }
}
