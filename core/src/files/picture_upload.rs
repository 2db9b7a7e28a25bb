//! Uploads of pictures that are scaled and cropped to a shape: avatars of modules, covers of courses, logos and signatures of certificates.

use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::fs::File as AsyncFile;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

use super::File;
use super::picture::{self, Picture, Shape};
use super::upload::{Meter, refused};
use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{FileId, UserId};
use kurso_base::messages::Message;
use kurso_base::random;

/// Maximum size of an uploaded picture in bytes.
pub(crate) const LARGEST: u64 = 10 << 20;

/// A picture being uploaded. Dropped before `store`, it leaves nothing.
#[derive(Debug)]
pub(crate) struct PictureUpload {
    meter: Meter,
    waiting: AsyncFile,
}

impl PictureUpload {
    /// `announced` is the length of the form that the client declares.
    pub async fn begin(kurso: &Arc<Kurso>, person: UserId, announced: Option<u64>) -> Result<Self> {
        let meter = Meter::begin(kurso, person, LARGEST, announced).await?;
        Ok(PictureUpload {
            meter,
            waiting: kurso.files.scratch().await?,
        })
    }

    pub fn kurso(&self) -> &Arc<Kurso> {
        self.meter.kurso()
    }

    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.meter.count(bytes.len() as u64)?;
        self.waiting.write_all(&bytes).await.map_err(Error::internal)
    }

    /// Fails if no bytes have arrived.
    pub fn require_bytes(&self) -> Result<()> {
        match self.meter.size() {
            0 => Err(refused(Message::EmptyFile)),
            _ => Ok(()),
        }
    }

    /// Stores the bytes of the picture in this shape. The caller records the file, or deletes its bytes.
    pub async fn store(self, shape: Shape, name: &str) -> Result<File> {
        let kurso = self.meter.kurso();
        let picture = shaped(kurso, self.waiting, shape).await?;
        let file = File {
            id: FileId::new(),
            key: random::key(),
            filename: format!("{name}.{}", picture.extension),
            content_type: picture.content_type.to_owned(),
            size: i64::try_from(picture.bytes.len()).map_err(Error::internal)?,
            width: Some(i64::from(picture.width)),
            height: Some(i64::from(picture.height)),
            created_at: kurso.clock.now(),
            sha256: Some(Sha256::digest(&picture.bytes).to_vec()),
            is_private: false,
        };
        kurso.files.put(&file.key, Bytes::from(picture.bytes)).await?;
        Ok(file)
    }
}

/// Scales an image down; one at a time in this process.
async fn shaped(kurso: &Kurso, mut file: AsyncFile, shape: Shape) -> Result<Picture> {
    let _waiting = kurso.uploads.waiting.try_acquire().map_err(|_| Error::Busy)?;
    let pictures = kurso.uploads.pictures.clone();
    let turn = pictures.acquire_owned().await.map_err(Error::internal)?;
    file.flush().await.map_err(Error::internal)?;
    file.rewind().await.map_err(Error::internal)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).await.map_err(Error::internal)?;
    let made = tokio::task::spawn_blocking(move || {
        let _turn = turn; // held until the work is done, even if the request is cancelled
        picture::shaped(&bytes, shape)
    })
    .await;
    // A panic of the decoder means that it cannot read the image.
    made.unwrap_or(Err(Message::BrokenPicture)).map_err(refused)
}
