//! GraphQL over HTTP: POST with a JSON body, GET for queries (design 4). Answers are `application/graphql-response+json`
//! with its status codes when the client takes it, else `application/json`, which is 200 for every well-formed request.

use std::net::IpAddr;
use std::sync::Arc;

use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{Request, Response, ServerError};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use kurso_core::Kurso;
use kurso_core::auth::{self, Origin};
use kurso_core::messages::{Lang, Message};
use kurso_core::wire;
use serde_json::json;

use crate::Schema;
use crate::context::{Asker, MailLang};
use crate::socket::{self, Sockets};
use crate::tree::whole::{Whole, Wholes};
use crate::types::MayWrite;
use crate::{absent, depth};

/// Bodies above this are 413.
const MAX_BODY: usize = 4 << 20;

/// Brackets of any kind open at once in a document: what the parser follows without running out of stack, and more than a
/// page's content written into one needs.
pub(crate) const DEEPEST: usize = 200;

const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";
const JSON: &str = "application/json";

/// What the face works with.
#[derive(Clone)]
pub struct Http {
    pub kurso: Arc<Kurso>,
    pub schema: Schema,
    /// The open sockets of subscriptions.
    pub sockets: Sockets,
    /// The address a request comes from, as the server sees it through its proxies.
    pub address: Arc<AddressOf>,
}

/// Reads the peer's address from a request's extensions and headers.
pub type AddressOf = dyn Fn(&http::Extensions, &HeaderMap) -> Option<IpAddr> + Send + Sync;

/// `/graphql`.
pub fn router(http: Http) -> Router {
    Router::new()
        .route("/graphql", get(answer).post(answer))
        .layer(from_fn_with_state(http.clone(), socket::or_http))
        .with_state(Arc::new(Face {
            http,
            wholes: Wholes::default(),
        }))
}

/// What requests share.
struct Face {
    http: Http,
    wholes: Wholes,
}

/// What the client sent, or the status and text that refuse it.
type Refusal = (StatusCode, String);

async fn answer(State(face): State<Arc<Face>>, request: axum::extract::Request) -> http::Response<Body> {
    let http = &face.http;
    let (parts, body) = request.into_parts();
    let media = Media::accepted(&parts.headers);
    let accepted = text(&parts.headers, header::ACCEPT_LANGUAGE);
    let (lang, mail_lang) = (Lang::from_accept_language(accepted), MailLang(Lang::of_mail(accepted)));
    let read = match parts.method {
        Method::POST => match axum::body::to_bytes(body, MAX_BODY).await {
            Ok(bytes) => from_body(&parts.headers, &bytes, lang),
            Err(_) => Err((StatusCode::PAYLOAD_TOO_LARGE, Message::BodyTooLarge.text(lang))),
        },
        _ => from_query(parts.uri.query().unwrap_or_default(), lang),
    };
    if let Ok(request) = &read
        && depth::of(&request.query) > DEEPEST
    {
        let status = if media == Media::Json {
            StatusCode::OK
        } else {
            StatusCode::BAD_REQUEST
        };
        return refused(status, &Message::QueryTooDeep.text(lang), media);
    }
    let mut request = match read.and_then(|request| checked(request, &parts.method, lang)) {
        Ok(request) => request,
        Err((status, text)) => return refused(status, &text, media),
    };
    let token = bearer(&parts.headers);
    if let Some(json) = face.wholes.answer(&http.kurso, &request, token).await {
        return respond(StatusCode::OK, json.into_bytes(), media);
    }
    let origin = Origin {
        address: (http.address)(&parts.extensions, &parts.headers),
        device: text(&parts.headers, header::USER_AGENT).to_owned(),
    };
    let viewer = match token {
        // An empty or bad token is anonymous here; fields that need a person say UNAUTHENTICATED (contract 1).
        Some(token) => match auth::authenticate(&http.kurso, token).await {
            Ok(viewer) => Some(viewer),
            Err(kurso_core::error::Error::Internal(cause)) => {
                tracing::error!(%cause, "a token could not be checked");
                return refused(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    &Message::InternalError.text(lang),
                    media,
                );
            }
            Err(kurso_core::error::Error::Busy) => {
                return refused(StatusCode::SERVICE_UNAVAILABLE, &Message::Busy.text(lang), media);
            }
            Err(_) => None,
        },
        None => None,
    };
    absent::leave_out(&mut request);
    let mut whole = None;
    if let Ok(document) = request.parsed_query() {
        whole = Whole::of(document);
        let may_write = MayWrite::of(document);
        request = request.data(may_write);
    }
    let request = request
        .data(http.kurso.clone())
        .data(lang)
        .data(mail_lang)
        .data(origin)
        .data(Asker(viewer));
    let planned = whole.map(|whole| (request.query.clone(), whole));
    let response = http.schema.execute(request).await;
    if let Some((query, whole)) = planned
        && response.is_ok()
    {
        face.wholes.keep(query, whole);
    }
    written(response, media)
}

