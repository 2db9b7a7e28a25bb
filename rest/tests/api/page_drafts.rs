//! Unpublished changes of published pages, and who sees them.

use kurso_core::both;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{NOW, Persona, School, Sent as _, Server};

/// A word that only the draft has.
const SECRET: &str = "тайнопись";

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

async fn save(school: &School<'_>, body: Value) -> Value {
    let path = format!("/courses/update_page/{}", school.pages[0]);
    school.owner.put_json(&path, body).await.ok()
}

/// Everything that somebody without the right to edit can read of a course, its pages and the history.
async fn readable(by: &Persona<'_>, school: &School<'_>) -> Vec<String> {
    let (course, page) = (school.course, school.pages[0]);
    let mut texts = vec![];
    for path in [
        format!("/courses/enrolled_course/{course}"),
        format!("/courses/enrolled_page/{page}"),
        format!("/courses/get_course/{course}"),
        format!("/courses/get_page/{page}"),
        format!("/courses/get_lesson/{}", school.lesson),
        format!("/courses/page_versions/{page}"),
        format!("/courses/preview_course/{course}?at={NOW}"),
        format!("/courses/preview_page/{page}?at={NOW}"),
        format!("/courses/preview_course/{course}?drafts=true"),
        format!("/courses/preview_page/{page}?drafts=true"),
        format!("/courses/page_draft/{page}"),
        format!("/courses/unpublished_changes/{course}"),
        format!("/courses/export/{course}?format=html&drafts=true"),
        format!("/courses/my_progress/{course}"),
        format!("/courses/course_heat_map/{course}"),
        format!("/courses/search_content?text={SECRET}"),
        "/courses/my_enrolled_courses".to_owned(),
        "/courses/list_courses".to_owned(),
    ] {
        texts.push(by.get(&path).await.text());
    }
    texts
}

