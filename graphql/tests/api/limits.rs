//! What is too much is refused before anything of it is executed, in words and numbers.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_graphql::{Request, Variables};
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::messages::Lang;
use kurso_core::sql;
use kurso_core::testing::{Backend, TestKurso};
use kurso_graphql::{Gate, Limits};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::Server;

const INTROSPECTION: &str = include_str!("introspection.graphql");

fn repeated(times: usize, part: impl Fn(usize) -> String) -> String {
    (0..times).map(part).collect()
}

/// The attacks: what is asked, which limit it meets, how much of it was found.
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
        // Fragments that multiply, and a chain of them.
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
        // A misspelt name is compared with every name.
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

    async fn a_request_over_its_time_is_answered_and_its_work_dropped(kurso: TestKurso) {
        let limits = Limits { time: Duration::from_millis(300), ..Limits::default() };
        let server = Server::with(&kurso, Gate::new(limits)).await;
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let token = kurso.token("owner@example.com").await;
        // Somebody else is changing the course for as long as we like.
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
        // What would have been written by now if it had only been waiting.
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
async fn bodies_have_limits_of_their_own() {
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
async fn what_an_answer_costs_is_told_when_asked_for() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let server = Server::with(
        &kurso,
        Gate::new(Limits {
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

/// The limits leave room for what tools and our own app ask.
#[test]
fn what_is_usual_is_far_from_every_limit() {
    let gate = Gate::default();
    for (name, query) in operations()
        .into_iter()
        .chain([("introspection".to_owned(), INTROSPECTION.to_owned())])
    {
        let request = Request::new(&query).variables(Variables::default());
        let admitted = gate
            .admit(request, Lang::En)
            .unwrap_or_else(|error| panic!("{name}: {error:?}\n{query}"));
        for (limit, found, allowed) in admitted.spent().all(gate.limits()) {
            assert!(found * 10 <= allowed * 8, "{name}: {limit} {found} of {allowed}");
            if limit == "COST" {
                println!("{found:>7} {name}");
                assert!(
                    found * 3 <= allowed,
                    "{name} costs {found}, a third of {allowed} is enough"
                );
            }
        }
    }
}

/// Every operation of the web app with the fragments it spreads.
fn operations() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src"), &mut files);
    let texts: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let fragment = |name: &str| {
        let start = format!("fragment {name} on ");
        let at = texts.iter().find_map(|text| text.find(&start).map(|at| &text[at..]));
        definitions(at.unwrap_or_else(|| panic!("no fragment {name}")))[0].to_owned()
    };
    let mut operations = Vec::new();
    for definition in texts.iter().flat_map(|text| definitions(text)) {
        if definition.starts_with("fragment ") {
            continue;
        }
        let mut whole = definition.to_owned();
        let mut done = Vec::new();
        while let Some(name) = spreads(&whole).into_iter().find(|name| !done.contains(name)) {
            whole.push_str(&fragment(&name));
            done.push(name);
        }
        operations.push((definition.chars().take(40).collect(), whole));
    }
    assert!(operations.len() > 5, "the web app's operations are not where they were");
    operations
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "graphql") {
            files.push(path);
        }
    }
}

/// Definitions begin at the start of a line.
fn definitions(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = ["query ", "mutation ", "subscription ", "fragment "]
        .iter()
        .flat_map(|word| text.match_indices(word).map(|(at, _)| at))
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

fn spreads(text: &str) -> Vec<String> {
    let names = text.split("...").skip(1).map(|rest| rest.trim_start());
    names
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect::<String>()
        })
        .filter(|name| !name.is_empty() && name != "on")
        .collect()
}
