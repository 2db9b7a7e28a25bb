//! Certificates, their design, and what visitors see of them.

use async_graphql::{Context, Enum, ID, Object, SimpleObject};
use kurso_core::Kurso;
use kurso_core::certificates::{self as core, design, pictures};

use super::gradebook::Decimal;
use super::grading::PersonName;
use super::{DateTime, Language, id_of, int};
use crate::context::kurso;

/// For what a course gives certificates.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "core::Basis")]
pub enum CertificateBasis {
    /// The learner has completed the course once.
    Completion,
    /// The grade of the course has reached a percent, and every item that counts has a result.
    Grade,
}

/// Whether a certificate is valid.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "core::State")]
pub enum CertificateState {
    /// It is valid.
    Valid,
    /// Its time is over.
    Expired,
    /// The staff of the course revoked it.
    Revoked,
    /// A certificate in another name replaces it.
    Replaced,
}

/// How far the caller is with the certificate of a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "core::ClaimState")]
pub enum MyCertificateState {
    /// The course gives no certificates.
    None,
    /// It is not earned yet.
    NotYet,
    /// It is earned and can be issued.
    Available,
    /// The caller has a valid one.
    Issued,
    /// The caller's certificate has expired.
    Expired,
    /// The caller's certificate was revoked.
    Revoked,
}

/// A place for a picture on certificates.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "pictures::Picture")]
pub enum CertificatePicture {
    /// The logo.
    Logo,
    /// The picture of a signature.
    Signature,
}

/// How the certificates of a course are made.
#[derive(SimpleObject)]
pub struct CertificateDesign {
    /// ID of the course.
    course_id: ID,
    /// Whether the course gives certificates.
    is_on: bool,
    /// For what.
    basis: CertificateBasis,
    /// The least percent of the grade of the course, for the basis `GRADE`.
    min_percent: i32,
    /// For how many months certificates are valid; null: for ever.
    valid_months: Option<i32>,
    /// Whether certificates have the grade of the course.
    has_grade: bool,
    /// Language of dates and labels.
    language: Language,
    /// 1 to 80 characters.
    heading: String,
    /// The sentence below the name, with `{course}`, `{name}`, `{date}`, `{grade}` and `{number}`.
    text: String,
    /// Color of the heading and the ornaments, `#rrggbb`.
    accent: String,
    /// Color of the page, `#rrggbb`.
    background: String,
    /// Who signs; may be empty.
    signer: String,
    /// Path of the logo; null without one. It is uploaded over REST (`upload_certificate_picture`).
    logo_url: Option<String>,
    /// Path of the picture of the signature; null without one.
    signature_url: Option<String>,
    /// Path of a sample as PDF, which needs no token; it is valid for one to two hours.
    preview_url: String,
}

impl CertificateDesign {
    pub fn of(kurso: &Kurso, design: design::Design) -> Self {
        CertificateDesign {
            preview_url: design.preview_url(kurso),
            course_id: id_of(design.course_id),
            is_on: design.is_on,
            basis: design.basis.into(),
            min_percent: int(design.min_percent),
            valid_months: design.valid_months.map(int),
            has_grade: design.has_grade,
            language: design.language.into(),
            heading: design.heading,
            text: design.text,
            accent: design.accent,
            background: design.background,
            signer: design.signer,
            logo_url: design.logo_url,
            signature_url: design.signature_url,
        }
    }
}

pub struct Certificate(pub core::Certificate);

/// A certificate, as its holder and the staff of its course see it.
#[Object]
impl Certificate {
    /// Unique ID, which cannot be guessed: whoever has it sees the public page.
    async fn id(&self) -> ID {
        id_of(self.0.id)
    }
    /// ID of the course, which may be deleted.
    async fn course_id(&self) -> ID {
        id_of(self.0.course_id)
    }
    /// Title of the course when the certificate was issued.
    async fn course_title(&self) -> &str {
        &self.0.course_title
    }
    /// The name on the certificate.
    async fn name(&self) -> &str {
        &self.0.name
    }
    /// For what it was given.
    async fn basis(&self) -> CertificateBasis {
        self.0.basis.into()
    }
    /// The percent that was required; null for the basis `COMPLETION`.
    async fn min_percent(&self) -> Option<i32> {
        self.0.min_percent.map(int)
    }
    /// In words; null if the certificate has no grade.
    async fn grade(&self) -> Option<&str> {
        self.0.grade.as_deref()
    }
    /// When it was first issued.
    async fn awarded_at(&self) -> DateTime {
        DateTime(self.0.awarded_at)
    }
    /// When it was issued in this form.
    async fn issued_at(&self) -> DateTime {
        DateTime(self.0.issued_at)
    }
    /// The first instant after its last day; null: never.
    async fn expires_at(&self) -> Option<DateTime> {
        self.0.expires_at.map(DateTime)
    }
    /// Time zone of its days, an IANA name.
    async fn time_zone(&self) -> &'static str {
        self.0.zone().name()
    }
    /// Whether it is valid.
    async fn state(&self, ctx: &Context<'_>) -> CertificateState {
        self.0.state(kurso(ctx).clock.now()).into()
    }
    /// When it was revoked; null unless it is.
    async fn revoked_at(&self) -> Option<DateTime> {
        self.0.revoked_at.map(DateTime)
    }
    /// Why it was revoked; null unless it is.
    async fn revoke_reason(&self) -> Option<&str> {
        self.0.revoke_reason.as_deref()
    }
    /// ID of the certificate in another name that replaces it; null if there is none.
    async fn replaced_by(&self) -> Option<ID> {
        self.0.replaced_by.map(id_of)
    }
    /// Whether the public page and the badge have the name, and the public page has the PDF.
    async fn is_name_shown(&self) -> bool {
        self.0.is_name_shown
    }
    /// Whether the public page and the badge have the grade.
    async fn is_grade_shown(&self) -> bool {
        self.0.is_grade_shown
    }
    /// Path of the public page.
    async fn page_url(&self) -> String {
        self.0.page_url()
    }
    /// Path of the PDF with all of its values, which needs no token; it is valid for one to two hours. Null if the certificate was revoked or
    /// replaced.
    async fn pdf_url(&self, ctx: &Context<'_>) -> Option<String> {
        self.0.pdf_url(kurso(ctx))
    }
}

