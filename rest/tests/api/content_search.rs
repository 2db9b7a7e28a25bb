//! Full-text search over HTTP.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{Persona, Server};

const FOUND: &str = "/courses/search_content";

/// Creates a course with one page; returns the ids of the course and the page.
async fn course(who: &Persona<'_>, published: bool) -> (String, String) {
    let id = |made: Value| made["id"].as_str().unwrap().to_owned();
    let course = id(who
        .post_json("/courses/create_course", json!({"title": "Лес"}))
        .await
        .ok());
    let module = id(who
        .post_json(&format!("/courses/create_module/{course}"), json!({"title": "М"}))
        .await
        .ok());
    let lesson = id(who
        .post_json(&format!("/courses/create_lesson/{module}"), json!({"title": "Урок"}))
        .await
        .ok());
    let content = json!({"type": "doc", "content": [
        {"type": "paragraph", "content": [{"type": "text", "text": "Зачин."}]},
        {"type": "paragraph", "content": [{"type": "text", "text": "В тумане бродит ёжик."}]},
    ]});
    let page = json!({"title": "Туман", "kind": "content", "content": content, "published": published});
    let page = id(who
        .post_json(&format!("/courses/create_page/{lesson}"), page)
        .await
        .ok());
    (course, page)
}

both! {
    async fn a_match_has_its_page_and_its_snippet(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let (course, page) = course(&ann, false).await;
        let found = ann.get(&format!("{FOUND}?text=ежики")).await.ok();
        let expected = json!({
            "kind": "page", "course_id": course, "course_title": "Лес", "lesson_title": "Урок", "page_id": page, "title": "Туман",
            "number": 1, "page_kind": "content", "published": false, "in_draft": false, "my_role": "owner",
            "bank_id": null, "bank_title": null, "question_id": null,
            "fragments": [{"block": 1, "question_id": null, "parts": [
                {"text": "В тумане бродит ", "matched": false}, {"text": "ёжик", "matched": true}, {"text": ".", "matched": false},
            ]}],
        });
        assert_eq!(found, json!({"data": [expected], "count": 1}));
        for nothing in ["", "?text=", "?text=%20", "?text=слон", "?text=ежик&skip=1"] {
            assert_eq!(ann.get(&format!("{FOUND}{nothing}")).await.ok()["data"], json!([]), "{nothing}");
        }
        assert_eq!(ann.get(&format!("{FOUND}?text=ежик&course_id={course}")).await.ok()["count"], 1);

        let eve = server.person("eve").await;
        assert_eq!(eve.get(&format!("{FOUND}?text=ежик")).await.ok(), json!({"data": [], "count": 0}));
        eve.get(&format!("{FOUND}?text=ежик&course_id={course}")).await.refused(404, "Course not found");
        let long = "я".repeat(256);
        assert_eq!(ann.get(&format!("{FOUND}?text={long}&course_id=x")).await.fields(),
            ["string_too_long at query.text", "uuid_parsing at query.course_id"]);
    }
}
