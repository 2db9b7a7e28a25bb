//! Announcements and nudges.

use kurso_core::announcements::publish::publish_due;
use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const FIELDS: &str = "{ id courseId group { id title } title excerpt content author { fullName } publishAt publishedAt isPinned version isRead readers receivers }";

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

fn list() -> String {
    format!(
        "query($c: ID!, $n: Int, $a: String) {{ course(id: $c) {{ announcements(first: $n, after: $a) {{ next unread canWrite items {FIELDS} }} }} }}"
    )
}

fn mutation(name: &str, input: &str) -> String {
    format!("mutation($i: {input}!) {{ {name}(input: $i) {{ announcement {FIELDS} }} }}")
}

const DELETE: &str =
    "mutation($id: ID!) { deleteAnnouncement(input: {announcementId: $id}) { announcementId courseId } }";
const ONE: &str = "query($id: ID!) { announcement(id: $id) { title isRead readers receivers } }";
const READ: &str = "mutation($c: ID!, $ids: [ID!]!) { markAnnouncementsRead(input: {courseId: $c, announcementIds: $ids}) { courseId unread } }";
const NUDGE: &str = "mutation($i: NudgeStudentsInput!) { nudgeStudents(input: $i) { nudged skipped } }";
const STUDENTS: &str = "query($c: ID!, $s: StudentState) { course(id: $c) { students(state: $s) { totalCount nodes { id lastNudgedAt } } } }";
const NOTICES: &str = "{ notices { unread items { kind text subjectId actor { fullName } } } }";

