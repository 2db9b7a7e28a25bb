//! The media type of a response, and the status code that depends on it.

use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::server::header_text;

pub const JSON: &str = "application/json";
const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Media {
    GraphqlResponse,
    Json,
}

impl Media {
    /// The type with the highest quality in `Accept`, the first on a tie; `application/json` when it names neither.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let mut best = (0.0, Media::Json);
        for range in header_text(headers, header::ACCEPT).split(',') {
            let mut parts = range.split(';').map(str::trim);
            let media = match parts.next().map(str::to_ascii_lowercase).as_deref() {
                Some(GRAPHQL_RESPONSE) => Media::GraphqlResponse,
                Some(JSON | "application/*" | "*/*") => Media::Json,
                _ => continue,
            };
            let quality = parts
                .find_map(|part| part.strip_prefix("q=").map(|q| q.parse().unwrap_or(0.0)))
                .unwrap_or(1.0);
            if quality > best.0 {
                best = (quality, media);
            }
        }
        best.1
    }

    pub fn header(self) -> HeaderValue {
        match self {
            Media::GraphqlResponse => HeaderValue::from_static("application/graphql-response+json; charset=utf-8"),
            Media::Json => HeaderValue::from_static("application/json; charset=utf-8"),
        }
    }

    /// The status of a well-formed request that was not executed: in `application/json` only the body reports it.
    pub fn not_executed(self) -> StatusCode {
        match self {
            Media::GraphqlResponse => StatusCode::BAD_REQUEST,
            Media::Json => StatusCode::OK,
        }
    }
}

/// Whether the client asks for a page, as a browser does that opens the endpoint.
pub fn accepts_html(headers: &HeaderMap) -> bool {
    let ranges = header_text(headers, header::ACCEPT).split(',');
    let mut media = ranges.map(|range| range.split(';').next().unwrap_or_default().trim());
    media.any(|media| media.eq_ignore_ascii_case("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_quality_wins() {
        for (accept, media) in [
            ("", Media::Json),
            ("text/html", Media::Json),
            ("*/*", Media::Json),
            (
                "application/graphql-response+json, application/json;q=0.9",
                Media::GraphqlResponse,
            ),
            ("application/json, application/graphql-response+json", Media::Json),
            (
                "application/json;q=0.5, Application/GraphQL-Response+JSON; charset=utf-8",
                Media::GraphqlResponse,
            ),
            ("application/graphql-response+json;q=0", Media::Json),
            (
                "application/graphql-response+json;q=0.4,*/*;q=0.1",
                Media::GraphqlResponse,
            ),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(Media::accepted(&headers), media, "{accept}");
        }
    }
}
