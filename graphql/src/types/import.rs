use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::exchange::Outcome;
use kurso_core::imports::{self, Import, Into as Target, Line};

use super::import_changes::ImportChanges;
use super::{DateTime, id_of, int};
use crate::context::lang;
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window_at};

/// Where an import is.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::jobs::State")]
pub enum ImportState {
    /// It waits for its turn.
    Waiting,
    /// It is worked on.
    Running,
    /// It waits to be confirmed, for seven days.
    Ready,
    /// It is stored.
    Done,
    /// Nothing came of it; `failure` says why.
    Failed,
    /// It was given up.
    Cancelled,
}

/// What an import is about at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ImportStage {
    /// The file is read.
    Reading,
    /// What was read is stored.
    Storing,
}

/// Where what was read goes.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ImportMode {
    /// Into a new course of the caller.
    New,
    /// After the last module of a course.
    Append,
    /// In place of what a course says: what has the same keys there stays, with visits and attempts.
    Update,
}

impl ImportMode {
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Append => "append",
            Self::Update => "update",
        }
    }
}

/// The forms a course is read from.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::exchange::Format")]
pub enum ImportFormat {
    /// An mdBook.
    Mdbook,
    /// Kurso Markdown.
    Markdown,
    /// Quizzes of mdbook-quiz.
    MdbookQuiz,
    /// A file of questions in GIFT.
    Gift,
    /// IMS Common Cartridge, which Canvas and others write.
    #[graphql(name = "IMSCC")]
    Cartridge,
    /// A course of Open edX.
    Olx,
    /// A file of Markdown, HTML or Word, or a zip of them.
    Documents,
}

/// What became of a thing.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::exchange::Outcome")]
pub enum ImportOutcome {
    /// It is there as it was; worth knowing all the same.
    Carried,
    /// It is there in another form.
    Changed,
    /// It is not there.
    NotCarried,
}

/// The forms a course goes out in.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "kurso_core::exports::Format")]
pub enum ExportFormat {
    /// Kurso Markdown, as a zip: all of the course.
    Markdown,
    /// The questions of all quizzes.
    Gift,
    /// IMS Common Cartridge, which Canvas and others read.
    #[graphql(name = "IMSCC")]
    Cartridge,
    /// The published pages as one file that works offline.
    Html,
    /// The results: a row for each learner. All staff.
    Csv,
}

pub struct ImportJob(pub Import);

/// A course on its way in, for whoever began that and for superusers.
#[Object]
impl ImportJob {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// Where it is.
    async fn state(&self) -> ImportState {
        self.0.state.into()
    }
    /// What it is about at the moment, or was at its end.
    async fn stage(&self) -> ImportStage {
        match self.0.is_storing {
            true => ImportStage::Storing,
            false => ImportStage::Reading,
        }
    }
    /// Of the file, as it was uploaded.
    async fn filename(&self) -> &str {
        &self.0.filename
    }
    /// Where what was read goes.
    async fn mode(&self) -> ImportMode {
        match self.0.into {
            Target::New => ImportMode::New,
            Target::Append(_) => ImportMode::Append,
            Target::Update(_) => ImportMode::Update,
        }
    }
    /// The course that what is read goes into; null for a new one.
    async fn into_course_id(&self) -> Option<ID> {
        self.0.into.course().map(id_of)
    }
    /// How far the reading is.
    async fn progress(&self) -> ImportProgress {
        ImportProgress {
            done: int(self.0.progress.done),
            total: int(self.0.progress.total),
            file: self.0.progress.at.clone(),
        }
    }
    /// What was read, in short; null until it was.
    async fn found(&self) -> Option<ImportFound> {
        self.0.found.as_ref().map(ImportFound::of)
    }
    /// Why it failed, in the language of the request.
    async fn failure(&self, ctx: &Context<'_>) -> Option<String> {
        self.0.failure.as_ref().map(|why| why.text(lang(ctx)))
    }
    /// The course that came of it, when it is done; it may be deleted since.
    async fn course_id(&self) -> Option<ID> {
        self.0.course_id.map(id_of)
    }
    /// When the file was there.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }
    /// When anything of it last changed.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.0.updated_at)
    }
}

/// How far the reading is.
#[derive(SimpleObject)]
pub struct ImportProgress {
    /// Of `total`.
    done: i32,
    /// 0: not known.
    total: i32,
    /// The file it is at.
    file: String,
}

/// What was read, in short.
#[derive(SimpleObject)]
pub struct ImportFound {
    /// Of the course.
    title: String,
    /// What the course is about; null when nothing says so.
    description: Option<String>,
    /// How many there are.
    modules: i32,
    /// How many there are.
    lessons: i32,
    /// How many there are.
    pages: i32,
    /// How many there are, in all quizzes.
    questions: i32,
    /// How many there are.
    files: i32,
    /// Lines of the report about what is there as it was.
    carried: i32,
    /// Lines about what is there in another form.
    changed: i32,
    /// Lines about what is not there.
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

/// What was read of an import, before it is stored and after.
#[Object]
impl ImportPreview {
    /// The import itself.
    async fn job(&self) -> ImportJob {
        ImportJob(self.0.import.clone())
    }
    /// The titles, as they would stand in the course; empty until the file was read.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<ImportedModule>> {
        let modules = &self.0.tree.modules;
        cost::spend(ctx, modules.len())?;
        Ok(modules.iter().cloned().map(ImportedModule).collect())
    }
    /// Modules, lessons and pages beyond the first 2000, which are not shown.
    async fn omitted(&self) -> i32 {
        int(self.0.tree.omitted)
    }
    /// What an update would do to the pages of its course; null for all others, and until it was read.
    async fn changes(&self) -> Option<ImportChanges> {
        self.0.changes.clone().map(ImportChanges)
    }
    /// Each thing worth saying, as it was found.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn report(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "All when left out.")] outcome: Option<ImportOutcome>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
        #[graphql(
            desc = "How many to leave out at the beginning, for numbered pages; `after` wins over it.",
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

/// A module as it would stand in the course.
#[Object]
impl ImportedModule {
    /// What it is called.
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

/// A lesson as it would stand in the course.
#[Object]
impl ImportedLesson {
    /// What it is called.
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

/// A page as it would stand in the course.
#[derive(SimpleObject)]
pub struct ImportedPage {
    /// Null: shown as the page's number in its lesson.
    title: Option<String>,
    /// Of a quiz; null for a page of content.
    questions: Option<i32>,
    /// Whether learners would see it.
    published: bool,
}

pub struct ImportReportEntry(Line);

/// One thing worth saying of an import.
#[Object]
impl ImportReportEntry {
    /// File and line.
    #[graphql(name = "where")]
    async fn place(&self) -> &str {
        &self.0.place
    }
    /// What it is about, in the language of the request.
    async fn what(&self, ctx: &Context<'_>) -> &str {
        self.0.texts(lang(ctx)).0
    }
    /// What became of it.
    async fn outcome(&self, ctx: &Context<'_>) -> Result<ImportOutcome> {
        let outcome = Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.name() == self.0.outcome);
        let unknown = || wrap(ctx)(kurso_core::error::Error::internal("an outcome of another version"));
        Ok(outcome.ok_or_else(unknown)?.into())
    }
    /// Why it is so, in the language of the request.
    async fn why(&self, ctx: &Context<'_>) -> &str {
        self.0.texts(lang(ctx)).1
    }
}
