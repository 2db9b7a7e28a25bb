//! GraphQL over HTTP: POST with a JSON body, GET for queries, and the upgrade to a WebSocket for subscriptions.
//!
//! `async-graphql-axum` writes the answers of the executor. Around it stand what it lacks: our reader of requests ([`request`]),
//! the media types and status codes of GraphQL over HTTP ([`media`]), admission, the fast path of trees and the time limit.

mod media;
mod operation;
mod request;

use std::sync::Arc;
use std::time::Instant;

use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{Request, ServerError, Value};
use async_graphql_axum::GraphQLResponse;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use kurso_base::error::Error;
use kurso_base::messages::{Lang, Message, RequestLimit};
use kurso_core::access::Viewer;
use kurso_core::auth::{self, Origin};
use kurso_core::metrics::OperationName;
use serde_json::json;

use crate::admission::{AdmissionChecks, Admitted};
use crate::context::Caller;
use crate::cost::Budget;
use crate::language::MailLang;
use crate::server::{Http, header_text};
use crate::socket;
use crate::tree::compiled::{CompiledOperation, CompiledOperations};
use crate::{absent, batching};
use media::Media;
use request::Refusal;

/// The route `/graphql`.
pub fn router(http: Http) -> Router {
    let endpoint = Endpoint {
        http,
        compiled: CompiledOperations::default(),
    };
    Router::new()
        .route("/graphql", get(answer).post(answer))
        .with_state(Arc::new(endpoint))
}

struct Endpoint {
    http: Http,
    compiled: CompiledOperations,
}

async fn answer(State(endpoint): State<Arc<Endpoint>>, request: axum::extract::Request) -> Response {
    let (parts, body) = request.into_parts();
    if parts.method == Method::GET && socket::is_upgrade(&parts.headers) {
        return socket::open(endpoint.http.clone(), parts).await;
    }
    if parts.method == Method::GET && parts.uri.query().is_none() && media::accepts_html(&parts.headers) {
        return to_playground();
    }
    let media = Media::accepted(&parts.headers);
    let lang = Lang::from_accept_language(header_text(&parts.headers, header::ACCEPT_LANGUAGE));
    let limits = endpoint.http.checks.limits();
    let read = match parts.method {
        Method::POST => request::from_body(&parts.headers, body, limits, lang).await,
        _ => request::from_query(&parts.uri, lang),
    };
    let admitted = match read.and_then(|request| admit(&endpoint.http, request, &parts.method, media, lang)) {
        Ok(admitted) => admitted,
        Err(refusal) => return refused(&refusal, media),
    };
    let started = Instant::now();
    let name = operation::name(admitted.document(), admitted.request.operation_name.as_deref());
    // At the time limit the execution is dropped; its open transaction is rolled back.
    let executing = execute(&endpoint, admitted, &parts, media, lang);
    let mut response = match tokio::time::timeout(limits.time, executing).await {
        Ok(response) => response,
        Err(_) => {
            let error = limits.over(RequestLimit::Time, millis(started), lang);
            let status = StatusCode::SERVICE_UNAVAILABLE;
            refused(&Refusal { status, error }, media)
        }
    };
    // Only the name of an executed document is one of a bounded set.
    let executed = response.extensions_mut().remove::<Executed>();
    let name = executed.map_or_else(|| operation::NOT_EXECUTED.to_owned(), |_| name);
    let is_ok = executed.is_some_and(|Executed { is_ok }| is_ok);
    endpoint.http.kurso.metrics.operation(&name, is_ok, started.elapsed());
    response.extensions_mut().insert(OperationName(name));
    response
}

/// Leads a browser that opens the endpoint to GraphiQL.
fn to_playground() -> Response {
    let headers = [(header::CACHE_CONTROL, "no-store"), (header::VARY, "accept")];
    (headers, Redirect::to("/graphiql")).into_response()
}

/// Marks the response to a document that fits the schema.
#[derive(Clone, Copy)]
struct Executed {
    is_ok: bool,
}

