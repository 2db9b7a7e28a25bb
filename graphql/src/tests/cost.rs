//! The limits of cost before and during execution.

use async_graphql::{Request, Value, Variables};
use kurso_base::messages::Lang;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::testing::{Backend, TestKurso};

use crate::batching;
use crate::context::Caller;
use crate::cost::Budget;
use crate::{AdmissionChecks, Limits};

/// The cost of a query, without a limit.
fn cost(query: &str) -> u64 {
    let limits = Limits {
        cost: u64::MAX,
        ..Limits::default()
    };
    let checks = AdmissionChecks::new(limits);
    let admitted = checks.admit(Request::new(query), Lang::En);
    let measured = admitted.unwrap_or_else(|error| panic!("{query}: {error:?}")).measured();
    let cost = measured.all(checks.limits()).find(|(limit, ..)| *limit == "COST");
    cost.unwrap_or_else(|| panic!("{query} has no price")).1
}

#[test]
fn the_cost_is_the_number_of_possible_values() {
    for (query, expected) in [
        ("{ me { id email } }", 3),
        ("{ users(first: 20) { nodes { id } } }", 1 + 20 * 2),
        ("{ users { totalCount nodes { id email } } }", 1 + 100 * 4),
        ("query($n: Int = 7) { users(first: $n) { nodes { id } } }", 1 + 7 * 2),
        (
            "{ course(id: 1) { modules { lessons { pages { id title } } } } }",
            1 + 1 + 10 * (1 + 5 * (1 + 5 * 2)),
        ),
        (
            "{ page(id: 1) { content body { ... on TextContent { document } } } }",
            1 + 10 + 1 + 10,
        ),
        (
            "{ page(id: 1) { quiz { questions { id prompt } } } }",
            1 + 1 + 1 + 10 * 2,
        ),
        // All quizzes of the course are read.
        (
            "{ courseRubrics(courseId: 1) { number rubric { isShown } } }",
            1 + 2_000 + 50 * 3,
        ),
        ("{ a: me { id } ...F ...F } fragment F on Query { me { id } }", 6),
    ] {
        assert_eq!(cost(query), expected, "{query}");
    }
}

#[test]
fn circular_queries_are_refused_before_execution() {
    let round = |times: usize| {
        let pages = "course { modules { lessons { pages { ";
        format!(
            "{{ page(id: 1) {{ {} id {} }} }}",
            pages.repeat(times),
            "} } } } ".repeat(times)
        )
    };
    let checks = AdmissionChecks::default();
    assert!(cost(&round(1)) < checks.limits().cost);
    for query in [
        round(2),
        "{ allCourses(first: 1000) { nodes { students(first: 1000) { nodes { percent } } } } }".to_owned(),
        "{ myCourses { nodes { modules { lessons { pages { id title content } } } } } }".to_owned(),
    ] {
        let refused = checks.admit(Request::new(&query), Lang::En).err();
        let extensions = refused
            .unwrap_or_else(|| panic!("{query} is admitted"))
            .extensions
            .unwrap();
        assert_eq!(extensions.get("limit"), Some(&Value::from("COST")), "{query}");
    }
}

#[tokio::test]
async fn answers_above_the_limit_are_refused_during_execution() {
    let kurso = TestKurso::new(Backend::Sqlite).await;
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Content; 40]]]).await;
    let schema = crate::schema();
    let limits = Limits {
        answer: 10_000,
        ..Limits::default()
    };
    let ask = async |below: &str| {
        let query =
            format!("query($id: ID!) {{ course(id: $id) {{ modules {{ lessons {{ pages {{ {below} }} }} }} }} }}");
        let variables = Variables::from_json(serde_json::json!({"id": course}));
        let request = Request::new(query).variables(variables).data(kurso.kurso.clone());
        let request = request.data(Caller(Some(owner.clone()))).data(Budget::of(&limits));
        batching::execute(&schema, request).await
    };
    let fine = ask("id lesson { pages { id } }").await;
    assert!(fine.errors.is_empty(), "{:?}", fine.errors);
    // The document costs some thousands; with 40 pages in a lesson the answer would have some hundred thousand values.
    let refused = ask("lesson { pages { lesson { pages { id title kind } } } }").await;
    let extensions = refused.errors[0].extensions.as_ref().unwrap();
    assert_eq!(extensions.get("code"), Some(&Value::from("LIMIT_EXCEEDED")));
    assert_eq!(extensions.get("limit"), Some(&Value::from("ANSWER")));
    assert_eq!(extensions.get("allowed"), Some(&Value::from(10_000)));
    let Some(Value::Number(found)) = extensions.get("found") else {
        panic!("{extensions:?}")
    };
    // The list above the limit was not started.
    assert!((10_001..=10_000 + 40 * 3).contains(&found.as_u64().unwrap()), "{found}");
}
