//! Mutations of imports. The file itself is uploaded over REST, as all files are.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{FileId, JobId};
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::Change;
use kurso_core::imports::{self, Confirmed, Plan, Target};
use kurso_formats::{Format, Headings};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::Fields;
use crate::types::{ImportFormat, ImportJob, ImportMode};

#[derive(Default)]
pub struct ImportsMutation;

/// A course file that was uploaded with `upload_file` of REST. Larger files are uploaded with `import` of REST.
#[derive(InputObject)]
pub struct ImportCourseInput {
    /// ID from the response of the upload. The file is deleted when the import ends, unless something else uses it.
    file_id: ID,
    /// Target course, which the caller must be allowed to edit. Required by APPEND and UPDATE.
    course_id: Option<ID>,
    /// Default: APPEND with a `courseId`, otherwise NEW.
    mode: Option<ImportMode>,
    /// Default: detected from the content.
    format: Option<ImportFormat>,
    /// False: the course is stored as soon as it is read, without confirmation.
    #[graphql(default = true)]
    preview: bool,
    /// True: no page is published, and a new course gets no share code. An update ignores it.
    #[graphql(default = false)]
    draft: bool,
    /// What the headings of a single document begin, from level 1 on: `module`, `lesson`, `page` or `none`, separated by
    /// commas, each at most once, the larger parts first. Default: the reader decides.
    headings: Option<String>,
    /// When the course is to start: all dates move by as many days as its start. A day keeps the time of day of the start.
    /// Default: as in the file.
    starts_at: Option<String>,
}

/// The import was started.
#[derive(SimpleObject)]
pub struct ImportCoursePayload {
    /// The import; `importProgress` reports its changes.
    job: ImportJob,
}

/// The confirmation of an import, with its target.
#[derive(InputObject)]
pub struct ConfirmImportInput {
    /// ID of the import.
    job_id: ID,
    /// Target course, which the caller must be allowed to edit.
    course_id: Option<ID>,
    /// Default: APPEND with a `courseId`; without one, the mode given at the start.
    mode: Option<ImportMode>,
    /// True: no page is published, and a new course gets no share code. Default: the value given at the start.
    draft: Option<bool>,
    /// What the headings of a single document begin, as in `ImportCourseInput`; null: the reader decides. Default: the value of the preview.
    headings: MaybeUndefined<String>,
    /// When the course is to start, as in `ImportCourseInput`. Default: the value given at the start.
    starts_at: Option<String>,
}

/// The import was confirmed.
#[derive(SimpleObject)]
pub struct ConfirmImportPayload {
    /// The import in its current state.
    job: ImportJob,
}

/// An import to cancel.
#[derive(InputObject)]
pub struct CancelImportInput {
    /// ID of the import.
    job_id: ID,
}

/// The import was cancelled.
#[derive(SimpleObject)]
pub struct CancelImportPayload {
    /// The import in its current state: a running import may take a moment to stop.
    job: ImportJob,
}

#[Object]
impl ImportsMutation {
    /// Starts an import of one of the caller's files; NOT_FOUND for files of others. CONFLICT when the caller has twenty
    /// unfinished imports. The caller must be allowed to edit the target course.
    async fn import_course(&self, ctx: &Context<'_>, input: ImportCourseInput) -> Result<ImportCoursePayload> {
        let viewer = viewer(ctx)?;
        let file: FileId = context::id(ctx, "file_id", &input.file_id)?;
        let plan = Plan {
            into: target(ctx, input.mode, input.course_id)?.unwrap_or(Target::New),
            format: input.format.map(Format::from),
            preview: input.preview,
            draft: input.draft,
            headings: headings(ctx, input.headings)?,
            starts_at: start(ctx, input.starts_at)?,
        };
        let import = imports::of_file(kurso(ctx), viewer, file, plan).await;
        let job = ImportJob(import.map_err(wrap(ctx))?);
        Ok(ImportCoursePayload { job })
    }

    /// Stores the course in the background: as a new course of the caller, or in the target of the input. An update of a course
    /// that is not yet compared with the file is compared first: the file is read again, and the import waits for another
    /// confirmation, with `changes` in its preview; so it is with other `headings`, and for an update with another `startsAt`, than those of the preview. If the course has changed in the meantime so that other pages than shown
    /// would be deleted, the import fails and changes nothing. Only for the user who started the import, who must be owner or
    /// editor of the target course; CONFLICT unless the import waits for a confirmation.
    async fn confirm_import(&self, ctx: &Context<'_>, input: ConfirmImportInput) -> Result<ConfirmImportPayload> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &input.job_id)?;
        let confirmed = Confirmed {
            into: target(ctx, input.mode, input.course_id)?,
            draft: input.draft,
            headings: changed_headings(ctx, input.headings)?,
            starts_at: start(ctx, input.starts_at)?,
        };
        let import = imports::confirm(kurso(ctx), viewer, id, confirmed).await;
        let job = ImportJob(import.map_err(wrap(ctx))?);
        Ok(ConfirmImportPayload { job })
    }

    /// Cancels an import: nothing is stored, and the file is deleted. CONFLICT when it has already ended.
    async fn cancel_import(&self, ctx: &Context<'_>, input: CancelImportInput) -> Result<CancelImportPayload> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &input.job_id)?;
        let import = imports::cancel(kurso(ctx), viewer, id).await;
        let job = ImportJob(import.map_err(wrap(ctx))?);
        Ok(CancelImportPayload { job })
    }
}

fn headings(ctx: &Context<'_>, text: Option<String>) -> Result<Option<Headings>> {
    let mut fields = Fields::default();
    let headings = fields.optional("headings", text);
    fields.finish(headings).map_err(wrap(ctx))
}

fn changed_headings(ctx: &Context<'_>, text: MaybeUndefined<String>) -> Result<Change<Headings>> {
    let mut fields = Fields::default();
    let headings = fields.change("headings", text);
    fields.finish(headings).map_err(wrap(ctx))
}

fn start(ctx: &Context<'_>, text: Option<String>) -> Result<Option<ScheduleTime>> {
    let mut fields = Fields::default();
    let start = fields.optional("starts_at", text);
    fields.finish(start).map_err(wrap(ctx))
}

/// The target of the import; None when neither is given.
fn target(ctx: &Context<'_>, mode: Option<ImportMode>, course: Option<ID>) -> Result<Option<Target>> {
    let mut fields = Fields::default();
    let target = fields.optional("course_id", course).and_then(|course| {
        let target = Target::of(mode.map(Into::into), course);
        target.map_err(|problem| fields.refuse("course_id", problem)).ok()
    });
    fields.finish(target).map_err(wrap(ctx))
}
