//! Tests of weights, all-or-nothing choices, hints and units over GraphQL.

use kurso_core::both;
use serde_json::{Value, json};

use super::Exam;

const READ: &str = "query($id: ID!) { page(id: $id) { authorQuiz quiz { questions { prompt hints
        ... on MultipleChoiceQuestion { allOrNothing } ... on NumericQuestion { units } } }
    attempts { answers { ...Number } results { points correctAnswer { ...Number } } } } }
    fragment Number on Answer { ... on NumberAnswer { number unit } }";

const SUBMIT: &str = "mutation($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome attempt { percent } } }";

fn id(n: u32) -> String {
    format!("0198f000-0000-7000-8000-0000000000{n:02}")
}

fn quiz() -> Value {
    json!({"pass_percent": 50, "reveal": "after_submit", "questions": [
        {"id": id(1), "type": "multiple_choice", "prompt": "Several", "all_or_nothing": true, "hints": ["Think"], "options": [
            {"id": id(11), "content": "a", "correct": true}, {"id": id(12), "content": "b", "correct": true},
        ]},
        {"id": id(2), "type": "single_choice", "prompt": "One", "options": [
            {"id": id(21), "content": "a", "correct": true}, {"id": id(22), "content": "b", "weight": 25},
        ]},
        {"id": id(3), "type": "numeric", "prompt": "How long?", "value": 1.5, "units": [
            {"name": "m", "factor": 1}, {"name": "cm", "factor": 0.01},
        ]},
    ]})
}

both! {
    async fn learners_see_scoring_but_no_weights_or_factors(kurso: TestKurso) {
        let exam = Exam::open(kurso, &quiz()).await;
        let page = json!({"id": exam.pages[1]});
        let read = exam.server.data(&exam.learner, READ, page.clone()).await;
        let questions = &read["quiz"]["questions"];
        assert_eq!(questions[0]["hints"][0]["content"][0]["content"][0]["text"], "Think");
        assert_eq!((&questions[0]["allOrNothing"], &questions[1]["hints"]), (&json!(true), &json!([])));
        assert_eq!(questions[2]["units"], json!(["m", "cm"]));
        let staff = exam.server.data(&exam.owner_token, READ, page.clone()).await;
        assert_eq!(staff["authorQuiz"]["questions"][1]["options"][1]["weight"], 25);

        let input = |unit: &str| json!({"input": {"pageId": exam.pages[1], "answers": [
            {"questionId": id(1), "optionIds": [id(11)]},
            {"questionId": id(2), "optionIds": [id(22)]},
            {"questionId": id(3), "number": "150", "unit": unit},
        ]}});
        assert_eq!(exam.server.refusal(&exam.learner, SUBMIT, input("mm")).await, "BAD_USER_INPUT");
        let taken = exam.server.data(&exam.learner, SUBMIT, input("cm")).await;
        assert_eq!(taken["attempt"]["percent"], 41);
        let read = exam.server.data(&exam.learner, READ, page).await;
        let attempt = &read["attempts"][0];
        let points: Vec<&Value> = attempt["results"].as_array().unwrap().iter().map(|result| &result["points"]).collect();
        assert_eq!(points, [0.0, 0.25, 1.0]);
        assert_eq!(attempt["answers"][2], json!({"number": "150", "unit": "cm"}));
        assert_eq!(attempt["results"][2]["correctAnswer"], json!({"number": "1.5", "unit": "m"}));
    }
}
