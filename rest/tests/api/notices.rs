//! The notices of the caller.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

both! {
    async fn notices_are_listed_and_marked_as_read(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let page = school.pages[0];
        let thread = school.teacher.post_json(&format!("/courses/start_thread/{page}"), json!({"text": "Why?"})).await.ok();
        let id = thread["id"].as_str().unwrap();
        let answered = school.owner.post_json(&format!("/courses/add_comment/{id}"), json!({"text": "So."})).await.ok();
        let comment = &answered["comments"][1]["id"];
        let course = school.owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        let owner = school.owner.get("/users/me").await.ok();
        let listed = school.teacher.get("/notices").await.ok();
        let notice = listed["data"][0]["id"].clone();
        assert_eq!(listed, json!({"has_more": false, "unread": 1, "data": [{
            "id": notice, "kind": "comment", "happened_at": NOW, "is_read": false, "course": {"id": school.course, "title": course["title"]},
            "page": {"id": page, "title": listed["data"][0]["page"]["title"]}, "subject_id": comment,
            "actor": {"id": owner["id"], "full_name": owner["full_name"]}, "learner": null, "closes_at": null, "text": null,
        }]}));
        for other in [&school.owner, &school.editor, &school.learner, &school.admin, &school.stranger] {
            assert_eq!(other.get("/notices").await.ok(), json!({"data": [], "has_more": false, "unread": 0}));
            let marked = other.post_json("/notices/mark_read", json!({"ids": [notice]})).await.ok();
            assert_eq!(marked, json!({"unread": 0}));
        }
        assert_eq!(school.teacher.get("/notices?limit=0").await.ok(), json!({"data": [], "has_more": true, "unread": 1}));
        let all = school.teacher.post_json("/notices/mark_all_read", json!({"before": notice})).await.ok();
        assert_eq!(all, json!({"unread": 0}));
        assert_eq!(school.teacher.get("/notices").await.ok()["data"][0]["is_read"], true);
        assert_eq!(school.teacher.get("/notices?unread_only=true").await.ok()["data"], json!([]));
        assert_eq!(school.teacher.get("/notices?skip=1").await.ok()["data"], json!([]));
        assert_eq!(school.anonymous.get("/notices").await.status, 401);
    }

    async fn wrong_fields_are_named(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let anna = server.person("anna").await;
        let many: Vec<Value> = (0..101).map(|_| json!(uuid::Uuid::now_v7())).collect();
        for (path, body, field) in [
            ("/notices/mark_read", json!({}), "ids"),
            ("/notices/mark_read", json!({"ids": []}), "ids"),
            ("/notices/mark_read", json!({"ids": many}), "ids"),
            ("/notices/mark_read", json!({"ids": ["x"]}), "ids.0"),
            ("/notices/mark_all_read", json!({"before": 1}), "before"),
        ] {
            let refused = anna.post_json(path, body.clone()).await.fields();
            assert!(refused.len() == 1 && refused[0].ends_with(&format!(" at body.{field}")), "{body}: {refused:?}");
        }
        let refused = anna.get("/notices?unread_only=x").await.fields();
        assert!(refused.len() == 1 && refused[0].ends_with(" at query.unread_only"), "{refused:?}");
    }
}
