//! Subscriptions for the editor of a page: its changes and its open editors.

use async_graphql::{Context, Enum, ID, Object, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_base::ids::PageId;
use kurso_core::subscriptions::{self, EditorsWatch, PageWatch, PersonName};
use kurso_db::events::Change;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::Fields;
use crate::types::{DateTime, Page, PageEditor, id_of, int};

#[derive(Default)]
pub struct PagesSubscription;

#[Subscription]
impl PagesSubscription {
    /// Changes of a page and of the author comments on it. For the owner, editors, teachers and reviewers; teachers are not told of changes of
    /// drafts. NOT_FOUND for users without a role in the course, FORBIDDEN for others. The rights are checked again for each event. Ends when the page is deleted.
    async fn page_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page.")] page_id: ID,
    ) -> Result<BoxStream<'static, Result<PageChange>>> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &page_id)?;
        let watch = PageWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, PageChange))
    }

    /// The open editors of a page, oldest first: now, and after each change; at most 50. A subscriber counts as an
    /// open editor until the subscription ends. For the owner and editors.
    async fn page_editors(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the page.")] page_id: ID,
        #[graphql(desc = "ID of the caller's editor tab, as in `updatePage`: 1 to 128 characters.")]
        user_session_id: Option<String>,
    ) -> Result<BoxStream<'static, Result<Vec<OpenEditor>>>> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &page_id)?;
        let mut fields = Fields::default();
        let session = fields.optional("user_session_id", user_session_id);
        let session = fields.finish(session).map_err(wrap(ctx))?;
        let watch = EditorsWatch::start(kurso(ctx), viewer, id, session)
            .await
            .map_err(wrap(ctx))?;
        Ok(super::events(ctx, watch, |editors| {
            editors.into_iter().map(OpenEditor).collect()
        }))
    }
}

/// Kind of a change of a page.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum PageChangeKind {
    /// Its title, content or quiz changed: it has a new version.
    Written,
    /// An earlier version was restored as a new version.
    Restored,
    /// It was moved, published or unpublished; the version is the same.
    Arranged,
    /// Changes were saved that learners do not see yet: its draft has a new version.
    DraftSaved,
    /// Its unpublished changes were discarded, or a save undid them; the version is that which learners read.
    DraftDiscarded,
    /// Its unpublished changes were published: it has a new version.
    DraftPublished,
    /// Author comments on it changed; the version is the same.
    Commented,
    /// It was deleted.
    Deleted,
}

impl From<Change> for PageChangeKind {
    fn from(change: Change) -> Self {
        match change {
            Change::Written => Self::Written,
            Change::Restored => Self::Restored,
            Change::Arranged => Self::Arranged,
            Change::DraftSaved => Self::DraftSaved,
            Change::DraftDiscarded => Self::DraftDiscarded,
            Change::DraftPublished => Self::DraftPublished,
            Change::Commented => Self::Commented,
            Change::Deleted => Self::Deleted,
        }
    }
}

pub struct PageChange(subscriptions::PageChange);

/// A page, or the comments on it, was changed or deleted.
#[Object]
impl PageChange {
    /// Kind of the change.
    async fn kind(&self) -> PageChangeKind {
        self.0.what.into()
    }
    /// ID of the page.
    async fn page_id(&self) -> ID {
        id_of(self.0.page)
    }
    /// The current page, which may be newer than this change; null when it is deleted.
    async fn page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        Page::load_unless_gone(ctx, self.0.page).await
    }
    /// Version after this change, of the draft if that was saved; null when the page was deleted with its parent.
    async fn version(&self) -> Option<i32> {
        self.0.version.map(int)
    }
    /// Author of the change; null when the account is deleted, and when the page was deleted with its parent.
    async fn editor(&self) -> Option<PageEditor> {
        self.0.by.clone().map(person)
    }
    /// ID of the editor tab, as in `updatePage`: an editor recognizes its own changes by it.
    async fn user_session_id(&self) -> Option<&str> {
        self.0.session.as_deref()
    }
    /// Time of the change.
    async fn at(&self) -> DateTime {
        DateTime(self.0.at)
    }
}

pub struct OpenEditor(subscriptions::OpenEditor);

/// An open editor of a page.
#[Object]
impl OpenEditor {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// The user.
    async fn editor(&self) -> PageEditor {
        person(self.0.by.clone())
    }
    /// ID of the editor tab, as in `updatePage`.
    async fn user_session_id(&self) -> Option<&str> {
        self.0.session.as_deref()
    }
    /// Index of the block with the cursor among the blocks of the text; null if the cursor is not in the text, or if the tab has not said so by
    /// `movePageEditor`.
    async fn block(&self) -> Option<i32> {
        self.0.block.map(int)
    }
    /// When it was opened.
    async fn since(&self) -> DateTime {
        DateTime(self.0.since)
    }
}

fn person(somebody: PersonName) -> PageEditor {
    PageEditor {
        id: id_of(somebody.id),
        full_name: somebody.full_name,
    }
}
