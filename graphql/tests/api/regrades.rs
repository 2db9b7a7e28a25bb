//! Consequences of publishing, regrading and its undoing.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const CREATE: &str = "mutation($i: CreatePageInput!) { createPage(input: $i) { page { id version } } }";
const SAVE: &str =
    "mutation($i: UpdatePageInput!) { updatePage(input: $i) { page { version pageDraft { version } } } }";
const SUBMIT: &str = "mutation($i: SubmitQuizInput!) { submitQuiz(input: $i) { attempt { score } } }";
const CONSEQUENCES: &str = "query($c: ID!, $p: [PublishPageDraftInput!]!, $a: PastAttempts) { consequences(courseId: $c, pages: $p, pastAttempts: $a) {
    digest affected regradedAttempts leftAttempts learners { user { fullName } progressBefore progressAfter isCompletedBefore isCompletedAfter
    gradeBefore gradeAfter pages { page { id } scoreBefore scoreAfter maxScoreBefore maxScoreAfter passedBefore passedAfter } } } }";
const PUBLISH: &str = "mutation($i: PublishPageDraftsInput!) { publishPageDrafts(input: $i) { pages { id } conflicts { id }
    consequences { digest affected learners { gradeAfter } } regrade { id attempts changed pages { id } by { fullName } isUndoable undoneAt } } }";
const REGRADES: &str = "query($c: ID!) { course(id: $c) { regrades { id changed isUndoable } } }";
const UNDO: &str =
    "mutation($i: UndoRegradeInput!) { undoRegrade(input: $i) { left regrade { isUndoable undoneAt } } }";
const ATTEMPTS: &str = "query($id: ID!) { page(id: $id) { attempts { score passed resultChanges {
    at kind scoreBefore maxScoreBefore passedBefore scoreAfter maxScoreAfter passedAfter } } } }";

fn quiz(id: &Value, value: i64) -> Value {
    let mut question = json!({"type": "numeric", "prompt": "?", "value": value, "points": 4});
    if !id.is_null() {
        question["id"] = id.clone();
    }
    json!({"pass_percent": 50, "questions": [question]})
}

both! {
    async fn results_are_shown_regraded_and_restored(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let created = json!({"lessonId": school.lessons[0], "kind": "QUIZ", "quiz": quiz(&Value::Null, 4)});
        let made = server.data(&school.owner, CREATE, json!({"i": created})).await;
        let page = made["page"]["id"].clone();
        let read = server.data(&school.owner, "query($id: ID!) { page(id: $id) { authorQuiz } }", json!({"id": page})).await;
        let question = read["authorQuiz"]["questions"][0]["id"].clone();
        let answers = json!([{"questionId": question, "number": "5"}]);
        server.data(&school.learner, SUBMIT, json!({"i": {"pageId": page, "answers": answers}})).await;
        let saved = server.data(&school.owner, SAVE, json!({"i": {"pageId": page, "draft": true, "quiz": quiz(&question, 5)}})).await;
        let entry = json!({"pageId": page, "version": saved["page"]["pageDraft"]["version"], "pageVersion": saved["page"]["version"]});
        let asked = |past: &str| json!({"c": school.course, "p": [entry], "a": past});
        let told = server.data(&school.editor, CONSEQUENCES, asked("REGRADE")).await;
        let digest = told["digest"].clone();
        assert_eq!(told, json!({"digest": digest, "affected": 1, "regradedAttempts": 1, "leftAttempts": 0, "learners": [{
            "user": {"fullName": "learner"}, "progressBefore": 0, "progressAfter": 20, "isCompletedBefore": false, "isCompletedAfter": false,
            "gradeBefore": 0.0, "gradeAfter": 100.0, "pages": [{"page": {"id": page}, "scoreBefore": 0.0, "scoreAfter": 4.0,
                "maxScoreBefore": 4.0, "maxScoreAfter": 4.0, "passedBefore": false, "passedAfter": true}],
        }]}));
        let kept = server.data(&school.owner, CONSEQUENCES, asked("KEEP")).await;
        assert_eq!(kept["affected"], 0);
        for (person, code) in [(&school.teacher, "FORBIDDEN"), (&school.learner, "FORBIDDEN"), (&school.stranger, "NOT_FOUND")] {
            assert_eq!(server.refusal(person, CONSEQUENCES, asked("KEEP")).await, code);
        }
        let publish = |digest: &Value| json!({"i": {"courseId": school.course, "pages": [entry], "pastAttempts": "REGRADE", "digest": digest}});
        let refused = server.data(&school.owner, PUBLISH, publish(&kept["digest"])).await;
        assert_eq!(refused, json!({"pages": [], "conflicts": [], "regrade": null,
            "consequences": {"digest": digest, "affected": 1, "learners": [{"gradeAfter": 100.0}]}}));
        let published = server.data(&school.owner, PUBLISH, publish(&digest)).await;
        let regrade = published["regrade"]["id"].clone();
        assert_eq!(published, json!({"pages": [{"id": page}], "conflicts": [], "consequences": null, "regrade": {"id": regrade, "attempts": 1,
            "changed": 1, "pages": [{"id": page}], "by": {"fullName": "owner"}, "isUndoable": true, "undoneAt": null}}));
        assert_eq!(server.refusal(&school.owner, CONSEQUENCES, asked("KEEP")).await, "CONFLICT");
        let of = json!({"c": school.course});
        let listed = server.data(&school.editor, REGRADES, of.clone()).await;
        assert_eq!(listed["regrades"], json!([{"id": regrade, "changed": 1, "isUndoable": true}]));
        assert_eq!(server.data(&school.learner, REGRADES, of).await["regrades"], json!([]));

        let change = json!({"at": "2026-11-21T09:00:00Z", "kind": "REGRADED", "scoreBefore": 0.0, "maxScoreBefore": 4.0, "passedBefore": false,
            "scoreAfter": 4.0, "maxScoreAfter": 4.0, "passedAfter": true});
        let read = server.data(&school.learner, ATTEMPTS, json!({"id": page})).await;
        assert_eq!(read["attempts"], json!([{"score": 4.0, "passed": true, "resultChanges": [change]}]));
        let undo = json!({"i": {"regradeId": regrade}});
        for (person, code) in [(&school.teacher, "FORBIDDEN"), (&school.learner, "FORBIDDEN"), (&school.stranger, "NOT_FOUND")] {
            assert_eq!(server.refusal(person, UNDO, undo.clone()).await, code);
        }
        let undone = server.data(&school.editor, UNDO, undo.clone()).await;
        assert_eq!(undone, json!({"left": 0, "regrade": {"isUndoable": false, "undoneAt": "2026-11-21T09:00:00Z"}}));
        assert_eq!(server.refusal(&school.editor, UNDO, undo).await, "CONFLICT");
        let read = server.data(&school.learner, ATTEMPTS, json!({"id": page})).await;
        assert_eq!((&read["attempts"][0]["score"], &read["attempts"][0]["resultChanges"][0]["kind"]), (&json!(0.0), &json!("REGRADE_UNDONE")));
    }
}
