//! Assignments: handing in, drafts, and returning for revision.

use kurso_base::ids::PageId;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::Assignment;
use kurso_core::testing::TestKurso;
use kurso_core::{both, courses, learning};
use serde_json::{Value, json};

use crate::support::{School, Server, saying};

const QUESTION: &str = "0198f000-0000-7000-8000-0000000000a1";

const WORK: &str = "questionId content files { id filename url } links";

fn own() -> String {
    format!(
        "query($id: ID!) {{ page(id: $id) {{ kind attemptsLeft reason {{ isWaiting isReturned }} draft {{ version savedAt answer {{ {WORK} }} }}
         quiz {{ questions {{ __typename id points ... on HandInQuestion {{ takesText minWords maxWords maxFiles extensions maxLinks rubric {{ isShown }} }} }} }}
         attempts {{ isReturned waitingAnswers answers {{ ... on HandInAnswer {{ {WORK} }} }} results {{ points isWaiting isReturned comment }} }} }} }}"
    )
}

const SUBMIT: &str = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { outcome attempt { id isReturned } } }";
const ASSESS: &str = "mutation($i: AssessAnswerInput!) { assessAnswer(input: $i) { answer { state isReturned points links words history { isReturned points } } } }";

fn save() -> String {
    let draft = format!("draft {{ version answer {{ {WORK} }} }}");
    format!(
        "mutation($i: SaveAnswerDraftInput!) {{ saveAnswerDraft(input: $i) {{ {draft} conflict {{ message {draft} }} }} }}"
    )
}

async fn class(kurso: &TestKurso, settings: &Value) -> (School, PageId) {
    let school = School::open(kurso).await;
    let page = kurso.page(school.course, school.lessons[0], 2, Assignment, true).await;
    let question = json!({"type": "hand_in", "id": QUESTION, "points": 10, "max_files": 2, "max_links": 1, "guide": "guide-731973"});
    let mut quiz = json!({"pass_percent": 60, "questions": [question]});
    quiz.as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    kurso.set_quiz(page, &quiz).await;
    (school, page)
}

fn answer(page: PageId, fields: &Value) -> Value {
    let mut answer = json!({"questionId": QUESTION});
    answer
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    json!({"i": {"pageId": page, "answers": [answer]}})
}

