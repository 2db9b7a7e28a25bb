//! Overrides of dates and attempts over HTTP. What each role may do is in the table of rights.

use kurso_core::both;
use kurso_core::testing::exam::exam;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::quiz::Exam;
use crate::support::{School, Server};

/// The clock of the tests stands at 2026-11-21T09:00:00Z.
const YESTERDAY: &str = "2026-11-20T09:00:00Z";

async fn enrollment(school: &School<'_>) -> Value {
    let path = format!("/courses/course_students/{}", school.course);
    let list = school.owner.get(&path).await.ok();
    list["data"][0]["enrollment_id"].clone()
}

both! {
    async fn overrides_are_set_listed_and_deleted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let student = enrollment(&school).await;
        let title = json!({"title": "А"});
        let group = school.owner.post_json(&format!("/courses/create_group/{}", school.course), title).await.ok()["id"].clone();
        let set = format!("/courses/set_override/{}", school.course);
        let body = json!({"enrollment_id": student, "page_id": school.pages[0], "available_until": null, "due_at": "2026-12-01"});
        let own = school.teacher.put_json(&set, body).await.ok();
        assert_eq!(own, json!({
            "id": own["id"], "course_id": school.course, "group_id": null, "group_title": null, "enrollment_id": student,
            "full_name": own["full_name"], "email": "learner@example.com", "module_id": null, "lesson_id": null, "page_id": school.pages[0],
            "available_from": null, "available_until": null, "due_at": "2026-12-01T23:59:00Z", "late_until": null, "extra_attempts": null,
            "time_factor": null, "lifted": ["available_until"], "updated_at": "2026-11-21T09:00:00Z",
        }));
        let of_group = school.owner.put_json(&set, json!({"group_id": group, "lesson_id": school.lesson, "available_from": "2026-11-01T10:00", "time_factor": 1.25})).await.ok();
        assert_eq!([&of_group["group_title"], &of_group["available_from"]], ["А", "2026-11-01T10:00:00Z"]);
        assert_eq!(of_group["time_factor"], 1.25);
        let list = format!("/courses/overrides/{}", school.course);
        assert_eq!(school.editor.get(&list).await.ok(), json!({"data": [of_group, own], "count": 2}));
        let one = |field: &str, id: &Value| format!("{list}?{field}={}", id.as_str().unwrap());
        assert_eq!(school.owner.get(&one("group_id", &group)).await.ok(), json!({"data": [of_group], "count": 1}));
        assert_eq!(school.owner.get(&one("enrollment_id", &student)).await.ok(), json!({"data": [own], "count": 1}));
        assert_eq!(school.owner.get(&format!("{list}?skip=1&limit=5")).await.ok(), json!({"data": [own], "count": 2}));
        assert_eq!(school.owner.get(&format!("{list}?group_id=none")).await.fields(), ["uuid_parsing at query.group_id"]);
        let delete = format!("/courses/delete_override/{}", own["id"].as_str().unwrap());
        assert_eq!(school.teacher.delete(&delete).await.ok(), json!({"message": "The override was deleted"}));
        school.teacher.delete(&delete).await.refused(404, "There is no such override");
        assert_eq!(school.owner.get(&list).await.ok()["count"], 1);
    }

    async fn bad_overrides_are_refused_by_field(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let student = enrollment(&school).await;
        let set = format!("/courses/set_override/{}", school.course);
        for (body, fields) in [
            (json!({"enrollment_id": student, "page_id": "x", "due_at": "soon", "extra_attempts": 101, "time_factor": 5.5}), vec![
                "uuid_parsing at body.page_id", "value_error at body.due_at", "less_than_equal at body.extra_attempts",
                "less_than_equal at body.time_factor",
            ]),
            (json!({"enrollment_id": student, "extra_attempts": 1.5, "time_factor": "2"}), vec![
                "int_from_float at body.extra_attempts", "float_type at body.time_factor",
            ]),
            (json!({"enrollment_id": student, "time_factor": 0.5}), vec!["greater_than_equal at body.time_factor"]),
            (json!({"time_factor": 2}), vec!["value_error at body.group_id"]),
            (json!({"enrollment_id": student}), vec!["value_error at body"]),
            (json!({"enrollment_id": Uuid::new_v4(), "time_factor": 2}), vec!["value_error at body.enrollment_id"]),
            (json!({"enrollment_id": student, "page_id": school.pages[0], "extra_attempts": 1}), vec!["value_error at body.extra_attempts"]),
            (json!({"enrollment_id": student, "page_id": school.pages[0], "time_factor": 2}), vec!["value_error at body.time_factor"]),
        ] {
            assert_eq!(school.owner.put_json(&set, body.clone()).await.fields(), fields, "{body}");
        }
    }

    async fn an_extension_opens_a_closed_quiz_for_one_learner(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        school.owner.put_json(&format!("/courses/update_page/{}", exam.page), json!({"due_at": YESTERDAY})).await.ok();
        let answers = exam.body(true).await;
        let closed = exam.submit(&answers).await;
        assert_eq!((closed.status, &closed.json()["code"]), (409, &json!("CLOSED")));
        let longer = json!({"enrollment_id": enrollment(school).await, "page_id": exam.page, "due_at": "2026-11-30", "extra_attempts": 2});
        school.teacher.put_json(&format!("/courses/set_override/{}", school.course), longer).await.ok();
        let page = school.learner.get(&format!("/courses/enrolled_page/{}", exam.page)).await.ok();
        assert_eq!([&page["timeline"]["state"], &page["timeline"]["due_at"]], ["open", "2026-11-30T23:59:00Z"]);
        exam.submit(&answers).await.ok();
    }
}
