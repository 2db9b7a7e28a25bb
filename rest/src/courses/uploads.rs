//! Uploads by authors: files for pages, avatars of modules.

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::ids::ModuleId;
use kurso_core::access::Viewer;
use kurso_core::courses::avatar::AvatarUpload;
use kurso_core::files::upload::Upload;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::Module;
use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::openapi_parts::{CourseRefusals, SignedInRefusals, UploadRefusals};
use crate::upload::{FileForm, FileUpload};

/// An uploaded file.
#[derive(Serialize, ToSchema)]
pub struct UploadedFile {
    id: Uuid,
    /// Path `/files/…` for the content of pages. Anyone who has it may read the file.
    url: String,
    filename: String,
    /// Media type, detected from the content.
    content_type: String,
    /// Size in bytes.
    size: i64,
}

/// Upload a file for pages
///
/// Accepts a file of any type that is not empty and not above the server's limit (200 MB by default). A file that no page uses
/// is deleted after a period (7 days by default). Any active user may upload within their quota.
#[utoipa::path(
    post, path = "/api/v1/courses/upload_file", operation_id = "courses-upload_file", tag = "courses",
    request_body(content = FileUpload, content_type = "multipart/form-data"),
    responses(SignedInRefusals, UploadRefusals, (status = 200, description = "The file", body = UploadedFile))
)]
pub async fn upload_file(State(kurso): KursoState, viewer: Viewer, request: Request) -> Result<Json<UploadedFile>> {
    let form = FileForm::of(request)?;
    let upload = Upload::begin(&kurso, &viewer, form.announced()).await;
    let form = form.read_into(upload).await?;
    let file = form.sink.finish(&form.filename).await?;
    Ok(Json(UploadedFile {
        id: file.id.0,
        url: file.url(),
        filename: file.filename,
        content_type: file.content_type,
        size: file.size,
    }))
}

/// Upload the avatar of a module
///
/// Accepts PNG, JPEG, WebP, GIF and AVIF images up to 10 MB and 50 megapixels. The server stores the square in the middle, scaled
/// down to at most 512 pixels per side, without metadata. `update_module` with `avatar_url: null` removes the avatar. Owner and
/// editors.
#[utoipa::path(
    post, path = "/api/v1/courses/upload_module_avatar/{module_id}",
    operation_id = "courses-upload_module_avatar", tag = "courses",
    request_body(content = FileUpload, content_type = "multipart/form-data"),
    responses(CourseRefusals, UploadRefusals, (status = 200, description = "The module", body = Module))
)]
pub async fn upload_module_avatar(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<ModuleId>,
    request: Request,
) -> Result<Json<Module>> {
    let form = FileForm::of(request)?;
    let upload = AvatarUpload::begin(&kurso, &viewer, id, form.announced()).await;
    let form = form.read_into(upload).await?;
    Ok(Json(form.sink.finish().await?.into()))
}
