//! Storing a file in chunks, in a folder or through a spool file in a bucket.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use object_store::path::Path as ObjectPath;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload};
use sha2::{Digest as _, Sha256};
use tokio::fs::File as AsyncFile;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};
use tokio::sync::Semaphore;

use kurso_base::error::{Error, Result, of_io};

use super::{CHUNK, MIN_PART, Sha, failed};

/// A file being stored. Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct Writer {
    pub(super) kind: WriterKind,
    pub(super) hash: Sha256,
    /// Small chunks, collected.
    pub(super) pending: Vec<Bytes>,
    pub(super) pending_bytes: usize,
}

#[derive(Debug)]
pub(super) enum WriterKind {
    Folder(Box<dyn MultipartUpload>),
    Bucket {
        objects: Arc<dyn ObjectStore>,
        key: ObjectPath,
        waiting: AsyncFile,
        upload_slots: Arc<Semaphore>,
        timeout: Duration,
    },
}

impl Writer {
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.hash.update(&bytes);
        self.pending_bytes += bytes.len();
        self.pending.push(bytes);
        if self.pending_bytes >= CHUNK {
            self.flush().await?;
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<()> {
        self.pending_bytes = 0;
        let pending = std::mem::take(&mut self.pending);
        match &mut self.kind {
            WriterKind::Folder(upload) => upload.put_part(pending.into_iter().collect()).await.map_err(failed),
            WriterKind::Bucket { waiting, .. } => {
                for bytes in pending {
                    waiting.write_all(&bytes).await.map_err(of_io)?;
                }
                Ok(())
            }
        }
    }

    /// Completes the file and makes it visible. Returns the hash of its bytes.
    pub async fn finish(mut self) -> Result<Sha> {
        self.flush().await?;
        let hash = self.hash.finalize().into();
        match self.kind {
            WriterKind::Folder(mut upload) => upload.complete().await.map(drop).map_err(failed)?,
            WriterKind::Bucket {
                objects,
                key,
                mut waiting,
                upload_slots,
                timeout,
            } => {
                waiting.flush().await.map_err(of_io)?;
                waiting.rewind().await.map_err(of_io)?;
                // If the queue before this one timed out, this one would too.
                let turn = tokio::time::timeout(timeout, upload_slots.acquire()).await;
                let _turn = turn.map_err(|_| Error::Busy)?.map_err(Error::internal)?;
                send(&*objects, &key, waiting).await?;
            }
        }
        Ok(hash)
    }
}

/// Sends a spooled file to the bucket: in one request if small, else in parts.
async fn send(objects: &dyn ObjectStore, key: &ObjectPath, mut file: AsyncFile) -> Result<()> {
    let first = next_part(&mut file).await?;
    if first.content_length() < MIN_PART {
        objects.put(key, first).await.map_err(failed)?;
        return Ok(());
    }
    let mut upload = objects.put_multipart(key).await.map_err(failed)?;
    let sent = async {
        upload.put_part(first).await.map_err(failed)?;
        loop {
            let part = next_part(&mut file).await?;
            if part.content_length() == 0 {
                break;
            }
            upload.put_part(part).await.map_err(failed)?;
        }
        upload.complete().await.map_err(failed)
    }
    .await;
    match sent {
        Ok(_) => Ok(()),
        Err(error) => {
            if let Err(error) = upload.abort().await {
                tracing::warn!(%key, %error, "an upload to the bucket could not be aborted");
            }
            Err(error)
        }
    }
}

async fn next_part(file: &mut AsyncFile) -> Result<PutPayload> {
    let mut part = Vec::with_capacity(MIN_PART);
    file.take(MIN_PART as u64).read_to_end(&mut part).await.map_err(of_io)?;
    Ok(part.into())
}
