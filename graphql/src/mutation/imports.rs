//! Mutations of imports. The file itself is uploaded over REST, as all files are.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::{FileId, JobId};
use kurso_core::imports::{self, Into as Target, Plan};
use kurso_formats::Format;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::Fields;
use crate::types::{ImportFormat, ImportJob, ImportMode};

#[derive(Default)]
pub struct ImportsMutation;

/// A course in a file that was uploaded over REST, by `upload_file`. What is larger than that takes goes to `import` of REST.
#[derive(InputObject)]
pub struct ImportCourseInput {
    /// What the upload answered with. The file goes when the import ends, unless something else names it.
    file_id: ID,
    /// A course of the caller's that what is read goes into.
    course_id: Option<ID>,
    /// APPEND when there is a `courseId`, else NEW.
    mode: Option<ImportMode>,
    /// Told by what is in the file when left out.
    format: Option<ImportFormat>,
    /// False: stored as soon as it is read, without a preview to confirm.
    #[graphql(default = true)]
    preview: bool,
    /// True: no page is published, and a new course gets no share code. An update ignores it.
    #[graphql(default = false)]
    draft: bool,
}

/// The import has begun.
#[derive(SimpleObject)]
pub struct ImportCoursePayload {
    /// What `importProgress` watches.
    job: ImportJob,
}

/// Where what was read is to go.
#[derive(InputObject)]
pub struct ConfirmImportInput {
    /// Which import.
    job_id: ID,
    /// A course of the caller's.
    course_id: Option<ID>,
    /// APPEND when there is a `courseId`; with neither, as the import was asked for.
    mode: Option<ImportMode>,
    /// True: no page is published, and a new course gets no share code. As the import was asked for when left out.
    draft: Option<bool>,
}

/// It is on its way.
#[derive(SimpleObject)]
pub struct ConfirmImportPayload {
    /// As it is now.
    job: ImportJob,
}

/// An import to give up.
#[derive(InputObject)]
pub struct CancelImportInput {
    /// Which import.
    job_id: ID,
}

/// Nothing is stored.
#[derive(SimpleObject)]
pub struct CancelImportPayload {
    /// As it is now: while it is worked on, the end may take a moment.
    job: ImportJob,
}

#[Object]
impl ImportsMutation {
    /// Begins the import of a file of the caller's; NOT_FOUND for another's. CONFLICT when twenty imports of theirs are under
    /// way. The rights are those of changing the course it goes into.
    async fn import_course(&self, ctx: &Context<'_>, input: ImportCourseInput) -> Result<ImportCoursePayload> {
        let viewer = viewer(ctx)?;
        let file: FileId = context::id(ctx, "file_id", &input.file_id)?;
        let plan = Plan {
            into: target(ctx, input.mode, input.course_id)?.unwrap_or(Target::New),
            format: input.format.map(Format::from),
            preview: input.preview,
            draft: input.draft,
        };
        let import = imports::of_file(kurso(ctx), viewer, file, plan).await;
        let job = ImportJob(import.map_err(wrap(ctx))?);
        Ok(ImportCoursePayload { job })
    }

    /// Has stored what was read, in the background: into a new course of the caller, or where the input says. An update of a
    /// course that was not compared with the file yet is compared first: the file is read once more, and the import waits again,
    /// with `changes` in its preview. When the course has changed since so that other pages would go than were shown, the import
    /// fails and changes nothing. Only for whoever began the import, and owner and editors of the course it goes into; CONFLICT unless it waits for this.
    async fn confirm_import(&self, ctx: &Context<'_>, input: ConfirmImportInput) -> Result<ConfirmImportPayload> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &input.job_id)?;
        let into = target(ctx, input.mode, input.course_id)?;
        let import = imports::confirm(kurso(ctx), viewer, id, into, input.draft).await;
        let job = ImportJob(import.map_err(wrap(ctx))?);
        Ok(ConfirmImportPayload { job })
    }

    /// Gives an import up: nothing is stored, and the file goes. CONFLICT when it has ended already.
    async fn cancel_import(&self, ctx: &Context<'_>, input: CancelImportInput) -> Result<CancelImportPayload> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &input.job_id)?;
        let import = imports::cancel(kurso(ctx), viewer, id).await;
        let job = ImportJob(import.map_err(wrap(ctx))?);
        Ok(CancelImportPayload { job })
    }
}

/// Where the imported course goes; None when neither is given.
fn target(ctx: &Context<'_>, mode: Option<ImportMode>, course: Option<ID>) -> Result<Option<Target>> {
    let mut fields = Fields::default();
    let target = fields.optional("course_id", course).and_then(|course| {
        let target = Target::of(mode.map(Into::into), course);
        target.map_err(|problem| fields.refuse("course_id", problem)).ok()
    });
    fields.finish(target).map_err(wrap(ctx))
}
