use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_core::imports::{self, Import, Line, Target};
use kurso_formats::{DateForm, Outcome};

use super::import_changes::ImportChanges;
use super::{DateTime, Document, id_of, int};
use crate::cost;
use crate::error::wrap;
use crate::language::lang;
use crate::lists::{List, list, window_at};

/// State of an import.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::jobs::State")]
pub enum ImportState {
    /// Waits in the queue.
    Waiting,
    /// In progress.
    Running,
    /// Waits for confirmation, for seven days.
    Ready,
    /// Stored.
    Done,
    /// Failed; `failure` has the reason.
    Failed,
    /// Cancelled.
    Cancelled,
}

/// Current step of an import.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ImportStage {
    /// Reading the file.
    Reading,
    /// Storing the content.
    Storing,
}

/// Target of the import.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ImportMode {
    /// A new course of the caller.
    New,
    /// Appends to a course, after its last module.
    Append,
    /// Updates a course: content with the same keys keeps its visits and attempts.
    Update,
}

impl From<ImportMode> for imports::Mode {
    fn from(mode: ImportMode) -> Self {
        match mode {
            ImportMode::New => Self::New,
            ImportMode::Append => Self::Append,
            ImportMode::Update => Self::Update,
        }
    }
}

/// Format of an imported file.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_formats::Format")]
pub enum ImportFormat {
    /// An mdBook.
    Mdbook,
    /// Kurso Markdown.
    Markdown,
    /// Quizzes of mdbook-quiz.
    MdbookQuiz,
    /// Questions in GIFT.
    Gift,
    /// Questions in Aiken.
    Aiken,
    /// A book in EPUB.
    Epub,
    /// IMS Common Cartridge, as exported by Canvas and others.
    #[graphql(name = "IMSCC")]
    Cartridge,
    /// A course of Open edX.
    Olx,
    /// A Markdown, HTML or Word file, or a zip of such files.
    Documents,
}

/// Outcome of an element of an import or export.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_formats::Outcome")]
pub enum ImportOutcome {
    /// Kept unchanged, with a note.
    Carried,
    /// Kept in another form.
    Changed,
    /// Left out.
    NotCarried,
}

/// Format of an export.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::exports::Format")]
pub enum ExportFormat {
    /// Kurso Markdown as a zip with the whole course.
    Markdown,
    /// The questions of all quizzes.
    Gift,
    /// IMS Common Cartridge, for Canvas and others.
    #[graphql(name = "IMSCC")]
    Cartridge,
    /// The published pages as one offline HTML file.
    Html,
    /// Results as a table, a row for each learner. For all staff.
    Csv,
    /// The gradebook as a table, which `importGrades` reads. For all staff.
    Grades,
}

/// What separates the cells of a table, and with it the decimal sign.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::gradebook::csv::Separator")]
pub enum TableSeparator {
    /// Semicolons and decimal commas, as Excel with Russian settings reads them.
    Semicolon,
    /// Commas and decimal points.
    Comma,
}

/// How an export writes dates.
pub fn date_form(is_relative: bool) -> DateForm {
    match is_relative {
        true => DateForm::FromStart,
        false => DateForm::Moments,
    }
}

pub struct ImportJob(pub Import);

/// An import of a course, visible to the user who started it and to superusers.
#[Object]
impl ImportJob {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// State.
    async fn state(&self) -> ImportState {
        self.0.state.into()
    }
    /// Current step, or the last one.
    async fn stage(&self) -> ImportStage {
        match self.0.is_storing {
            true => ImportStage::Storing,
            false => ImportStage::Reading,
        }
    }
    /// Name of the uploaded file.
    async fn filename(&self) -> &str {
        &self.0.filename
    }
    /// Target of the import.
    async fn mode(&self) -> ImportMode {
        match self.0.into {
            Target::New => ImportMode::New,
            Target::Append(_) => ImportMode::Append,
            Target::Update(_) => ImportMode::Update,
        }
    }
    /// ID of the target course; null for a new course.
    async fn into_course_id(&self) -> Option<ID> {
        self.0.into.course().map(id_of)
    }
    /// What the headings of a single document begin, for example `lesson,page`; null if the reader decides.
    async fn headings(&self) -> Option<String> {
        self.0.headings.as_ref().map(|headings| headings.text())
    }
    /// When the course is to start, as it was given; null: as in the file.
    async fn starts_at(&self) -> Option<String> {
        self.0.starts_at.map(|start| start.to_string())
    }
    /// Progress of reading.
    async fn progress(&self) -> ImportProgress {
        ImportProgress {
            done: int(self.0.progress.done),
            total: int(self.0.progress.total),
            file: self.0.progress.at.clone(),
        }
    }
    /// Summary of the content; null until it is read.
    async fn found(&self) -> Option<ImportFound> {
        self.0.found.as_ref().map(ImportFound::of)
    }
    /// Reason of the failure, in the language of the request.
    async fn failure(&self, ctx: &Context<'_>) -> Option<String> {
        self.0.failure.as_ref().map(|why| why.text(lang(ctx)))
    }
    /// ID of the resulting course, when the import is done; the course may be deleted since.
    async fn course_id(&self) -> Option<ID> {
        self.0.course_id.map(id_of)
    }
    /// Upload time.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
    /// Time of the last change.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.0.updated_at)
    }
}

/// Progress of reading.
#[derive(SimpleObject)]
pub struct ImportProgress {
    /// Files read, of `total`.
    done: i32,
    /// Number of files; 0 when unknown.
    total: i32,
    /// Current file.
    file: String,
}

