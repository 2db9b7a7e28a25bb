//! Snapshots of courses.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

both! {
    async fn a_snapshot_is_taken_shown_compared_and_restored(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, editor, course, page) = (&school.owner, &school.editor, school.course, school.pages[1]);
        let tree = async || owner.get(&format!("/courses/get_course/{course}")).await.ok()["modules"].clone();
        let before = tree().await;
        let taken = editor.post_json(&format!("/courses/take_snapshot/{course}"), json!({"name": "До правок"})).await.ok();
        let id = taken["id"].as_str().unwrap();
        assert_eq!(taken, json!({
            "id": id, "course_id": course, "name": "До правок", "reason": "named", "taken_at": NOW,
            "taken_by": {"id": taken["taken_by"]["id"], "full_name": "editor"}, "expires_at": null,
            "module_count": taken["module_count"], "lesson_count": taken["lesson_count"], "page_count": taken["page_count"], "size": taken["size"],
        }));
        assert_eq!(owner.get(&format!("/courses/snapshots/{course}")).await.ok(), json!({"data": [taken], "count": 1}));
        let wrong = editor.post_json(&format!("/courses/take_snapshot/{course}"), json!({"name": ""})).await;
        assert_eq!(wrong.fields(), ["string_too_short at body.name"]);
        let wrong = editor.post_json(&format!("/courses/take_snapshot/{course}"), json!({"name": "я".repeat(121)})).await;
        assert_eq!(wrong.fields(), ["string_too_long at body.name"]);

        owner.put_json(&format!("/courses/update_page/{page}"), json!({"title": "Другая"})).await.ok();
        owner.delete(&format!("/courses/delete_page/{}", school.pages[0])).await.ok();
        let content = owner.get(&format!("/courses/snapshot/{id}")).await.ok();
        assert_eq!((&content["snapshot"], &content["title"]), (&taken, &json!("Курс")));
        let lines = content["modules"][0]["lessons"][0]["pages"].as_array().unwrap();
        assert_eq!(lines[1], json!({"id": page, "title": "Стр. 1", "kind": lines[1]["kind"], "published": true, "has_draft": false}));
        let text = owner.get(&format!("/courses/snapshot_page/{id}/{page}")).await.ok();
        assert_eq!((&text["title"], &text["content"]["type"], &text["draft"]), (&json!("Стр. 1"), &json!("doc"), &Value::Null));
        owner.get(&format!("/courses/snapshot_page/{id}/{course}")).await.refused(404, "Page not found");

        let changes = owner.get(&format!("/courses/snapshot_changes/{id}")).await.ok();
        let changed = &changes["changed"][0];
        assert_eq!((&changed["id"], &changed["fields"], &changed["part"]), (&json!(page), &json!(["title"]), &json!("page")));
        assert_eq!(changes["added"][0]["id"], json!(school.pages[0]));
        let same = owner.get(&format!("/courses/snapshot_changes/{id}?since={id}")).await.ok();
        assert_eq!((&same["digest"], &same["changed"]), (&Value::Null, &json!([])));
        let unknown = owner.get(&format!("/courses/snapshot_changes/{id}?since={course}")).await;
        unknown.refused(404, "Snapshot not found");
        assert_eq!(owner.get(&format!("/courses/snapshot_changes/{id}?since=x")).await.fields(), ["uuid_parsing at query.since"]);

        let restore = format!("/courses/restore_snapshot/{id}");
        let outdated = "The course has changed since it was compared with the snapshot. Look at the changes again";
        owner.post_json(&restore, json!({"digest": "x"})).await.refused(409, outdated);
        let restored = owner.post_json(&restore, json!({"digest": changes["digest"]})).await.ok();
        assert_eq!(restored["course"]["modules"], tree().await);
        assert_eq!(tree().await, before);
        assert_eq!((&restored["before"]["reason"], &restored["before"]["expires_at"]), (&json!("before_restore"), &json!("2026-12-21T09:00:00Z")));

        let automatic = restored["before"]["id"].as_str().unwrap();
        let renamed = owner.put_json(&format!("/courses/rename_snapshot/{automatic}"), json!({"name": "После"})).await.ok();
        assert_eq!((&renamed["name"], &renamed["expires_at"]), (&json!("После"), &Value::Null));
        let deleted = owner.delete(&format!("/courses/delete_snapshot/{automatic}")).await.ok();
        assert_eq!(deleted, json!({"message": "The snapshot was deleted"}));
        owner.delete(&format!("/courses/delete_snapshot/{automatic}")).await.refused(404, "Snapshot not found");
    }
}
