//! Certificates as they are sent and received.

use chrono::{DateTime, Utc};
use kurso_base::messages::Lang;
use kurso_base::values::{
    CertificateHeading, CertificateSigner, CertificateText, Change, HexColor, Percentage, RevocationReason,
    ValidMonths, decimal_text,
};
use kurso_base::wire;
use kurso_core::Kurso;
use kurso_core::certificates::design::{self, SetDesign};
use kurso_core::certificates::{self as core, Basis, Revoke, SetPrivacy};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, Given, body, of_type};
use crate::grading::shapes::PersonName;
use crate::response::lists;

impl Field for Basis {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String).enum_values(Some(["completion", "grade"])).into()
    }
}

body! {
    /// Fields that are left out stay as they are.
    CertificateDesignUpdate -> SetDesign {
        /// Whether the course gives certificates.
        is_on: Given<bool>,
        /// `completion`: the learner has completed the course once; `grade`: the grade of the course has reached `min_percent`, and every item
        /// that counts has a result.
        basis: Given<Basis>,
        /// The least percent of the grade of the course, for the basis `grade`.
        min_percent: Given<Percentage>,
        /// For how many months certificates are valid; null: for ever.
        valid_months: Change<ValidMonths>,
        /// Whether certificates have the grade of the course.
        has_grade: Given<bool>,
        /// Language of dates and labels. Heading and text that nobody has changed follow it.
        language: Given<Lang>,
        heading: Given<CertificateHeading>,
        /// The sentence below the name. `{course}`, `{name}`, `{date}`, `{grade}` and `{number}` stand for values of the certificate.
        text: Given<CertificateText>,
        /// Color of the heading and the ornaments.
        accent: Given<HexColor>,
        background: Given<HexColor>,
        /// Who signs; what follows the first comma is written below in small letters.
        signer: Given<CertificateSigner>,
    }

    /// Fields that are left out stay as they are.
    CertificatePrivacyUpdate -> SetPrivacy {
        /// Whether the public page and the badge have the name, and the public page has the PDF.
        is_name_shown: Given<bool>,
        /// Whether the public page and the badge have the grade.
        is_grade_shown: Given<bool>,
    }

    CertificateRevocation -> Revoke {
        /// The holder and the staff of the course read it, visitors of the public page do not.
        reason: RevocationReason,
    }
}

/// How the certificates of a course are made.
#[derive(Serialize, ToSchema)]
pub struct CertificateDesign {
    pub course_id: Uuid,
    /// Whether the course gives certificates.
    pub is_on: bool,
    #[schema(pattern = "^(completion|grade)$")]
    pub basis: &'static str,
    /// The least percent of the grade of the course, for the basis `grade`.
    pub min_percent: i64,
    /// For how many months certificates are valid; null: for ever.
    #[schema(required)]
    pub valid_months: Option<i64>,
    /// Whether certificates have the grade of the course.
    pub has_grade: bool,
    /// Language of dates and labels.
    #[schema(pattern = "^(en|ru)$")]
    pub language: &'static str,
    pub heading: String,
    /// The sentence below the name, with `{course}`, `{name}`, `{date}`, `{grade}` and `{number}`.
    pub text: String,
    /// `#rrggbb`
    pub accent: String,
    /// `#rrggbb`
    pub background: String,
    /// Who signs; may be empty.
    pub signer: String,
    /// Path of the logo; null without one.
    #[schema(required)]
    pub logo_url: Option<String>,
    /// Path of the picture of the signature; null without one.
    #[schema(required)]
    pub signature_url: Option<String>,
    /// Path of a sample as PDF, which needs no token; it is valid for one to two hours.
    pub preview_url: String,
}

