//! Reads a GraphQL request from a JSON body or from the parameters of an address.
//!
//! The extractor of `async-graphql-axum` is not used: it refuses a page's content nested deeper than 127 JSON values, does not
//! know the parameter `operationName`, parses before the values are counted, and accepts forms of other sites.

use std::collections::HashMap;

use async_graphql::{Request, ServerError, Value, Variables};
use axum::body::{Body, Bytes};
use axum::extract::Query;
use http::{HeaderMap, StatusCode, Uri, header};
use kurso_base::messages::{Lang, Message, RequestLimit};
use kurso_base::wire;
use serde::Deserialize;

use super::media::JSON;
use crate::admission::{self, Limits, json_values};
use crate::server::header_text;

/// Why a request is not executed.
pub struct Refusal {
    pub status: StatusCode,
    pub error: ServerError,
}

impl Refusal {
    pub fn new(status: StatusCode, message: &Message, lang: Lang) -> Self {
        let code = match status {
            StatusCode::INTERNAL_SERVER_ERROR => "INTERNAL",
            StatusCode::SERVICE_UNAVAILABLE => "UNAVAILABLE",
            _ => "BAD_USER_INPUT",
        };
        let error = admission::error(message, code, lang);
        Refusal { status, error }
    }
}

/// Reads a body with the JSON of one request. A list of requests is refused: the limits are those of one.
pub async fn from_body(headers: &HeaderMap, body: Body, limits: &Limits, lang: Lang) -> Result<Request, Refusal> {
    // Pages of other sites can send forms and text/plain without a CORS preflight.
    if !is_json(header_text(headers, header::CONTENT_TYPE)) {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Refusal::new(status, &Message::WrongContentType, lang));
    }
    let bytes = read(headers, body, limits, lang).await?;
    let bad = || Refusal::new(StatusCode::BAD_REQUEST, &Message::BadGraphqlBody, lang);
    // Serde reads an array as an object with its fields in order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(bad());
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| bad())?;
    limits
        .check(&[(RequestLimit::Values, json_values::count(text))], lang)
        .map_err(|error| Refusal {
            status: StatusCode::PAYLOAD_TOO_LARGE,
            error,
        })?;
    // A page's content may be deeper than the recursion limit of serde_json.
    wire::read_json(text).map_err(|_| bad())
}

/// `application/json`, in UTF-8 if it says so.
fn is_json(content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(str::trim);
    let is_named = parts.next().is_some_and(|media| media.eq_ignore_ascii_case(JSON));
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.eq_ignore_ascii_case("charset").then(|| value.trim_matches('"'))
    });
    is_named && charset.is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8"))
}

async fn read(headers: &HeaderMap, body: Body, limits: &Limits, lang: Lang) -> Result<Bytes, Refusal> {
    let too_large = |found| Refusal {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        error: limits.over(RequestLimit::Body, found, lang),
    };
    let announced = header_text(headers, header::CONTENT_LENGTH).parse::<u64>().unwrap_or(0);
    if announced > limits.body {
        return Err(too_large(announced));
    }
    let most = usize::try_from(limits.body).unwrap_or(usize::MAX);
    // The admission has received the body already, within its time limit.
    axum::body::to_bytes(body, most).await.map_err(|error| {
        if is_over_limit(&error) {
            too_large(limits.body.saturating_add(1))
        } else {
            Refusal::new(StatusCode::BAD_REQUEST, &Message::BadGraphqlBody, lang)
        }
    })
}

fn is_over_limit(error: &axum::Error) -> bool {
    use std::error::Error as _;
    error
        .source()
        .is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

/// The parameters of GET; objects are JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parameters {
    #[serde(default)]
    query: String,
    #[serde(default)]
    operation_name: String,
    #[serde(default)]
    variables: String,
    #[serde(default)]
    extensions: String,
}

pub fn from_query(uri: &Uri, lang: Lang) -> Result<Request, Refusal> {
    let bad = || Refusal::new(StatusCode::BAD_REQUEST, &Message::BadGraphqlBody, lang);
    let Query(sent) = Query::<Parameters>::try_from_uri(uri).map_err(|_| bad())?;
    let mut request = Request::new(sent.query);
    if !sent.operation_name.is_empty() {
        request = request.operation_name(sent.operation_name);
    }
    if !sent.variables.is_empty() {
        request.variables = wire::read_json::<Option<Variables>>(&sent.variables)
            .map_err(|_| bad())?
            .unwrap_or_default();
    }
    if !sent.extensions.is_empty() {
        let extensions = wire::read_json::<Option<HashMap<String, Value>>>(&sent.extensions).map_err(|_| bad())?;
        request.extensions.extend(extensions.unwrap_or_default());
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_in_utf_8_is_accepted() {
        for (content_type, is) in [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("application/json; charset=\"utf-8\"", true),
            ("application/json; charset=latin1", false),
            ("application/jsonp", false),
            ("text/plain; charset=utf-8", false),
            ("", false),
        ] {
            assert_eq!(is_json(content_type), is, "{content_type}");
        }
    }
}
