//! The public pages of courses and the catalogue, for visitors without a token, and the settings of a public page.

use axum::Json;
use axum::extract::{Request, State};
use chrono::{DateTime, Utc};
use kurso_base::ids::CourseId;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::courses::cover::{self, CoverUpload};
use kurso_core::courses::visibility::{self, PublicPageSettings, SetVisibility, Visibility};
use kurso_core::{learning, public_page as core};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::KursoState;
use crate::courses::timeline::TimeIsOver;
use crate::error::Result;
use crate::extract::{Listing, Path};
use crate::fields::{Command, Field, Given, body, of_type};
use crate::learning::shapes::Enrollment;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams, SearchParams, SignedInRefusals, UploadRefusals};
use crate::response::{from_fields, lists};
use crate::upload::{FileForm, FileUpload};

impl Field for Visibility {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String)
            .enum_values(Some(["private", "link", "public"]))
            .into()
    }
}

body! {
    VisibilityUpdate -> SetVisibility {
        /// `private`: nobody but those in the course sees anything of it; `link`: its public page is shown to whoever has the address;
        /// `public`: the course is also in the catalogue and in search engines.
        visibility: Visibility,
        /// Whether people may start the course without an account, from its page or with a code. Absent: as before.
        allows_guests: Given<bool>,
    }
}

/// Settings of the public page of a course.
#[derive(Serialize, ToSchema)]
pub struct PublicPage {
    #[schema(pattern = "^(private|link|public)$")]
    visibility: &'static str,
    /// Path of the cover for the team of the course; null without one.
    #[schema(required)]
    cover_url: Option<String>,
    /// Whether people may start the course without an account, from its page or with a code.
    allows_guests: bool,
}

impl From<PublicPageSettings> for PublicPage {
    fn from(settings: PublicPageSettings) -> Self {
        PublicPage {
            visibility: settings.visibility.name(),
            cover_url: settings.cover_url,
            allows_guests: settings.allows_guests,
        }
    }
}

/// The cover of a course, for visitors.
#[derive(Serialize, ToSchema)]
pub struct Cover {
    /// Path `/courses/…`. It changes with the picture.
    url: String,
    /// In pixels.
    width: i64,
    /// In pixels.
    height: i64,
}

from_fields! {
    Cover from core::Cover { url, width, height }
    OutlineLesson from core::OutlineLesson { title, page_count, quiz_count }
    OutlineModule from core::OutlineModule { title, [lessons] }
}

/// A course of the catalogue.
#[derive(Serialize, ToSchema)]
pub struct CatalogueCourse {
    id: Uuid,
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    /// In the catalogue, its first 300 characters.
    #[schema(required)]
    description: Option<String>,
    #[schema(required)]
    cover: Option<Cover>,
    /// The full names of the owner and the editors; people without one are left out.
    authors: Vec<String>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    starts_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    ends_at: Option<DateTime<Utc>>,
    /// End of enrollment.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    enroll_until: Option<DateTime<Utc>>,
    /// IANA name of the zone of local times; null means UTC.
    #[schema(required)]
    time_zone: Option<String>,
    #[serde(serialize_with = "wire::time")]
    updated_at: DateTime<Utc>,
}

impl From<core::CatalogueEntry> for CatalogueCourse {
    fn from(entry: core::CatalogueEntry) -> Self {
        CatalogueCourse {
            id: entry.id.0,
            title: entry.title,
            description: entry.description,
            cover: entry.cover.map(Into::into),
            authors: entry.authors,
            starts_at: entry.dates.starts_at,
            ends_at: entry.dates.ends_at,
            enroll_until: entry.dates.enroll_until,
            time_zone: entry.dates.time_zone,
            updated_at: entry.updated_at,
        }
    }
}

lists! {
    /// A page of the catalogue.
    Catalogue of CatalogueCourse;
}

/// The public page of a course.
#[derive(Serialize, ToSchema)]
pub struct PublicCourse {
    #[serde(flatten)]
    course: CatalogueCourse,
    #[schema(pattern = "^(link|public)$")]
    visibility: &'static str,
    /// Whether a newcomer can enroll now.
    is_enrollment_open: bool,
    /// Whether people can start the course without an account.
    allows_guests: bool,
    lesson_count: i64,
    /// Published pages, with quizzes and assignments.
    page_count: i64,
    /// Published quizzes and assignments.
    quiz_count: i64,
    /// In order, without those that have no published page.
    modules: Vec<OutlineModule>,
}

/// A module on a public page.
#[derive(Serialize, ToSchema)]
pub struct OutlineModule {
    /// Null: newcomers do not see it yet.
    #[schema(required)]
    title: Option<String>,
    /// In order, without those that have no published page.
    lessons: Vec<OutlineLesson>,
}

/// A lesson on a public page.
#[derive(Serialize, ToSchema)]
pub struct OutlineLesson {
    /// Null: newcomers do not see it yet.
    #[schema(required)]
    title: Option<String>,
    /// Published pages, with quizzes and assignments.
    page_count: i64,
    /// Published quizzes and assignments.
    quiz_count: i64,
}

