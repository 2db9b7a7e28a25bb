use kurso_base::ids::PageId;
use kurso_core::both;
use kurso_core::testing::exam::exam;
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Exam;

const READ: &str = "query($id: ID!) { page(id: $id) { version isCompleted attemptsLeft bestPercent authorQuiz
    reason { kind bestPercent attemptsLeft }
    quiz { passPercent maxAttempts shuffleQuestions shuffleOptions reveal questions { __typename id prompt points
        ... on SingleChoiceQuestion { options { id content } } ... on MultipleChoiceQuestion { options { id content } }
        ... on MatchingQuestion { left { id content } right { id content } } ... on OrderingQuestion { items { id content } }
        ... on FillBlankQuestion { text blanks { id options { id content } } } } }
    attempts { attemptNo score maxScore percent passed submittedAt answers { ...Answer }
        results { questionId points maxPoints correct explanation optionFeedback { optionId feedback } correctAnswer { ...Answer } } } } }
    fragment Answer on Answer { questionId ... on ChoiceAnswer { optionIds } ... on TextAnswer { text }
        ... on NumberAnswer { number } ... on MatchingAnswer { pairs { leftId rightId } } ... on OrderingAnswer { order }
        ... on BlanksAnswer { blanks { blankId text optionId } } }";

const SUBMIT: &str = "mutation($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome error attemptsLeft
    attempt { attemptNo percent passed }
    page { id version isCompleted attemptsLeft bestPercent reason { kind bestPercent attemptsLeft } }
    lesson { isCompleted } course { progress { percent } } } }";

fn limited(max_attempts: u32) -> Value {
    let mut quiz = exam("after_pass");
    quiz["max_attempts"] = json!(max_attempts);
    quiz
}

const TRY: &str = "mutation($input: TryQuizInput!) { tryQuiz(input: $input) { outcome error
    attempt { attemptNo percent passed results { correct } } page { attempts { id } bestPercent version } } }";

