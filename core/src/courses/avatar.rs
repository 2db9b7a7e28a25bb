//! Avatars of modules: upload, resizing, removal.

use std::sync::Arc;

use bytes::Bytes;

use super::module::{self, Module};
use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::files::picture::Shape;
use crate::files::picture_upload::{LARGEST, PictureUpload};
use crate::files::upload::{Sink, or_delete_bytes, record};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, ModuleId};
use kurso_db::sql;
use kurso_db::{DbOrTx, Tx};

/// An upload in progress. Dropping it before `finish` leaves nothing.
#[derive(Debug)]
pub struct AvatarUpload {
    picture: PictureUpload,
    viewer: Viewer,
    module: ModuleId,
    course: CourseId,
}

impl AvatarUpload {
    /// Starts an upload; owner and editors only. `announced` is the length of the form that the client declares.
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, module: ModuleId, announced: Option<u64>) -> Result<Self> {
        let course = find(&kurso.db, viewer, module, Right::Edit).await?.id;
        Ok(AvatarUpload {
            picture: PictureUpload::begin(kurso, viewer.id(), announced).await?,
            viewer: viewer.clone(),
            module,
            course,
        })
    }

    /// Ends the upload once all bytes have arrived. Returns the module with the new image; the previous image is released.
    pub async fn finish(self) -> Result<Module> {
        self.picture.require_bytes()?;
        // A task of its own continues when the request is cancelled, so that no bytes stay without a row.
        let work = tokio::spawn(self.store());
        work.await.map_err(Error::internal)?
    }

    async fn store(self) -> Result<Module> {
        let kurso = self.picture.kurso().clone();
        let file = self.picture.store(Shape::Square, "avatar").await?;
        let recorded = async {
            let mut tx = begin(&kurso.db, self.course, Scope::Structure(kurso.clock.now())).await?;
            record(&mut tx, &kurso, &file, self.viewer.id()).await?;
            let module = set(&mut tx, &kurso, self.module, Some(file.id)).await?;
            tx.commit().await?;
            Ok(module)
        }
        .await;
        or_delete_bytes(&kurso, &file.key, recorded).await
    }
}

impl Sink for AvatarUpload {
    fn max_size(&self) -> u64 {
        LARGEST
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.picture.write(bytes).await
    }
}

/// Removes the image of a module; owner and editors only.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, id: ModuleId) -> Result<Module> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let mut tx = begin(&kurso.db, course, Scope::Structure(kurso.clock.now())).await?;
    let module = set(&mut tx, kurso, id, None).await?;
    tx.commit().await?;
    Ok(module)
}

async fn set(tx: &mut Tx, kurso: &Kurso, module: ModuleId, file: Option<FileId>) -> Result<Module> {
    sql!(
        "UPDATE modules SET avatar_file_id = $2, updated_at = $3 WHERE id = $1",
        module,
        file,
        kurso.clock.now()
    )
    .execute(&mut *tx)
    .await?;
    // 404 if the module was deleted meanwhile.
    module::read(DbOrTx::Tx(tx), module).await
}
