//! Questions under pages.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

fn post(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

both! {
    async fn questions_are_asked_answered_and_moderated(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, teacher, learner) = (&school.owner, &school.teacher, &school.learner);
        let (course, page) = (school.course, school.pages[0]);
        let version = owner.get(&format!("/courses/get_page/{page}")).await.ok()["version"].clone();
        let new = json!({"body": post("Why?"), "version": version, "block": 0, "quote": "Page"});
        let asked = learner.post_json(&format!("/courses/start_discussion/{page}"), new).await.ok();
        let (id, question) = (asked["id"].as_str().unwrap(), asked["question"]["id"].as_str().unwrap());
        let author = asked["question"]["author"].clone();
        assert_eq!(asked, json!({
            "id": id, "page_id": page, "audience": "course", "group_id": null, "created_at": NOW, "active_at": NOW, "reply_count": 0, "waiting_since": NOW,
            "resolved_at": null, "is_pinned": false, "is_locked": false, "moved_at": null, "anchor": {"block": 0, "quote": "Page"}, "is_unread": false, "follows": true,
            "accepted_post_id": null, "has_written": true, "has_other_writers": false, "has_staff_answer": false, "report_count": 0,
            "question": {"id": question, "number": 0, "author": author, "is_mine": true, "is_anonymous": false, "by_asker": true, "by_staff": false, "body": post("Why?"),
                "created_at": NOW, "edited_at": null, "is_accepted": false, "useful_count": 0, "is_useful": false, "hidden": null, "reports": []},
        }));
        let waiting = teacher.get(&format!("/courses/course_discussions/{course}?filter=unanswered")).await.ok();
        assert_eq!((&waiting["count"], &waiting["data"][0]["id"]), (&json!(1), &json!(id)));
        let answered = teacher.post_json(&format!("/courses/reply_discussion/{id}"), json!({"body": post("So")})).await.ok();
        let answer = answered["post"]["id"].as_str().unwrap();
        assert_eq!((&answered["post"]["by_staff"], &answered["discussion"]["waiting_since"]), (&json!(true), &Value::Null));
        let marked = learner.put_json(&format!("/courses/mark_post/{answer}"), json!({"is_useful": true})).await.ok();
        assert_eq!(marked["post"]["useful_count"], 1);
        let noted = learner.put_json(&format!("/courses/note_discussion/{id}"), json!({"read_post_id": answer, "follows": false})).await.ok();
        assert_eq!((&noted["is_unread"], &noted["follows"]), (&json!(false), &json!(false)));
        let solved = learner.put_json(&format!("/courses/change_discussion/{id}"), json!({"accepted_post_id": answer})).await.ok();
        assert_eq!((&solved["resolved_at"], &solved["accepted_post_id"]), (&json!(NOW), &json!(answer)));
        learner.post_json(&format!("/courses/report_post/{answer}"), json!({"reason": "Rude"})).await.ok();
        assert_eq!(owner.get(&format!("/courses/discussion/{answer}")).await.ok()["report_count"], 1);
        let answers = format!("/courses/discussion_answers/{id}");
        let reported = owner.get(&format!("{answers}?at={answer}")).await.ok();
        assert_eq!((&reported["count"], &reported["data"][0]["number"], &reported["data"][0]["reports"][0]["reason"]), (&json!(1), &json!(1), &json!("Rude")));
        assert_eq!(owner.get(&format!("{answers}?skip=1")).await.ok(), json!({"data": [], "count": 1}));
        assert_eq!(owner.get(&format!("{answers}?at=x")).await.status, 422);
        let hide = json!({"action": "hide", "reason": "Yes"});
        let hidden = owner.post_json(&format!("/courses/moderate_post/{answer}"), hide).await.ok();
        assert_eq!(hidden["post"]["hidden"]["reason"], "Yes");
        assert_eq!(learner.get(&answers).await.ok()["count"], 0);
        assert_eq!(learner.get(&format!("/courses/discussion/{answer}")).await.status, 404);
        let edited = learner.put_json(&format!("/courses/edit_post/{question}"), json!({"body": post("Why not?")})).await.ok();
        assert_eq!((&edited["post"]["body"], &edited["discussion"]["question"]["edited_at"]), (&post("Why not?"), &json!(NOW)));
        let numbers = learner.get(&format!("/courses/page_questions/{page}")).await.ok();
        assert_eq!(numbers, json!({"is_on": true, "is_on_page": true, "allows_anonymous": false, "is_per_group": false, "blocks": []}));
        let left = learner.delete(&format!("/courses/delete_post/{question}")).await.ok();
        assert_eq!((&left["discussion"]["question"]["body"], &left["discussion"]["id"]), (&Value::Null, &json!(id)));
    }

    /// Documents that could run code in the browsers of others, or fill the store. For the staff there are no exceptions.
    async fn hostile_posts_are_refused_or_stored_as_text(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let start = format!("/courses/start_discussion/{}", school.pages[0]);
        let doc = |node: Value| json!({"type": "doc", "content": [node]});
        let link = |href: &str| doc(json!({"type": "paragraph", "content": [
            {"type": "text", "text": "x", "marks": [{"type": "link", "attrs": {"href": href}}]}]}));
        let image = |src: &str| doc(json!({"type": "image", "attrs": {"src": src}}));
        let mut nested = json!({"type": "paragraph"});
        for _ in 0..500 {
            nested = json!({"type": "blockquote", "content": [nested]});
        }
        let hostile = [
            link("javascript:alert(1)"), link("JaVaScRiPt:alert(1)"), link("java\nscript:alert(1)"), link("data:text/html,<script>1</script>"),
            link("vbscript:x"), link("\u{1}javascript:alert(1)"), image("javascript:alert(1)"), image("data:image/svg+xml,<svg onload=alert(1)>"),
            image("https://elsewhere.example/a.png"), image("//elsewhere.example/a.png"), doc(json!({"type": "iframe", "attrs": {"src": "https://a.example"}})),
            doc(json!({"type": "html", "content": "<img src=x onerror=alert(1)>"})), doc(json!({"type": "embed", "attrs": {"src": "https://a.example"}})),
            doc(nested), post(&"x".repeat(2 * 1024 * 1024)), doc(json!({"type": "blockMath", "attrs": {"latex": "x".repeat(2 * 1024 * 1024)}})),
            json!({"type": "doc", "content": vec![json!({"type": "paragraph"}); 200_000]}), json!([]), json!("<script>"), Value::Null,
        ];
        for by in [&school.learner, &school.owner] {
            for (number, body) in hostile.iter().enumerate() {
                let status = by.post_json(&start, json!({"body": body})).await.status;
                assert!(status == 422 || status == 413, "{number}: {status}");
            }
        }
        let text = "<script>alert(1)</script><img src=x onerror=alert(1)> {{7*7}} ${1} \u{202e}";
        let stored = school.learner.post_json(&start, json!({"body": post(text)})).await.ok();
        assert_eq!(stored["question"]["body"], post(text));
    }

    async fn wrong_fields_are_named_and_settings_apply(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (course, page) = (school.course, school.pages[0]);
        let start = format!("/courses/start_discussion/{page}");
        let settings = json!({"is_on": true, "allows_anonymous": false, "is_per_group": true, "words": ["spam"]});
        let set = school.owner.put_json(&format!("/courses/set_discussions/{course}"), settings.clone()).await.ok();
        assert_eq!(set, settings);
        assert_eq!(school.editor.get(&format!("/courses/discussion_settings/{course}")).await.ok(), settings);
        let video = json!({"type": "doc", "content": [{"type": "horizontalRule"}]});
        for (body, field) in [
            (json!({"body": post("Spam!")}), "value_error at body.body"),
            (json!({"body": post(" ")}), "value_error at body.body"),
            (json!({"body": video}), "value_error at body.body"),
            (json!({"body": post(&"x".repeat(10_001))}), "value_error at body.body"),
            (json!({"body": post("x"), "block": 0}), "value_error at body.version"),
            (json!({"body": post("x"), "block": 99, "version": 1}), "value_error at body.block"),
            (json!({"body": post("x"), "is_anonymous": true}), "value_error at body.is_anonymous"),
        ] {
            assert_eq!(school.learner.post_json(&start, body.clone()).await.fields(), [field], "{body}");
        }
        let words = json!({"words": ["x".repeat(51)]});
        assert_eq!(school.owner.put_json(&format!("/courses/set_discussions/{course}"), words).await.status, 422);
        assert_eq!(school.learner.get(&format!("/courses/page_discussions/{page}?filter=x")).await.status, 422);
        let off = school.teacher.put_json(&format!("/courses/set_page_discussions/{page}"), json!({"is_on": false})).await.ok();
        assert_eq!((&off["is_on"], &off["is_on_page"]), (&json!(false), &json!(false)));
        school.learner.post_json(&start, json!({"body": post("x")})).await.refused(409, "Questions are switched off here");
    }
}
