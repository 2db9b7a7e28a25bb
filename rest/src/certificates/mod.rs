//! Certificates: their design, claiming and reissuing, privacy, revocation, and what visitors see. `visitors` has the public page and the PDF.

mod shapes;

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::ids::{CertificateId, CourseId};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::certificates::pictures::{self, CertificatePictureUpload};
use kurso_core::certificates::{self as core, design};

use crate::KursoState;
use crate::error::Result;
use crate::extract::{CertificatePictureQuery, Listing, Path, with_path};
use crate::fields::Command;
use crate::openapi_parts::{CourseRefusals, HTTPError, PagingParams, SearchParams, SignedInRefusals, UploadRefusals};
use crate::upload::{FileForm, FileUpload};
use kurso_base::pagination::Page;
use shapes::{
    Certificate, CertificateBadge, CertificateDesign, CertificateDesignUpdate, CertificatePrivacyUpdate,
    CertificateRevocation, Certificates, CourseCertificate, CourseCertificates, MyCertificate, PublicCertificate,
};

/// Read the design of the certificates of a course
///
/// The default design, which is off, if nobody has set one. Owner, editors, teachers, reviewers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/certificate_design/{course_id}", operation_id = "courses-certificate_design", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The design", body = CertificateDesign))
)]
pub async fn certificate_design(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<CertificateDesign>> {
    let design = design::read(&kurso, &viewer, course).await?;
    Ok(Json(CertificateDesign::of(&kurso, design)))
}

/// Change the design of the certificates of a course
///
/// Changes the fields that are present in the body. Certificates that are issued already stay as they are. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/courses/set_certificate_design/{course_id}",
    operation_id = "courses-set_certificate_design", tag = "courses",
    request_body = CertificateDesignUpdate,
    responses(CourseRefusals, (status = 200, description = "The design", body = CertificateDesign))
)]
pub async fn set_certificate_design(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(to): Command<CertificateDesignUpdate>,
) -> Result<Json<CertificateDesign>> {
    let design = design::set(&kurso, &viewer, course, to).await?;
    Ok(Json(CertificateDesign::of(&kurso, design)))
}

/// Upload a picture of the certificates of a course
///
/// Accepts PNG, JPEG, WebP, GIF and AVIF images up to 10 MB and 50 megapixels. The server stores them scaled down to at most 1200 by 1200 pixels,
/// without metadata. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/courses/upload_certificate_picture/{course_id}",
    operation_id = "courses-upload_certificate_picture", tag = "courses",
    params(("picture" = String, Query, description = "`logo` or `signature`", pattern = "^(logo|signature)$")),
    request_body(content = FileUpload, content_type = "multipart/form-data"),
    responses(CourseRefusals, UploadRefusals, (status = 200, description = "The design", body = CertificateDesign))
)]
pub async fn upload_certificate_picture(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<CertificatePictureQuery>,
    request: Request,
) -> Result<Json<CertificateDesign>> {
    let (course, CertificatePictureQuery(picture)) = with_path(path, query)?;
    let form = FileForm::of(request)?;
    let upload = CertificatePictureUpload::begin(&kurso, &viewer, course, picture, form.announced()).await;
    let form = form.read_into(upload).await?;
    let design = form.sink.finish().await?;
    Ok(Json(CertificateDesign::of(&kurso, design)))
}

/// Remove a picture from the certificates of a course
///
/// Certificates that are issued already keep it. Owner and editors.
#[utoipa::path(
    delete, path = "/api/v1/courses/remove_certificate_picture/{course_id}",
    operation_id = "courses-remove_certificate_picture", tag = "courses",
    params(("picture" = String, Query, description = "`logo` or `signature`", pattern = "^(logo|signature)$")),
    responses(CourseRefusals, (status = 200, description = "The design", body = CertificateDesign))
)]
pub async fn remove_certificate_picture(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<CertificatePictureQuery>,
) -> Result<Json<CertificateDesign>> {
    let (course, CertificatePictureQuery(picture)) = with_path(path, query)?;
    let design = pictures::remove(&kurso, &viewer, course, picture).await?;
    Ok(Json(CertificateDesign::of(&kurso, design)))
}

