//! Subscription to an import: its current state, then every change, with the rights checked again each time.

use crate::access::Viewer;
use crate::{Kurso, auth};
use kurso_base::error::Result;
use kurso_base::ids::JobId;
use kurso_db::events::{Subscriber, Topic};

use super::{Import, get};

#[derive(Debug)]
pub struct ImportWatch {
    viewer: Viewer,
    id: JobId,
    events: Subscriber,
    is_begun: bool,
    is_over: bool,
}

impl ImportWatch {
    /// Fails with 404 unless the viewer may see the import.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Self> {
        // Subscribes before reading, so that no change is missed in between.
        let topics = [Topic::Job(id), Topic::Person(viewer.id())];
        let events = kurso.db.event_bus().subscribe(&topics).await;
        get(kurso, viewer, id).await?;
        Ok(ImportWatch {
            viewer: viewer.clone(),
            id,
            events,
            is_begun: false,
            is_over: false,
        })
    }

    /// Whether the import has reached a final state.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The import, immediately at first and then after each change; None if events were lost. Two statements each.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Import>> {
        if self.is_begun && self.events.next().await.is_none() {
            return Ok(None);
        }
        self.is_begun = true;
        let (viewer, _) = auth::revalidate(kurso, &self.viewer).await?;
        let import = get(kurso, &viewer, self.id).await?;
        self.is_over = import.state.is_final();
        Ok(Some(import))
    }
}
