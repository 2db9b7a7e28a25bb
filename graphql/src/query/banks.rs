//! Queries for question banks.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::BankId;
use kurso_core::banks::{self, QuestionIds};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input;
use crate::types::{Bank, BankQuestion};

#[derive(Default)]
pub struct BanksQuery;

#[Object]
impl BanksQuery {
    /// The caller's question banks and those shared with the caller, by title.
    #[graphql(complexity = "cost::list(cost::BANKS, child_complexity)")]
    async fn banks(&self, ctx: &Context<'_>) -> Result<Vec<Bank>> {
        let found = banks::list(kurso(ctx), viewer(ctx)?).await.map_err(wrap(ctx))?;
        cost::spend(ctx, found.len())?;
        Ok(Bank::list(found))
    }

    /// A question bank; NOT_FOUND when it is not shared with the caller.
    async fn bank(&self, ctx: &Context<'_>, #[graphql(desc = "ID of the bank.")] id: ID) -> Result<Bank> {
        let viewer = viewer(ctx)?;
        let id: BankId = context::id(ctx, "id", &id)?;
        let bank = banks::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(bank.into())
    }

    /// Questions of banks that the caller can read, in the order of the argument; others are left out.
    #[graphql(complexity = "cost::list(ids.len(), child_complexity)")]
    async fn bank_questions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most 500 IDs.")] ids: Vec<ID>,
    ) -> Result<Vec<BankQuestion>> {
        let viewer = viewer(ctx)?;
        if ids.is_empty() {
            return Ok(vec![]);
        }
        let mut fields = input::Fields::default();
        let ids = fields.required("ids", input::ids(ids));
        let ids: QuestionIds = fields.finish(ids).map_err(wrap(ctx))?;
        let found = banks::questions_by_ids(kurso(ctx), viewer, &ids.0)
            .await
            .map_err(wrap(ctx))?;
        cost::spend(ctx, found.len())?;
        Ok(BankQuestion::list(found))
    }
}
