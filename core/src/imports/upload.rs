//! The upload of a file that is to be imported: its bytes go to the store as those of any file, and the form says beside
//! them what is to become of it.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Import, Plan, start};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::error::Result;
use crate::files::upload::{Sink, Upload};
use crate::ids::CourseId;

/// What a form may say beside the file.
const FIELDS: [&str; 4] = ["course_id", "mode", "format", "preview"];

/// Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct ImportUpload {
    kurso: Arc<Kurso>,
    viewer: Viewer,
    upload: Upload,
    fields: Map<String, Value>,
}

impl ImportUpload {
    /// Anybody who is signed in may import: it becomes a course of theirs. A package may be larger than a file of a page, and
    /// counts against the same quota while the import lasts. Refusals as for [`Upload::begin`].
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, announced: Option<u64>) -> Result<Self> {
        Ok(ImportUpload {
            upload: Upload::begin_package(kurso, viewer, announced).await?,
            kurso: kurso.clone(),
            viewer: viewer.clone(),
            fields: Map::new(),
        })
    }

    /// All bytes are there: from now on the import goes on without anybody waiting for it.
    pub async fn finish(self, filename: &str) -> Result<Import> {
        let plan = Plan::from_body(&Value::Object(self.fields))?;
        plan.require(&self.kurso, &self.viewer).await?;
        let file = self.upload.finish(filename).await?;
        let started = start(&self.kurso, self.viewer.id(), plan, &file).await;
        if started.is_err() {
            crate::files::sweep::now(&self.kurso, file.id).await?;
        }
        started
    }
}

impl Sink for ImportUpload {
    fn largest(&self) -> u64 {
        self.upload.largest()
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.upload.write(bytes).await
    }

    fn takes(&self, name: &str) -> bool {
        FIELDS.contains(&name)
    }

    /// Who may not change the course need not send the file: clients write the fields before it.
    async fn field(&mut self, name: &str, text: String) -> Result<()> {
        // An empty field of a form is one that was left out.
        if text.is_empty() {
            return Ok(());
        }
        if let ("course_id", Ok(id)) = (name, Uuid::try_parse(&text)) {
            courses::find(&self.kurso.db, &self.viewer, CourseId(id), Right::Edit).await?;
        }
        self.fields.insert(name.to_owned(), Value::String(text));
        Ok(())
    }
}
