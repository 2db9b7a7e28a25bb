//! Tests of weights, all-or-nothing choices, hints and units: author round trips, learner views and grading.

use kurso_core::both;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::Server;

fn id(n: u32) -> String {
    format!("0198f000-0000-7000-8000-0000000000{n:02}")
}

fn quiz() -> Value {
    let option = |n: u32, correct: bool, weight: Option<f64>| {
        let mut option = json!({"id": id(n), "content": format!("option {n}"), "correct": correct});
        if let Some(weight) = weight {
            option["weight"] = json!(weight);
        }
        option
    };
    json!({"pass_percent": 50, "reveal": "after_submit", "questions": [
        {"id": id(1), "type": "single_choice", "prompt": "One", "hints": ["Think again", " "], "options": [
            option(11, true, None), option(12, false, Some(50.0)), option(13, false, None),
        ]},
        {"id": id(2), "type": "multiple_choice", "prompt": "Several", "options": [
            option(21, true, Some(75.0)), option(22, true, Some(25.0)), option(23, false, Some(-40.0)),
        ]},
        {"id": id(3), "type": "multiple_choice", "prompt": "All", "all_or_nothing": true, "options": [
            option(31, true, None), option(32, true, None), option(33, false, None),
        ]},
        {"id": id(4), "type": "numeric", "prompt": "How long?", "value": 1.5, "units": [
            {"name": "m", "factor": 1}, {"name": "cm", "factor": 0.01},
        ]},
        {"id": id(5), "type": "formula", "prompt": "Twice {a}", "hints": ["Add {a} to {a}"], "expression": "2 * a",
         "parameters": [{"name": "a", "min": 3, "max": 3}], "units": [{"name": "s", "factor": 1}, {"name": "min", "factor": 60}]},
    ]})
}

/// The words of the documents in a list.
fn words(list: &Value) -> Vec<String> {
    let documents = list.as_array().unwrap().iter();
    documents.map(kurso_formats::content::text).collect()
}

both! {
    async fn scoring_is_written_by_authors_and_hidden_from_learners(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let path = format!("/courses/get_page/{}", exam.page);
        let author = exam.school.owner.get(&path).await.ok()["quiz"].clone();
        let questions = &author["questions"];
        assert_eq!(questions[0]["options"][1]["weight"], json!(50));
        assert_eq!(words(&questions[0]["hints"]), ["Think again"]);
        assert_eq!((&questions[2]["all_or_nothing"], questions[1].get("all_or_nothing")), (&json!(true), None));
        assert_eq!(questions[3]["units"], json!([{"name": "m", "factor": 1}, {"name": "cm", "factor": 0.01}]));
        // What is read back can be written again.
        let update = format!("/courses/update_page/{}", exam.page);
        let again = exam.school.owner.put_json(&update, json!({"quiz": author})).await.ok();
        assert_eq!(again["quiz"], author);

        let seen = exam.read().await["quiz"].clone();
        let text = seen.to_string();
        assert!(!text.contains("weight") && !text.contains("factor"), "{text}");
        let questions = &seen["questions"];
        assert_eq!(words(&questions[0]["hints"]), ["Think again"]);
        assert_eq!(words(&questions[4]["hints"]), ["Add 3 to 3"]);
        assert_eq!(questions[1]["hints"], json!([]));
        assert_eq!([&questions[1]["all_or_nothing"], &questions[2]["all_or_nothing"]], [false, true]);
        assert_eq!([&questions[3]["units"], &questions[4]["units"]], [&json!(["m", "cm"]), &json!(["s", "min"])]);
    }

    async fn answers_earn_weights_and_are_converted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let body = |unit: &str| json!({"answers": [
            {"question_id": id(1), "option_ids": [id(12)]},
            {"question_id": id(2), "option_ids": [id(21), id(23)]},
            {"question_id": id(3), "option_ids": [id(31)]},
            {"question_id": id(4), "number": "150", "unit": unit},
            {"question_id": id(5), "number": "0,1", "unit": "min"},
        ]});
        assert_eq!(exam.submit(&body("mm")).await.fields(), ["unknown_unit at body.answers.3.unit"]);
        let odd = json!({"answers": [{"question_id": id(1), "option_ids": [id(11)], "unit": "m"}]});
        assert_eq!(exam.submit(&odd).await.fields(), ["unknown_unit at body.answers.0.unit"]);
        let taken = exam.submit(&body("cm")).await.ok();
        let results = taken["results"].as_array().unwrap();
        let points: Vec<&Value> = results.iter().map(|result| &result["points"]).collect();
        assert_eq!(points, [0.5, 0.35, 0.0, 1.0, 1.0]);
        assert_eq!(results[3]["correct_answer"], json!({"number": "1.5", "unit": "m"}));
        assert_eq!(results[4]["correct_answer"], json!({"number": "6", "unit": "s"}));
        assert!(!taken.to_string().contains("weight"), "{taken}");
        // Without its unit a number is wrong.
        let bare = json!({"answers": [{"question_id": id(4), "number": "1.5"}]});
        assert_eq!(exam.submit(&bare).await.ok()["results"][3]["points"], 0.0);
    }

    async fn contradictions_are_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz()).await;
        let path = format!("/courses/update_page/{}", exam.page);
        let fields = async |question: usize, name: &str, value: Value| {
            let mut quiz = quiz();
            quiz["questions"][question][name] = value;
            exam.school.owner.put_json(&path, json!({"quiz": quiz})).await.fields()
        };
        let at = |kind: &str, place: &str| vec![format!("{kind} at body.quiz.questions.{place}")];
        assert_eq!(fields(1, "all_or_nothing", json!(true)).await, at("value_error", "1.all_or_nothing"));
        let units = |first: f64, second: &str| json!([{"name": "m", "factor": first}, {"name": second, "factor": 0.01}]);
        assert_eq!(fields(3, "units", units(2.0, "cm")).await, at("value_error", "3.units"));
        assert_eq!(fields(3, "units", units(1.0, " m ")).await, at("value_error", "3.units"));
        assert_eq!(fields(3, "units", json!([{"name": "m", "factor": 0}])).await, at("value_error", "3.units.0.factor"));
        assert_eq!(fields(3, "units", json!([{"name": " ", "factor": 1}])).await, at("string_too_short", "3.units.0.name"));
        // The page is published, so weights and right options must agree.
        let options = json!([{"content": "a", "correct": true, "weight": 90}, {"content": "b"}]);
        assert_eq!(fields(0, "options", options).await, at("quiz_incomplete", "0.options"));
        let options = json!([{"content": "a", "correct": true, "weight": 90}, {"content": "b", "weight": 10}]);
        assert_eq!(fields(1, "options", options).await, at("quiz_incomplete", "1.options"));
    }
}
