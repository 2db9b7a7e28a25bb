//! What has changed of pages since learners read them.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

async fn save(school: &School<'_>, body: Value) -> Value {
    let path = format!("/courses/update_page/{}", school.pages[0]);
    school.owner.put_json(&path, body).await.ok()
}

both! {
    async fn a_learner_is_told_and_reads_it_again(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (learner, page) = (&school.learner, school.pages[0]);
        let read = format!("/courses/enrolled_page/{page}");
        let first = save(&school, json!({"title": "Раньше", "content": document("a")})).await["version"].clone();
        assert_eq!(learner.get(&read).await.ok()["change_since_read"], Value::Null);
        learner.post(&format!("/courses/mark_page_visited/{page}?version={first}")).await.ok();
        assert_eq!(learner.get(&read).await.ok()["change_since_read"], Value::Null);

        save(&school, json!({"draft": true, "title": "Теперь", "content": document("b")})).await;
        assert_eq!(learner.get(&read).await.ok()["change_since_read"], Value::Null);
        server.kurso.clock.advance(chrono::Duration::minutes(1));
        let draft = school.owner.get(&format!("/courses/page_draft/{page}")).await.ok();
        let publish = |importance: Value| json!({
            "pages": [{"page_id": page, "version": draft["version"], "page_version": first}], "importance": importance,
        });
        let path = format!("/courses/publish_page_drafts/{}", school.course);
        assert_eq!(school.owner.post_json(&path, publish(json!("huge"))).await.fields(), ["enum at body.importance"]);
        school.owner.post_json(&path, publish(json!("important"))).await.ok();
        let changed = learner.get(&read).await.ok();
        assert_eq!(changed["change_since_read"], json!({
            "read_at": NOW, "changed_at": "2026-11-21T09:01:00Z", "importance": "important", "version": draft["version"],
            "before": {"version": first, "title": "Раньше", "content": document("a")},
        }));
        let listed = learner.get("/courses/important_changes").await.ok();
        assert_eq!((&listed["count"], &listed["data"][0]["page"]["id"]), (&json!(1), &json!(page)));
        assert_eq!([&listed["data"][0]["page"]["title"], &listed["data"][0]["number"], &listed["data"][0]["course_id"],
            &listed["data"][0]["changed_at"]], [&json!("Теперь"), &json!(1), &json!(school.course), &json!("2026-11-21T09:01:00Z")]);
        for staff in [&school.owner, &school.admin, &school.stranger] {
            assert_eq!(staff.get("/courses/important_changes").await.ok(), json!({"data": [], "count": 0}));
        }
        assert_eq!(school.teacher.get(&read).await.ok()["change_since_read"], Value::Null);

        let progress = format!("/courses/my_progress/{}", school.course);
        let before = learner.get(&progress).await.ok();
        let reread = format!("/courses/mark_reread/{page}");
        assert_eq!(learner.post_json(&reread, json!({})).await.fields(), ["missing at body.version"]);
        assert_eq!(learner.post_json(&reread, json!({"version": 0})).await.fields(), ["greater_than_equal at body.version"]);
        learner.post_json(&reread, json!({"version": 99})).await.refused(404, "This page has no such version");
        let stale = learner.post_json(&reread, json!({"version": first})).await.ok();
        assert_eq!(stale["change_since_read"], changed["change_since_read"]);
        for _ in 0..2 {
            let page = learner.post_json(&reread, json!({"version": draft["version"]})).await.ok();
            assert_eq!([&page["change_since_read"], &page["title"], &page["is_visited"]], [&Value::Null, &json!("Теперь"), &json!(true)]);
        }
        assert_eq!(learner.get("/courses/important_changes").await.ok()["count"], 0);
        assert_eq!(learner.get(&progress).await.ok(), before);
    }

    async fn nobody_gets_a_text_by_naming_its_version(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (learner, page) = (&school.learner, school.pages[0]);
        for text in ["a", "withdrawn", "b"] {
            save(&school, json!({"title": text, "content": document(text)})).await;
        }
        save(&school, json!({"draft": true, "title": "secret", "content": document("secret")})).await;
        let present = save(&school, json!({"title": "c", "content": document("c")})).await["version"].as_i64().unwrap();
        let visit = format!("/courses/mark_page_visited/{page}");
        assert_eq!(learner.post(&format!("{visit}?version=x")).await.fields(), ["int_parsing at query.version"]);
        learner.post(&format!("{visit}?version=3")).await.ok();
        for version in 1..present {
            learner.post(&format!("{visit}?version={version}")).await.ok();
            let answer = learner.post_json(&format!("/courses/mark_reread/{page}"), json!({"version": version})).await;
            let text = answer.text();
            assert!(!text.contains("withdrawn") && !text.contains("secret"), "{text}");
            let change = &answer.json()["change_since_read"];
            assert_eq!((&change["version"], &change["before"]), (&json!(present), &Value::Null));
        }
        // Staff who look as the learner are told nothing.
        let students = school.teacher.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        let enrollment = students["data"][0]["enrollment_id"].as_str().unwrap().to_owned();
        let preview = format!("/courses/preview_page/{page}?enrollment_id={enrollment}");
        assert_eq!(school.teacher.get(&preview).await.ok()["change_since_read"], Value::Null);
        let reread = format!("/courses/mark_reread/{page}");
        for (person, status) in [(&school.teacher, 403), (&school.owner, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(person.post_json(&reread, json!({"version": present})).await.status, status);
        }
    }

    async fn the_importance_of_a_direct_save_is_checked(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let page = school.pages[0];
        school.learner.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
        let path = format!("/courses/update_page/{page}");
        for (body, wrong) in [
            (json!({"title": "x", "importance": "none"}), "enum at body.importance"),
            (json!({"title": "x", "importance": "important", "draft": true}), "value_error at body.draft"),
        ] {
            assert_eq!(school.owner.put_json(&path, body).await.fields(), [wrong]);
        }
        for (importance, listed) in [(Value::Null, 0), (json!("correction"), 0), (json!("important"), 1)] {
            save(&school, json!({"title": format!("{importance}"), "importance": importance})).await;
            assert_eq!(school.learner.get("/courses/important_changes").await.ok()["count"], listed, "{importance}");
        }
    }
}
