//! The subscriptions of the page editor.

use kurso_base::values::{BlockIndex, Checked, EditorSession};
use kurso_core::access::Viewer;
use kurso_core::both;
use kurso_core::comments;
use kurso_core::courses::page::{self, versions};
use kurso_core::courses::{lesson, team};
use kurso_core::subscriptions::{self, MoveEditor};
use kurso_core::testing::command;
use serde_json::{Value, json};

use crate::support::{School, Server, token};

pub const CHANGED: &str = "subscription($id: ID!) { pageChanged(pageId: $id) {
    kind version pageId userSessionId at editor { id fullName } page { title version } } }";
pub const EDITORS: &str =
    "subscription($id: ID!, $session: String) { pageEditors(pageId: $id, userSessionId: $session) {
    id userSessionId since block editor { id fullName } } }";

/// The cursor of the editor with this session is in this block.
pub fn cursor(session: &str, block: Option<i64>) -> MoveEditor {
    MoveEditor {
        user_session_id: EditorSession::parse(session).unwrap(),
        block: block.map(|block| BlockIndex::check(block).unwrap()),
    }
}

fn blocks(editors: &Value) -> Vec<Option<i64>> {
    let editors = editors.as_array().unwrap().iter();
    editors.map(|one| one["block"].as_i64()).collect()
}

fn who(editors: &Value) -> Vec<(&str, Option<&str>)> {
    let editors = editors.as_array().unwrap().iter();
    editors
        .map(|one| {
            (
                one["editor"]["fullName"].as_str().unwrap(),
                one["userSessionId"].as_str(),
            )
        })
        .collect()
}

