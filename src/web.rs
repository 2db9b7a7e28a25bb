//! Serves the embedded web app, the API documentation at `/docs` and GraphiQL at `/graphiql`: precompressed, with immutable
//! hashed assets, `no-cache` for the rest, and a strict CSP.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Router, routing::get};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use kurso_base::hex::hex;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

/// The output of `npm run build`: each text file also as `.br` and `.gz`.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Dist;

/// A file of the web app in the available encodings.
struct Asset {
    plain: Bytes,
    brotli: Option<Bytes>,
    gzip: Option<Bytes>,
    content_type: HeaderValue,
    etag: HeaderValue,
    cache: HeaderValue,
}

/// All files, by path without a leading slash.
struct Assets {
    files: HashMap<String, Asset>,
    policy: HeaderValue,
}

/// The fallback of all routes: the files of the app, and `index.html` for every other path.
pub fn router() -> Router {
    let assets = Arc::new(Assets::load());
    if assets.files.is_empty() {
        tracing::warn!("this binary was built without the web app: build it with `make build`");
    }
    Router::new().fallback(get(serve)).with_state(assets)
}

async fn serve(State(assets): State<Arc<Assets>>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "docs" | "docs/" => "api-docs.html",
        "graphiql" | "graphiql/" => "graphiql.html",
        path => path,
    };
    match assets.files.get(path) {
        Some(asset) if path != "index.html" => asset.respond(&assets.policy, &method, &headers),
        // Not index.html: a tab of an earlier version must get an error for its old assets, not a page.
        _ if path.starts_with("assets/") || path.starts_with("docs/") => StatusCode::NOT_FOUND.into_response(),
        _ => match assets.files.get("index.html") {
            Some(index) => index.respond(&assets.policy, &method, &headers),
            None => (StatusCode::NOT_FOUND, "This binary was built without the web app.").into_response(),
        },
    }
}

impl Assets {
    fn load() -> Self {
        let read = |path: &str| Dist::get(path).map(|file| bytes(file.data));
        let mut files = HashMap::new();
        for path in Dist::iter().filter(|p| !p.ends_with(".br") && !p.ends_with(".gz")) {
            let Some(file) = Dist::get(&path) else { continue };
            // The hash computed at build time: hashing at start would load every asset into memory.
            let etag = format!("\"{:.32}\"", hex(&file.metadata.sha256_hash()));
            let plain = bytes(file.data);
            let kind = mime_guess::from_path(path.as_ref()).first_or_octet_stream();
            let text = kind.type_() == "text" || matches!(kind.subtype().as_str(), "javascript" | "json");
            let content_type = if text {
                format!("{kind}; charset=utf-8")
            } else {
                kind.to_string()
            };
            let hashed = path.starts_with("assets/");
            files.insert(
                path.to_string(),
                Asset {
                    brotli: read(&format!("{path}.br")),
                    gzip: read(&format!("{path}.gz")),
                    plain,
                    content_type: value(&content_type),
                    etag: value(&etag),
                    cache: value(if hashed {
                        "public, max-age=31536000, immutable"
                    } else {
                        "no-cache"
                    }),
                },
            );
        }
        let pages: String = ["index.html", "graphiql.html", "api-docs.html"]
            .iter()
            .filter_map(|page| files.get(*page))
            .map(|page: &Asset| String::from_utf8_lossy(&page.plain).into_owned())
            .collect();
        let policy = value(&content_policy(&pages));
        Assets { files, policy }
    }
}

impl Asset {
    fn respond(&self, policy: &HeaderValue, method: &Method, headers: &HeaderMap) -> Response {
        let mut response = Response::default();
        let out = response.headers_mut();
        out.insert(header::CACHE_CONTROL, self.cache.clone());
        out.insert(header::ETAG, self.etag.clone());
        out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        out.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        out.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        out.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        let known = headers
            .get(header::IF_NONE_MATCH)
            .and_then(|v| v.to_str().ok())
            .unwrap_or_default();
        let etag = self.etag.to_str().unwrap_or_default();
        if known == "*" || known.split(',').any(|tag| tag.trim().trim_start_matches("W/") == etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        let (body, encoding) = self.best(headers);
        out.insert(header::CONTENT_TYPE, self.content_type.clone());
        out.insert(header::CONTENT_LENGTH, body.len().into());
        if let Some(encoding) = encoding {
            out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        if method != Method::HEAD {
            *response.body_mut() = body.clone().into();
        }
        response
    }

    /// The smallest encoding that the client accepts.
    fn best(&self, headers: &HeaderMap) -> (&Bytes, Option<&'static str>) {
        let accepted = headers
            .get(header::ACCEPT_ENCODING)
            .and_then(|v| v.to_str().ok())
            .unwrap_or_default();
        let accepts = |name: &str| {
            accepted.split(',').any(|range| {
                let (coding, quality) = range.split_once(';').unwrap_or((range, ""));
                coding.trim().eq_ignore_ascii_case(name)
                    && !matches!(quality.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
            })
        };
        match (&self.brotli, &self.gzip) {
            (Some(brotli), _) if accepts("br") => (brotli, Some("br")),
            (_, Some(gzip)) if accepts("gzip") => (gzip, Some("gzip")),
            _ => (&self.plain, None),
        }
    }
}

/// The Content-Security-Policy. Scripts and workers: the app's own files, and by hash the inline scripts of the pages, which run
/// before the app is loaded. No eval; GraphiQL needs no exception.
fn content_policy(pages: &str) -> String {
    use base64::Engine as _;
    let mut scripts = String::from("'self'");
    let mut rest = pages;
    while let Some((_, tail)) = rest.split_once("<script>") {
        let Some((script, after)) = tail.split_once("</script>") else {
            break;
        };
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(script));
        if !scripts.contains(&hash) {
            scripts.push_str(&format!(" 'sha256-{hash}'"));
        }
        rest = after;
    }
    format!(
        "default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; media-src 'self' blob:; object-src 'none'; \
         frame-src https://www.youtube-nocookie.com https://rutube.ru https://vk.com https://vkvideo.ru \
         https://player.vimeo.com; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )
}

fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// A header value from trusted text; empty when the text is not valid in a header.
fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_scripts_are_allowed_only_by_hash() {
        let policy = content_policy("<head><script>alert(1)</script><script src=\"a.js\"></script></head>");
        // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
        assert!(
            policy.contains("script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe-eval"));
    }

    #[test]
    fn responds_in_the_smallest_accepted_encoding() {
        let asset = Asset {
            plain: "plain".into(),
            brotli: Some("br".into()),
            gzip: Some("gz".into()),
            content_type: value("text/css"),
            etag: value("\"x\""),
            cache: value("no-cache"),
        };
        let best = |accept: &'static str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            asset.best(&headers).1
        };
        assert_eq!(best("gzip, deflate, br"), Some("br"));
        assert_eq!(best("gzip;q=1.0, br;q=0"), Some("gzip"));
        assert_eq!(best("identity"), None);
    }
}