both! {
    async fn the_query_asks_for_a_draft_as_the_body_does(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, page) = (&school.owner, school.pages[0]);
        let update = async |draft: &str, title: &str| {
            owner.put_json(&format!("/courses/update_page/{page}?draft={draft}"), json!({"title": title})).await
        };
        let title = async || owner.get(&format!("/courses/get_page/{page}")).await.ok()["title"].clone();
        let before = title().await;
        assert_eq!(update("true", "a").await.ok()["draft"], json!(true));
        assert_eq!(title().await, before);
        assert_eq!(update("perhaps", "b").await.status, 422);
        assert_eq!(update("false", "c").await.ok().get("draft"), None);
        assert_eq!(title().await, json!("c"));
    }

    async fn a_draft_is_saved_read_listed_and_published(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, page) = (&school.owner, school.pages[0]);
        let before = owner.get(&format!("/courses/get_page/{page}")).await.ok();
        assert_eq!(before.get("draft"), None);
        let saved = save(&school, json!({"draft": true, "title": "Новое", "content": document("b"), "version": 1})).await;
        assert_eq!([&saved["draft"], &saved["version"], &saved["title"], &saved["content"]],
            [&json!(true), &json!(2), &json!("Новое"), &document("b")]);
        assert_eq!(owner.get(&format!("/courses/get_page/{page}")).await.ok(), before);
        let late = owner.put_json(&format!("/courses/update_page/{page}"), json!({"draft": true, "title": "x", "version": 1})).await;
        assert_eq!((late.status, &late.json()["page"]), (409, &saved));

        let draft = owner.get(&format!("/courses/page_draft/{page}")).await.ok();
        assert_eq!(draft, json!({
            "page_id": page, "lesson_id": school.lesson, "title": "Новое", "version": 2, "base_version": 1, "page_version": 1,
            "is_behind": false, "editor": {"id": school.owner_viewer.id(), "full_name": "owner"}, "created_at": NOW, "saved_at": NOW,
            "content": document("b"), "quiz": null,
        }));
        let listed = owner.get(&format!("/courses/unpublished_changes/{}", school.course)).await.ok();
        let mut summary = draft.clone();
        summary.as_object_mut().unwrap().retain(|name, _| name != "content" && name != "quiz");
        assert_eq!(listed, json!({"data": [summary], "count": 1}));

        let publish = format!("/courses/publish_page_drafts/{}", school.course);
        let stale = owner.post_json(&publish, json!({"pages": [{"page_id": page, "version": 1, "page_version": 1}]})).await;
        assert_eq!(stale.status, 409);
        let stored = json!([{"page_id": page, "version": 2, "page_version": 1}]);
        let detail = "Somebody else has changed these pages since you opened them. Nothing was published";
        assert_eq!(stale.json(), json!({"detail": detail, "pages": stored}));
        let published = owner.post_json(&publish, json!({"pages": stored})).await.ok();
        assert_eq!(published, json!({"pages": [{"page_id": page, "version": null, "page_version": 2}], "regrade": null}));
        let after = owner.get(&format!("/courses/get_page/{page}")).await.ok();
        assert_eq!([&after["title"], &after["version"]], [&json!("Новое"), &json!(2)]);
        owner.get(&format!("/courses/page_draft/{page}")).await.refused(404, "This page has no unpublished changes");
        for (body, wrong) in [
            (json!({}), "missing at body.pages"), (json!({"pages": []}), "too_short at body.pages"),
            (json!({"pages": [{"page_id": page, "version": 1}]}), "missing at body.pages.0.page_version"),
        ] {
            assert_eq!(owner.post_json(&publish, body).await.fields(), [wrong]);
        }
        let audited = school.admin.get("/utils/audit-log?kind=changes_published").await.ok();
        assert_eq!((&audited["count"], &audited["data"][0]["page"]["id"]), (&json!(1), &json!(page)));
    }

    async fn a_draft_is_discarded_and_restored(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, page) = (&school.owner, school.pages[0]);
        save(&school, json!({"draft": true, "title": "a"})).await;
        let discard = format!("/courses/discard_page_draft/{page}");
        assert_eq!(owner.delete(&discard).await.fields(), ["missing at query.version"]);
        let stale = owner.delete(&format!("{discard}?version=1")).await;
        assert_eq!((stale.status, &stale.json()["page"]["version"]), (409, &json!(2)));
        let page_now = owner.delete(&format!("{discard}?version=2")).await.ok();
        assert_eq!((&page_now["version"], page_now.get("draft")), (&json!(1), None));
        owner.delete(&format!("{discard}?version=2")).await.refused(404, "This page has no unpublished changes");
        let restored = owner.post(&format!("/courses/restore_page_version/{page}/2?draft=true")).await.ok();
        assert_eq!([&restored["version"], &restored["title"], &restored["draft"]], [&json!(3), &json!("a"), &json!(true)]);
        let versions = owner.get(&format!("/courses/page_versions/{page}")).await.ok();
        let published: Vec<_> = versions["data"].as_array().unwrap().iter().map(|entry| !entry["published_at"].is_null()).collect();
        assert_eq!(published, [false, false, true]);
        let mixed = owner.put_json(&format!("/courses/update_page/{page}"), json!({"draft": true, "title": "x", "published": false})).await;
        assert_eq!(mixed.fields(), ["value_error at body.draft"]);
    }

    async fn nobody_without_the_right_to_edit_sees_a_draft(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let page = school.pages[0];
        let file = server.kurso.file(school.owner_viewer.id(), "secret.png", "image/png", "1").await;
        let people = [&school.learner, &school.teacher, &school.admin, &school.stranger, &school.anonymous];
        let mut before = vec![];
        for person in people {
            before.push(readable(person, &school).await);
        }
        server.kurso.clock.advance(chrono::Duration::minutes(1));
        let picture = json!({"type": "image", "attrs": {"src": file.url(), "alt": SECRET}});
        let mut content = document(SECRET);
        content["content"].as_array_mut().unwrap().push(picture);
        save(&school, json!({"draft": true, "title": SECRET, "content": content})).await;
        for (person, before) in people.into_iter().zip(before) {
            let after = readable(person, &school).await;
            for text in &after {
                assert!(!text.contains(SECRET) && !text.contains(&file.key), "{text}");
            }
            // Not even that there is one: not the time of the course, and no version.
            assert_eq!(after, before);
            for (method, path, body) in [
                (Method::DELETE, format!("/courses/discard_page_draft/{page}?version=2"), json!({})),
                (Method::POST, format!("/courses/publish_page_drafts/{}", school.course), json!({"pages": [{"page_id": page, "version": 2, "page_version": 1}]})),
                (Method::PUT, format!("/courses/update_page/{page}"), json!({"draft": true, "title": "x"})),
                (Method::POST, format!("/courses/restore_page_version/{page}/2?draft=true"), json!({})),
            ] {
                let status = person.request(method, &path).json(&body).answer().await.status;
                assert!([401, 403, 404].contains(&status), "{path}: {status}");
            }
        }
        let preview = school.editor.get(&format!("/courses/preview_page/{page}?drafts=true")).await.ok();
        assert_eq!(preview["title"], SECRET);
        let preview = school.editor.get(&format!("/courses/preview_page/{page}")).await.ok();
        assert_ne!(preview["title"], SECRET);
        let export = school.editor.get(&format!("/courses/export/{}?format=html&drafts=true", school.course)).await;
        assert!(export.text().contains(SECRET));
        let export = school.editor.get(&format!("/courses/export/{}?format=html", school.course)).await;
        assert!(export.status == 200 && !export.text().contains(SECRET));
        let draft = json!({"pages": [{"page_id": page, "version": 2, "page_version": 1}]});
        school.editor.post_json(&format!("/courses/publish_page_drafts/{}", school.course), draft).await.ok();
        let read = school.learner.get(&format!("/courses/enrolled_page/{page}")).await.ok();
        assert_eq!(read["title"], SECRET);
    }
}