both! {
    async fn open_editors_receive_every_change_with_its_author(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
        let page = school.pages[0];
        let id = socket.watch(&kurso, CHANGED, json!({"id": page})).await;

        let save = async |body: Value, session: Option<&'static str>| page::update(&kurso, &school.editor, page, session.map(|name| EditorSession::parse(name).unwrap()), command(&body)).await.unwrap();
        save(json!({"title": "Новое"}), Some("tab-7")).await;
        assert_eq!(socket.next(&id).await, json!({
            "kind": "WRITTEN", "version": 2, "pageId": page, "userSessionId": "tab-7", "at": "2026-11-21T09:00:00Z",
            "editor": {"id": school.editor.id(), "fullName": "editor"}, "page": {"title": "Новое", "version": 2},
        }));
        save(json!({"title": "Новое"}), None).await; // changes nothing
        save(json!({"position": 1}), None).await;
        let moved = socket.next(&id).await;
        assert_eq!([&moved["kind"], &moved["version"], &moved["userSessionId"]], [&json!("ARRANGED"), &json!(2), &Value::Null]);
        versions::restore(&kurso, &school.owner, page, 1, false).await.unwrap();
        let restored = socket.next(&id).await;
        assert_eq!([&restored["kind"], &restored["version"], &restored["editor"]["fullName"]], [&json!("RESTORED"), &json!(3), &json!("owner")]);

        page::delete(&kurso, &school.editor, page).await.unwrap();
        let deleted = socket.next(&id).await;
        assert_eq!([&deleted["kind"], &deleted["version"], &deleted["page"]], [&json!("DELETED"), &json!(3), &Value::Null]);
        assert_eq!(socket.hear().await, json!({"id": id, "type": "complete"}));
        let id = socket.subscribe(CHANGED, json!({"id": page})).await;
        assert_eq!(socket.refusal(&id).await.0, "NOT_FOUND");
    }

    async fn deleting_the_parent_reports_the_page_as_deleted(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.editor).await).await;
        let id = socket.watch(&kurso, CHANGED, json!({"id": school.pages[0]})).await;
        let read = page::get(&kurso, &school.owner, school.pages[0]).await.unwrap();
        lesson::delete(&kurso, &school.owner, read.lesson_id).await.unwrap();
        let deleted = socket.next(&id).await;
        assert_eq!([&deleted["kind"], &deleted["version"], &deleted["editor"]], [&json!("DELETED"), &Value::Null, &Value::Null]);
        assert_eq!(socket.hear().await, json!({"id": id, "type": "complete"}));
    }

    async fn only_those_who_may_comment_watch_a_page(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let admin = kurso.superuser("admin").await;
        for (person, code, queries) in [
            (&school.teacher, "FORBIDDEN", &[EDITORS][..]), (&school.learner, "FORBIDDEN", &[CHANGED, EDITORS]),
            (&admin, "FORBIDDEN", &[CHANGED, EDITORS]), (&school.stranger, "NOT_FOUND", &[CHANGED, EDITORS]),
        ] {
            let mut socket = server.connect(&token(&kurso, person).await).await;
            for query in queries {
                let id = socket.subscribe(query, json!({"id": school.pages[0]})).await;
                assert_eq!(socket.refusal(&id).await.0, code);
            }
        }
        let mut socket = server.connect(&token(&kurso, &school.editor).await).await;
        let id = socket.watch(&kurso, CHANGED, json!({"id": school.pages[0]})).await;
        team::leave(&kurso, &school.editor, school.course).await.unwrap();
        assert_eq!(socket.refusal(&id).await.0, "NOT_FOUND");
        page::update(&kurso, &school.owner, school.pages[0], None, command(json!({"title": "x"}))).await.unwrap();
        socket.is_silent().await;
    }

    async fn comments_are_events_and_teachers_are_not_told_of_drafts(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let reviewer = kurso.person("reviewer").await;
        kurso.collaborator(school.course, &reviewer, "reviewer").await;
        let server = Server::start(kurso.kurso.clone()).await;
        let page = school.pages[0];
        let mut teacher = server.connect(&token(&kurso, &school.teacher).await).await;
        let by_teacher = teacher.watch(&kurso, CHANGED, json!({"id": page})).await;
        let mut reading = server.connect(&token(&kurso, &reviewer).await).await;
        let by_reviewer = reading.watch(&kurso, CHANGED, json!({"id": page})).await;
        let draft = command(json!({"title": "x", "draft": true}));
        page::update(&kurso, &school.owner, page, None, draft).await.unwrap();
        assert_eq!(reading.next(&by_reviewer).await["kind"], "DRAFT_SAVED");
        comments::start(&kurso, &school.owner, page, command(json!({"text": "x"}))).await.unwrap();
        for event in [reading.next(&by_reviewer).await, teacher.next(&by_teacher).await] {
            assert_eq!([&event["kind"], &event["version"], &event["editor"]["fullName"]], [&json!("COMMENTED"), &json!(1), &json!("owner")]);
        }
    }

    async fn editors_see_other_open_editors(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let of = json!({"id": school.pages[0], "session": "a"});
        let mut owner = server.connect(&token(&kurso, &school.owner).await).await;
        let a = owner.subscribe(EDITORS, of).await;
        let alone = owner.next(&a).await;
        assert_eq!(who(&alone), [("owner", Some("a"))]);
        assert_eq!(alone[0]["since"], "2026-11-21T09:00:00Z");

        let mut editor = server.connect(&token(&kurso, &school.editor).await).await;
        let b = editor.subscribe(EDITORS, json!({"id": school.pages[0], "session": "b"})).await;
        let both = [("owner", Some("a")), ("editor", Some("b"))];
        assert_eq!(who(&editor.next(&b).await), both);
        assert_eq!(who(&owner.next(&a).await), both);
        let other = editor.subscribe(EDITORS, json!({"id": school.pages[1]})).await;
        assert_eq!(who(&editor.next(&other).await), [("editor", None)]);

        editor.say(json!({"id": b, "type": "complete"})).await;
        assert_eq!(who(&owner.next(&a).await), [("owner", Some("a"))]);
        let b = editor.subscribe(EDITORS, json!({"id": school.pages[0], "session": "b"})).await;
        editor.next(&b).await;
        assert_eq!(who(&owner.next(&a).await), both);
        drop(editor); // a lost connection
        assert_eq!(who(&owner.next(&a).await), [("owner", Some("a"))]);

        let id = owner.subscribe(EDITORS, json!({"id": school.pages[0], "session": "x".repeat(129)})).await;
        assert_eq!(owner.refusal(&id).await.0, "BAD_USER_INPUT");
    }
    async fn editors_see_the_block_of_other_cursors(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let page = school.pages[0];
        let mut owner = server.connect(&token(&kurso, &school.owner).await).await;
        let a = owner.subscribe(EDITORS, json!({"id": page, "session": "a"})).await;
        owner.next(&a).await;
        let mut editor = server.connect(&token(&kurso, &school.editor).await).await;
        let b = editor.subscribe(EDITORS, json!({"id": page, "session": "b"})).await;
        editor.next(&b).await;
        assert_eq!(blocks(&owner.next(&a).await), [None, None]);

        let move_to = async |person: &Viewer, session: &str, block| subscriptions::move_editor(&kurso, person, page, cursor(session, block)).await;
        move_to(&school.editor, "b", Some(3)).await.unwrap();
        assert_eq!(blocks(&owner.next(&a).await), [None, Some(3)]);
        move_to(&school.editor, "b", Some(3)).await.unwrap(); // nothing new
        move_to(&school.editor, "a", Some(1)).await.unwrap(); // of another person
        move_to(&school.owner, "a", Some(0)).await.unwrap();
        assert_eq!(blocks(&owner.next(&a).await), [Some(0), Some(3)]);
        move_to(&school.editor, "b", None).await.unwrap();
        assert_eq!(blocks(&owner.next(&a).await), [Some(0), None]);
        for person in [&school.teacher, &school.learner, &school.stranger] {
            assert!(move_to(person, "b", Some(1)).await.is_err());
        }
        owner.is_silent().await;
    }
}
