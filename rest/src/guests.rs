//! Starting a course without an account, and moving what a guest did to an account.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::guests::{self, Door, StartAsGuest};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::KursoState;
use crate::courses::timeline::TimeIsOver;
use crate::error::Result;
use crate::extract::PathText;
use crate::fields::{Command, Given, body};
use crate::openapi_parts::{HTTPError, SignedInRefusals};

/// The token of a guest, to move to the caller's account.
pub struct GuestToken(String);

body! {
    /// One of the two is required.
    GuestStart -> StartAsGuest {
        /// A course with a public page.
        course_id: Given<CourseId>,
        /// The share code of a course or of a group, in any spelling.
        share_code: Given<String>,
    }

    GuestMerge -> GuestToken {
        /// The access token of the guest.
        guest_token: String,
    } => |_fields| Some(GuestToken(guest_token?));
}

/// A guest who has just started.
#[derive(Serialize, ToSchema)]
pub struct StartedGuest {
    /// For the header `Authorization: Bearer …`. It is valid for a year, but guests who send no request for 30 days are deleted.
    access_token: String,
    token_type: &'static str,
    course_id: Uuid,
}

/// A course that can be started without an account.
#[derive(Serialize, ToSchema)]
pub struct GuestCourse {
    id: Uuid,
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    /// End of enrollment.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    enroll_until: Option<DateTime<Utc>>,
}

/// The result of moving a guest to an account.
#[derive(Serialize, ToSchema)]
pub struct MergedGuest {
    /// The courses of the guest.
    course_ids: Vec<Uuid>,
    /// The attempts beyond the limit of their quizzes, which were deleted: those of the account count first.
    uncounted_attempts: i64,
}

/// Start a course without an account
///
/// Makes a guest and enrolls them in a course that allows guests. Needs no token. A guest reads, takes quizzes and keeps notes; what needs
/// an account is 403. `merge_guest` moves all of it to an account.
#[utoipa::path(
    post, path = "/api/v1/login/guest", operation_id = "login-start_as_guest", tag = "login",
    request_body = GuestStart,
    responses(
        (status = 200, description = "The token of the guest", body = StartedGuest),
        (status = 404, description = "There is no such course, or it does not allow guests", body = HTTPError),
        (status = 409, description = "Enrollment has ended", body = TimeIsOver),
        (status = 429, description = "Too many guests or wrong codes from this IP address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn start_as_guest(
    State(kurso): KursoState,
    origin: Origin,
    lang: Lang,
    Command(start): Command<GuestStart>,
) -> Result<Json<StartedGuest>> {
    let started = guests::start(&kurso, &origin, start, lang).await?;
    Ok(Json(StartedGuest {
        access_token: started.token,
        token_type: "bearer",
        course_id: started.course.0,
    }))
}

/// Read which course a guest can start with a share code
///
/// Needs no token. A code of a course that does not allow guests and an unknown code are the same 404.
#[utoipa::path(
    get, path = "/api/v1/courses/guest_course/{share_code}", operation_id = "courses-guest_course", tag = "courses",
    responses(
        (status = 200, description = "The course", body = GuestCourse),
        (status = 404, description = "There is no such code, or the course does not allow guests", body = HTTPError),
        (status = 429, description = "Too many wrong codes from this IP address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn guest_course(
    State(kurso): KursoState,
    origin: Origin,
    PathText(share_code): PathText,
) -> Result<Json<GuestCourse>> {
    let course = guests::course(&kurso, &origin, &Door::Code(share_code)).await?;
    Ok(Json(GuestCourse {
        id: course.id.0,
        title: course.title,
        enroll_until: course.enroll_until,
    }))
}

/// Move what a guest did to the caller's account
///
/// Moves enrollments, visits, attempts and notes, and deletes the guest. Where the caller is enrolled too, visits are united and attempts are
/// added up to the limit of their quiz. Repeating the call is harmless.
#[utoipa::path(
    post, path = "/api/v1/users/me/merge_guest", operation_id = "users-merge_guest", tag = "users",
    request_body = GuestMerge,
    responses(
        SignedInRefusals,
        (status = 200, description = "What was moved; nothing if the guest is gone", body = MergedGuest),
        (status = 400, description = "The token is not one of a guest, the user is inactive, or the body is not UTF-8", body = HTTPError),
    )
)]
pub async fn merge_guest(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(GuestToken(token)): Command<GuestMerge>,
) -> Result<Json<MergedGuest>> {
    let merged = guests::merge(&kurso, &viewer, &token).await?;
    Ok(Json(MergedGuest {
        course_ids: merged.courses.into_iter().map(|course| course.0).collect(),
        uncounted_attempts: merged.uncounted_attempts,
    }))
}
