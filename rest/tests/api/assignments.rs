//! Assignments over HTTP: handing in, drafts, and returning for revision. The table of rights says what each role may do.

use chrono::Duration;
use kurso_base::ids::PageId;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Assignment;
use kurso_core::learning;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, NOW, Persona, School, Sent as _, Server};
use crate::uploads::form;

const QUESTION: &str = "0198f000-0000-7000-8000-0000000000a1";

fn quiz(settings: &Value) -> Value {
    let mut quiz = json!({"pass_percent": 60, "questions": [{
        "type": "hand_in", "id": QUESTION, "points": 10, "min_words": 2, "max_files": 2, "extensions": ["pdf"], "max_links": 1,
        "guide": "guide-731973",
    }]});
    quiz.as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    quiz
}

struct Class<'a> {
    school: School<'a>,
    page: PageId,
}

impl<'a> Class<'a> {
    async fn open(server: &'a Server, settings: &Value) -> Self {
        let school = School::open(server).await;
        let kurso = &server.kurso;
        let page = kurso.page(school.course, school.lesson, 3, Assignment, true).await;
        kurso.set_quiz(page, &quiz(settings)).await;
        Class { school, page }
    }

    async fn upload(&self, who: &Persona<'_>) -> Value {
        let path = format!("/courses/upload_answer_file/{}/{QUESTION}", self.page);
        let request = who
            .request(Method::POST, &path)
            .multipart(form("work.pdf", b"%PDF-1.4 work"));
        request.answer().await.ok()
    }

    async fn hand_in(&self, who: &Persona<'_>, mut answer: Value) -> Answer {
        answer["question_id"] = json!(QUESTION);
        let path = format!("/courses/submit_quiz/{}", self.page);
        who.post_json(&path, json!({"answers": [answer]})).await
    }

    async fn read(&self) -> Value {
        let path = format!("/courses/enrolled_page/{}", self.page);
        self.school.learner.get(&path).await.ok()
    }

    async fn assess(&self, attempt: &Value, body: Value) -> Answer {
        let path = format!(
            "/courses/assess_answer/{}/{QUESTION}",
            attempt["attempt_id"].as_str().unwrap()
        );
        self.school.teacher.put_json(&path, body).await
    }

    async fn draft(&self, who: &Persona<'_>) -> Answer {
        who.get(&format!("/courses/answer_draft/{}", self.page)).await
    }

    async fn save(&self, who: &Persona<'_>, body: Value) -> Answer {
        who.put_json(&format!("/courses/save_answer_draft/{}", self.page), body)
            .await
    }
}

