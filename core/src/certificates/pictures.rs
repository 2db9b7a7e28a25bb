//! The pictures of the certificates of a course, a logo and a signature: upload and removal.

use std::sync::Arc;

use bytes::Bytes;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId};
use kurso_base::values::choices;

use super::design::{self, Design};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::{self, Scope};
use crate::files::picture::Shape;
use crate::files::picture_upload::{LARGEST, PictureUpload};
use crate::files::upload::{Sink, or_delete_bytes, record};

/// A place for a picture on a certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Picture {
    Logo,
    /// Of whoever signs.
    Signature,
}

choices! {
    Picture: "logo" => Picture::Logo, "signature" => Picture::Signature;
}

impl Picture {
    fn name(self) -> &'static str {
        match self {
            Picture::Logo => "logo",
            Picture::Signature => "signature",
        }
    }

    fn of(self, design: &mut Design) -> &mut Option<FileId> {
        match self {
            Picture::Logo => &mut design.logo_file_id,
            Picture::Signature => &mut design.signature_file_id,
        }
    }
}

/// An upload in progress. Dropping it before `finish` leaves nothing.
#[derive(Debug)]
pub struct CertificatePictureUpload {
    upload: PictureUpload,
    viewer: Viewer,
    course: CourseId,
    picture: Picture,
}

impl CertificatePictureUpload {
    /// Starts an upload; owner and editors only. `announced` is the length of the form that the client declares.
    pub async fn begin(
        kurso: &Arc<Kurso>,
        viewer: &Viewer,
        course: CourseId,
        picture: Picture,
        announced: Option<u64>,
    ) -> Result<Self> {
        let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?.id;
        Ok(CertificatePictureUpload {
            upload: PictureUpload::begin(kurso, viewer.id(), announced).await?,
            viewer: viewer.clone(),
            course,
            picture,
        })
    }

    /// Ends the upload once all bytes have arrived. Returns the design with the picture; the previous one stays while certificates have it.
    pub async fn finish(self) -> Result<Design> {
        self.upload.require_bytes()?;
        // A task of its own continues when the request is cancelled, so that no bytes stay without a row.
        let work = tokio::spawn(self.store());
        work.await.map_err(Error::internal)?
    }

    async fn store(self) -> Result<Design> {
        let kurso = self.upload.kurso().clone();
        let file = self.upload.store(Shape::Whole, self.picture.name()).await?;
        let recorded = async {
            let mut tx = courses::begin(&kurso.db, self.course, Scope::Content(kurso.clock.now())).await?;
            record(&mut tx, &kurso, &file, self.viewer.id()).await?;
            let mut design = design::of_course(&mut tx, self.course).await?;
            *self.picture.of(&mut design) = Some(file.id);
            design::store(&kurso, &mut tx, &design).await?;
            let design = design::of_course(&mut tx, self.course).await?;
            tx.commit().await?;
            Ok(design)
        }
        .await;
        or_delete_bytes(&kurso, &file.key, recorded).await
    }
}

impl Sink for CertificatePictureUpload {
    fn max_size(&self) -> u64 {
        LARGEST
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.upload.write(bytes).await
    }
}

/// Removes a picture from the design; owner and editors only. Certificates that have it keep it.
pub async fn remove(kurso: &Kurso, viewer: &Viewer, course: CourseId, picture: Picture) -> Result<Design> {
    let course = courses::find(&kurso.db, viewer, course, Right::Edit).await?.id;
    let mut tx = courses::begin(&kurso.db, course, Scope::Content(kurso.clock.now())).await?;
    let mut design = design::of_course(&mut tx, course).await?;
    if picture.of(&mut design).take().is_some() {
        design::store(kurso, &mut tx, &design).await?;
    }
    let design = design::of_course(&mut tx, course).await?;
    tx.commit().await?;
    Ok(design)
}
