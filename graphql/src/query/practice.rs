//! The query for questions that the caller practises.

use async_graphql::{Context, Object, Result};
use kurso_core::attempts::practice;

use crate::context::{kurso, viewer};
use crate::error::wrap;
use crate::types::Practice;

#[derive(Default)]
pub struct PracticeQuery;

#[Object]
impl PracticeQuery {
    /// Questions that the caller can practise now. What they did not answer right comes again by spaced repetition, from all courses that they
    /// learn; practice never counts in grades. Left out are questions of pages that they may not read now or at which their attempt is running,
    /// and of quizzes that do not show them the correct answers.
    async fn practice(&self, ctx: &Context<'_>) -> Result<Practice> {
        let found = Box::pin(practice::queue(kurso(ctx), viewer(ctx)?)).await;
        found.map(Practice::from).map_err(wrap(ctx))
    }
}