both! {
    async fn an_announcement_is_written_read_changed_and_deleted(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let reviewer = kurso.person("reviewer").await;
        kurso.collaborator(school.course, &reviewer, "reviewer").await;
        let reviewer = kurso.token("reviewer@example.com").await;
        let create = mutation("createAnnouncement", "CreateAnnouncementInput");
        let new = |title: &str, at: Option<&str>| json!({"i": {"courseId": school.course, "title": title, "content": document(title), "publishAt": at}});
        let made = server.data(&school.teacher, &create, new("Exam", None)).await;
        let made = &made["announcement"];
        let id = &made["id"];
        assert_eq!(made, &json!({"id": id, "courseId": school.course, "group": null, "title": "Exam", "excerpt": "Exam", "content": document("Exam"),
            "author": {"fullName": "teacher"}, "publishAt": null, "publishedAt": made["publishedAt"], "isPinned": false, "version": 1, "isRead": true,
            "readers": 0, "receivers": 1}));
        let later = server.data(&school.owner, &create, new("Later", Some("2099-01-01T00:00:00Z"))).await;
        let later = &later["announcement"]["id"];
        let of_course = json!({"c": school.course});
        for (who, titles, can_write, unread) in [
            (&school.owner, &["Later", "Exam"][..], true, 1), (&school.teacher, &["Later", "Exam"], true, 0), (&school.editor, &["Exam"], false, 1),
            (&reviewer, &["Exam"], false, 1), (&school.learner, &["Exam"], false, 1), (&school.admin, &["Exam"], false, 1),
        ] {
            let found = &server.data(who, &list(), of_course.clone()).await["announcements"];
            let items = found["items"].as_array().unwrap();
            assert_eq!(items.iter().map(|item| item["title"].as_str().unwrap()).collect::<Vec<_>>(), titles);
            assert!(items.iter().all(|item| item["readers"].is_null() != can_write));
            assert_eq!((&found["canWrite"], &found["unread"], &found["next"]), (&json!(can_write), &json!(unread), &Value::Null));
            if !can_write {
                assert_eq!(server.refusal(who, ONE, json!({"id": later})).await, "NOT_FOUND");
                assert_eq!(server.refusal(who, DELETE, json!({"id": later})).await, "NOT_FOUND");
                assert_eq!(server.refusal(who, DELETE, json!({"id": id})).await, "FORBIDDEN");
                assert_eq!(server.refusal(who, &create, new("x", None)).await, "FORBIDDEN");
            }
        }
        for (who, code) in [(school.stranger.as_str(), "NOT_FOUND"), ("", "UNAUTHENTICATED")] {
            assert_eq!(server.refusal(who, &list(), of_course.clone()).await, code);
            assert_eq!(server.refusal(who, ONE, json!({"id": id})).await, code);
            assert_eq!(server.refusal(who, DELETE, json!({"id": id})).await, code);
            assert_eq!(server.refusal(who, READ, json!({"c": school.course, "ids": [id]})).await, code);
            assert_eq!(server.refusal(who, &create, new("x", None)).await, code);
        }
        let first = server.data(&school.owner, &list(), json!({"c": school.course, "n": 1})).await["announcements"].clone();
        let second = server.data(&school.owner, &list(), json!({"c": school.course, "n": 1, "a": first["next"]})).await["announcements"].clone();
        assert_eq!((&second["items"][0]["id"], &second["next"]), (id, &Value::Null));
        assert_eq!(server.refusal(&school.owner, &list(), json!({"c": school.course, "a": "x"})).await, "BAD_USER_INPUT");
        publish_due(&kurso).await.unwrap();
        let notices = server.data(&school.learner, NOTICES, json!({})).await;
        assert_eq!(notices, json!({"unread": 1, "items": [{"kind": "ANNOUNCEMENT", "text": "Exam", "subjectId": id, "actor": {"fullName": "teacher"}}]}));
        let read = server.data(&school.learner, READ, json!({"c": school.course, "ids": [id, later]})).await;
        assert_eq!(read, json!({"courseId": school.course, "unread": 0}));
        assert_eq!(server.data(&school.learner, NOTICES, json!({})).await["unread"], 0);
        assert_eq!(server.data(&school.owner, ONE, json!({"id": id})).await, json!({"title": "Exam", "isRead": false, "readers": 1, "receivers": 1}));
        let update = mutation("updateAnnouncement", "UpdateAnnouncementInput");
        let change = |version: i32, fields: Value| {
            let mut input = json!({"announcementId": id, "version": version});
            input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            json!({"i": input})
        };
        let changed = server.data(&school.owner, &update, change(1, json!({"title": "Exams", "isPinned": true}))).await;
        assert_eq!((&changed["announcement"]["title"], &changed["announcement"]["version"]), (&json!("Exams"), &json!(2)));
        assert_eq!(server.refusal(&school.owner, &update, change(1, json!({"title": "x"}))).await, "CONFLICT");
        assert_eq!(server.refusal(&school.owner, &update, change(2, json!({"publishAt": "2099-01-01"}))).await, "CONFLICT");
        assert_eq!(server.bad_fields(&school.owner, &update, change(2, json!({"title": ""}))).await.len(), 1);
        let deleted = server.data(&school.teacher, DELETE, json!({"id": id})).await;
        assert_eq!(deleted, json!({"announcementId": id, "courseId": school.course}));
        assert_eq!(server.data(&school.learner, NOTICES, json!({})).await["items"], json!([]));
    }

    async fn students_are_nudged_and_found_by_state(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let state = |state: &str| json!({"c": school.course, "s": state});
        let found = server.data(&school.teacher, STUDENTS, state("NOT_STARTED")).await;
        assert_eq!(found["students"]["totalCount"], 1);
        let id = &found["students"]["nodes"][0]["id"];
        for other in ["STALLED", "LATE"] {
            assert_eq!(server.data(&school.teacher, STUDENTS, state(other)).await["students"]["totalCount"], 0);
        }
        let nudge = json!({"i": {"courseId": school.course, "enrollmentIds": [id], "text": "Go on"}});
        for (who, code) in [
            (school.editor.as_str(), "FORBIDDEN"), (&school.learner, "FORBIDDEN"), (&school.admin, "FORBIDDEN"), (&school.stranger, "NOT_FOUND"),
            ("", "UNAUTHENTICATED"),
        ] {
            assert_eq!(server.refusal(who, NUDGE, nudge.clone()).await, code);
        }
        assert_eq!(server.data(&school.teacher, NUDGE, nudge.clone()).await, json!({"nudged": [id], "skipped": []}));
        assert_eq!(server.data(&school.owner, NUDGE, nudge).await, json!({"nudged": [], "skipped": [id]}));
        let nudged = server.data(&school.teacher, STUDENTS, state("NOT_STARTED")).await;
        assert!(nudged["students"]["nodes"][0]["lastNudgedAt"].is_string());
        let notices = server.data(&school.learner, NOTICES, json!({})).await;
        assert_eq!((&notices["items"][0]["kind"], &notices["items"][0]["text"]), (&json!("NUDGE"), &json!("Go on")));
        assert_eq!(server.data(&school.learner, STUDENTS, state("LATE")).await["students"], Value::Null);
    }
}
