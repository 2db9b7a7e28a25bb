//! Serves files at `/files/{key}/{filename}`. The key of a public file, and the signature of a private one, grant the right to read, so no
//! token is needed.

use std::ops::Range;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use kurso_base::error as core;
use kurso_base::messages::Message;
use kurso_core::Kurso;
use kurso_core::files::{self, File, Signature};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::KursoState;
use crate::error::{Error, Result};
use crate::openapi_parts::HTTPError;

/// A file never changes, because a new one gets a new key.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Only the reader's browser may cache a private file, for one hour: every address is valid for at least that long.
const PRIVATE: HeaderValue = HeaderValue::from_static("private, max-age=3600");

/// A file that is opened as a page runs no script, loads nothing and has no origin. SVG needs inline styles; the rest lets a browser
/// show a bare image, video or sound.
const SANDBOX: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; \
     frame-ancestors 'self'; sandbox",
);

/// The key grants the right to read, so a web app on another origin may show the file.
const CROSS_ORIGIN: HeaderValue = HeaderValue::from_static("cross-origin");

/// The bytes of a file of any type.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes what `serve` returns")]
pub struct FileBytes(Vec<u8>);

/// Download a file
///
/// Returns the whole file or one `Range` of it. Needs no token: the key of a file of a page grants access, and such a file may be cached
/// forever, because it never changes. The address of a file that answers a question has `expires` and `signature` as well, and ends
/// after one to two hours.
#[utoipa::path(
    get, path = "/files/{key}/{filename}", operation_id = "files-read_file", tag = "files",
    params(
        ("key" = String, Path, description = "32 hexadecimal digits"),
        ("filename" = String, Path),
        ("expires" = Option<i64>, Query, nullable = false, description = "Of a private file: seconds since 1970"),
        ("signature" = Option<String>, Query, nullable = false, description = "Of a private file"),
        ("Range" = Option<String>, Header, nullable = false, description = "One range of bytes"),
    ),
    responses(
        (
            status = 200, description = "The whole file",
            content((FileBytes = "application/octet-stream"), (FileBytes = "*/*")),
        ),
        (
            status = 206, description = "The requested range",
            content((FileBytes = "application/octet-stream"), (FileBytes = "*/*")),
        ),
        (status = 304, description = "The cached copy is valid"),
        (status = 404, description = "No such file", body = HTTPError),
        (status = 416, description = "The range begins beyond the end of the file", body = HTTPError),
    )
)]
pub async fn serve(State(kurso): KursoState, uri: Uri, method: Method, request: HeaderMap) -> Result<Response> {
    let file = find(&kurso, &uri).await?;
    let size = u64::try_from(file.size).unwrap_or_default();
    let etag = format!("\"{}\"", file.id);
    let mut headers = file_headers(&file, &etag)?;
    if is_cached(&request, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let (status, range) = match selection(&request, &etag, size) {
        Selection::Whole => (StatusCode::OK, None),
        Selection::Part(range) => {
            let text = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
            headers.insert(header::CONTENT_RANGE, value(text)?);
            (StatusCode::PARTIAL_CONTENT, Some(range))
        }
        Selection::Unsatisfiable => {
            let refusal = Error::Http(StatusCode::RANGE_NOT_SATISFIABLE, Message::RangeNotSatisfiable);
            let whole = [(header::CONTENT_RANGE, value(format!("bytes */{size}"))?)];
            return Ok((whole, refusal).into_response());
        }
    };
    let length = range.as_ref().map_or(size, |range| range.end - range.start);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    let body = if method == Method::HEAD || length == 0 {
        Body::empty()
    } else {
        Body::from_stream(kurso.files.get(&file.key, range).await?)
    };
    Ok((status, headers, body).into_response())
}

/// The bytes of a whole file.
pub async fn stream(kurso: &Kurso, file: &File) -> Result<Body> {
    Ok(Body::from_stream(kurso.files.get(&file.key, None).await?))
}

/// The query parameters of a signed address.
#[derive(Deserialize)]
struct SignatureQuery {
    expires: i64,
    signature: String,
}

/// Finds the file of `/files/{key}/{filename}`. Both must match.
async fn find(kurso: &Kurso, uri: &Uri) -> Result<File> {
    let not_found = || core::Error::NotFound(Message::FileNotFound);
    let (key, filename) = uri
        .path()
        .strip_prefix("/files/")
        .and_then(|path| path.split_once('/'))
        .ok_or_else(not_found)?;
    if key.len() != 32 || !key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(not_found().into());
    }
    let filename = percent_decode_str(filename).decode_utf8_lossy();
    // Without a readable signature, only a public file is served.
    let signed = Query::<SignatureQuery>::try_from_uri(uri).ok();
    let signature = signed.as_ref().map(|Query(query)| Signature {
        expires: query.expires,
        signature: &query.signature,
    });
    Ok(files::at_address(kurso, key, &filename, signature).await?)
}

