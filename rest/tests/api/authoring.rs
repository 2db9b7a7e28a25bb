//! Author calls: responses and refusals.

use kurso_base::ids::{CourseId, ModuleId};
use kurso_core::both;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{NOW, Persona, School, Sent as _, Server};

/// Returns the id in a response.
fn id(answer: &Value) -> String {
    answer["id"].as_str().unwrap().to_owned()
}

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

/// Creates a course of one module, one lesson and one page; returns the four ids.
async fn course_of(author: &Persona<'_>) -> [String; 4] {
    let course = id(&author
        .post_json("/courses/create_course", json!({"title": "Курс"}))
        .await
        .ok());
    let path = format!("/courses/create_module/{course}");
    let module = id(&author.post_json(&path, json!({"title": "Модуль"})).await.ok());
    let path = format!("/courses/create_lesson/{module}");
    let lesson = id(&author.post_json(&path, json!({"title": "Урок"})).await.ok());
    let path = format!("/courses/create_page/{lesson}");
    let page = id(&author.post_json(&path, json!({"title": "Страница"})).await.ok());
    [course, module, lesson, page]
}

both! {
    async fn a_course_is_created_with_modules_lessons_and_pages(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let author = server.person("author").await;
        let body = json!({"title": "Курс", "description": "о чём", "unknown": 1});
        let course = author.post_json("/courses/create_course", body).await.ok();
        assert_eq!(course, json!({
            "id": course["id"], "title": "Курс", "description": "о чём",
            "owner": {"id": course["owner"]["id"], "full_name": "author", "email": "author@example.com"},
            "my_role": "owner", "share_code": null, "modules_count": 0, "lessons_count": 0, "pages_count": 0,
            "students_count": 0, "created_at": NOW, "updated_at": NOW, "modules": [],
            "starts_at": null, "ends_at": null, "enroll_until": null, "time_zone": null, "hide_locked_titles": false, "sequential": false,
        }));
        let path = format!("/courses/create_module/{}", id(&course));
        let module = author.post_json(&path, json!({"title": "М"})).await.ok();
        assert_eq!(module, json!({
            "id": module["id"], "course_id": course["id"], "title": "М", "description": null, "position": 0,
            "avatar_url": null, "lessons": [], "available_from": null, "available_until": null, "due_at": null, "prerequisites": [],
        }));
        let path = format!("/courses/create_lesson/{}", id(&module));
        let lesson = author.post_json(&path, json!({"title": "У"})).await.ok();
        let bare = json!({
            "id": lesson["id"], "module_id": module["id"], "title": "У", "position": 0, "pages": [],
            "available_from": null, "available_until": null, "due_at": null, "prerequisites": [],
        });
        assert_eq!(lesson, bare);
        let path = format!("/courses/create_page/{}", id(&lesson));
        let page = author.post_json(&path, json!({})).await.ok();
        assert_eq!(page, json!({
            "id": page["id"], "lesson_id": lesson["id"], "course_id": course["id"], "title": null, "kind": "content",
            "position": 0, "published": true, "content": {"type": "doc", "content": [{"type": "paragraph"}]},
            "quiz": null, "version": 1, "updated_at": NOW,
            "available_from": null, "available_until": null, "due_at": null,
            "late_until": null, "late_penalty_per_day": null, "late_penalty_max": null,
        }));
        assert_eq!(author.get(&format!("/courses/get_page/{}", id(&page))).await.ok(), page);

        let path = format!("/courses/get_course/{}", id(&course));
        let tree = author.get(&path).await.ok();
        assert_eq!(tree["pages_count"], 1);
        let module = author.get(&format!("/courses/get_module/{}", id(&module))).await.ok();
        assert_eq!(tree["modules"], json!([module]));
        let lesson = author.get(&format!("/courses/get_lesson/{}", id(&lesson))).await.ok();
        assert_eq!(module["lessons"], json!([lesson]));
        assert_eq!(lesson["pages"][0]["id"], page["id"]);
        let path = format!("/courses/update_course/{}", id(&course));
        let mut changed = author.put_json(&path, json!({"description": null})).await.ok();
        changed["description"] = json!("о чём");
        assert_eq!(changed, tree);
    }

    async fn modules_lessons_and_pages_are_updated_moved_and_deleted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let author = server.person("author").await;
        let [course, module, lesson, page] = course_of(&author).await;
        let second = author.post_json(&format!("/courses/create_module/{course}"), json!({"title": "2", "position": 0})).await.ok();
        assert_eq!(second["position"], 0);
        let moved = author.put_json(&format!("/courses/update_module/{module}"), json!({"position": 0, "title": "1"})).await.ok();
        assert_eq!((&moved["position"], &moved["title"]), (&json!(0), &json!("1")));
        let moved = author.put_json(&format!("/courses/update_lesson/{lesson}"), json!({"module_id": second["id"]})).await.ok();
        assert_eq!((&moved["module_id"], &moved["pages"][0]["id"]), (&second["id"], &json!(page)));
        let body = json!({"module_id": ModuleId::new(), "title": ""});
        let refused = author.put_json(&format!("/courses/update_lesson/{lesson}"), body).await;
        assert_eq!(refused.fields(), ["string_too_short at body.title"]);
        let body = json!({"module_id": ModuleId::new()});
        let refused = author.put_json(&format!("/courses/update_lesson/{lesson}"), body).await;
        assert_eq!(refused.fields(), ["value_error at body.module_id"]);
        author.put_json(&format!("/courses/update_course/{}", CourseId::new()), json!({"title": 1})).await.fields();
        let unknown = author.put_json(&format!("/courses/update_course/{}", CourseId::new()), json!({"title": "x"})).await;
        unknown.refused(404, "Course not found");

        let russian = |path: String| author.request(Method::DELETE, &path).header("accept-language", "ru").answer();
        assert_eq!(russian(format!("/courses/delete_page/{page}")).await.ok(), json!({"message": "Страница удалена"}));
        russian(format!("/courses/delete_page/{page}")).await.refused(404, "Страница не найдена");
        let deleted = author.delete(&format!("/courses/delete_lesson/{lesson}")).await.ok();
        assert_eq!(deleted, json!({"message": "Lesson deleted successfully"}));
        author.get(&format!("/courses/get_lesson/{lesson}")).await.refused(404, "Lesson not found");
        author.delete(&format!("/courses/delete_module/{module}")).await.ok();
        author.get(&format!("/courses/get_module/{module}")).await.refused(404, "Module not found");
        let left = author.get(&format!("/courses/get_course/{course}")).await.ok();
        assert_eq!((left["modules_count"].as_i64(), &left["modules"][0]["position"]), (Some(1), &json!(0)));
        author.delete(&format!("/courses/delete_course/{course}")).await.ok();
        assert_eq!(author.get("/courses/list_courses").await.ok(), json!({"data": [], "count": 0}));
    }

    async fn a_stale_save_returns_the_stored_page(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let author = server.person("author").await;
        let [_, _, _, page] = course_of(&author).await;
        let path = format!("/courses/update_page/{page}");
        let tab = |name: &str| format!("{path}?user_session_id={name}");
        let saved = author.put_json(&tab("a%20b"), json!({"content": document("1"), "version": 1})).await.ok();
        assert_eq!((&saved["version"], &saved["content"]), (&json!(2), &document("1")));
        let late = author.put_json(&tab("other"), json!({"title": "x", "version": 1})).await;
        assert_eq!(late.status, 409);
        let detail = "Somebody else has changed this page since you opened it";
        assert_eq!(late.json(), json!({"detail": detail, "page": saved}));
        author.put_json(&tab("a+b"), json!({"title": "x", "version": 1})).await.ok();
        author.put_json(&path, json!({"title": "y"})).await.ok();
        for (query, wrong) in [("", "string_too_short"), (&"s".repeat(129), "string_too_long"), ("%00", "value_error")] {
            let refused = author.put_json(&tab(query), json!({})).await;
            assert_eq!(refused.fields(), [format!("{wrong} at query.user_session_id")]);
        }
        let refused = author.put_json(&path, json!({"content": {"type": "doc", "content": [{"type": "x"}]}})).await;
        assert_eq!(refused.fields(), ["content_unknown_node at body.content.content.0.type"]);
    }

    async fn a_page_version_can_be_restored(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let author = server.person("author").await;
        let [_, _, _, page] = course_of(&author).await;
        author.put_json(&format!("/courses/update_page/{page}"), json!({"title": "Новая"})).await.ok();
        let versions = author.get(&format!("/courses/page_versions/{page}")).await.ok();
        let editor = &versions["data"][0]["editor"];
        assert_eq!(editor["full_name"], "author");
        let version = |version: i64, title: &str| json!({
            "version": version, "title": title, "editor": editor, "started_at": NOW, "saved_at": NOW, "published_at": NOW,
        });
        assert_eq!(versions, json!({"data": [version(2, "Новая"), version(1, "Страница")], "count": 2}));
        let restore = |version: &str| format!("/courses/restore_page_version/{page}/{version}");
        let restored = author.post(&restore("1")).await.ok();
        assert_eq!((&restored["title"], &restored["version"]), (&json!("Страница"), &json!(3)));
        author.post(&restore("9")).await.refused(404, "This page has no such version");
        author.post(&restore("99999999999999999999")).await.refused(404, "This page has no such version");
        for (bad, wrong) in [("x", "int_parsing"), ("-1", "greater_than_equal"), ("1.5", "int_parsing")] {
            assert_eq!(author.post(&restore(bad)).await.fields(), [format!("{wrong} at path.version")]);
        }
    }

    async fn duplicating_returns_the_copy(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let author = server.person("author").await;
        let [course, module, lesson, page] = course_of(&author).await;
        let copy = author.post(&format!("/courses/duplicate_page/{page}")).await.ok();
        assert_eq!((&copy["title"], &copy["position"], &copy["lesson_id"]), (&json!("Страница (копия)"), &json!(1), &json!(lesson)));
        let copy = author.post(&format!("/courses/duplicate_lesson/{lesson}")).await.ok();
        assert_eq!((&copy["title"], &copy["position"], copy["pages"].as_array().unwrap().len()), (&json!("Урок (копия)"), &json!(1), 2));
        let copy = author.post(&format!("/courses/duplicate_module/{module}")).await.ok();
        assert_eq!((&copy["title"], copy["lessons"].as_array().unwrap().len()), (&json!("Модуль (копия)"), 2));
        let copy = author.post(&format!("/courses/duplicate_course/{course}")).await.ok();
        assert_eq!((&copy["title"], copy["pages_count"].as_i64()), (&json!("Курс (копия)"), Some(8)));
        assert_eq!(copy["modules"][1]["lessons"][1]["pages"].as_array().unwrap().len(), 2);
        assert_eq!(author.get("/courses/list_courses").await.ok()["count"], 2);
    }

    async fn the_depth_of_a_document_is_limited_by_the_content_model(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let author = server.person("author").await;
        let [_, _, _, page] = course_of(&author).await;
        let deep = |quotes: usize| {
            let link = json!([{"type": "link", "attrs": {"href": "https://example.com"}}]);
            let mut node = json!({"type": "paragraph", "content": [{"type": "text", "text": "x", "marks": link}]});
            for _ in 0..quotes {
                node = json!({"type": "blockquote", "content": [node]});
            }
            json!({"content": {"type": "doc", "content": [node]}})
        };
        let path = format!("/courses/update_page/{page}");
        // serde_json's own limit is lower, so the test looks at the text.
        let saved = author.put_json(&path, deep(62)).await;
        assert_eq!((saved.status, saved.text().matches("blockquote").count()), (200, 62));
        let late = author.put_json(&path, json!({"title": "x", "version": 1})).await;
        assert_eq!((late.status, late.text().matches("blockquote").count()), (409, 62));
        assert!(author.put_json(&path, deep(63)).await.fields()[0].starts_with("content_too_deep at body.content"));
        let refused = author.put_json(&path, deep(500)).await.fields();
        assert!(refused[0].starts_with("json_invalid at body."), "{refused:?}");
    }

    async fn author_calls_check_the_role(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let tree = school.owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        let (course, page) = (school.course, school.pages[0]);
        let (module, lesson) = (id(&tree["modules"][0]), id(&tree["modules"][0]["lessons"][0]));
        for path in [
            format!("/courses/get_module/{module}"), format!("/courses/get_lesson/{lesson}"),
            format!("/courses/get_page/{page}"), format!("/courses/page_versions/{page}"),
        ] {
            //                 owner editor teacher admin learner stranger nobody
            assert_eq!(school.statuses(&path).await, [200, 200, 200, 200, 403, 404, 401], "{path}");
        }
        let people = [
            (&school.anonymous, 401), (&school.stranger, 404), (&school.learner, 403), (&school.teacher, 403),
            (&school.admin, 403), (&school.editor, 200), (&school.owner, 200),
        ];
        for (persona, status) in people {
            for (method, path) in [
                (Method::PUT, format!("update_course/{course}")), (Method::POST, format!("create_module/{course}")),
                (Method::PUT, format!("update_module/{module}")), (Method::POST, format!("create_lesson/{module}")),
                (Method::PUT, format!("update_lesson/{lesson}")), (Method::POST, format!("create_page/{lesson}")),
                (Method::PUT, format!("update_page/{page}")), (Method::POST, format!("duplicate_page/{page}")),
                (Method::POST, format!("duplicate_lesson/{lesson}")), (Method::POST, format!("duplicate_module/{module}")),
                (Method::POST, format!("duplicate_course/{course}")), (Method::POST, format!("restore_page_version/{page}/1")),
            ] {
                let request = persona.request(method, &format!("/courses/{path}")).json(&json!({"title": "x"}));
                assert_eq!(request.answer().await.status, status, "{path}");
            }
        }
        for (persona, status) in people {
            // Only permitted callers delete the last page, so that the other one exists for those who are refused.
            let path = format!("/courses/delete_page/{}", if status == 200 { id(&last_page(&school).await) } else { page.to_string() });
            assert_eq!(persona.delete(&path).await.status, status);
        }
        for (persona, status) in [(&school.editor, 403), (&school.teacher, 403), (&school.learner, 403), (&school.admin, 200)] {
            assert_eq!(persona.delete(&format!("/courses/delete_course/{course}")).await.status, status);
        }
    }
}

async fn last_page(school: &School<'_>) -> Value {
    let tree = school
        .owner
        .get(&format!("/courses/get_course/{}", school.course))
        .await
        .ok();
    let pages = tree["modules"][0]["lessons"][0]["pages"].as_array().unwrap().clone();
    pages.last().unwrap().clone()
}
