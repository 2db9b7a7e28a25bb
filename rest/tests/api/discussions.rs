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
        let (id, question) = (asked["id"].as_str().unwrap(), asked["posts"][0]["id"].as_str().unwrap());
        let author = asked["posts"][0]["author"].clone();
        assert_eq!(asked, json!({
            "id": id, "page_id": page, "audience": "course", "group_id": null, "created_at": NOW, "active_at": NOW, "reply_count": 0, "waiting_since": NOW,
            "resolved_at": null, "is_pinned": false, "is_locked": false, "moved_at": null, "anchor": {"block": 0, "quote": "Page"}, "is_unread": false, "follows": true,
            "posts": [{"id": question, "author": author, "is_mine": true, "is_anonymous": false, "by_asker": true, "by_staff": false, "body": post("Why?"),
                "created_at": NOW, "edited_at": null, "is_accepted": false, "useful_count": 0, "is_useful": false, "hidden": null, "reports": []}],
        }));
        let waiting = teacher.get(&format!("/courses/course_discussions/{course}?filter=unanswered")).await.ok();
        assert_eq!((&waiting["count"], &waiting["data"][0]["id"]), (&json!(1), &json!(id)));
        let answered = teacher.post_json(&format!("/courses/reply_discussion/{id}"), json!({"body": post("So")})).await.ok();
        let answer = answered["posts"][1]["id"].as_str().unwrap();
        assert_eq!((&answered["posts"][1]["by_staff"], &answered["waiting_since"]), (&json!(true), &Value::Null));
        let marked = learner.put_json(&format!("/courses/mark_post/{answer}"), json!({"is_useful": true})).await.ok();
        assert_eq!(marked["posts"][1]["useful_count"], 1);
        let noted = learner.put_json(&format!("/courses/note_discussion/{id}"), json!({"read_post_id": answer, "follows": false})).await.ok();
        assert_eq!((&noted["is_unread"], &noted["follows"]), (&json!(false), &json!(false)));
        let solved = learner.put_json(&format!("/courses/change_discussion/{id}"), json!({"accepted_post_id": answer})).await.ok();
        assert_eq!((&solved["resolved_at"], &solved["posts"][1]["is_accepted"]), (&json!(NOW), &json!(true)));
        learner.post_json(&format!("/courses/report_post/{answer}"), json!({"reason": "Rude"})).await.ok();
        let reported = owner.get(&format!("/courses/discussion/{id}")).await.ok();
        assert_eq!(reported["posts"][1]["reports"][0]["reason"], "Rude");
        let hide = json!({"action": "hide", "reason": "Yes"});
        let hidden = owner.post_json(&format!("/courses/moderate_post/{answer}"), hide).await.ok();
        assert_eq!(hidden["posts"][1]["hidden"]["reason"], "Yes");
        assert_eq!(learner.get(&format!("/courses/discussion/{id}")).await.ok()["posts"].as_array().unwrap().len(), 1);
        let edited = learner.put_json(&format!("/courses/edit_post/{question}"), json!({"body": post("Why not?")})).await.ok();
        assert_eq!((&edited["posts"][0]["body"], &edited["posts"][0]["edited_at"]), (&post("Why not?"), &json!(NOW)));
        let numbers = learner.get(&format!("/courses/page_questions/{page}")).await.ok();
        assert_eq!(numbers, json!({"is_on": true, "is_on_page": true, "allows_anonymous": false, "is_per_group": false, "blocks": []}));
        let left = learner.delete(&format!("/courses/delete_post/{question}")).await.ok();
        assert_eq!((&left["discussion"]["posts"][0]["body"], &left["discussion"]["id"]), (&Value::Null, &json!(id)));
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
