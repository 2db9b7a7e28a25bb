//! Dates over REST: the fields, what is resolved for the caller, and the refusals.

use futures_util::future::join_all;
use kurso_core::both;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::{School, Server};
use kurso_base::ids::CourseId;
use kurso_core::testing::exam::exam;

/// The clock of the tests stands at 2026-11-21T09:00:00Z.
const TOMORROW: &str = "2026-11-22T09:00:00Z";

both! {
    async fn dates_are_fields_of_courses_modules_lessons_and_pages(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let (school, owner) = (&exam.school, &exam.school.owner);
        let body = json!({"time_zone": "Europe/Moscow", "starts_at": "2026-09-01", "ends_at": "2027-05-31", "hide_locked_titles": true});
        let course = owner.put_json(&format!("/courses/update_course/{}", school.course), body).await.ok();
        assert_eq!([&course["starts_at"], &course["ends_at"]], ["2026-08-31T21:00:00Z", "2027-05-31T20:59:00Z"]);
        assert_eq!([&course["time_zone"], &course["hide_locked_titles"]], [&json!("Europe/Moscow"), &json!(true)]);
        let window = json!({"available_from": "2026-10-01", "due_at": "2026-12-01T12:00", "available_until": "2026-12-31T23:00:00Z"});
        let read = json!({"available_from": "2026-09-30T21:00:00Z", "due_at": "2026-12-01T09:00:00Z", "available_until": "2026-12-31T23:00:00Z"});
        let module = course["modules"][0]["id"].as_str().unwrap();
        for path in [format!("update_module/{module}"), format!("update_lesson/{}", school.lesson), format!("update_page/{}", exam.page)] {
            let changed = owner.put_json(&format!("/courses/{path}"), window.clone()).await.ok();
            for (name, at) in read.as_object().unwrap() {
                assert_eq!(changed[name], *at, "{path}");
            }
        }
        let late = json!({"late_until": "2026-12-20", "late_penalty_per_day": 10, "late_penalty_max": 30});
        let page = owner.put_json(&format!("/courses/update_page/{}", exam.page), late).await.ok();
        assert_eq!([&page["late_until"], &page["late_penalty_per_day"]], [&json!("2026-12-20T20:59:00Z"), &json!(10)]);
        let tree = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        assert_eq!(tree["timeline"]["opens_at"], "2026-08-31T21:00:00Z");
        assert_eq!(tree["modules"][0]["timeline"]["closes_at"], "2026-12-31T23:00:00Z");
        let seen = &tree["modules"][0]["lessons"][0]["pages"][2]["timeline"];
        assert_eq!(*seen, json!({
            "state": "open", "opens_at": "2026-09-30T21:00:00Z", "closes_at": "2026-12-20T20:59:00Z",
            "due_at": "2026-12-01T09:00:00Z", "late_until": "2026-12-20T20:59:00Z", "penalty_percent": 0, "reasons": [], "needs": [],
        }));
    }

    async fn bad_dates_are_named(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = async |body: Value| {
            school.owner.put_json(&format!("/courses/update_course/{}", school.course), body).await.fields()
        };
        assert_eq!(course(json!({"time_zone": "Europe/Kitezh"})).await, ["value_error at body.time_zone"]);
        assert_eq!(course(json!({"starts_at": "soon", "ends_at": "2100-01-01", "enroll_until": 5})).await, [
            "value_error at body.starts_at", "value_error at body.ends_at", "string_type at body.enroll_until",
        ]);
        assert_eq!(course(json!({"starts_at": "2026-09-02", "ends_at": "2026-09-01"})).await, ["value_error at body.ends_at"]);
        let page = format!("/courses/update_page/{}", school.pages[0]);
        let refused = school.owner.put_json(&page, json!({"late_penalty_per_day": 101})).await;
        assert_eq!(refused.fields(), ["less_than_equal at body.late_penalty_per_day"]);
        let refused = school.owner.put_json(&page, json!({"late_penalty_per_day": 10})).await;
        assert_eq!(refused.fields(), ["value_error at body.late_penalty_per_day"]);
    }

    async fn a_locked_page_is_a_409_with_time_and_reasons(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        school.owner.put_json(&format!("/courses/update_lesson/{}", school.lesson), json!({"available_from": TOMORROW})).await.ok();
        let read = format!("/courses/enrolled_page/{}", exam.page);
        for answer in [
            school.learner.get(&read).await,
            school.learner.post(&format!("/courses/mark_page_visited/{}", exam.page)).await,
            exam.submit(&exam.body(true).await).await,
        ] {
            assert_eq!((answer.status, answer.json()), (409, json!({
                "detail": "This page is not open for you yet", "code": "LOCKED", "opens_at": TOMORROW, "reasons": ["not_yet"], "needs": [],
            })));
        }
        assert_eq!(school.owner.get(&read).await.ok()["timeline"]["state"], "open");
        let tree = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        let page = &tree["modules"][0]["lessons"][0]["pages"][2];
        assert_eq!([&page["title"], &page["timeline"]["state"]], ["Стр. 3", "locked"]);
        assert_eq!(page["reason"], json!({
            "kind": "locked", "best_percent": null, "attempts_left": null, "is_waiting": false, "is_returned": false, "opens_at": TOMORROW, "needs": [],
        }));
        server.kurso.clock.advance(chrono::Duration::days(1));
        assert_eq!(exam.read().await["timeline"]["state"], "open");
    }

    async fn a_closed_quiz_and_an_ended_enrollment_are_409s(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let past = "2026-11-20T09:00:00Z";
        school.owner.put_json(&format!("/courses/update_page/{}", exam.page), json!({"due_at": past})).await.ok();
        let refused = exam.submit(&exam.body(true).await).await;
        assert_eq!((refused.status, refused.json()), (409, json!({
            "detail": "The time for this quiz is over", "code": "CLOSED", "closed_at": past,
        })));
        assert_eq!(exam.read().await["timeline"]["reasons"], json!(["over"]));
        school.owner.put_json(&format!("/courses/update_page/{}", exam.page), json!({"late_penalty_per_day": 10})).await.ok();
        let late = exam.submit(&exam.body(true).await).await.ok();
        assert_eq!([&late["penalty_percent"], &late["percent"]], [10, 90]);
        school.owner.put_json(&format!("/courses/update_course/{}", school.course), json!({"enroll_until": past})).await.ok();
        let refused = school.stranger.post_json("/courses/enroll", json!({"share_code": school.share_code})).await;
        assert_eq!((refused.status, refused.json()["code"].clone()), (409, json!("CLOSED")));
    }

    async fn a_change_based_on_other_dates_than_the_stored_ones_is_a_409(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let (school, owner) = (&exam.school, &exam.school.owner);
        let tree = owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        let module = tree["modules"][0]["id"].as_str().unwrap();
        for (path, field) in [
            (format!("update_course/{}", school.course), "ends_at"),
            (format!("update_module/{module}"), "available_from"),
            (format!("update_lesson/{}", school.lesson), "due_at"),
            (format!("update_page/{}", exam.page), "late_until"),
            (format!("update_page/{}", exam.page), "due_at"),
        ] {
            let change = async |day: &str, read: Value| {
                let body = json!({field: day, "expected_dates": {field: read}});
                owner.put_json(&format!("/courses/{path}"), body).await
            };
            let first = change("2026-12-05T10:00:00Z", json!(null)).await.ok();
            assert_eq!(first[field], "2026-12-05T10:00:00Z", "{path}");
            let refused = change("2026-12-06T10:00:00Z", json!(null)).await;
            assert_eq!((refused.status, refused.json()["detail"].clone()), (409, json!("Somebody else has changed this date since you read it")), "{path}");
            let changed = change("2026-12-07T10:00:00Z", first[field].clone()).await.ok();
            assert_eq!(changed[field], "2026-12-07T10:00:00Z");
            let other = json!({field: "2026-12-08T10:00:00Z", "expected_dates": {}});
            owner.put_json(&format!("/courses/{path}"), other).await.ok();
        }
        for (path, field, values) in [
            (format!("update_course/{}", school.course), "time_zone", [json!(null), json!("Europe/Moscow"), json!("Asia/Tokyo")]),
            (format!("update_course/{}", school.course), "sequential", [json!(false), json!(true), json!(false)]),
            (format!("update_course/{}", school.course), "hide_locked_titles", [json!(false), json!(true), json!(false)]),
            (format!("update_page/{}", exam.page), "late_penalty_per_day", [json!(null), json!(5), json!(7)]),
            (format!("update_page/{}", exam.page), "late_penalty_max", [json!(null), json!(50), json!(70)]),
        ] {
            let [old, new, other] = values;
            let change = async |to: &Value, read: &Value| {
                owner.put_json(&format!("/courses/{path}"), json!({field: to, "expected_dates": {field: read}})).await
            };
            assert_eq!(change(&new, &old).await.ok()[field], new, "{path}");
            let refused = change(&other, &old).await;
            assert_eq!((refused.status, refused.json()["detail"].clone()), (409, json!("Somebody else has changed this setting since you read it")), "{field}");
            assert_eq!(change(&other, &new).await.ok()[field], other, "{field}");
        }
        // Local times are meant in the zone that was read.
        for path in [format!("module/{module}"), format!("lesson/{}", school.lesson), format!("page/{}", exam.page)] {
            for (zone, status) in [("Europe/Moscow", 409), ("Asia/Tokyo", 200)] {
                let body = json!({"available_until": "2026-12-30T23:59", "expected_dates": {"time_zone": zone}});
                assert_eq!(owner.put_json(&format!("/courses/update_{path}"), body).await.status, status, "{path}");
            }
        }
        let second = owner.post_json(&format!("/courses/create_lesson/{module}"), json!({"title": "Второй"})).await.ok()["id"].clone();
        let third = owner.post_json(&format!("/courses/create_lesson/{module}"), json!({"title": "Третий"})).await.ok()["id"].clone();
        let need = async |needs: Value, read: Value| {
            let path = format!("/courses/update_lesson/{}", third.as_str().unwrap());
            owner.put_json(&path, json!({"prerequisites": needs, "expected_prerequisites": read})).await
        };
        need(json!([second]), json!([])).await.ok();
        let refused = need(json!([school.lesson]), json!([])).await;
        assert_eq!((refused.status, refused.json()["detail"].clone()), (409, json!("Somebody else has changed this setting since you read it")));
        let both = need(json!([school.lesson, second]), json!([second])).await.ok();
        assert_eq!(both["prerequisites"].as_array().unwrap().len(), 2);
        assert_eq!(need(json!([]), json!([second, school.lesson])).await.ok()["prerequisites"], json!([]), "in any order");
        let lesson = format!("/courses/update_lesson/{}", school.lesson);
        for wrong in [json!({"due": null}), json!({"due_at": "2026-12-05"}), json!({"time_zone": "Moscow"}), json!([])] {
            let refused = owner.put_json(&lesson, json!({"due_at": null, "expected_dates": wrong})).await;
            assert_eq!(refused.status, 422, "{}", refused.json());
        }
        assert_eq!(owner.get(&format!("/courses/get_lesson/{}", school.lesson)).await.ok()["due_at"], "2026-12-08T10:00:00Z");
    }

    /// Ten editors change the dates of one course at the same moment: each change is stored, or its writer gets a conflict.
    async fn ten_people_change_the_dates_of_a_course_at_once(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let owner = server.person("head").await;
        let course = owner.post_json("/courses/create_course", json!({"title": "Курс"})).await.ok()["id"].clone();
        let course = course.as_str().unwrap();
        let id = |made: Value| made["id"].as_str().unwrap().to_owned();
        let module = id(owner.post_json(&format!("/courses/create_module/{course}"), json!({"title": "М"})).await.ok());
        let mut lessons = vec![];
        for n in 0..11 {
            let lesson = owner.post_json(&format!("/courses/create_lesson/{module}"), json!({"title": format!("У {n}")})).await;
            lessons.push(id(lesson.ok()));
        }
        let page = id(owner.post_json(&format!("/courses/create_page/{}", lessons[0]), json!({"title": "С"})).await.ok());
        let quiz = json!({"title": "Т", "kind": "quiz", "published": false});
        let quiz = id(owner.post_json(&format!("/courses/create_page/{}", lessons[0]), quiz).await.ok());
        let course_id: CourseId = course.parse().unwrap();
        let mut people = vec![];
        for n in 0..10 {
            let viewer = server.kurso.person(&format!("editor{n}")).await;
            server.kurso.collaborator(course_id, &viewer, "editor").await;
            people.push(server.viewer(&viewer));
        }
        let fields = ["available_from", "due_at", "available_until"];
        let changed = join_all((0_usize..).zip(&people).map(|(n, editor)| {
            let (lesson, page, module, quiz, last) = (&lessons[n], &page, &module, &quiz, &lessons[10]);
            async move {
                let day = |month: usize| format!("2026-{month:02}-{:02}T10:00:00Z", n + 1);
                let own = editor.put_json(&format!("/courses/update_lesson/{lesson}"), json!({"due_at": day(10)})).await;
                own.ok();
                let field = fields[n % 3];
                let common = json!({field: day(10 + n % 3)});
                editor.put_json(&format!("/courses/update_module/{module}"), common).await.ok();
                let needs = json!({"prerequisites": [lesson], "expected_prerequisites": []});
                let needs = editor.put_json(&format!("/courses/update_lesson/{last}"), needs).await.status;
                let percent = json!({"late_penalty_per_day": n + 1, "expected_dates": {"late_penalty_per_day": null}});
                let penalty = editor.put_json(&format!("/courses/update_page/{quiz}"), percent).await.status;
                let text = json!({"title": format!("С {n}"), "due_at": day(11), "version": 1});
                let text = editor.put_json(&format!("/courses/update_page/{page}"), text).await.status;
                [text, needs, penalty]
            }
        })).await;
        let winner = |of: usize| {
            let won: Vec<usize> = (0..10).filter(|n| changed[*n][of] == 200).collect();
            let refused = changed.iter().filter(|statuses| statuses[of] == 409).count();
            assert_eq!((won.len(), refused), (1, 9), "each of the others is told: {changed:?}");
            won[0]
        };
        let (text, needs, penalty) = (winner(0), winner(1), winner(2));
        let tree = owner.get(&format!("/courses/get_course/{course}")).await.ok();
        let module = &tree["modules"][0];
        for n in 0..10 {
            assert_eq!(module["lessons"][n]["due_at"], format!("2026-10-{:02}T10:00:00Z", n + 1), "a change is lost");
        }
        for (n, field) in fields.iter().enumerate() {
            let at = module[field].as_str().unwrap_or_default();
            assert!(at.starts_with(&format!("2026-{:02}", 10 + n)), "{field} is lost: {module}");
        }
        let page = owner.get(&format!("/courses/get_page/{page}")).await.ok();
        let (title, due) = (format!("С {text}"), format!("2026-11-{:02}T10:00:00Z", text + 1));
        assert_eq!([&page["title"], &page["due_at"]], [&json!(title), &json!(due)], "the page is that of the winner");
        let quiz = owner.get(&format!("/courses/get_page/{quiz}")).await.ok();
        assert_eq!(quiz["late_penalty_per_day"], penalty + 1);
        assert_eq!(module["lessons"][10]["prerequisites"], json!([lessons[needs]]));
    }

    async fn a_copy_is_shifted_by_days(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let body = json!({"time_zone": "Europe/Berlin", "starts_at": "2026-10-01", "ends_at": "2026-12-31"});
        school.owner.put_json(&format!("/courses/update_course/{}", school.course), body).await.ok();
        let path = format!("/courses/duplicate_course/{}", school.course);
        let same = school.owner.post(&path).await.ok();
        assert_eq!([&same["starts_at"], &same["ends_at"]], ["2026-09-30T22:00:00Z", "2026-12-31T22:59:00Z"]);
        let later = school.owner.post(&format!("{path}?shift_days=31")).await.ok();
        assert_eq!([&later["starts_at"], &later["ends_at"]], ["2026-10-31T23:00:00Z", "2027-01-31T22:59:00Z"]);
        let earlier = school.owner.post(&format!("{path}?shift_days=-1")).await.ok();
        assert_eq!(earlier["starts_at"], "2026-09-29T22:00:00Z");
        for (days, wrong) in [
            ("3661", "less_than_equal at query.shift_days"), ("-3661", "greater_than_equal at query.shift_days"),
            ("x", "int_parsing at query.shift_days"), ("1.5", "int_parsing at query.shift_days"), ("", "int_parsing at query.shift_days"),
        ] {
            assert_eq!(school.owner.post(&format!("{path}?shift_days={days}")).await.fields(), [wrong], "{days}");
        }
        school.owner.put_json(&format!("/courses/update_course/{}", school.course), json!({"ends_at": "2099-12-31"})).await.ok();
        assert_eq!(school.owner.post(&format!("{path}?shift_days=3660")).await.fields(), ["value_error at query.shift_days"]);
    }

    async fn many_dates_change_together_or_not_at_all(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, path) = (&school.owner, format!("/courses/set_dates/{}", school.course));
        let body = json!({"dates": [
            {"starts_at": "2026-09-01T08:00:00Z"},
            {"lesson_id": school.lesson, "due_at": "2026-10-01T10:00:00Z", "expected_dates": {"due_at": null}},
            {"page_id": school.pages[0], "due_at": "2026-10-02T10:00:00Z"},
        ]});
        let set = school.editor.put_json(&path, body).await.ok();
        let none = json!({"module_id": null, "lesson_id": null, "page_id": null, "override_id": null, "starts_at": null, "ends_at": null,
            "enroll_until": null, "available_from": null, "available_until": null, "due_at": null, "late_until": null});
        let mut lesson = none.clone();
        lesson["lesson_id"] = json!(school.lesson);
        lesson["due_at"] = json!("2026-10-01T10:00:00Z");
        assert_eq!([&set["dates"][0]["starts_at"], &set["dates"][2]["due_at"]], ["2026-09-01T08:00:00Z", "2026-10-02T10:00:00Z"]);
        assert_eq!(set["dates"][1], lesson);

        let student = owner.get(&format!("/courses/course_students/{}", school.course)).await.ok()["data"][0]["enrollment_id"].clone();
        let own = json!({"enrollment_id": student, "lesson_id": school.lesson, "due_at": "2026-10-11T10:00:00Z"});
        let own = owner.put_json(&format!("/courses/set_override/{}", school.course), own).await.ok()["id"].clone();
        let both = json!({"shift_days": 7, "dates": [{"lesson_id": school.lesson}, {"override_id": own}]});
        let moved = owner.put_json(&path, both.clone()).await.ok();
        assert_eq!([&moved["dates"][0]["due_at"], &moved["dates"][1]["due_at"]], ["2026-10-08T10:00:00Z", "2026-10-18T10:00:00Z"]);
        assert_eq!(moved["dates"][1]["override_id"], own);
        // Overrides belong to teachers, dates to editors.
        for (person, status) in [(&school.editor, 403), (&school.teacher, 403), (&school.admin, 403), (&school.learner, 403), (&school.stranger, 404)] {
            assert_eq!(person.put_json(&path, both.clone()).await.status, status);
        }
        let of_override = json!({"dates": [{"override_id": own, "due_at": "2026-10-19T10:00:00Z"}]});
        school.teacher.put_json(&path, of_override).await.ok();

        let stale = json!({"shift_days": 1, "dates": [
            {"page_id": school.pages[0], "expected_dates": {"due_at": "2026-10-02T10:00:00Z"}},
            {"lesson_id": school.lesson, "expected_dates": {"due_at": "2026-10-01T10:00:00Z"}},
        ]});
        let refused = owner.put_json(&path, stale).await;
        lesson["due_at"] = json!("2026-10-08T10:00:00Z");
        assert_eq!((refused.status, refused.json()), (409, json!({
            "detail": "Somebody else has changed this date since you read it", "changed": [lesson],
        })));
        let page = owner.get(&format!("/courses/get_page/{}", school.pages[0])).await.ok();
        assert_eq!(page["due_at"], "2026-10-02T10:00:00Z", "nothing moved");

        for (body, fields) in [
            (json!({}), vec!["missing at body.dates"]),
            (json!({"dates": []}), vec!["too_short at body.dates"]),
            (json!({"dates": {}, "shift_days": 3661}), vec!["list_type at body.dates", "less_than_equal at body.shift_days"]),
            (json!({"dates": [{"page_id": "x"}, {"due_at": 5}, 7]}), vec![
                "uuid_parsing at body.dates.0.page_id", "string_type at body.dates.1.due_at", "model_attributes_type at body.dates.2",
            ]),
            (json!({"shift_days": 1, "dates": [{"lessonId": school.lesson}, {"page_id": null}]}), vec![
                "value_error at body.dates.0.lessonId", "uuid_type at body.dates.1.page_id",
            ]),
            (json!({"dates": [{"lesson_id": school.lesson, "available_from": "2027-01-01"}]}), vec!["value_error at body.dates.0.due_at"]),
        ] {
            assert_eq!(owner.put_json(&path, body.clone()).await.fields(), fields, "{body}");
        }
    }
}
