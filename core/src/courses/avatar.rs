//! Avatars of modules: upload, resizing, removal.

use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::fs::File as AsyncFile;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

use super::module::{self, Module};
use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::files::File;
use crate::files::picture::{self, Square};
use crate::files::upload::{Meter, Sink, or_delete_bytes, record, refused};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, ModuleId};
use kurso_base::messages::Message;
use kurso_base::random;
use kurso_db::sql;
use kurso_db::{DbOrTx, Tx};

/// The maximum size of an image in bytes.
const LARGEST: u64 = 10 << 20;

/// An upload in progress. Dropping it before `finish` leaves nothing.
#[derive(Debug)]
pub struct AvatarUpload {
    meter: Meter,
    viewer: Viewer,
    module: ModuleId,
    course: CourseId,
    waiting: AsyncFile,
}

impl AvatarUpload {
    /// Starts an upload; owner and editors only. `announced` is the length of the form that the client declares.
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, module: ModuleId, announced: Option<u64>) -> Result<Self> {
        let course = find(&kurso.db, viewer, module, Right::Edit).await?.id;
        let meter = Meter::begin(kurso, viewer.id(), LARGEST, announced).await?;
        Ok(AvatarUpload {
            meter,
            viewer: viewer.clone(),
            module,
            course,
            waiting: kurso.files.scratch().await?,
        })
    }

    /// Ends the upload once all bytes have arrived. Returns the module with the new image; the previous image is released.
    pub async fn finish(self) -> Result<Module> {
        if self.meter.size() == 0 {
            return Err(refused(Message::EmptyFile));
        }
        // A task of its own continues when the request is cancelled, so that no bytes stay without a row.
        let work = tokio::spawn(self.store());
        work.await.map_err(Error::internal)?
    }

    async fn store(self) -> Result<Module> {
        let kurso = self.meter.kurso().clone();
        let square = small(&kurso, self.waiting).await?;
        let now = kurso.clock.now();
        let side = i64::from(square.side);
        let file = File {
            id: FileId::new(),
            key: random::key(),
            filename: format!("avatar.{}", square.extension),
            content_type: square.content_type.to_owned(),
            size: i64::try_from(square.bytes.len()).map_err(Error::internal)?,
            width: Some(side),
            height: Some(side),
            created_at: now,
            sha256: Some(Sha256::digest(&square.bytes).to_vec()),
            is_private: false,
        };
        kurso.files.put(&file.key, Bytes::from(square.bytes)).await?;
        let recorded = async {
            let mut tx = begin(&kurso.db, self.course, Scope::Structure(now)).await?;
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
        self.meter.count(bytes.len() as u64)?;
        self.waiting.write_all(&bytes).await.map_err(Error::internal)
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

/// Scales an image down; one at a time in this process.
async fn small(kurso: &Kurso, mut file: AsyncFile) -> Result<Square> {
    let _waiting = kurso.uploads.waiting.try_acquire().map_err(|_| Error::Busy)?;
    let pictures = kurso.uploads.pictures.clone();
    let turn = pictures.acquire_owned().await.map_err(Error::internal)?;
    file.flush().await.map_err(Error::internal)?;
    file.rewind().await.map_err(Error::internal)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).await.map_err(Error::internal)?;
    let made = tokio::task::spawn_blocking(move || {
        let _turn = turn; // held until the work is done, even if the request is cancelled
        picture::square(&bytes)
    })
    .await;
    // A panic of the decoder means that it cannot read the image.
    made.unwrap_or(Err(Message::BrokenPicture)).map_err(refused)
}
