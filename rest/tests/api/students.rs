//! The students of a course, as its staff see them.

use kurso_base::ids::EnrollmentId;
use kurso_core::both;
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{NOW, School, Server};

/// The peak of this process's memory, in MB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

both! {
    async fn a_class_is_listed_with_progress(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/course_students/{}", school.course);
        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[2])).await.ok();
        let list = school.teacher.get(&path).await.ok();
        let (enrollment, user) = (&list["data"][0]["enrollment_id"], &list["data"][0]["user"]["id"]);
        assert_eq!(list, json!({"data": [{
            "enrollment_id": enrollment, "user": {"id": user, "full_name": "learner", "email": "learner@example.com"},
            "group": null, "enrolled_at": NOW, "last_activity_at": NOW, "percent": 25, "lessons_done": 1, "lessons_total": 3,
            "completed_at": null, "last_nudged_at": null,
        }], "count": 1}));
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&path).await, [200, 200, 200, 200, 403, 404, 401]);
        let detail = format!("/courses/student_detailed_progress/{}", enrollment.as_str().unwrap());
        assert_eq!(school.statuses(&detail).await, [200, 200, 200, 200, 403, 404, 401]);
        let unknown = format!("/courses/student_detailed_progress/{}", EnrollmentId::new());
        assert_eq!(school.statuses(&unknown).await, [404, 404, 404, 404, 404, 404, 401]);
        school.owner.get(&unknown).await.refused(404, "There is no such student");
    }

    async fn a_class_is_searched_sorted_and_paged(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        for (name, full_name) in [("kot", "Котов Пётр"), ("anna", "Яшина Анна")] {
            let person = server.person(name).await;
            person.patch_json("/users/me", json!({"full_name": full_name})).await.ok();
            person.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        }
        let path = format!("/courses/course_students/{}", school.course);
        let names = async |query: &str| {
            let list = school.owner.get(&format!("{path}?{query}")).await.ok();
            let names = list["data"].as_array().unwrap().iter().map(|row| row["user"]["email"].as_str().unwrap());
            (names.map(|e| e.split('@').next().unwrap().to_owned()).collect::<Vec<_>>(), list["count"].as_i64().unwrap())
        };
        for (query, expected, count) in [
            ("", vec!["learner", "kot", "anna"], 3),
            ("sort=-full_name&limit=2", vec!["anna", "kot"], 3),
            ("sort=email&skip=1&limit=1", vec!["kot"], 3),
            ("search=%D0%BF%D0%B5%D1%82%D1%80", vec!["kot"], 1), // петр
            ("search=LEARNER%40", vec!["learner"], 1),
            ("search=+", vec!["learner", "kot", "anna"], 3),
            ("search=nobody", vec![], 0),
            ("sort=-percent&limit=0", vec![], 3),
        ] {
            let expected: Vec<_> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(names(query).await, (expected, count), "{query}");
        }
        for (query, fields) in [
            ("sort=name", vec!["enum at query.sort"]),
            ("sort=", vec!["enum at query.sort"]),
            ("sort=x&skip=-1&limit=y", vec!["greater_than_equal at query.skip", "int_parsing at query.limit", "enum at query.sort"]),
        ] {
            assert_eq!(school.owner.get(&format!("{path}?{query}")).await.fields(), fields, "{query}");
        }
        let long = format!("{path}?search={}", "a".repeat(256));
        assert_eq!(school.owner.get(&long).await.fields(), ["string_too_long at query.search"]);
        let both = school.owner.get("/courses/course_students/x?sort=y").await;
        assert_eq!(both.fields(), ["uuid_parsing at path.course_id", "enum at query.sort"]);
        let russian = school.owner.in_russian(Method::GET, &format!("{path}?sort=y"), Value::Null).await;
        assert!(russian.json()["detail"][0]["msg"].as_str().unwrap().starts_with("Допустимые значения: 'full_name'"));
    }

    async fn the_detail_of_a_student_has_attempts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let kurso = &server.kurso;
        let quiz = json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]});
        let (page, quiz) = school.add_quiz(kurso, &quiz).await;
        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[0])).await.ok();
        let learner = kurso.viewer(&kurso_core::users::by_email(
            &kurso.db, &kurso_base::email::Email::parse("learner@example.com").unwrap()).await.unwrap().unwrap()).await;
        let answers = json!({"answers": [{"question_id": quiz.questions[0].id, "text": "Да"}]});
        kurso_core::attempts::submit(kurso, &learner, page, kurso_core::testing::submission(&answers)).await.unwrap();

        let list = school.owner.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        let id = list["data"][0]["enrollment_id"].as_str().unwrap();
        let shown = school.editor.get(&format!("/courses/student_detailed_progress/{id}")).await.ok();
        assert_eq!(shown["enrollment"], json!({
            "id": id, "course_id": school.course, "group": null, "enrolled_at": NOW, "last_activity_at": NOW,
            "completed_at": null,
        }));
        assert_eq!(shown["user"], list["data"][0]["user"]);
        assert_eq!([&shown["progress"]["percent"], &shown["progress"]["pages_total"]], [40, 5]);
        assert_eq!(shown["progress"]["percent"], list["data"][0]["percent"]);
        let lesson = &shown["modules"][0]["lessons"][0];
        assert_eq!([&lesson["pages_done"], &lesson["pages_total"]], [2, 3]);
        let pages = lesson["pages"].as_array().unwrap();
        assert_eq!(pages[0], json!({
            "id": school.pages[0], "title": null, "kind": "content", "position": 0, "published": true, "visited_at": NOW,
            "done": true, "attempts_left": null, "attempts": [],
        }));
        assert_eq!([&pages[2]["published"], &pages[2]["done"]], [false, false]);
        let attempt = &pages[3]["attempts"][0];
        assert_eq!(*attempt, json!({
            "attempt_id": attempt["attempt_id"], "attempt_no": 1, "score": 1.0, "max_score": 1.0, "percent": 100,
            "passed": true, "penalty_percent": 0, "waiting_answers": 0, "is_returned": false, "submitted_at": NOW, "answers": attempt["answers"], "results": attempt["results"],
            "quiz": serde_json::from_str::<Value>(&quiz.to_text().unwrap()).unwrap(),
        }));
        assert_eq!(attempt["answers"][0]["text"], "Да");
        assert_eq!(attempt["results"][0]["correct"], true);
        assert_eq!([&pages[3]["done"], &pages[3]["visited_at"]], [&json!(true), &Value::Null]);
    }

    async fn thousands_of_attempts_at_a_large_quiz_fit_into_memory(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let kurso = &server.kurso;
        let accepted: Vec<String> = (0..100).map(|n| format!("{n}{}", "a".repeat(990))).collect();
        let question = json!({"type": "short_text", "prompt": "?", "accepted": accepted});
        let (page, quiz) = school.add_quiz(kurso, &json!({"questions": vec![question; 20]})).await;
        assert!(quiz.to_text().unwrap().len() > 1_900_000);
        let answers = json!({"answers": [{"question_id": quiz.questions[0].id, "text": "Да"}]});
        let first = school.learner.post_json(&format!("/courses/submit_quiz/{page}"), answers).await.ok();
        let first = Uuid::parse_str(first["attempt_id"].as_str().unwrap()).unwrap();
        let mut tx = kurso.db.begin().await.unwrap();
        for no in 2..=3_000_i64 {
            sql!(
                "INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent,
                   passed, submitted_at)
                 SELECT $1, enrollment_id, page_id, $2, quiz_version, answers, results, score, max_score, percent, passed, submitted_at
                 FROM attempts WHERE id = $3",
                Uuid::now_v7(), no, first
            ).execute(&mut tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        let list = school.owner.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        let path = format!("/courses/student_detailed_progress/{}", list["data"][0]["enrollment_id"].as_str().unwrap());
        std::fs::write("/proc/self/clear_refs", "5").unwrap(); // the peak counts from here
        let before = peak_memory();
        let shown = school.owner.get(&path).await.ok();
        let used = peak_memory() - before;
        let attempts = shown["modules"][0]["lessons"][0]["pages"][3]["attempts"].as_array().unwrap();
        let numbers: Vec<_> = attempts.iter().map(|attempt| attempt["attempt_no"].as_i64().unwrap()).collect();
        assert_eq!((numbers.len(), numbers[0], numbers.last()), (16, 2_985, Some(&3_000)));
        // The test's own client holds the response as text and as values besides.
        assert!(used < 400, "{used} MB");
    }

    async fn the_heat_map_shows_where_students_stopped(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let kurso = &server.kurso;
        let quiz = json!({"questions": [
            {"type": "short_text", "prompt": "Столица?", "accepted": ["да"], "points": 3},
            {"type": "short_text", "prompt": "Река?", "accepted": ["да"]},
        ]});
        let (page, quiz) = school.add_quiz(kurso, &quiz).await;
        let path = format!("/courses/course_heat_map/{}", school.course);
        let before = school.owner.get(&path).await.ok();
        assert_eq!([&before["students"], &before["completed"], &before["not_started"]], [1, 0, 1]);
        assert_eq!(before["hardest_questions"], json!([]));

        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[0])).await.ok();
        let answers = json!({"answers": [{"question_id": quiz.questions[0].id, "text": "Да"}]});
        school.learner.post_json(&format!("/courses/submit_quiz/{page}"), answers).await.ok();
        let map = school.teacher.get(&path).await.ok();
        assert_eq!([&map["students"], &map["completed"], &map["not_started"]], [1, 0, 0]);
        assert_eq!(map["course_id"], json!(school.course));
        let pages = map["modules"][0]["lessons"][0]["pages"].as_array().unwrap();
        assert_eq!(pages[0], json!({
            "id": school.pages[0], "title": null, "kind": "content", "position": 0, "visited": 1, "done": 1, "stopped": 0,
            "quiz": null,
        }));
        assert_eq!(pages.last().unwrap(), &json!({
            "id": page, "title": "Стр. 3", "kind": "quiz", "position": 3, "visited": 1, "done": 1, "stopped": 1,
            "quiz": {"tried": 1, "waiting": 0, "average_percent": 75, "passed_percent": 100},
        }));
        assert_eq!(pages.len(), 3, "the draft is not among them");
        assert_eq!(map["hardest_questions"], json!([{
            "page_id": page, "question_id": quiz.questions[1].id, "number": 2, "prompt": "Река?", "answered": 1,
            "average_percent": 0,
        }]));
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&path).await, [200, 200, 200, 200, 403, 404, 401]);
        assert_eq!(school.owner.get("/courses/course_heat_map/x").await.fields(), ["uuid_parsing at path.course_id"]);
        let unknown = format!("/courses/course_heat_map/{}", EnrollmentId::new());
        school.owner.get(&unknown).await.refused(404, "Course not found");
    }

    async fn the_analysis_of_a_quiz_is_read_by_staff(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let quiz = json!({"questions": [
            {"type": "single_choice", "prompt": "Столица?", "points": 3, "options": [
                {"content": "Москва", "correct": true}, {"content": "Тверь", "correct": false},
            ]},
            {"type": "short_text", "prompt": "Река?", "accepted": ["Волга"]},
        ]});
        let (page, quiz) = school.add_quiz(&server.kurso, &quiz).await;
        let path = format!("/courses/quiz_analysis/{page}");
        let quiz = serde_json::to_value(&quiz).unwrap();
        let (choice, text) = (&quiz["questions"][0], &quiz["questions"][1]);
        let [right, wrong] = [0, 1].map(|index| &choice["options"][index]["id"]);
        let answers = json!({"answers": [
            {"question_id": choice["id"], "option_ids": [right]}, {"question_id": text["id"], "text": "Ока "},
        ]});
        school.learner.post_json(&format!("/courses/submit_quiz/{page}"), answers).await.ok();
        let analysis = school.teacher.get(&path).await.ok();
        assert_eq!(analysis, json!({
            "course_id": school.course, "page_id": page, "tried": 1, "attempts": 1, "waiting": 0, "outdated": 0,
            "max_points": 4.0, "mean": 3.0, "deviation": null, "alpha": null, "standard_error": null,
            "histogram": [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], "flags": ["few_attempts"],
            "questions": [
                {"question_id": choice["id"], "number": 1, "prompt": "Столица?", "max_points": 3.0, "asked": 1, "unanswered": 0,
                 "attempts": 1, "facility": 1.0, "chance": 0.5, "deviation": null, "discrimination": null, "efficiency": null,
                 "flags": [], "options": [
                    {"option_id": right, "text": "Москва", "is_correct": true, "taken": 1},
                    {"option_id": wrong, "text": "Тверь", "is_correct": false, "taken": 0},
                 ], "parts": [], "wrong_answers": [], "median_seconds": null, "timed_count": 0},
                {"question_id": text["id"], "number": 2, "prompt": "Река?", "max_points": 1.0, "asked": 1, "unanswered": 0,
                 "attempts": 1, "facility": 0.0, "chance": 0.0, "deviation": null, "discrimination": null, "efficiency": null,
                 "flags": [], "options": [], "parts": [], "wrong_answers": [{"text": "ока", "times": 1}],
                 "median_seconds": null, "timed_count": 0},
            ],
        }));
        let nobody = school.owner.get(&format!("{path}?group_id=none")).await.ok();
        assert_eq!((&nobody["tried"], &nobody["attempts"]), (&json!(1), &json!(1)), "the learner has no group");
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&path).await, [200, 200, 200, 200, 403, 404, 401]);
        let text = format!("/courses/quiz_analysis/{}", school.pages[0]);
        school.owner.get(&text).await.refused(404, "This page has no quiz");
        assert_eq!(
            school.owner.get("/courses/quiz_analysis/x?group_id=y").await.fields(),
            ["uuid_parsing at path.page_id", "uuid_parsing at query.group_id"]
        );
    }

    async fn owners_and_teachers_remove_students(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let id = async || {
            let list = school.owner.get(&format!("/courses/course_students/{}", school.course)).await.ok();
            format!("/courses/remove_student/{}", list["data"][0]["enrollment_id"].as_str().unwrap())
        };
        let path = id().await;
        for (who, status) in [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.learner, 403), (&school.editor, 403),
            (&school.admin, 403), (&school.teacher, 200), (&school.owner, 404),
        ] {
            assert_eq!(who.delete(&path).await.status, status);
        }
        school.learner.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        let removed = school.owner.delete(&id().await).await.ok();
        assert_eq!(removed, json!({"message": "The student was removed from the course"}));
        assert_eq!(school.owner.delete("/courses/remove_student/x").await.fields(), ["uuid_parsing at path.enrollment_id"]);
    }
}
