//! Exports of courses.

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use http::{HeaderMap, HeaderValue, header};
use kurso_base::error as core;
use kurso_base::messages::Lang;
use kurso_core::exports::{self, Exported};
use tokio::io::AsyncReadExt as _;
use utoipa::{IntoParams, ToSchema};

use crate::KursoState;
use crate::error::Result;
use crate::extract::ExportRequest;
use crate::files::{FileBytes, disposition_of};
use crate::openapi_parts::CourseRefusals;

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// The form a course goes out in.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub enum ExportFormat {
    Markdown,
    Gift,
    Imscc,
    Html,
    Csv,
}

/// How a course goes out.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct ExportParams {
    /// `markdown`, when absent: Kurso Markdown as a zip, all of the course; `gift`: the questions of all quizzes;
    /// `imscc`: IMS Common Cartridge, which Canvas and others read; `html`: the published pages as one file that works offline;
    /// `csv`: the results, a row for each learner.
    #[param(inline)]
    format: Option<ExportFormat>,
    /// In place of the header `Authorization`: the token of an address that `Course.exportUrl` of GraphQL gives.
    token: Option<String>,
}

/// Export Course
///
/// A course in a file: owner and editors. Its results: all staff.
#[utoipa::path(
    get, path = "/api/v1/courses/export/{course_id}", operation_id = "courses-export_course", tag = "courses",
    params(ExportParams),
    responses(
        CourseRefusals,
        (
            status = 200, description = "The file",
            content((FileBytes = "application/octet-stream"), (FileBytes = "*/*")),
        ),
    )
)]
pub async fn export_course(State(kurso): KursoState, lang: Lang, request: ExportRequest) -> Result<Response> {
    let exported = exports::export(&kurso, &request.viewer, request.course, request.format, lang).await?;
    let value = |text: String| HeaderValue::try_from(text).map_err(core::Error::internal);
    let headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static(exported.content_type)),
        (
            header::CONTENT_DISPOSITION,
            value(disposition_of("attachment", &exported.filename))?,
        ),
        (header::CONTENT_LENGTH, HeaderValue::from(exported.size)),
        // The URL may contain a token.
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ]);
    Ok((headers, Body::from_stream(bytes_of(exported))).into_response())
}

/// Streams the file. It is deleted when the stream ends or is dropped.
fn bytes_of(exported: Exported) -> impl Stream<Item = std::io::Result<Bytes>> {
    futures_util::stream::try_unfold(exported, async |mut exported| {
        let mut chunk = BytesMut::with_capacity(CHUNK);
        let read = exported.file.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), exported)))
    })
}