/// The media type of the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Media {
    GraphqlResponse,
    Json,
}

impl Media {
    /// The first of the two that `Accept` names; `application/json` when it names neither.
    fn accepted(headers: &HeaderMap) -> Self {
        for range in text(headers, header::ACCEPT).split(',') {
            match range.split(';').next().map(str::trim) {
                Some(GRAPHQL_RESPONSE) => return Media::GraphqlResponse,
                Some(JSON | "application/*" | "*/*") => return Media::Json,
                _ => {}
            }
        }
        Media::Json
    }

    fn header(self) -> HeaderValue {
        match self {
            Media::GraphqlResponse => HeaderValue::from_static("application/graphql-response+json; charset=utf-8"),
            Media::Json => HeaderValue::from_static("application/json; charset=utf-8"),
        }
    }
}

fn from_body(headers: &HeaderMap, bytes: &Bytes, lang: Lang) -> Result<Request, Refusal> {
    // Forms and text/plain are what a foreign page may send without asking: only JSON comes in.
    let content_type = text(headers, header::CONTENT_TYPE)
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    if !content_type.eq_ignore_ascii_case(JSON) {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, Message::WrongContentType.text(lang)));
    }
    let bad = || (StatusCode::BAD_REQUEST, Message::BadGraphqlBody.text(lang));
    // The library would take an array for an object with its fields in order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(bad());
    }
    // A page's content may be deeper than the parser would go by itself.
    let text = std::str::from_utf8(bytes).map_err(|_| bad())?;
    wire::read_json(text).map_err(|_| bad())
}

fn from_query(query: &str, lang: Lang) -> Result<Request, Refusal> {
    async_graphql::http::parse_query_string(query)
        .map_err(|_| (StatusCode::BAD_REQUEST, Message::BadGraphqlBody.text(lang)))
}

/// Refuses an empty request, and a mutation by GET: a link must not change anything.
fn checked(mut request: Request, method: &Method, lang: Lang) -> Result<Request, Refusal> {
    if request.query.trim().is_empty() {
        return Err((StatusCode::BAD_REQUEST, Message::BadGraphqlBody.text(lang)));
    }
    if *method == Method::POST {
        return Ok(request);
    }
    let name = request.operation_name.clone();
    match request.parsed_query() {
        Ok(document) if is_query(document, name.as_deref()) => Ok(request),
        Ok(_) => Err((StatusCode::METHOD_NOT_ALLOWED, Message::MutationByGet.text(lang))),
        Err(_) => Ok(request), // the schema says what is wrong with it
    }
}

fn is_query(document: &ExecutableDocument, name: Option<&str>) -> bool {
    document
        .operations
        .iter()
        .filter(|(found, _)| name.is_none() || found.map(|n| n.as_str()) == name)
        .all(|(_, operation)| operation.node.ty == OperationType::Query)
}

/// A request that was never executed has no `data` and, for those who take the new media type, status 400. Our own
/// refusals all have a code; what has none was said by the library of a document or variables that do not fit.
fn written(response: Response, media: Media) -> http::Response<Body> {
    let has_code = |error: &ServerError| error.extensions.as_ref().is_some_and(|e| e.get("code").is_some());
    let executed = response.errors.is_empty() || response.errors.iter().any(has_code);
    if executed {
        return match serde_json::to_vec(&response) {
            Ok(bytes) => respond(StatusCode::OK, bytes, media),
            Err(cause) => {
                tracing::error!(%cause, "an answer could not be written");
                refused(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    &Message::InternalError.text(Lang::En),
                    media,
                )
            }
        };
    }
    let errors: Vec<ServerError> = response.errors.into_iter().map(with_code).collect();
    let status = if media == Media::GraphqlResponse {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    respond(status, json!({"errors": errors}).to_string().into_bytes(), media)
}

/// A document that does not parse, validate or fit the limits is the client's input. It has no path: nothing was run.
fn with_code(mut error: ServerError) -> ServerError {
    error.extensions.get_or_insert_default().set("code", "BAD_USER_INPUT");
    error.path.clear();
    error
}

fn refused(status: StatusCode, message: &str, media: Media) -> http::Response<Body> {
    let code = match status {
        StatusCode::INTERNAL_SERVER_ERROR => "INTERNAL",
        StatusCode::SERVICE_UNAVAILABLE => "UNAVAILABLE",
        _ => "BAD_USER_INPUT",
    };
    let body = json!({"errors": [{"message": message, "extensions": {"code": code}}]});
    let mut response = respond(status, body.to_string().into_bytes(), media);
    match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            response
                .headers_mut()
                .insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        _ => {}
    }
    response
}

fn respond(status: StatusCode, body: Vec<u8>, media: Media) -> http::Response<Body> {
    let mut response = http::Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, media.header());
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(crate) fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = text(headers, header::AUTHORIZATION).split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
