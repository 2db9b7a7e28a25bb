//! Imports of courses: upload, background reading, preview, confirmation.

pub(super) mod shapes;

use std::borrow::Cow;

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::ids::{CourseId, JobId};
use kurso_base::messages::Lang;
use kurso_base::pagination::Page as Paging;
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::Change;
use kurso_core::access::Viewer;
use kurso_core::imports::{self, Confirmed, ImportUpload, Mode, Plan};
use kurso_formats::{Format, Headings};
use serde_json::Value;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat};
use utoipa::{PartialSchema, ToSchema};

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, ReportQuery, with_path};
use crate::fields::{Command, Field, Fields, Flag, Given, body};
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams, SignedInRefusals, UploadRefusals};
use crate::upload::FileForm;
use shapes::{
    ImportChanges, ImportFormat, ImportJob, ImportJobs, ImportMode, ImportPreview, ImportReport, ImportReportEntry,
    ImportTree, OutcomeParams,
};

/// A form with a course file. The other fields must precede the file.
pub struct ImportForm;

impl PartialSchema for ImportForm {
    fn schema() -> RefOr<Schema> {
        let mut schema = ImportFields::schema();
        if let RefOr::T(Schema::Object(form)) = &mut schema {
            let file = ObjectBuilder::new()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
                .content_media_type("application/octet-stream");
            form.properties.insert("file".to_owned(), file.into());
            form.required.push("file".to_owned());
            form.description = Some("A form with a course file. The other fields must precede the file.".to_owned());
        }
        schema
    }
}

impl ToSchema for ImportForm {
    fn name() -> Cow<'static, str> {
        "ImportForm".into()
    }
}

body! {
    /// The fields of an [`ImportForm`] other than the file.
    ImportFields -> Plan {
        mode: Given<Mode>,
        /// Target course, which the caller must be allowed to edit. Required by `append` and `update`.
        course_id: Given<CourseId>,
        format: Given<Format>,
        /// False: the course is stored as soon as it is read, without confirmation.
        preview: Flag<true>,
        /// True: no page is published, and a new course gets no share code. An update ignores it.
        draft: Flag<false>,
        headings: Given<Headings>,
        /// When the course is to start: all dates move by as many days as its start. A day keeps the time of day of the start. Default: as in
        /// the file.
        starts_at: Given<ScheduleTime>,
    } => |fields| {
        let into = into(fields, mode, course_id);
        Some(Plan {
            into: into?.unwrap_or(imports::Target::New),
            format: format?,
            preview: preview?,
            draft: draft?,
            headings: headings?,
            starts_at: starts_at?,
        })
    };

    /// Where the imported course goes.
    ImportTarget -> Confirmed {
        /// Default: `append` with a `course_id`; without one, the mode given at the upload.
        mode: Option<Mode>,
        /// Target course, which the caller must be allowed to edit.
        course_id: Option<CourseId>,
        /// True: no page is published, and a new course gets no share code. Default: the value given at the upload.
        draft: Option<bool>,
        /// What the headings of a single document begin, as at the upload; null: the reader decides. Default: the value of the preview.
        headings: Change<Headings>,
        /// When the course is to start, as at the upload. Default: the value given at the upload.
        starts_at: Option<ScheduleTime>,
    } => |fields| {
        let into = into(fields, mode, course_id);
        Some(Confirmed {
            into: into?,
            draft: draft?,
            headings: headings?,
            starts_at: starts_at?,
        })
    };
}

/// None when the mode needs a course that is missing, or one of them is invalid.
fn into(
    fields: &mut Fields<'_>,
    mode: Option<Option<Mode>>,
    course: Option<Option<CourseId>>,
) -> Option<Option<imports::Target>> {
    // An invalid course is not reported as missing.
    let (mode, course) = (mode.flatten(), course?);
    let into = imports::Target::of(mode, course);
    into.map_err(|problem| fields.refuse("course_id", problem)).ok()
}

impl Field for Mode {
    fn schema() -> RefOr<Schema> {
        <ImportMode as PartialSchema>::schema()
    }
}

impl Field for Format {
    fn schema() -> RefOr<Schema> {
        <ImportFormat as PartialSchema>::schema()
    }
}

impl Field for Headings {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "What the headings of a single document begin, from level 1 on: `module`, `lesson`, `page` or `none`, separated by commas, each at most once, the larger parts first. Default: the reader decides.",
            ))
            .examples(["lesson,page"])
            .into()
    }
}

