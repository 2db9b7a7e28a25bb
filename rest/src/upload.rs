//! Multipart uploads, streamed part by part. The body is not read before the core has accepted the upload.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::multipart::Field;
use axum::extract::{FromRequest as _, Multipart, Request};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use http::{HeaderMap, StatusCode, header};
use kurso_base::error::{self as core, FieldError};
use kurso_base::messages::Message;
use kurso_core::files::upload::Sink;
use serde_json::{Map, Value};
use tokio::time::Instant;
use utoipa::ToSchema;

use crate::body::essence;
use crate::error::{Error, Result};

/// Bytes that a form may contain besides the file.
const MAX_OTHER: u64 = 1 << 20;

/// Bytes that are read of each other field.
const MAX_FIELD: usize = 1 << 10;

/// How long a connection may be silent, and how long every upload may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The bytes per second that a longer upload must reach. A slow phone does; a client that only holds connections does not.
const MIN_SPEED: u64 = 4096;

/// A form with one file.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `FileForm` reads")]
pub struct FileUpload {
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}

/// A form after it was read.
pub struct Received<S> {
    pub sink: S,
    pub filename: String,
    /// The other fields, as strings.
    pub fields: Map<String, Value>,
}

/// A request whose content type is that of a form.
pub struct FileForm {
    request: Request,
    announced: Option<u64>,
}

impl FileForm {
    /// Refuses anything but `multipart/form-data` with 415.
    pub fn of(request: Request) -> Result<Self> {
        if essence(request.headers()) != "multipart/form-data" {
            return Err(core::Error::WrongContentType.into());
        }
        let announced = length(request.headers());
        Ok(FileForm { request, announced })
    }

    /// Returns the length of the body in bytes, if the client has announced it.
    pub fn announced(&self) -> Option<u64> {
        self.announced
    }

    /// Writes the field `file` into the sink, unless the core has refused the upload. Keeps the other fields that the sink accepts.
    pub async fn read_into<S: Sink>(self, sink: core::Result<S>) -> Result<Received<S>> {
        let mut sink = sink?;
        let refusal = Refusal::default();
        let (parts, body) = self.request.into_parts();
        let body = limited(body.into_data_stream(), sink.max_size() + MAX_OTHER, refusal.clone());
        let request = Request::from_parts(parts, Body::from_stream(body));
        let mut form = Multipart::from_request(request, &()).await.map_err(|_| broken())?;
        let (filename, fields) = file_of(&mut form, &mut sink, &refusal).await?;
        Ok(Received { sink, filename, fields })
    }
}

/// Returns the name of the first file, and the other fields. Reads the form to its end, so that an incomplete one fails.
async fn file_of(
    form: &mut Multipart,
    sink: &mut impl Sink,
    refusal: &Refusal,
) -> Result<(String, Map<String, Value>)> {
    let (mut filename, mut fields) = (None, Map::new());
    while let Some(mut field) = form.next_field().await.map_err(|_| refusal.take())? {
        if filename.is_none() && field.name() == Some("file") {
            let given = field.file_name().map(str::to_owned);
            let given = given.ok_or_else(|| refused("value_error", Message::NotAFile))?;
            sink.name(&given)?;
            filename = Some(given);
            while let Some(bytes) = next(&mut field, refusal).await? {
                sink.write(bytes).await?;
            }
        } else if let Some(name) = field.name().filter(|name| sink.accepts_field(name)).map(str::to_owned) {
            let mut text = Vec::new();
            while let Some(bytes) = next(&mut field, refusal).await? {
                let room = MAX_FIELD.saturating_sub(text.len());
                text.extend(bytes.iter().take(room));
            }
            let text = String::from_utf8_lossy(&text).into_owned();
            // An empty field counts as absent.
            if !text.is_empty() {
                sink.field(&name, &text).await?;
                fields.insert(name, Value::String(text));
            }
        } else {
            while next(&mut field, refusal).await?.is_some() {}
        }
    }
    let filename = filename.ok_or_else(|| refused("missing", Message::FieldRequired))?;
    Ok((filename, fields))
}

async fn next(field: &mut Field<'_>, refusal: &Refusal) -> Result<Option<Bytes>> {
    field.chunk().await.map_err(|_| refusal.take())
}

fn refused(kind: &'static str, message: Message) -> Error {
    core::Error::invalid(FieldError::body(kind, "file", message, Value::Null)).into()
}

/// 422: the body is not a form, or incomplete.
fn broken() -> Error {
    core::Error::invalid(FieldError {
        kind: "value_error",
        loc: vec!["body".into()],
        message: Message::BrokenForm,
        input: Value::Null,
        ctx: None,
    })
    .into()
}

/// Why reading the body stopped. The multipart reader in between reports only that it ended.
#[derive(Clone, Default)]
struct Refusal(Arc<Mutex<Option<Error>>>);

impl Refusal {
    fn set(&self, error: Error) -> std::io::Error {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        std::io::ErrorKind::Other.into()
    }

    fn take(&self) -> Error {
        let mut refusal = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        refusal.take().unwrap_or_else(broken)
    }
}

/// The body. It fails when it becomes too slow, or longer than `max_size`.
fn limited(
    body: BodyDataStream,
    max_size: u64,
    refusal: Refusal,
) -> impl Stream<Item = std::io::Result<Bytes>> + Send + 'static {
    let started = Instant::now();
    futures_util::stream::try_unfold((body, 0_u64, refusal), move |(mut body, read, refusal)| async move {
        let deadline = started + TIMEOUT + Duration::from_secs(read / MIN_SPEED);
        let until = deadline.min(Instant::now() + TIMEOUT);
        match tokio::time::timeout_at(until, body.next()).await {
            Ok(Some(Ok(bytes))) => {
                let read = read + bytes.len() as u64;
                if read > max_size {
                    let error = core::Error::TooLarge(Message::BodyTooLarge);
                    return Err(refusal.set(error.into()));
                }
                Ok(Some((bytes, (body, read, refusal))))
            }
            Ok(Some(Err(_))) => Err(refusal.set(broken())),
            Ok(None) => Ok(None),
            Err(_) => Err(refusal.set(Error::Http(StatusCode::REQUEST_TIMEOUT, Message::BodyTooSlow))),
        }
    })
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
