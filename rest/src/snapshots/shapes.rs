//! Snapshots as they are sent and received.

use chrono::{DateTime, Utc};
use kurso_base::values::SnapshotName;
use kurso_base::{error as core_error, wire};
use kurso_core::snapshots::{self as core, NameSnapshot};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::courses::shapes::CourseTree;
use crate::fields::body;
use crate::grading::shapes::PersonName;
use crate::page_kind::PageKind;
use crate::quiz::AuthorQuiz;

/// What [`core::restore`] takes.
pub struct Restore {
    pub digest: String,
}

body! {
    SnapshotNamed -> NameSnapshot {
        name: SnapshotName,
    }

    SnapshotRestore -> Restore {
        /// `digest` of the changes that the client showed. If the course has changed since, nothing is restored (409).
        digest: String,
    }
}

/// A course as its authors saw it at a moment, without learners, groups, grades and team.
#[derive(Serialize, ToSchema)]
pub struct CourseSnapshot {
    pub id: Uuid,
    pub course_id: Uuid,
    /// Null for an automatic one that nobody has named.
    #[schema(required)]
    pub name: Option<String>,
    /// Why it was taken: by a user, or automatically before an import, before several parts were changed together, or before the course was
    /// restored.
    #[schema(pattern = "^(named|before_import|before_bulk_change|before_restore)$")]
    pub reason: &'static str,
    #[serde(serialize_with = "wire::time")]
    pub taken_at: DateTime<Utc>,
    /// The user who took it, or whose change was about to follow. Null if the account was deleted.
    #[schema(required)]
    pub taken_by: Option<PersonName>,
    /// When it is deleted; null for one with a name, which is kept until somebody deletes it.
    #[schema(required)]
    #[serde(serialize_with = "wire::optional_time")]
    pub expires_at: Option<DateTime<Utc>>,
    pub module_count: i64,
    pub lesson_count: i64,
    pub page_count: i64,
    /// Bytes that it takes, without files.
    pub size: i64,
}

impl From<core::Snapshot> for CourseSnapshot {
    fn from(snapshot: core::Snapshot) -> Self {
        let by = snapshot.taken_by;
        CourseSnapshot {
            id: snapshot.id.0,
            course_id: snapshot.course_id.0,
            name: snapshot.name,
            reason: snapshot.reason.name(),
            taken_at: snapshot.taken_at,
            taken_by: by.map(|by| PersonName {
                id: by.id.0,
                full_name: by.full_name,
            }),
            expires_at: snapshot.expires_at,
            module_count: snapshot.module_count,
            lesson_count: snapshot.lesson_count,
            page_count: snapshot.page_count,
            size: snapshot.size,
        }
    }
}

/// Snapshots of a course.
#[derive(Serialize, ToSchema)]
pub struct CourseSnapshots {
    /// Newest first.
    pub data: Vec<CourseSnapshot>,
    /// Number of snapshots.
    pub count: usize,
}

/// A snapshot with the outline of the course then.
#[derive(Serialize, ToSchema)]
pub struct SnapshotContent {
    pub snapshot: CourseSnapshot,
    /// Title of the course.
    pub title: String,
    /// Null when there was none.
    #[schema(required)]
    pub description: Option<String>,
    pub modules: Vec<SnapshotModule>,
}

/// A module of a snapshot.
#[derive(Serialize, ToSchema)]
pub struct SnapshotModule {
    pub id: Uuid,
    pub title: String,
    #[schema(required)]
    pub description: Option<String>,
    pub lessons: Vec<SnapshotLesson>,
}

/// A lesson of a snapshot.
#[derive(Serialize, ToSchema)]
pub struct SnapshotLesson {
    pub id: Uuid,
    pub title: String,
    pub pages: Vec<SnapshotPageLine>,
}

/// A page in the outline of a snapshot.
#[derive(Serialize, ToSchema)]
pub struct SnapshotPageLine {
    pub id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: kurso_core::courses::tree::PageKind,
    /// Whether learners could see it.
    pub published: bool,
    /// Whether it had unpublished changes.
    pub has_draft: bool,
}

impl From<core::PageLine> for SnapshotPageLine {
    fn from(page: core::PageLine) -> Self {
        SnapshotPageLine {
            id: page.id.0,
            title: page.title,
            kind: page.kind,
            published: page.published,
            has_draft: page.has_draft,
        }
    }
}

impl From<core::Content> for SnapshotContent {
    fn from(content: core::Content) -> Self {
        let lesson = |lesson: core::LessonLine| SnapshotLesson {
            id: lesson.id.0,
            title: lesson.title,
            pages: lesson.pages.into_iter().map(SnapshotPageLine::from).collect(),
        };
        let module = |module: core::ModuleLine| SnapshotModule {
            id: module.id.0,
            title: module.title,
            description: module.description,
            lessons: module.lessons.into_iter().map(lesson).collect(),
        };
        SnapshotContent {
            snapshot: content.snapshot.into(),
            title: content.title,
            description: content.description,
            modules: content.modules.into_iter().map(module).collect(),
        }
    }
}