fn file_headers(file: &File, etag: &str) -> Result<HeaderMap> {
    let kind = file.content_type.as_str();
    // Without a charset the browser would guess the encoding.
    let kind = if kind == "text/plain" {
        "text/plain; charset=utf-8"
    } else {
        kind
    };
    Ok(HeaderMap::from_iter([
        (header::CONTENT_TYPE, value(kind.to_owned())?),
        (
            header::CONTENT_DISPOSITION,
            value(disposition(&file.content_type, &file.filename))?,
        ),
        (header::ETAG, value(etag.to_owned())?),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (header::CACHE_CONTROL, if file.is_private { PRIVATE } else { IMMUTABLE }),
        (header::CONTENT_SECURITY_POLICY, SANDBOX),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            CROSS_ORIGIN,
        ),
    ]))
}

fn value(text: String) -> Result<HeaderValue> {
    Ok(HeaderValue::try_from(text).map_err(core::Error::internal)?)
}

/// Encodes all but the attribute characters of RFC 8187.
const NAME: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// Files that cannot run a script are shown, the others are downloads. An SVG still shows in `<img>`.
fn disposition(content_type: &str, filename: &str) -> String {
    let media = ["image/", "audio/", "video/"]
        .iter()
        .any(|family| content_type.starts_with(family));
    let is_shown =
        media && !content_type.starts_with("image/svg") || matches!(content_type, "application/pdf" | "text/plain");
    let kind = if is_shown { "inline" } else { "attachment" };
    disposition_of(kind, filename)
}

/// Returns a `Content-Disposition` of the kind, `inline` or `attachment`, with a name in any script (RFC 6266).
pub fn disposition_of(kind: &str, filename: &str) -> String {
    let plain: String = filename
        .chars()
        .map(|c| {
            if matches!(c, ' '..='~') && !"\"\\%".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    format!(
        "{kind}; filename=\"{plain}\"; filename*=UTF-8''{}",
        utf8_percent_encode(filename, NAME)
    )
}

/// Does the client have what this ETag names already?
pub fn is_cached(request: &HeaderMap, etag: &str) -> bool {
    let tags = request.get_all(header::IF_NONE_MATCH).iter();
    tags.filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

#[derive(Debug, PartialEq)]
enum Selection {
    Whole,
    Part(Range<u64>),
    /// The range begins beyond the end.
    Unsatisfiable,
}

/// Returns the part of the file that is requested. For several ranges, an invalid one, and a part of another version (`If-Range`)
/// that is the whole file, as RFC 9110 allows.
fn selection(request: &HeaderMap, etag: &str, size: u64) -> Selection {
    let text = |name| request.get(name).and_then(|value| value.to_str().ok());
    let range = text(header::RANGE).filter(|_| {
        let version = request.get(header::IF_RANGE);
        version.is_none_or(|version| version.as_bytes() == etag.as_bytes())
    });
    match range.and_then(|range| part(range, size)) {
        None => Selection::Whole,
        Some(part) if part.is_empty() => Selection::Unsatisfiable,
        Some(part) => Selection::Part(part),
    }
}

/// Parses `bytes=0-99`, `bytes=100-` and `bytes=-100`. The range is empty when it begins beyond the end.
fn part(range: &str, size: u64) -> Option<Range<u64>> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.trim().split_once('-')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    if first.is_empty() {
        return Some(size.saturating_sub(number(last)?)..size);
    }
    let first = number(first)?;
    if last.is_empty() {
        return Some(first.min(size)..size);
    }
    let last = number(last)?;
    (first <= last).then(|| first.min(size)..last.saturating_add(1).min(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        for (range, expected) in [
            ("bytes=0-0", Some(0..1)),
            ("bytes=2-5", Some(2..6)),
            ("bytes=2-", Some(2..10)),
            ("Bytes = 2-99", Some(2..10)),
            ("bytes=-3", Some(7..10)),
            ("bytes=-30", Some(0..10)),
            ("bytes=-0", Some(10..10)),
            ("bytes=10-", Some(10..10)),
            ("bytes=10-11", Some(10..10)),
            ("bytes=0-99999999999999999999", Some(0..10)),
            ("bytes=99999999999999999999-", Some(10..10)),
            ("bytes=5-2", None),
            ("bytes=-", None),
            ("bytes=0-1,3-4", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("pages=0-1", None),
            ("bytes", None),
        ] {
            assert_eq!(part(range, 10), expected, "{range}");
        }
        assert_eq!(part("bytes=0-", 0), Some(0..0));
    }

    #[test]
    fn files_that_could_run_scripts_are_downloads() {
        for inline in ["image/png", "audio/mpeg", "video/mp4", "application/pdf", "text/plain"] {
            assert!(disposition(inline, "a").starts_with("inline"), "{inline}");
        }
        for attachment in ["image/svg+xml", "text/html", "application/xml", "application/zip", ""] {
            assert!(disposition(attachment, "a").starts_with("attachment"), "{attachment}");
        }
    }

    #[test]
    fn names_in_any_script_are_encoded() {
        assert_eq!(
            disposition("image/png", "Ж \"1\"\r\n;.png"),
            "inline; filename=\"_ _1___;.png\"; filename*=UTF-8''%D0%96%20%221%22%0D%0A%3B.png"
        );
    }
}
