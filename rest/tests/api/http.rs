//! Rules of every path: unknown paths, methods, slashes, bodies, origins, headers.

use std::io::Read as _;

use kurso_core::both;
use kurso_core::testing::{Backend, TestKurso};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{Answer, ORIGIN, Persona, School, Sent as _, Server};

async fn enroll_body(persona: &Persona<'_>, kind: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = persona
        .request(Method::POST, "/courses/enroll")
        .header("content-type", kind);
    request.body(body).answer().await
}

/// Sends raw bytes, which a client library would correct or refuse.
async fn raw(server: &Server, request: &[u8]) -> String {
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

both! {
    async fn unknown_paths_are_a_json_404(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        for path in [
            "/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/users/me", "/nothing", "/courses", "/courses/get_course",
            "/courses/get_course/", "/courses/get_course/a/b", "/users/me/x", "/files", "/files/", "/files/x",
            "/files/x/y/z",
            "/openapi", "/%ff", "/..%2f..%2fetc/passwd", "//users/me",
        ] {
            for method in [Method::GET, Method::POST, Method::DELETE, Method::PUT] {
                if path.starts_with("/files/") && method != Method::GET {
                    continue; // a file path, which takes only GET
                }
                let request = server.anonymous().request(method, path).header("accept", "text/html");
                let (status, detail) = request.answer().await.refusal();
                assert_eq!(status, 404, "{path}");
                assert!(["Not Found", "File not found"].contains(&detail.as_str()), "{path} {detail}");
            }
        }
    }

    async fn long_json_is_compressed_for_clients_that_accept_gzip(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let course = ann.post_json("/courses/create_course", json!({"title": "Курс"})).await.ok();
        let course = course["id"].as_str().unwrap();
        for _ in 0..10 {
            let body = json!({"title": "Модуль"});
            ann.post_json(&format!("/courses/create_module/{course}"), body).await.ok();
        }
        let path = format!("/courses/get_course/{course}");
        let ask = |path: &str, encoding: &str| {
            ann.request(Method::GET, path).header("accept-encoding", encoding.to_owned()).answer()
        };
        let (plain, packed) = (ask(&path, "identity").await, ask(&path, "br, gzip").await);
        plain.ok();
        assert!(!plain.headers.contains_key("content-encoding"));
        assert_eq!(packed.header("content-encoding"), "gzip");
        for answer in [&plain, &packed] {
            assert!(answer.header("vary").contains("accept-encoding"), "{:?}", answer.headers);
        }
        assert!(packed.bytes.len() * 2 < plain.bytes.len(), "{} of {}", packed.bytes.len(), plain.bytes.len());
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.bytes);
        // A client that accepts no encoding gets an uncompressed response: a 406 would arrive after the change was made.
        for encoding in ["br, identity;q=0", "*;q=0", "gzip;q=0, identity;q=0"] {
            let plain = ask(&path, encoding).await;
            plain.ok();
            assert!(!plain.headers.contains_key("content-encoding"), "{encoding}");
        }
        assert_eq!(ask(&path, "gzip, identity;q=0").await.header("content-encoding"), "gzip");
        let short = ask("/users/me", "gzip").await;
        short.ok();
        assert!(!short.headers.contains_key("content-encoding"));
    }

    /// Most clients read only after they have sent everything, and lose the response when the connection is closed before.
    async fn an_early_response_arrives_although_the_body_is_not_read(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let bearer = format!("Authorization: Bearer {}\r\n", ann.token.as_deref().unwrap_or_default());
        let body = vec![b' '; 20 << 20];
        for (path, kind, bearer, status) in [
            ("/api/v1/courses/create_course", "application/json", &*bearer, "413"),
            ("/api/v1/courses/create_course", "application/json", "", "413"),
            ("/api/v1/courses/upload_file", "multipart/form-data; boundary=x", "", "401"),
            ("/api/v1/courses/upload_file", "multipart/form-data; boundary=x", &bearer, "422"),
            ("/api/v1/courses/upload_file", "application/json", &bearer, "415"),
            ("/api/v1/login/access-token", "application/x-www-form-urlencoded", "", "413"),
            ("/api/v1/nothing", "application/json", "", "404"),
        ] {
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: kurso\r\nConnection: close\r\nContent-Type: {kind}\r\n{bearer}\
                 Content-Length: {}\r\n\r\n",
                body.len()
            );
            let answer = raw(&server, &[head.as_bytes(), &body].concat()).await;
            assert_eq!(answer.split(' ').nth(1), Some(status), "{path} {kind}: {answer}");
        }
    }

    async fn a_wrong_method_is_a_405_with_allow(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        for (method, path, allow) in [
            (Method::POST, "/users/me", "GET,HEAD,PATCH,DELETE"),
            (Method::OPTIONS, "/users/me", "GET,HEAD,PATCH,DELETE"),
            (Method::PUT, "/users/signup", "POST,GET,HEAD,PATCH,DELETE"),
            (Method::POST, "/users/01890a5d-ac96-774b-bcce-b302099a8057", "GET,HEAD,PATCH,DELETE"),
            (Method::PATCH, "/items/01890a5d-ac96-774b-bcce-b302099a8057", "GET,HEAD,PUT,DELETE"),
            (Method::GET, "/reset-password/", "POST"),
            (Method::GET, "/login/access-token", "POST"),
            (Method::HEAD, "/login/logout", "POST"),
            (Method::PUT, "/courses/enroll", "POST"),
            (Method::TRACE, "/courses/list_courses", "GET,HEAD"),
            (Method::from_bytes(b"BREW").unwrap(), "/courses/list_courses", "GET,HEAD"),
            (Method::POST, "/files/0/x", "GET,HEAD"),
        ] {
            let request = server.anonymous().request(method.clone(), path).header("content-type", "application/json");
            let answer = request.body("{broken").answer().await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), allow, "{method} {path}");
            if method != Method::HEAD {
                answer.refused(405, "Method Not Allowed");
            }
        }
    }

    async fn head_is_get_without_the_body(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        for path in ["/users/me", "/utils/health-check/", "/courses/list_courses", "/openapi.json"] {
            let (get, head) = (ann.get(path).await, ann.request(Method::HEAD, path).answer().await);
            assert_eq!((head.status, head.bytes.len()), (200, 0));
            assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
        }
        let refused = server.anonymous().request(Method::HEAD, "/users/me").answer().await;
        assert_eq!((refused.status, refused.bytes.len()), (401, 0));
    }

    async fn a_missing_or_extra_slash_redirects_with_307(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let base = format!("{}/api/v1", server.url);
        for (method, path, other) in [
            (Method::GET, "/utils/health-check", "/utils/health-check/"),
            (Method::GET, "/users/me/?a=b&c=%20", "/users/me?a=b&c=%20"),
            (Method::POST, "/users/signup/", "/users/signup"),
            (Method::DELETE, "/courses/get_course/x%20y/", "/courses/get_course/x%20y"),
            (Method::POST, "/login/access-token/", "/login/access-token"),
        ] {
            let answer = server.anonymous().request(method, path).answer().await;
            assert_eq!((answer.status, answer.bytes.len()), (307, 0), "{path}");
            assert_eq!(answer.header("location"), format!("{base}{other}"));
        }
        let hostless = raw(&server, b"GET /api/v1/users/me/ HTTP/1.0\r\n\r\n").await;
        assert!(hostless.contains("location: /api/v1/users/me\r\n"), "{hostless}");
        let odd = raw(&server, b"GET /api/v1/users/me/ HTTP/1.1\r\nHost: a@b/c\r\nConnection: close\r\n\r\n").await;
        assert!(odd.contains("location: /api/v1/users/me\r\n") || odd.starts_with("HTTP/1.1 400"), "{odd}");
    }

    async fn behind_a_trusted_proxy_a_redirect_keeps_https(kurso: TestKurso) {
        let server = Server::start_with(kurso, vec!["127.0.0.1".parse().unwrap()]).await;
        let request = server.anonymous().request(Method::GET, "/users/me/").header("host", "kurso.example");
        let answer = request.header("x-forwarded-proto", "https").answer().await;
        assert_eq!(answer.header("location"), "https://kurso.example/api/v1/users/me");
    }

    async fn a_foreign_host_does_not_decide_where_a_redirect_leads(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let request = server.anonymous().request(Method::GET, "/users/me/").header("host", "evil.example");
        assert_eq!(request.answer().await.header("location"), "/api/v1/users/me");
    }

    async fn json_syntax_is_checked_before_the_token(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let anonymous = server.anonymous();
        let answer = enroll_body(&anonymous, "application/json", "{\"ж\": nothing}").await;
        assert_eq!((answer.status, answer.json()), (422, json!({"detail": [{
            "type": "json_invalid", "loc": ["body", 6], "msg": "JSON decode error", "input": {},
            "ctx": {"error": "Expecting value"},
        }]})));
        for broken in [&b"\xff\xfe"[..], b"{\"share_code\": \"\xc3\x28\"}"] {
            let answer = enroll_body(&anonymous, "application/json", broken.to_vec()).await;
            answer.refused(400, "There was an error parsing the body");
        }
        // The token comes next, then the fields.
        enroll_body(&anonymous, "application/json", "[]").await.refused(401, "Not authenticated");
        let forged = server.with_token("x");
        enroll_body(&forged, "application/json", "").await.refused(403, "Could not validate credentials");
        assert_eq!(enroll_body(&ann, "application/json", "[]").await.fields(), ["model_attributes_type at body"]);
        assert_eq!(enroll_body(&ann, "application/json", "").await.fields(), ["missing at body"]);
        assert_eq!(enroll_body(&ann, "application/json", "null").await.fields(), ["missing at body"]);
        assert_eq!(enroll_body(&ann, "application/json", "{}").await.fields(), ["missing at body.share_code"]);
    }

    async fn a_json_error_has_position_and_reason(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let deep_and_whole = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for (body, place, why) in [
            ("{", Some(1), "Expecting property name enclosed in double quotes"),
            ("{\"a\":1", Some(6), "Expecting ',' delimiter"),
            ("{\"a\" 1}", Some(5), "Expecting ':' delimiter"),
            ("{\"a\": 1 \"b\"}", Some(8), "Expecting ',' delimiter"),
            ("{1: 2}", Some(1), "Expecting property name enclosed in double quotes"),
            ("[1,\n  2,\n  жук]", Some(11), "Expecting value"),
            ("{} x", Some(3), "Extra data"),
            ("\"abc", None, "Unterminated string starting at"),
            ("\"a\u{1}\"", None, "Invalid control character at"),
            ("\"\\x\"", None, "Invalid \\escape"),
            ("\"\\ud800\"", None, "Invalid \\uXXXX escape"),
            ("1e999", None, "Number out of range"),
            (deep_and_whole.as_str(), None, "Nested too deeply"),
            (" ", None, "Expecting value"),
        ] {
            let answer = enroll_body(&server.anonymous(), "application/json", body.to_owned()).await;
            let error = &answer.json()["detail"][0];
            assert_eq!((answer.status, &error["type"]), (422, &json!("json_invalid")), "{body:.20}");
            assert_eq!(error["ctx"]["error"], why, "{body:.20}");
            assert!(place.is_none_or(|place| error["loc"][1] == place), "{body:.20} {error}");
        }
    }

    async fn a_body_is_json_by_its_content_type(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let body = r#"{"share_code": "ABCD-1234"}"#;
        for json in [
            "application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json",
        ] {
            enroll_body(&ann, json, body).await.refused(404, "There is no course with this code");
        }
        for other in ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json", ""] {
            let answer = enroll_body(&ann, other, body).await;
            assert_eq!(answer.json(), json!({"detail": [{
                "type": "model_attributes_type", "loc": ["body"], "input": body,
                "msg": "Input should be a valid dictionary or object to extract fields from",
            }]}), "{other}");
        }
        let twice = enroll_body(&ann, "application/json", r#"{"share_code": 1, "share_code": "x"}"#).await;
        twice.refused(404, "There is no course with this code");
    }

    async fn a_large_body_is_413_with_or_without_content_length(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let fits = format!("{{\"x\": \"{}\"}}", "a".repeat((4 << 20) - 8 - 1));
        assert_eq!(fits.len(), 4 << 20);
        assert_eq!(enroll_body(&ann, "application/json", fits.clone()).await.fields(), ["missing at body.share_code"]);
        enroll_body(&ann, "application/json", format!("{fits} ")).await.refused(413, "The body is too large");
        let chunked = raw(&server, format!(
            "POST /api/v1/courses/enroll HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n{fits} \r\n0\r\n\r\n", fits.len() + 1,
        ).as_bytes()).await;
        assert!(chunked.starts_with("HTTP/1.1 413"), "{chunked}");
        let form = format!("username={}", "a".repeat(4 << 20));
        let request = server.anonymous().request(Method::POST, "/login/access-token");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
        request.answer().await.refused(413, "The body is too large");
    }

    async fn an_incomplete_body_is_a_400(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let answer = raw(&server, b"POST /api/v1/users/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
            Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nnonsense\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    }

    async fn ids_are_accepted_in_every_uuid_spelling(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let id = school.course.0;
        for written in [
            id.to_string().to_uppercase(), id.simple().to_string(), id.urn().to_string(), format!("%7B{id}%7D"),
            format!("{{{id}}}"),
        ] {
            school.owner.get(&format!("/courses/get_course/{written}")).await.ok();
        }
        let answer = school.owner.get("/courses/get_course/nonsense").await;
        assert_eq!((answer.status, answer.json()), (422, json!({"detail": [{
            "type": "uuid_parsing", "loc": ["path", "course_id"], "input": "nonsense",
            "msg": "Input should be a valid UUID, invalid character: found `n` at 1",
            "ctx": {"error": "invalid character: found `n` at 1"},
        }]})));
        let long = "a".repeat(5000);
        for bad in ["0", "%00", "%FF%FE", "%D0%96", "{}", &long, &id.to_string()[1..], "..", "%2e%2e%2f"] {
            for path in ["courses/enrolled_page", "courses/enrolled_course", "courses/my_progress"] {
                let url = format!("/api/v1/{path}/{bad}");
                let answer = school.learner.request(Method::GET, &url).answer().await;
                if bad == ".." {
                    assert_eq!(answer.status, 404); // the client resolves it
                } else {
                    let name = if path.ends_with("page") { "page_id" } else { "course_id" };
                    assert_eq!(answer.fields(), [format!("uuid_parsing at path.{name}")], "{url:.80}");
                }
            }
        }
        school.anonymous.get("/courses/get_course/nonsense").await.refused(401, "Not authenticated");
    }

    async fn skip_and_limit_have_several_spellings_and_clear_errors(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        for path in ["/courses/list_courses", "/courses/my_enrolled_courses"] {
            for query in [
                "", "skip=0&limit=0", "limit=1.0&skip=%200%20", "limit=1000", "limit=99999999999999999999999",
                "skip=99999999999999999999999",
                "limit=x&limit=5", "unknown=1", "skip=%2B1", "limit", "limit=-0",
            ] {
                let answer = ann.get(&format!("{path}?{query}")).await;
                if query == "limit" {
                    assert_eq!(answer.fields(), ["int_parsing at query.limit"]);
                } else {
                    assert_eq!(answer.ok(), json!({"data": [], "count": 0}), "{query}");
                }
            }
            let answer = ann.get(&format!("{path}?skip=-1&limit=abc")).await;
            assert_eq!(answer.json(), json!({"detail": [
                {
                    "type": "greater_than_equal", "loc": ["query", "skip"], "input": "-1", "ctx": {"ge": 0},
                    "msg": "Input should be greater than or equal to 0",
                },
                {
                    "type": "int_parsing", "loc": ["query", "limit"], "input": "abc",
                    "msg": "Input should be a valid integer, unable to parse string as an integer",
                },
            ]}));
            for bad in ["", "1.5", "1e3", "%00", "%FF", "0x10", "٣", "null"] {
                let answer = ann.get(&format!("{path}?limit={bad}")).await;
                assert_eq!(answer.fields(), ["int_parsing at query.limit"], "{bad}");
            }
            server.anonymous().get(&format!("{path}?limit=abc")).await.refused(401, "Not authenticated");
        }
    }

    async fn only_configured_origins_may_call(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let preflight = async |origin: &str| {
            let request = server.anonymous().request(Method::OPTIONS, "/users/me").header("origin", origin);
            let request = request.header("access-control-request-method", "PATCH");
            request.header("access-control-request-headers", "authorization,x-odd").answer().await
        };
        let allowed = preflight(ORIGIN).await;
        assert_eq!((allowed.status, allowed.bytes.as_slice()), (200, &b"OK"[..]));
        for (name, value) in [
            ("access-control-allow-origin", ORIGIN),
            ("access-control-allow-credentials", "true"),
            ("access-control-allow-methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"),
            ("access-control-allow-headers", "authorization,x-odd"),
            ("access-control-max-age", "600"),
            ("vary", "Origin"),
        ] {
            assert_eq!(allowed.header(name), value);
        }
        for other in ["http://evil.example", "http://localhost:51730", "null", "HTTP://LOCALHOST:5173"] {
            let refused = preflight(other).await;
            assert_eq!((refused.status, refused.bytes.as_slice()), (400, &b"Disallowed CORS origin"[..]));
            assert_eq!(refused.header("access-control-allow-origin"), "");
        }
        let call = async |path: &str, origin: &str| {
            server.anonymous().request(Method::GET, path).header("origin", origin).answer().await
        };
        for path in ["/utils/health-check/", "/users/me", "/nothing"] {
            let answer = call(path, ORIGIN).await;
            assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
            assert_eq!(answer.header("access-control-allow-credentials"), "true");
            assert_eq!(answer.header("vary"), "Origin");
            let answer = call(path, "http://evil.example").await;
            assert_eq!(answer.header("access-control-allow-origin"), "");
            assert_eq!(answer.header("access-control-allow-credentials"), "true");
        }
        let plain = server.anonymous().get("/utils/health-check/").await;
        assert_eq!(plain.header("access-control-allow-credentials"), "");
    }

    async fn every_response_has_an_id_and_is_not_cached(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let mut ids = Vec::new();
        for path in ["/utils/health-check/", "/users/me", "/nothing", "/users/me/"] {
            let request = server.anonymous().request(Method::GET, path).header("x-request-id", "theirs");
            let answer = request.answer().await;
            assert_eq!(answer.header("cache-control"), "no-store", "{path}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            ids.push(answer.header("x-request-id").to_owned());
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 4);
        assert!(ids.iter().all(|id| uuid::Uuid::parse_str(id).is_ok()), "{ids:?}");
    }

    async fn a_missing_database_is_a_503_without_details(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        server.kurso.db.close().await;
        let request = ann.request(Method::GET, "/users/me").header("origin", ORIGIN);
        let answer = request.answer().await;
        answer.refused(503, "The server cannot reach its database. Please try again in a moment");
        assert_eq!(answer.header("retry-after"), "5");
        assert_eq!(answer.json().as_object().unwrap().len(), 1);
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
        assert_ne!(answer.header("x-request-id"), "");
        assert_eq!(server.anonymous().get("/utils/health-check/").await.ok(), json!(true));
    }
}

/// No handler of the API panics, so the test brings its own.
#[tokio::test]
async fn a_panic_is_a_500_without_details() {
    async fn panics() -> String {
        panic!("the secret of the house")
    }
    let router = axum::Router::new().route("/", axum::routing::get(panics));
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let router = kurso_rest::with_layers(router, &kurso.kurso, &kurso_rest::Options::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    kurso_core::testing::provide_tls();
    let answer = reqwest::Client::new()
        .get(url)
        .header("accept-language", "ru")
        .answer()
        .await;
    answer.refused(500, "Внутренняя ошибка сервера");
    assert_ne!(answer.header("x-request-id"), "");
}