both! {
    async fn an_assignment_is_written_handed_in_and_graded(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({})).await;
        let school = &class.school;
        let made = school.owner.post_json(&format!("/courses/create_page/{}", school.lesson), json!({"kind": "assignment"})).await.ok();
        let question = &made["quiz"]["questions"][0];
        assert_eq!((&made["kind"], &question["type"], &question["points"], &question["max_files"]), (&json!("assignment"), &json!("hand_in"), &json!(10), &json!(5)));
        let page = class.read().await;
        assert_eq!((&page["kind"], &page["reason"]["kind"]), (&json!("assignment"), &json!("quiz_not_passed")));
        assert_eq!(page["quiz"]["questions"][0], json!({
            "id": QUESTION, "type": "hand_in", "prompt": {"type": "doc", "content": [{"type": "paragraph"}]}, "points": 10, "takes_text": true,
            "min_words": 2, "max_words": null, "max_files": 2, "extensions": ["pdf"], "max_links": 1, "rubric": null, "hints": [],
        }));

        for (answer, fields) in [
            (json!({}), vec!["nothing_to_hand_in at body.answers"]),
            (json!({"content": " ", "file_ids": [], "links": []}), vec!["nothing_to_hand_in at body.answers"]),
            (json!({"content": "One"}), vec!["value_error at body.answers.0.content"]),
            (json!({"links": ["example.com"]}), vec!["value_error at body.answers.0.links.0"]),
            (json!({"links": ["https://a.b", "https://a.b"]}), vec!["too_long at body.answers.0.links"]),
            (json!({"links": 1}), vec!["list_type at body.answers.0.links"]),
        ] {
            assert_eq!(class.hand_in(&school.learner, answer.clone()).await.fields(), fields, "{answer}");
        }
        let nothing = school.learner.post_json(&format!("/courses/submit_quiz/{}", class.page), json!({"answers": []})).await;
        assert_eq!(nothing.fields(), ["nothing_to_hand_in at body.answers"]);

        let file = class.upload(&school.learner).await;
        let link = "https://example.com/work";
        let attempt = class.hand_in(&school.learner, json!({"content": "Two words", "file_ids": [file["id"]], "links": [link]})).await.ok();
        assert_eq!((&attempt["waiting_answers"], &attempt["is_returned"]), (&json!(1), &json!(false)));
        let path = format!("/courses/open_answer/{}/{QUESTION}", attempt["attempt_id"].as_str().unwrap());
        let answer = school.editor.get(&path).await.ok();
        assert_eq!((&answer["links"], &answer["files"], &answer["words"]), (&json!([link]), &json!([file]), &json!(2)));
        assert!(answer["content"].to_string().contains("Two words") && answer["guide"].to_string().contains("guide-731973"));
        let graded = class.assess(&attempt, json!({"version": 0, "points": 7})).await.ok();
        assert_eq!((&graded["points"], &graded["is_returned"]), (&json!(7), &json!(false)));
        let page = class.read().await;
        assert_eq!((&page["attempts"][0]["percent"], &page["is_completed"]), (&json!(70), &json!(true)));
        assert!(!page.to_string().contains("731973"));
    }

    async fn a_learner_sees_a_return_at_once_and_nothing_else_before_the_release(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({"release": "together", "max_attempts": 1})).await;
        let school = &class.school;
        let first = class.hand_in(&school.learner, json!({"content": "The first version"})).await.ok();
        assert_eq!(class.read().await["attempts_left"], 0);
        for (body, fields) in [
            (json!({"is_returned": true}), vec!["missing at body.comment"]),
            (json!({"is_returned": true, "comment": "No", "points": 1}), vec!["value_error at body.points"]),
        ] {
            let mut body = body;
            body["version"] = json!(0);
            assert_eq!(class.assess(&first, body.clone()).await.fields(), fields, "{body}");
        }
        let returned = class.assess(&first, json!({"version": 0, "is_returned": true, "comment": "return-731973"})).await.ok();
        assert_eq!((&returned["state"], &returned["is_returned"], &returned["points"]), (&json!("released"), &json!(true), &Value::Null));
        assert_eq!((&returned["history"][0]["is_returned"], &returned["history"][0]["points"]), (&json!(true), &Value::Null));
        let queue = school.teacher.get(&format!("/courses/grading_queue/{}?state=released", school.course)).await.ok();
        assert_eq!((&queue["data"][0]["is_returned"], &queue["waiting"]), (&json!(true), &json!(0)));
        let page = class.read().await;
        assert_eq!(page["attempts_left"], 1);
        let attempt = &page["attempts"][0];
        assert_eq!((&attempt["is_returned"], &attempt["waiting_answers"]), (&json!(true), &json!(1)));
        assert_eq!((&page["reason"]["is_waiting"], &page["reason"]["is_returned"]), (&json!(false), &json!(true)));
        assert_eq!(attempt["results"], json!([{
            "question_id": QUESTION, "points": null, "max_points": 10, "correct": null, "is_waiting": true, "is_returned": true, "comment": "return-731973",
        }]));

        let second = class.hand_in(&school.learner, json!({"content": "The second version"})).await.ok();
        class.assess(&second, json!({"version": 0, "points": 9, "comment": "secret-731973"})).await.ok();
        let page = class.read().await;
        assert!(!page.to_string().contains("secret-731973"));
        assert_eq!((&page["reason"]["is_waiting"], &page["reason"]["is_returned"]), (&json!(true), &json!(false)));
        let facts = |attempt: &Value| json!([attempt["is_returned"], attempt["waiting_answers"], attempt["results"][0]["points"]]);
        assert_eq!([facts(&page["attempts"][0]), facts(&page["attempts"][1])], [json!([true, 0, 0.0]), json!([false, 1, null])]);
        assert_eq!(page["attempts_left"], 0);
        // Points in place of the return are released together too.
        class.assess(&first, json!({"version": 1, "points": 3, "comment": "secret-731973"})).await.ok();
        assert!(!class.read().await.to_string().contains("secret-731973"));
        let student = school.teacher.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        let enrollment = student["data"][0]["enrollment_id"].as_str().unwrap();
        let detail = school.teacher.get(&format!("/courses/student_detailed_progress/{enrollment}")).await.ok();
        assert!(detail.to_string().contains("The second version"));
    }

    async fn a_draft_is_its_learners_and_lives_until_it_is_handed_in(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({})).await;
        let school = &class.school;
        let boris = server.kurso.person("boris").await;
        learning::enroll(&server.kurso, &boris, &Origin::default(), &school.share_code).await.unwrap();
        let boris = server.viewer(&boris);
        let none = json!({"draft": null});
        assert_eq!(class.draft(&school.learner).await.ok(), none);
        let file = class.upload(&school.learner).await;
        let body = json!({"version": 0, "content": "draft-731973", "file_ids": [file["id"]], "links": ["https://exa"]});
        let saved = class.save(&school.learner, body).await.ok();
        let draft = &saved["draft"];
        assert_eq!((&draft["version"], &draft["saved_at"], &draft["answer"]["question_id"]), (&json!(1), &json!(NOW), &json!(QUESTION)));
        assert_eq!((&draft["answer"]["files"], &draft["answer"]["links"]), (&json!([file]), &json!(["https://exa"])));
        assert!(draft["answer"]["content"].to_string().contains("draft-731973"));
        assert_eq!(class.draft(&school.learner).await.ok(), saved);
        // Nobody else reads it, in whatever way.
        assert_eq!(class.draft(&boris).await.ok(), none);
        for (staff, status) in [(&school.owner, 403), (&school.editor, 403), (&school.teacher, 403), (&school.admin, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!((class.draft(staff).await.status, class.save(staff, json!({"version": 0})).await.status), (status, status));
        }
        let enrollment = school.teacher.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        for learner in enrollment["data"].as_array().unwrap() {
            let path = format!("/courses/student_detailed_progress/{}", learner["enrollment_id"].as_str().unwrap());
            assert!(!school.teacher.get(&path).await.ok().to_string().contains("731973"));
        }
        let preview = school.teacher.get(&format!("/courses/preview_page/{}?enrollment_id={}", class.page, enrollment["data"][0]["enrollment_id"].as_str().unwrap())).await.ok();
        assert!(!preview.to_string().contains("draft-731973"));

        let stale = class.save(&school.learner, json!({"version": 0, "content": "Another window"})).await;
        assert_eq!(stale.status, 409);
        assert_eq!((&stale.json()["stored"], &stale.json()["detail"]), (&saved, &json!("The draft was changed in another window or on another device meanwhile")));
        for (body, fields) in [
            (json!({}), vec!["missing at body.version"]),
            (json!({"version": "x"}), vec!["int_type at body.version"]),
            (json!({"version": 1, "file_ids": ["x"]}), vec!["uuid_parsing at body.file_ids.0"]),
            (json!({"version": 1, "links": [1]}), vec!["string_type at body.links.0"]),
            (json!({"version": 1, "content": {"type": "doc", "content": [{"type": "script"}]}}), vec!["content_unknown_node at body.content.content.0.type"]),
        ] {
            assert_eq!(class.save(&school.learner, body.clone()).await.fields(), fields, "{body}");
        }
        let foreign = class.upload(&boris).await;
        let refused = class.save(&school.learner, json!({"version": 1, "file_ids": [foreign["id"]]})).await;
        assert_eq!(refused.fields(), ["unknown_id at body.file_ids.0"]);
        class.hand_in(&school.learner, json!({"content": "Two words"})).await.ok();
        assert_eq!(class.draft(&school.learner).await.ok(), none);
        let quiz = server.kurso.page(school.course, school.lesson, 4, kurso_core::courses::tree::PageKind::Quiz, true).await;
        school.learner.get(&format!("/courses/answer_draft/{quiz}")).await.refused(404, "This page has no assignment");
    }

    async fn a_closed_assignment_keeps_what_is_written(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let class = Class::open(&server, &json!({})).await;
        let learner = &class.school.learner;
        let until = server.kurso.clock.now() + Duration::minutes(1);
        let dates = json!({"available_until": until});
        class.school.owner.put_json(&format!("/courses/update_page/{}", class.page), dates).await.ok();
        server.kurso.clock.advance(Duration::minutes(2));
        let refused = class.hand_in(learner, json!({"content": "Too late"})).await;
        assert_eq!((refused.status, &refused.json()["code"]), (409, &json!("CLOSED")));
        let saved = class.save(learner, json!({"version": 0, "content": "Too late"})).await.ok();
        assert_eq!(class.draft(learner).await.ok(), saved);
        let from = json!({"available_until": null, "available_from": server.kurso.clock.now() + Duration::days(1)});
        class.school.owner.put_json(&format!("/courses/update_page/{}", class.page), from).await.ok();
        let locked = class.draft(learner).await;
        assert_eq!((locked.status, &locked.json()["code"]), (409, &json!("LOCKED")));
    }
}
