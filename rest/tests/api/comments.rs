//! Author comments on pages.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "content": [{"type": "text", "text": text}]})
}

both! {
    async fn threads_are_started_discussed_and_decided(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, editor, teacher) = (&school.owner, &school.editor, &school.teacher);
        let page = school.pages[0];
        let read = owner.get(&format!("/courses/get_page/{page}")).await.ok();
        let first = read["content"]["content"][0].clone();
        let new = json!({"text": "Better?", "version": read["version"], "block": 0, "quote": "words", "suggestion": [paragraph("Better")]});
        let thread = teacher.post_json(&format!("/courses/start_thread/{page}"), new).await.ok();
        let (id, comment) = (thread["id"].as_str().unwrap(), thread["comments"][0]["id"].as_str().unwrap());
        let by = json!({"id": thread["started_by"]["id"], "full_name": "teacher"});
        assert_eq!(thread, json!({
            "id": id, "page_id": page, "state": "open", "started_by": by, "created_at": NOW, "active_at": NOW, "resolved_by": null, "resolved_at": null,
            "anchor": {"block": 0, "quote": "words"}, "is_unread": false,
            "suggestion": {"before": [first], "after": [paragraph("Better")], "state": "pending", "decided_by": null, "decided_at": null},
            "comments": [{"id": comment, "author": by, "text": "Better?", "created_at": NOW, "edited_at": null, "is_mine": true, "mentions": []}],
        }));
        let listed = owner.get(&format!("/courses/page_threads/{page}?state=open")).await.ok();
        assert_eq!((&listed["count"], &listed["data"][0]["is_unread"]), (&json!(1), &json!(true)));
        let read = owner.post_json(&format!("/courses/mark_thread_read/{id}"), json!({"comment_id": comment})).await.ok();
        assert_eq!(read["is_unread"], false);
        let added = editor.post_json(&format!("/courses/add_comment/{id}"), json!({"text": "Yes"})).await.ok();
        assert_eq!(added["comments"].as_array().unwrap().len(), 2);
        let changed = teacher.put_json(&format!("/courses/edit_comment/{comment}"), json!({"text": "Good?"})).await.ok();
        assert_eq!((&changed["comments"][0]["text"], &changed["comments"][0]["edited_at"]), (&json!("Good?"), &json!(NOW)));
        let resolved = teacher.post(&format!("/courses/resolve_thread/{id}")).await.ok();
        assert_eq!((&resolved["state"], &resolved["resolved_by"]), (&json!("resolved"), &by));
        editor.post(&format!("/courses/reopen_thread/{id}")).await.ok();
        let accept = format!("/courses/accept_suggestion/{id}");
        editor.post_json(&accept, json!({"version": 99})).await.refused(409, "Somebody else has changed this page since you opened it");
        let accepted = editor.post_json(&accept, json!({"version": 1})).await.ok();
        assert_eq!((&accepted["suggestion"]["state"], &accepted["state"]), (&json!("accepted"), &json!("resolved")));
        let draft = owner.get(&format!("/courses/page_draft/{page}")).await.ok();
        assert_eq!(draft["content"]["content"][0], paragraph("Better"));
        owner.post(&format!("/courses/reject_suggestion/{id}")).await.refused(409, "This suggestion was accepted or rejected already");
        let left = owner.delete(&format!("/courses/delete_comment/{comment}")).await.ok();
        let last = left["thread"]["comments"][0]["id"].as_str().unwrap();
        assert_eq!(editor.delete(&format!("/courses/delete_comment/{last}")).await.ok(), json!({"thread": null}));
        let threads = owner.get(&format!("/courses/course_threads/{}?mentioning_me=false", school.course)).await.ok();
        assert_eq!(threads, json!({"data": [], "count": 0}));
    }

    async fn wrong_fields_are_named(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let page = school.pages[0];
        let start = format!("/courses/start_thread/{page}");
        for (body, fields) in [
            (json!({"text": ""}), ["string_too_short at body.text"]),
            (json!({"text": "x".repeat(5001)}), ["string_too_long at body.text"]),
            (json!({"text": "x", "block": 0}), ["value_error at body.version"]),
            (json!({"text": "x", "block": 99, "version": 1}), ["value_error at body.block"]),
            (json!({"text": "x", "suggestion": []}), ["value_error at body.suggestion"]),
            (json!({"text": "x", "suggestion": {}}), ["list_type at body.suggestion"]),
        ] {
            assert_eq!(school.owner.post_json(&start, body.clone()).await.fields(), fields, "{body}");
        }
        let bad = school.owner.get(&format!("/courses/page_threads/{page}?state=x")).await;
        assert_eq!(bad.status, 422);
    }

    async fn reviewers_read_drafts_and_neither_students_nor_previews_as_them(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let viewer = server.kurso.person("reviewer").await;
        server.kurso.collaborator(school.course, &viewer, "reviewer").await;
        let reviewer = server.viewer(&viewer);
        let (course, page) = (school.course, school.pages[0]);
        let draft = json!({"draft": true, "title": "Later"});
        school.owner.put_json(&format!("/courses/update_page/{page}"), draft).await.ok();
        assert_eq!(reviewer.get(&format!("/courses/page_draft/{page}")).await.ok()["title"], "Later");
        let preview = reviewer.get(&format!("/courses/preview_page/{page}?drafts=true")).await.ok();
        assert_eq!(preview["title"], "Later");
        let versions = reviewer.get(&format!("/courses/page_versions/{page}")).await.ok();
        assert_eq!(versions["data"][0]["title"], "Later");
        let students = school.owner.get(&format!("/courses/course_students/{course}")).await.ok();
        let enrollment = students["data"][0]["enrollment_id"].as_str().unwrap();
        for path in [
            format!("/courses/course_students/{course}"),
            format!("/courses/preview_course/{course}?enrollment_id={enrollment}"),
            format!("/courses/preview_page/{page}?enrollment_id={enrollment}"),
            format!("/courses/export/{course}?format=csv"),
            format!("/courses/export/{course}?format=markdown"),
            format!("/courses/groups/{course}"),
            format!("/courses/grading_queue/{course}"),
        ] {
            assert_eq!(reviewer.get(&path).await.status, 403, "{path}");
        }
        let saved = reviewer.put_json(&format!("/courses/update_page/{page}"), json!({"draft": true, "title": "x"})).await;
        assert_eq!(saved.status, 403);
    }
}
