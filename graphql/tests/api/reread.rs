//! What has changed of pages since learners read them.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server, saying};

const SAVE: &str = "mutation($i: UpdatePageInput!) { updatePage(input: $i) { page { version } } }";
const PUBLISH: &str = "mutation($i: PublishPageDraftsInput!) { publishPageDrafts(input: $i) { pages { version } } }";
const VISIT: &str =
    "mutation($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { page { id isVisited } } }";
const REREAD: &str =
    "mutation($i: MarkRereadInput!) { markReread(input: $i) { page { isVisited changeSinceRead { version } } } }";
const CHANGE: &str = "query($id: ID!) { page(id: $id) { changeSinceRead {
    readAt changedAt importance version before { version title content } } } }";
const LIST: &str = "{ importantChanges { page { id title number } course { id title } changedAt } }";
const PREVIEW: &str = "query($id: ID!, $e: ID!) { pagePreview(id: $id, as: {enrollmentId: $e}) { isVisited changeSinceRead { version } } }";
const ENROLLED: &str = "{ myEnrollments { nodes { id } } }";

fn input(value: Value) -> Value {
    json!({"i": value})
}

both! {
    async fn a_learner_is_told_and_reads_it_again(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (owner, learner, page) = (&school.owner, &school.learner, school.pages[0]);
        let id = json!({"id": page});
        server.data(owner, SAVE, input(json!({"pageId": page, "title": "Раньше", "content": saying("a")}))).await;
        let change = async || server.data(learner, CHANGE, id.clone()).await["changeSinceRead"].clone();
        assert_eq!(change().await, Value::Null);
        server.data(learner, VISIT, json!({"input": {"pageId": page, "version": 2}})).await;
        server.data(owner, SAVE, input(json!({"pageId": page, "draft": true, "title": "Теперь", "content": saying("b")}))).await;
        assert_eq!(change().await, Value::Null);
        kurso.clock.advance(chrono::Duration::minutes(1));
        let pages = json!([{"pageId": page, "version": 3, "pageVersion": 2}]);
        server.data(owner, PUBLISH, input(json!({"courseId": school.course, "pages": pages, "importance": "IMPORTANT"}))).await;
        assert_eq!(change().await, json!({
            "readAt": "2026-11-21T09:00:00Z", "changedAt": "2026-11-21T09:01:00Z", "importance": "IMPORTANT", "version": 3,
            "before": {"version": 2, "title": "Раньше", "content": saying("a")},
        }));
        let listed = server.data(learner, LIST, json!({})).await;
        assert_eq!(listed.as_array().unwrap().len(), 1);
        assert_eq!(listed[0]["page"], json!({"id": page, "title": "Теперь", "number": 1}));
        assert_eq!([&listed[0]["course"]["id"], &listed[0]["changedAt"]], [&json!(school.course), &json!("2026-11-21T09:01:00Z")]);
        for other in [owner, &school.teacher, &school.admin, &school.stranger] {
            assert_eq!(server.data(other, LIST, json!({})).await, json!([]));
        }
        assert_eq!(server.data(&school.teacher, CHANGE, id.clone()).await, json!({"changeSinceRead": null}));
        let enrollment = server.data(learner, ENROLLED, json!({})).await["nodes"][0]["id"].clone();
        let seen = server.data(&school.teacher, PREVIEW, json!({"id": page, "e": enrollment})).await;
        assert_eq!(seen, json!({"isVisited": true, "changeSinceRead": null}));

        let reread = async |person: &str, version: i64| {
            server.ask(person, REREAD, input(json!({"pageId": page, "version": version}))).await
        };
        let told = |version: Value| json!({"data": {"markReread": {"page": {"isVisited": true, "changeSinceRead": version}}}});
        assert_eq!(reread(learner, 2).await, told(json!({"version": 3})));
        assert_eq!(reread(learner, 9).await["errors"][0]["extensions"]["code"], "NOT_FOUND");
        assert_eq!(reread(learner, 3).await, told(Value::Null));
        assert_eq!(reread(learner, 3).await, told(Value::Null));
        assert_eq!(server.data(learner, LIST, json!({})).await, json!([]));
        for (person, code) in [(owner, "FORBIDDEN"), (&school.teacher, "FORBIDDEN"), (&school.stranger, "NOT_FOUND")] {
            assert_eq!(reread(person, 3).await["errors"][0]["extensions"]["code"], code);
        }
    }

    async fn nobody_gets_a_text_by_naming_its_version(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (owner, learner, page) = (&school.owner, &school.learner, school.pages[0]);
        for text in ["withdrawn", "b"] {
            server.data(owner, SAVE, input(json!({"pageId": page, "title": text, "content": saying(text)}))).await;
        }
        // The first visit goes through the executor, the others through its fast path.
        for (place, version) in [(1, json!(1)), (2, Value::Null), (0, json!(2))] {
            let shown = json!({"input": {"pageId": school.pages[place], "version": version}});
            let visited = server.data(learner, VISIT, shown).await;
            assert_eq!(visited["page"], json!({"id": school.pages[place], "isVisited": true}));
        }
        let change = server.data(learner, CHANGE, json!({"id": page})).await["changeSinceRead"].clone();
        assert_eq!((&change["version"], &change["before"]), (&json!(3), &Value::Null));
        // A number that is no Int is refused, also when the operation is known.
        for wrong in [json!("2"), json!(1.5), json!(1_i64 << 40)] {
            let answer = server.ask(learner, VISIT, json!({"input": {"pageId": page, "version": wrong}})).await;
            assert!(!answer["errors"].is_null(), "{answer}");
        }
        let other = server.ask(learner, VISIT, json!({"input": {"pageId": page, "version": 2, "other": 1}})).await;
        assert!(!other["errors"].is_null(), "{other}");
    }

    async fn a_direct_save_may_be_important(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (owner, learner, page) = (&school.owner, &school.learner, school.pages[0]);
        server.data(learner, VISIT, json!({"input": {"pageId": page}})).await;
        let save = |title: &str, importance: Value| input(json!({"pageId": page, "title": title, "importance": importance}));
        for (title, importance, listed) in [("a", Value::Null, 0), ("b", json!("CORRECTION"), 0), ("c", json!("IMPORTANT"), 1)] {
            server.data(owner, SAVE, save(title, importance)).await;
            assert_eq!(server.data(learner, LIST, json!({})).await.as_array().unwrap().len(), listed);
        }
        let draft = input(json!({"pageId": page, "title": "d", "importance": "IMPORTANT", "draft": true}));
        assert_eq!(server.bad_fields(owner, SAVE, draft).await, ["draft value_error"]);
    }
}
