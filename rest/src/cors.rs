//! CORS for exact origins, with credentials allowed.

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::Options;

/// The origins that may call, such as `http://localhost:5173`.
#[derive(Debug)]
pub struct Cors {
    origins: Vec<String>,
}

const TRUE: HeaderValue = HeaderValue::from_static("true");
const ORIGIN: HeaderValue = HeaderValue::from_static("Origin");
const METHODS: HeaderValue = HeaderValue::from_static("DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT");
const TEN_MINUTES: HeaderValue = HeaderValue::from_static("600");

impl Cors {
    pub fn new(options: &Options) -> Self {
        let origins = options.cors_origins.iter();
        Cors {
            origins: origins
                .map(|origin| origin.trim().trim_end_matches('/').to_owned())
                .collect(),
        }
    }

    fn allows(&self, origin: &HeaderValue) -> bool {
        self.origins
            .iter()
            .any(|allowed| allowed.as_bytes() == origin.as_bytes())
    }
}

/// Answers preflights, and lets the scripts of allowed origins read answers, refusals included.
pub async fn handle<F>(cors: &Cors, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let Some(origin) = request.headers().get(header::ORIGIN).cloned() else {
        return next(request).await;
    };
    let asked_method = request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if request.method() == Method::OPTIONS && asked_method {
        return preflight(cors, origin, request.headers());
    }
    let mut response = next(request).await;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, TRUE);
    if cors.allows(&origin) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.append(header::VARY, ORIGIN);
    }
    response
}

fn preflight(cors: &Cors, origin: HeaderValue, asked: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::VARY, ORIGIN);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, TEN_MINUTES);
    headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, TRUE);
    if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    if !cors.allows(&origin) {
        return (StatusCode::BAD_REQUEST, headers, "Disallowed CORS origin").into_response();
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    (headers, "OK").into_response()
}
