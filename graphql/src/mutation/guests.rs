//! Starts a course without an account, and moves what a guest did to an account.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_core::guests::{self, StartAsGuest};

use crate::context::{self, kurso, origin, viewer};
use crate::error::wrap;
use crate::language::lang;
use crate::types::id_of;

#[derive(Default)]
pub struct GuestsMutation;

/// A course to start. One of the two is required.
#[derive(InputObject)]
pub struct StartAsGuestInput {
    /// ID of a course with a public page.
    course_id: Option<ID>,
    /// The share code of a course or of a group, in any spelling.
    share_code: Option<String>,
}

/// A guest has started.
#[derive(SimpleObject)]
pub struct StartAsGuestPayload {
    /// Token for `Authorization: Bearer …`. It is valid for a year, but guests who send no request for 30 days are deleted.
    access_token: String,
    /// ID of the course.
    course_id: ID,
}

/// A guest to move to the caller's account.
#[derive(InputObject)]
pub struct MergeGuestInput {
    /// The access token of the guest.
    guest_token: String,
}

/// The guest was moved.
#[derive(SimpleObject)]
pub struct MergeGuestPayload {
    /// IDs of the courses of the guest; none if the guest is gone.
    course_ids: Vec<ID>,
    /// The attempts beyond the limit of their quizzes, which were deleted: those of the account count first.
    uncounted_attempts: i64,
}

#[Object]
impl GuestsMutation {
    /// Makes a guest and enrolls them in a course that allows guests; needs no token. A guest reads, takes quizzes and keeps notes; what needs an account
    /// is FORBIDDEN. NOT_FOUND for a course that does not allow guests; CLOSED after the end of enrollment.
    async fn start_as_guest(&self, ctx: &Context<'_>, input: StartAsGuestInput) -> Result<StartAsGuestPayload> {
        let course_id = input.course_id.as_ref();
        let course_id = course_id.map(|id| context::id(ctx, "course_id", id)).transpose()?;
        let start = StartAsGuest {
            course_id,
            share_code: input.share_code,
        };
        let started = guests::start(kurso(ctx), &origin(ctx), start, lang(ctx)).await;
        let started = started.map_err(wrap(ctx))?;
        Ok(StartAsGuestPayload {
            access_token: started.token,
            course_id: id_of(started.course),
        })
    }

    /// Moves enrollments, visits, attempts and notes of a guest to the caller's account, and deletes the guest. Where the caller is enrolled too, visits are
    /// united and attempts are added up to the limit of their quiz. Repeating it is harmless. BAD_USER_INPUT for another token.
    async fn merge_guest(&self, ctx: &Context<'_>, input: MergeGuestInput) -> Result<MergeGuestPayload> {
        let merged = guests::merge(kurso(ctx), viewer(ctx)?, &input.guest_token).await;
        let merged = merged.map_err(wrap(ctx))?;
        Ok(MergeGuestPayload {
            course_ids: merged.courses.into_iter().map(id_of).collect(),
            uncounted_attempts: merged.uncounted_attempts,
        })
    }
}