both! {
    async fn returned_work_is_handed_in_again(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso, &json!({"release": "together", "max_attempts": 1})).await;
        let read = async || server.data(&school.learner, &own(), json!({"id": page})).await;
        let shown = read().await;
        assert_eq!((&shown["kind"], &shown["draft"]), (&json!("ASSIGNMENT"), &Value::Null));
        assert_eq!(shown["quiz"]["questions"], json!([{"__typename": "HandInQuestion", "id": QUESTION, "points": 10.0, "takesText": true,
            "minWords": null, "maxWords": null, "maxFiles": 2, "extensions": [], "maxLinks": 1, "rubric": null}]));
        for (fields, wrong) in [
            (json!({}), "answers nothing_to_hand_in"),
            (json!({"links": ["x"]}), "answers[0].links[0] value_error"),
            (json!({"fileIds": ["x"]}), "answers[0].file_ids[0] uuid_parsing"),
        ] {
            assert_eq!(server.bad_fields(&school.learner, SUBMIT, answer(page, &fields)).await, [wrong], "{fields}");
        }
        let work = json!({"content": saying("One"), "links": ["https://example.com"]});
        let taken = server.data(&school.learner, SUBMIT, answer(page, &work)).await;
        let first = taken["attempt"]["id"].clone();
        let assess = |attempt: &Value, fields: Value| {
            let mut input = json!({"attemptId": attempt, "questionId": QUESTION});
            input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            json!({ "i": input })
        };
        let silent = assess(&first, json!({"version": 0, "isReturned": true}));
        assert_eq!(server.bad_fields(&school.teacher, ASSESS, silent).await, ["comment missing"]);
        let back = assess(&first, json!({"version": 0, "isReturned": true, "comment": "return-731973"}));
        assert_eq!(server.data(&school.teacher, ASSESS, back).await["answer"], json!({"state": "RELEASED", "isReturned": true, "points": null,
            "links": ["https://example.com"], "words": 1, "history": [{"isReturned": true, "points": null}]}));
        let queue = "query($id: ID!) { gradingQueue(courseId: $id, state: RELEASED) { answers { isReturned points } } }";
        let queue = server.data(&school.teacher, queue, json!({"id": school.course})).await;
        assert_eq!(queue["answers"], json!([{"isReturned": true, "points": null}]));

        let shown = read().await;
        assert_eq!((&shown["attemptsLeft"], &shown["attempts"][0]["isReturned"], &shown["attempts"][0]["waitingAnswers"]), (&json!(1), &json!(true), &json!(1)));
        assert_eq!(shown["reason"], json!({"isWaiting": false, "isReturned": true}));
        let tree = "query($id: ID!) { course(id: $id) { modules { lessons { pages { kind reason { isWaiting isReturned } } } } } }";
        let tree = server.data(&school.learner, tree, json!({"id": school.course})).await;
        let listed = json!({"kind": "ASSIGNMENT", "reason": {"isWaiting": false, "isReturned": true}});
        assert!(tree.to_string().contains(&listed.to_string()), "{tree}");
        assert_eq!(shown["attempts"][0]["results"], json!([{"points": null, "isWaiting": true, "isReturned": true, "comment": "return-731973"}]));
        assert_eq!(shown["attempts"][0]["answers"][0], json!({"questionId": QUESTION, "content": saying("One"), "files": [], "links": ["https://example.com"]}));
        let again = answer(page, &json!({"content": saying("Two")}));
        let second = server.data(&school.learner, SUBMIT, again.clone()).await["attempt"]["id"].clone();
        assert_eq!(server.data(&school.learner, SUBMIT, again).await["outcome"], "OUT_OF_ATTEMPTS");
        assert_eq!(read().await["reason"], json!({"isWaiting": true, "isReturned": false}));
        let graded = assess(&second, json!({"version": 0, "points": 9, "comment": "secret-731973"}));
        server.data(&school.teacher, ASSESS, graded).await;
        let shown = read().await;
        assert!(!shown.to_string().contains("secret-731973"), "{shown}");
        assert_eq!(shown["attempts"][0]["results"][0]["points"], 0.0);
    }

    async fn a_draft_is_its_learners(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, page) = class(&kurso, &json!({})).await;
        let code = courses::generate_share_code(&kurso, &school.owner_viewer, school.course).await.unwrap().share_code.unwrap();
        let boris = kurso.person("boris").await;
        learning::enroll(&kurso, &boris, &Origin::default(), &code).await.unwrap();
        let boris = kurso.token("boris@example.com").await;
        let input = |version: i64, text: &str| json!({"i": {"pageId": page, "version": version, "content": saying(text), "links": ["https://exa"]}});
        let saved = server.data(&school.learner, &save(), input(0, "draft-731973")).await;
        let draft = saved["draft"].clone();
        assert_eq!((&draft["version"], &saved["conflict"]), (&json!(1), &Value::Null));
        assert_eq!(draft["answer"], json!({"questionId": QUESTION, "content": saying("draft-731973"), "files": [], "links": ["https://exa"]}));
        let stale = server.data(&school.learner, &save(), input(0, "Another window")).await;
        assert_eq!((&stale["draft"], &stale["conflict"]["draft"]), (&Value::Null, &draft));
        let own_draft = server.data(&school.learner, &own(), json!({"id": page})).await["draft"].clone();
        assert_eq!((&own_draft["answer"], &own_draft["version"]), (&draft["answer"], &draft["version"]));
        for other in [&boris, &school.owner, &school.teacher, &school.admin] {
            let read = server.data(other, &own(), json!({"id": page})).await;
            assert_eq!(read["draft"], Value::Null);
            assert!(!read.to_string().contains("731973"));
        }
        assert_eq!(server.refusal(&school.teacher, &save(), input(0, "Mine")).await, "FORBIDDEN");
        assert_eq!(server.refusal(&school.stranger, &save(), input(0, "Mine")).await, "NOT_FOUND");
        let unknown = json!({"i": {"pageId": page, "version": 1, "fileIds": [QUESTION]}});
        assert_eq!(server.bad_fields(&school.learner, &save(), unknown).await, ["fileIds[0] unknown_id"]);
        let negative = json!({"i": {"pageId": page, "version": -1}});
        assert_eq!(server.bad_fields(&school.learner, &save(), negative).await, ["version value_error"]);
        let gone = server.data(&school.learner, &save(), json!({"i": {"pageId": page, "version": 1}})).await;
        assert_eq!(gone, json!({"draft": null, "conflict": null}));
        assert_eq!(server.data(&school.learner, &own(), json!({"id": page})).await["draft"], Value::Null);
    }
}
