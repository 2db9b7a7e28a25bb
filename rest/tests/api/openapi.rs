//! The checked-in openapi.json is that of the code, and the server behaves as it describes.

use std::path::Path;

use kurso_core::both;
use reqwest::Method;
use serde_json::Value;

use crate::support::{Sent as _, Server};

/// `UPDATE_SNAPSHOTS=1 cargo test -p kurso-rest openapi` rewrites the file, and so does `make update`.
#[test]
fn the_checked_in_document_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.json");
    let document = format!("{}\n", kurso_rest::openapi_json());
    #[expect(clippy::disallowed_methods, reason = "a switch of the test")]
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&file, &document).unwrap();
    }
    let checked_in = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in == document,
        "openapi.json is not what the code describes: run `make update` and look at the difference"
    );
}

fn document() -> Value {
    serde_json::from_str(kurso_rest::openapi_json()).unwrap()
}

/// Every operation: its path with ids filled in, its method, and its description.
fn operations() -> Vec<(String, Method, Value)> {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let id = "01890a5d-ac96-774b-bcce-b302099a8057";
    let mut all = Vec::new();
    for (path, methods) in paths {
        let segments = path
            .split('/')
            .map(|part| if part.ends_with("id}") { id } else { part });
        let path = segments.collect::<Vec<_>>().join("/");
        let path = path
            .replace("{key}", &"0".repeat(32))
            .replace("{filename}", "a.png")
            .replace("{email}", "ann@example.com")
            .replace("{version}", "1");
        for (method, operation) in methods.as_object().unwrap() {
            let method = method.to_uppercase().parse().unwrap();
            all.push((path.clone(), method, operation.clone()));
        }
    }
    all
}

#[test]
fn every_reference_resolves() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
                map.values().for_each(|value| references(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 20, "{found:?}");
    for reference in found {
        assert!(
            document.pointer(reference.trim_start_matches('#')).is_some(),
            "{reference}"
        );
    }
}

#[test]
fn every_operation_has_an_id_and_describes_its_responses() {
    let mut names = Vec::new();
    for (path, _, operation) in operations() {
        names.push(operation["operationId"].as_str().unwrap().to_owned());
        assert_eq!(operation["tags"].as_array().map(Vec::len), Some(1), "{path}");
        let responses = operation["responses"].as_object().unwrap();
        let success = if path.ends_with("/test-email/") { "201" } else { "200" };
        assert!(responses.contains_key(success), "{path}");
        for (status, response) in responses {
            let described = response["content"]
                .as_object()
                .is_some_and(|content| !content.is_empty());
            assert!(described || status == "304", "{path} {status}");
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "{names:?}");
}

/// Each case made a generated client fail, or refuse what the server accepts.
#[test]
fn the_document_suits_client_generators() {
    let document = document();
    let types = |pointer: &str| {
        let content = document.pointer(pointer).and_then(Value::as_object);
        content.map_or(Vec::new(), |content| content.keys().cloned().collect())
    };
    let paths = "/paths/~1api~1v1";
    assert_eq!(
        types(&format!("{paths}~1login~1access-token/post/requestBody/content")),
        ["application/x-www-form-urlencoded"]
    );
    let up = types(&format!("{paths}~1utils~1health-check~1/get/responses/200/content"));
    assert_eq!(up, ["application/json"]);
    let bytes = &document["paths"]["/files/{key}/{filename}"]["get"]["responses"]["200"]["content"];
    let schema = bytes["application/octet-stream"]["schema"]["$ref"]
        .as_str()
        .unwrap_or_default();
    let schema = document.pointer(schema.trim_start_matches('#')).unwrap();
    assert_eq!(
        (&schema["type"], &schema["format"]),
        (&"string".into(), &"binary".into())
    );
    // Whole numbers of requests may have any size, those of responses have 64 bits.
    let skip = &document["paths"]["/api/v1/items/"]["get"]["parameters"][0]["schema"];
    assert_eq!((&skip["type"], &skip["format"]), (&"integer".into(), &Value::Null));
    let schemas = &document["components"]["schemas"];
    assert!(schemas["ModuleUpdate"]["properties"]["position"]["format"].is_null());
    assert_eq!(schemas["Course"]["properties"]["pages_count"]["format"], "int64");
}

both! {
    async fn every_operation_is_served_and_requires_its_token(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let served = server.anonymous().get("/openapi.json").await.ok();
        assert_eq!(served, document());
        let anonymous = server.anonymous();
        let forged = server.with_token("forged");
        for (path, method, operation) in operations() {
            let answer = anonymous.request(method.clone(), &path).answer().await;
            assert_ne!(answer.status, 405, "{path}");
            let described = |status: u16| !operation["responses"][status.to_string()].is_null();
            assert!(described(answer.status), "{path} {}", answer.status);
            if operation["security"].is_null() {
                assert_ne!(answer.status, 401, "{path}");
                continue;
            }
            assert_eq!(answer.status, 401, "{path}");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
            let answer = forged.request(method, &path).answer().await;
            answer.refused(403, "Could not validate credentials");
            assert!(described(401) && described(403), "{path}");
        }
    }
}
