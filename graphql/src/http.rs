//! GraphQL over HTTP: POST with a JSON body, GET for queries (design 4). Answers are `application/graphql-response+json`
//! with its status codes when the client takes it, else `application/json`, which is 200 for every well-formed request.

mod media;
mod operation;
mod read;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{Request, Response, ServerError, Value};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::routing::get;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::auth::{self, Origin};
use kurso_core::error::Error;
use kurso_core::messages::{Lang, Message, RequestLimit};
use kurso_core::signals::OperationName;
use serde_json::json;

use crate::context::{Asker, MailLang};
use crate::cost::Budget;
use crate::gate::{Admitted, Gate};
use crate::socket::{self, Sockets};
use crate::tree::whole::{Whole, Wholes};
use crate::types::MayWrite;
use crate::{Schema, absent};
use media::Media;
use read::Refused;

/// What the face works with.
#[derive(Clone)]
pub struct Http {
    pub kurso: Arc<Kurso>,
    pub schema: Schema,
    /// What every request passes.
    pub gate: Arc<Gate>,
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

async fn answer(State(face): State<Arc<Face>>, request: axum::extract::Request) -> http::Response<Body> {
    let (parts, body) = request.into_parts();
    if parts.method == Method::GET && socket::is_asked(&parts.headers) {
        return socket::open(face.http.clone(), parts).await;
    }
    let media = Media::accepted(&parts.headers);
    let lang = Lang::from_accept_language(text(&parts.headers, header::ACCEPT_LANGUAGE));
    let limits = face.http.gate.limits();
    let read = match parts.method {
        Method::POST => read::body(&parts.headers, body, limits, lang).await,
        _ => read::address(&parts.uri, lang),
    };
    let admitted = read.and_then(|request| admitted(&face.http, request, &parts.method, media, lang));
    let admitted = match admitted {
        Ok(admitted) => admitted,
        Err(refused) => return refusal(&refused, media),
    };
    let started = Instant::now();
    let name = operation::name(admitted.document(), admitted.request.operation_name.as_deref());
    // What is not ready by then is dropped where it stands; what it had not committed is rolled back.
    let answered = tokio::time::timeout(limits.time, executed(&face, admitted, &parts, media, lang)).await;
    let mut response = answered.unwrap_or_else(|_| {
        let error = limits.over(RequestLimit::Time, millis(started), lang);
        let status = StatusCode::SERVICE_UNAVAILABLE;
        refusal(&Refused { status, error }, media)
    });
    // What was executed names fields of the schema, and no others.
    let executed = response.extensions_mut().remove::<Executed>();
    let name = if executed.is_some() {
        name
    } else {
        operation::NOT_EXECUTED.to_owned()
    };
    let is_ok = executed.is_some_and(|Executed { is_ok }| is_ok);
    face.http.kurso.signals.operation(&name, is_ok, started.elapsed());
    response.extensions_mut().insert(OperationName(name));
    response
}

/// Rides on the answer to a document that fits the schema.
#[derive(Clone, Copy)]
struct Executed {
    is_ok: bool,
}

async fn executed(face: &Face, admitted: Admitted, parts: &Parts, media: Media, lang: Lang) -> http::Response<Body> {
    let http = &face.http;
    let started = Instant::now();
    let tells_cost = admitted.request.extensions.get("cost") == Some(&Value::Boolean(true));
    let spent = tells_cost.then(|| admitted.spent());
    let token = bearer(&parts.headers);
    if !tells_cost && let Some(json) = face.wholes.answer(&http.kurso, &admitted.request, token).await {
        let mut response = respond(StatusCode::OK, json.into_bytes(), media);
        response.extensions_mut().insert(Executed { is_ok: true });
        return response;
    }
    let origin = Origin {
        address: (http.address)(&parts.extensions, &parts.headers),
        device: text(&parts.headers, header::USER_AGENT).to_owned(),
    };
    let viewer = match viewer(http, token, lang).await {
        Ok(viewer) => viewer,
        Err(refused) => return refusal(&refused, media),
    };
    let mut request = admitted.into_request();
    absent::leave_out(&mut request);
    let mut whole = None;
    if let Ok(document) = request.parsed_query() {
        whole = Whole::of(document);
        let may_write = MayWrite::of(document);
        request = request.data(may_write);
    }
    let budget = Budget::of(http.gate.limits());
    let request = request
        .data(http.kurso.clone())
        .data(lang)
        .data(MailLang(Lang::of_mail(text(&parts.headers, header::ACCEPT_LANGUAGE))))
        .data(origin)
        .data(budget.clone())
        .data(Asker(viewer));
    let planned = whole.map(|whole| (request.query.clone(), whole));
    let mut response = http.schema.execute(request).await;
    if let Some((query, whole)) = planned
        && response.is_ok()
    {
        face.wholes.keep(query, whole);
    }
    if let Some(mut spent) = spent {
        spent.add(RequestLimit::Answer, budget.spent());
        spent.add(RequestLimit::Time, millis(started));
        let spent = spent.value(http.gate.limits());
        response.extensions.insert("cost".to_owned(), spent);
    }
    written(response, media)
}

/// Whose the token is. An empty or bad one is anonymous here; fields that need a person say UNAUTHENTICATED (contract 1).
async fn viewer(http: &Http, token: Option<&str>, lang: Lang) -> Result<Option<Viewer>, Refused> {
    let Some(token) = token else { return Ok(None) };
    match auth::authenticate(&http.kurso, token).await {
        Ok(viewer) => Ok(Some(viewer)),
        Err(Error::Internal(cause)) => {
            tracing::error!(%cause, "a token could not be checked");
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(Refused::new(status, &Message::InternalError, lang))
        }
        Err(error @ (Error::Busy | Error::Unavailable(_))) => {
            Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, &error.message(), lang))
        }
        Err(_) => Ok(None),
    }
}

