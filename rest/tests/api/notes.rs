//! Notes, bookmarks and ticks.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

both! {
    async fn a_learner_notes_and_exports(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let learner = &school.learner;
        let (course, page) = (school.course, school.pages[0]);
        let version = school.owner.get(&format!("/courses/get_page/{page}")).await.ok()["version"].clone();
        let new = json!({"color": "green", "body": "Mine", "version": version, "block": 0, "quote": "Page"});
        let note = learner.post_json(&format!("/courses/create_note/{page}"), new).await.ok();
        let id = note["id"].as_str().unwrap();
        let suffix = note["quote"]["suffix"].clone();
        assert_eq!(note, json!({"id": id, "page_id": page, "color": "green", "body": "Mine", "created_at": NOW, "updated_at": NOW, "version": 1,
            "state": "found", "quote": {"exact": "Page", "prefix": "", "suffix": suffix}, "place": {"version": 1, "block": 0, "start": 0, "end": 4}}));
        let kept = learner.get(&format!("/courses/page_notes/{page}")).await.ok();
        assert_eq!(kept, json!({"notes": [note], "is_bookmarked": false, "ticked_tasks": [], "ticked_version": null}));
        let changed = learner.put_json(&format!("/courses/update_note/{id}"), json!({"version": 1, "body": ""})).await.ok();
        assert_eq!((&changed["version"], &changed["body"]), (&json!(2), &json!("")));
        let marked = learner.put_json(&format!("/courses/set_bookmark/{page}"), json!({"is_bookmarked": true})).await.ok();
        assert_eq!(marked, json!({"is_bookmarked": true, "ticked_tasks": [], "ticked_version": null}));
        let listed = learner.get(&format!("/courses/course_notes/{course}?color=green&search=page")).await.ok();
        assert_eq!((&listed["count"], &listed["data"][0]["page"]["id"], &listed["bookmarks"][0]["id"]), (&json!(1), &json!(page), &json!(page)));
        let courses = learner.get("/courses/noted_courses").await.ok();
        let title = courses["data"][0]["course_title"].clone();
        assert_eq!(courses, json!({"data": [{"course_id": course, "course_title": title, "notes": 1, "has_left": false}]}));
        assert_eq!(learner.get(&format!("/courses/course_notes/{course}?color=red")).await.status, 422);
        let text = learner.get(&format!("/courses/export_notes/{course}")).await;
        assert_eq!((text.status, text.header("content-type")), (200, "text/markdown; charset=utf-8"));
        assert!(text.text().contains("\n> Page\n"), "{}", text.text());
        for other in [&school.owner, &school.teacher] {
            let none = other.get(&format!("/courses/page_notes/{page}")).await.ok();
            assert_eq!((&none["notes"], &none["is_bookmarked"]), (&json!([]), &json!(false)));
            assert_eq!(other.delete(&format!("/courses/delete_note/{id}")).await.status, 404);
        }
        learner.delete(&format!("/courses/delete_note/{id}")).await.ok();
        assert_eq!(learner.get(&format!("/courses/page_notes/{page}")).await.ok()["notes"], Value::Array(vec![]));
    }
}
