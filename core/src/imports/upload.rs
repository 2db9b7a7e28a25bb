//! Upload of a file to be imported: the bytes are stored like those of any upload; form fields hold the parameters of
//! the import.

use std::sync::Arc;

use bytes::Bytes;
use uuid::Uuid;

use super::{Import, Plan, start};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::files::upload::{Sink, Upload};
use kurso_base::error::Result;
use kurso_base::ids::CourseId;

/// The form fields besides the file.
const FIELDS: [&str; 7] = [
    "course_id",
    "mode",
    "format",
    "preview",
    "draft",
    "headings",
    "starts_at",
];

/// Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct ImportUpload {
    kurso: Arc<Kurso>,
    viewer: Viewer,
    upload: Upload,
}

impl ImportUpload {
    /// Starts an upload; any signed-in person may import. A package may be larger than a single file and counts against
    /// the quota while the import lasts. Errors as for [`Upload::begin`].
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, announced: Option<u64>) -> Result<Self> {
        Ok(ImportUpload {
            upload: Upload::begin_package(kurso, viewer, announced).await?,
            kurso: kurso.clone(),
            viewer: viewer.clone(),
        })
    }

    /// Starts the import after the last byte; it runs in the background.
    pub async fn finish(self, filename: &str, plan: Plan) -> Result<Import> {
        plan.require(&self.kurso, &self.viewer).await?;
        let file = self.upload.finish(filename).await?;
        let started = start(&self.kurso, self.viewer.id(), plan, &file).await;
        if started.is_err() {
            crate::files::cleanup::delete_if_unused(&self.kurso, file.id).await?;
        }
        started
    }
}

impl Sink for ImportUpload {
    fn max_size(&self) -> u64 {
        self.upload.max_size()
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.upload.write(bytes).await
    }

    fn accepts_field(&self, name: &str) -> bool {
        FIELDS.contains(&name)
    }

    /// Checks the right to change the course before the file is read: clients send the fields before it.
    async fn field(&mut self, name: &str, text: &str) -> Result<()> {
        if let ("course_id", Ok(id)) = (name, Uuid::try_parse(text)) {
            courses::find(&self.kurso.db, &self.viewer, CourseId(id), Right::Edit).await?;
        }
        Ok(())
    }
}
