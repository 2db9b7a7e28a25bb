//! What the limits of cost let through and what they do not.

use std::collections::BTreeMap;
use std::path::PathBuf;

use async_graphql::extensions::Analyzer;
use async_graphql::parser::parse_query;
use async_graphql::{Request, Response};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::messages::Lang;
use kurso_core::testing::{Backend, TestKurso};

use super::project;
use crate::Gate;
use crate::context::Asker;
use crate::cost::Budget;

/// What a query may cost.
fn allowed() -> u64 {
    Gate::default().limits().cost
}

async fn cost(document: &str, operation: Option<&str>) -> u64 {
    let schema = crate::builder()
        .limit_complexity(usize::MAX)
        .extension(Analyzer)
        .finish();
    let mut request = Request::new(document);
    request.operation_name = operation.map(str::to_owned);
    let answer = schema.execute(request).await;
    let analyzer = answer.extensions.get("analyzer").cloned();
    let analyzer = analyzer
        .unwrap_or_else(|| panic!("{document}: {:?}", answer.errors))
        .into_json()
        .unwrap();
    analyzer["complexity"].as_u64().unwrap()
}

fn is_too_large(answer: &Response) -> bool {
    answer.errors.iter().any(|error| error.message.contains("values"))
}

/// All that the web app asks for, by file; fragments are found by their names, wherever they are.
fn documents() -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![project("web/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "graphql") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.insert(path, text);
            }
        }
    }
    found
}

/// An operation with the fragments it needs.
fn whole(operation: &str, fragments: &BTreeMap<String, String>) -> String {
    let mut whole = operation.to_owned();
    let mut added = Vec::new();
    while let Some((name, text)) = fragments.iter().find(|(name, _)| {
        let spread = whole
            .split("...")
            .skip(1)
            .any(|rest| rest.split_whitespace().next() == Some(name.as_str()));
        spread && !added.contains(*name)
    }) {
        whole = whole + "\n" + text;
        added.push(name.clone());
    }
    whole
}

/// The parts of a document, each by its name: text from one `query`, `mutation`, `subscription` or `fragment` to the next.
fn parts(document: &str) -> Vec<(String, String, bool)> {
    let words = ["query ", "mutation ", "subscription ", "fragment "];
    let mut parts: Vec<(String, String, bool)> = Vec::new();
    for line in document.lines().filter(|line| !line.trim_start().starts_with('#')) {
        if let Some(word) = words.iter().find(|word| line.starts_with(**word)) {
            let name = line[word.len()..]
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap();
            parts.push((name.to_owned(), String::new(), *word == "fragment "));
        }
        if let Some((_, text, _)) = parts.last_mut() {
            *text = format!("{text}{line}\n");
        }
    }
    parts
}

#[tokio::test]
async fn the_web_app_stays_well_inside() {
    let parts: Vec<_> = documents().values().flat_map(|document| parts(document)).collect();
    let fragments: BTreeMap<_, _> = parts
        .iter()
        .filter(|part| part.2)
        .map(|(name, text, _)| (name.clone(), text.clone()))
        .collect();
    let mut costs = Vec::new();
    for (name, text, _) in parts.iter().filter(|part| !part.2) {
        // Apollo's own, taken out before it sends the document.
        let document = whole(text, &fragments).replace(" @unmask", "");
        parse_query(&document).unwrap();
        costs.push((cost(&document, None).await, name));
    }
    costs.sort_unstable();
    for (cost, name) in &costs {
        println!("{cost:>7} {name}");
    }
    let (most, name) = costs.last().unwrap();
    assert!(
        *most * 4 <= allowed(),
        "{name} costs {most}, a quarter of {} is enough",
        allowed()
    );
    assert!(costs.len() >= 10);
}

#[tokio::test]
async fn a_query_costs_the_values_it_may_answer_with() {
    for (query, expected) in [
        ("{ me { id email } }", 3),
        ("{ users(first: 20) { nodes { id } } }", 1 + 20 * 2),
        ("{ users { totalCount nodes { id email } } }", 1 + 100 * 4),
        ("query($n: Int = 7) { users(first: $n) { nodes { id } } }", 1 + 7 * 2),
        (
            "{ course(id: 1) { modules { lessons { pages { id title } } } } }",
            1 + 1 + 10 * (1 + 10 * (1 + 10 * 2)),
        ),
        (
            "{ page(id: 1) { content body { ... on TextContent { document } } } }",
            1 + 10 + 1 + 10,
        ),
        (
            "{ page(id: 1) { quiz { questions { id prompt } } } }",
            1 + 1 + 1 + 10 * 2,
        ),
        ("{ a: me { id } ...F ...F } fragment F on Query { me { id } }", 6),
    ] {
        assert_eq!(cost(query, None).await, expected, "{query}");
    }
}

#[tokio::test]
async fn what_goes_round_in_circles_is_refused_before_it_is_run() {
    let round = |times: usize| {
        let pages = "course { modules { lessons { pages { ";
        format!(
            "{{ page(id: 1) {{ {} id {} }} }}",
            pages.repeat(times),
            "} } } } ".repeat(times)
        )
    };
    assert!(cost(&round(1), None).await < allowed());
    let gate = Gate::default();
    for query in [
        round(2),
        "{ allCourses(first: 1000) { nodes { students(first: 1000) { nodes { percent } } } } }".to_owned(),
        "{ myCourses { nodes { modules { lessons { pages { id title content } } } } } }".to_owned(),
    ] {
        let refused = gate.admit(Request::new(&query), Lang::En).err();
        let extensions = refused
            .unwrap_or_else(|| panic!("{query} is admitted"))
            .extensions
            .unwrap();
        assert_eq!(
            extensions.get("limit"),
            Some(&async_graphql::Value::from("COST")),
            "{query}"
        );
    }
}

#[tokio::test]
async fn what_turns_out_to_be_too_much_is_refused_while_it_is_run() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Content; 120]]]).await;
    let schema = crate::schema();
    let ask = async |below: &str| {
        let query =
            format!("query($id: ID!) {{ course(id: $id) {{ modules {{ lessons {{ pages {{ {below} }} }} }} }} }}");
        let variables = async_graphql::Variables::from_json(serde_json::json!({"id": course}));
        let request = Request::new(query).variables(variables).data(kurso.kurso.clone());
        schema
            .execute(request.data(Asker(Some(owner.clone()))).data(Budget::default()))
            .await
    };
    let fine = ask("id lesson { pages { id } }").await;
    assert!(fine.errors.is_empty(), "{:?}", fine.errors);
    // By its document it costs 10,000 times a few; with 120 pages in one lesson it would be some millions of values.
    let refused = ask("lesson { pages { lesson { pages { id title kind } } } }").await;
    assert!(is_too_large(&refused), "{:?}", refused.errors);
}
