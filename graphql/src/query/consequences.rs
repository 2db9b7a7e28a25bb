//! What publishing would mean for learners.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::learning::view::CourseView;
use kurso_core::regrades::{self, PublishError};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::{Consequences, PastAttempts, PublishPageDraftInput, RemovedQuestions, View, plan};

#[derive(Default)]
pub struct ConsequencesQuery;

#[Object]
impl ConsequencesQuery {
    /// What publishing unpublished changes of pages would mean for learners: those whose progress, grade or results in these quizzes would
    /// change, with both values. Nothing is published or stored. CONFLICT if pages have changed since they were shown, BAD_USER_INPUT names each
    /// quiz that is not complete. Owner and editors.
    #[graphql(complexity = "cost::CONSEQUENCES + child_complexity")]
    async fn consequences(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "1 to 500 pages.")] pages: Vec<PublishPageDraftInput>,
        #[graphql(default, desc = "What becomes of results that learners have.")] past_attempts: PastAttempts,
        #[graphql(
            default,
            desc = "What becomes of the points of questions that attempts have and the quiz has no longer. Only with REGRADE."
        )]
        removed_questions: RemovedQuestions,
    ) -> Result<Consequences> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let plan = plan(ctx, pages, past_attempts, removed_questions)?;
        let found = Box::pin(regrades::consequences(kurso(ctx), viewer, course, &plan)).await;
        let found = found.map_err(|error| match error {
            PublishError::Refused(error) => wrap(ctx)(error),
            PublishError::Conflict(_) | PublishError::Changed(_) => {
                wrap(ctx)(Error::Conflict(Message::PageDraftsChanged))
            }
        })?;
        let view = CourseView::load(kurso(ctx), viewer, course, Right::Read).await;
        Ok(Consequences::of(found, View::new(view.map_err(wrap(ctx))?)))
    }
}
