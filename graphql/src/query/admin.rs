//! Queries for administrators.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::UserId;
use kurso_core::{audit, metrics};

use crate::context::{self, kurso, superuser};
use crate::cost;
use crate::error::wrap;
use crate::language::lang;
use crate::lists::{List, list, window_at};
use crate::types::{AuditEntry, AuditKind, DateTime, ServerStatus};

#[derive(Default)]
pub struct AdminQuery;

#[Object]
impl AdminQuery {
    /// Counters of the node that responds, since its start. Superusers only.
    async fn server_status(&self, ctx: &Context<'_>) -> Result<ServerStatus> {
        let viewer = superuser(ctx)?;
        let status = metrics::status(kurso(ctx), viewer).map_err(wrap(ctx))?;
        Ok(status.into())
    }

    /// The audit log: newest first, then by ID. Superusers only.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn audit_log(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Kind of action.")] kind: Option<AuditKind>,
        #[graphql(desc = "Actor or affected user.")] user_id: Option<ID>,
        #[graphql(desc = "From this time, inclusive.")] since: Option<DateTime>,
        #[graphql(desc = "Before this time.")] until: Option<DateTime>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
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
