//! The subscription to a person's notices.

use kurso_base::error::Result;
use kurso_db::events::{Event, Subscriber, Topic};

use super::{Notice, list};
use crate::access::Viewer;
use crate::{Kurso, auth};

/// An update of a subscription.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub unread: usize,
    /// The new notice; None if notices were only read or withdrawn.
    pub newest: Option<Notice>,
}

/// Sends the current state of the viewer's notices, and then every change.
#[derive(Debug)]
pub struct NoticesWatch {
    viewer: Viewer,
    events: Subscriber,
    is_first: bool,
}

impl NoticesWatch {
    pub async fn start(kurso: &Kurso, viewer: &Viewer) -> Self {
        // Losing rights may hide notices.
        let topics = [Topic::Notices(viewer.id()), Topic::Person(viewer.id())];
        NoticesWatch {
            events: kurso.db.event_bus().subscribe(&topics).await,
            viewer: viewer.clone(),
            is_first: true,
        }
    }

    /// Returns the current state at first, then the state after each change. Returns None if events were lost. Fails if the session has ended. At most eight statements.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Arrival>> {
        if std::mem::take(&mut self.is_first) {
            let unread = list::unread(kurso, &self.viewer).await?;
            return Ok(Some(Arrival { unread, newest: None }));
        }
        let Some(event) = self.events.next().await else {
            return Ok(None);
        };
        let _permit = kurso.watch_queue.enter().await;
        let (viewer, _) = auth::revalidate(kurso, &self.viewer).await?;
        let (unread, newest) = match *event {
            Event::Notices {
                newest: Some(newest), ..
            } => list::unread_with(kurso, &viewer, newest).await?,
            _ => (list::unread(kurso, &viewer).await?, None),
        };
        Ok(Some(Arrival { unread, newest }))
    }
}
