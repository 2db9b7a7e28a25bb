//! Certificates: their design, claiming, reissuing, privacy and revocation. Pictures come in over REST (`upload_certificate_picture`), as all files
//! do.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CertificateId, CourseId};
use kurso_base::messages::Lang;
use kurso_core::certificates::design::{self, SetDesign};
use kurso_core::certificates::pictures::{self, Picture};
use kurso_core::certificates::{self, Basis, Revoke, SetPrivacy};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::types::{Certificate, CertificateBasis, CertificateDesign, CertificatePicture, CourseCertificate, Language};

#[derive(Default)]
pub struct CertificatesMutation;

/// A change of the design of the certificates of a course. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct SetCertificateDesignInput {
    /// ID of the course.
    course_id: ID,
    /// Whether the course gives certificates.
    is_on: MaybeUndefined<bool>,
    /// For what.
    basis: Option<CertificateBasis>,
    /// The least percent of the grade of the course, for the basis `GRADE`: 0 to 100.
    min_percent: MaybeUndefined<i32>,
    /// For how many months certificates are valid, 1 to 1200; null: for ever.
    valid_months: MaybeUndefined<i32>,
    /// Whether certificates have the grade of the course.
    has_grade: MaybeUndefined<bool>,
    /// Language of dates and labels. Heading and text that nobody has changed follow it.
    language: Option<Language>,
    /// 1 to 80 characters.
    heading: MaybeUndefined<String>,
    /// The sentence below the name, at most 500 characters. `{course}`, `{name}`, `{date}`, `{grade}` and `{number}` stand for values of the
    /// certificate.
    text: MaybeUndefined<String>,
    /// Color of the heading and the ornaments, `#rrggbb`.
    accent: MaybeUndefined<String>,
    /// Color of the page, `#rrggbb`.
    background: MaybeUndefined<String>,
    /// Who signs, at most 120 characters; what follows the first comma is written below in small letters.
    signer: MaybeUndefined<String>,
}

/// A picture to remove.
#[derive(InputObject)]
pub struct RemoveCertificatePictureInput {
    /// ID of the course.
    course_id: ID,
    /// Which picture.
    picture: CertificatePicture,
}

/// The design in its new state.
#[derive(SimpleObject)]
pub struct CertificateDesignPayload {
    /// The design.
    design: CertificateDesign,
}

/// A course that gives certificates.
#[derive(InputObject)]
pub struct IssueCertificateInput {
    /// ID of the course.
    course_id: ID,
}

/// A certificate of the caller.
#[derive(InputObject)]
pub struct ReissueCertificateInput {
    /// ID of the certificate.
    certificate_id: ID,
}

/// What the public page of a certificate shows. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct SetCertificatePrivacyInput {
    /// ID of the certificate.
    certificate_id: ID,
    /// Whether the public page and the badge have the name, and the public page has the PDF.
    is_name_shown: MaybeUndefined<bool>,
    /// Whether the public page and the badge have the grade.
    is_grade_shown: MaybeUndefined<bool>,
}

/// A certificate of the caller in its new state.
#[derive(SimpleObject)]
pub struct CertificatePayload {
    /// The certificate.
    certificate: Certificate,
}

/// A certificate to revoke.
#[derive(InputObject)]
pub struct RevokeCertificateInput {
    /// ID of the certificate.
    certificate_id: ID,
    /// 1 to 500 characters. The holder and the staff of the course read it, visitors of the public page do not.
    reason: String,
}

/// A revoked certificate.
#[derive(InputObject)]
pub struct RestoreCertificateInput {
    /// ID of the certificate.
    certificate_id: ID,
}

/// A certificate of a course in its new state.
#[derive(SimpleObject)]
pub struct CourseCertificatePayload {
    /// The certificate with its holder.
    certificate: CourseCertificate,
}

#[Object]
impl CertificatesMutation {
    /// Changes the design of the certificates of a course. Certificates that are issued already stay as they are. Owner and editors.
    async fn set_certificate_design(
        &self,
        ctx: &Context<'_>,
        input: SetCertificateDesignInput,
    ) -> Result<CertificateDesignPayload> {
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let to = command!(
            ctx,
            SetDesign {
                is_on: given(input.is_on),
                basis: known(input.basis.map(Basis::from)),
                min_percent: given(input.min_percent),
                valid_months: change(input.valid_months),
                has_grade: given(input.has_grade),
                language: known(input.language.map(Lang::from)),
                heading: given(input.heading),
                text: given(input.text),
                accent: given(input.accent),
                background: given(input.background),
                signer: given(input.signer),
            }
        );
        let design = design::set(kurso(ctx), viewer(ctx)?, course, to).await;
        Ok(CertificateDesignPayload {
            design: CertificateDesign::of(kurso(ctx), design.map_err(wrap(ctx))?),
        })
    }