/// A page of a snapshot with its texts.
#[derive(Serialize, ToSchema)]
pub struct SnapshotPage {
    #[serde(flatten)]
    pub page: SnapshotPageLine,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Quiz with its answer key; null on content pages, and for a quiz that nobody had written.
    #[schema(required, value_type = Option<AuthorQuiz>)]
    pub quiz: Option<Box<RawValue>>,
    /// Its unpublished changes; null when there were none.
    #[schema(required)]
    pub draft: Option<SnapshotDraft>,
}

/// Unpublished changes of a page of a snapshot.
#[derive(Serialize, ToSchema)]
pub struct SnapshotDraft {
    #[schema(required)]
    pub title: Option<String>,
    /// ProseMirror document.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Quiz with its answer key, which may be incomplete; null on content pages.
    #[schema(required, value_type = Option<AuthorQuiz>)]
    pub quiz: Option<Box<RawValue>>,
}

fn raw(text: String) -> Result<Box<RawValue>, core_error::Error> {
    RawValue::from_string(text).map_err(core_error::Error::internal)
}

impl SnapshotPage {
    pub fn of(page: core::PageTexts) -> Result<Self, core_error::Error> {
        let draft = page.draft.map(|draft| -> Result<_, core_error::Error> {
            Ok(SnapshotDraft {
                title: draft.title,
                content: raw(draft.content)?,
                quiz: draft.quiz.map(raw).transpose()?,
            })
        });
        Ok(SnapshotPage {
            page: page.line.into(),
            content: raw(page.content)?,
            quiz: page.quiz.map(raw).transpose()?,
            draft: draft.transpose()?,
        })
    }
}

/// A part that differs.
#[derive(Serialize, ToSchema)]
pub struct SnapshotChange {
    /// `module`, `lesson` or `page`.
    #[schema(pattern = "^(module|lesson|page)$")]
    pub part: &'static str,
    pub id: Uuid,
    /// Null for an untitled page.
    #[schema(required)]
    pub title: Option<String>,
    /// Titles of the module and the lesson in which it is, outermost first.
    pub path: Vec<String>,
    /// Its place among its siblings, from 1.
    pub number: i64,
    /// What differs in a changed part: `title`, `description`, `avatar`, `content`, `quiz`, `draft`, `published`, `dates`, `prerequisites` or
    /// `key`. Empty in other lists.
    pub fields: Vec<&'static str>,
}

/// What leads from one state of a course to a snapshot.
#[derive(Serialize, ToSchema)]
pub struct SnapshotChanges {
    /// Digest of these changes, which `restore_snapshot` takes; null when two snapshots are compared.
    #[schema(required)]
    pub digest: Option<String>,
    /// Settings of the course that differ: `title`, `description`, `dates`, `time_zone`, `hide_locked_titles` or `sequential`.
    pub course: Vec<&'static str>,
    /// Parts that only the snapshot has, in the order of its outline.
    pub added: Vec<SnapshotChange>,
    /// Parts that the snapshot does not have: restoring moves them to the trash.
    pub removed: Vec<SnapshotChange>,
    /// Parts with other titles, texts, dates or other fields, in the order of the snapshot.
    pub changed: Vec<SnapshotChange>,
    /// Parts that are elsewhere or in another order, in the order of the snapshot. They may be among the changed ones too.
    pub moved: Vec<SnapshotChange>,
    /// Number of learners with visits or attempts at pages that restoring would move to the trash; 0 between two snapshots.
    pub learners_affected: i64,
}

fn names(fields: Vec<core::Field>) -> Vec<&'static str> {
    fields.into_iter().map(core::Field::name).collect()
}

fn parts(changes: Vec<core::PartChange>) -> Vec<SnapshotChange> {
    let shape = |change: core::PartChange| SnapshotChange {
        part: change.part.name(),
        id: change.id,
        title: change.title,
        path: change.path,
        number: change.number,
        fields: names(change.fields),
    };
    changes.into_iter().map(shape).collect()
}

impl From<core::Changes> for SnapshotChanges {
    fn from(changes: core::Changes) -> Self {
        SnapshotChanges {
            digest: changes.digest,
            course: names(changes.course),
            added: parts(changes.added),
            removed: parts(changes.removed),
            changed: parts(changes.changed),
            moved: parts(changes.moved),
            learners_affected: changes.learners_affected,
        }
    }
}

/// A restored course.
#[derive(Serialize, ToSchema)]
pub struct RestoredSnapshot {
    /// The course as it is now.
    pub course: CourseTree,
    /// A snapshot of the course as it was before. Restoring that undoes this.
    pub before: CourseSnapshot,
    /// Pages that are unpublished, other than in the snapshot, because question banks have too few questions for their quizzes now.
    pub unpublished_page_ids: Vec<Uuid>,
}
