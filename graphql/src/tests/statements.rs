//! How many statements queries cost: never more for more parents.

use std::collections::BTreeSet;

use async_graphql::{EmptySubscription, Schema, Value, Variables};
use kurso_core::auth;
use kurso_core::testing::Backend;
use serde_json::json;

use super::project;
use super::queries;
use super::world::{World, request};
use crate::mutation::Mutation;
use crate::query::Query;

/// Everything that can be asked for, of a few and of many; the two costs side by side where they differ.
async fn of_few_and_of_many(backend: Backend) {
    // Without the limits: what is asked for at once here is more than anybody may.
    let schema = Schema::build(Query::default(), Mutation::default(), EmptySubscription).finish();
    let shape = queries::Schema::read(&schema.sdl());
    let mut seen = BTreeSet::new();
    let mut costs: Vec<Vec<u64>> = Vec::new();
    let mut asked = Vec::new();
    for size in [3, 30] {
        let world = World::of(backend, size).await;
        asked = shape.queries(|field, argument| value(&world, field, argument));
        let mut cost = Vec::new();
        for query in &asked {
            let before = world.kurso.db.statements();
            let answer = schema.execute(request(&world, world.viewer.clone(), query)).await;
            cost.push(world.kurso.db.statements() - before);
            assert!(answer.errors.is_empty(), "{query}: {:?}", answer.errors);
            note_types(&answer.data, &mut seen);
        }
        costs.push(cost);
    }
    let missed: Vec<_> = shape
        .objects()
        .into_iter()
        .filter(|name| !seen.contains(*name))
        .collect();
    assert!(missed.is_empty(), "no answer held any of these: {missed:?}");
    let differ: Vec<String> = (asked.iter().zip(&costs[0]).zip(&costs[1]))
        .filter(|((_, few), many)| many > few)
        .map(|((query, few), many)| format!("{few} statements for 3, {many} for 30: {query}"))
        .collect();
    assert!(
        differ.is_empty(),
        "{} of {}:\n{}",
        differ.len(),
        asked.len(),
        differ.join("\n")
    );
    let most = costs[1].iter().max().unwrap();
    println!("{} queries, at most {most} statements each", asked.len());
}

#[tokio::test]
async fn nothing_costs_more_for_more_parents_on_sqlite() {
    of_few_and_of_many(Backend::Sqlite).await;
}

#[tokio::test]
async fn nothing_costs_more_for_more_parents_on_postgres() {
    of_few_and_of_many(Backend::Postgres).await;
}

/// What an argument is. A new field with an argument that it cannot do without has its line here.
fn value(world: &World, field: &str, argument: &str) -> String {
    let id = |id: &dyn std::fmt::Display| format!("\"{id}\"");
    match (field, argument) {
        ("Query.course" | "Query.courseHeatMap" | "Query.myProgress" | "Query.debugProgress", _) => id(&world.course),
        ("Query.module", "id") => id(&world.module),
        ("Query.lesson", "id") => id(&world.lesson),
        ("Query.page" | "StudentProgress.page", "id") => id(&world.quiz),
        ("Query.enrollment", "id") => id(&world.enrollment),
        ("Query.user", "id") => id(&world.viewer.id()),
        ("Query.item", "id") => id(&world.item),
        ("Query.passwordRecoveryHtml", "email") => "\"head@example.com\"".to_owned(),
        ("Query.importJob" | "Query.importPreview", "jobId") => id(&world.import),
        ("Course.exportUrl", "format") => "MARKDOWN".to_owned(),
        ("Page.versionText", "version") => "1".to_owned(),
        _ => panic!("what is {argument} of {field}?"),
    }
}

fn note_types(value: &Value, seen: &mut BTreeSet<String>) {
    match value {
        Value::List(list) => list.iter().for_each(|value| note_types(value, seen)),
        Value::Object(fields) => {
            if let Some(Value::String(name)) = fields.get("__typename") {
                seen.insert(name.clone());
            }
            fields.values().for_each(|value| note_types(value, seen));
        }
        _ => {}
    }
}

/// The statements of a request, who asks included, the first time and again.
async fn statements(world: &World, document: &str, operation: &str, variables: serde_json::Value) -> [u64; 2] {
    let schema = crate::schema();
    let mut counts = [0; 2];
    for count in &mut counts {
        let before = world.kurso.db.statements();
        let viewer = auth::authenticate(&world.kurso, &world.token).await.unwrap();
        let asked = request(world, viewer, document).operation_name(operation);
        let answer = schema
            .execute(asked.variables(Variables::from_json(variables.clone())))
            .await;
        *count = world.kurso.db.statements() - before;
        assert!(answer.errors.is_empty(), "{operation}: {:?}", answer.errors);
    }
    counts
}

/// What the web app asks for, with the fragments of other components.
fn web(files: &[&str]) -> String {
    let read = |file: &&str| {
        std::fs::read_to_string(project("web/src").join(file))
            .unwrap()
            .replace(" @unmask", "")
    };
    files.iter().map(read).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_screens_of_learners_cost_few_statements() {
    let progress = "query Courses { myEnrollments { totalCount nodes { id lastActivityAt nextPage { id title }
        course { id title progress { percent pagesDone pagesTotal lessonsDone completedAt } } } } }";
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let mut counts = Vec::new();
        for size in [2, 12] {
            let world = World::of(backend, size).await;
            let page = json!({"id": world.quiz});
            counts.push([
                statements(
                    &world,
                    &web(&["course/CourseTree.graphql", "course/NextPage.graphql"]),
                    "CourseTree",
                    json!({"id": world.course}),
                )
                .await,
                statements(
                    &world,
                    &web(&["reading/ReadingPage.graphql", "course/NextPage.graphql"]),
                    "ReadingPage",
                    page,
                )
                .await,
                statements(&world, progress, "Courses", json!({})).await,
            ]);
        }
        let most = counts[1].map(|[first, _]| first);
        assert_eq!(counts[0], counts[1], "of two courses and of twelve");
        assert!(
            most[0] <= 6 && most[1] <= 8 && most[2] <= 6,
            "the tree, a page, the courses: {counts:?}"
        );
    }
}
