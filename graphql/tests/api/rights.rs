//! The rights table over GraphQL: the same rights as over REST.

use kurso_core::both;
use serde_json::{Value, json};

use crate::authoring::*;
use crate::support::{School, Server};

const TREE: &str = "query($id: ID!) { course(id: $id) { id } }";

/// The outcome of a call: `ok` or the error code.
async fn outcome(server: &Server, token: &str, query: &str, variables: Value) -> String {
    let answer = server.ask(token, query, variables).await;
    match &answer["errors"] {
        Value::Null => "ok".to_owned(),
        errors => errors[0]["extensions"]["code"].as_str().unwrap().to_owned(),
    }
}

both! {
    async fn author_mutations_follow_the_rights_table(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (course, module, lesson, page) = (school.course, school.modules[0], school.lessons[0], school.pages[0]);
        let calls = [
            (UPDATE_COURSE, json!({"courseId": course, "title": "x"})),
            (CREATE_MODULE, json!({"courseId": course, "title": "x"})),
            (UPDATE_MODULE, json!({"moduleId": module, "title": "x"})),
            (CREATE_LESSON, json!({"moduleId": module, "title": "x"})),
            (UPDATE_LESSON, json!({"lessonId": lesson, "title": "x", "moduleId": module})),
            (CREATE_PAGE, json!({"lessonId": lesson, "title": "x"})),
            (UPDATE_PAGE, json!({"pageId": page, "title": "x", "lessonId": lesson})),
            (DUPLICATE_PAGE, json!({"pageId": page})),
            (DUPLICATE_LESSON, json!({"lessonId": lesson})),
            (DUPLICATE_MODULE, json!({"moduleId": module})),
            (DUPLICATE_COURSE, json!({"courseId": course})),
            (RESTORE, json!({"pageId": page, "version": 1})),
        ];
        let reviewer = kurso.person("reviewer").await;
        kurso.collaborator(course, &reviewer, "reviewer").await;
        let reviewer = kurso.token("reviewer@example.com").await;
        let people = [
            ("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"), (&reviewer, "FORBIDDEN"),
            (&school.teacher, "FORBIDDEN"), (&school.admin, "FORBIDDEN"), (&school.editor, "ok"), (&school.owner, "ok"),
        ];
        for (token, expected) in people {
            for (query, body) in &calls {
                let found = outcome(&server, token, query, json!({"i": body})).await;
                assert_eq!(found, expected, "{query}");
            }
        }
        // Input is validated before rights are checked, so that an error does not reveal what exists.
        let bad = json!({"i": {"moduleId": module, "title": ""}});
        assert_eq!(outcome(&server, &school.stranger, UPDATE_MODULE, bad.clone()).await, "BAD_USER_INPUT");
        assert_eq!(outcome(&server, "", UPDATE_MODULE, bad).await, "UNAUTHENTICATED");

        for (query, body) in [
            (DELETE_PAGE, json!({"pageId": school.pages[2]})), (DELETE_LESSON, json!({"lessonId": school.lessons[1]})),
            (DELETE_MODULE, json!({"moduleId": school.modules[1]})),
        ] {
            for (token, expected) in &people[..7] {
                assert_eq!(outcome(&server, token, query, json!({"i": body})).await, *expected, "{query}");
            }
        }
        for (token, expected) in [
            ("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"),
            (&school.teacher, "FORBIDDEN"), (&school.editor, "FORBIDDEN"), (&school.admin, "ok"),
        ] {
            assert_eq!(outcome(&server, token, DELETE_COURSE, json!({"i": {"courseId": course}})).await, expected);
        }
        assert_eq!(outcome(&server, &school.owner, TREE, json!({"id": course})).await, "NOT_FOUND");
    }

    async fn members_read_their_courses_only(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let draft = kurso.page(school.course, school.lessons[0], 2, kurso_core::courses::tree::PageKind::Content, false).await;
        let module = "query($id: ID!) { module(id: $id) { lessons { pages { id content versions { version } authorQuiz } } } }";
        let lesson = "query($id: ID!) { lesson(id: $id) { pages { id } } }";
        let page = "query($id: ID!) { page(id: $id) { id } }";
        for (token, shown) in [
            ("", Err("UNAUTHENTICATED")), (&school.stranger, Err("NOT_FOUND")), (&school.learner, Ok(2)),
            (&school.teacher, Ok(3)), (&school.admin, Ok(3)), (&school.editor, Ok(3)), (&school.owner, Ok(3)),
        ] {
            match shown {
                Err(code) => {
                    assert_eq!(outcome(&server, token, module, json!({"id": school.modules[0]})).await, code);
                    assert_eq!(outcome(&server, token, lesson, json!({"id": school.lessons[0]})).await, code);
                }
                Ok(count) => {
                    let read = server.data(token, module, json!({"id": school.modules[0]})).await;
                    let pages = read["lessons"][0]["pages"].as_array().unwrap();
                    assert_eq!(pages.len(), count);
                    assert!(pages.iter().all(|page| page["versions"].is_null() == (count == 2)), "{pages:?}");
                    let read = server.data(token, lesson, json!({"id": school.lessons[0]})).await;
                    assert_eq!(read["pages"].as_array().unwrap().len(), count);
                    let expected = if count == 2 { "NOT_FOUND" } else { "ok" };
                    assert_eq!(outcome(&server, token, page, json!({"id": draft})).await, expected);
                }
            }
        }
    }
}