async fn execute(endpoint: &Endpoint, admitted: Admitted, parts: &Parts, media: Media, lang: Lang) -> Response {
    let http = &endpoint.http;
    let started = Instant::now();
    let reports_cost = admitted.request.extensions.get("cost") == Some(&Value::Boolean(true));
    let measured = reports_cost.then(|| admitted.measured());
    let token = bearer(&parts.headers);
    if !reports_cost && let Some(json) = endpoint.compiled.answer(&http.kurso, &admitted.request, token).await {
        let mut response = with_media(Body::from(json).into_response(), StatusCode::OK, media);
        response.extensions_mut().insert(Executed { is_ok: true });
        return response;
    }
    let origin = Origin {
        address: (http.address)(&parts.extensions, &parts.headers),
        device: header_text(&parts.headers, header::USER_AGENT).to_owned(),
    };
    let caller = match authenticate(http, token, lang).await {
        Ok(caller) => caller,
        Err(refusal) => return refused(&refusal, media),
    };
    let mut request = admitted.into_request();
    absent::omit(&mut request);
    let compiled = request.parsed_query().ok().and_then(CompiledOperation::of);
    let compiled = compiled.map(|operation| (request.query.clone(), operation));
    let budget = Budget::of(http.checks.limits());
    let request = request
        .data(http.kurso.clone())
        .data(lang)
        .data(MailLang(Lang::of_mail(header_text(
            &parts.headers,
            header::ACCEPT_LANGUAGE,
        ))))
        .data(origin)
        .data(budget.clone())
        .data(Caller(caller));
    let mut response = batching::execute(&http.schema, request).await;
    if let Some((query, operation)) = compiled
        && response.is_ok()
    {
        endpoint.compiled.insert(query, operation);
    }
    if let Some(mut measured) = measured {
        measured.add(RequestLimit::Answer, budget.spent());
        measured.add(RequestLimit::Time, millis(started));
        let cost = measured.value(http.checks.limits());
        response.extensions.insert("cost".to_owned(), cost);
    }
    written(response, media)
}

/// The viewer of a token. A request with an empty or bad token is anonymous: fields that need a viewer are UNAUTHENTICATED.
async fn authenticate(http: &Http, token: Option<&str>, lang: Lang) -> Result<Option<Viewer>, Refusal> {
    let Some(token) = token else { return Ok(None) };
    match auth::authenticate(&http.kurso, token).await {
        Ok(viewer) => Ok(Some(viewer)),
        Err(Error::Internal(cause)) => {
            tracing::error!(%cause, "checking a token failed");
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Err(Refusal::new(status, &Message::InternalError, lang))
        }
        Err(error @ (Error::Busy | Error::Unavailable(_))) => {
            Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, &error.message(), lang))
        }
        Err(_) => Ok(None),
    }
}

/// Admits a request. Refuses an empty one, a subscription, and a mutation by GET: following a link must not change anything.
fn admit(http: &Http, request: Request, method: &Method, media: Media, lang: Lang) -> Result<Admitted, Refusal> {
    if !AdmissionChecks::is_request(&request) {
        let status = StatusCode::BAD_REQUEST;
        return Err(Refusal::new(status, &Message::BadGraphqlBody, lang));
    }
    let admitted = http.checks.admit(request, lang).map_err(|error| Refusal {
        status: media.not_executed(),
        error,
    })?;
    let name = admitted.request.operation_name.as_deref();
    let is_any = |ty| is_any(admitted.document(), name, ty);
    match [OperationType::Subscription, OperationType::Mutation].map(is_any) {
        [true, _] => Err(Refusal::new(media.not_executed(), &Message::SubscriptionByHttp, lang)),
        [_, true] if *method != Method::POST => {
            let status = StatusCode::METHOD_NOT_ALLOWED;
            Err(Refusal::new(status, &Message::MutationByGet, lang))
        }
        _ => Ok(admitted),
    }
}

/// Whether the operation of this name has this type; without a name, whether any has.
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

/// A response of the executor. When nothing was executed it has no `data`, and status 400 in the new media type. All errors of
/// resolvers have a code; an error without one is the library's, of a document or variables that do not fit the schema.
fn written(response: async_graphql::Response, media: Media) -> Response {
    let has_code = |error: &ServerError| error.extensions.as_ref().is_some_and(|e| e.get("code").is_some());
    let is_ok = response.errors.is_empty();
    if is_ok || response.errors.iter().any(has_code) {
        let mut response = with_media(GraphQLResponse::from(response).into_response(), StatusCode::OK, media);
        response.extensions_mut().insert(Executed { is_ok });
        return response;
    }
    let errors: Vec<ServerError> = response.errors.into_iter().map(as_bad_input).collect();
    with_media(
        axum::Json(json!({"errors": errors})).into_response(),
        media.not_executed(),
        media,
    )
}

/// An error of a document that was not executed is the client's, and has no path.
fn as_bad_input(mut error: ServerError) -> ServerError {
    error.extensions.get_or_insert_default().set("code", "BAD_USER_INPUT");
    error.path.clear();
    error
}

fn refused(refusal: &Refusal, media: Media) -> Response {
    let body = axum::Json(json!({"errors": [refusal.error]}));
    let mut response = with_media(body.into_response(), refusal.status, media);
    let header = match refusal.status {
        StatusCode::METHOD_NOT_ALLOWED => Some((header::ALLOW, "POST")),
        StatusCode::SERVICE_UNAVAILABLE => Some((header::RETRY_AFTER, "1")),
        _ => None,
    };
    response
        .headers_mut()
        .extend(header.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

fn with_media(mut response: Response, status: StatusCode, media: Media) -> Response {
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, media.header());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = header_text(headers, header::AUTHORIZATION).split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
