//! Queries for imports.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::{CourseId, JobId};
use kurso_base::values::PastedQuestions;
use kurso_core::{exports, imports};

use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::Fields;
use crate::lists::{List, list, window_at};
use crate::types::{ExportFormat, ImportJob, ImportPreview, ImportReportEntry, ReadQuestions, date_form};

#[derive(Default)]
pub struct ImportsQuery;

#[Object]
impl ImportsQuery {
    /// An import, for the user who started it and superusers; NOT_FOUND for others.
    async fn import_job(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the import.")] job_id: ID,
    ) -> Result<ImportJob> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &job_id)?;
        let import = imports::get(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(ImportJob(import))
    }

    /// The content of an import with its report. NOT_FOUND as for `importJob`.
    async fn import_preview(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the import.")] job_id: ID,
    ) -> Result<ImportPreview> {
        let viewer = viewer(ctx)?;
        let id: JobId = context::id(ctx, "job_id", &job_id)?;
        let preview = imports::preview(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(ImportPreview(preview))
    }

    /// The questions of a text in GIFT or Aiken, as many as a quiz may have, for its author to add to a quiz. Stores nothing.
    #[graphql(complexity = "cost::DOCUMENT.saturating_add(cost::list(cost::QUESTIONS, child_complexity))")]
    async fn read_questions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The text, 1 to 200,000 characters.")] text: String,
    ) -> Result<ReadQuestions> {
        viewer(ctx)?;
        let mut fields = Fields::default();
        let text = fields.required("text", text);
        let text: PastedQuestions = fields.finish(text).map_err(wrap(ctx))?;
        let read = imports::read_questions(text).await.map_err(wrap(ctx))?;
        cost::spend(ctx, read.report.len())?;
        Ok(ReadQuestions(read))
    }

    /// What an export leaves out or keeps in another form; CSV has no lines. No file is written for it.
    /// FORBIDDEN without the right to export.
    #[allow(clippy::too_many_arguments, reason = "each is an argument of the field")]
    #[graphql(complexity = "cost::connection(first, child_complexity).saturating_add(cost::COPY_OF_COURSE)")]
    async fn export_report(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(desc = "File format.")] format: ExportFormat,
        #[graphql(desc = "As in `Course.exportUrl`.", default = false)] relative_dates: bool,
        #[graphql(desc = "As in `Course.exportUrl`.", default = false)] drafts: bool,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<ImportReportEntry>> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &course_id)?;
        let page = window_at(ctx, first, after, skip)?;
        let request = exports::Request {
            dates: date_form(relative_dates),
            drafts,
            ..exports::Request::of(id, format.into())
        };
        let lines = exports::report(kurso(ctx), viewer, request).await.map_err(wrap(ctx))?;
        let found = page.of(lines);
        let nodes = found.data.into_iter().map(ImportReportEntry).collect();
        Ok(list(page, found.count, nodes))
    }

    /// The caller's imports, without those that ended more than 30 days ago: newest first, then by ID.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn my_imports(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<ImportJob>> {
        let viewer = viewer(ctx)?;
        let page = window_at(ctx, first, after, skip)?;
        let found = imports::list(kurso(ctx), viewer, page).await.map_err(wrap(ctx))?;
        let nodes = found.data.into_iter().map(ImportJob).collect();
        Ok(list(page, found.count, nodes))
    }
}
