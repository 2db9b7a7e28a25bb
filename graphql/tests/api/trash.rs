//! The trash.

use kurso_core::both;
use kurso_core::learning::mark_page_visited;
use serde_json::{Value, json};

use crate::authoring::{DELETE_COURSE, DELETE_LESSON, DELETE_MODULE, DELETE_PAGE};
use crate::support::{School, Server};

const TRASH: &str =
    "query($id: ID!) { course(id: $id) { trash { id kind title courseId courseTitle place pageCount attemptCount
    deletedBy { id fullName } deletedAt expiresAt parentIsGone } } }";
const DELETED: &str =
    "{ deletedCourses { id kind title courseId courseTitle place pageCount parentIsGone deletedBy { fullName } } }";
const RESTORE: &str = "mutation($i: RestoreFromTrashInput!) { restoreFromTrash(input: $i) { entryId
    course { id trash { id } modules { id title lessons { id pages { id position } } } } } }";
const FOREVER: &str = "mutation($i: DeleteForeverInput!) { deleteForever(input: $i) { entryId } }";
const PAGE: &str = "query($id: ID!) { page(id: $id) { id } }";
const SEARCH: &str = "{ searchContent(text: \"Birds\") { nodes { __typename } } }";
const UPDATE_PAGE: &str = "mutation ($i: UpdatePageInput!) { updatePage(input: $i) { page { id } } }";

async fn entries(server: &Server, token: &str, school: &School) -> Vec<Value> {
    let found = server.data(token, TRASH, json!({"id": school.course})).await;
    found["trash"].as_array().unwrap().clone()
}

