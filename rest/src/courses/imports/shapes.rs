//! Response schemas of imports.

mod dates;

use chrono::{DateTime, Utc};
use kurso_base::messages::Lang;
use kurso_base::wire;
use kurso_core::imports::{self, ChangedPage, Changes, Line, Target, Tree, TreeModule};
use kurso_core::jobs::State as JobState;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub use dates::ImportDateChange;

use crate::consequences::LearnerConsequences;
use crate::response::lists;

/// `new`: a new course; `append`: after the last module of a course; `update`: replaces the content of a course; modules, lessons
/// and pages with the same keys remain, with visits and attempts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportMode {
    New,
    Append,
    Update,
}

/// The format of a course file. Default: detected from the content.
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

/// `waiting`: queued; `running`: being read or stored; `ready`: waits for `confirm_import`; `done`, `failed` and `cancelled`: ended.
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

/// The current step of an import.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportStage {
    Reading,
    Storing,
}

/// An import of a course.
#[derive(Serialize, ToSchema)]
pub struct ImportJob {
    pub id: Uuid,
    #[schema(inline)]
    pub state: ImportState,
    #[schema(inline)]
    pub stage: ImportStage,
    /// Name of the uploaded file.
    pub filename: String,
    #[schema(inline)]
    pub mode: ImportMode,
    /// Target course; null for a new course.
    #[schema(required)]
    pub into_course_id: Option<Uuid>,
    /// What the headings of a single document begin; null if the reader decides.
    #[schema(required)]
    pub headings: Option<String>,
    /// When the course is to start, as it was given; null: as in the file.
    #[schema(required)]
    pub starts_at: Option<String>,
    pub progress: ImportProgress,
    /// Summary of the content; null until the file is read.
    #[schema(required)]
    pub found: Option<ImportFound>,
    /// Reason of the failure, in the language of the request; null unless it failed.
    #[schema(required)]
    pub failure: Option<String>,
    /// The resulting course; null until the import is done.
    #[schema(required)]
    pub course_id: Option<Uuid>,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
}

/// Progress of reading the file.
#[derive(Serialize, ToSchema)]
pub struct ImportProgress {
    pub done: i64,
    /// 0 when unknown.
    pub total: i64,
    /// The file that is being read.
    pub file: String,
}

/// Summary of the content of an import.
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
    /// Number of report lines about elements imported unchanged.
    pub carried: i64,
    /// Number of report lines about elements imported in another form.
    pub changed: i64,
    /// Number of report lines about elements not imported.
    pub not_carried: i64,
}

lists! {
    /// A page of the caller's imports.
    ImportJobs of ImportJob;
}

/// An import with its content and report.
#[derive(Serialize, ToSchema)]
pub struct ImportPreview {
    #[serde(flatten)]
    pub job: ImportJob,
    pub tree: ImportTree,
    /// Effect of an update on the pages of its course; null for other imports and until the file is read.
    #[schema(required)]
    pub changes: Option<ImportChanges>,
    pub report: ImportReport,
}

/// Titles of the content in order; empty until the file is read.
#[derive(Serialize, ToSchema)]
pub struct ImportTree {
    #[schema(value_type = Vec<ImportTreeModule>)]
    pub modules: Vec<TreeModule>,
    /// Number of modules, lessons and pages beyond the first 2000, which are omitted.
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
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    /// Number of questions; null for a content page.
    #[schema(required)]
    pub questions: Option<i64>,
    pub published: bool,
}

/// Effect of an update on the pages and learners of its course: the numbers of unchanged, changed, new and deleted pages.
#[derive(Serialize, ToSchema)]
pub struct ImportChanges {
    pub stays: i64,
    pub changed: i64,
    pub new: i64,
    pub goes: i64,
    /// Number of learners' visits that are deleted with these pages.
    pub visits: i64,
    /// Number of learners' attempts that are deleted with these pages.
    pub attempts: i64,
    /// Deleted pages, then changed, new and unchanged ones.
    pub pages: Vec<ImportPageChange>,
    /// Number of pages beyond the first 2000, which are omitted.
    pub omitted: i64,
    /// Dates of the course and its parts that change, in reading order. Those of new and deleted parts are not listed.
    pub dates: Vec<ImportDateChange>,
    /// Number of dates beyond the first 500, which are omitted.
    pub omitted_dates: i64,
    /// Number of learners whose progress or grade changes.
    pub affected_learners: usize,
    /// At most 500 of them, by name.
    pub learners: Vec<LearnerConsequences>,
}

/// Effect of an update on a page.
#[derive(Serialize, ToSchema)]
pub struct ImportPageChange {
    /// Null for a new page.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    #[schema(inline, value_type = ImportChange)]
    pub change: String,
    /// Title of its module: the current one of a deleted page, the future one of others.
    pub module: String,
    /// Title of its lesson.
    pub lesson: String,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    /// Number in its lesson, from 1.
    pub number: i64,
    /// Number of learners' visits to a deleted page; 0 on others.
    pub visits: i64,
    /// Number of attempts at the quiz of a deleted page; 0 on others.
    pub attempts: i64,
}

/// `stays`: unchanged; `changed`: its title, text, questions, publication or lesson changes; `new`: created; `goes`: deleted, with
/// its visits and attempts.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ImportChange {
    Stays,
    Changed,
    New,
    Goes,
}

/// A page of the report's lines.
#[derive(Serialize, ToSchema)]
pub struct ImportReport {
    pub data: Vec<ImportReportEntry>,
    /// Number of lines with the requested outcome; all lines, for an export.
    pub count: i64,
}

/// A line of the report, in the language of the request.
#[derive(Serialize, ToSchema)]
pub struct ImportReportEntry {
    /// File and line.
    pub r#where: String,
    /// The element.
    pub what: String,
    #[schema(inline, value_type = ImportOutcome)]
    pub outcome: String,
    /// The reason.
    pub why: String,
}

/// `carried`: kept unchanged; `changed`: kept in another form; `not_carried`: left out.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ImportOutcome {
    Carried,
    Changed,
    NotCarried,
}

/// Filter of the report.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct OutcomeParams {
    /// Default: lines of every outcome.
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
                Target::New => ImportMode::New,
                Target::Append(_) => ImportMode::Append,
                Target::Update(_) => ImportMode::Update,
            },
            into_course_id: import.into.course().map(|course| course.0),
            headings: import.headings.map(|headings| headings.text()),
            starts_at: import.starts_at.map(|start| start.to_string()),
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
            affected_learners: changes.affected(),
            learners: changes.learners.into_iter().map(LearnerConsequences::from).collect(),
            stays: changes.stays,
            changed: changes.changed,
            new: changes.new,
            goes: changes.goes,
            visits: lost.visits,
            attempts: lost.attempts,
            pages: changes.pages.into_iter().map(page).collect(),
            omitted: changes.omitted,
            dates: changes.dates.into_iter().map(ImportDateChange::of).collect(),
            omitted_dates: changes.omitted_dates,
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

#[cfg(test)]
mod tests {
    use kurso_formats::Format;
    use utoipa::PartialSchema as _;

    use super::ImportFormat;

    #[test]
    fn the_description_names_every_format() {
        let schema = serde_json::to_value(ImportFormat::schema()).unwrap();
        let described: Vec<_> = schema["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(described.len(), Format::ALL.len());
        assert!(
            Format::ALL
                .iter()
                .all(|format| described.iter().any(|name| name == format.name()))
        );
    }
}
