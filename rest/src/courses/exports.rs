//! Exports of courses.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use http::{HeaderMap, HeaderValue, header};
use kurso_base::error as core;
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_core::access::Viewer;
use kurso_core::exports::{self, Exported};
use tokio::io::AsyncReadExt as _;
use utoipa::{IntoParams, ToSchema};

use super::imports::shapes::{ImportReport, ImportReportEntry};
use crate::KursoState;
use crate::error::Result;
use crate::extract::{ExportReportQuery, ExportRequest, Path, with_path};
use crate::files::{FileBytes, disposition_of};
use crate::openapi_parts::{CourseRefusals, PagingParams};

/// Size of a read, in bytes.
const CHUNK: usize = 64 << 10;

/// The format of an export.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub enum ExportFormat {
    Markdown,
    Gift,
    Imscc,
    Html,
    Csv,
    Grades,
}

/// What separates the cells of a table.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub enum TableSeparator {
    Semicolon,
    Comma,
}

/// The format of an export, and the token of a signed URL.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct ExportParams {
    /// `markdown` (default): the whole course in Kurso Markdown as a zip; `gift`: the questions of all quizzes; `imscc`: IMS
    /// Common Cartridge, for Canvas and other systems; `html`: the published pages as one file for offline reading; `csv`: the
    /// results, one row per learner; `grades`: the gradebook as a table, which `import_grades` reads.
    #[param(inline)]
    format: Option<ExportFormat>,
    /// ID of a group: only the results of its learners. `none`: only those of learners without a group. Other formats than `csv`
    /// and `grades` ignore it.
    #[param(pattern = "^(none|[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})$")]
    group_id: Option<String>,
    /// True: `markdown` has its dates in days from the start of the course. Other formats ignore it. Default: false.
    relative_dates: Option<bool>,
    /// True: pages with unpublished changes have these in place of what learners see. `csv` and `grades` ignore it. Default: false.
    drafts: Option<bool>,
    /// Of `grades`: `semicolon`: semicolons and decimal commas, as Excel with Russian settings reads them; `comma`: commas and decimal
    /// points. By default that of the language.
    #[param(inline)]
    separator: Option<TableSeparator>,
    /// Token of a URL returned by `Course.exportUrl` of GraphQL. Replaces the header `Authorization`.
    token: Option<String>,
}

/// Export a course as a file
///
/// Owner and editors; `csv` and `grades` also teachers and superusers.
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
    let exported = exports::export(&kurso, &request.viewer, request.wanted, lang).await?;
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

/// What is reported of an export.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct ReportedFormat {
    /// Default: `markdown`.
    #[param(inline)]
    format: Option<ExportFormat>,
    /// As in the export. Default: false.
    relative_dates: Option<bool>,
    /// As in the export. Default: false.
    drafts: Option<bool>,
}

/// Report what an export leaves out
///
/// Lists the elements that a file of this format does not contain or contains in another form; `csv` and `grades` have none. No file is
/// written for it. The rights are those of the export.
#[utoipa::path(
    get, path = "/api/v1/courses/export_report/{course_id}", operation_id = "courses-export_report", tag = "courses",
    params(ReportedFormat, PagingParams),
    responses(CourseRefusals, (status = 200, description = "Lines of the report", body = ImportReport))
)]
pub async fn export_report(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<CourseId>>,
    query: Result<ExportReportQuery>,
    lang: Lang,
) -> Result<Json<ImportReport>> {
    let (id, query) = with_path(path, query)?;
    let lines = exports::report(
        &kurso,
        &viewer,
        exports::Request {
            dates: query.dates,
            drafts: query.drafts,
            ..exports::Request::of(id, query.format)
        },
    )
    .await?;
    let listed = query.page.of(lines);
    let data = listed
        .data
        .iter()
        .map(|line| ImportReportEntry::of(line, lang))
        .collect();
    Ok(Json(ImportReport {
        data,
        count: listed.count,
    }))
}

/// Streams the file. It is deleted when the stream ends or is dropped.
fn bytes_of(exported: Exported) -> impl Stream<Item = std::io::Result<Bytes>> {
    futures_util::stream::try_unfold(exported, async |mut exported| {
        let mut chunk = BytesMut::with_capacity(CHUNK);
        let read = exported.file.read_buf(&mut chunk).await?;
        Ok((read > 0).then(|| (chunk.freeze(), exported)))
    })
}
