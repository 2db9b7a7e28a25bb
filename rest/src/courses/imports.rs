//! Imports of courses: upload, background reading, preview, confirmation.

use std::borrow::Cow;

use axum::Json;
use axum::extract::{Request, State};
use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, JobId};
use kurso_base::messages::Lang;
use kurso_base::pagination::Page as Paging;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::imports::{
    self, ChangedPage, Changes, ImportUpload, Into, Line, Mode, Plan, Tree, TreeLesson, TreeModule, TreePage,
};
use kurso_core::jobs::State as JobState;
use kurso_formats::Format;
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, ReportQuery, with_path};
use crate::fields::{Command, Field, Fields, Flag, Given, body};
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams, SignedInRefusals, UploadRefusals};
use crate::upload::FileForm;

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
    } => |fields| {
        let into = into(fields, mode, course_id);
        Some(Plan {
            into: into?.unwrap_or(Into::New),
            format: format?,
            preview: preview?,
        })
    };

    /// Where the imported course goes.
    ImportTarget -> Target {
        /// `append` when there is a `course_id`; with neither, as the import was asked for.
        mode: Option<Mode>,
        /// A course of the caller's.
        course_id: Option<CourseId>,
    } => |fields| into(fields, mode, course_id);
}

/// Where a confirmed import goes; None: as its plan says.
type Target = Option<Into>;

/// None when the mode needs a course that is missing, or one of them is wrong.
fn into(fields: &mut Fields<'_>, mode: Option<Option<Mode>>, course: Option<Option<CourseId>>) -> Option<Target> {
    // A wrong course is not missing.
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

/// Into a new course, after the last module of a course, or in place of what a course says: what has the same keys there stays,
/// with visits and attempts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportMode {
    New,
    Append,
    Update,
}

/// The forms a course is read from; told by what is in the file when left out.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "describes what the core reads")]
pub enum ImportFormat {
    Mdbook,
    Markdown,
    MdbookQuiz,
    Gift,
    Imscc,
    Olx,
    Documents,
}

/// Where an import is: it waits for its turn, is worked on, waits for the caller to confirm what was read, or has ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    Waiting,
    Running,
    Ready,
    Done,
    Failed,
    Cancelled,
}

/// What an import is about at the moment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportStage {
    Reading,
    Storing,
}

/// A course on its way in.
#[derive(Serialize, ToSchema)]
pub struct ImportJob {
    id: Uuid,
    #[schema(inline)]
    state: ImportState,
    #[schema(inline)]
    stage: ImportStage,
    /// Of the file, as it was uploaded.
    filename: String,
    #[schema(inline)]
    mode: ImportMode,
    /// The course that what is read goes into; null for a new one.
    #[schema(required)]
    into_course_id: Option<Uuid>,
    progress: ImportProgress,
    /// What was read; null until it was.
    #[schema(required)]
    found: Option<ImportFound>,
    /// Why it failed, in the caller's language.
    #[schema(required)]
    failure: Option<String>,
    /// What came of it, when it is done.
    #[schema(required)]
    course_id: Option<Uuid>,
    #[serde(serialize_with = "wire::time")]
    created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    updated_at: DateTime<Utc>,
}

/// How far the reading is.
#[derive(Serialize, ToSchema)]
pub struct ImportProgress {
    done: i64,
    /// 0: not known.
    total: i64,
    /// The file it is at.
    file: String,
}

/// What was read, in short.
#[derive(Serialize, ToSchema)]
pub struct ImportFound {
    title: String,
    #[schema(required)]
    description: Option<String>,
    modules: usize,
    lessons: usize,
    pages: usize,
    questions: usize,
    files: usize,
    /// Lines of the report about what is there as it was.
    carried: i64,
    /// About what is there in another form.
    changed: i64,
    /// About what is not there.
    not_carried: i64,
}

/// One's own imports.
#[derive(Serialize, ToSchema)]
pub struct ImportJobs {
    data: Vec<ImportJob>,
    /// How many there are in all.
    count: i64,
}

/// An import with what was read.
#[derive(Serialize, ToSchema)]
pub struct ImportPreview {
    #[serde(flatten)]
    job: ImportJob,
    tree: ImportTree,
    /// What an update would do; null for all others, and until it was read.
    #[schema(required)]
    changes: Option<ImportChanges>,
    report: ImportReport,
}

/// The titles as they would stand in the course; empty until the file was read.
#[derive(Serialize, ToSchema)]
pub struct ImportTree {
    modules: Vec<ImportTreeModule>,
    /// Modules, lessons and pages beyond the first 2000.
    omitted: i64,
}

#[derive(Serialize, ToSchema)]
pub struct ImportTreeModule {
    title: String,
    lessons: Vec<ImportTreeLesson>,
}

#[derive(Serialize, ToSchema)]
pub struct ImportTreeLesson {
    title: String,
    pages: Vec<ImportTreePage>,
}

#[derive(Serialize, ToSchema)]
pub struct ImportTreePage {
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    title: Option<String>,
    /// Of a quiz; null for a page of content.
    #[schema(required)]
    questions: Option<i64>,
    published: bool,
}

/// What an update would do to the pages of its course: how many are kept as they are, changed, new or removed.
#[derive(Serialize, ToSchema)]
pub struct ImportChanges {
    stays: i64,
    changed: i64,
    new: i64,
    goes: i64,
    /// Visits of learners to the pages that go, which go along.
    visits: i64,
    /// Their attempts at quizzes on those pages.
    attempts: i64,
    /// Those that go, then those that are changed, those that are new, those that stay.
    pages: Vec<ImportPageChange>,
    /// Pages beyond the first 2000.
    omitted: i64,
}

