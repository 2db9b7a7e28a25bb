//! What becomes of a page that somebody has open in an editor, and who else has.

use async_graphql::{Context, Enum, ID, Object, Result, Subscription};
use futures_util::stream::BoxStream;
use kurso_core::events::{self, Change, EditorsWatch, PageWatch, Somebody};
use kurso_core::ids::PageId;

use super::seen;
use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{DateTime, Page, PageEditor, id_of, int};

#[derive(Default)]
pub struct PagesSubscription;

#[Subscription]
impl PagesSubscription {
    /// What becomes of a page, for open editors. Owner and editors; NOT_FOUND for people without a relation to the course,
    /// FORBIDDEN for the rest. The rights are looked at again for each event. Ends when the page is deleted.
    async fn page_changed(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which page.")] page_id: ID,
    ) -> Result<BoxStream<'static, Result<PageChange>>> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &page_id)?;
        let watch = PageWatch::start(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(seen(ctx, watch, PageChange))
    }

    /// Who has a page open in an editor, first come first: now, and each time it changes; at most 50. Whoever subscribes has
    /// it open too, until the subscription ends. Rights as for `pageChanged`.
    async fn page_editors(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which page.")] page_id: ID,
        #[graphql(desc = "Names the caller's own open editor, as it does when it saves: 1 to 128 characters.")]
        user_session_id: Option<String>,
    ) -> Result<BoxStream<'static, Result<Vec<OpenEditor>>>> {
        let viewer = viewer(ctx)?;
        let id: PageId = context::id(ctx, "page_id", &page_id)?;
        let watch = EditorsWatch::start(kurso(ctx), viewer, id, user_session_id)
            .await
            .map_err(wrap(ctx))?;
        Ok(seen(ctx, watch, |editors| {
            editors.into_iter().map(OpenEditor).collect()
        }))
    }
}

/// What became of a page.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum PageChangeKind {
    /// Its title, content or quiz: it has a new version.
    Written,
    /// It says again what it said in an earlier version, as a new one.
    Restored,
    /// It went elsewhere in its course, was published or taken back; the version is the same.
    Arranged,
    /// It is gone.
    Deleted,
}

impl From<Change> for PageChangeKind {
    fn from(change: Change) -> Self {
        match change {
            Change::Written => Self::Written,
            Change::Restored => Self::Restored,
            Change::Arranged => Self::Arranged,
            Change::Deleted => Self::Deleted,
        }
    }
}

pub struct PageChange(events::PageChange);

/// A page was changed or deleted.
#[Object]
impl PageChange {
    /// What became of it.
    async fn kind(&self) -> PageChangeKind {
        self.0.what.into()
    }
    /// Of the page.
    async fn page_id(&self) -> ID {
        id_of(self.0.page)
    }
    /// The page as it is now, which may be newer than this change; null when it is deleted.
    async fn page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        Page::load_unless_gone(ctx, self.0.page).await
    }
    /// As this change has left it; null when the page was deleted with what it was in.
    async fn version(&self) -> Option<i32> {
        self.0.version.map(int)
    }
    /// Who did it; null when that account is gone, and when the page was deleted with what it was in.
    async fn editor(&self) -> Option<PageEditor> {
        self.0.by.clone().map(person)
    }
    /// Which of their open editors it was, as `updatePage` was told: an editor knows its own changes by it.
    async fn user_session_id(&self) -> Option<&str> {
        self.0.session.as_deref()
    }
    /// When it was.
    async fn at(&self) -> DateTime {
        DateTime(self.0.at)
    }
}

pub struct OpenEditor(events::OpenEditor);

/// An editor that somebody has a page open in.
#[Object]
impl OpenEditor {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// Who has it open.
    async fn editor(&self) -> PageEditor {
        person(self.0.by.clone())
    }
    /// As the editor names itself when it saves.
    async fn user_session_id(&self) -> Option<&str> {
        self.0.session.as_deref()
    }
    /// Since when it is open.
    async fn since(&self) -> DateTime {
        DateTime(self.0.since)
    }
}

fn person(somebody: Somebody) -> PageEditor {
    PageEditor {
        id: id_of(somebody.id),
        full_name: somebody.full_name,
    }
}
