//! What can be done. Inputs are objects, answers are payloads; expected outcomes are data, faults are errors.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_core::auth;
use kurso_core::courses;
use kurso_core::error::Error;
use kurso_core::ids::{CourseId, PageId};
use kurso_core::learning;
use kurso_core::messages::{Lang, Message};
use kurso_core::users::{self, NewUser};
use serde_json::json;

use crate::context::{self, kurso, origin, viewer};
use crate::error::wrap;
use crate::types::{Course, Enrollment, Lesson, Page, User};

pub struct Mutation;

#[derive(InputObject)]
pub struct SignupInput {
    email: String,
    /// 8 to 128 characters.
    password: String,
    /// Surname, first name and patronymic joined by spaces; at most 255 characters.
    full_name: Option<String>,
}

#[derive(SimpleObject)]
pub struct SignupPayload {
    user: User,
}

#[derive(InputObject)]
pub struct LoginInput {
    email: String,
    password: String,
}

#[derive(SimpleObject)]
pub struct LoginPayload {
    /// Goes into `Authorization: Bearer …`; good for 8 days.
    access_token: String,
}

#[derive(SimpleObject)]
pub struct LogoutPayload {
    message: String,
}

#[derive(InputObject)]
pub struct GenerateShareCodeInput {
    course_id: ID,
}

#[derive(SimpleObject)]
pub struct GenerateShareCodePayload {
    course: Course,
}

#[derive(InputObject)]
pub struct EnrollInput {
    /// Read without regard to case, dashes and spaces; I and L are 1, O is 0.
    share_code: String,
}

/// An unknown code is an expected outcome: `enrollment` is null and `error` says so in the caller's language.
#[derive(SimpleObject)]
pub struct EnrollPayload {
    enrollment: Option<Enrollment>,
    error: Option<String>,
}

#[derive(InputObject)]
pub struct MarkPageVisitedInput {
    page_id: ID,
}

/// The new state, from the page up to the course.
#[derive(SimpleObject)]
pub struct MarkPageVisitedPayload {
    page: Page,
    lesson: Lesson,
    course: Course,
}

#[Object]
impl Mutation {
    /// Makes an account; no token needed.
    async fn signup(&self, ctx: &Context<'_>, input: SignupInput) -> Result<SignupPayload> {
        let body = json!({"email": input.email, "password": input.password, "full_name": input.full_name});
        let new = NewUser::from_signup(&body).map_err(wrap(ctx))?;
        let user = users::signup(kurso(ctx), &origin(ctx), new).await.map_err(wrap(ctx))?;
        Ok(SignupPayload { user: User(user) })
    }

    /// Signs in; no token needed.
    async fn login(&self, ctx: &Context<'_>, input: LoginInput) -> Result<LoginPayload> {
        let access_token = auth::login(kurso(ctx), &origin(ctx), &input.email, input.password)
            .await
            .map_err(wrap(ctx))?;
        Ok(LoginPayload { access_token })
    }

    /// Ends the session of the token in use.
    async fn logout(&self, ctx: &Context<'_>) -> Result<LogoutPayload> {
        auth::logout(kurso(ctx), viewer(ctx)?).await.map_err(wrap(ctx))?;
        let lang = ctx.data_opt::<Lang>().copied().unwrap_or_default();
        Ok(LogoutPayload {
            message: Message::LoggedOut.text(lang),
        })
    }

    /// Makes a new share code, which replaces the old one at once. Owner only.
    async fn generate_share_code(
        &self,
        ctx: &Context<'_>,
        input: GenerateShareCodeInput,
    ) -> Result<GenerateShareCodePayload> {
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let course = courses::generate_share_code(kurso(ctx), viewer(ctx)?, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(GenerateShareCodePayload {
            course: Course::from_row(course),
        })
    }

    /// Enrolls the caller; again, it answers with the same enrollment.
    async fn enroll(&self, ctx: &Context<'_>, input: EnrollInput) -> Result<EnrollPayload> {
        match learning::enroll(kurso(ctx), viewer(ctx)?, &origin(ctx), &input.share_code).await {
            Ok(row) => Ok(EnrollPayload {
                enrollment: Enrollment::of(Course::from_row(row)),
                error: None,
            }),
            Err(Error::NotFound(message)) => {
                let lang = ctx.data_opt::<Lang>().copied().unwrap_or_default();
                Ok(EnrollPayload {
                    enrollment: None,
                    error: Some(message.text(lang)),
                })
            }
            Err(error) => Err(wrap(ctx)(error)),
        }
    }

    /// Marks a page as visited; again, it changes nothing. FORBIDDEN without an enrollment.
    async fn mark_page_visited(
        &self,
        ctx: &Context<'_>,
        input: MarkPageVisitedInput,
    ) -> Result<MarkPageVisitedPayload> {
        let id: PageId = context::id(ctx, "page_id", &input.page_id)?;
        let (view, place) = learning::mark_page_visited(kurso(ctx), viewer(ctx)?, id)
            .await
            .map_err(wrap(ctx))?;
        let view = Arc::new(view);
        Ok(MarkPageVisitedPayload {
            lesson: Lesson {
                view: view.clone(),
                place: view.page(place).lesson,
            },
            course: Course::from_view(view.clone()),
            page: Page::alone(view, place),
        })
    }
}