/// Summary of the content of an import.
#[derive(SimpleObject)]
pub struct ImportFound {
    /// Title of the course.
    title: String,
    /// Description of the course; null when there is none.
    description: Option<String>,
    /// Number of modules.
    modules: i32,
    /// Number of lessons.
    lessons: i32,
    /// Number of pages.
    pages: i32,
    /// Number of questions in all quizzes.
    questions: i32,
    /// Number of files.
    files: i32,
    /// Report lines about elements imported unchanged.
    carried: i32,
    /// Report lines about elements imported in another form.
    changed: i32,
    /// Report lines about elements not imported.
    not_carried: i32,
}

impl ImportFound {
    fn of(found: &imports::Found) -> Self {
        ImportFound {
            title: found.title.clone(),
            description: found.description.clone(),
            modules: int(found.counts.modules),
            lessons: int(found.counts.lessons),
            pages: int(found.counts.pages),
            questions: int(found.counts.questions),
            files: int(found.counts.files),
            carried: int(found.outcomes.carried),
            changed: int(found.outcomes.changed),
            not_carried: int(found.outcomes.not_carried),
        }
    }
}

pub struct ImportPreview(pub imports::Preview);

/// The content of an import, before and after it is stored.
#[Object]
impl ImportPreview {
    /// The import.
    async fn job(&self) -> ImportJob {
        ImportJob(self.0.import.clone())
    }
    /// Titles of the content, in order; empty until the file is read.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<ImportedModule>> {
        let modules = &self.0.tree.modules;
        cost::spend(ctx, modules.len())?;
        Ok(modules.iter().cloned().map(ImportedModule).collect())
    }
    /// Number of modules, lessons and pages beyond the first 2000, which are omitted.
    async fn omitted(&self) -> i32 {
        int(self.0.tree.omitted)
    }
    /// Effect of an update on the pages of its course; null for other imports, and until the file is read.
    async fn changes(&self) -> Option<ImportChanges> {
        self.0.changes.clone().map(ImportChanges)
    }
    /// The report, in the order of the file.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn report(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "All outcomes by default.")] outcome: Option<ImportOutcome>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<ImportReportEntry>> {
        let page = window_at(ctx, first, after, skip)?;
        let found = self.0.lines(outcome.map(Outcome::from), page);
        let nodes = found.data.into_iter().cloned().map(ImportReportEntry).collect();
        Ok(list(page, found.count, nodes))
    }
}

pub struct ImportedModule(imports::TreeModule);

/// A module of the imported content.
#[Object]
impl ImportedModule {
    /// Title.
    async fn title(&self) -> &str {
        &self.0.title
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<ImportedLesson>> {
        cost::spend(ctx, self.0.lessons.len())?;
        Ok(self.0.lessons.iter().cloned().map(ImportedLesson).collect())
    }
}

pub struct ImportedLesson(imports::TreeLesson);

/// A lesson of the imported content.
#[Object]
impl ImportedLesson {
    /// Title.
    async fn title(&self) -> &str {
        &self.0.title
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<ImportedPage>> {
        cost::spend(ctx, self.0.pages.len())?;
        let page = |page: &imports::TreePage| ImportedPage {
            title: page.title.clone(),
            questions: page.questions.map(int),
            published: page.published,
        };
        Ok(self.0.pages.iter().map(page).collect())
    }
}

/// A page of the imported content.
#[derive(SimpleObject)]
pub struct ImportedPage {
    /// Null for an untitled page: clients show its number in the lesson.
    title: Option<String>,
    /// Number of questions; null for a content page.
    questions: Option<i32>,
    /// Whether it is published.
    published: bool,
}

pub struct ReadQuestions(pub imports::ReadQuestions);

/// The questions of a text.
#[Object]
impl ReadQuestions {
    /// The questions in the author's form, see docs/quizzes.md.
    async fn questions(&self, ctx: &Context<'_>) -> Result<Vec<Document>> {
        let written = |question| serde_json::to_string(question).map(|text| Document::Stored(text.into()));
        let written: serde_json::Result<Vec<Document>> = self.0.questions.iter().map(written).collect();
        written.map_err(Error::internal).map_err(wrap(ctx))
    }
    /// What was changed or left out, at most 1,000 entries. `where` is a line of the text, or empty.
    #[graphql(complexity = "cost::list(cost::QUESTIONS, child_complexity)")]
    async fn report(&self) -> Vec<ImportReportEntry> {
        self.0.report.iter().cloned().map(ImportReportEntry).collect()
    }
}

pub struct ImportReportEntry(pub Line);

/// A line of the report of an import or export.
#[Object]
impl ImportReportEntry {
    /// File and line.
    #[graphql(name = "where")]
    async fn place(&self) -> &str {
        &self.0.place
    }
    /// The element, in the language of the request.
    async fn what(&self, ctx: &Context<'_>) -> &str {
        self.0.texts(lang(ctx)).0
    }
    /// Outcome.
    async fn outcome(&self, ctx: &Context<'_>) -> Result<ImportOutcome> {
        let outcome = Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.name() == self.0.outcome);
        let unknown = || wrap(ctx)(kurso_base::error::Error::internal("an outcome of another version"));
        Ok(outcome.ok_or_else(unknown)?.into())
    }
    /// Reason, in the language of the request.
    async fn why(&self, ctx: &Context<'_>) -> &str {
        self.0.texts(lang(ctx)).1
    }
}
