//! Tests of hotspot questions: author round trips, learner views, grading, and what the key shows.

use kurso_core::both;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::Server;

fn id(n: u32) -> String {
    format!("0198f000-0000-7000-8000-0000000000{n:02}")
}

fn picture(src: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src, "alt": "Heart"}}]})
}

fn zones() -> Value {
    json!([
        {"id": id(11), "shape": "rectangle", "x": 10.5, "y": 20, "width": 30, "height": 12.25},
        {"id": id(12), "shape": "ellipse", "x": 50, "y": 60, "radius_x": 10, "radius_y": 12},
        {"id": id(13), "shape": "polygon", "corners": [{"x": 70, "y": 70}, {"x": 99.999, "y": 70}, {"x": 70, "y": 100}]},
    ])
}

/// One place, one in each zone, and the same as all or nothing.
fn quiz(reveal: &str, src: &str) -> Value {
    let question = |n: u32, mark_all: bool, all_or_nothing: bool| {
        let mut zones = zones();
        if n > 1 {
            for zone in zones.as_array_mut().unwrap() {
                zone.as_object_mut().unwrap().remove("id");
            }
        }
        json!({"id": id(n), "type": "hotspot", "prompt": format!("Question {n}"), "picture": picture(src), "zones": zones,
            "mark_all": mark_all, "all_or_nothing": all_or_nothing})
    };
    let questions = [
        question(1, false, false),
        question(2, true, false),
        question(3, true, true),
    ];
    json!({"pass_percent": 100, "reveal": reveal, "questions": questions})
}

const SRC: &str = "/files/0123456789abcdef0123456789abcdef/heart.png";

fn answers(places: [Value; 3]) -> Value {
    let answers: Vec<Value> = (1..)
        .zip(places)
        .map(|(n, places)| json!({"question_id": id(n), "places": places}))
        .collect();
    json!({"answers": answers})
}

fn at(x: f64, y: f64) -> Value {
    let number = |n: f64| if n.fract() == 0.0 { json!(n as i64) } else { json!(n) };
    json!({"x": number(x), "y": number(y)})
}

/// The first question is right, the second for a third, the third wrong.
fn some() -> Value {
    answers([
        json!([at(70.0, 100.0)]),
        json!([at(0.0, 0.0), at(10.5, 32.25), at(20.0, 25.0)]),
        json!([at(20.0, 25.0), at(50.0, 48.0)]),
    ])
}

/// Places in all zones.
fn right() -> Value {
    let all = json!([at(50.0, 72.0), at(99.999, 70.0), at(40.5, 20.0)]);
    answers([json!([at(20.0, 25.0)]), all.clone(), all])
}

