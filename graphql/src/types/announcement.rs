use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::announcements as core;

use super::grading::PersonName;
use super::loaders::{AnnouncementContent, AnnouncementCounts, Loaders};
use super::{DateTime, Document, StudentGroup, id_of, int};
use crate::cost;
use crate::error::wrap;

/// An announcement, with the loaders that its list shares.
pub struct Announcement {
    announcement: core::Announcement,
    loaders: Arc<Loaders>,
}

impl Announcement {
    pub fn of(announcement: core::Announcement, loaders: &Arc<Loaders>) -> Self {
        Announcement {
            announcement,
            loaders: loaders.clone(),
        }
    }

    async fn counts(&self, ctx: &Context<'_>) -> Result<Option<core::Counts>> {
        match self.announcement.can_write {
            true => self.loaders.load(ctx, AnnouncementCounts(self.announcement.id)).await,
            false => Ok(None),
        }
    }
}

impl From<core::Announcement> for Announcement {
    fn from(announcement: core::Announcement) -> Self {
        Announcement::of(announcement, &Arc::default())
    }
}

/// An announcement of the staff of a course to its learners.
#[Object]
impl Announcement {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.announcement.id)
    }
    /// ID of the course.
    async fn course_id(&self) -> ID {
        id_of(self.announcement.course_id)
    }
    /// The group that receives it; null if all learners of the course do.
    async fn group(&self) -> Option<StudentGroup> {
        self.announcement.group.as_ref().map(StudentGroup::from)
    }
    /// Title, 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.announcement.title
    }
    /// The beginning of its text, at most 300 characters and `…`.
    async fn excerpt(&self) -> &str {
        &self.announcement.excerpt
    }
    /// Document to read.
    #[graphql(complexity = "cost::DOCUMENT")]
    async fn content(&self, ctx: &Context<'_>) -> Result<Document> {
        let content = self
            .loaders
            .load(ctx, AnnouncementContent(self.announcement.id))
            .await?;
        let missing = || wrap(ctx)(Error::NotFound(Message::AnnouncementNotFound));
        content.map(Document::Stored).ok_or_else(missing)
    }
    /// The user who wrote it; null if the account was deleted.
    async fn author(&self) -> Option<PersonName> {
        self.announcement.author.as_ref().map(PersonName::from)
    }
    /// When it was written.
    async fn created_at(&self) -> DateTime {
        DateTime(self.announcement.created_at)
    }
    /// When it was last changed.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.announcement.updated_at)
    }
    /// When it will be published; null if it is published.
    async fn publish_at(&self) -> Option<DateTime> {
        self.announcement.state.publish_at().map(DateTime)
    }
    /// When it was published; null before.
    async fn published_at(&self) -> Option<DateTime> {
        self.announcement.state.published_at().map(DateTime)
    }
    /// Whether it is pinned to the top of the list and shown on the screen of the course.
    async fn is_pinned(&self) -> bool {
        self.announcement.is_pinned
    }
    /// Increased by every change.
    async fn version(&self) -> i32 {
        int(self.announcement.version)
    }
    /// Whether the caller has read it; true for its author.
    async fn is_read(&self) -> bool {
        self.announcement.is_read
    }
    /// Number of current recipients who have read it; null for callers who may not write announcements.
    async fn readers(&self, ctx: &Context<'_>) -> Result<Option<i32>> {
        Ok(self.counts(ctx).await?.map(|counts| int(counts.readers)))
    }
    /// Number of current recipients; null for callers who may not write announcements.
    async fn receivers(&self, ctx: &Context<'_>) -> Result<Option<i32>> {
        Ok(self.counts(ctx).await?.map(|counts| int(counts.receivers)))
    }
}

/// A list of announcements, with the loaders of its course.
pub struct AnnouncementList {
    pub list: Arc<core::List>,
    pub loaders: Arc<Loaders>,
}

/// Announcements of a course that the caller may read.
#[Object]
impl AnnouncementList {
    /// Scheduled ones first, by their time (for callers who may write announcements); then pinned ones, then all others, newest first.
    async fn items(&self, ctx: &Context<'_>) -> Result<Vec<Announcement>> {
        cost::spend(ctx, self.list.items.len())?;
        let items = self.list.items.iter().cloned();
        Ok(items.map(|item| Announcement::of(item, &self.loaders)).collect())
    }
    /// The cursor for `after`; null at the end.
    async fn next(&self) -> Option<String> {
        self.list.next.map(|place| place.to_string())
    }
    /// Number of all published announcements of the course that the caller has neither read nor written.
    async fn unread(&self) -> i32 {
        int(self.list.unread)
    }
    /// Whether the caller may write announcements here: the owner and teachers.
    async fn can_write(&self) -> bool {
        self.list.can_write
    }
}