/// Import a course from a file
///
/// Accepts Kurso Markdown, mdBook, mdbook-quiz, IMS Common Cartridge (also Canvas), Open edX and Markdown, HTML or Word documents
/// as a zip, a book in EPUB, and questions in GIFT or Aiken. The response is sent when the file is received; the file is read in the background,
/// and `import_job` reports the progress. The import then waits up to seven days for `confirm_import`; with `preview: false` the
/// course is stored at once. The file may be ten times as large as a file for pages and counts towards the caller's quota until
/// the import ends. One import of a user runs at a time; the others wait.
#[utoipa::path(
    post, path = "/api/v1/courses/import", operation_id = "courses-import_course", tag = "courses",
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses(
        CourseRefusals, UploadRefusals,
        (status = 200, description = "The import", body = ImportJob),
        (status = 409, description = "The caller already has twenty unfinished imports", body = HTTPError),
    )
)]
pub async fn import_course(
    State(kurso): KursoState,
    viewer: Viewer,
    lang: Lang,
    request: Request,
) -> Result<Json<ImportJob>> {
    let form = FileForm::of(request)?;
    let upload = ImportUpload::begin(&kurso, &viewer, form.announced()).await;
    let form = form.read_into(upload).await?;
    let Command(plan) = Command::<ImportFields>::of(&Value::Object(form.fields))?;
    let import = form.sink.finish(&form.filename, plan).await?;
    Ok(Json(ImportJob::of(import, lang)))
}

/// Get an import
///
/// Returns the state of the import, the titles of its content and its report; `skip`, `limit` and `outcome` select lines of the
/// report. Only for the user who started the import, and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/import/{job_id}", operation_id = "courses-import_job", tag = "courses",
    params(PagingParams, OutcomeParams),
    responses(CourseRefusals, (status = 200, description = "The import", body = ImportPreview))
)]
pub async fn import_job(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<JobId>>,
    query: Result<ReportQuery>,
    lang: Lang,
) -> Result<Json<ImportPreview>> {
    let (id, query) = with_path(path, query)?;
    let preview = imports::preview(&kurso, &viewer, id).await?;
    let listed = preview.lines(query.outcome, query.page);
    let report = ImportReport {
        data: listed
            .data
            .into_iter()
            .map(|line| ImportReportEntry::of(line, lang))
            .collect(),
        count: listed.count,
    };
    Ok(Json(ImportPreview {
        job: ImportJob::of(preview.import, lang),
        tree: ImportTree::of(preview.tree),
        changes: preview.changes.map(ImportChanges::of),
        report,
    }))
}

/// List the caller's imports
///
/// Includes the imports that ended in the last 30 days. Order: newest first, then by ID, descending.
#[utoipa::path(
    get, path = "/api/v1/courses/my_imports", operation_id = "courses-my_imports", tag = "courses",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "Imports", body = ImportJobs))
)]
pub async fn my_imports(
    State(kurso): KursoState,
    viewer: Viewer,
    page: Paging,
    lang: Lang,
) -> Result<Json<ImportJobs>> {
    let listed = imports::list(&kurso, &viewer, page).await?;
    Ok(Json(ImportJobs {
        data: listed
            .data
            .into_iter()
            .map(|import| ImportJob::of(import, lang))
            .collect(),
        count: listed.count,
    }))
}

/// Confirm an import
///
/// Stores the course in the background: as a new course of the caller, or in the target that the body names. An update of a
/// course that is not yet compared with the file is compared first: the file is read again, and the import waits for another
/// confirmation, with `changes`; so it is with other `headings`, and for an update with another `starts_at`, than those of the preview. If the course has changed in the meantime so that other pages than shown would be deleted, the
/// import fails and changes nothing. Only for the user who started the import, who must be owner or editor of the target course.
#[utoipa::path(
    post, path = "/api/v1/courses/confirm_import/{job_id}", operation_id = "courses-confirm_import", tag = "courses",
    request_body = ImportTarget,
    responses(
        CourseRefusals,
        (status = 200, description = "The import", body = ImportJob),
        (status = 400, description = "The user is inactive, or the body is not UTF-8", body = HTTPError),
        (status = 409, description = "The import does not wait for a confirmation", body = HTTPError),
    )
)]
pub async fn confirm_import(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<JobId>>,
    target: Result<Command<ImportTarget>>,
    lang: Lang,
) -> Result<Json<ImportJob>> {
    let (id, Command(confirmed)) = with_path(path, target)?;
    let import = imports::confirm(&kurso, &viewer, id, confirmed).await?;
    Ok(Json(ImportJob::of(import, lang)))
}

/// Cancel an import
///
/// Nothing is stored, and the file is deleted. A running import may take a moment to stop. Only for the user who started the
/// import, and superusers.
#[utoipa::path(
    post, path = "/api/v1/courses/cancel_import/{job_id}", operation_id = "courses-cancel_import", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The import", body = ImportJob),
        (status = 409, description = "The import has ended already", body = HTTPError),
    )
)]
pub async fn cancel_import(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<JobId>,
    lang: Lang,
) -> Result<Json<ImportJob>> {
    let import = imports::cancel(&kurso, &viewer, id).await?;
    Ok(Json(ImportJob::of(import, lang)))
}
