//! Requests above a limit are refused before execution, with the limit and the measured value.

use std::time::{Duration, Instant};

use kurso_core::both;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::testing::{Backend, TestKurso};
use kurso_db::sql;
use kurso_graphql::{AdmissionChecks, Limits};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::Server;

fn repeated(times: usize, part: impl Fn(usize) -> String) -> String {
    (0..times).map(part).collect()
}

/// Attacks: the query, the limit and the measured value.
fn attacks() -> Vec<(String, &'static str, u64)> {
    let doubled = |i: usize| format!("fragment F{i} on Query {{ ...F{0} ...F{0} ...F{0} }} ", i + 1);
    vec![
        // Alias floods.
        (
            format!("{{ {} }}", repeated(500, |i| format!("a{i}: __typename "))),
            "ALIASES",
            500,
        ),
        (
            format!("{{ {} }}", repeated(500, |i| format!("a{i}: me {{ id }} "))),
            "ALIASES",
            500,
        ),
        (
            format!("{{ {} }}", repeated(100_000, |i| format!("a{i}: me {{ id }} "))),
            "TOKENS",
            600_002,
        ),
        // Copies are priced by what they write.
        (
            format!(
                "mutation {{ {} }}",
                repeated(100, |i| format!(
                    "a{i}: duplicateCourse(input: {{courseId: \"00000000-0000-0000-0000-000000000000\"}}) {{ __typename }} "
                ))
            ),
            "COST",
            1_000_000,
        ),
        // Directive overload.
        (
            format!("{{ __typename {} }}", "@skip(if: false) ".repeat(60)),
            "DIRECTIVES",
            60,
        ),
        (format!("query {} {{ __typename }}", "@a".repeat(51)), "DIRECTIVES", 51),
        (format!("{{ __typename {} }}", "@a".repeat(100_000)), "TOKENS", 200_003),
        // Deep nesting.
        (
            format!("{{ {} id {} }}", "me { ".repeat(30), "} ".repeat(30)),
            "DEPTH",
            31,
        ),
        (
            format!("{{ {} id {} }}", "... { ".repeat(40), "} ".repeat(40)),
            "DEPTH",
            41,
        ),
        (
            format!("{}me{}", "{".repeat(5_000), "}".repeat(5_000)),
            "TOKENS",
            10_001,
        ),
        (
            format!("{}me{}", "{".repeat(4_000), "}".repeat(4_000)),
            "NESTING",
            4_000,
        ),
        (
            format!("{{ page(id: {}1{}) {{ id }} }}", "[".repeat(300), "]".repeat(300)),
            "NESTING",
            301,
        ),
        // Exponential fragments.
        (
            format!(
                "{{ ...F0 }} {} fragment F20 on Query {{ __typename }}",
                repeated(20, doubled)
            ),
            "FIELDS",
            3u64.pow(20),
        ),
        (
            format!(
                "{{ ...F0 }} {} fragment F60 on Query {{ __typename }}",
                repeated(60, doubled)
            ),
            "DEPTH",
            62,
        ),
        // Field duplication.
        (format!("{{ me {{ {} }} }}", "id ".repeat(2_000)), "FIELDS", 2_001),
        (format!("{{ {} }}", "me { id } ".repeat(1_000)), "FIELDS", 2_000),
        // Introspection bombs.
        (
            format!(
                "{{ __schema {{ types {{ {} name {} }} }} }}",
                "fields { type { ".repeat(6),
                "} } ".repeat(6)
            ),
            "INTROSPECTION",
            444_444_201,
        ),
        (
            format!("{{ __schema {{ types {{ fields {{ {} }} }} }} }}", "name ".repeat(500)),
            "INTROSPECTION",
            1_000_201,
        ),
        // The library compares an unknown name with all names.
        (format!("{{ {} }}", "x".repeat(200_000)), "NAME", 200_000),
    ]
}