/// Read the caller's certificate in a course
///
/// Returns what is missing if it is not earned yet. Learners; 403 without an enrollment.
#[utoipa::path(
    get, path = "/api/v1/courses/my_certificate/{course_id}", operation_id = "courses-my_certificate", tag = "courses",
    responses(CourseRefusals, (status = 200, description = "The certificate", body = MyCertificate))
)]
pub async fn my_certificate(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<MyCertificate>> {
    let claim = core::my_certificate(&kurso, &viewer, course).await?;
    Ok(Json(MyCertificate::of(&kurso, claim)))
}

/// Issue the caller's certificate in a course
///
/// In the full name of the account. A repeated call returns the certificate that there is. Learners; 403 without an enrollment.
#[utoipa::path(
    post, path = "/api/v1/courses/issue_certificate/{course_id}", operation_id = "courses-issue_certificate", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The certificate", body = Certificate),
        (
            status = 409, body = HTTPError,
            description = "The course gives none, it is not earned, the account has no full name, or the certificate was revoked or has expired",
        ),
    )
)]
pub async fn issue_certificate(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
) -> Result<Json<Certificate>> {
    let certificate = core::issue(&kurso, &viewer, course).await?;
    Ok(Json(Certificate::of(&kurso, certificate)))
}

/// List the caller's certificates
///
/// Of all courses, also replaced ones and those of courses that the caller has left or that are deleted. Order: last issued first, then by ID.
#[utoipa::path(
    get, path = "/api/v1/courses/my_certificates", operation_id = "courses-my_certificates", tag = "courses",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "The certificates", body = Certificates))
)]
pub async fn my_certificates(State(kurso): KursoState, viewer: Viewer, page: Page) -> Result<Json<Certificates>> {
    let found = core::list_own(&kurso, &viewer, page).await?;
    Ok(Json(found.map(|one| Certificate::of(&kurso, one)).into()))
}

/// Reissue a certificate in the caller's current name
///
/// Returns the new certificate, which keeps day and end of the old one; the old one is replaced. Only its holder; 404 for others.
#[utoipa::path(
    post, path = "/api/v1/courses/reissue_certificate/{certificate_id}",
    operation_id = "courses-reissue_certificate", tag = "courses",
    responses(
        SignedInRefusals,
        (status = 200, description = "The new certificate", body = Certificate),
        (status = 404, description = "The caller has no such certificate, or the user is deleted", body = HTTPError),
        (
            status = 409, body = HTTPError,
            description = "It has the current name, the account has none, or it was revoked or replaced or has expired",
        ),
    )
)]
pub async fn reissue_certificate(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CertificateId>,
) -> Result<Json<Certificate>> {
    let certificate = core::reissue(&kurso, &viewer, id).await?;
    Ok(Json(Certificate::of(&kurso, certificate)))
}

/// Set what the public page of a certificate shows
///
/// Changes the fields that are present in the body. Only its holder; 404 for others.
#[utoipa::path(
    put, path = "/api/v1/courses/set_certificate_privacy/{certificate_id}",
    operation_id = "courses-set_certificate_privacy", tag = "courses",
    request_body = CertificatePrivacyUpdate,
    responses(
        SignedInRefusals,
        (status = 200, description = "The certificate", body = Certificate),
        (status = 404, description = "The caller has no such certificate, or the user is deleted", body = HTTPError),
    )
)]
pub async fn set_certificate_privacy(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CertificateId>,
    Command(to): Command<CertificatePrivacyUpdate>,
) -> Result<Json<Certificate>> {
    let certificate = core::set_privacy(&kurso, &viewer, id, to).await?;
    Ok(Json(Certificate::of(&kurso, certificate)))
}

