//! Operations on answers to open questions: queue, claims, conflicts, release.

use kurso_core::attempts::AnswerUpload;
use kurso_core::auth::authenticate;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::files::upload::Sink as _;
use kurso_core::testing::TestKurso;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{School, Server};

const ESSAY: &str = "0198f000-0000-7000-8000-0000000000e1";
const ANSWER: &str =
    "attemptId questionId courseId pageId pageTitle number student { id fullName } attemptNo submittedAt penaltyPercent
    state prompt guide minWords maxWords content words files { id filename contentType size url } points maxPoints comment version
    history { version points comment by { id } at } openedBy { id }";
const SUBMIT: &str =
    "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { outcome attempt { id percent passed waitingAnswers
    answers { ... on EssayAnswer { content } } results { points correct isWaiting comment } } } }";
const OWN: &str = "query($id: ID!) { page(id: $id) { body { ... on QuizContent {
    quiz { questions { __typename ... on EssayQuestion { minWords maxWords } } }
    attempts { percent waitingAnswers results { points isWaiting comment } } } } } }";

fn assess() -> String {
    format!(
        "mutation($i: AssessAnswerInput!) {{ assessAnswer(input: $i) {{ answer {{ {ANSWER} }} conflict {{ message answer {{ {ANSWER} }} }} }} }}"
    )
}

fn queue() -> String {
    "query($id: ID!, $state: AnswerState! = WAITING) { gradingQueue(courseId: $id, state: $state, first: 10, skip: 0) {
       total waiting unreleased isBlind questions { pageId pageTitle questionId number prompt waiting unreleased }
       answers { attemptId questionId pageId pageTitle number student { id fullName } attemptNo submittedAt state points maxPoints openedBy { id } } } }"
        .to_owned()
}

/// A school with a quiz of one essay in its first lesson, which its learner has answered. Returns the page and the attempt.
async fn submitted(kurso: &TestKurso, server: &Server, release: &str) -> (School, Value, Value) {
    let school = School::open(kurso).await;
    let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
    let quiz = json!({"pass_percent": 50, "release": release, "reveal": "after_submit", "questions": [
        {"type": "essay", "id": ESSAY, "prompt": "Why?", "points": 4, "min_words": 2, "guide": "guide-731973"},
    ]});
    kurso.set_quiz(page, &quiz).await;
    let content = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Because of it"}]}]});
    let input = json!({"pageId": page, "answers": [{"questionId": ESSAY, "content": content}]});
    let taken = server.data(&school.learner, SUBMIT, json!({"i": input})).await;
    assert_eq!(
        taken["attempt"],
        json!({"id": taken["attempt"]["id"], "percent": 0, "passed": false, "waitingAnswers": 1,
        "answers": [{"content": content}], "results": [{"points": null, "correct": null, "isWaiting": true, "comment": null}]})
    );
    (school, json!(page), taken["attempt"]["id"].clone())
}