/// The certificate of the caller in a course, or what they need for it.
#[derive(SimpleObject)]
pub struct MyCertificate {
    /// ID of the course.
    course_id: ID,
    /// How far the caller is.
    state: MyCertificateState,
    /// The name that the certificate would carry now: the full name of the account; null without one, and for guests.
    name: Option<String>,
    /// What it requires.
    basis: CertificateBasis,
    /// The percent that is required; null for the basis `COMPLETION`.
    min_percent: Option<i32>,
    /// Pages to complete, for the basis `COMPLETION`; 0 when the state is neither `NOT_YET` nor `AVAILABLE`.
    pages_left: i32,
    /// Items of the gradebook that count and have no result, for the basis `GRADE`.
    results_left: i32,
    /// The grade of the course, for the basis `GRADE`; null without results.
    percent: Option<Decimal>,
    /// Whether the certificate is valid and has another name than the account.
    can_reissue: bool,
    /// The certificate; null before it is issued.
    certificate: Option<Certificate>,
}

impl From<core::Claim> for MyCertificate {
    fn from(claim: core::Claim) -> Self {
        MyCertificate {
            course_id: id_of(claim.course_id),
            state: claim.state.into(),
            name: claim.name,
            basis: claim.basis.into(),
            min_percent: claim.min_percent.map(int),
            pages_left: int(claim.pages_left),
            results_left: int(claim.results_left),
            percent: Decimal::optional(claim.percent),
            can_reissue: claim.can_reissue,
            certificate: claim.certificate.map(Certificate),
        }
    }
}

/// Whoever holds a certificate, as the account is now.
#[derive(SimpleObject)]
pub struct CertificateHolder {
    /// ID of the user.
    id: ID,
    /// Null when the user has not given a name, and for people who have left the course.
    full_name: Option<String>,
    /// Email address; null for people who have left the course.
    email: Option<String>,
}

/// A certificate of a course with its holder.
#[derive(SimpleObject)]
pub struct CourseCertificate {
    /// The certificate.
    certificate: Certificate,
    /// Its holder.
    holder: CertificateHolder,
    /// Who revoked it; null if nobody did or the account was deleted.
    revoked_by: Option<PersonName>,
}

impl From<core::CourseCertificate> for CourseCertificate {
    fn from(found: core::CourseCertificate) -> Self {
        CourseCertificate {
            holder: CertificateHolder {
                id: id_of(found.certificate.user_id),
                full_name: found.full_name,
                email: found.email,
            },
            certificate: Certificate(found.certificate),
            revoked_by: found.revoked_by.map(|by| PersonName::of(by.id, by.full_name)),
        }
    }
}

/// What everybody who has the address of a certificate sees of it.
#[derive(SimpleObject)]
pub struct PublicCertificate {
    /// Unique ID.
    id: ID,
    /// Whether it is valid.
    state: CertificateState,
    /// Title of the course when the certificate was issued.
    course_title: String,
    /// The name of the holder; null if the holder hides it, and when the certificate was replaced.
    name: Option<String>,
    /// For what it was given.
    basis: CertificateBasis,
    /// The percent that was required; null for the basis `COMPLETION`.
    min_percent: Option<i32>,
    /// In words; null if there is none, the holder hides it, or the certificate was replaced.
    grade: Option<String>,
    /// When it was first issued.
    awarded_at: DateTime,
    /// When it was issued in this form.
    issued_at: DateTime,
    /// The first instant after its last day; null: never.
    expires_at: Option<DateTime>,
    /// Time zone of its days, an IANA name.
    time_zone: &'static str,
    /// ID of the certificate that replaces it; null if there is none.
    replaced_by: Option<ID>,
    /// Path of the PDF; null if the holder hides the name, and when the certificate was revoked or replaced.
    pdf_url: Option<String>,
}

impl From<core::PublicCertificate> for PublicCertificate {
    fn from(page: core::PublicCertificate) -> Self {
        PublicCertificate {
            id: id_of(page.id),
            state: page.state.into(),
            course_title: page.course_title,
            name: page.name,
            basis: page.requirement.basis.into(),
            min_percent: page.requirement.percent().map(int),
            grade: page.grade,
            awarded_at: DateTime(page.awarded_at),
            issued_at: DateTime(page.issued_at),
            expires_at: page.expires_at.map(DateTime),
            time_zone: page.zone.name(),
            replaced_by: page.replaced_by.map(id_of),
            pdf_url: page.pdf_url,
        }
    }
}

/// A certificate as an Open Badge 3.0.
#[derive(SimpleObject)]
pub struct CertificateBadge {
    /// The signed credential, a compact JWS.
    pub jwt: String,
}