/// What becomes of a page.
#[derive(Serialize, ToSchema)]
pub struct ImportPageChange {
    /// Null for a new one.
    #[schema(required)]
    page_id: Option<Uuid>,
    #[schema(inline, value_type = ImportChange)]
    change: String,
    /// The title of its module: of one that goes as it is, of others as it would be.
    module: String,
    /// The title of its lesson.
    lesson: String,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    title: Option<String>,
    /// In its lesson, from 1.
    number: i64,
    /// Of learners, on a page that goes; 0 on others.
    visits: i64,
    /// At the quiz of a page that goes; 0 on others.
    attempts: i64,
}

/// It says what it said; its title, text, questions, publication or lesson is another; it is new; it goes, with what learners
/// did there.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ImportChange {
    Stays,
    Changed,
    New,
    Goes,
}

/// A part of the report.
#[derive(Serialize, ToSchema)]
pub struct ImportReport {
    data: Vec<ImportReportEntry>,
    /// How many lines there are, of the outcome that was asked for.
    count: i64,
}

/// One thing that is worth saying, in the caller's language.
#[derive(Serialize, ToSchema)]
pub struct ImportReportEntry {
    /// File and line.
    r#where: String,
    what: String,
    #[schema(inline, value_type = ImportOutcome)]
    outcome: String,
    why: String,
}

/// What became of it: it is there as it was, in another form, or not.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ImportOutcome {
    Carried,
    Changed,
    NotCarried,
}

/// Which lines of the report.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct OutcomeParams {
    /// All when left out.
    #[param(inline)]
    outcome: Option<ImportOutcome>,
}

impl ImportJob {
    fn of(import: imports::Import, lang: Lang) -> Self {
        ImportJob {
            id: import.id.0,
            state: match import.state {
                JobState::Waiting => ImportState::Waiting,
                JobState::Running => ImportState::Running,
                JobState::Ready => ImportState::Ready,
                JobState::Done => ImportState::Done,
                JobState::Failed => ImportState::Failed,
                JobState::Cancelled => ImportState::Cancelled,
            },
            stage: if import.is_storing {
                ImportStage::Storing
            } else {
                ImportStage::Reading
            },
            filename: import.filename,
            mode: match import.into {
                Into::New => ImportMode::New,
                Into::Append(_) => ImportMode::Append,
                Into::Update(_) => ImportMode::Update,
            },
            into_course_id: import.into.course().map(|course| course.0),
            progress: ImportProgress {
                done: import.progress.done,
                total: import.progress.total,
                file: import.progress.at,
            },
            found: import.found.map(ImportFound::of),
            failure: import.failure.map(|why| why.text(lang)),
            course_id: import.course_id.map(|course| course.0),
            created_at: import.created_at,
            updated_at: import.updated_at,
        }
    }
}

impl ImportFound {
    fn of(found: imports::Found) -> Self {
        ImportFound {
            title: found.title,
            description: found.description,
            modules: found.counts.modules,
            lessons: found.counts.lessons,
            pages: found.counts.pages,
            questions: found.counts.questions,
            files: found.counts.files,
            carried: found.outcomes.carried,
            changed: found.outcomes.changed,
            not_carried: found.outcomes.not_carried,
        }
    }
}

impl ImportTree {
    fn of(tree: Tree) -> Self {
        let page = |page: TreePage| ImportTreePage {
            title: page.title,
            questions: page.questions,
            published: page.published,
        };
        let lesson = |lesson: TreeLesson| ImportTreeLesson {
            title: lesson.title,
            pages: lesson.pages.into_iter().map(page).collect(),
        };
        let module = |module: TreeModule| ImportTreeModule {
            title: module.title,
            lessons: module.lessons.into_iter().map(lesson).collect(),
        };
        ImportTree {
            modules: tree.modules.into_iter().map(module).collect(),
            omitted: tree.omitted,
        }
    }
}

impl ImportChanges {
    fn of(changes: Changes) -> Self {
        let lost = changes.lost();
        let page = |page: ChangedPage| ImportPageChange {
            page_id: page.page.map(|page| page.0),
            change: page.change,
            module: page.module,
            lesson: page.lesson,
            title: page.title,
            number: page.number,
            visits: page.lost.visits,
            attempts: page.lost.attempts,
        };
        ImportChanges {
            stays: changes.stays,
            changed: changes.changed,
            new: changes.new,
            goes: changes.goes,
            visits: lost.visits,
            attempts: lost.attempts,
            pages: changes.pages.into_iter().map(page).collect(),
            omitted: changes.omitted,
        }
    }
}

impl ImportReportEntry {
    fn of(line: &Line, lang: Lang) -> Self {
        let (what, why) = line.texts(lang);
        ImportReportEntry {
            r#where: line.place.clone(),
            what: what.to_owned(),
            outcome: line.outcome.clone(),
            why: why.to_owned(),
        }
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
    let (id, asked) = with_path(path, query)?;
    let preview = imports::preview(&kurso, &viewer, id).await?;
    let listed = preview.lines(asked.outcome, asked.page);
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
    let (id, Command(into)) = with_path(path, target)?;
    let import = imports::confirm(&kurso, &viewer, id, into).await?;
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
