//! People.

use async_graphql::{Context, Object, Result};

use crate::context::viewer;
use crate::types::User;

#[derive(Default)]
pub struct UsersQuery;

#[Object]
impl UsersQuery {
    /// The signed-in person.
    async fn me(&self, ctx: &Context<'_>) -> Result<User> {
        Ok(User(viewer(ctx)?.user.clone()))
    }
}