/// Passes the gate; refuses an empty request, a mutation by GET, for a link must not change anything, and a subscription.
fn admitted(http: &Http, request: Request, method: &Method, media: Media, lang: Lang) -> Result<Admitted, Refused> {
    if !Gate::is_request(&request) {
        let status = StatusCode::BAD_REQUEST;
        return Err(Refused::new(status, &Message::BadGraphqlBody, lang));
    }
    let admitted = http.gate.admit(request, lang).map_err(|error| Refused {
        status: media.not_executed(),
        error,
    })?;
    let name = admitted.request.operation_name.as_deref();
    let is_asked = |ty| is_any(admitted.document(), name, ty);
    match [OperationType::Subscription, OperationType::Mutation].map(is_asked) {
        [true, _] => Err(Refused::new(media.not_executed(), &Message::SubscriptionByHttp, lang)),
        [_, true] if *method != Method::POST => {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            Err(Refused::new(status, &Message::MutationByGet, lang))
        }
        _ => Ok(admitted),
    }
}

/// Whether the operation of this name is of this type; without a name, whether any is.
fn is_any(document: &ExecutableDocument, name: Option<&str>, ty: OperationType) -> bool {
    document
        .operations
        .iter()
        .filter(|(found, _)| name.is_none() || found.map(|n| n.as_str()) == name)
        .any(|(_, operation)| operation.node.ty == ty)
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A request that was never executed has no `data` and, for those who take the new media type, status 400. Our own
/// refusals all have a code; what has none was said by the library of a document or variables that do not fit.
fn written(response: Response, media: Media) -> http::Response<Body> {
    let has_code = |error: &ServerError| error.extensions.as_ref().is_some_and(|e| e.get("code").is_some());
    let executed = response.errors.is_empty() || response.errors.iter().any(has_code);
    if executed {
        return match serde_json::to_vec(&response) {
            Ok(bytes) => {
                let is_ok = response.errors.is_empty();
                let mut response = respond(StatusCode::OK, bytes, media);
                response.extensions_mut().insert(Executed { is_ok });
                response
            }
            Err(cause) => {
                tracing::error!(%cause, "an answer could not be written");
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                refusal(&Refused::new(status, &Message::InternalError, Lang::En), media)
            }
        };
    }
    let errors: Vec<ServerError> = response.errors.into_iter().map(with_code).collect();
    let body = json!({"errors": errors}).to_string().into_bytes();
    respond(media.not_executed(), body, media)
}

/// A document that does not parse, validate or fit the limits is the client's input. It has no path: nothing was run.
fn with_code(mut error: ServerError) -> ServerError {
    error.extensions.get_or_insert_default().set("code", "BAD_USER_INPUT");
    error.path.clear();
    error
}

fn refusal(refused: &Refused, media: Media) -> http::Response<Body> {
    let status = refused.status;
    let body = json!({"errors": [refused.error]});
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
