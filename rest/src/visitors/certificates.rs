//! What everybody may read of certificates: the public page, its PDF, and what verifiers of badges read.

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use kurso_base::error as core;
use kurso_base::ids::{CertificateId, CourseId};
use kurso_base::messages::Message;
use kurso_base::values::Checked as _;
use kurso_core::auth::Origin;
use kurso_core::certificates::{self, Access, Drawn};
use kurso_core::files::Signature;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::html::Missing;
use super::{PageQuery, SHORT, Visit, certificate, value};
use crate::error::{Error, Result};
use crate::extract::PathText;
use crate::files::{disposition_of, is_cached};
use crate::{App, KursoState, paths};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/c/{certificate_id}", get(show_certificate))
        .route("/c/{certificate_id}/", any(paths::redirect))
        .route("/c/{certificate_id}/certificate.pdf", get(show_pdf))
        .route("/c/{certificate_id}/achievement", get(show_achievement))
        .route("/c/preview/{course_id}", get(show_preview))
        .route("/c/issuer", get(show_issuer))
        .route("/c/keys", get(show_keys))
        .route("/c/keys/{key_id}", get(show_key))
        .route("/c/status/{list}", get(show_status_list))
        .route("/.well-known/jwks.json", get(show_keys))
}

/// Only the reader's browser may keep a PDF at a signed address, and asks again.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");

async fn show_certificate(
    State(kurso): KursoState,
    origin: Origin,
    PathText(id): PathText,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response> {
    let language = PageQuery::of(&uri).language(&headers);
    let visit = Visit { headers, language };
    let Ok(id) = Uuid::check(id).map(CertificateId) else {
        return visit.missing(&kurso, Missing::Certificate);
    };
    match certificates::read_public(&kurso, &origin, id).await {
        Ok(page) => {
            let qr_code = certificates::qr_code(&kurso, id)?;
            visit.answer(certificate::page(&kurso, &page, &qr_code, language), StatusCode::OK)
        }
        Err(core::Error::NotFound(_)) => visit.missing(&kurso, Missing::Certificate),
        Err(error) => Err(error.into()),
    }
}

/// The query of a signed address.
#[derive(Deserialize)]
struct SignatureQuery {
    expires: i64,
    signature: String,
}

impl SignatureQuery {
    /// None for an address that is not signed.
    fn of(uri: &Uri) -> Option<Self> {
        let Query(query) = Query::try_from_uri(uri).ok()?;
        Some(query)
    }

    fn signature(&self) -> Signature<'_> {
        Signature {
            expires: self.expires,
            signature: &self.signature,
        }
    }
}

fn no_certificate() -> Error {
    core::Error::NotFound(Message::CertificateNotFound).into()
}

fn certificate_id(text: String) -> Result<CertificateId> {
    Uuid::check(text).map(CertificateId).map_err(|_| no_certificate())
}

async fn show_pdf(
    State(kurso): KursoState,
    origin: Origin,
    PathText(id): PathText,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
) -> Result<Response> {
    let id = certificate_id(id)?;
    let query = SignatureQuery::of(&uri);
    let (access, cache) = match &query {
        Some(query) => (Access::Signed(query.signature()), PRIVATE),
        None => (Access::Public, SHORT),
    };
    let drawn = certificates::pdf(&kurso, &origin, id, access).await?;
    pdf(
        drawn,
        &origin,
        &format!("certificate-{id}.pdf"),
        cache,
        &method,
        &headers,
    )
    .await
}

async fn show_preview(
    State(kurso): KursoState,
    origin: Origin,
    PathText(id): PathText,
    uri: Uri,
    method: Method,
    headers: HeaderMap,
) -> Result<Response> {
    let not_found = || Error::from(core::Error::NotFound(Message::CourseNotFound));
    let course = Uuid::check(id).map(CourseId).map_err(|_| not_found())?;
    let query = SignatureQuery::of(&uri).ok_or_else(not_found)?;
    let drawn = certificates::preview(&kurso, course, query.signature()).await?;
    pdf(drawn, &origin, "certificate.pdf", PRIVATE, &method, &headers).await
}

/// The document, or 304 if the client has it.
async fn pdf(
    drawn: Drawn,
    origin: &Origin,
    filename: &str,
    cache: HeaderValue,
    method: &Method,
    request: &HeaderMap,
) -> Result<Response> {
    let etag = format!("\"{}\"", drawn.digest);
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CONTENT_DISPOSITION, value(disposition_of("inline", filename))?),
        (header::ETAG, value(etag.clone())?),
        (header::CACHE_CONTROL, cache),
        (
            header::HeaderName::from_static("x-robots-tag"),
            HeaderValue::from_static("noindex"),
        ),
    ]);
    if is_cached(request, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let bytes = drawn.bytes(origin).await?;
    let length = [(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()))];
    let body = match *method {
        Method::HEAD => Body::empty(),
        _ => Body::from(bytes),
    };
    Ok((headers, length, body).into_response())
}

/// What programs of other sites read to verify a badge.
fn for_verifiers(kind: &'static str, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, SHORT),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    ];
    (headers, text).into_response()
}

fn json(value: &Value) -> Response {
    for_verifiers("application/json", value.to_string())
}

fn linked(value: &Value) -> Response {
    for_verifiers("application/ld+json", value.to_string())
}

async fn show_achievement(State(kurso): KursoState, origin: Origin, PathText(id): PathText) -> Result<Response> {
    let achievement = certificates::achievement(&kurso, &origin, certificate_id(id)?).await?;
    Ok(linked(&achievement))
}

async fn show_issuer(State(kurso): KursoState) -> Response {
    linked(&certificates::issuer(&kurso))
}

async fn show_keys(State(kurso): KursoState, origin: Origin) -> Result<Response> {
    Ok(json(&certificates::jwks(&kurso, &origin).await?))
}

async fn show_key(State(kurso): KursoState, origin: Origin, PathText(id): PathText) -> Result<Response> {
    Ok(json(&certificates::jwk(&kurso, &origin, &id).await?))
}

async fn show_status_list(State(kurso): KursoState, origin: Origin, PathText(list): PathText) -> Result<Response> {
    let not_found = || Error::from(core::Error::NotFound(Message::NotFound));
    let list = list.parse::<i64>().map_err(|_| not_found())?;
    let jwt = certificates::status_list(&kurso, &origin, list).await?;
    Ok(for_verifiers("application/vc+jwt", jwt))
}
