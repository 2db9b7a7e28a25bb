//! Consequences of publishing, regrading and its undoing.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{NOW, School, Server};

fn quiz(value: i64) -> Value {
    json!({"pass_percent": 50, "questions": [
        {"id": "0190a000-0000-7000-8000-000000000001", "type": "numeric", "prompt": "?", "value": value, "points": 3},
        {"id": "0190a000-0000-7000-8000-000000000002", "type": "numeric", "prompt": "?", "value": 1},
    ]})
}

both! {
    async fn results_are_shown_regraded_and_restored(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (page, stored) = school.add_quiz(&server.kurso, &quiz(4)).await;
        let answers: Vec<Value> = stored.questions.iter().zip([5, 1]).map(|(question, n)| json!({"question_id": question.id, "number": n})).collect();
        let submit = format!("/courses/submit_quiz/{page}");
        school.learner.post_json(&submit, json!({"answers": answers.clone()})).await.ok();
        let changed = json!({"draft": true, "quiz": quiz(5)});
        let draft = school.owner.put_json(&format!("/courses/update_page/{page}"), changed).await.ok();
        let shown = school.owner.get(&format!("/courses/unpublished_changes/{}", school.course)).await.ok();
        let entry = json!({"page_id": page, "version": draft["version"], "page_version": shown["data"][0]["page_version"]});
        let plan = json!({"pages": [entry.clone()], "past_attempts": "regrade"});
        let path = format!("/courses/consequences/{}", school.course);
        let told = school.editor.post_json(&path, plan.clone()).await.ok();
        let learner = &told["learners"][0];
        assert_eq!((&told["affected"], &told["regraded_attempts"], &told["left_attempts"]), (&json!(1), &json!(1), &json!(0)));
        assert_eq!(learner["user"]["full_name"], "learner");
        assert_eq!([&learner["grade_before"], &learner["grade_after"], &learner["is_completed_after"]], [&json!(25.0), &json!(100.0), &json!(false)]);
        assert_eq!(learner["pages"], json!([{"page_id": page, "score_before": 1.0, "score_after": 4.0, "max_score_before": 4.0,
            "max_score_after": 4.0, "passed_before": false, "passed_after": true}]));
        let kept = school.owner.post_json(&path, json!({"pages": [entry.clone()]})).await.ok();
        assert_eq!((&kept["affected"], &kept["learners"]), (&json!(0), &json!([])));
        for (field, value) in [("past_attempts", "forget"), ("removed_questions", "maybe")] {
            let mut body = plan.clone();
            body[field] = json!(value);
            assert_eq!(school.owner.post_json(&path, body).await.status, 422);
        }

        let publish = format!("/courses/publish_page_drafts/{}", school.course);
        let mut body = plan.clone();
        body["digest"] = kept["digest"].clone();
        let refused = school.owner.post_json(&publish, body.clone()).await;
        assert_eq!((refused.status, &refused.json()["consequences"]), (409, &told));
        body["digest"] = told["digest"].clone();
        let published = school.owner.post_json(&publish, body).await.ok();
        let regrade = &published["regrade"];
        assert_eq!([&regrade["at"], &regrade["attempts"], &regrade["changed"], &regrade["page_ids"], &regrade["is_undoable"], &regrade["undone_at"]],
            [&json!(NOW), &json!(1), &json!(1), &json!([page]), &json!(true), &Value::Null]);
        let stale = school.owner.post_json(&path, plan).await;
        assert_eq!((stale.status, &stale.json()["pages"][0]["version"]), (409, &Value::Null));
        let listed = school.editor.get(&format!("/courses/regrades/{}", school.course)).await.ok();
        assert_eq!(listed, json!({"data": [regrade], "count": 1}));

        let read = school.learner.get(&format!("/courses/enrolled_page/{page}")).await.ok();
        let attempt = &read["attempts"][0];
        assert_eq!((&attempt["score"], &attempt["passed"]), (&json!(4.0), &json!(true)));
        let change = json!({"at": NOW, "kind": "regraded", "score_before": 1.0, "max_score_before": 4.0, "passed_before": false,
            "score_after": 4.0, "max_score_after": 4.0, "passed_after": true});
        assert_eq!(attempt["result_changes"], json!([change]));

        let undo = format!("/courses/undo_regrade/{}", regrade["id"].as_str().unwrap());
        for other in [&school.teacher, &school.learner] {
            assert_eq!(other.post(&undo).await.status, 403);
        }
        school.stranger.post(&undo).await.refused(404, "Regrading not found");
        let undone = school.editor.post(&undo).await.ok();
        assert_eq!((&undone["left"], &undone["regrade"]["undone_at"]), (&json!(0), &json!(NOW)));
        let detail = "This regrading was already undone, or it is older than 30 days";
        school.editor.post(&undo).await.refused(409, detail);
        let read = school.learner.get(&format!("/courses/enrolled_page/{page}")).await.ok();
        assert_eq!((&read["attempts"][0]["score"], &read["attempts"][0]["result_changes"][0]["kind"]), (&json!(1.0), &json!("regrade_undone")));
    }
}
