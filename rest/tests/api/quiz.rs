//! Submitting quizzes, resetting attempts, and the reasons for incomplete progress.

use kurso_base::ids::{EnrollmentId, PageId};
use kurso_core::attempts;
use kurso_core::both;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::exam::{answers, exam};
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, NOW, School, Sent as _, Server};

/// A school with a quiz page at the end of its first lesson.
pub struct Exam<'a> {
    pub school: School<'a>,
    pub page: PageId,
    pub enrollment: EnrollmentId,
    server: &'a Server,
}

impl<'a> Exam<'a> {
    pub async fn open(server: &'a Server, quiz: &Value) -> Self {
        let school = School::open(server).await;
        let kurso = &server.kurso;
        let (page, _) = school.add_quiz(kurso, quiz).await;
        let enrollment = sql!("SELECT id FROM enrollments WHERE course_id = $1", school.course);
        let (enrollment,) = enrollment.fetch_one::<(EnrollmentId,)>(&kurso.db).await.unwrap();
        Exam {
            school,
            page,
            enrollment,
            server,
        }
    }

    pub async fn body(&self, right: bool) -> Value {
        let found = attempts::for_learner(&self.server.kurso, Some(self.enrollment), &[self.page])
            .await
            .unwrap();
        json!({"answers": answers(&found[&self.page].quiz, right)})
    }

    pub async fn submit(&self, body: &Value) -> Answer {
        self.school
            .learner
            .post_json(&format!("/courses/submit_quiz/{}", self.page), body.clone())
            .await
    }

    pub async fn read(&self) -> Value {
        self.school
            .learner
            .get(&format!("/courses/enrolled_page/{}", self.page))
            .await
            .ok()
    }
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn limited(max_attempts: u32, reveal: &str) -> Value {
    let mut quiz = exam(reveal);
    quiz["max_attempts"] = json!(max_attempts);
    quiz
}

both! {
    async fn a_quiz_can_be_retaken_until_it_is_passed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &limited(3, "after_pass")).await;
        let page = exam.read().await;
        assert_eq!([&page["kind"], &page["attempts"], &page["best_percent"]], [&json!("quiz"), &json!([]), &Value::Null]);
        assert_eq!(page["attempts_left"], 3);
        assert_eq!(page["reason"], json!({"kind": "quiz_not_passed", "best_percent": null, "attempts_left": 3, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []}));
        assert_eq!(page["quiz"]["questions"].as_array().unwrap().len(), 10);

        let failed = exam.submit(&exam.body(false).await).await.ok();
        assert_eq!(keys(&failed), [
            "attempt_id", "attempt_no", "attempts_left", "is_returned", "max_score", "passed", "penalty_percent", "percent", "results", "score", "submitted_at",
            "waiting_answers",
        ]);
        assert_eq!(keys(&failed["results"][0]), ["correct", "is_returned", "is_waiting", "max_points", "points", "question_id"]);
        assert_eq!([&failed["attempt_no"], &failed["attempts_left"], &failed["percent"]], [1, 2, 0]);
        assert_eq!([&failed["score"], &failed["max_score"]], [0.0, 8.0]);
        assert_eq!([&failed["passed"], &failed["submitted_at"]], [&json!(false), &json!(NOW)]);
        let page = exam.read().await;
        assert_eq!(page["attempts"], json!([failed]));
        assert_eq!(page["reason"], json!({"kind": "quiz_not_passed", "best_percent": 0, "attempts_left": 2, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []}));