/// Read the badge of a certificate
///
/// An Open Badge 3.0 as a signed Verifiable Credential. It has the name and the grade if the public page shows them, and with the name the
/// email address of the holder as a salted hash. Only the holder of the certificate; 404 for others.
#[utoipa::path(
    get, path = "/api/v1/courses/certificate_badge/{certificate_id}", operation_id = "courses-certificate_badge", tag = "courses",
    responses(
        SignedInRefusals,
        (status = 200, description = "The badge", body = CertificateBadge),
        (status = 404, description = "The caller has no such certificate, or the user is deleted", body = HTTPError),
        (status = 409, description = "It was revoked or replaced", body = HTTPError),
    )
)]
pub async fn certificate_badge(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CertificateId>,
) -> Result<Json<CertificateBadge>> {
    let jwt = core::badge(&kurso, &viewer, id).await?;
    Ok(Json(CertificateBadge { jwt }))
}

/// List the certificates of a course
///
/// Includes those of people who have left, but no replaced ones. `search` matches the name on the certificate, and the present name and email address of the
/// holder. Order: last issued first, then by ID. Owner, editors, teachers and superusers.
#[utoipa::path(
    get, path = "/api/v1/courses/certificates/{course_id}", operation_id = "courses-certificates", tag = "courses",
    params(PagingParams, SearchParams),
    responses(CourseRefusals, (status = 200, description = "The certificates", body = CourseCertificates))
)]
pub async fn certificates(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    listing: Result<Listing>,
) -> Result<Json<CourseCertificates>> {
    let (course, listing) = with_path(path, listing)?;
    let found = core::list(&kurso, &viewer, course, &listing.search, listing.page).await?;
    Ok(Json(found.map(|one| CourseCertificate::of(&kurso, one)).into()))
}

/// Revoke a certificate
///
/// The public page and the badge say so, and the learner cannot get another. A revoked one stays as it is. Owner, teachers and superusers;
/// superusers also when the course is deleted.
#[utoipa::path(
    post, path = "/api/v1/courses/revoke_certificate/{certificate_id}",
    operation_id = "courses-revoke_certificate", tag = "courses",
    request_body = CertificateRevocation,
    responses(
        CourseRefusals,
        (status = 200, description = "The certificate", body = CourseCertificate),
        (status = 409, description = "It was replaced", body = HTTPError),
    )
)]
pub async fn revoke_certificate(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CertificateId>,
    Command(to): Command<CertificateRevocation>,
) -> Result<Json<CourseCertificate>> {
    let found = core::revoke(&kurso, &viewer, id, to).await?;
    Ok(Json(CourseCertificate::of(&kurso, found)))
}

/// Undo the revocation of a certificate
///
/// A certificate that is not revoked stays as it is. Owner, teachers and superusers; superusers also when the course is deleted.
#[utoipa::path(
    post, path = "/api/v1/courses/restore_certificate/{certificate_id}",
    operation_id = "courses-restore_certificate", tag = "courses",
    responses(
        CourseRefusals,
        (status = 200, description = "The certificate", body = CourseCertificate),
        (status = 409, description = "It was replaced", body = HTTPError),
    )
)]
pub async fn restore_certificate(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<CertificateId>,
) -> Result<Json<CourseCertificate>> {
    let found = core::restore(&kurso, &viewer, id).await?;
    Ok(Json(CourseCertificate::of(&kurso, found)))
}

/// Read the public page of a certificate
///
/// For everybody who has its ID, without a token: whether it is valid, and what its holder shows.
#[utoipa::path(
    get, path = "/api/v1/courses/public_certificate/{certificate_id}",
    operation_id = "courses-public_certificate", tag = "courses",
    responses(
        (status = 200, description = "What visitors see", body = PublicCertificate),
        (status = 404, description = "There is no such certificate", body = HTTPError),
        (status = 429, description = "Too many requests from this IP address; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn public_certificate(
    State(kurso): KursoState,
    origin: Origin,
    Path(id): Path<CertificateId>,
) -> Result<Json<PublicCertificate>> {
    Ok(Json(core::read_public(&kurso, &origin, id).await?.into()))
}