both! {
    async fn authors_write_zones_that_learners_never_read(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("never", SRC)).await;
        let school = &exam.school;
        let file = server.kurso.file(school.owner_viewer.id(), "heart.png", "image/png", &b"x"[..]).await;
        let path = format!("/courses/update_page/{}", exam.page);
        let written = school.owner.put_json(&path, json!({"quiz": quiz("never", &file.url())})).await.ok();
        let question = &written["quiz"]["questions"][0];
        assert_eq!(question["zones"], zones());
        assert_eq!((&question["mark_all"], &question["all_or_nothing"]), (&json!(false), &json!(false)));
        // What is read back can be written again.
        let again = school.owner.put_json(&path, json!({"quiz": written["quiz"]})).await.ok();
        assert_eq!(again["quiz"], written["quiz"]);
        let read = format!("/courses/get_page/{}", exam.page);
        //                 owner editor teacher admin learner stranger nobody
        assert_eq!(school.statuses(&read).await, [200, 200, 200, 200, 403, 404, 401]);
        let missing = school.owner.put_json(&path, json!({"quiz": quiz("never", SRC)})).await;
        assert_eq!(missing.status, 422, "the picture must be a file of the author");

        let seen = exam.read().await["quiz"].clone();
        let text = seen.to_string();
        for secret in ["zones", "shape", "radius", "corners", "mark_all", "99.999", &id(11)] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        let places: Vec<&Value> = seen["questions"].as_array().unwrap().iter().map(|question| &question["max_places"]).collect();
        assert_eq!(places, [1, 3, 3]);
        assert_eq!(seen["questions"][0]["picture"], picture(&file.url()));
        // The file is that of a page which the learner may read.
        assert_eq!(school.learner.get(&file.url()).await.status, 200);
    }

    async fn places_are_graded_by_the_zones_that_contain_them(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("after_submit", SRC)).await;
        let taken = exam.submit(&some()).await.ok();
        let results = taken["results"].as_array().unwrap();
        let points: Vec<&Value> = results.iter().map(|result| &result["points"]).collect();
        assert_eq!(points, [1.0, 0.3333, 0.0]);
        assert_eq!(results[0]["zones"], zones());
        let judged: Vec<&Value> = results.iter().map(|result| &result["right_places"]).collect();
        assert_eq!(judged, [&json!([true]), &json!([false, true, false]), &json!([true, true])]);
        assert_eq!(results[0]["correct_answer"], json!({"places": [{"x": 25.5, "y": 26.125}]}));
        // The answers that the key names get full credit.
        let key = |n: usize| results[n]["correct_answer"]["places"].clone();
        assert_eq!(exam.submit(&answers([key(0), key(1), key(2)])).await.ok()["percent"], 100);
        assert_eq!(exam.submit(&right()).await.ok()["percent"], 100);
        // No place is no answer.
        let empty = exam.submit(&answers([json!([]), json!([]), Value::Null])).await.ok();
        assert_eq!((&empty["percent"], empty["results"][0].get("right_places")), (&json!(0), None));
        let student = exam.school.teacher.get(&format!("/courses/student_detailed_progress/{}", exam.enrollment)).await.ok();
        let attempts = &student["modules"][0]["lessons"][0]["pages"][3]["attempts"];
        assert_eq!(attempts[0]["answers"], some()["answers"]);
        assert_eq!(attempts[3]["answers"], json!([]));
    }

    async fn the_key_is_shown_when_the_quiz_reveals_it(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("after_pass", SRC)).await;
        let failed = exam.submit(&some()).await.ok();
        assert_eq!(failed["results"][0]["correct"], json!(true));
        for hidden in ["zones", "right_places", "correct_answer"] {
            assert!(failed["results"].as_array().unwrap().iter().all(|result| result.get(hidden).is_none()), "{hidden}");
        }
        assert!(!exam.read().await.to_string().contains("zones"));
        let student = format!("/courses/student_detailed_progress/{}", exam.enrollment);
        let staff = exam.school.teacher.get(&student).await.ok();
        let staff = &staff["modules"][0]["lessons"][0]["pages"][3]["attempts"][0]["results"];
        assert_eq!((&staff[0]["zones"], &staff[1]["right_places"]), (&zones(), &json!([false, true, false])));
        let passed = exam.submit(&right()).await.ok();
        assert_eq!(passed["results"][0]["zones"], zones());
        // Passing reveals the key of the attempts before.
        assert_eq!(exam.read().await["attempts"][0]["results"][1]["right_places"], json!([false, true, false]));

        server.kurso.set_quiz(exam.page, &quiz("never", SRC)).await;
        let hidden = exam.submit(&right()).await.ok();
        assert_eq!((&hidden["results"][0]["correct"], hidden["results"][0].get("zones")), (&Value::Null, None));
        assert!(!exam.read().await.to_string().contains("zones"));
        // Staff who try it out see what learners would.
        let tried = exam.school.owner.post_json(&format!("/courses/try_quiz/{}", exam.page), right()).await.ok();
        assert!(!tried.to_string().contains("zones"));
    }

    async fn places_that_are_no_places_use_no_attempt(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("never", SRC)).await;
        let fields = async |places: Value| exam.submit(&json!({"answers": [{"question_id": id(1), "places": places}]})).await.fields();
        assert_eq!(fields(json!([at(1.0, 1.0), at(2.0, 2.0)])).await, ["too_long at body.answers.0.places"]);
        assert_eq!(fields(json!([at(100.001, 1.0)])).await, ["value_error at body.answers.0.places.0.x"]);
        assert_eq!(fields(json!([at(1.0, 0.0001)])).await, ["value_error at body.answers.0.places.0.y"]);
        assert_eq!(fields(json!([{"x": "1", "y": 1}])).await, ["float_type at body.answers.0.places.0.x"]);
        assert_eq!(fields(json!([{"x": 1}])).await, ["missing at body.answers.0.places.0.y"]);
        assert_eq!(fields(json!("middle")).await, ["list_type at body.answers.0.places"]);
        let other = json!({"answers": [{"question_id": id(1), "text": "there"}]});
        assert_eq!(exam.submit(&other).await.fields().len(), 1);
        assert_eq!(exam.read().await["attempts"], json!([]));
    }

    async fn incomplete_or_impossible_zones_are_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &quiz("never", SRC)).await;
        let path = format!("/courses/update_page/{}", exam.page);
        let fields = async |name: &str, value: Value| {
            let mut quiz = quiz("never", SRC);
            quiz["questions"][0][name] = value;
            exam.school.owner.put_json(&path, json!({"quiz": quiz})).await.fields()
        };
        let at = |kind: &str, place: &str| vec![format!("{kind} at body.quiz.questions.0.{place}")];
        // The page is published.
        assert_eq!(fields("picture", Value::Null).await, at("quiz_incomplete", "picture"));
        assert_eq!(fields("zones", json!([])).await, at("quiz_incomplete", "zones"));
        assert_eq!(fields("picture", json!("words")).await, at("value_error", "picture"));
        let zone = |field: &str, value: Value| {
            let mut zone = zones()[0].clone();
            zone[field] = value;
            json!([zone])
        };
        assert_eq!(fields("zones", zone("x", json!(99.5))).await, at("value_error", "zones.0"));
        assert_eq!(fields("zones", zone("width", json!(0))).await, at("value_error", "zones.0.width"));
        assert_eq!(fields("zones", zone("height", Value::Null)).await, at("missing", "zones.0.height"));
        assert_eq!(fields("zones", zone("shape", json!("star"))).await, at("literal_error", "zones.0.shape"));
        let many: Vec<Value> = (0..21).map(|_| json!({"shape": "ellipse", "x": 50, "y": 50, "radius_x": 1, "radius_y": 1})).collect();
        assert_eq!(fields("zones", json!(many)).await, at("too_long", "zones"));
    }
}