both! {
    async fn an_essay_is_queued_claimed_and_graded(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page, attempt) = submitted(&kurso, &server, "at_once").await;
        let read = server.data(&school.learner, OWN, json!({"id": page})).await;
        assert_eq!(read["body"]["quiz"]["questions"][0], json!({"__typename": "EssayQuestion", "minWords": 2, "maxWords": null}));
        let found = server.data(&school.editor, &queue(), json!({"id": school.course})).await;
        assert_eq!((&found["total"], &found["waiting"], &found["isBlind"]), (&json!(1), &json!(1), &json!(false)));
        assert_eq!((&found["answers"][0]["attemptId"], &found["answers"][0]["state"]), (&attempt, &json!("WAITING")));
        assert_eq!(found["questions"][0]["prompt"], "Why?");

        let claim = format!("mutation($i: ClaimAnswerInput!) {{ claimAnswer(input: $i) {{ answer {{ {ANSWER} }} }} }}");
        let id = json!({"attemptId": attempt, "questionId": ESSAY});
        let claimed = server.data(&school.owner, &claim, json!({"i": id})).await["answer"].clone();
        assert_eq!((&claimed["words"], &claimed["openedBy"]), (&json!(3), &Value::Null));
        assert!(claimed["guide"].to_string().contains("guide-731973"));
        let next = format!("mutation($i: ClaimNextAnswerInput!) {{ claimNextAnswer(input: $i) {{ answer {{ {ANSWER} }} }} }}");
        let next_of = json!({"i": {"courseId": school.course, "questionId": ESSAY}});
        assert_eq!(server.data(&school.teacher, &next, next_of.clone()).await["answer"], Value::Null, "the owner has it open");
        assert_eq!(server.data(&school.owner, &next, next_of).await["answer"]["attemptId"], attempt);
        let open = format!("query($a: ID!, $q: ID!) {{ openAnswer(attemptId: $a, questionId: $q) {{ {ANSWER} }} }}");
        let seen = server.data(&school.teacher, &open, json!({"a": attempt, "q": ESSAY})).await;
        assert!(seen["openedBy"]["id"].is_string());

        let input = |version: i64, points: f64| json!({"i": {"attemptId": attempt, "questionId": ESSAY, "version": version, "points": points, "comment": "Good"}});
        let graded = server.data(&school.teacher, &assess(), input(0, 3.5)).await["answer"].clone();
        assert_eq!((&graded["state"], &graded["points"], &graded["version"]), (&json!("RELEASED"), &json!(3.5), &json!(1)));
        assert_eq!((&graded["history"][0]["comment"], &graded["openedBy"]), (&json!("Good"), &Value::Null));
        let stale = server.data(&school.owner, &assess(), input(0, 1.0)).await;
        assert_eq!((&stale["answer"], &stale["conflict"]["answer"]["points"]), (&Value::Null, &json!(3.5)));
        assert_eq!(server.bad_fields(&school.teacher, &assess(), input(1, 4.5)).await, ["points less_than_equal"]);
        let read = server.data(&school.learner, OWN, json!({"id": page})).await;
        assert_eq!(read["body"]["attempts"], json!([{"percent": 87, "waitingAnswers": 0,
            "results": [{"points": 3.5, "isWaiting": false, "comment": "Good"}]}]));
    }

    async fn points_are_released_together(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page, attempt) = submitted(&kurso, &server, "together").await;
        let input = json!({"i": {"attemptId": attempt, "questionId": ESSAY, "version": 0, "points": 4, "comment": "secret-comment"}});
        assert_eq!(server.data(&school.teacher, &assess(), input).await["answer"]["state"], "GRADED");
        let read = server.data(&school.learner, OWN, json!({"id": page})).await;
        assert_eq!(read["body"]["attempts"][0]["waitingAnswers"], 1);
        assert!(!read.to_string().contains("secret-comment"));
        let release = "mutation($i: ReleaseAssessmentsInput!) { releaseAssessments(input: $i) { released message } }";
        let released = server.data(&school.teacher, release, json!({"i": {"pageId": page}})).await;
        assert_eq!(released, json!({"released": 1, "message": "Grades released: 1"}));
        let read = server.data(&school.learner, OWN, json!({"id": page})).await;
        assert_eq!((&read["body"]["attempts"][0]["percent"], &read["body"]["attempts"][0]["results"][0]["comment"]), (&json!(100), &json!("secret-comment")));
        let found = server.data(&school.owner, &queue(), json!({"id": school.course, "state": "RELEASED"})).await;
        assert_eq!((&found["total"], &found["unreleased"]), (&json!(1), &json!(0)));
    }

    async fn blind_grading_names_nobody(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, _, attempt) = submitted(&kurso, &server, "at_once").await;
        let settings = "mutation($i: UpdateGradeSettingsInput!) { updateGradeSettings(input: $i) { settings { isBlind } } }";
        let set = server.data(&school.teacher, settings, json!({"i": {"courseId": school.course, "isBlind": true}})).await;
        assert_eq!(set["settings"]["isBlind"], true);
        let found = server.data(&school.teacher, &queue(), json!({"id": school.course})).await;
        assert_eq!((&found["answers"][0]["student"], &found["answers"][0]["attemptId"]), (&Value::Null, &attempt));
        let open = format!("query($a: ID!, $q: ID!) {{ openAnswer(attemptId: $a, questionId: $q) {{ {ANSWER} }} }}");
        let seen = server.data(&school.teacher, &open, json!({"a": attempt, "q": ESSAY})).await;
        assert_eq!(seen["student"], Value::Null);
    }

    async fn files_are_submitted_and_graded(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
        let question = Uuid::parse_str(ESSAY).unwrap();
        kurso.set_quiz(page, &json!({"questions": [
            {"type": "file_upload", "id": question, "prompt": "Your report?", "max_files": 3, "extensions": ["pdf"], "guide": "guide-731973"},
        ]})).await;
        let asked = "query($id: ID!) { page(id: $id) { body { ... on QuizContent { quiz { questions { __typename
            ... on FileUploadQuestion { maxFiles extensions } } } } } } }";
        let read = server.data(&school.learner, asked, json!({"id": page})).await;
        assert_eq!(read["body"]["quiz"]["questions"][0], json!({"__typename": "FileUploadQuestion", "maxFiles": 3, "extensions": ["pdf"]}));

        let learner = authenticate(&kurso, &school.learner).await.unwrap();
        let mut upload = AnswerUpload::begin(&kurso.kurso, &learner, (page, question), None).await.unwrap();
        upload.write("%PDF-1.4".into()).await.unwrap();
        let file = upload.finish("report.pdf").await.unwrap();
        let submit = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { attempt { id waitingAnswers
            answers { questionId ... on FilesAnswer { files { id filename contentType size url } } } } } }";
        let input = json!({"pageId": page, "answers": [{"questionId": question, "fileIds": [file.id]}]});
        let attempt = server.data(&school.learner, submit, json!({"i": input})).await["attempt"].clone();
        let files = &attempt["answers"][0]["files"];
        assert_eq!((&attempt["waitingAnswers"], &files[0]["filename"], &files[0]["size"]), (&json!(1), &json!("report.pdf"), &json!(8.0)));

        let open = format!("query($a: ID!, $q: ID!) {{ openAnswer(attemptId: $a, questionId: $q) {{ {ANSWER} }} }}");
        let seen = server.data(&school.teacher, &open, json!({"a": attempt["id"], "q": question})).await;
        assert_eq!((&seen["content"], &seen["files"]), (&Value::Null, files));
        let again = json!({"pageId": page, "answers": [{"questionId": question, "fileIds": [question]}]});
        assert_eq!(server.bad_fields(&school.learner, submit, json!({"i": again})).await, ["answers[0].file_ids[0] unknown_id"]);
        let many = json!({"pageId": page, "answers": [{"questionId": question, "fileIds": vec![question; 70_000]}]});
        assert_eq!(server.bad_fields(&school.learner, submit, json!({"i": many})).await, ["answers[0].file_ids too_long"]);
    }
}
