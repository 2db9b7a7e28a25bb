//! The number of statements of a query does not depend on the number of parents.

use std::collections::BTreeSet;

use async_graphql::{EmptySubscription, Schema, Value, Variables};
use kurso_core::auth;
use kurso_core::testing::Backend;
use serde_json::json;

use super::project;
use super::queries;
use super::world::{World, request};
use crate::batching;
use crate::mutation::Mutation;
use crate::query::Query;

/// Executes all generated queries on small and large data and compares the numbers of statements.
async fn compare_small_and_large(backend: Backend) {
    // Without limits: the generated queries exceed them.
    let schema = Schema::build(Query::default(), Mutation::default(), EmptySubscription).finish();
    let shape = queries::Schema::read(&schema.sdl());
    let mut seen = BTreeSet::new();
    let mut costs: Vec<Vec<u64>> = Vec::new();
    let mut generated = Vec::new();
    for size in [3, 9] {
        let world = World::of(backend, size).await;
        generated = shape.queries(|field, argument| value(&world, field, argument));
        let mut cost = Vec::new();
        for query in &generated {
            let before = world.kurso.db.statements();
            let answer = batching::execute(&schema, request(&world, world.viewer.clone(), query)).await;
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
    assert!(missed.is_empty(), "no answer has these types: {missed:?}");
    let differ: Vec<String> = (generated.iter().zip(&costs[0]).zip(&costs[1]))
        .filter(|((_, few), many)| many > few)
        .map(|((query, few), many)| format!("{few} statements for 3, {many} for 9: {query}"))
        .collect();
    assert!(
        differ.is_empty(),
        "{} of {}:\n{}",
        differ.len(),
        generated.len(),
        differ.join("\n")
    );
    let most = costs[1].iter().max().unwrap();
    println!("{} queries, at most {most} statements each", generated.len());
}

#[tokio::test]
async fn statements_are_independent_of_parent_count_on_sqlite() {
    compare_small_and_large(Backend::Sqlite).await;
}

#[tokio::test]
async fn statements_are_independent_of_parent_count_on_postgres() {
    compare_small_and_large(Backend::Postgres).await;
}

/// The values of required arguments. A new field with such an argument needs a line here.
fn value(world: &World, field: &str, argument: &str) -> String {
    let id = |id: &dyn std::fmt::Display| format!("\"{id}\"");
    match (field, argument) {
        ("Query.coursePreview" | "Query.pagePreview", "as") => "{}".to_owned(),
        // Only regrading changes results, so KEEP would return no learners.
        ("Query.consequences", "pages") => format!(
            "[{{pageId: {}, version: {}, pageVersion: {}}}], pastAttempts: REGRADE",
            id(&world.quiz),
            world.draft.0,
            world.draft.1
        ),
        (
            "Query.course"
            | "Query.coursePreview"
            | "Query.courseHeatMap"
            | "Query.myProgress"
            | "Query.debugProgress"
            | "Query.gradebook"
            | "Query.gradingQueue"
            | "Query.courseRubrics"
            | "Query.gradeSettings"
            | "Query.myGrades"
            | "Query.courseNotes"
            | "Query.publicCourse"
            | "Query.certificateDesign"
            | "Query.myCertificate"
            | "Query.courseCertificates"
            | "Query.consequences",
            _,
        ) => id(&world.course),
        ("Query.guestCourse", "shareCode") => id(&world.share_code),
        ("Query.certificateBadge" | "Query.publicCertificate", _) => id(&world.certificate),
        ("Query.announcement", "id") => id(&world.announcement),
        ("Query.overrides", "courseId") => id(&world.overridden.course),
        // This deadline is after the end of the course, so the response names the course; also a page and a learner who have less time.
        ("Query.overrideTimes", "of") => format!(
            "{{courseId: {}, groupId: {}, lessonId: {}, limits: {{dueAt: \"2099-01-01\"}}}}",
            id(&world.overridden.course),
            id(&world.overridden.group),
            id(&world.overridden.lesson)
        ),
        ("Query.openAnswer", "attemptId") => id(&world.answer.attempt),
        ("Query.openAnswer", "questionId") => id(&world.answer.question),
        ("Query.discussion", "id") => id(&world.discussion),
        ("Query.courseSnapshot", "id") => id(&world.snapshot),
        ("Query.module", "id") => id(&world.module),
        ("Query.lesson", "id") => id(&world.lesson),
        ("Query.page" | "Query.pagePreview" | "StudentProgress.page" | "SnapshotContent.page", "id")
        | ("Query.quizAnalysis", "pageId") => id(&world.quiz),
        ("Query.enrollment", "id") | ("Query.grade", "enrollmentId") => id(&world.enrollment),
        ("Query.noticeSubscription", "token") => id(&world.notice_token),
        ("Query.user", "id") => id(&world.viewer.id()),
        ("Query.bank", "id") => id(&world.bank.0),
        ("Query.bankQuestions", "ids") => format!("[\"{}\"]", world.bank.1),
        ("Query.item", "id") => id(&world.item),
        ("Query.passwordRecoveryHtml", "email") => "\"head@example.com\"".to_owned(),
        ("Query.importJob" | "Query.importPreview", "jobId") => id(&world.import),
        ("Query.exportReport", "courseId") => id(&world.course),
        ("Course.exportUrl" | "Query.exportReport", "format") => "MARKDOWN".to_owned(),
        ("Query.searchContent", "text") => "\"page\"".to_owned(),
        ("Query.readQuestions", "text") => "\"2 + 2 {=4}\"".to_owned(),
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

/// The statements of a request, with authentication: the first time and the second.
async fn statements(world: &World, document: &str, operation: &str, variables: serde_json::Value) -> [u64; 2] {
    let schema = crate::schema();
    let mut counts = [0; 2];
    for count in &mut counts {
        let before = world.kurso.db.statements();
        let viewer = auth::authenticate(&world.kurso, &world.token).await.unwrap();
        let sent = request(world, viewer, document).operation_name(operation);
        let answer = batching::execute(&schema, sent.variables(Variables::from_json(variables.clone()))).await;
        *count = world.kurso.db.statements() - before;
        assert!(answer.errors.is_empty(), "{operation}: {:?}", answer.errors);
    }
    counts
}

/// Operations of the web app with fragments of other files.
fn web(files: &[&str]) -> String {
    let read = |file: &&str| {
        std::fs::read_to_string(project("web/src").join(file))
            .unwrap()
            .replace(" @unmask", "")
    };
    files.iter().map(read).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn learner_screens_take_few_statements() {
    let progress = "query Courses { myEnrollments { totalCount nodes { id lastActivityAt nextPage { id title }
        course { id title progress { percent pagesDone pagesTotal lessonsDone completedAt } } } } }";
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let mut counts = Vec::new();
        for size in [2, 6] {
            let world = World::of(backend, size).await;
            let page = json!({"id": world.quiz});
            counts.push([
                statements(
                    &world,
                    &web(&[
                        "course/CourseScreen.graphql",
                        "course/CourseTree.graphql",
                        "course/NextPage.graphql",
                        "course/Times.graphql",
                    ]),
                    "CourseTree",
                    json!({"id": world.course}),
                )
                .await,
                statements(
                    &world,
                    &web(&[
                        "reading/ReadingPage.graphql",
                        "reading/ReadingEnrollment.graphql",
                        "course/NextPage.graphql",
                    ]),
                    "ReadingPage",
                    page,
                )
                .await,
                statements(&world, progress, "Courses", json!({})).await,
            ]);
        }
        let most = counts[1].map(|[first, _]| first);
        assert_eq!(counts[0], counts[1], "of two courses and of six");
        assert!(
            most[0] <= 6 && most[1] <= 8 && most[2] <= 6,
            "the tree, a page, the courses: {counts:?}"
        );
    }
}
