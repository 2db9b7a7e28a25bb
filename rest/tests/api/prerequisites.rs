//! Prerequisites over REST: the fields, their refusals, and a page that is locked by them.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

both! {
    async fn prerequisites_are_fields_of_modules_and_lessons(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, learner) = (&school.owner, &school.learner);
        let read = async || owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        let tree = read().await;
        let (first, second) = (&tree["modules"][0], &tree["modules"][1]);
        let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
        let (module, lesson) = (id(second), id(&first["lessons"][1]));
        let needs = json!([id(&first["lessons"][0])]);
        for path in [format!("update_module/{module}"), format!("update_lesson/{lesson}")] {
            let changed = owner.put_json(&format!("/courses/{path}"), json!({"prerequisites": needs})).await.ok();
            assert_eq!(changed["prerequisites"], needs, "{path}");
        }
        let tree = read().await;
        assert_eq!(tree["modules"][1]["prerequisites"], needs);
        assert_eq!(tree["modules"][0]["lessons"][1]["prerequisites"], needs);
        let own = learner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        assert_eq!(own["modules"][1]["prerequisites"], needs);
        assert_eq!([&own["modules"][1]["timeline"]["reasons"], &own["modules"][1]["timeline"]["needs"]], [&json!(["needs"]), &json!(["Урок 1.1"])]);
        for lesson in own["modules"][1]["lessons"].as_array().unwrap() {
            assert_eq!([&lesson["timeline"]["state"], &lesson["timeline"]["needs"]], [&json!("locked"), &json!(["Урок 1.1"])]);
        }

        let update = async |body: Value| owner.put_json(&format!("/courses/update_lesson/{lesson}"), body).await;
        assert_eq!(update(json!({"prerequisites": null})).await.fields(), ["list_type at body.prerequisites"]);
        assert_eq!(update(json!({"prerequisites": ["x", 5]})).await.fields(), ["uuid_parsing at body.prerequisites.0", "uuid_type at body.prerequisites.1"]);
        assert_eq!(update(json!({"prerequisites": vec![module.clone(); 101]})).await.fields(), ["too_long at body.prerequisites"]);
        assert_eq!(update(json!({"prerequisites": [school.course]})).await.fields(), ["value_error at body.prerequisites.0"]);
        update(json!({"prerequisites": [module]})).await.ok();
        let refused = owner.put_json(&format!("/courses/update_module/{module}"), json!({"prerequisites": [lesson]})).await;
        assert_eq!(refused.fields(), ["value_error at body.prerequisites"]);
    }

    async fn a_sequential_course_refuses_what_contradicts_it(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let owner = &school.owner;
        let tree = owner.get(&format!("/courses/get_course/{}", school.course)).await.ok();
        let lessons: Vec<&str> = tree["modules"][0]["lessons"].as_array().unwrap().iter().map(|lesson| lesson["id"].as_str().unwrap()).collect();
        let first = format!("/courses/update_lesson/{}", lessons[0]);
        let made = owner.post_json("/courses/create_course", json!({"title": "К", "sequential": true})).await.ok();
        assert_eq!(made["sequential"], true);
        owner.put_json(&first, json!({"prerequisites": [lessons[1]]})).await.ok();
        let course = format!("/courses/update_course/{}", school.course);
        let refused = owner.put_json(&course, json!({"sequential": true})).await;
        assert_eq!(refused.fields(), ["value_error at body.sequential"]);
        assert_eq!(refused.json()["detail"][0]["msg"], "Nobody could complete this: “Урок 1.1” → “Урок 1.2” → “Урок 1.1”");
        owner.put_json(&first, json!({"prerequisites": []})).await.ok();
        assert_eq!(owner.put_json(&course, json!({"sequential": true})).await.ok()["sequential"], true);
    }

    async fn a_page_locked_by_prerequisites_is_a_409_with_their_titles(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (owner, learner) = (&school.owner, &school.learner);
        owner.put_json(&format!("/courses/update_course/{}", school.course), json!({"sequential": true})).await.ok();
        let (read, visit) = (format!("/courses/enrolled_page/{}", school.pages[2]), format!("/courses/mark_page_visited/{}", school.pages[2]));
        for answer in [learner.get(&read).await, learner.post(&visit).await] {
            assert_eq!((answer.status, answer.json()), (409, json!({
                "detail": "This page is not open for you yet", "code": "LOCKED", "opens_at": null, "reasons": ["needs"], "needs": ["Урок 1.1"],
            })));
        }
        assert_eq!(owner.get(&read).await.ok()["timeline"]["state"], "open");
        for page in &school.pages[..2] {
            learner.post(&format!("/courses/mark_page_visited/{page}")).await.ok();
        }
        learner.post(&visit).await.ok();
        assert_eq!(learner.get(&read).await.ok()["timeline"]["needs"], json!([]));
    }
}