both! {
    async fn a_trial_attempt_of_staff_is_not_stored(kurso: TestKurso) {
        let exam = Exam::open(kurso, &limited(2)).await;
        let mut input = exam.input_of_staff(true).await;
        let tried = exam.server.data(&exam.owner_token, TRY, json!({"input": input})).await;
        assert_eq!([&tried["outcome"], &tried["attempt"]["percent"], &tried["attempt"]["passed"]], [&json!("TAKEN"), &json!(100), &json!(true)]);
        assert_eq!([&tried["page"]["attempts"], &tried["page"]["bestPercent"]], [&json!([]), &Value::Null]);
        assert_eq!(exam.server.refusal(&exam.learner, TRY, json!({"input": input})).await, "FORBIDDEN");
        input["version"] = json!(1);
        let stale = exam.server.data(&exam.owner_token, TRY, json!({"input": input})).await;
        assert_eq!([&stale["outcome"], &stale["attempt"], &stale["page"]["version"]], [&json!("QUIZ_CHANGED"), &Value::Null, &json!(2)]);
        assert!(stale["error"].is_string());
    }

    async fn attempts_continue_until_the_quiz_is_passed(kurso: TestKurso) {
        let exam = Exam::open(kurso, &limited(2)).await;
        let id = json!({"id": exam.pages[1]});
        let page = exam.server.data(&exam.learner, READ, id.clone()).await;
        let kinds: Vec<_> = page["quiz"]["questions"].as_array().unwrap().iter().map(|q| q["__typename"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["SingleChoiceQuestion", "MultipleChoiceQuestion", "ShortTextQuestion", "NumericQuestion",
            "MatchingQuestion", "OrderingQuestion", "FillBlankQuestion", "EssayQuestion", "NumericQuestion", "HotspotQuestion"]);
        assert_eq!([&page["quiz"]["reveal"], &page["quiz"]["maxAttempts"], &page["quiz"]["passPercent"]], [&json!("AFTER_PASS"), &json!(2), &json!(100)]);
        assert_eq!([&page["authorQuiz"], &page["attempts"], &page["attemptsLeft"]], [&Value::Null, &json!([]), &json!(2)]);

        let failed = exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(false).await})).await;
        assert_eq!(failed, json!({
            "outcome": "TAKEN", "error": null, "attemptsLeft": 1, "attempt": {"attemptNo": 1, "percent": 0, "passed": false},
            "page": {
                "id": exam.pages[1], "version": 2, "isCompleted": false, "attemptsLeft": 1, "bestPercent": 0,
                "reason": {"kind": "QUIZ_NOT_PASSED", "bestPercent": 0, "attemptsLeft": 1},
            },
            "lesson": {"isCompleted": false}, "course": {"progress": {"percent": 0}},
        }));
        let passed = exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(true).await})).await;
        assert_eq!([&passed["attempt"]["percent"], &passed["page"]["isCompleted"], &passed["course"]["progress"]["percent"]], [&json!(100), &json!(true), &json!(50)]);
        assert_eq!(passed["page"]["reason"], Value::Null);
        let page = exam.server.data(&exam.learner, READ, id.clone()).await;
        let results = page["attempts"][1]["results"].as_array().unwrap();
        let essay = &results[7];
        assert_eq!([&essay["correctAnswer"], &essay["explanation"].is_null().into()], [&Value::Null, &json!(false)], "no answer to an essay is the right one");
        assert!(results[..7].iter().all(|result| !result["correctAnswer"].is_null() && !result["explanation"].is_null()));
        assert_eq!(results[2]["correctAnswer"]["text"], "answer-731973");
        let feedback = |attempt: usize| page["attempts"][attempt]["results"][0]["optionFeedback"].as_array().unwrap();
        assert_eq!((feedback(1).len(), &feedback(1)[0]["optionId"]), (1, &results[0]["correctAnswer"]["optionIds"][0]));
        assert!(feedback(1)[0]["feedback"].to_string().contains("chosen-731973"));
        // The attempt has passed since the other one.
        assert_ne!(feedback(0)[0]["optionId"], feedback(1)[0]["optionId"]);
        assert_eq!(page["attempts"][1]["results"][2]["optionFeedback"], json!([]));
        assert_eq!(page["attempts"][1]["answers"][5]["order"], results[5]["correctAnswer"]["order"]);

        // Expected outcomes are data. Invalid input is an error and uses no attempt.
        let out = exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(true).await})).await;
        assert_eq!([&out["outcome"], &out["attempt"], &out["error"], &out["attemptsLeft"]],
            [&json!("OUT_OF_ATTEMPTS"), &Value::Null, &json!("There are no attempts left"), &json!(0)]);
        let mut stale = exam.input(true).await;
        stale["version"] = json!(1);
        let changed = exam.server.data(&exam.learner, SUBMIT, json!({"input": stale})).await;
        assert_eq!([&changed["outcome"], &changed["page"]["version"]], [&json!("QUIZ_CHANGED"), &json!(2)]);
        let unknown = json!({"pageId": exam.pages[1], "answers": [{"questionId": Uuid::nil(), "text": "x"}]});
        assert_eq!(exam.server.refusal(&exam.learner, SUBMIT, json!({"input": unknown})).await, "BAD_USER_INPUT");
        for (token, page, code) in [
            (&exam.owner_token, exam.pages[1], "FORBIDDEN"), (&exam.learner, exam.pages[0], "NOT_FOUND"),
            (&exam.learner, PageId::new(), "NOT_FOUND"), (&String::new(), exam.pages[1], "UNAUTHENTICATED"),
        ] {
            let input = json!({"pageId": page, "answers": []});
            assert_eq!(exam.server.refusal(token, SUBMIT, json!({"input": input})).await, code);
        }
    }

    async fn authors_read_the_answer_key_and_the_preview_hides_it(kurso: TestKurso) {
        let exam = Exam::open(kurso, &exam("after_submit")).await;
        let page = exam.server.data(&exam.owner_token, READ, json!({"id": exam.pages[1]})).await;
        assert_eq!(page["authorQuiz"]["questions"][2]["accepted"][1], "second-731973");
        assert_eq!([&page["attempts"], &page["bestPercent"]], [&json!([]), &Value::Null]);
        assert!(!page["quiz"].to_string().contains("731973"), "{page}");
        let content = exam.server.data(&exam.owner_token, READ, json!({"id": exam.pages[0]})).await;
        assert_eq!([&content["quiz"], &content["authorQuiz"], &content["attempts"]], [&Value::Null, &Value::Null, &json!([])]);
    }

    async fn resetting_attempts_restores_them(kurso: TestKurso) {
        let exam = Exam::open(kurso, &limited(1)).await;
        exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(false).await})).await;
        let reset = "mutation($input: ResetAttemptsInput!) { resetAttempts(input: $input) { message } }";
        let input = json!({"input": {"enrollmentId": exam.enrollment, "pageId": exam.pages[1]}});
        assert_eq!(exam.server.refusal(&exam.learner, reset, input.clone()).await, "FORBIDDEN");
        assert_eq!(exam.server.refusal("", reset, input.clone()).await, "UNAUTHENTICATED");
        assert_eq!(exam.server.data(&exam.owner_token, reset, input).await, json!({"message": "Attempts removed: 1"}));
        let page = exam.server.data(&exam.learner, READ, json!({"id": exam.pages[1]})).await;
        assert_eq!([&page["attemptsLeft"], &page["attempts"]], [&json!(1), &json!([])]);
        let bad = json!({"input": {"enrollmentId": "x", "pageId": exam.pages[1]}});
        assert_eq!(exam.server.refusal(&exam.owner_token, reset, bad).await, "BAD_USER_INPUT");
    }

    async fn one_more_attempt_is_given_when_none_is_left(kurso: TestKurso) {
        let exam = Exam::open(kurso, &limited(1)).await;
        exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(false).await})).await;
        let grant = "mutation($input: GrantAttemptInput!) { grantAttempt(input: $input) { message } }";
        let input = json!({"input": {"enrollmentId": exam.enrollment, "pageId": exam.pages[1]}});
        assert_eq!(exam.server.refusal(&exam.learner, grant, input.clone()).await, "FORBIDDEN");
        let done = json!({"message": "The student has one more attempt"});
        assert_eq!(exam.server.data(&exam.owner_token, grant, input.clone()).await, done);
        assert_eq!(exam.server.refusal(&exam.owner_token, grant, input).await, "CONFLICT");
        let page = exam.server.data(&exam.learner, READ, json!({"id": exam.pages[1]})).await;
        assert_eq!((&page["attemptsLeft"], page["attempts"].as_array().unwrap().len()), (&json!(1), 1));
        let student = "query($id: ID!) { enrollment(id: $id) { modules { lessons { pages { attemptsLeft } } } } }";
        let student = exam.server.data(&exam.owner_token, student, json!({"id": exam.enrollment})).await;
        let pages = &student["modules"][0]["lessons"][0]["pages"];
        assert_eq!(pages, &json!([{"attemptsLeft": null}, {"attemptsLeft": 1}]));
    }

    async fn an_unused_granted_attempt_can_be_taken_back(kurso: TestKurso) {
        let exam = Exam::open(kurso, &limited(1)).await;
        let submit = async || exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(false).await})).await;
        submit().await;
        let grant = "mutation($input: GrantAttemptInput!) { grantAttempt(input: $input) { grant } }";
        let take = "mutation($input: TakeBackAttemptInput!) { takeBackAttempt(input: $input) { enrollmentId pageId message } }";
        let input = json!({"input": {"enrollmentId": exam.enrollment, "pageId": exam.pages[1]}});
        assert_eq!(exam.server.refusal(&exam.owner_token, take, input.clone()).await, "CONFLICT");
        exam.server.data(&exam.owner_token, grant, input.clone()).await;
        for (token, code) in [("", "UNAUTHENTICATED"), (exam.learner.as_str(), "FORBIDDEN")] {
            assert_eq!(exam.server.refusal(token, take, input.clone()).await, code);
        }
        let done = json!({"enrollmentId": exam.enrollment, "pageId": exam.pages[1], "message": "The additional attempt was taken back"});
        assert_eq!(exam.server.data(&exam.owner_token, take, input.clone()).await, done);
        let page = exam.server.data(&exam.learner, READ, json!({"id": exam.pages[1]})).await;
        assert_eq!(page["attemptsLeft"], 0);
        let given = exam.server.data(&exam.owner_token, grant, input.clone()).await["grant"].clone();
        let named = |grant: &Value| json!({"input": {"enrollmentId": exam.enrollment, "pageId": exam.pages[1], "grant": grant}});
        assert_eq!(exam.server.data(&exam.owner_token, take, named(&given)).await, done);
        assert_eq!(exam.server.refusal(&exam.owner_token, take, named(&given)).await, "CONFLICT");
        assert_eq!(exam.server.bad_fields(&exam.owner_token, take, named(&json!("x"))).await, ["grant value_error"]);
        exam.server.data(&exam.owner_token, grant, input.clone()).await;
        submit().await;
        assert_eq!(exam.server.refusal(&exam.owner_token, take, input).await, "CONFLICT");
    }

    async fn progress_has_reasons_and_follows_changes(kurso: TestKurso) {
        let exam = Exam::open(kurso, &limited(3)).await;
        exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(false).await})).await;
        let id = json!({"id": exam.course});
        let mine = "query($id: ID!) { myProgress(courseId: $id) { courseId percent lessons { isCompleted pagesDone pagesTotal
            unfinished { id reason { kind bestPercent attemptsLeft } } } } }";
        let not_visited = json!({"kind": "NOT_VISITED", "bestPercent": null, "attemptsLeft": null});
        let not_passed = json!({"kind": "QUIZ_NOT_PASSED", "bestPercent": 0, "attemptsLeft": 2});
        assert_eq!(exam.server.data(&exam.learner, mine, id.clone()).await, json!({
            "courseId": exam.course, "percent": 0, "lessons": [{"isCompleted": false, "pagesDone": 0, "pagesTotal": 2, "unfinished": [
                {"id": exam.pages[0], "reason": not_visited}, {"id": exam.pages[1], "reason": not_passed},
            ]}],
        }));
        let debug = "query($id: ID!) { debugProgress(courseId: $id) { progress { percent } pages { page { id published kind }
            visitedAt attemptsCount bestPercent passed done reason { kind bestPercent attemptsLeft } } } }";
        let facts = exam.server.data(&exam.learner, debug, id.clone()).await;
        assert_eq!(facts["pages"][1], json!({
            "page": {"id": exam.pages[1], "published": true, "kind": "QUIZ"}, "visitedAt": null, "attemptsCount": 1,
            "bestPercent": 0, "passed": false, "done": false, "reason": not_passed,
        }));
        for query in [mine, debug] {
            assert_eq!(exam.server.refusal(&exam.owner_token, query, id.clone()).await, "FORBIDDEN");
        }
        // The tree has the reasons too, without further statements.
        let tree = "query($id: ID!) { course(id: $id) { modules { lessons { pages { id reason { kind bestPercent attemptsLeft } } } } } }";
        let before = exam.kurso.db.statements();
        let found = exam.server.data(&exam.learner, tree, id.clone()).await;
        assert_eq!(exam.kurso.db.statements() - before, 2, "who asks, and the course with the marks");
        assert_eq!(found["modules"][0]["lessons"][0]["pages"][1]["reason"], not_passed);
        // The fast path and the executor, which alone has `quiz`, agree.
        let both = |more: &str| format!("query($id: ID!) {{ course(id: $id) {{ modules {{ lessons {{ pagesDone pagesTotal
            pages {{ id bestPercent attemptsLeft reason {{ __typename why: kind bestPercent attemptsLeft }} {more} }} }} }} }} }}");
        let written = exam.server.data(&exam.learner, &both(""), id.clone()).await;
        let mut general = exam.server.data(&exam.learner, &both("quiz { reveal }"), id.clone()).await;
        for page in general["modules"][0]["lessons"][0]["pages"].as_array_mut().unwrap() {
            page.as_object_mut().unwrap().remove("quiz").unwrap();
        }
        assert_eq!(written, general);

        exam.server.data(&exam.learner, SUBMIT, json!({"input": exam.input(true).await})).await;
        let visit = "mutation($id: ID!) { markPageVisited(input: {pageId: $id}) { course { progress { percent } } } }";
        exam.server.data(&exam.learner, visit, json!({"id": exam.pages[0]})).await;
        sql!("UPDATE enrollments SET completed_at = NULL").execute(&exam.kurso.db).await.unwrap();
        let fix = "mutation($id: ID!) { fixProgress(input: {courseId: $id}) { message checked
            changed { enrollmentId completedAtBefore completedAtAfter } course { id } } }";
        assert_eq!(exam.server.data(&exam.owner_token, fix, id.clone()).await, json!({
            "message": "Enrollments checked: 1, changed: 1", "checked": 1, "course": {"id": exam.course},
            "changed": [{"enrollmentId": exam.enrollment, "completedAtBefore": null, "completedAtAfter": "2026-11-21T09:00:00Z"}],
        }));
        assert_eq!(exam.server.data(&exam.learner, fix, id).await["changed"], json!([]));
    }
}