both! {
    async fn attacks_are_refused_before_anything_runs(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("anna").await;
        let token = kurso.token("anna@example.com").await;
        let before = kurso.db.statements();
        for (query, limit, found) in attacks() {
            let start: String = query.chars().take(60).collect();
            let answer = server.ask(&token, &query, json!({})).await;
            let extensions = &answer["errors"][0]["extensions"];
            assert_eq!(
                (&extensions["code"], &extensions["limit"], &extensions["found"]),
                (&json!("LIMIT_EXCEEDED"), &json!(limit), &json!(found)),
                "{start}: {answer}"
            );
            assert!(extensions["allowed"].as_u64().unwrap() < found, "{start}: {answer}");
            assert!(answer.get("data").is_none(), "{start}: {answer}");
        }
        let cycle = "query { ...A } fragment A on Query { ...B } fragment B on Query { __typename ...A }";
        assert_eq!(server.refusal(&token, cycle, json!({})).await, "BAD_USER_INPUT");
        assert_eq!(kurso.db.statements(), before, "not even the token was looked at");
    }

    async fn a_request_above_the_time_limit_is_rolled_back(kurso: TestKurso) {
        let limits = Limits { time: Duration::from_millis(300), ..Limits::default() };
        let server = Server::with(&kurso, AdmissionChecks::new(limits)).await;
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let token = kurso.token("owner@example.com").await;
        // Another transaction holds the lock of the course.
        let mut other = kurso.db.begin().await.unwrap();
        sql!("UPDATE courses SET title = $2 WHERE id = $1", course, "Старый").execute(&mut other).await.unwrap();
        let rename = "mutation($id: ID!) { updateCourse(input: {courseId: $id, title: \"Новый\"}) { course { title } } }";
        let body = json!({"query": rename, "variables": {"id": course}});
        let started = Instant::now();
        let answer = server.client.post(&server.url).bearer_auth(&token).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        let answer: Value = answer.json().await.unwrap();
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(
            (&extensions["code"], &extensions["limit"], &extensions["allowed"]),
            (&json!("LIMIT_EXCEEDED"), &json!("TIME"), &json!(300)),
            "{answer}"
        );
        other.commit().await.unwrap();
        // This is long enough for a mutation that only waits.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let (title,) = sql!("SELECT title FROM courses WHERE id = $1", course)
            .fetch_one::<(String,)>(&kurso.db).await.unwrap();
        assert_eq!(title, "Старый");
        let server = Server::start(&kurso).await;
        let again = server.data(&token, rename, json!({"id": course})).await;
        assert_eq!(again["course"]["title"], "Новый");
    }
}

#[tokio::test]
async fn body_size_and_json_values_are_limited() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let server = Server::start(&kurso).await;
    let zeros = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
    for (variables, limit, allowed) in [
        (format!(r#"{{"a": {}}}"#, zeros(1_900_000)), "VALUES", 200_000),
        (format!(r#"{{"a": "{}"}}"#, "x".repeat(5 << 20)), "BODY", 4 << 20),
    ] {
        let body = format!(r#"{{"query": "query($a: Document) {{ __typename }}", "variables": {variables}}}"#);
        let length = body.len();
        let post = server
            .client
            .post(&server.url)
            .header("content-type", "application/json");
        let answer = post.header("accept-language", "ru").body(body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE, "{limit}");
        let answer: Value = answer.json().await.unwrap();
        let found = if limit == "BODY" { length } else { 1_900_004 };
        assert_eq!(
            answer["errors"][0]["extensions"],
            json!({"code": "LIMIT_EXCEEDED", "limit": limit, "allowed": allowed, "found": found}),
        );
        let message = answer["errors"][0]["message"].as_str().unwrap();
        assert!(
            message.ends_with(&format!("{found}, допускается не больше {allowed}")),
            "{message}"
        );
    }
}

#[tokio::test]
async fn the_cost_is_reported_on_request() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let server = Server::with(
        &kurso,
        AdmissionChecks::new(Limits {
            cost: 5,
            ..Limits::default()
        }),
    )
    .await;
    let ask = async |body: Value| -> Value {
        let answer = server.client.post(&server.url).json(&body).send().await.unwrap();
        answer.json().await.unwrap()
    };
    let query = "query A { a: __schema @skip(if: false) { queryType { name } } } query B { b: __typename }";
    let answer = ask(json!({"query": query, "operationName": "A", "extensions": {"cost": true}})).await;
    let cost = &answer["extensions"]["cost"];
    assert_eq!(cost["COST"], json!({"found": 3, "allowed": 5}), "{answer}");
    assert_eq!(cost["ALIASES"], json!({"found": 2, "allowed": 100}));
    assert_eq!(cost["DEPTH"]["found"], 3);
    assert_eq!(cost["DIRECTIVES"]["found"], 1);
    assert!(cost["TIME"]["found"].as_u64().unwrap() < 10_000);
    assert!(ask(json!({"query": query, "operationName": "A"})).await["extensions"].is_null());

    let dear = ask(json!({"query": "{ a: __typename __schema { queryType { name kind ofType { name } } } }"})).await;
    assert_eq!(
        dear["errors"][0]["message"],
        "The query costs too much: 6, at most 5 allowed"
    );
    assert_eq!(
        dear["errors"][0]["extensions"],
        json!({"code": "LIMIT_EXCEEDED", "limit": "COST", "allowed": 5, "found": 6})
    );
}
