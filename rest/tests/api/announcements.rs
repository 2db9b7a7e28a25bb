//! Announcements and nudges.

use kurso_core::announcements::publish::publish_due;
use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

both! {
    async fn an_announcement_is_written_read_changed_and_deleted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = school.course;
        let viewer = server.kurso.person("reviewer").await;
        server.kurso.collaborator(course, &viewer, "reviewer").await;
        let reviewer = server.viewer(&viewer);
        let teacher = school.teacher.get("/users/me").await.ok();
        let new = json!({"title": "Exam", "content": document("On Friday"), "is_pinned": true});
        let create = format!("/courses/create_announcement/{course}");
        let made = school.teacher.post_json(&create, new.clone()).await.ok();
        let id = made["id"].as_str().unwrap();
        let mut shown = json!({
            "id": id, "course_id": course, "group": null, "title": "Exam", "excerpt": "On Friday", "content": document("On Friday"),
            "author": {"id": teacher["id"], "full_name": teacher["full_name"]}, "created_at": NOW, "updated_at": NOW, "publish_at": null,
            "published_at": NOW, "is_pinned": true, "version": 1, "is_read": true, "readers": 0, "receivers": 1,
        });
        assert_eq!(made, shown);
        let one = format!("/courses/announcement/{id}");
        assert_eq!(school.owner.get(&one).await.ok()["receivers"], 1);
        shown["readers"] = Value::Null;
        shown["receivers"] = Value::Null;
        shown["is_read"] = json!(false);
        let list = format!("/courses/announcements/{course}");
        for reader in [&school.learner, &school.editor, &reviewer, &school.admin] {
            assert_eq!(reader.get(&one).await.ok(), shown);
            let listed = json!({"data": [shown], "count": 1, "has_more": false, "unread": 1, "can_write": false});
            assert_eq!(reader.get(&list).await.ok(), listed);
            assert_eq!(reader.post_json(&create, new.clone()).await.status, 403);
        }
        assert_eq!(school.owner.get(&list).await.ok()["can_write"], true);
        for (other, status) in [(&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(other.get(&one).await.status, status);
            assert_eq!(other.get(&list).await.status, status);
            assert_eq!(other.post_json(&create, new.clone()).await.status, status);
        }
        publish_due(&server.kurso).await.unwrap();
        let notices = school.learner.get("/notices").await.ok();
        let notice = &notices["data"][0];
        assert_eq!((&notice["kind"], &notice["subject_id"], &notice["text"]), (&json!("announcement"), &json!(id), &json!("Exam")));
        let read = json!({"announcement_ids": [id]});
        let mark = format!("/courses/mark_announcements_read/{course}");
        assert_eq!(school.learner.post_json(&mark, read).await.ok(), json!({"unread": 0}));
        assert_eq!(school.learner.get("/notices").await.ok()["unread"], 0);
        let update = format!("/courses/update_announcement/{id}");
        let changed = school.owner.put_json(&update, json!({"version": 1, "title": "Exams"})).await.ok();
        assert_eq!((&changed["title"], &changed["version"], &changed["readers"]), (&json!("Exams"), &json!(2), &json!(1)));
        assert_eq!(school.owner.put_json(&update, json!({"version": 1})).await.status, 409);
        let later = json!({"version": 2, "publish_at": "2099-01-01T00:00:00Z"});
        assert_eq!(school.owner.put_json(&update, later).await.status, 409);
        let delete = format!("/courses/delete_announcement/{id}");
        for (other, status) in [(&school.editor, 403), (&school.learner, 403), (&school.stranger, 404)] {
            assert_eq!(other.delete(&delete).await.status, status);
        }
        school.teacher.delete(&delete).await.ok();
        assert_eq!(school.learner.get(&one).await.status, 404);
        assert_eq!(school.learner.get("/notices").await.ok()["data"], json!([]));
    }

    async fn scheduled_ones_are_for_those_who_write(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let new = json!({"title": "Later", "content": document("x"), "publish_at": "2099-01-01T00:00:00Z"});
        let made = school.owner.post_json(&format!("/courses/create_announcement/{}", school.course), new).await.ok();
        assert_eq!((&made["publish_at"], &made["published_at"]), (&json!("2099-01-01T00:00:00Z"), &Value::Null));
        let list = format!("/courses/announcements/{}", school.course);
        let id = made["id"].as_str().unwrap();
        for (who, is_shown) in [(&school.teacher, true), (&school.editor, false), (&school.learner, false), (&school.admin, false)] {
            assert_eq!(who.get(&list).await.ok()["count"], i32::from(is_shown));
            let status = if is_shown { 200 } else { 404 };
            assert_eq!(who.get(&format!("/courses/announcement/{id}")).await.status, status);
            if !is_shown {
                assert_eq!(who.put_json(&format!("/courses/update_announcement/{id}"), json!({"version": 1})).await.status, 404);
                assert_eq!(who.delete(&format!("/courses/delete_announcement/{id}")).await.status, 404);
            }
        }
    }

    async fn students_are_nudged_and_found_by_state(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let students = format!("/courses/course_students/{}?state=not_started", school.course);
        let listed = school.teacher.get(&students).await.ok();
        assert_eq!(listed["count"], 1);
        let student = &listed["data"][0];
        assert_eq!(student["last_nudged_at"], Value::Null);
        let id = &student["enrollment_id"];
        let nudge = format!("/courses/nudge_students/{}", school.course);
        let body = json!({"enrollment_ids": [id], "text": "Go on"});
        for (who, status) in [(&school.editor, 403), (&school.learner, 403), (&school.admin, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(who.post_json(&nudge, body.clone()).await.status, status);
        }
        assert_eq!(school.teacher.post_json(&nudge, body.clone()).await.ok(), json!({"nudged": [id], "skipped": []}));
        assert_eq!(school.owner.post_json(&nudge, body).await.ok(), json!({"nudged": [], "skipped": [id]}));
        assert_eq!(school.teacher.get(&students).await.ok()["data"][0]["last_nudged_at"], NOW);
        let notice = &school.learner.get("/notices").await.ok()["data"][0];
        assert_eq!((&notice["kind"], &notice["text"]), (&json!("nudge"), &json!("Go on")));
        let stalled = format!("/courses/course_students/{}?state=stalled", school.course);
        assert_eq!(school.teacher.get(&stalled).await.ok()["count"], 0);
    }

    async fn wrong_fields_are_named(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = school.course;
        let content = document("x");
        let many: Vec<Value> = (0..101).map(|_| json!(uuid::Uuid::now_v7())).collect();
        for (path, body, field) in [
            ("create_announcement", json!({"content": content}), "title"),
            ("create_announcement", json!({"title": "x"}), "content"),
            ("create_announcement", json!({"title": "x".repeat(256), "content": content}), "title"),
            ("create_announcement", json!({"title": "x", "content": document(&"x".repeat(100_000))}), "content"),
            ("create_announcement", json!({"title": "x", "content": content, "publish_at": "soon"}), "publish_at"),
            ("create_announcement", json!({"title": "x", "content": content, "group_id": uuid::Uuid::now_v7()}), "group_id"),
            ("mark_announcements_read", json!({"announcement_ids": []}), "announcement_ids"),
            ("mark_announcements_read", json!({"announcement_ids": many}), "announcement_ids"),
            ("nudge_students", json!({"enrollment_ids": [], "text": "x"}), "enrollment_ids"),
            ("nudge_students", json!({"enrollment_ids": [many[0]], "text": ""}), "text"),
            ("nudge_students", json!({"enrollment_ids": [many[0]], "text": "x".repeat(2001)}), "text"),
        ] {
            let refused = school.owner.post_json(&format!("/courses/{path}/{course}"), body.clone()).await.fields();
            assert!(refused.len() == 1 && refused[0].ends_with(&format!(" at body.{field}")), "{path} {field}: {refused:?}");
        }
        let refused = school.owner.get(&format!("/courses/course_students/{course}?state=bored")).await.fields();
        assert!(refused.len() == 1 && refused[0].ends_with(" at query.state"), "{refused:?}");
    }
}
