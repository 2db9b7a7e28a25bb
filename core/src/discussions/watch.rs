//! The subscription to the discussions of a course or of one page.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, DiscussionId, PageId};
use kurso_base::messages::Message;
use kurso_base::values::Checked as _;
use kurso_db::events::{Event, Topic};

use super::reader::{Audience, Reader, Scope};
use super::stored;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::{self, Course};
use crate::learning::view::CourseView;
use crate::subscriptions::Watch;

/// A change of a discussion that the person may read, or that is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiscussionChange {
    pub page: PageId,
    pub discussion: DiscussionId,
    /// Whether the person has changed it.
    pub is_mine: bool,
}

/// Changes of discussions, for those who may read them at the moment of the change.
#[derive(Debug)]
pub struct DiscussionsWatch {
    watch: Watch,
    viewer: Viewer,
    page: Option<PageId>,
}

impl DiscussionsWatch {
    /// Watches one page, or without a page the course, which only the staff may. Fails with 404 without a relation to the course or page,
    /// with 403 without the right, and as locked if the page is.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, course: CourseId, page: Option<PageId>) -> Result<Self> {
        if let Some(page) = page {
            let entry = stored::participant_at(kurso, viewer, page).await?;
            if entry.course.id != course {
                return Err(Error::NotFound(Message::PageNotFound));
            }
        }
        let topics = [Topic::Discussions(course)];
        let watch = Watch::start(kurso, viewer, course, Right::Discuss, &topics).await?;
        if page.is_none() {
            let course = courses::find(&kurso.db, viewer, course, Right::Discuss).await?;
            if !course.role.is_staff() {
                return Err(Error::Forbidden(Message::CourseForbidden));
            }
        }
        Ok(DiscussionsWatch {
            watch,
            viewer: viewer.clone(),
            page,
        })
    }

    /// The next change. Returns None if events were lost. Fails when the person has lost the right. At most eight statements per event; two if
    /// the discussion is not for the person.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<DiscussionChange>> {
        while let Some((event, course)) = self.watch.next(kurso).await? {
            let Event::Discussion {
                page, discussion, by, ..
            } = *event
            else {
                continue;
            };
            let is_watched = self.page.is_none_or(|watched| watched == page);
            if is_watched && self.is_told(kurso, course, &event, page).await? {
                let is_mine = by == self.viewer.id();
                return Ok(Some(DiscussionChange {
                    page,
                    discussion,
                    is_mine,
                }));
            }
        }
        Ok(None)
    }

    /// Whether the person may read the discussion now, or could before this change hid it.
    async fn is_told(&self, kurso: &Kurso, course: Course, event: &Event, page: PageId) -> Result<bool> {
        let Event::Discussion {
            asker,
            audience,
            group,
            is_hidden,
            ..
        } = event
        else {
            return Ok(false);
        };
        let (Some(reader), Ok(audience)) = (Reader::of(&course, self.viewer.id()), Audience::check(audience.clone()))
        else {
            return Ok(false);
        };
        let scope = Scope {
            asker: *asker,
            audience,
            group: *group,
            is_hidden: *is_hidden,
            is_on: true,
        };
        if !reader.reads(&scope) || self.page.is_none() && !reader.is_staff() {
            return Ok(false);
        }
        if reader.is_staff() {
            return Ok(true);
        }
        let _permit = kurso.watch_queue.enter().await;
        let is_on = super::rules_of(&kurso.db, &[page]).await?;
        let is_on = is_on.get(&page).is_some_and(|rules| rules.is_on);
        let view = CourseView::of(kurso, course).await?;
        let place = view.tree.place(page).filter(|place| view.shows(*place));
        Ok(is_on && place.is_some_and(|place| view.require_readable(place).is_ok()))
    }
}
