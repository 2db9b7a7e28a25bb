//! What everybody who has the address of a certificate sees of it: what its holder allows, and whether it is valid.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::CertificateId;
use kurso_base::schedule::TimeZone;

use super::rules::{Requirement, State};
use super::{Certificate, drawing, find, page_path};
use crate::Kurso;
use crate::auth::Origin;
use crate::auth::limits::Limit;

/// The public page of a certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicCertificate {
    pub id: CertificateId,
    pub state: State,
    pub course_title: String,
    /// None if the holder hides it, and when the certificate was replaced.
    pub name: Option<String>,
    /// None if the certificate has none, the holder hides it, or it was replaced.
    pub grade: Option<String>,
    pub requirement: Requirement,
    pub awarded_at: DateTime<Utc>,
    pub issued_at: DateTime<Utc>,
    /// The first instant after its last day; None: never.
    pub expires_at: Option<DateTime<Utc>>,
    /// The certificate that replaces it.
    pub replaced_by: Option<CertificateId>,
    /// The path of the PDF; None if the holder hides the name, and when the certificate was revoked or replaced.
    pub pdf_url: Option<String>,
    /// The zone of its days.
    pub zone: TimeZone,
}

/// The public page of a certificate; rate-limited per client address. Fails with 404 if there is none. One statement.
pub async fn read_public(kurso: &Kurso, origin: &Origin, id: CertificateId) -> Result<PublicCertificate> {
    kurso
        .limits
        .acquire_of_address(Limit::Visits, origin.address, kurso.clock.now())?;
    let certificate = find(&kurso.db, id).await?;
    Ok(PublicCertificate::of(certificate, kurso.clock.now()))
}

impl PublicCertificate {
    fn of(certificate: Certificate, now: DateTime<Utc>) -> Self {
        let state = certificate.state(now);
        let (zone, pdf_url) = (certificate.zone(), drawing::pdf_path(certificate.id));
        // The new certificate says whose it is, in the name that its holder bears now.
        let is_latest = state != State::Replaced;
        let is_name_shown = certificate.is_name_shown && is_latest;
        PublicCertificate {
            id: certificate.id,
            state,
            requirement: certificate.requirement(),
            course_title: certificate.course_title,
            name: Some(certificate.name).filter(|_| is_name_shown),
            grade: certificate.grade.filter(|_| certificate.is_grade_shown && is_latest),
            awarded_at: certificate.awarded_at,
            issued_at: certificate.issued_at,
            expires_at: certificate.expires_at,
            replaced_by: certificate.replaced_by,
            pdf_url: (is_name_shown && state.has_documents()).then_some(pdf_url),
            zone,
        }
    }
}

/// The QR code of the address of a public page, as an SVG element.
pub fn qr_code(kurso: &Kurso, id: CertificateId) -> Result<String> {
    kurso_certificate::qr::svg(&kurso.mail.page(&page_path(id))).map_err(Error::internal)
}

/// The name of this server as the issuer of certificates: its host.
pub fn issuer_name(kurso: &Kurso) -> String {
    let address = kurso.mail.page("");
    let host = address.split_once("://").map_or(&*address, |(_, host)| host);
    host.trim_end_matches('/').to_owned()
}
