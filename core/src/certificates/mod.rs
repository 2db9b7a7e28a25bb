//! Certificates: the holder claims one when the course says that it is earned. It is a snapshot, shown on a public page, as a PDF and as an
//! Open Badge ([decision 126](../../../docs/decisions/0126-certificates.md)).

mod badge;
mod claim;
pub mod design;
mod drawing;
mod holder;
mod keys;
pub mod pictures;
mod public;
mod rules;
mod staff;
mod statuses;

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use hkdf::Hkdf;
use sha2::Sha256;
use tokio::sync::Semaphore;

use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CertificateId, CourseId, FileId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_base::schedule::TimeZone;
use kurso_db::{Executor, sql};

pub use badge::{achievement, badge, issuer, jwk, jwks, status_list};
pub use claim::{Claim, ClaimState, my_certificate};
pub use drawing::{Access, Drawn, pdf, preview, preview_url};
pub use holder::{SetPrivacy, issue, list_own, reissue, set_privacy};
pub use public::{PublicCertificate, issuer_name, qr_code, read_public};
pub use rules::{Basis, Requirement, State};
pub use staff::{CourseCertificate, Revoke, list, restore, revoke};
use statuses::Position;

/// PDF documents that are drawn at the same time, and that wait to be drawn.
const MAX_DRAWING: usize = 2;
const MAX_WAITING: usize = 50;

/// What certificates need beside the database.
pub struct Certificates {
    /// Encrypts the private keys of badges.
    seal: [u8; 32],
    drawing: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl std::fmt::Debug for Certificates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Certificates(…)")
    }
}

impl Certificates {
    /// `secret` is the value of `KURSO_SECRET_KEY`.
    pub fn new(secret: &[u8]) -> Result<Self> {
        let mut seal = [0; 32];
        let derived = Hkdf::<Sha256>::new(None, secret).expand(b"kurso keys of badges 1", &mut seal);
        derived.map_err(|_| Error::internal("no key can be derived"))?;
        Ok(Certificates {
            seal,
            drawing: Arc::new(Semaphore::new(MAX_DRAWING)),
            waiting: Arc::new(Semaphore::new(MAX_WAITING)),
        })
    }
}

#[cfg(any(test, feature = "testing"))]
impl Certificates {
    /// The number of PDF documents that are being drawn.
    pub fn running_drawings(&self) -> usize {
        MAX_DRAWING - self.drawing.available_permits()
    }
}

/// A certificate, as its holder and the staff of its course see it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Certificate {
    pub id: CertificateId,
    pub user_id: UserId,
    /// The course may be deleted.
    pub course_id: CourseId,
    pub name: String,
    pub course_title: String,
    pub basis: Basis,
    /// None for the basis of completion.
    pub min_percent: Option<i64>,
    /// In words; None if the certificate has no grade.
    pub grade: Option<String>,
    time_zone: Option<String>,
    #[sqlx(flatten)]
    look: Look,
    /// When it was first issued.
    pub awarded_at: DateTime<Utc>,
    /// When it was issued in this form.
    pub issued_at: DateTime<Utc>,
    /// The first instant after its last day; None: never.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether the public page and the badge have the name, and the public page has the PDF.
    pub is_name_shown: bool,
    /// Whether the public page shows the grade.
    pub is_grade_shown: bool,
    pub revoked_at: Option<DateTime<Utc>>,
    pub revoke_reason: Option<String>,
    /// A later certificate in another name.
    pub replaced_by: Option<CertificateId>,
    status_list: i64,
    status_position: i64,
    salt: String,
}

/// How a certificate looks.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
struct Look {
    language: Lang,
    heading: String,
    text: String,
    accent: String,
    background: String,
    signer: String,
    logo_file_id: Option<FileId>,
    signature_file_id: Option<FileId>,
}

/// The columns of a [`Certificate`] of the table `t`.
macro_rules! certificate_columns {
    () => {
        "t.id, t.user_id, t.course_id, t.name, t.course_title, t.basis, t.min_percent, t.grade, t.time_zone, t.language, t.heading, t.text, t.accent,
         t.background, t.signer, t.logo_file_id, t.signature_file_id, t.awarded_at, t.issued_at, t.expires_at, t.is_name_shown, t.is_grade_shown,
         t.revoked_at, t.revoke_reason, t.replaced_by, t.status_list, t.status_position, t.salt"
    };
}
use certificate_columns;

impl Certificate {
    pub fn state(&self, now: DateTime<Utc>) -> State {
        State::of(
            self.replaced_by.is_some(),
            self.revoked_at.is_some(),
            self.expires_at,
            now,
        )
    }

    /// The path of the public page.
    pub fn page_url(&self) -> String {
        page_path(self.id)
    }

    /// The path of the PDF for those who see the certificate: signed, and valid for one to two hours. None if it is not valid any more for
    /// another reason than its age.
    pub fn pdf_url(&self, kurso: &Kurso) -> Option<String> {
        let now = kurso.clock.now();
        let path = drawing::pdf_path(self.id);
        self.state(now)
            .has_documents()
            .then(|| kurso.file_signer.signed_path(&path, now))
    }

    fn requirement(&self) -> Requirement {
        Requirement {
            basis: self.basis,
            min_percent: self.min_percent.unwrap_or_default(),
        }
    }

    fn position(&self) -> Position {
        Position {
            list: self.status_list,
            position: self.status_position,
        }
    }

    /// The zone of its days.
    pub fn zone(&self) -> TimeZone {
        zone_of(self.time_zone.as_deref())
    }
}

/// The last day of a certificate that ends then.
pub fn last_day(expires_at: DateTime<Utc>, zone: TimeZone) -> NaiveDate {
    zone.day_of(expires_at - chrono::Duration::milliseconds(1))
}

fn zone_of(name: Option<&str>) -> TimeZone {
    name.and_then(TimeZone::named).unwrap_or(TimeZone::UTC)
}

fn page_path(id: CertificateId) -> String {
    format!("/c/{id}")
}

/// Fails with 404 if there is none.
async fn find(on: impl Executor, id: CertificateId) -> Result<Certificate> {
    let found = sql!(
        concat!(
            "SELECT ",
            certificate_columns!(),
            " FROM certificates t WHERE t.id = $1"
        ),
        id
    );
    let found = found.fetch_optional::<Certificate>(on).await?;
    found.ok_or(Error::NotFound(Message::CertificateNotFound))
}