impl CertificateDesign {
    pub fn of(kurso: &Kurso, design: design::Design) -> Self {
        CertificateDesign {
            preview_url: design.preview_url(kurso),
            course_id: design.course_id.0,
            is_on: design.is_on,
            basis: design.basis.name(),
            min_percent: design.min_percent,
            valid_months: design.valid_months,
            has_grade: design.has_grade,
            language: design.language.name(),
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

/// A certificate, as its holder and the staff of its course see it.
#[derive(Serialize, ToSchema)]
pub struct Certificate {
    pub id: Uuid,
    /// The course may be deleted.
    pub course_id: Uuid,
    /// Title of the course when the certificate was issued.
    pub course_title: String,
    /// The name on the certificate.
    pub name: String,
    #[schema(pattern = "^(completion|grade)$")]
    pub basis: &'static str,
    /// The percent that was required; null for the basis `completion`.
    #[schema(required)]
    pub min_percent: Option<i64>,
    /// In words; null if the certificate has no grade.
    #[schema(required)]
    pub grade: Option<String>,
    /// When it was first issued.
    #[serde(serialize_with = "wire::time")]
    pub awarded_at: DateTime<Utc>,
    /// When it was issued in this form.
    #[serde(serialize_with = "wire::time")]
    pub issued_at: DateTime<Utc>,
    /// The first instant after its last day; null: never.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub expires_at: Option<DateTime<Utc>>,
    /// Time zone of its days, an IANA name.
    pub time_zone: &'static str,
    #[schema(pattern = "^(valid|expired|revoked|replaced)$")]
    pub state: &'static str,
    /// Null unless it is revoked.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub revoked_at: Option<DateTime<Utc>>,
    /// Null unless it is revoked.
    #[schema(required)]
    pub revoke_reason: Option<String>,
    /// The certificate in another name that replaces it; null if there is none.
    #[schema(required)]
    pub replaced_by: Option<Uuid>,
    /// Whether the public page and the badge have the name, and the public page has the PDF.
    pub is_name_shown: bool,
    /// Whether the public page and the badge have the grade.
    pub is_grade_shown: bool,
    /// Path of the public page.
    pub page_url: String,
    /// Path of the PDF with all of its values, which needs no token; it is valid for one to two hours. Null if the certificate was revoked or
    /// replaced.
    #[schema(required)]
    pub pdf_url: Option<String>,
}

impl Certificate {
    pub fn of(kurso: &Kurso, certificate: core::Certificate) -> Self {
        Certificate {
            id: certificate.id.0,
            page_url: certificate.page_url(),
            pdf_url: certificate.pdf_url(kurso),
            time_zone: certificate.zone().name(),
            state: certificate.state(kurso.clock.now()).name(),
            course_id: certificate.course_id.0,
            course_title: certificate.course_title,
            name: certificate.name,
            basis: certificate.basis.name(),
            min_percent: certificate.min_percent,
            grade: certificate.grade,
            awarded_at: certificate.awarded_at,
            issued_at: certificate.issued_at,
            expires_at: certificate.expires_at,
            revoked_at: certificate.revoked_at,
            revoke_reason: certificate.revoke_reason,
            replaced_by: certificate.replaced_by.map(|id| id.0),
            is_name_shown: certificate.is_name_shown,
            is_grade_shown: certificate.is_grade_shown,
        }
    }
}

lists! {
    /// A page of a list of certificates.
    Certificates of Certificate;

    /// A page of the certificates of a course.
    CourseCertificates of CourseCertificate;
}

/// The certificate of the caller in a course, or what they need for it.
#[derive(Serialize, ToSchema)]
pub struct MyCertificate {
    pub course_id: Uuid,
    /// `none`: the course gives none; `not_yet`: it is not earned yet; `available`: it can be issued; otherwise that of `certificate`.
    #[schema(pattern = "^(none|not_yet|available|issued|expired|revoked)$")]
    pub state: &'static str,
    /// The name that the certificate would carry now: the full name of the account; null without one, and for guests.
    #[schema(required)]
    pub name: Option<String>,
    #[schema(pattern = "^(completion|grade)$")]
    pub basis: &'static str,
    /// The percent that is required; null for the basis `completion`.
    #[schema(required)]
    pub min_percent: Option<i64>,
    /// Pages to complete, for the basis `completion`; 0 when the state is neither `not_yet` nor `available`.
    pub pages_left: i64,
    /// Items of the gradebook that count and have no result, for the basis `grade`.
    pub results_left: i64,
    /// The grade of the course as a decimal number, for the basis `grade`; null without results.
    #[schema(required)]
    pub percent: Option<String>,
    /// Whether the certificate is valid and has another name than the account.
    pub can_reissue: bool,
    #[schema(required)]
    pub certificate: Option<Certificate>,
}

impl MyCertificate {
    pub fn of(kurso: &Kurso, claim: core::Claim) -> Self {
        MyCertificate {
            course_id: claim.course_id.0,
            state: claim.state.name(),
            name: claim.name,
            basis: claim.basis.name(),
            min_percent: claim.min_percent,
            pages_left: claim.pages_left,
            results_left: claim.results_left,
            percent: claim.percent.map(decimal_text),
            can_reissue: claim.can_reissue,
            certificate: claim.certificate.map(|certificate| Certificate::of(kurso, certificate)),
        }
    }
}

/// The holder of a certificate, as the account is now.
#[derive(Serialize, ToSchema)]
pub struct CertificateHolder {
    pub id: Uuid,
    /// Null without a name, and for people who have left the course.
    #[schema(required)]
    pub full_name: Option<String>,
    /// Null for people who have left the course.
    #[schema(required)]
    pub email: Option<String>,
}

/// A certificate of a course with its holder.
#[derive(Serialize, ToSchema)]
pub struct CourseCertificate {
    #[serde(flatten)]
    pub certificate: Certificate,
    pub holder: CertificateHolder,
    /// Who revoked it; null if nobody did or the account was deleted.
    #[schema(required)]
    pub revoked_by: Option<PersonName>,
}

impl CourseCertificate {
    pub fn of(kurso: &Kurso, found: core::CourseCertificate) -> Self {
        CourseCertificate {
            holder: CertificateHolder {
                id: found.certificate.user_id.0,
                full_name: found.full_name,
                email: found.email,
            },
            certificate: Certificate::of(kurso, found.certificate),
            revoked_by: found.revoked_by.map(|by| PersonName {
                id: by.id.0,
                full_name: by.full_name,
            }),
        }
    }
}

/// What everybody who has the address of a certificate sees of it.
#[derive(Serialize, ToSchema)]
pub struct PublicCertificate {
    pub id: Uuid,
    #[schema(pattern = "^(valid|expired|revoked|replaced)$")]
    pub state: &'static str,
    pub course_title: String,
    /// Null if the holder hides it, and when the certificate was replaced.
    #[schema(required)]
    pub name: Option<String>,
    #[schema(pattern = "^(completion|grade)$")]
    pub basis: &'static str,
    /// The percent that was required; null for the basis `completion`.
    #[schema(required)]
    pub min_percent: Option<i64>,
    /// Null if there is none, the holder hides it, or the certificate was replaced.
    #[schema(required)]
    pub grade: Option<String>,
    /// When it was first issued.
    #[serde(serialize_with = "wire::time")]
    pub awarded_at: DateTime<Utc>,
    /// When it was issued in this form.
    #[serde(serialize_with = "wire::time")]
    pub issued_at: DateTime<Utc>,
    /// The first instant after its last day; null: never.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub expires_at: Option<DateTime<Utc>>,
    /// Time zone of its days, an IANA name.
    pub time_zone: &'static str,
    /// The certificate that replaces it.
    #[schema(required)]
    pub replaced_by: Option<Uuid>,
    /// Path of the PDF; null if the holder hides the name, and when the certificate was revoked or replaced.
    #[schema(required)]
    pub pdf_url: Option<String>,
}

impl From<core::PublicCertificate> for PublicCertificate {
    fn from(page: core::PublicCertificate) -> Self {
        PublicCertificate {
            id: page.id.0,
            state: page.state.name(),
            course_title: page.course_title,
            name: page.name,
            basis: page.requirement.basis.name(),
            min_percent: page.requirement.percent(),
            grade: page.grade,
            awarded_at: page.awarded_at,
            issued_at: page.issued_at,
            expires_at: page.expires_at,
            time_zone: page.zone.name(),
            replaced_by: page.replaced_by.map(|id| id.0),
            pdf_url: page.pdf_url,
        }
    }
}

/// A certificate as an Open Badge 3.0.
#[derive(Serialize, ToSchema)]
pub struct CertificateBadge {
    /// The signed credential, a compact JWS.
    pub jwt: String,
}
