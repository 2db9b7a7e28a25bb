//! Snapshots of courses.

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_base::ids::{PageId, SnapshotId};
use kurso_core::snapshots as core;

use super::grading::PersonName;
use super::{DateTime, Document, PageKind, id_of, int};
use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;

/// Why a snapshot was taken.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "core::SnapshotReason")]
pub enum SnapshotReason {
    /// A user took it.
    Named,
    /// An import was about to change the course.
    BeforeImport,
    /// Taken before several parts of the course were changed together.
    BeforeBulkChange,
    /// The course was about to be restored from another snapshot.
    BeforeRestore,
}

/// A course as its authors saw it at a moment, without learners, groups, grades and team.
#[derive(SimpleObject)]
pub struct CourseSnapshot {
    /// Unique ID.
    id: ID,
    /// ID of its course.
    course_id: ID,
    /// 1 to 120 characters; null for an automatic one that nobody has named.
    name: Option<String>,
    /// Why it was taken.
    reason: SnapshotReason,
    /// When it was taken.
    taken_at: DateTime,
    /// The user who took it, or whose change was about to follow; null if that account was deleted.
    taken_by: Option<PersonName>,
    /// When it is deleted; null for one with a name, which is kept until somebody deletes it.
    expires_at: Option<DateTime>,
    /// Number of modules in it.
    module_count: i32,
    /// Number of lessons in it.
    lesson_count: i32,
    /// Number of pages in it.
    page_count: i32,
    /// Bytes that it takes, without files.
    size: i32,
}

impl From<&core::Snapshot> for CourseSnapshot {
    fn from(snapshot: &core::Snapshot) -> Self {
        let by = snapshot.taken_by.clone();
        CourseSnapshot {
            id: id_of(snapshot.id),
            course_id: id_of(snapshot.course_id),
            name: snapshot.name.clone(),
            reason: snapshot.reason.into(),
            taken_at: DateTime(snapshot.taken_at),
            taken_by: by.map(|by| PersonName::of(by.id, by.full_name)),
            expires_at: snapshot.expires_at.map(DateTime),
            module_count: int(snapshot.module_count),
            lesson_count: int(snapshot.lesson_count),
            page_count: int(snapshot.page_count),
            size: int(snapshot.size),
        }
    }
}

pub struct SnapshotContent(pub core::Content);

/// What is in a snapshot.
#[Object]
impl SnapshotContent {
    /// The snapshot.
    async fn snapshot(&self) -> CourseSnapshot {
        (&self.0.snapshot).into()
    }
    /// Title of the course then.
    async fn title(&self) -> &str {
        &self.0.title
    }
    /// Description of the course then; null when there was none.
    async fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }
    /// The modules in order.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn outline(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotModule>> {
        cost::spend(ctx, self.0.modules.len())?;
        Ok(self.0.modules.iter().cloned().map(SnapshotModule).collect())
    }
    /// A page of the snapshot with its texts; null if the snapshot does not have it.
    async fn page(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page.")] id: ID,
    ) -> Result<Option<SnapshotPage>> {
        let id: PageId = context::id(ctx, "id", &id)?;
        let found = core::page(kurso(ctx), &self.0, id).await.map_err(wrap(ctx))?;
        Ok(found.map(SnapshotPage))
    }
    /// What restoring the snapshot would change in the course as it is now, or what leads to it from another snapshot of the course.
    #[graphql(complexity = "cost::SNAPSHOT_CHANGES + child_complexity")]
    async fn changes(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of another snapshot of the course; by default, the course as it is now.")] since: Option<
            ID,
        >,
    ) -> Result<SnapshotChanges> {
        let since: Option<SnapshotId> = since.map(|since| context::id(ctx, "since", &since)).transpose()?;
        let found = core::Changes::to(kurso(ctx), viewer(ctx)?, &self.0, since).await;
        Ok(SnapshotChanges(found.map_err(wrap(ctx))?))
    }
}

pub struct SnapshotModule(core::ModuleLine);

/// A module of a snapshot.
#[Object]
impl SnapshotModule {
    /// ID of the module.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.0.title
    }
    /// Plain text; null when there was none.
    async fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }
    /// The lessons in order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotLesson>> {
        cost::spend(ctx, self.0.lessons.len())?;
        Ok(self.0.lessons.iter().cloned().map(SnapshotLesson).collect())
    }
}

pub struct SnapshotLesson(core::LessonLine);

/// A lesson of a snapshot.
#[Object]
impl SnapshotLesson {
    /// ID of the lesson.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.0.title
    }
    /// The pages in order.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotPageLine>> {
        cost::spend(ctx, self.0.pages.len())?;
        Ok(self.0.pages.iter().map(page_line).collect())
    }
}

/// A page in the outline of a snapshot.
#[derive(SimpleObject)]
pub struct SnapshotPageLine {
    /// ID of the page.
    id: ID,
    /// Null for an untitled page: clients show its number.
    title: Option<String>,
    /// Its kind.
    kind: PageKind,
    /// Whether learners could see it.
    published: bool,
    /// Whether it had unpublished changes.
    has_draft: bool,
}

fn page_line(page: &core::PageLine) -> SnapshotPageLine {
    SnapshotPageLine {
        id: id_of(page.id),
        title: page.title.clone(),
        kind: page.kind.into(),
        published: page.published,
        has_draft: page.has_draft,
    }
}

