//! Learner calls: enrolling, the tree, reading, visits, progress.

use kurso_base::ids::PageId;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Content;
use kurso_db::sql;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

/// The timeline of a part without dates.
fn open() -> Value {
    json!({
        "state": "open", "opens_at": null, "closes_at": null, "due_at": null, "late_until": null, "penalty_percent": 0,
        "reasons": [], "needs": [],
    })
}

fn not_visited() -> Value {
    json!({"kind": "not_visited", "best_percent": null, "attempts_left": null, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []})
}

both! {
    async fn a_share_code_in_any_spelling_enrolls_once(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let enroll = async |code: &str| {
            school.stranger.post_json("/courses/enroll", json!({"share_code": code, "x": 1})).await
        };
        let answer = enroll(&school.share_code).await.ok();
        assert_eq!(answer, json!({
            "id": answer["id"], "course_id": school.course, "user_id": answer["user_id"], "group_title": null,
            "enrolled_at": NOW, "completed_at": null, "course": answer["course"],
        }));
        let course = &answer["course"];
        assert_eq!(*course, json!({
            "id": school.course, "title": "Курс", "description": null,
            "owner": {"id": school.owner_viewer.id(), "full_name": "owner", "email": null},
            "my_role": "learner", "share_code": null, "modules_count": 2, "lessons_count": 4, "pages_count": 4,
            "students_count": 2, "created_at": NOW, "updated_at": course["updated_at"],
            "starts_at": null, "ends_at": null, "enroll_until": null, "time_zone": null, "hide_locked_titles": false, "sequential": false,
        }));
        let typed = school.share_code.to_lowercase().replace('-', " – ").replace('0', "o").replace('1', "L");
        assert_eq!(enroll(&typed).await.ok(), answer);
        let own = school.owner.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        assert_eq!(own["course"]["my_role"], "owner");
    }

    async fn an_unknown_share_code_is_a_404(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        for code in ["", "ABCD", "AAAA-AAAA", "не код", &"A".repeat(100_000)] {
            let answer = school.stranger.post_json("/courses/enroll", json!({"share_code": code})).await;
            answer.refused(404, "There is no course with this code");
        }
        for (code, problem) in [
            (json!(null), "string_type"), (json!(12345678), "string_type"), (json!("a\0"), "value_error"),
        ] {
            let answer = school.stranger.post_json("/courses/enroll", json!({"share_code": code})).await;
            assert_eq!(answer.fields(), [format!("{problem} at body.share_code")]);
        }
        let answer = school.anonymous.post_json("/courses/enroll", json!({"share_code": school.share_code})).await;
        answer.refused(401, "Not authenticated");
    }

    async fn guessing_share_codes_is_rate_limited(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let guess = async |code: &str| school.stranger.post_json("/courses/enroll", json!({"share_code": code})).await;
        for _ in 0..20 {
            assert_eq!(guess("AAAA-AAAA").await.status, 404);
        }
        let refused = guess(&school.share_code).await;
        refused.refused(429, "Too many attempts, please try again later");
        assert_eq!(refused.header("retry-after"), "600");
        let other = school.teacher.post_json("/courses/enroll", json!({"share_code": school.share_code})).await;
        other.ok();
    }

    async fn a_learner_reads_the_tree_with_progress(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[2])).await.ok();
        let tree = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        assert_eq!(tree["my_role"], "learner");
        assert_eq!([&tree["share_code"], &tree["owner"]["email"]], [&Value::Null, &Value::Null]);
        assert_eq!([&tree["modules_count"], &tree["lessons_count"], &tree["pages_count"]], [2, 4, 4]);
        let lessons = tree["modules"][0]["lessons"].as_array().unwrap();
        assert_eq!(lessons[0], json!({
            "id": lessons[0]["id"], "module_id": tree["modules"][0]["id"], "title": "Урок 1.1", "position": 0, "timeline": open(),
            "prerequisites": [],
            "available_from": null, "available_until": null, "due_at": null,
            "is_completed": false, "pages": [
                {
                    "id": school.pages[0], "lesson_id": lessons[0]["id"], "title": null, "kind": "content",
                    "position": 0, "published": true, "timeline": open(), "available_from": null, "available_until": null, "due_at": null,
                    "late_until": null, "late_penalty_per_day": null, "late_penalty_max": null,
                    "is_visited": false, "is_completed": false, "reason": not_visited(),
                },
                {
                    "id": school.pages[1], "lesson_id": lessons[0]["id"], "title": "Стр. 1", "kind": "content",
                    "position": 1, "published": true, "timeline": open(), "available_from": null, "available_until": null, "due_at": null,
                    "late_until": null, "late_penalty_per_day": null, "late_penalty_max": null,
                    "is_visited": false, "is_completed": false, "reason": not_visited(),
                },
            ],
        }));
        assert_eq!([&lessons[1]["is_completed"], &lessons[1]["pages"][0]["is_visited"]], [true, true]);
        assert_eq!(tree["modules"][1]["lessons"][1]["is_completed"], false, "a lesson without pages");
        let last = &tree["modules"][1]["lessons"][0];
        let progress = json!({
            "course_id": school.course, "percent": 25, "pages_done": 1, "pages_total": 4, "lessons_done": 1,
            "lessons_total": 3, "completed_at": null, "lesson_progress": [
                {"lesson_id": lessons[0]["id"], "is_completed": false, "pages_done": 0, "pages_total": 2},
                {"lesson_id": lessons[1]["id"], "is_completed": true, "pages_done": 1, "pages_total": 1},
                {"lesson_id": last["id"], "is_completed": false, "pages_done": 0, "pages_total": 1},
            ],
        });
        assert_eq!(tree["progress"], progress);
        let mut mine = school.learner.get(&format!("/courses/my_progress/{}", school.course)).await.ok();
        for lesson in mine["lesson_progress"].as_array_mut().unwrap() {
            let reasons = lesson.as_object_mut().unwrap().remove("reasons").unwrap();
            let missing = lesson["pages_total"].as_u64().unwrap() - lesson["pages_done"].as_u64().unwrap();
            assert_eq!(reasons.as_array().unwrap().len() as u64, missing);
        }
        assert_eq!(mine, progress);
        let listed = school.learner.get("/courses/my_enrolled_courses").await.ok();
        let row = &listed["data"][0];
        assert_eq!(listed, json!({"data": [{
            "enrollment_id": row["enrollment_id"], "group_title": null, "enrolled_at": NOW, "last_activity_at": NOW,
            "course": row["course"], "progress": progress,
        }], "count": 1}));
        assert_eq!([&row["course"]["id"], &row["course"]["my_role"]], [&json!(school.course), &json!("learner")]);
    }

    async fn staff_preview_a_course_without_enrolling(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = format!("/courses/enrolled_course/{}", school.course);
        let draft = format!("/courses/enrolled_page/{}", school.draft);
        let page = format!("/courses/enrolled_page/{}", school.pages[0]);
        let progress = format!("/courses/my_progress/{}", school.course);
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&course).await, [200, 200, 200, 200, 200, 404, 401]);
        assert_eq!(school.statuses(&page).await, [200, 200, 200, 200, 200, 404, 401]);
        assert_eq!(school.statuses(&draft).await, [200, 200, 200, 200, 404, 404, 401]);
        assert_eq!(school.statuses(&progress).await, [403, 403, 403, 403, 200, 404, 401]);
        let visit = format!("/courses/mark_page_visited/{}", school.pages[0]);
        for (persona, status) in [
            (&school.owner, 403), (&school.editor, 403), (&school.teacher, 403), (&school.admin, 403),
            (&school.learner, 200), (&school.stranger, 404), (&school.anonymous, 401),
        ] {
            assert_eq!(persona.post(&visit).await.status, status);
        }
        school.owner.get(&progress).await.refused(403, "You are not enrolled in this course");
        school.learner.get(&draft).await.refused(404, "Page not found");
        let visit_draft = format!("/courses/mark_page_visited/{}", school.draft);
        school.learner.post(&visit_draft).await.refused(404, "Page not found");
        let unknown = format!("/courses/enrolled_page/{}", PageId::new());
        school.owner.get(&unknown).await.refused(404, "Page not found");
        let tree = school.owner.get(&course).await.ok();
        assert_eq!([&tree["progress"]["percent"], &tree["progress"]["pages_total"]], [0, 4]);
        assert_eq!(tree["modules"][0]["lessons"][0]["pages"].as_array().unwrap().len(), 3);
        assert_eq!(school.owner.get("/courses/my_enrolled_courses").await.ok()["count"], 0);
    }

    async fn a_page_has_breadcrumbs_and_neighbours(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let read = async |page: PageId| school.learner.get(&format!("/courses/enrolled_page/{page}")).await.ok();
        let page = read(school.pages[1]).await;
        let crumbs = &page["breadcrumbs"];
        assert_eq!(page, json!({
            "id": school.pages[1], "lesson_id": crumbs["lesson"]["id"], "course_id": school.course, "title": "Стр. 1",
            "kind": "content", "change_since_read": null, "position": 1, "published": true, "timeline": open(), "quiz": null, "version": 1, "updated_at": NOW,
            "content": {"type": "doc", "content": [
                {"type": "paragraph", "content": [{"type": "text", "text": "Page 1"}]},
            ]},
            "is_visited": false, "is_completed": false, "reason": not_visited(), "attempts": [], "running_attempt": null, "attempts_left": null, "best_percent": null,
            "breadcrumbs": {
                "course": {"id": school.course, "title": "Курс"},
                "module": {"id": crumbs["module"]["id"], "title": "Модуль 1"},
                "lesson": {"id": crumbs["lesson"]["id"], "title": "Урок 1.1"},
            },
            // The draft between them is skipped.
            "previous_page_id": school.pages[0], "next_page_id": school.pages[2],
        }));
        let (first, last) = (read(school.pages[0]).await, read(school.pages[3]).await);
        assert_eq!([&first["previous_page_id"], &last["next_page_id"]], [&Value::Null, &Value::Null]);
        assert_eq!(last["previous_page_id"], json!(school.pages[2]));
    }

    async fn content_is_returned_byte_for_byte(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let stored = r#"{ "type":"doc",  "n": 1.10, "content":[] }"#;
        let update = sql!("UPDATE page_contents SET content = $2 WHERE page_id = $1", school.pages[0], stored);
        update.execute(&server.kurso.db).await.unwrap();
        let answer = school.learner.get(&format!("/courses/enrolled_page/{}", school.pages[0])).await;
        let text = String::from_utf8(answer.bytes).unwrap();
        assert!(text.contains(&format!(r#""content":{stored},"#)), "{text}");
    }

    async fn a_quiz_page_does_not_contain_answers(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let quiz = json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["the answer"]}]});
        let (page, _) = school.add_quiz(&server.kurso, &quiz).await;
        for persona in [&school.learner, &school.teacher] {
            let answer = persona.get(&format!("/courses/enrolled_page/{page}")).await;
            assert_eq!(answer.ok()["kind"], "quiz");
            assert!(!String::from_utf8_lossy(&answer.bytes).contains("the answer"));
        }
        let visit = school.learner.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
        assert_eq!(visit["page"], json!({
            "id": page, "is_visited": true, "is_completed": false,
            "reason": {"kind": "quiz_not_passed", "best_percent": null, "attempts_left": null, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []},
        }));
    }

    async fn visits_complete_lessons_and_the_course(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let visit = async |page: PageId| {
            let answer = school.learner.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
            assert_eq!(answer["page"], json!({"id": page, "is_visited": true, "is_completed": true, "reason": null}));
            answer
        };
        server.kurso.clock.advance(chrono::Duration::microseconds(1_500_000));
        let first = visit(school.pages[0]).await;
        assert_eq!(first["lesson"], json!({
            "lesson_id": first["lesson"]["lesson_id"], "is_completed": false, "pages_done": 1, "pages_total": 2,
        }));
        assert_eq!(first["progress"]["percent"], 25);
        assert_eq!(visit(school.pages[0]).await, first, "a second visit changes nothing");
        let listed = school.learner.get("/courses/my_enrolled_courses").await.ok();
        assert_eq!(listed["data"][0]["last_activity_at"], "2026-11-21T09:00:01.500000Z");
        assert_eq!(visit(school.pages[1]).await["lesson"]["is_completed"], true);
        visit(school.pages[2]).await;
        let last = visit(school.pages[3]).await;
        assert_eq!([&last["progress"]["percent"], &last["progress"]["lessons_done"]], [100, 3]);
        assert_eq!(last["progress"]["completed_at"], "2026-11-21T09:00:01.500000Z");
    }

    async fn enrolled_course_includes_the_last_reading_place(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = format!("/courses/enrolled_course/{}", school.course);
        let place = async || school.learner.get(&course).await.ok()["reading_place"].clone();
        assert_eq!(place().await, Value::Null);
        let keep = async |page: PageId, body: Value| {
            school.learner.put_json(&format!("/courses/keep_reading_place/{page}"), body).await
        };
        let body = json!({"version": 1, "block": 4, "part": 500, "heading": "стек"});
        let kept = keep(school.pages[0], body).await.ok();
        assert_eq!(kept, json!({
            "page_id": school.pages[0], "version": 1, "block": 4, "part": 500, "heading": "стек", "saved_at": NOW,
        }));
        assert_eq!(place().await, kept);
        let kept = keep(school.pages[1], json!({"version": 2, "block": 0, "part": 0})).await.ok();
        assert_eq!((&kept["page_id"], &kept["heading"]), (&json!(school.pages[1]), &Value::Null));
        assert_eq!(place().await, kept);
        for wrong in [
            json!({}),
            json!({"version": 0, "block": 0, "part": 0}),
            json!({"version": 1, "block": -1, "part": 0}),
            json!({"version": 1, "block": 0, "part": 1001}),
            json!({"version": 1, "block": 0, "part": 0, "heading": ""}),
            json!({"version": 1, "block": 0, "part": 0, "heading": "а".repeat(301)}),
        ] {
            assert_eq!(keep(school.pages[0], wrong).await.refusal().0, 422);
        }
        assert_eq!(school.owner.get(&course).await.ok()["reading_place"], Value::Null);
    }

    async fn enrollments_are_listed_by_latest_activity(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let mut codes = vec![school.share_code.clone()];
        let mut ids = vec![school.course];
        for _ in 0..2 {
            let course = server.kurso.course(&school.owner_viewer, &[&[&[Content]]]).await;
            let shared = school.owner.post(&format!("/courses/generate_share_code/{course}")).await.ok();
            codes.push(shared["share_code"].as_str().unwrap().to_owned());
            ids.push(course);
        }
        for code in &codes[1..] {
            server.kurso.clock.advance(chrono::Duration::seconds(1));
            school.learner.post_json("/courses/enroll", json!({"share_code": code})).await.ok();
        }
        let list = async |query: &str| {
            let answer = school.learner.get(&format!("/courses/my_enrolled_courses?{query}")).await.ok();
            assert_eq!(answer["count"], 3);
            let rows = answer["data"].as_array().unwrap().clone();
            rows.into_iter().map(|row| row["course"]["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let names = |order: [usize; 3]| order.map(|i| ids[i].to_string()).to_vec();
        assert_eq!(list("").await, names([2, 1, 0]));
        server.kurso.clock.advance(chrono::Duration::seconds(1));
        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[0])).await.ok();
        assert_eq!(list("").await, names([0, 2, 1]));
        assert_eq!(list("skip=1&limit=1").await, [ids[2].to_string()]);
        assert!(list("skip=3").await.is_empty());
    }

    async fn the_statements_of_reading_do_not_grow_with_the_course(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let cost = async |path: String| {
            let before = server.kurso.db.statements();
            school.learner.get(&path).await.ok();
            server.kurso.db.statements() - before
        };
        let tree = format!("/courses/enrolled_course/{}", school.course);
        // The session, the course with the visits, three for the tree, the counts.
        assert_eq!(cost(tree.clone()).await, 6);
        assert_eq!(cost(tree.clone()).await, 3, "the tree is cached");
        for position in 3..30 {
            server.kurso.page(school.course, school.lesson, position, Content, true).await;
        }
        assert_eq!(cost(tree).await, 6);
        // The session, the course with the visits, the content.
        assert_eq!(cost(format!("/courses/enrolled_page/{}", school.pages[0])).await, 3);
    }
}
