//! Queries for certificates.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::ids::{CertificateId, CourseId};
use kurso_core::certificates::{self, design};

use crate::context::{self, kurso, origin, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{self, List, list, window, window_at};
use crate::types::{
    Certificate, CertificateBadge, CertificateDesign, CourseCertificate, MyCertificate, PublicCertificate,
};

#[derive(Default)]
pub struct CertificatesQuery;

#[Object]
impl CertificatesQuery {
    /// The design of the certificates of a course; the default one, which is off, if nobody has set one. Owner, editors, teachers, reviewers and
    /// superusers.
    async fn certificate_design(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<CertificateDesign> {
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let design = design::read(kurso(ctx), viewer(ctx)?, course)
            .await
            .map_err(wrap(ctx))?;
        Ok(CertificateDesign::of(kurso(ctx), design))
    }

    /// The caller's certificate in a course, or what is missing for it. FORBIDDEN without an enrollment.
    #[graphql(complexity = "cost::MY_CERTIFICATE + child_complexity")]
    async fn my_certificate(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
    ) -> Result<MyCertificate> {
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let claim = Box::pin(certificates::my_certificate(kurso(ctx), viewer(ctx)?, course)).await;
        Ok(claim.map_err(wrap(ctx))?.into())
    }

    /// The caller's certificates of all courses, the last issued first; also replaced ones and those of courses that the caller has left or that are
    /// deleted.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn my_certificates(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Certificate>> {
        let page = window(ctx, first, after)?;
        let found = certificates::list_own(kurso(ctx), viewer(ctx)?, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(
            page,
            found.count,
            found.data.into_iter().map(Certificate).collect(),
        ))
    }

    /// The certificates of a course, the last issued first; also those of people who have left, without replaced ones. Owner, editors, teachers and
    /// superusers.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn course_certificates(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the course.")] course_id: ID,
        #[graphql(
            desc = "Words to find in the name on the certificate, or in the present name and email address of the holder; at most 255 characters."
        )]
        search: Option<String>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
        #[graphql(
            desc = "Rows to skip from the start, for numbered pages; ignored when `after` is given.",
            default = 0
        )]
        skip: Option<i32>,
    ) -> Result<List<CourseCertificate>> {
        let course: CourseId = context::id(ctx, "course_id", &course_id)?;
        let (page, search) = (window_at(ctx, first, after, skip)?, lists::search(ctx, search)?);
        let found = certificates::list(kurso(ctx), viewer(ctx)?, course, &search, page).await;
        let found = found.map_err(wrap(ctx))?;
        let nodes = found.data.into_iter().map(CourseCertificate::from).collect();
        Ok(list(page, found.count, nodes))
    }

    /// The badge of a certificate: an Open Badge 3.0 as a signed Verifiable Credential. It has the name and the grade if the public page
    /// shows them, and with the name the email address of the holder as a salted hash. NOT_FOUND for others than the holder of the certificate; CONFLICT if it was revoked or replaced.
    async fn certificate_badge(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the certificate.")] certificate_id: ID,
    ) -> Result<CertificateBadge> {
        let id: CertificateId = context::id(ctx, "certificate_id", &certificate_id)?;
        let jwt = certificates::badge(kurso(ctx), viewer(ctx)?, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(CertificateBadge { jwt })
    }

    /// The public page of a certificate: whether it is valid, and what its holder shows. Needs no session; RATE_LIMITED when one address reads too many.
    #[graphql(complexity = "cost::PUBLIC_CERTIFICATE + child_complexity")]
    async fn public_certificate(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "ID of the certificate.")] id: ID,
    ) -> Result<PublicCertificate> {
        let id: CertificateId = context::id(ctx, "id", &id)?;
        let page = certificates::read_public(kurso(ctx), &origin(ctx), id)
            .await
            .map_err(wrap(ctx))?;
        Ok(page.into())
    }
}
