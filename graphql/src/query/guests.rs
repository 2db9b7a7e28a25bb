//! The course that a guest can start with a code. Needs no session.

use async_graphql::{Context, Object, Result};
use kurso_core::guests::{self, Door};

use crate::context::{kurso, origin};
use crate::cost;
use crate::error::wrap;
use crate::types::GuestCourse;

#[derive(Default)]
pub struct GuestsQuery;

#[Object]
impl GuestsQuery {
    /// The course that can be started without an account by a share code. Needs no session. NOT_FOUND for a course that does not allow guests and for an
    /// unknown code alike.
    #[graphql(complexity = "cost::PUBLIC_COURSE + child_complexity")]
    async fn guest_course(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The share code of a course or of a group, in any spelling.")] share_code: String,
    ) -> Result<GuestCourse> {
        let course = guests::course(kurso(ctx), &origin(ctx), &Door::Code(share_code)).await;
        Ok(course.map_err(wrap(ctx))?.into())
    }
}