    /// Removes a picture from the certificates of a course. Certificates that are issued already keep it. Owner and editors.
    async fn remove_certificate_picture(
        &self,
        ctx: &Context<'_>,
        input: RemoveCertificatePictureInput,
    ) -> Result<CertificateDesignPayload> {
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let picture = Picture::from(input.picture);
        let design = pictures::remove(kurso(ctx), viewer(ctx)?, course, picture).await;
        Ok(CertificateDesignPayload {
            design: CertificateDesign::of(kurso(ctx), design.map_err(wrap(ctx))?),
        })
    }

    /// Issues the caller's certificate in a course, in the full name of the account. A repeated call returns the certificate that there is. FORBIDDEN
    /// without an enrollment; CONFLICT if the course gives none, it is not earned, the account has no full name, or it was revoked or has expired.
    async fn issue_certificate(&self, ctx: &Context<'_>, input: IssueCertificateInput) -> Result<CertificatePayload> {
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let issued = Box::pin(certificates::issue(kurso(ctx), viewer(ctx)?, course)).await;
        Ok(CertificatePayload {
            certificate: Certificate(issued.map_err(wrap(ctx))?),
        })
    }

    /// Makes a certificate out in the caller's current name. The new one keeps day and end of the old one, which is replaced. NOT_FOUND for others than its
    /// holder; CONFLICT if it has the current name, the account has none, or it is not valid.
    async fn reissue_certificate(
        &self,
        ctx: &Context<'_>,
        input: ReissueCertificateInput,
    ) -> Result<CertificatePayload> {
        let id: CertificateId = context::id(ctx, "certificate_id", &input.certificate_id)?;
        let issued = certificates::reissue(kurso(ctx), viewer(ctx)?, id).await;
        Ok(CertificatePayload {
            certificate: Certificate(issued.map_err(wrap(ctx))?),
        })
    }

    /// Sets what the public page of a certificate shows. NOT_FOUND for others than its holder.
    async fn set_certificate_privacy(
        &self,
        ctx: &Context<'_>,
        input: SetCertificatePrivacyInput,
    ) -> Result<CertificatePayload> {
        let id: CertificateId = context::id(ctx, "certificate_id", &input.certificate_id)?;
        let to = command!(
            ctx,
            SetPrivacy {
                is_name_shown: given(input.is_name_shown),
                is_grade_shown: given(input.is_grade_shown),
            }
        );
        let set = certificates::set_privacy(kurso(ctx), viewer(ctx)?, id, to).await;
        Ok(CertificatePayload {
            certificate: Certificate(set.map_err(wrap(ctx))?),
        })
    }

    /// Revokes a certificate: the public page and the badge say so, and the learner cannot get another. A revoked one stays as it is. Owner, teachers
    /// and superusers, who may also when the course is deleted; CONFLICT if it was replaced.
    async fn revoke_certificate(
        &self,
        ctx: &Context<'_>,
        input: RevokeCertificateInput,
    ) -> Result<CourseCertificatePayload> {
        let id: CertificateId = context::id(ctx, "certificate_id", &input.certificate_id)?;
        let to = command!(
            ctx,
            Revoke {
                reason: required(input.reason)
            }
        );
        let revoked = certificates::revoke(kurso(ctx), viewer(ctx)?, id, to).await;
        Ok(CourseCertificatePayload {
            certificate: revoked.map_err(wrap(ctx))?.into(),
        })
    }

    /// Takes the revocation of a certificate back. One that is not revoked stays as it is. Owner, teachers and superusers; CONFLICT if it was
    /// replaced.
    async fn restore_certificate(
        &self,
        ctx: &Context<'_>,
        input: RestoreCertificateInput,
    ) -> Result<CourseCertificatePayload> {
        let id: CertificateId = context::id(ctx, "certificate_id", &input.certificate_id)?;
        let restored = certificates::restore(kurso(ctx), viewer(ctx)?, id).await;
        Ok(CourseCertificatePayload {
            certificate: restored.map_err(wrap(ctx))?.into(),
        })
    }
}
