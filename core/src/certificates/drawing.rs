//! Certificates as PDF documents: for whoever has a signed path, and at the public address what the holder allows.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::{CertificateId, CourseId, FileId};
use kurso_base::messages::{Lang, Message, wording};
use kurso_certificate::{self as drawn, Labels, Picture, Rgb};
use kurso_db::sql;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::design::{self, Design};
use super::rules;
use super::{Certificate, Look, find, issuer_name, last_day, page_path, zone_of};
use crate::Kurso;
use crate::auth::Origin;
use crate::auth::limits::Limit;
use crate::files::Signature;

/// Changes whenever the same certificate is drawn in another way.
const DRAWING: u8 = 1;

/// Who asks for a PDF.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// Everybody: it is there if the holder shows the name, and has the grade if the holder shows it.
    Public,
    /// Whoever has an address that the server has signed for the holder or the staff of the course.
    Signed(Signature<'a>),
}

/// A PDF that is drawn only if it is needed.
#[derive(Debug)]
pub struct Drawn {
    /// Identifies its bytes.
    pub digest: String,
    certificate: drawn::Certificate,
    look: Look,
    kurso: Arc<Kurso>,
}

/// The path of the PDF of a certificate.
pub(super) fn pdf_path(id: CertificateId) -> String {
    format!("/c/{id}/certificate.pdf")
}

fn preview_path(course: CourseId) -> String {
    format!("/c/preview/{course}")
}

/// The path of a sample: signed, and valid for one to two hours.
pub fn preview_url(kurso: &Kurso, course: CourseId) -> String {
    kurso.file_signer.signed_path(&preview_path(course), kurso.clock.now())
}

/// The PDF of a certificate; rate-limited per client address. Fails with 404 if there is none, if it was revoked or replaced, if the holder does
/// not show it, and when the address is not signed or has expired.
pub async fn pdf(kurso: &Arc<Kurso>, origin: &Origin, id: CertificateId, access: Access<'_>) -> Result<Drawn> {
    kurso
        .limits
        .acquire_of_address(Limit::Visits, origin.address, kurso.clock.now())?;
    let now = kurso.clock.now();
    let not_found = || Error::NotFound(Message::CertificateNotFound);
    let is_signed = match access {
        Access::Public => false,
        Access::Signed(signature) => match kurso.file_signer.is_path_signed(&pdf_path(id), signature, now) {
            true => true,
            false => return Err(not_found()),
        },
    };
    let certificate = find(&kurso.db, id).await?;
    let is_there = certificate.state(now).has_documents() && (is_signed || certificate.is_name_shown);
    if !is_there {
        return Err(not_found());
    }
    let has_grade = is_signed || certificate.is_grade_shown;
    Ok(Drawn::of(kurso, certificate, has_grade))
}

/// A sample in the design of a course, for whoever has its signed path. Fails with 404 otherwise.
pub async fn preview(kurso: &Arc<Kurso>, course: CourseId, signature: Signature<'_>) -> Result<Drawn> {
    let now = kurso.clock.now();
    if !kurso.file_signer.is_path_signed(&preview_path(course), signature, now) {
        return Err(Error::NotFound(Message::CourseNotFound));
    }
    let row = sql!("SELECT title, time_zone FROM courses WHERE id = $1", course);
    let row = row.fetch_optional::<(String, Option<String>)>(&kurso.db).await?;
    let (title, time_zone) = row.ok_or(Error::NotFound(Message::CourseNotFound))?;
    let design = design::of_course(&kurso.db, course).await?;
    let Design {
        language, has_grade, ..
    } = design;
    let zone = zone_of(time_zone.as_deref());
    let name = match language {
        Lang::Ru => "Анна Сергеевна Иванова",
        Lang::En => "Anna Johnson",
    };
    let certificate = drawn::Certificate {
        name: name.to_owned(),
        course: title,
        date: wording::day(zone.day_of(now), language),
        expires: rules::expiry(now, design.valid_months, zone).map(|end| wording::day(last_day(end, zone), language)),
        number: Uuid::nil().to_string(),
        url: kurso.mail.page(&page_path(CertificateId(Uuid::nil()))),
        grade: has_grade.then(|| rules::grade_text(9500, None, language)),
        labels: labels(language),
        issuer: issuer_name(kurso),
        language: language.name().to_owned(),
        issued_at: now,
    };
    Ok(Drawn::new(kurso, certificate, design.look(), course.to_string()))
}

