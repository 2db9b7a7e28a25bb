//! Imports of courses: upload, background reading, preview, confirmation.

mod shapes;

use std::borrow::Cow;

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::ids::{CourseId, JobId};
use kurso_base::messages::Lang;
use kurso_base::pagination::Page as Paging;
use kurso_core::access::Viewer;
use kurso_core::imports::{self, ImportUpload, Into, Mode, Plan};
use kurso_formats::Format;
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

/// A form with a course in a file. The fields beside the file stand before it.
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
            form.description =
                Some("A form with a course in a file. The fields beside the file stand before it.".to_owned());
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
    /// The fields of an [`ImportForm`] beside the file.
    ImportFields -> Plan {
        mode: Given<Mode>,
        /// A course of the caller's that what is read goes into.
        course_id: Given<CourseId>,
        format: Given<Format>,
        /// False: stored as soon as it is read, without a preview to confirm.
        preview: Flag<true>,
        /// True: no page is published, and a new course gets no share code. An update ignores it.
        draft: Flag<false>,
    } => |fields| {
        let into = into(fields, mode, course_id);
        Some(Plan {
            into: into?.unwrap_or(Into::New),
            format: format?,
            preview: preview?,
            draft: draft?,
        })
    };

    /// Where the imported course goes.
    ImportTarget -> Target {
        /// `append` when there is a `course_id`; with neither, as the import was asked for.
        mode: Option<Mode>,
        /// A course of the caller's.
        course_id: Option<CourseId>,
        /// True: no page is published, and a new course gets no share code. As the import was asked for when left out.
        draft: Option<bool>,
    } => |fields| {
        let into = into(fields, mode, course_id);
        Some(Target {
            into: into?,
            draft: draft?,
        })
    };
}

/// What is confirmed; None: as its plan says.
pub struct Target {
    into: Option<Into>,
    draft: Option<bool>,
}

/// None when the mode needs a course that is missing, or one of them is invalid.
fn into(fields: &mut Fields<'_>, mode: Option<Option<Mode>>, course: Option<Option<CourseId>>) -> Option<Option<Into>> {
    // An invalid course is not reported as missing.
    let (mode, course) = (mode.flatten(), course?);
    let into = Into::of(mode, course);
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

/// Import Course
///
/// A course in a file: a zip of Kurso Markdown, of an mdBook or of quizzes of mdbook-quiz, or a file of questions in GIFT. The
/// answer comes when the file is there; it is read in the background, and `import_job` tells how far that is. Then it waits,
/// for seven days, until `confirm_import` says where it goes; with `preview: false` it is stored at once. The file may be ten
/// times as large as one of a page and counts against the caller's quota until the import ends. Two imports of one person are
/// worked on at once, the others wait.
#[utoipa::path(
    post, path = "/api/v1/courses/import", operation_id = "courses-import_course", tag = "courses",
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses(
        CourseRefusals, UploadRefusals,
        (status = 200, description = "The import", body = ImportJob),
        (status = 409, description = "Twenty imports of the caller are under way", body = HTTPError),
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

/// Import Job
///
/// How an import is, the titles of what was read, and the report: `skip`, `limit` and `outcome` are of its lines. Only for whoever
/// began it, and superusers.
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

/// My Imports
///
/// The caller's imports, those that ended in the last 30 days too. Order: newest first, then by id, descending.
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

/// Confirm Import
///
/// What was read is stored, in the background: into a new course of the caller, or where the body says. An update of a course
/// that was not compared with the file yet is compared first: the file is read once more, and the import waits again, with
/// `changes`. When the course has changed since so that other pages would go than were shown, the import fails and changes
/// nothing. Only for whoever began the import, and owner and editors of the course it goes into.
#[utoipa::path(
    post, path = "/api/v1/courses/confirm_import/{job_id}", operation_id = "courses-confirm_import", tag = "courses",
    request_body = ImportTarget,
    responses(
        CourseRefusals,
        (status = 200, description = "The import", body = ImportJob),
        (status = 400, description = "An inactive user, or a body that is not UTF-8", body = HTTPError),
        (status = 409, description = "The import does not wait for this", body = HTTPError),
    )
)]
pub async fn confirm_import(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<JobId>>,
    target: Result<Command<ImportTarget>>,
    lang: Lang,
) -> Result<Json<ImportJob>> {
    let (id, Command(Target { into, draft })) = with_path(path, target)?;
    let import = imports::confirm(&kurso, &viewer, id, into, draft).await?;
    Ok(Json(ImportJob::of(import, lang)))
}

/// Cancel Import
///
/// Nothing is stored, and the file goes. While it is worked on, that may take a moment. Only for whoever began the import, and
/// superusers.
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