pub struct SnapshotPage(core::PageTexts);

/// A page of a snapshot with its texts.
#[Object]
impl SnapshotPage {
    /// ID of the page.
    async fn id(&self) -> ID {
        id_of(self.0.line.id)
    }
    /// Null for an untitled page.
    async fn title(&self) -> Option<&str> {
        self.0.line.title.as_deref()
    }
    /// Its kind.
    async fn kind(&self) -> PageKind {
        self.0.line.kind.into()
    }
    /// Whether learners could see it.
    async fn published(&self) -> bool {
        self.0.line.published
    }
    /// Its document.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self) -> Document {
        Document::Stored(self.0.content.as_str().into())
    }
    /// Quiz with its answer key; null on content pages, and for a quiz that nobody had written.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self) -> Option<Document> {
        self.0.quiz.clone().map(|quiz| Document::Stored(quiz.into()))
    }
    /// Its unpublished changes; null when there were none.
    async fn draft(&self) -> Option<SnapshotDraft> {
        self.0.draft.clone().map(SnapshotDraft)
    }
}

pub struct SnapshotDraft(core::Draft);

/// Unpublished changes of a page of a snapshot.
#[Object]
impl SnapshotDraft {
    /// Null for an untitled page.
    async fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }
    /// Document of the unpublished changes.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self) -> Document {
        Document::Stored(self.0.content.as_str().into())
    }
    /// Quiz of the unpublished changes, with its answer key; null on content pages.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn author_quiz(&self) -> Option<Document> {
        self.0.quiz.clone().map(|quiz| Document::Stored(quiz.into()))
    }
}

/// A kind of part of a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "core::Part")]
pub enum SnapshotPart {
    /// A module.
    Module,
    /// A lesson.
    Lesson,
    /// A page.
    Page,
}

/// What differs in a part or in the settings of a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "core::Field")]
pub enum SnapshotField {
    /// The title.
    Title,
    /// The description.
    Description,
    /// The picture of a module.
    Avatar,
    /// The document of a page.
    Content,
    /// The quiz of a page.
    Quiz,
    /// The unpublished changes of a page.
    Draft,
    /// Whether learners can see a page.
    Published,
    /// Dates, and what happens to late attempts.
    Dates,
    /// What must be complete before.
    Prerequisites,
    /// The time zone of a course.
    TimeZone,
    /// Whether learners see titles of what is locked for them.
    HideLockedTitles,
    /// Whether each lesson opens only after the previous one is complete.
    Sequential,
    /// The key of a part in files of the course.
    Key,
}

/// A part that differs.
#[derive(SimpleObject)]
pub struct SnapshotChange {
    /// Its kind.
    part: SnapshotPart,
    /// ID of the module, lesson or page.
    id: ID,
    /// Its title; null for an untitled page.
    title: Option<String>,
    /// Titles of the module and the lesson in which it is, outermost first.
    path: Vec<String>,
    /// Its place among its siblings, from 1.
    number: i32,
    /// What differs in a changed part; empty in other lists.
    fields: Vec<SnapshotField>,
}

pub struct SnapshotChanges(core::Changes);

/// What leads from one state of a course to a snapshot.
#[Object]
impl SnapshotChanges {
    /// Digest of these changes, which `restoreSnapshot` takes; null when two snapshots are compared.
    async fn digest(&self) -> Option<&str> {
        self.0.digest.as_deref()
    }
    /// Settings of the course that differ.
    async fn course(&self) -> Vec<SnapshotField> {
        self.0.course.iter().copied().map(SnapshotField::from).collect()
    }
    /// Parts that only the snapshot has, in the order of its outline.
    #[graphql(complexity = "cost::list(cost::SNAPSHOT_PARTS, child_complexity)")]
    async fn added(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotChange>> {
        parts(ctx, &self.0.added)
    }
    /// Parts that the snapshot does not have: restoring moves them to the trash.
    #[graphql(complexity = "cost::list(cost::SNAPSHOT_PARTS, child_complexity)")]
    async fn removed(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotChange>> {
        parts(ctx, &self.0.removed)
    }
    /// Parts with other titles, texts, dates or other fields, in the order of the snapshot.
    #[graphql(complexity = "cost::list(cost::SNAPSHOT_PARTS, child_complexity)")]
    async fn changed(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotChange>> {
        parts(ctx, &self.0.changed)
    }
    /// Parts that are elsewhere or in another order, in the order of the snapshot. They may be among the changed ones too.
    #[graphql(complexity = "cost::list(cost::SNAPSHOT_PARTS, child_complexity)")]
    async fn moved(&self, ctx: &Context<'_>) -> Result<Vec<SnapshotChange>> {
        parts(ctx, &self.0.moved)
    }
    /// Number of learners with visits or attempts at pages that restoring would move to the trash; 0 between two snapshots.
    async fn learners_affected(&self) -> i32 {
        int(self.0.learners_affected)
    }
}

fn parts(ctx: &Context<'_>, parts: &[core::PartChange]) -> Result<Vec<SnapshotChange>> {
    cost::spend(ctx, parts.len())?;
    let change = |change: &core::PartChange| SnapshotChange {
        part: change.part.into(),
        id: id_of(change.id),
        title: change.title.clone(),
        path: change.path.clone(),
        number: int(change.number),
        fields: change.fields.iter().copied().map(SnapshotField::from).collect(),
    };
    Ok(parts.iter().map(change).collect())
}
