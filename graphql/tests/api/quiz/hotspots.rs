//! Tests of hotspot questions and the time on questions over GraphQL.

use kurso_core::both;
use serde_json::{Value, json};

use super::Exam;

const READ: &str = "query($id: ID!) { page(id: $id) { authorQuiz quiz { questions { id ... on HotspotQuestion { picture maxPlaces } } }
    attempts { answers { ...Places } results { ...Key } } } }
    fragment Places on Answer { ... on HotspotAnswer { places { x y } } }
    fragment Key on QuestionResult { points rightPlaces seconds correctAnswer { ...Places }
        zones { id shape x y width height radiusX radiusY corners { x y } } }";

const SUBMIT: &str = "mutation($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome attempt { percent } } }";

const ANALYSIS: &str = "query($page: ID!) { quizAnalysis(pageId: $page) { questions { medianSeconds timedCount } } }";

const STUDENT: &str = "query($id: ID!) { enrollment(id: $id) { modules { lessons { pages { attempts { results {
    rightPlaces seconds zones { shape } } } } } } } }";

fn id(n: u32) -> String {
    format!("0198f000-0000-7000-8000-0000000000{n:02}")
}

fn quiz(reveal: &str) -> Value {
    let src = "/files/0123456789abcdef0123456789abcdef/heart.png";
    let picture = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src}}]});
    let zones = json!([
        {"id": id(11), "shape": "rectangle", "x": 10.5, "y": 20, "width": 30, "height": 12.25},
        {"id": id(12), "shape": "ellipse", "x": 50, "y": 60, "radius_x": 10, "radius_y": 12},
        {"id": id(13), "shape": "polygon", "corners": [{"x": 70, "y": 70}, {"x": 99.999, "y": 70}, {"x": 70, "y": 100}]},
    ]);
    let question = json!({"id": id(1), "type": "hotspot", "prompt": "Where?", "picture": picture, "zones": zones, "mark_all": true});
    json!({"pass_percent": 100, "reveal": reveal, "questions": [question]})
}

fn input(exam: &Exam, places: &[(f64, f64)], seconds: Option<f64>) -> Value {
    let places: Vec<Value> = places.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
    json!({"input": {"pageId": exam.pages[1], "answers": [{"questionId": id(1), "places": places, "seconds": seconds}]}})
}

both! {
    async fn places_are_marked_and_zones_are_shown_with_the_key(kurso: TestKurso) {
        let exam = Exam::open(kurso, &quiz("after_pass")).await;
        let page = json!({"id": exam.pages[1]});
        let read = async || exam.server.data(&exam.learner, READ, page.clone()).await;
        let before = read().await;
        let question = &before["quiz"]["questions"][0];
        assert_eq!((&question["maxPlaces"], &question["picture"]["content"][0]["type"]), (&json!(3), &json!("image")));
        assert_eq!(before["authorQuiz"], Value::Null);
        let staff = exam.server.data(&exam.owner_token, READ, page.clone()).await;
        assert_eq!(staff["authorQuiz"]["questions"][0]["zones"][1]["radius_y"], 12);

        let refused = async |places: &[(f64, f64)], seconds: Option<f64>| {
            exam.server.refusal(&exam.learner, SUBMIT, input(&exam, places, seconds)).await
        };
        assert_eq!(refused(&[(1.0, 1.0); 4], None).await, "BAD_USER_INPUT");
        assert_eq!(refused(&[(1.0, 100.5)], None).await, "BAD_USER_INPUT");
        assert_eq!(refused(&[(1.0, 1.0)], Some(1.25)).await, "BAD_USER_INPUT");
        let taken = exam.server.data(&exam.learner, SUBMIT, input(&exam, &[(0.0, 0.0), (10.5, 20.0)], Some(12.5))).await;
        assert_eq!(taken["attempt"]["percent"], 33);
        let attempt = read().await["attempts"][0].clone();
        assert_eq!(attempt["answers"][0]["places"], json!([{"x": 0.0, "y": 0.0}, {"x": 10.5, "y": 20.0}]));
        assert_eq!(attempt["results"][0], json!({"points": 0.3333, "rightPlaces": [], "seconds": null, "correctAnswer": null, "zones": []}));

        let all = [(40.5, 32.25), (50.0, 48.0), (70.0, 70.0)];
        exam.server.data(&exam.learner, SUBMIT, input(&exam, &all, None)).await;
        let attempts = read().await["attempts"].clone();
        assert_eq!(attempts[0]["results"][0]["rightPlaces"], json!([false, true]));
        let shown = &attempts[1]["results"][0];
        assert_eq!((&shown["rightPlaces"], &shown["seconds"]), (&json!([true, true, true]), &Value::Null));
        assert_eq!(shown["correctAnswer"]["places"].as_array().unwrap().len(), 3);
        assert_eq!(shown["zones"], json!([
            {"id": id(11), "shape": "RECTANGLE", "x": 10.5, "y": 20.0, "width": 30.0, "height": 12.25, "radiusX": null, "radiusY": null, "corners": []},
            {"id": id(12), "shape": "ELLIPSE", "x": 50.0, "y": 60.0, "width": null, "height": null, "radiusX": 10.0, "radiusY": 12.0, "corners": []},
            {"id": id(13), "shape": "POLYGON", "x": null, "y": null, "width": null, "height": null, "radiusX": null, "radiusY": null,
             "corners": [{"x": 70.0, "y": 70.0}, {"x": 99.999, "y": 70.0}, {"x": 70.0, "y": 100.0}]},
        ]));
    }

    async fn staff_read_the_time_and_its_median(kurso: TestKurso) {
        let exam = Exam::open(kurso, &quiz("never")).await;
        exam.server.data(&exam.learner, SUBMIT, input(&exam, &[(10.5, 20.0)], Some(12.5))).await;
        let page = json!({"page": exam.pages[1]});
        let analysis = exam.server.data(&exam.owner_token, ANALYSIS, page.clone()).await;
        assert_eq!(analysis["questions"], json!([{"medianSeconds": 12.5, "timedCount": 1}]));
        assert_eq!(exam.server.refusal(&exam.learner, ANALYSIS, page).await, "FORBIDDEN");
        let student = exam.server.data(&exam.owner_token, STUDENT, json!({"id": exam.enrollment})).await;
        let result = &student["modules"][0]["lessons"][0]["pages"][1]["attempts"][0]["results"][0];
        assert_eq!((&result["seconds"], &result["rightPlaces"], &result["zones"][0]["shape"]), (&json!(12.5), &json!([true]), &json!("RECTANGLE")));
        let own = exam.server.data(&exam.learner, READ, json!({"id": exam.pages[1]})).await;
        let own = &own["attempts"][0]["results"][0];
        assert_eq!((&own["seconds"], &own["zones"], &own["points"]), (&Value::Null, &json!([]), &Value::Null));
    }
}
