//! What is in a snapshot.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{Snapshot, find};
use crate::Kurso;
use crate::access::Viewer;
use crate::capture::{self, Outline};
use crate::courses::tree::PageKind;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{LessonId, ModuleId, PageId, SnapshotId};
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};

/// A snapshot with the outline of the course then.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub snapshot: Snapshot,
    pub title: String,
    pub description: Option<String>,
    pub modules: Vec<ModuleLine>,
    outline: Outline,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModuleLine {
    pub id: ModuleId,
    pub title: String,
    pub description: Option<String>,
    pub lessons: Vec<LessonLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LessonLine {
    pub id: LessonId,
    pub title: String,
    pub pages: Vec<PageLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PageLine {
    pub id: PageId,
    /// None: it was shown by its number.
    pub title: Option<String>,
    pub kind: PageKind,
    pub published: bool,
    /// Whether it had unpublished changes.
    pub has_draft: bool,
}

/// A page with its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct PageTexts {
    pub line: PageLine,
    /// The document as JSON text.
    pub content: String,
    /// The quiz as JSON text with its answer keys. None on content pages, and for a quiz that nobody had written.
    pub quiz: Option<String>,
    /// The unpublished changes.
    pub draft: Option<Draft>,
}

/// Unpublished changes of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub title: Option<String>,
    pub content: String,
    pub quiz: Option<String>,
}

/// Reads a kind as the column has it.
pub(super) fn kind(stored: &str) -> PageKind {
    match stored {
        "quiz" => PageKind::Quiz,
        "assignment" => PageKind::Assignment,
        _ => PageKind::Content,
    }
}

fn line(page: &capture::Page) -> PageLine {
    PageLine {
        id: PageId(page.id),
        title: page.title.clone(),
        kind: kind(&page.kind),
        published: page.published,
        has_draft: page.draft_version.is_some(),
    }
}

impl Content {
    fn of(snapshot: Snapshot, outline: Outline) -> Self {
        let lesson = |lesson: &capture::Lesson| LessonLine {
            id: LessonId(lesson.id),
            title: lesson.title.clone(),
            pages: lesson.pages.iter().map(line).collect(),
        };
        let modules = outline.modules.iter().map(|module| ModuleLine {
            id: ModuleId(module.id),
            title: module.title.clone(),
            description: module.description.clone(),
            lessons: module.lessons.iter().map(lesson).collect(),
        });
        Content {
            snapshot,
            title: outline.title.clone(),
            description: outline.description.clone(),
            modules: modules.collect(),
            outline,
        }
    }

    pub(super) fn outline(&self) -> &Outline {
        &self.outline
    }
}

/// The outline as stored. Fails with 404 if the snapshot is gone.
async fn outline_of(on: impl Executor, id: SnapshotId) -> Result<Outline> {
    let row = sql!("SELECT outline FROM course_snapshots WHERE id = $1", id);
    let row = row.fetch_optional::<(Vec<u8>,)>(on).await?;
    let (packed,) = row.ok_or(Error::NotFound(Message::SnapshotNotFound))?;
    capture::inflate(&packed)
}

/// Shows a snapshot. Owner and editors of its course. Three statements.
pub async fn content(kurso: &Kurso, viewer: &Viewer, id: SnapshotId) -> Result<Content> {
    let snapshot = find(kurso, viewer, id).await?;
    let outline = outline_of(&kurso.db, id).await?;
    Ok(Content::of(snapshot, outline))
}

/// A page of a snapshot; None if the snapshot does not have it. One statement.
pub async fn page(kurso: &Kurso, content: &Content, id: PageId) -> Result<Option<PageTexts>> {
    let Some(page) = content.outline.pages().find(|page| page.id == id.0) else {
        return Ok(None);
    };
    let mut texts = capture::stored_texts(&kurso.db, content.snapshot.id, &BTreeSet::from([page.seq])).await?;
    let missing = || Error::internal(format!("the snapshot has no text of page {id}"));
    let text = texts.remove(&page.id).ok_or_else(missing)?;
    Ok(Some(PageTexts {
        line: line(page),
        content: text.content,
        quiz: text.quiz,
        draft: text.draft.map(|draft| Draft {
            title: draft.title,
            content: draft.content,
            quiz: draft.quiz,
        }),
    }))
}

/// All texts of a snapshot.
pub(super) async fn all_texts(
    kurso: &Kurso,
    content: &Content,
) -> Result<std::collections::HashMap<Uuid, capture::Text>> {
    let parts: BTreeSet<i64> = content.outline.pages().map(|page| page.seq).collect();
    capture::stored_texts(&kurso.db, content.snapshot.id, &parts).await
}