        let passed = exam.submit(&exam.body(true).await).await.ok();
        assert_eq!([&passed["attempt_no"], &passed["attempts_left"], &passed["percent"]], [2, 1, 100]);
        assert_eq!(passed["score"], 8.0);
        assert_eq!(keys(&passed["results"][0]), [
            "correct", "correct_answer", "explanation", "is_returned", "is_waiting", "max_points", "option_feedback", "points", "question_id",
        ]);
        let chosen = &passed["results"][0]["correct_answer"]["option_ids"][0];
        let feedback = passed["results"][0]["option_feedback"].as_array().unwrap();
        assert_eq!((feedback.len(), &feedback[0]["option_id"]), (1, chosen));
        assert!(feedback[0]["feedback"].to_string().contains("chosen-731973"));
        let page = exam.read().await;
        assert_eq!([&page["is_completed"], &page["reason"], &page["best_percent"]], [&json!(true), &Value::Null, &json!(100)]);
        assert_eq!(page["attempts"].as_array().unwrap().len(), 2);
        assert_eq!(page["attempts"][1], passed);
    }

    async fn a_trial_by_staff_is_not_stored(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &limited(2, "after_pass")).await;
        let school = &exam.school;
        let path = format!("/courses/try_quiz/{}", exam.page);
        // With the ids that staff see.
        let seen = attempts::for_learner(&server.kurso, None, &[exam.page]).await.unwrap();
        let body = |right| json!({"answers": answers(&seen[&exam.page].quiz, right)});
        let wrong = school.teacher.post_json(&path, body(false)).await.ok();
        assert_eq!([&wrong["attempt_no"], &wrong["attempts_left"], &wrong["percent"], &wrong["passed"]],
            [&json!(1), &json!(1), &json!(0), &json!(false)]);
        assert!(wrong["results"][0].get("explanation").is_none(), "as `reveal` would have it: {wrong}");
        for persona in [&school.owner, &school.editor, &school.admin] {
            let right = persona.post_json(&path, body(true)).await.ok();
            assert_eq!([&right["percent"], &right["passed"]], [&json!(100), &json!(true)]);
            assert_eq!(right["results"][2]["correct_answer"]["text"], "answer-731973");
        }
        let (stored,) = sql!("SELECT count(*) FROM attempts").fetch_one::<(i64,)>(&server.kurso.db).await.unwrap();
        assert_eq!(stored, 0);

        for (persona, status) in [(&school.learner, 403), (&school.stranger, 404), (&school.anonymous, 401)] {
            assert_eq!(persona.post_json(&path, body(true)).await.status, status);
        }
        let mut stale = body(true);
        stale["version"] = json!(1);
        let refused = school.owner.post_json(&path, stale).await;
        assert_eq!(refused.status, 409);
        assert_eq!(refused.json()["page"]["version"], json!(2));
        school.owner.post_json(&format!("/courses/try_quiz/{}", school.pages[0]), body(true)).await.refused(404, "This page has no quiz");
        assert_eq!(school.owner.post_json(&path, json!({})).await.fields(), ["missing at body.answers"]);
        let of_learner = exam.body(true).await;
        assert_eq!(school.owner.post_json(&path, of_learner).await.status, 422, "a learner's ids are not those of staff");

        // A draft may be incomplete; a question without an answer key has no correct answer.
        sql!("UPDATE pages SET published = $1 WHERE id = $2", false, exam.page).execute(&server.kurso.db).await.unwrap();
        let question = Uuid::from_u128(7);
        let draft = json!({"questions": [{"id": question, "type": "numeric", "prompt": ""}]});
        let draft = json!({"version": 2, "quiz": draft});
        school.owner.put_json(&format!("/courses/update_page/{}", exam.page), draft).await.ok();
        let tried = school.editor.post_json(&path, json!({"answers": [{"question_id": question, "number": "1"}]})).await.ok();
        assert_eq!([&tried["percent"], &tried["results"][0]["correct"]], [&json!(0), &json!(false)]);
    }

    async fn questions_of_a_text_can_be_added_to_a_quiz(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let text = "Capital of France? {~Lyon =Paris}\n\nSome text.\n\n2 + 2? {#4}";
        let read = school.stranger.post_json("/courses/read_questions", json!({ "text": text })).await.ok();
        let kinds: Vec<&Value> = read["questions"].as_array().unwrap().iter().map(|question| &question["type"]).collect();
        assert_eq!(kinds, ["single_choice", "numeric"]);
        assert_eq!(read["report"].as_array().unwrap().len(), 1);
        assert_eq!((&read["report"][0]["where"], &read["report"][0]["outcome"]), (&json!("3"), &json!("not_carried")));
        let (page, _) = school.add_quiz(&server.kurso, &json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["!"]}]})).await;
        let path = format!("/courses/update_page/{page}");
        school.owner.put_json(&path, json!({"quiz": {"questions": read["questions"]}})).await.ok();
        let stored = school.owner.get(&format!("/courses/get_page/{page}")).await.ok();
        assert_eq!(stored["quiz"]["questions"], read["questions"]);

        let none = school.owner.post_json("/courses/read_questions", json!({"text": "Words."})).await.ok();
        assert_eq!(none["questions"], json!([]));
        let long = "x".repeat(200_001);
        for (body, field) in [(json!({}), "missing at body.text"), (json!({ "text": long }), "string_too_long at body.text")] {
            assert_eq!(school.owner.post_json("/courses/read_questions", body).await.fields(), [field]);
        }
    }

    async fn only_learners_submit_a_quiz(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let path = format!("/courses/submit_quiz/{}", exam.page);
        let body = exam.body(true).await;
        for (persona, status) in [
            (&school.owner, 403), (&school.editor, 403), (&school.teacher, 403), (&school.admin, 403),
            (&school.stranger, 404), (&school.anonymous, 401),
        ] {
            assert_eq!(persona.post_json(&path, body.clone()).await.status, status);
        }
        school.owner.post_json(&path, body.clone()).await.refused(403, "You are not enrolled in this course");
        school.learner.post_json(&format!("/courses/submit_quiz/{}", school.pages[0]), body.clone()).await
            .refused(404, "This page has no quiz");
        for page in [school.draft, PageId::new()] {
            school.learner.post_json(&format!("/courses/submit_quiz/{page}"), body.clone()).await.refused(404, "Page not found");
        }
        // An invalid submission uses no attempt, and is refused before the row is read.
        assert_eq!(school.learner.post_json(&path, json!({})).await.fields(), ["missing at body.answers"]);
        assert_eq!(school.learner.post(&path).await.status, 422);
        let unknown = json!({"answers": [{"question_id": Uuid::nil(), "text": "x"}]});
        assert_eq!(school.learner.post_json(&path, unknown).await.fields(), ["unknown_question at body.answers.0.question_id"]);
        assert_eq!(school.learner.post_json("/courses/submit_quiz/x", body.clone()).await.fields(), ["uuid_parsing at path.page_id"]);
        assert_eq!(exam.read().await["attempts"], json!([]));

        let preview = school.teacher.get(&format!("/courses/enrolled_page/{}", exam.page)).await.ok();
        assert_eq!([&preview["attempts"], &preview["best_percent"], &preview["is_completed"]], [&json!([]), &Value::Null, &json!(false)]);
        assert_eq!(preview["quiz"]["questions"].as_array().unwrap().len(), 10);
        let author = school.teacher.get(&format!("/courses/get_page/{}", exam.page)).await.ok();
        assert_eq!(author["quiz"]["questions"][2]["accepted"][1], "second-731973");
    }

    async fn expected_conflicts_use_no_attempt(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &limited(1, "never")).await;
        let mut body = exam.body(false).await;
        body["version"] = json!(1);
        let stale = exam.submit(&body).await;
        assert_eq!(stale.refusal(), (409, "Somebody else has changed this page since you opened it".into()));
        let page = stale.json()["page"].clone();
        assert_eq!([&page["version"], &page["id"]], [&json!(2), &json!(exam.page)]);
        assert_eq!(page["quiz"], exam.read().await["quiz"]);
        body["version"] = page["version"].clone();
        body["submission_id"] = json!(Uuid::now_v7());
        let taken = exam.submit(&body).await.ok();
        assert_eq!(exam.submit(&body).await.ok(), taken, "a repeated submission is the same attempt");
        body["submission_id"] = Value::Null;
        let refused = exam.submit(&body).await;
        refused.refused(409, "There are no attempts left");
        assert_eq!(keys(&refused.json()), ["detail"]);
        let request = exam.school.learner.request(reqwest::Method::POST, &format!("/courses/submit_quiz/{}", exam.page));
        let russian = request.header("accept-language", "ru").json(&body).answer().await;
        russian.refused(409, "Попыток больше не осталось");
    }

    async fn staff_reset_attempts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &limited(1, "never")).await;
        let school = &exam.school;
        exam.submit(&exam.body(false).await).await.ok();
        let path = format!("/courses/reset_attempts/{}/{}", exam.enrollment, exam.page);
        for (persona, status) in [
            (&school.learner, 403), (&school.admin, 403), (&school.stranger, 404), (&school.anonymous, 401),
        ] {
            assert_eq!(persona.post(&path).await.status, status);
        }
        school.stranger.post(&path).await.refused(404, "Enrollment not found");
        assert_eq!(exam.read().await["attempts_left"], 0);
        assert_eq!(school.teacher.post(&path).await.ok(), json!({"message": "Attempts removed: 1"}));
        assert_eq!(school.owner.in_russian(reqwest::Method::POST, &path, json!({})).await.ok(), json!({"message": "Удалено попыток: 0"}));
        assert_eq!(school.editor.post(&path).await.status, 200);
        let page = exam.read().await;
        assert_eq!([&page["attempts_left"], &page["attempts"]], [&json!(1), &json!([])]);
        for (bad, fields) in [
            ("x/y".to_owned(), vec!["uuid_parsing at path.enrollment_id", "uuid_parsing at path.page_id"]),
            (format!("{}/y", exam.enrollment), vec!["uuid_parsing at path.page_id"]),
        ] {
            assert_eq!(school.owner.post(&format!("/courses/reset_attempts/{bad}")).await.fields(), fields);
        }
        let content = format!("/courses/reset_attempts/{}/{}", exam.enrollment, school.pages[0]);
        school.owner.post(&content).await.refused(404, "This page has no quiz");
    }

    async fn every_incomplete_page_has_a_reason(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &limited(2, "never")).await;
        let school = &exam.school;
        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[0])).await.ok();
        exam.submit(&exam.body(false).await).await.ok();
        let not_visited = json!({"kind": "not_visited", "best_percent": null, "attempts_left": null, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []});
        let not_passed = json!({"kind": "quiz_not_passed", "best_percent": 0, "attempts_left": 1, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []});

        let tree = school.learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        let reasons: Vec<_> = tree["modules"][0]["lessons"][0]["pages"].as_array().unwrap().iter().map(|page| &page["reason"]).collect();
        assert_eq!(reasons, [&Value::Null, &not_visited, &not_passed]);
        let visited = school.learner.post(&format!("/courses/mark_page_visited/{}", exam.page)).await.ok();
        assert_eq!(visited["page"]["reason"], not_passed);
        let mine = school.learner.get(&format!("/courses/my_progress/{}", school.course)).await.ok();
        assert_eq!(mine["lesson_progress"][0], json!({
            "lesson_id": tree["modules"][0]["lessons"][0]["id"], "is_completed": false, "pages_done": 1, "pages_total": 3,
            "reasons": [
                {"page_id": school.pages[1], "kind": "not_visited", "best_percent": null, "attempts_left": null, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []},
                {"page_id": exam.page, "kind": "quiz_not_passed", "best_percent": 0, "attempts_left": 1, "is_waiting": false, "is_returned": false, "opens_at": null, "needs": []},
            ],
        }));
        let debug = format!("/courses/debug_progress/{}", school.course);
        assert_eq!(school.statuses(&debug).await, [403, 403, 403, 403, 200, 404, 401]);
        let facts = school.learner.get(&debug).await.ok();
        assert_eq!([&facts["percent"], &facts["pages_total"]], [20, 5]);
        let pages = facts["pages"].as_array().unwrap();
        assert_eq!(pages.len(), 5, "without the draft");
        assert_eq!(pages[2], json!({
            "page_id": exam.page, "lesson_id": pages[0]["lesson_id"], "title": "Стр. 3", "kind": "quiz", "published": true,
            "visited_at": NOW, "attempts": 1, "best_percent": 0, "passed": false, "done": false, "reason": not_passed,
        }));
        assert_eq!([&pages[0]["done"], &pages[0]["reason"], &pages[0]["visited_at"]], [&json!(true), &Value::Null, &json!(NOW)]);
    }

    async fn progress_can_be_rederived(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        for page in &school.pages {
            school.learner.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
        }
        let path = format!("/courses/fix_progress/{}", school.course);
        let fix = async |persona: &crate::support::Persona<'_>| persona.post(&path).await;
        let nothing = json!({"message": "Enrollments checked: 1, changed: 0", "checked": 1, "changed": []});
        assert_eq!(fix(&school.learner).await.ok(), nothing);
        sql!("UPDATE enrollments SET completed_at = NULL").execute(&server.kurso.db).await.unwrap();
        let fixed = fix(&school.teacher).await.ok();
        assert_eq!(fixed, json!({
            "message": "Enrollments checked: 1, changed: 1", "checked": 1, "changed": [{
                "enrollment_id": fixed["changed"][0]["enrollment_id"], "completed_at_before": null, "completed_at_after": NOW,
            }],
        }));
        assert_eq!([fix(&school.owner).await.ok(), fix(&school.editor).await.ok()], [nothing.clone(), nothing]);
        assert_eq!(fix(&school.admin).await.status, 403);
        assert_eq!(fix(&school.stranger).await.status, 404);
        assert_eq!(fix(&school.anonymous).await.status, 401);
    }

    async fn a_quiz_page_needs_a_fixed_number_of_statements(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("after_submit")).await;
        exam.read().await;
        let cost = async || {
            let before = server.kurso.db.statements();
            exam.read().await;
            server.kurso.db.statements() - before
        };
        // The session, the course with the progress, the content, the quiz, the state of the attempts, the running attempt, the attempts.
        assert_eq!(cost().await, 7);
        exam.submit(&exam.body(false).await).await.ok();
        // The first activity in a course numbers its pages for the progress bitmap, so the tree is read again, once.
        exam.read().await;
        // Showing attempts also needs their state, the quiz, and the quiz as it was taken.
        assert_eq!(cost().await, 10);
        let view = CourseView::load(&server.kurso, &exam.school.owner_viewer, exam.school.course, kurso_core::access::Right::Read);
        assert_eq!(view.await.unwrap().tree.pages.len(), 6);
    }
}
