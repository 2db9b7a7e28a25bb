//! Overrides of dates and attempts over HTTP. What each role may do is in the table of rights.

use futures_util::future::join_all;
use kurso_base::ids::CourseId;
use kurso_core::both;
use kurso_core::testing::exam::exam;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::quiz::Exam;
use crate::support::{Answer, Persona, School, Server};

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

    async fn a_change_based_on_another_override_than_the_stored_one_changes_nothing(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        let path = format!("/courses/set_override/{}", school.course);
        let set = async |by: &Persona<'_>, limits: Value, expected: Value| {
            let mut body = json!({"enrollment_id": student, "page_id": exam.page, "expected": expected});
            body.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
            by.put_json(&path, body).await
        };
        let first = set(&school.owner, json!({"due_at": "2026-12-01T10:00:00.000001Z", "late_until": null}), json!(null)).await.ok();
        let conflict = |answer: Answer, stored: &Value| {
            let told = "Somebody else has changed this override since you read it";
            assert_eq!((answer.status, answer.json()), (409, json!({"detail": told, "override": stored})));
        };
        conflict(set(&school.teacher, json!({"time_factor": 2}), json!(null)).await, &first);
        let read = json!({"due_at": "2026-12-01T13:00:00.000001+03:00", "late_until": null});
        for other in [json!({}), json!({"due_at": read["due_at"]}), json!({"due_at": null, "late_until": null})] {
            conflict(set(&school.teacher, json!({"time_factor": 2}), other).await, &first);
        }
        let second = set(&school.teacher, json!({"due_at": read["due_at"], "time_factor": 1.5}), read.clone()).await.ok();
        assert_eq!([&second["id"], &second["time_factor"], &second["lifted"]], [&first["id"], &json!(1.5), &json!([])]);
        let delete = async |expected: &str| {
            let id = second["id"].as_str().unwrap();
            school.owner.delete(&format!("/courses/delete_override/{id}?expected={}", expected.replace('"', "%22").replace('+', "%2B"))).await
        };
        conflict(delete(&read.to_string()).await, &second);
        for (wrong, problem) in [("x", "json_invalid at query.expected"), ("[]", "model_attributes_type at query.expected")] {
            assert_eq!(delete(wrong).await.fields(), [problem]);
        }
        let now = json!({"due_at": read["due_at"], "time_factor": 1.5});
        delete(&now.to_string()).await.ok();
        delete(&now.to_string()).await.refused(404, "There is no such override");
        conflict(set(&school.owner, json!({"time_factor": 2}), now).await, &Value::Null);
        let wrong = set(&school.owner, json!({"time_factor": 2}), json!({"due": null})).await;
        assert_eq!(wrong.fields(), ["value_error at body.expected"]);
        assert_eq!(school.owner.get(&format!("/courses/overrides/{}", school.course)).await.ok()["count"], 0);
    }

    /// Ten teachers give the same learner an attempt, and change another override, at the same moment.
    async fn ten_teachers_at_once_lose_no_attempt_and_no_limit(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        let path = format!("/courses/set_override/{}", school.course);
        let course: CourseId = school.course.to_string().parse().unwrap();
        let mut teachers = vec![];
        for n in 0..10 {
            let viewer = server.kurso.person(&format!("teacher{n}")).await;
            server.kurso.collaborator(course, &viewer, "teacher").await;
            teachers.push(server.viewer(&viewer));
        }
        let due = json!({"enrollment_id": student, "page_id": exam.page, "due_at": "2026-12-01"});
        school.owner.put_json(&path, due).await.ok();
        let days = join_all((1_usize..).zip(&teachers).map(|(n, teacher)| {
            let (path, student, page) = (&path, &student, exam.page);
            async move {
                let one_more = json!({"enrollment_id": student, "page_id": page, "add_attempts": 1});
                teacher.put_json(path, one_more).await.ok();
                let day = json!({"enrollment_id": student, "due_at": format!("2026-12-{n:02}"), "lesson_id": null, "module_id": null});
                assert_eq!(teacher.put_json(path, day).await.fields(), ["value_error at body.due_at"], "a course has none");
                let end = json!({"enrollment_id": student, "available_until": format!("2026-12-{n:02}"), "expected": null});
                teacher.put_json(path, end).await
            }
        })).await;
        let overrides = school.owner.get(&format!("/courses/overrides/{}", school.course)).await.ok();
        let stored = &overrides["data"];
        assert_eq!([&stored[0]["extra_attempts"], &stored[0]["due_at"]], [&json!(10), &json!("2026-12-01T23:59:00Z")], "{stored}");
        let won: Vec<usize> = (0..10).filter(|n| days[*n].status == 200).collect();
        assert_eq!(won.len(), 1);
        assert_eq!(stored[1]["available_until"], format!("2026-12-{:02}T23:59:00Z", won[0] + 1));
        for (n, answer) in days.iter().enumerate().filter(|(n, _)| !won.contains(n)) {
            assert_eq!((answer.status, &answer.json()["override"]), (409, &stored[1]), "{n} is shown what is stored");
        }
    }

    async fn attempts_are_added_to_what_is_given(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        let group = school.owner.post_json(&format!("/courses/create_group/{}", school.course), json!({"title": "А"})).await.ok()["id"].clone();
        let members = json!({"enrollment_ids": [student], "group_id": group});
        school.owner.post_json(&format!("/courses/move_students/{}", school.course), members).await.ok();
        let path = format!("/courses/set_override/{}", school.course);
        let set = async |limits: Value| {
            let mut body = json!({"enrollment_id": student, "page_id": exam.page});
            body.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
            school.teacher.put_json(&path, body).await
        };
        let of_group = json!({"group_id": group, "page_id": exam.page, "extra_attempts": 3});
        school.owner.put_json(&path, of_group).await.ok();
        assert_eq!(set(json!({"add_attempts": 2})).await.ok()["extra_attempts"], 5, "two more than the group gives");
        assert_eq!(set(json!({"add_attempts": 95})).await.ok()["extra_attempts"], 100);
        assert_eq!(set(json!({"add_attempts": 1})).await.fields(), ["less_than_equal at body.add_attempts"]);
        assert_eq!(set(json!({"add_attempts": 0})).await.fields(), ["greater_than_equal at body.add_attempts"]);
        let beside = set(json!({"add_attempts": 1, "due_at": null, "time_factor": 2})).await;
        assert_eq!(beside.fields(), ["value_error at body.due_at", "value_error at body.time_factor"]);
        set(json!({"extra_attempts": null, "late_until": null})).await.ok();
        let lifted = set(json!({"add_attempts": 1})).await.ok();
        assert_eq!([&lifted["extra_attempts"], &lifted["lifted"]], [&json!(null), &json!(["late_until", "extra_attempts"])]);
        let text = json!({"enrollment_id": student, "page_id": school.pages[0], "add_attempts": 1});
        assert_eq!(school.owner.put_json(&path, text).await.fields(), ["value_error at body.add_attempts"]);
    }

    async fn an_extension_moves_the_ends_in_its_way_together(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        school.owner.put_json(&format!("/courses/update_course/{}", school.course), json!({"ends_at": "2026-12-01"})).await.ok();
        school.owner.put_json(&format!("/courses/update_page/{}", exam.page), json!({"available_until": "2026-11-30"})).await.ok();
        let id = student.as_str().unwrap();
        let times = async |limits: &str| {
            let path = format!("/courses/override_times/{}?enrollment_id={id}&page_id={}&limits={limits}", school.course, exam.page);
            school.editor.get(&path).await
        };
        let found = times("%7B%22due_at%22:%222026-12-05%22%7D").await.ok();
        let none = json!({"available_from": null, "available_until": "2026-11-30T23:59:00Z", "due_at": null, "late_until": null, "is_late_endless": false});
        let mut result = none.clone();
        result["due_at"] = json!("2026-12-05T23:59:00Z");
        let end = |page: Value, at: &str| json!({"module_id": null, "lesson_id": null, "page_id": page, "available_until": at});
        assert_eq!(found, json!({
            "everyone": none, "group": null, "result": result, "deadline": "2026-12-05T23:59:00Z",
            "earlier_ends": [end(Value::Null, "2026-12-01T23:59:00Z"), end(json!(exam.page), "2026-11-30T23:59:00Z")],
            "earlier_parts": {"data": [], "count": 0}, "earlier_students": {"data": [], "count": 0},
        }));
        let group = school.owner.post_json(&format!("/courses/create_group/{}", school.course), json!({"title": "А"})).await.ok()["id"].clone();
        let to_group = json!({"enrollment_ids": [student], "group_id": group});
        school.owner.post_json(&format!("/courses/move_students/{}", school.course), to_group).await.ok();
        let own = json!({"enrollment_id": student, "available_until": "2026-11-29"});
        let own = school.owner.put_json(&format!("/courses/set_override/{}", school.course), own).await.ok()["id"].clone();
        let path = format!("/courses/override_times/{}?group_id={}&limits=%7B%22available_until%22:%222026-12-01%22%7D", school.course, group.as_str().unwrap());
        let found = school.editor.get(&path).await.ok();
        assert_eq!(found["earlier_parts"], json!({"data": [
            {"module_id": null, "lesson_id": null, "page_id": exam.page, "at": "2026-11-30T23:59:00Z"},
        ], "count": 1}));
        assert_eq!(found["earlier_students"], json!({"data": [
            {"enrollment_id": student, "full_name": "learner", "email": "learner@example.com", "at": "2026-11-29T23:59:00Z"},
        ], "count": 1}));
        school.owner.delete(&format!("/courses/delete_override/{}", own.as_str().unwrap())).await.ok();
        school.owner.delete(&format!("/courses/delete_group/{}", group.as_str().unwrap())).await.ok();
        assert_eq!(times("%7B%22due%22:1%7D").await.fields(), ["value_error at query.limits.due"]);
        assert_eq!(times("x").await.fields(), ["json_invalid at query.limits"]);

        let path = format!("/courses/set_overrides/{}", school.course);
        let set = async |overrides: Value| school.teacher.put_json(&path, json!({"enrollment_id": student, "overrides": overrides})).await;
        let until = "2026-12-05T23:59:00Z";
        let both = json!([
            {"page_id": exam.page, "due_at": until, "available_until": until, "expected": null},
            {"available_until": until, "expected": null},
        ]);
        let stored = set(both.clone()).await.ok()["overrides"].clone();
        assert_eq!([&stored[0]["due_at"], &stored[1]["available_until"], &stored[1]["page_id"]], [&json!(until), &json!(until), &Value::Null]);
        let refused = set(both).await;
        let of = |page: Value, stored: &Value| json!({"module_id": null, "lesson_id": null, "page_id": page, "override": stored});
        assert_eq!((refused.status, refused.json()), (409, json!({
            "detail": "Somebody else has changed this override since you read it",
            "changed": [of(json!(exam.page), &stored[0]), of(Value::Null, &stored[1])],
        })));
        let back = json!([{"page_id": exam.page, "expected": {"due_at": until, "available_until": until}}, {"expected": {"available_until": until}}]);
        assert_eq!(set(back).await.ok(), json!({"overrides": [null, null]}));
        assert_eq!(set(json!([{"due_at": until}])).await.fields(), ["value_error at body.overrides.0.due_at"]);
        assert_eq!(set(json!([{"page": exam.page}, {"extra_attempts": 101}])).await.fields(), [
            "value_error at body.overrides.0.page", "less_than_equal at body.overrides.1.extra_attempts",
        ]);
        let zone = json!({"enrollment_id": student, "expected_time_zone": "Europe/Moscow", "overrides": [{"available_until": "2026-12-09"}]});
        let refused = school.teacher.put_json(&path, zone).await;
        let told = "Somebody else has changed the time zone of the course. Check the times";
        assert_eq!((refused.status, refused.json()), (409, json!({"detail": told, "changed": []})));
        let one = json!({"enrollment_id": student, "expected_time_zone": "Europe/Moscow", "available_until": "2026-12-09T10:00"});
        let refused = school.teacher.put_json(&format!("/courses/set_override/{}", school.course), one).await;
        assert_eq!((refused.status, refused.json()), (409, json!({"detail": told, "override": null})));
    }

    async fn an_unused_granted_attempt_can_be_taken_back(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let mut quiz = exam("never");
        quiz["max_attempts"] = json!(1);
        let exam = Exam::open(&server, &quiz).await;
        let (school, answers) = (&exam.school, exam.body(false).await);
        exam.submit(&answers).await.ok();
        let student = enrollment(school).await;
        let call = async |name: &str| {
            school.teacher.post(&format!("/courses/{name}/{}/{}", student.as_str().unwrap(), exam.page)).await
        };
        call("grant_attempt").await.ok();
        assert_eq!(call("take_back_attempt").await.ok(), json!({"message": "The additional attempt was taken back"}));
        let none = "The student has no additional attempt, or has already used it";
        call("take_back_attempt").await.refused(409, none);
        assert_eq!(exam.submit(&answers).await.status, 409, "no attempt is left");
        let grant = call("grant_attempt").await.ok()["grant"].as_str().unwrap().to_owned();
        assert_eq!(call("take_back_attempt").await.status, 200);
        let take = async |grant: &str| {
            let path = format!("/courses/take_back_attempt/{}/{}?grant={grant}", student.as_str().unwrap(), exam.page);
            school.teacher.post(&path).await
        };
        take(&grant).await.refused(409, none);
        assert_eq!(take("x").await.fields(), ["value_error at query.grant"]);
        let grant = call("grant_attempt").await.ok()["grant"].as_str().unwrap().to_owned();
        take(&grant).await.ok();
        call("grant_attempt").await.ok();
        exam.submit(&answers).await.ok();
        call("take_back_attempt").await.refused(409, none);
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
