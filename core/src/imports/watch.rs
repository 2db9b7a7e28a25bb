//! Watching an import: how it is now, and each time that changes, with the rights looked at anew.

use crate::access::Viewer;
use crate::error::Result;
use crate::events::{Subscriber, Topic};
use crate::ids::JobId;
use crate::{Kurso, auth};

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
    /// 404 for an import that is not the viewer's.
    pub async fn start(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Self> {
        // First watches, then looks: nothing is missed in between.
        let topics = [Topic::Job(id), Topic::Person(viewer.id())];
        let events = kurso.db.live().subscribe(&topics).await;
        get(kurso, viewer, id).await?;
        Ok(ImportWatch {
            viewer: viewer.clone(),
            id,
            events,
            is_begun: false,
            is_over: false,
        })
    }

    /// Nothing more will become of it.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// At once, and each time something has changed. None: something was missed. Two statements for each.
    pub async fn next(&mut self, kurso: &Kurso) -> Result<Option<Import>> {
        if self.is_begun && self.events.next().await.is_none() {
            return Ok(None);
        }
        self.is_begun = true;
        let (viewer, _) = auth::still(kurso, &self.viewer).await?;
        let import = get(kurso, &viewer, self.id).await?;
        self.is_over = import.state.is_end();
        Ok(Some(import))
    }
}
