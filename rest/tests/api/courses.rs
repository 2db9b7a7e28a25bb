//! Author calls: lists, the tree, share codes, and the responses to each role.

use kurso_base::ids::CourseId;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_db::sql;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

both! {
    async fn authors_read_the_whole_course(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        sql!("UPDATE pages SET title = NULL WHERE id = $1", school.pages[0]).execute(&server.kurso.db).await.unwrap();
        let tree = school.owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        let mut course = tree.clone();
        let modules = course.as_object_mut().unwrap().remove("modules").unwrap();
        assert_eq!(course, json!({
            "id": school.course, "title": "Курс", "description": null,
            "owner": {"id": school.owner_viewer.id(), "full_name": "owner", "email": "owner@example.com"},
            "my_role": "owner", "share_code": school.share_code, "modules_count": 2, "lessons_count": 4,
            "pages_count": 5, "students_count": 1, "created_at": NOW, "updated_at": course["updated_at"],
            "starts_at": null, "ends_at": null, "enroll_until": null, "time_zone": null, "hide_locked_titles": false, "sequential": false,
        }));
        let (module, lesson) = (&modules[0], &modules[0]["lessons"][0]);
        assert_eq!(modules.as_array().unwrap().len(), 2);
        assert_eq!(*module, json!({
            "id": module["id"], "course_id": school.course, "title": "Модуль 1", "description": null, "position": 0,
            "avatar_url": null, "lessons": module["lessons"], "available_from": null, "available_until": null, "due_at": null,
            "prerequisites": [],
        }));
        assert_eq!(*lesson, json!({
            "id": lesson["id"], "module_id": module["id"], "title": "Урок 1.1", "position": 0,
            "available_from": null, "available_until": null, "due_at": null, "prerequisites": [], "pages": [
                {
                    "id": school.pages[0], "lesson_id": lesson["id"], "title": null, "kind": "content",
                    "position": 0, "published": true, "available_from": null, "available_until": null, "due_at": null,
                    "late_until": null, "late_penalty_per_day": null, "late_penalty_max": null,
                },
                {
                    "id": school.pages[1], "lesson_id": lesson["id"], "title": "Стр. 1", "kind": "content",
                    "position": 1, "published": true, "available_from": null, "available_until": null, "due_at": null,
                    "late_until": null, "late_penalty_per_day": null, "late_penalty_max": null,
                },
                {
                    "id": school.draft, "lesson_id": lesson["id"], "title": "Стр. 2", "kind": "content",
                    "position": 2, "published": false, "available_from": null, "available_until": null, "due_at": null,
                    "late_until": null, "late_penalty_per_day": null, "late_penalty_max": null,
                },
            ],
        }));
        assert_eq!(modules[1]["lessons"][1]["pages"], json!([]));
    }

    async fn the_avatar_url_serves_the_file(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let file = crate::files::store(&server.kurso, "обложка.png", "image/png", b"x").await;
        let db = &server.kurso.db;
        sql!("UPDATE modules SET avatar_file_id = $1 WHERE position = 0", file.id).execute(db).await.unwrap();
        sql!("UPDATE courses SET structure_version = structure_version + 1").execute(db).await.unwrap();
        let tree = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        let url = tree["modules"][0]["avatar_url"].as_str().unwrap();
        assert_eq!(school.anonymous.get(url).await.bytes, b"x");
    }

    async fn the_response_depends_on_the_role(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = format!("/courses/get_course/{}", school.course);
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&course).await, [200, 200, 200, 200, 403, 404, 401]);
        school.learner.get(&course).await.refused(403, "Your role in this course does not allow this");
        school.stranger.get(&course).await.refused(404, "Course not found");
        let unknown = format!("/courses/get_course/{}", CourseId::new());
        school.owner.get(&unknown).await.refused(404, "Course not found");
        for (persona, role, sees_code) in [
            (&school.editor, "editor", true), (&school.teacher, "teacher", false), (&school.admin, "admin", false),
        ] {
            let answer = persona.get(&course).await.ok();
            assert_eq!((answer["my_role"].as_str(), answer["share_code"].is_string()), (Some(role), sees_code));
            assert_eq!(answer["owner"]["email"], "owner@example.com");
        }
    }

    async fn only_the_owner_makes_share_codes(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/generate_share_code/{}", school.course);
        for (persona, status) in [
            (&school.editor, 403), (&school.teacher, 403), (&school.admin, 403), (&school.learner, 403),
            (&school.stranger, 404), (&school.anonymous, 401),
        ] {
            assert_eq!(persona.post(&path).await.status, status);
        }
        school.editor.post(&path).await.refused(403, "Only the owner of the course may do this");
        let answer = school.owner.post(&path).await.ok();
        let code = answer["share_code"].as_str().unwrap();
        assert_eq!(answer, json!({"course_id": school.course, "share_code": code}));
        assert!(code.len() == 9 && code.as_bytes()[4] == b'-' && code != school.share_code, "{code}");
        let enroll = async |code: &str| school.stranger.post_json("/courses/enroll", json!({"share_code": code})).await;
        enroll(&school.share_code).await.refused(404, "There is no course with this code");
        enroll(code).await.ok();
    }

    async fn taught_courses_are_listed_newest_change_first(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let mut made = vec![school.course];
        for _ in 0..3 {
            server.kurso.clock.advance(chrono::Duration::seconds(1));
            made.insert(0, server.kurso.course(&school.owner_viewer, &[&[&[Content, Quiz]]]).await);
        }
        let all = school.owner.get("/courses/list_courses").await.ok();
        assert_eq!(all["count"], 4);
        let ids = |list: &Value| list["data"].as_array().unwrap().iter().map(|c| c["id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(&all), made.iter().map(|id| json!(id)).collect::<Vec<_>>());
        let first = &all["data"][0];
        assert!(first.get("modules").is_none());
        assert_eq!([&first["modules_count"], &first["lessons_count"], &first["pages_count"]], [1, 1, 2]);
        let some = school.owner.get("/courses/list_courses?skip=1&limit=2").await.ok();
        assert_eq!((ids(&some), &some["count"]), (vec![json!(made[1]), json!(made[2])], &json!(4)));
        for beyond in ["skip=4", "limit=0"] {
            let answer = school.owner.get(&format!("/courses/list_courses?{beyond}")).await.ok();
            assert_eq!(answer, json!({"data": [], "count": 4}));
        }
        for (persona, count) in [
            (&school.editor, 1), (&school.teacher, 1), (&school.learner, 0), (&school.admin, 0), (&school.stranger, 0),
        ] {
            assert_eq!(persona.get("/courses/list_courses").await.ok()["count"], count);
        }
    }

    async fn the_statements_of_a_list_do_not_grow_with_its_length(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let cost = async || {
            let before = server.kurso.db.statements();
            school.owner.get("/courses/list_courses").await.ok();
            server.kurso.db.statements() - before
        };
        let one = cost().await;
        for _ in 0..5 {
            server.kurso.course(&school.owner_viewer, &[&[&[Content]]]).await;
        }
        assert_eq!((one, cost().await), (3, 3)); // the session, the courses, their counts
    }
}