impl From<core::PublicPage> for PublicCourse {
    fn from(page: core::PublicPage) -> Self {
        PublicCourse {
            visibility: page.entry.visibility.name(),
            is_enrollment_open: page.is_enrollment_open,
            allows_guests: page.entry.allows_guests,
            lesson_count: page.lesson_count,
            page_count: page.page_count,
            quiz_count: page.quiz_count,
            modules: page.modules.into_iter().map(Into::into).collect(),
            course: page.entry.into(),
        }
    }
}

/// Read the public page of a course
///
/// For everybody, without a token. A private course, a deleted one and an unknown ID are the same 404.
#[utoipa::path(
    get, path = "/api/v1/courses/public_course/{course_id}", operation_id = "courses-public_course", tag = "courses",
    responses(
        (status = 200, description = "What visitors see of the course", body = PublicCourse),
        (status = 404, description = "There is no such course, or it has no public page", body = HTTPError),
        (status = 429, description = "Too many requests from this IP address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn public_course(
    State(kurso): KursoState,
    origin: Origin,
    Path(id): Path<CourseId>,
) -> Result<Json<PublicCourse>> {
    Ok(Json(core::read(&kurso, &origin, id).await?.into()))
}

/// List the public courses
///
/// For everybody, without a token. `search` matches the title. Order: last made public first, then by ID, descending.
#[utoipa::path(
    get, path = "/api/v1/courses/catalogue", operation_id = "courses-catalogue", tag = "courses",
    params(PagingParams, SearchParams),
    responses(
        (status = 200, description = "Public courses", body = Catalogue),
        (status = 429, description = "Too many requests from this IP address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn catalogue(State(kurso): KursoState, origin: Origin, listing: Listing) -> Result<Json<Catalogue>> {
    let found = core::list(&kurso, &origin, &listing.search, listing.page).await?;
    Ok(Json(found.into()))
}

/// Read the settings of the public page of a course
///
/// Owner, editors, teachers, reviewers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/public_page/{course_id}", operation_id = "courses-public_page", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The settings", body = PublicPage))
)]
pub async fn public_page(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<PublicPage>> {
    Ok(Json(visibility::settings(&kurso, &viewer, id).await?.into()))
}

/// Set who sees the public page of a course
///
/// Owner only, because whoever sees the page can enroll. A superuser may set `private` without guests.
#[utoipa::path(
    put, path = "/api/v1/courses/set_visibility/{course_id}", operation_id = "courses-set_visibility", tag = "courses",
    request_body = VisibilityUpdate,
    responses(CourseRefusals, (status = 200, description = "The settings", body = PublicPage))
)]
pub async fn set_visibility(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    Command(to): Command<VisibilityUpdate>,
) -> Result<Json<PublicPage>> {
    Ok(Json(visibility::set(&kurso, &viewer, id, to).await?.into()))
}

/// Upload the cover of a course
///
/// Accepts PNG, JPEG, WebP, GIF and AVIF images up to 10 MB and 50 megapixels. The server stores the middle in the format 16:9, scaled
/// down to at most 1280 by 720 pixels, without metadata. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/upload_cover/{course_id}", operation_id = "courses-upload_cover", tag = "courses",
    request_body(content = FileUpload, content_type = "multipart/form-data"),
    responses(CourseRefusals, UploadRefusals, (status = 200, description = "The settings", body = PublicPage))
)]
pub async fn upload_cover(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
    request: Request,
) -> Result<Json<PublicPage>> {
    let form = FileForm::of(request)?;
    let upload = CoverUpload::begin(&kurso, &viewer, id, form.announced()).await;
    let form = form.read_into(upload).await?;
    Ok(Json(form.sink.finish().await?.into()))
}

/// Remove the cover of a course
///
/// Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/remove_cover/{course_id}", operation_id = "courses-remove_cover", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The settings", body = PublicPage))
)]
pub async fn remove_cover(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<PublicPage>> {
    Ok(Json(cover::remove(&kurso, &viewer, id).await?.into()))
}

/// Enroll in a course from its public page
///
/// A user who is already enrolled gets the existing enrollment. An ended enrollment returns with its group and progress.
#[utoipa::path(
    post, path = "/api/v1/courses/join_course/{course_id}", operation_id = "courses-join_course", tag = "courses",
    responses(
        SignedInRefusals,
        (status = 200, description = "The enrollment", body = Enrollment),
        (status = 404, description = "There is no such course, it has no public page, or the user is deleted", body = HTTPError),
        (status = 409, description = "Enrollment has ended", body = TimeIsOver),
    )
)]
pub async fn join_course(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CourseId>,
) -> Result<Json<Enrollment>> {
    let course = learning::join_course(&kurso, &viewer, id).await?;
    Ok(Json(crate::learning::enrolled(&kurso, course).await?))
}
