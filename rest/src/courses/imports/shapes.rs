//! Response schemas of imports.

use chrono::{DateTime, Utc};
use kurso_base::messages::Lang;
use kurso_base::wire;
use kurso_core::imports::{self, ChangedPage, Changes, Into, Line, Tree, TreeModule};
use kurso_core::jobs::State as JobState;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::response::lists;

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
    Aiken,
    Epub,
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
    pub id: Uuid,
    #[schema(inline)]
    pub state: ImportState,
    #[schema(inline)]
    pub stage: ImportStage,
    /// Of the file, as it was uploaded.
    pub filename: String,
    #[schema(inline)]
    pub mode: ImportMode,
    /// The course that what is read goes into; null for a new one.
    #[schema(required)]
    pub into_course_id: Option<Uuid>,
    pub progress: ImportProgress,
    /// What was read; null until it was.
    #[schema(required)]
    pub found: Option<ImportFound>,
    /// Why it failed, in the caller's language.
    #[schema(required)]
    pub failure: Option<String>,
    /// What came of it, when it is done.
    #[schema(required)]
    pub course_id: Option<Uuid>,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
}

/// How far the reading is.
#[derive(Serialize, ToSchema)]
pub struct ImportProgress {
    pub done: i64,
    /// 0: not known.
    pub total: i64,
    /// The file it is at.
    pub file: String,
}

/// What was read, in short.
#[derive(Serialize, ToSchema)]
pub struct ImportFound {
    pub title: String,
    #[schema(required)]
    pub description: Option<String>,
    pub modules: usize,
    pub lessons: usize,
    pub pages: usize,
    pub questions: usize,
    pub files: usize,
    /// Lines of the report about what is there as it was.
    pub carried: i64,
    /// About what is there in another form.
    pub changed: i64,
    /// About what is not there.
    pub not_carried: i64,
}

lists! {
    /// One's own imports.
    ImportJobs of ImportJob;
}

/// An import with what was read.
#[derive(Serialize, ToSchema)]
pub struct ImportPreview {
    #[serde(flatten)]
    pub job: ImportJob,
    pub tree: ImportTree,
    /// What an update would do; null for all others, and until it was read.
    #[schema(required)]
    pub changes: Option<ImportChanges>,
    pub report: ImportReport,
}

/// The titles as they would stand in the course; empty until the file was read.
#[derive(Serialize, ToSchema)]
pub struct ImportTree {
    #[schema(value_type = Vec<ImportTreeModule>)]
    pub modules: Vec<TreeModule>,
    /// Modules, lessons and pages beyond the first 2000.
    pub omitted: i64,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct ImportTreeModule {
    pub title: String,
    pub lessons: Vec<ImportTreeLesson>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct ImportTreeLesson {
    pub title: String,
    pub pages: Vec<ImportTreePage>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct ImportTreePage {
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    /// Of a quiz; null for a page of content.
    #[schema(required)]
    pub questions: Option<i64>,
    pub published: bool,
}

/// What an update would do to the pages of its course: how many are kept as they are, changed, new or removed.
#[derive(Serialize, ToSchema)]
pub struct ImportChanges {
    pub stays: i64,
    pub changed: i64,
    pub new: i64,
    pub goes: i64,
    /// Visits of learners to the pages that go, which go along.
    pub visits: i64,
    /// Their attempts at quizzes on those pages.
    pub attempts: i64,
    /// Those that go, then those that are changed, those that are new, those that stay.
    pub pages: Vec<ImportPageChange>,
    /// Pages beyond the first 2000.
    pub omitted: i64,
}

/// What becomes of a page.
#[derive(Serialize, ToSchema)]
pub struct ImportPageChange {
    /// Null for a new one.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    #[schema(inline, value_type = ImportChange)]
    pub change: String,
    /// The title of its module: of one that goes as it is, of others as it would be.
    pub module: String,
    /// The title of its lesson.
    pub lesson: String,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    /// In its lesson, from 1.
    pub number: i64,
    /// Of learners, on a page that goes; 0 on others.
    pub visits: i64,
    /// At the quiz of a page that goes; 0 on others.
    pub attempts: i64,
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
    pub data: Vec<ImportReportEntry>,
    /// How many lines there are, of the outcome that was asked for.
    pub count: i64,
}

/// One thing that is worth saying, in the caller's language.
#[derive(Serialize, ToSchema)]
pub struct ImportReportEntry {
    /// File and line.
    pub r#where: String,
    pub what: String,
    #[schema(inline, value_type = ImportOutcome)]
    pub outcome: String,
    pub why: String,
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
    pub outcome: Option<ImportOutcome>,
}

impl ImportJob {
    pub fn of(import: imports::Import, lang: Lang) -> Self {
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
    pub fn of(found: imports::Found) -> Self {
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
    pub fn of(tree: Tree) -> Self {
        ImportTree {
            modules: tree.modules,
            omitted: tree.omitted,
        }
    }
}

impl ImportChanges {
    pub fn of(changes: Changes) -> Self {
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
    pub fn of(line: &Line, lang: Lang) -> Self {
        let (what, why) = line.texts(lang);
        ImportReportEntry {
            r#where: line.place.clone(),
            what: what.to_owned(),
            outcome: line.outcome.clone(),
            why: why.to_owned(),
        }
    }
}