both! {
    async fn parts_are_listed_restored_and_deleted_forever(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = school.pages[1];
        server.data(&school.editor, DELETE_PAGE, json!({"i": {"pageId": page}})).await;
        let entry = entries(&server, &school.owner, &school).await.remove(0);
        assert_eq!(entry, json!({
            "id": entry["id"], "kind": "PAGE", "title": "Стр. 1", "courseId": school.course, "courseTitle": "Курс",
            "place": ["Модуль 1", "Урок 1.1"], "pageCount": 1, "attemptCount": 0,
            "deletedBy": {"id": entry["deletedBy"]["id"], "fullName": "editor"},
            "deletedAt": "2026-11-21T09:00:00Z", "expiresAt": "2026-12-21T09:00:00Z", "parentIsGone": false,
        }));
        for misplaced in [json!({"entryId": entry["id"], "moduleId": school.modules[0]}), json!({"entryId": entry["id"], "lessonId": school.course})] {
            let field = if misplaced.get("moduleId").is_some() { "moduleId" } else { "lessonId" };
            assert_eq!(server.bad_fields(&school.owner, RESTORE, json!({"i": misplaced})).await, [format!("{field} value_error")]);
        }
        let restored = server.data(&school.owner, RESTORE, json!({"i": {"entryId": entry["id"]}})).await;
        assert_eq!(restored["entryId"], entry["id"]);
        assert_eq!(restored["course"]["trash"], json!([]));
        let pages = &restored["course"]["modules"][0]["lessons"][0]["pages"];
        assert_eq!(*pages, json!([{"id": school.pages[0], "position": 0}, {"id": page, "position": 1}]));
        assert_eq!(server.refusal(&school.owner, RESTORE, json!({"i": {"entryId": entry["id"]}})).await, "NOT_FOUND");

        server.data(&school.owner, DELETE_LESSON, json!({"i": {"lessonId": school.lessons[0]}})).await;
        let entry = entries(&server, &school.editor, &school).await.remove(0);
        assert_eq!((&entry["kind"], &entry["pageCount"]), (&json!("LESSON"), &json!(2)));
        let deleted = server.data(&school.editor, FOREVER, json!({"i": {"entryId": entry["id"]}})).await;
        assert_eq!(deleted, json!({"entryId": entry["id"]}));
        assert!(entries(&server, &school.editor, &school).await.is_empty());
        assert_eq!(server.refusal(&school.editor, FOREVER, json!({"i": {"entryId": entry["id"]}})).await, "NOT_FOUND");
        assert_eq!(server.bad_fields(&school.editor, FOREVER, json!({"i": {"entryId": "x"}})).await, ["entryId uuid_parsing"]);
    }

    async fn a_part_whose_parent_is_gone_needs_another_one(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        server.data(&school.owner, DELETE_PAGE, json!({"i": {"pageId": school.pages[0]}})).await;
        server.data(&school.owner, DELETE_MODULE, json!({"i": {"moduleId": school.modules[0]}})).await;
        let all = entries(&server, &school.owner, &school).await;
        let kinds: Vec<_> = all.iter().map(|entry| (entry["kind"].clone(), entry["parentIsGone"].clone())).collect();
        assert_eq!(kinds, [(json!("MODULE"), json!(false)), (json!("PAGE"), json!(true))]);
        let (module, page) = (all[0]["id"].clone(), all[1]["id"].clone());
        let refused = async || {
            let answer = server.ask(&school.owner, RESTORE, json!({"i": {"entryId": page}})).await;
            assert_eq!(answer["errors"][0]["extensions"]["code"], "CONFLICT", "{answer}");
            answer["errors"][0]["message"].as_str().unwrap().to_owned()
        };
        assert_eq!(refused().await, "The part of the course that contained this is in the trash too: restore it first");
        server.data(&school.owner, FOREVER, json!({"i": {"entryId": module}})).await;
        assert_eq!(refused().await, "The part of the course that contained this is gone: choose another one");
        let to = json!({"i": {"entryId": page, "lessonId": school.lessons[2]}});
        let restored = server.data(&school.owner, RESTORE, to).await;
        let pages = &restored["course"]["modules"][0]["lessons"][0]["pages"];
        assert_eq!(*pages, json!([{"id": school.pages[3], "position": 0}, {"id": school.pages[0], "position": 1}]));

        server.data(&school.owner, DELETE_LESSON, json!({"i": {"lessonId": school.lessons[2]}})).await;
        let lesson = entries(&server, &school.owner, &school).await.remove(0);
        let module = server.data(&school.owner, "mutation($i: CreateModuleInput!) { createModule(input: $i) { module { id } } }",
            json!({"i": {"courseId": school.course, "title": "Новый"}})).await["module"]["id"].clone();
        let to = json!({"i": {"entryId": lesson["id"], "moduleId": module}});
        let restored = server.data(&school.owner, RESTORE, to).await;
        assert_eq!(restored["course"]["modules"][1]["lessons"][0]["id"], json!(school.lessons[2]));
    }

    async fn courses_are_restored_by_their_owner_and_superusers(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        server.data(&school.admin, DELETE_COURSE, json!({"i": {"courseId": school.course}})).await;
        let entry = server.data(&school.owner, DELETED, json!({})).await[0].clone();
        assert_eq!(entry, json!({"id": entry["id"], "kind": "COURSE", "title": "Курс", "courseId": school.course, "courseTitle": "Курс",
            "place": [], "pageCount": 4, "parentIsGone": false, "deletedBy": {"fullName": "admin"}}));
        let id = json!({"i": {"entryId": entry["id"]}});
        for other in [&school.editor, &school.teacher, &school.learner, &school.stranger] {
            assert_eq!(server.data(other, DELETED, json!({})).await, json!([]));
            assert_eq!(server.refusal(other, RESTORE, id.clone()).await, "NOT_FOUND");
            assert_eq!(server.refusal(other, FOREVER, id.clone()).await, "NOT_FOUND");
        }
        assert_eq!(server.refusal("", DELETED, json!({})).await, "UNAUTHENTICATED");
        assert_eq!(server.data(&school.admin, DELETED, json!({})).await[0]["id"], entry["id"]);
        let restored = server.data(&school.admin, RESTORE, id).await;
        assert_eq!(restored["course"]["modules"].as_array().unwrap().len(), 2);
        assert_eq!(server.data(&school.learner, PAGE, json!({"id": school.pages[0]})).await["id"], json!(school.pages[0]));

        server.data(&school.owner, DELETE_COURSE, json!({"i": {"courseId": school.course}})).await;
        let entry = server.data(&school.owner, DELETED, json!({})).await[0]["id"].clone();
        server.data(&school.owner, FOREVER, json!({"i": {"entryId": entry}})).await;
        assert_eq!(server.data(&school.admin, DELETED, json!({})).await, json!([]));
    }

    /// Users without the right to edit get no entry, and no query or search returns a deleted page.
    async fn deleted_parts_are_hidden_from_users_without_the_right(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        for page in [school.pages[0], school.pages[3]] {
            server.data(&school.owner, UPDATE_PAGE, json!({"i": {"pageId": page, "title": "Birds"}})).await;
        }
        let learner = kurso.account("second", false).await;
        let _ = mark_page_visited(&kurso, &kurso.viewer(&learner).await, school.pages[0]).await;
        server.data(&school.owner, DELETE_MODULE, json!({"i": {"moduleId": school.modules[0]}})).await;
        let entry = entries(&server, &school.owner, &school).await.remove(0);
        let id = json!({"i": {"entryId": entry["id"]}});
        for (token, code) in [
            ("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"),
            (&school.teacher, "FORBIDDEN"), (&school.admin, "FORBIDDEN"),
        ] {
            assert_eq!(server.refusal(token, RESTORE, id.clone()).await, code);
            assert_eq!(server.refusal(token, FOREVER, id.clone()).await, code);
        }
        for token in [&school.learner, &school.teacher, &school.admin] {
            assert!(entries(&server, token, &school).await.is_empty());
        }
        for (token, pages) in [
            (&school.owner, 1), (&school.editor, 1), (&school.teacher, 1), (&school.learner, 1), (&school.admin, 0),
        ] {
            for page in &school.pages[..3] {
                assert_eq!(server.refusal(token, PAGE, json!({"id": page})).await, "NOT_FOUND");
            }
            let found = server.data(token, SEARCH, json!({})).await;
            assert_eq!(found["nodes"].as_array().unwrap().len(), pages, "only that of the second module");
        }
    }
}
