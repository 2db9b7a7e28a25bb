//! The cover of a course, which its public page shows: upload, cropping to 16:9, removal.

use std::sync::Arc;

use bytes::Bytes;

use super::visibility::{self, PublicPageSettings};
use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::files::picture::Shape;
use crate::files::picture_upload::{LARGEST, PictureUpload};
use crate::files::upload::{Sink, or_delete_bytes, record};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId};
use kurso_db::{Tx, sql};

/// An upload in progress. Dropping it before `finish` leaves nothing.
#[derive(Debug)]
pub struct CoverUpload {
    picture: PictureUpload,
    viewer: Viewer,
    course: CourseId,
}

impl CoverUpload {
    /// Starts an upload; owner and editors only. `announced` is the length of the form that the client declares.
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, course: CourseId, announced: Option<u64>) -> Result<Self> {
        let course = find(&kurso.db, viewer, course, Right::Edit).await?.id;
        Ok(CoverUpload {
            picture: PictureUpload::begin(kurso, viewer.id(), announced).await?,
            viewer: viewer.clone(),
            course,
        })
    }

    /// Ends the upload once all bytes have arrived. Returns the settings with the new cover; the previous one is released.
    pub async fn finish(self) -> Result<PublicPageSettings> {
        self.picture.require_bytes()?;
        // A task of its own continues when the request is cancelled, so that no bytes stay without a row.
        let work = tokio::spawn(self.store());
        work.await.map_err(Error::internal)?
    }

    async fn store(self) -> Result<PublicPageSettings> {
        let kurso = self.picture.kurso().clone();
        let file = self.picture.store(Shape::Cover, "cover").await?;
        let recorded = async {
            let mut tx = begin(&kurso.db, self.course, Scope::Content(kurso.clock.now())).await?;
            record(&mut tx, &kurso, &file, self.viewer.id()).await?;
            let settings = set(&mut tx, self.course, Some(file.id)).await?;
            tx.commit().await?;
            Ok(settings)
        }
        .await;
        or_delete_bytes(&kurso, &file.key, recorded).await
    }
}

impl Sink for CoverUpload {
    fn max_size(&self) -> u64 {
        LARGEST
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.picture.write(bytes).await
    }
}

/// Removes the cover of a course; owner and editors only.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<PublicPageSettings> {
    let course = find(&kurso.db, viewer, course, Right::Edit).await?.id;
    let mut tx = begin(&kurso.db, course, Scope::Content(kurso.clock.now())).await?;
    let settings = set(&mut tx, course, None).await?;
    tx.commit().await?;
    Ok(settings)
}

async fn set(tx: &mut Tx, course: CourseId, file: Option<FileId>) -> Result<PublicPageSettings> {
    sql!(
        "INSERT INTO public_pages (course_id, visibility, cover_file_id) VALUES ($1, 'private', $2)
         ON CONFLICT (course_id) DO UPDATE SET cover_file_id = excluded.cover_file_id",
        course,
        file
    )
    .execute(&mut *tx)
    .await?;
    visibility::one(tx, course).await
}