impl Drawn {
    fn of(kurso: &Arc<Kurso>, certificate: Certificate, has_grade: bool) -> Self {
        let (zone, language) = (certificate.zone(), certificate.look.language);
        let day = |at| wording::day(zone.day_of(at), language);
        let drawn = drawn::Certificate {
            date: day(certificate.awarded_at),
            expires: certificate
                .expires_at
                .map(|end| wording::day(last_day(end, zone), language)),
            number: certificate.id.to_string(),
            url: kurso.mail.page(&certificate.page_url()),
            labels: labels(language),
            issuer: issuer_name(kurso),
            language: language.name().to_owned(),
            issued_at: certificate.issued_at,
            name: certificate.name,
            course: certificate.course_title,
            grade: certificate.grade.filter(|_| has_grade),
        };
        let id = certificate.id.to_string();
        Drawn::new(kurso, drawn, certificate.look, id)
    }

    fn new(kurso: &Arc<Kurso>, certificate: drawn::Certificate, look: Look, id: String) -> Self {
        let mut digest = hex(&Sha256::digest(format!("{DRAWING} {id} {certificate:?} {look:?}")));
        digest.truncate(32);
        Drawn {
            digest,
            certificate,
            look,
            kurso: kurso.clone(),
        }
    }

    /// Draws the document; rate-limited per client address. Fails with [`Error::Busy`] when too many are being drawn.
    pub async fn bytes(self, origin: &Origin) -> Result<Vec<u8>> {
        let now = self.kurso.clock.now();
        self.kurso
            .limits
            .acquire_of_address(Limit::Drawings, origin.address, now)?;
        let services = &self.kurso.certificates;
        let waiting = services.waiting.clone().try_acquire_owned();
        let waiting = waiting.map_err(|_| Error::Busy)?;
        let drawing = services.drawing.clone().acquire_owned();
        let drawing = drawing.await.map_err(Error::internal)?;
        // Not before its turn: pictures are large.
        let logo = picture(&self.kurso, self.look.logo_file_id).await?;
        let signature = picture(&self.kurso, self.look.signature_file_id).await?;
        let (certificate, look) = (self.certificate, self.look);
        let work = tokio::task::spawn_blocking(move || {
            // Held until the work is done, even if the client has gone.
            let _held = (waiting, drawing);
            let design = drawn::Design {
                accent: color(&look.accent, Rgb::new(0x1c, 0x6a, 0x52)),
                background: color(&look.background, Rgb::WHITE),
                heading: look.heading,
                text: look.text,
                logo: logo.and_then(|bytes| Picture::read(&bytes).ok()),
                signature: signature.and_then(|bytes| Picture::read(&bytes).ok()),
                signer: look.signer,
            };
            drawn::pdf::pdf(&certificate, &design)
        });
        work.await.map_err(Error::internal)?.map_err(Error::internal)
    }
}

fn color(text: &str, otherwise: Rgb) -> Rgb {
    text.parse().unwrap_or(otherwise)
}

/// The bytes of a picture of a design. A picture whose bytes are missing is left out, which `kurso check` reports.
async fn picture(kurso: &Kurso, file: Option<FileId>) -> Result<Option<Vec<u8>>> {
    let Some(file) = file else { return Ok(None) };
    let key = sql!("SELECT key FROM files WHERE id = $1", file);
    let Some((key,)) = key.fetch_optional::<(String,)>(&kurso.db).await? else {
        return Ok(None);
    };
    let stream = match kurso.files.get(&key, None).await {
        Ok(stream) => stream,
        Err(Error::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let chunks: Vec<Bytes> = stream.try_collect().await?;
    Ok(Some(chunks.concat()))
}

fn labels(language: Lang) -> Labels {
    let [date, expires, number, grade, verify, signature] = match language {
        Lang::Ru => [
            "Дата выдачи",
            "Действителен до",
            "Номер",
            "Оценка",
            "Проверить подлинность",
            "Подпись",
        ],
        Lang::En => ["Date of issue", "Valid until", "Number", "Grade", "Verify", "Signature"],
    };
    Labels {
        date: date.to_owned(),
        expires: expires.to_owned(),
        number: number.to_owned(),
        grade: grade.to_owned(),
        verify: verify.to_owned(),
        signature: signature.to_owned(),
    }
}
