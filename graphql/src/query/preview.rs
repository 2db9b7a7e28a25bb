//! A course as one of its learners sees it at a chosen moment, for its staff.

use async_graphql::{Context, ID, InputObject, Object, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_core::preview::{self, Preview};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::types::{Course, Page, View};

#[derive(Default)]
pub struct PreviewQuery;

/// As whom and when: as a learner, as a new learner of a group, or without both as a new learner without a group.
#[derive(InputObject)]
pub struct PreviewInput {
    /// The `id` of a `Student` of the course; `groupId` is then ignored.
    enrollment_id: Option<ID>,
    /// A group of the course.
    group_id: Option<ID>,
    /// An instant, or a local time or a day of the course's time zone, in the years 2000 to 2099; by default, now.
    at: Option<String>,
}

#[Object]
impl PreviewQuery {
    /// The course as a learner gets it at a moment; the caller of its fields is that learner. Nothing is recorded of the learner; the
    /// audit log has an entry for each learner or group and moment, at most one an hour. FORBIDDEN for learners.
    async fn course_preview(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] id: ID,
        #[graphql(name = "as", desc = "As whom and when.")] by: PreviewInput,
        #[graphql(
            desc = "True: pages with unpublished changes have these in place of what learners see. FORBIDDEN for callers who may not edit.",
            default = false
        )]
        drafts: bool,
    ) -> Result<Course> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "id", &id)?;
        let preview = by.read(ctx, drafts)?;
        let view = preview::course(kurso(ctx), viewer, id, preview)
            .await
            .map_err(wrap(ctx))?;
        Ok(Course::from_view(&View::new(view)))
    }

    /// A page as a learner gets it at a moment: its contents are LOCKED if they are for the learner. FORBIDDEN for learners.
    async fn page_preview(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page.")] id: ID,
        #[graphql(name = "as", desc = "As whom and when.")] by: PreviewInput,
        #[graphql(desc = "As in `coursePreview`.", default = false)] drafts: bool,
    ) -> Result<Page> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "id", &id)?;
        let preview = by.read(ctx, drafts)?;
        let (view, index) = preview::page(kurso(ctx), viewer, id, preview)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page::at(&View::new(view), index))
    }
}

impl PreviewInput {
    fn read(self, ctx: &Context<'_>, drafts: bool) -> Result<Preview> {
        Ok(command!(
            ctx,
            Preview {
                enrollment_id: optional(self.enrollment_id.map(String::from)),
                group_id: optional(self.group_id.map(String::from)),
                at: optional(self.at),
                drafts: known(drafts),
            }
        ))
    }
}
