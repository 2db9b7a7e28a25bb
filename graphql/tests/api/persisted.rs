//! Automatic persisted queries as in Apollo's clients.

use kurso_core::testing::{Backend, TestKurso};
use reqwest::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::Server;

const NEW_TYPE: &str = "application/graphql-response+json";

fn hash(query: &str) -> String {
    Sha256::digest(query).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn extensions(hash: &str) -> Value {
    json!({"persistedQuery": {"version": 1, "sha256Hash": hash}})
}

struct Client(Server);

impl Client {
    async fn start() -> (TestKurso, Self) {
        let kurso = TestKurso::new(Backend::Sqlite).await;
        let server = Server::start(&kurso).await;
        (kurso, Client(server))
    }

    async fn post(&self, accept: &str, body: Value) -> (StatusCode, Value) {
        let post = self.0.client.post(&self.0.url).header("accept", accept).json(&body);
        let answer = post.send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    async fn get(&self, parameters: &[(&str, &str)]) -> (StatusCode, Value) {
        let get = self
            .0
            .client
            .get(&self.0.url)
            .header("accept", NEW_TYPE)
            .query(parameters);
        let answer = get.send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }
}

fn code(answer: &Value) -> &str {
    answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_persisted_document_is_sent_once() {
    let (_kurso, client) = Client::start().await;
    let query = "query Q($name: String!) { __type(name: $name) { name } }";
    let by_hash = json!({"extensions": extensions(&hash(query)), "variables": {"name": "Course"}});
    for (accept, status) in [("application/json", 200), (NEW_TYPE, 400)] {
        let (found, answer) = client.post(accept, by_hash.clone()).await;
        assert_eq!((found.as_u16(), code(&answer)), (status, "PERSISTED_QUERY_NOT_FOUND"));
        assert_eq!(answer["errors"][0]["message"], "PersistedQueryNotFound");
    }
    let mut whole = by_hash.clone();
    whole["query"] = query.into();
    for body in [whole, by_hash] {
        let (status, answer) = client.post(NEW_TYPE, body).await;
        assert_eq!(
            (status, &answer["data"]["__type"]["name"]),
            (StatusCode::OK, &json!("Course")),
            "{answer}"
        );
    }
    let extensions = extensions(&hash(query)).to_string();
    let parameters = [
        ("extensions", extensions.as_str()),
        ("variables", r#"{"name": "Page"}"#),
    ];
    let (status, answer) = client.get(&parameters).await;
    assert_eq!(
        (status, &answer["data"]["__type"]["name"]),
        (StatusCode::OK, &json!("Page")),
        "{answer}"
    );
}

#[tokio::test]
async fn a_persisted_mutation_is_refused_by_get() {
    let (_kurso, client) = Client::start().await;
    let mutation = "mutation { logout { message } }";
    let body = json!({"query": mutation, "extensions": extensions(&hash(mutation))});
    let (status, answer) = client.post(NEW_TYPE, body).await;
    assert_eq!((status, code(&answer)), (StatusCode::OK, "UNAUTHENTICATED"));
    let extensions = extensions(&hash(mutation)).to_string();
    let (status, _) = client.get(&[("extensions", &extensions)]).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn invalid_hashes_and_documents_are_not_cached() {
    let (_kurso, client) = Client::start().await;
    let query = "{ __typename }";
    for sent in [
        extensions(&hash("{ other }")),
        extensions("abc"),
        extensions(&"é".repeat(32)),
        json!({"persistedQuery": {"version": 2, "sha256Hash": hash(query)}}),
        json!({"persistedQuery": {"version": 1}}),
        json!({"persistedQuery": "x"}),
    ] {
        let (status, answer) = client.post(NEW_TYPE, json!({"query": query, "extensions": sent})).await;
        assert_eq!(
            (status, code(&answer)),
            (StatusCode::BAD_REQUEST, "BAD_USER_INPUT"),
            "{sent}"
        );
    }
    let (status, answer) = client
        .post(
            NEW_TYPE,
            json!({"query": query, "extensions": {"persistedQuery": null}}),
        )
        .await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let (status, _) = client
        .post("application/json", json!({"extensions": {"persistedQuery": null}}))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    for bad in ["{ __typename ", &format!("{{ {} }}", "a: __typename ".repeat(200))] {
        let sent = extensions(&hash(bad));
        let (status, _) = client.post(NEW_TYPE, json!({"query": bad, "extensions": sent})).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let (_, answer) = client.post(NEW_TYPE, json!({"extensions": sent})).await;
        assert_eq!(code(&answer), "PERSISTED_QUERY_NOT_FOUND");
    }
}

#[tokio::test]
async fn get_accepts_every_parameter() {
    let (_kurso, client) = Client::start().await;
    let both = "query A { a: __typename } query B { b: __typename }";
    let (status, answer) = client
        .get(&[("query", both), ("operationName", "B"), ("variables", "")])
        .await;
    assert_eq!(
        (status, &answer["data"]),
        (StatusCode::OK, &json!({"b": "Query"})),
        "{answer}"
    );
    let mixed = "query A { a: __typename } mutation B { logout { message } }";
    for (name, status) in [("A", 200), ("B", 405), ("", 405)] {
        let (found, answer) = client.get(&[("query", mixed), ("operationName", name)]).await;
        assert_eq!(found.as_u16(), status, "{name}: {answer}");
    }
    for parameters in [
        [("query", both), ("variables", "[]")],
        [("query", both), ("variables", "{")],
        [("query", both), ("extensions", "1")],
        [("query", both), ("query", both)],
    ] {
        let (status, answer) = client.get(&parameters).await;
        assert_eq!(
            (status, code(&answer)),
            (StatusCode::BAD_REQUEST, "BAD_USER_INPUT"),
            "{parameters:?}"
        );
    }
}
