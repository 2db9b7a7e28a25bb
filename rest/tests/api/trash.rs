//! The trash.

use kurso_base::ids::CourseId;
use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{Answer, NOW, Persona, School, Server};

async fn entries(persona: &Persona<'_>, course: CourseId) -> Vec<Value> {
    let found = persona.get(&format!("/courses/trash/{course}")).await.ok();
    let data = found["data"].as_array().unwrap().clone();
    assert_eq!(found["count"], data.len());
    data
}

async fn restore(persona: &Persona<'_>, entry: &Value, to: Value) -> Answer {
    let path = format!("/courses/restore_from_trash/{}", entry["id"].as_str().unwrap());
    persona.post_json(&path, to).await
}

both! {
    async fn parts_are_listed_restored_and_deleted_forever(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let before = school.owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        school.editor.delete(&format!("/courses/delete_page/{}", school.pages[1])).await.ok();
        let entry = entries(&school.owner, school.course).await.remove(0);
        assert_eq!(entry, json!({
            "id": entry["id"], "kind": "page", "title": "Стр. 1", "course_id": school.course, "course_title": "Курс",
            "place": ["Модуль 1", "Урок 1.1"], "page_count": 1, "attempt_count": 0,
            "deleted_by": {"id": entry["deleted_by"]["id"], "full_name": "editor"},
            "deleted_at": NOW, "expires_at": "2026-12-21T09:00:00Z", "parent_is_gone": false,
        }));
        let misplaced = restore(&school.owner, &entry, json!({"module_id": school.course})).await;
        assert_eq!(misplaced.fields(), ["value_error at body.module_id"]);
        let unknown = restore(&school.owner, &entry, json!({"lesson_id": school.course})).await;
        assert_eq!(unknown.fields(), ["value_error at body.lesson_id"]);
        let wrong = restore(&school.owner, &entry, json!({"lesson_id": "x"})).await;
        assert_eq!(wrong.fields(), ["uuid_parsing at body.lesson_id"]);
        let restored = restore(&school.owner, &entry, json!({})).await.ok();
        assert_eq!(restored["modules"], before["modules"]);
        restore(&school.owner, &entry, json!({})).await.refused(404, "This is not in the trash any more");

        school.owner.delete(&format!("/courses/delete_lesson/{}", school.lesson)).await.ok();
        let entry = entries(&school.owner, school.course).await.remove(0);
        assert_eq!(entry["page_count"], 3);
        let path = format!("/courses/delete_forever/{}", entry["id"].as_str().unwrap());
        for (persona, status) in [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.learner, 403), (&school.teacher, 403), (&school.admin, 403),
            (&school.editor, 200), (&school.owner, 404),
        ] {
            assert_eq!(persona.delete(&path).await.status, status);
        }
        assert!(entries(&school.owner, school.course).await.is_empty());
    }

    async fn a_part_whose_parent_is_gone_needs_another_one(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        school.owner.delete(&format!("/courses/delete_page/{}", school.pages[0])).await.ok();
        school.owner.delete(&format!("/courses/delete_lesson/{}", school.lesson)).await.ok();
        let all = entries(&school.owner, school.course).await;
        assert_eq!((&all[0]["parent_is_gone"], &all[1]["parent_is_gone"]), (&json!(false), &json!(true)));
        let refused = restore(&school.owner, &all[1], json!({})).await;
        refused.refused(409, "The part of the course that contained this is in the trash too: restore it first");
        restore(&school.owner, &all[0], json!({})).await.ok();
        let course = restore(&school.owner, &all[1], json!({})).await.ok();
        assert_eq!(course["modules"][0]["lessons"][0]["pages"][0]["id"], json!(school.pages[0]));
    }

    async fn deleted_courses_are_seen_by_their_owner_and_superusers(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let before = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        school.owner.delete(&format!("/courses/delete_course/{}", school.course)).await.ok();
        for persona in [&school.editor, &school.teacher, &school.learner, &school.stranger] {
            assert_eq!(persona.get("/courses/deleted_courses").await.ok(), json!({"data": [], "count": 0}));
        }
        let entry = school.admin.get("/courses/deleted_courses").await.ok()["data"][0].clone();
        assert_eq!((&entry["kind"], &entry["course_id"], &entry["page_count"]), (&json!("course"), &json!(school.course), &json!(5)));
        for persona in [&school.editor, &school.stranger, &school.learner] {
            restore(persona, &entry, json!({})).await.refused(404, "This is not in the trash any more");
        }
        restore(&school.owner, &entry, json!({})).await.ok();
        let after = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        assert_eq!(before["modules"], after["modules"]);
        assert_eq!(before["progress"], after["progress"]);
    }
}
