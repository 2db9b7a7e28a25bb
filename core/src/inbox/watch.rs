//! Subscription to the notices of a person.

use kurso_base::error::Result;
use kurso_db::events::{Event, Subscriber, Topic};

use super::{Notice, list};
use crate::access::Viewer;
use crate::{Kurso, auth};

/// The state of a person's notices.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub unread: usize,
    /// The notice that arrived; None if notices were only read or withdrawn.
    pub newest: Option<Notice>,
}

/// The viewer's notices: now, and whenever one arrives or notices are read or withdrawn.
#[derive(Debug)]
pub struct NoticesWatch {
    viewer: Viewer,
    events: Subscriber,
    is_first: bool,
}

impl NoticesWatch {
    pub async fn start(kurso: &Kurso, viewer: &Viewer) -> Self {
        // Fewer rights withdraw notices too.
        let topics = [Topic::Notices(viewer.id()), Topic::Person(viewer.id())];
        NoticesWatch {
            events: kurso.db.event_bus().subscribe(&topics).await,
            viewer: viewer.clone(),
            is_first: true,
        }
    }

    /// The present state at first, then that after the next change. None if events were lost. Fails if the session is over. At most eight statements.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Arrival>> {
        if std::mem::take(&mut self.is_first) {
            let unread = list::unread(kurso, &self.viewer).await?;
            return Ok(Some(Arrival { unread, newest: None }));
        }
        let Some(event) = self.events.next().await else {
            return Ok(None);
        };
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
