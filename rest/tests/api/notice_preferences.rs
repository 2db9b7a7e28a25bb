//! Notice preferences and unsubscribing over REST.

use kurso_core::both;
use kurso_core::notice_mails::unsubscribe;
use kurso_core::notices::Kind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{School, Sent as _, Server};

/// The learner's choice for graded work in all courses.
fn graded(preferences: &Value) -> &Value {
    let choices = preferences["choices"].as_array().unwrap();
    choices.iter().find(|choice| choice["kind"] == "graded").unwrap()
}

both! {
    async fn preferences_are_read_changed_and_reset(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (learner, course) = (&school.learner, school.course);
        let found = learner.get("/notices/preferences").await.ok();
        assert_eq!(
            [&found["language"], &found["time_zone"], &found["quiet_hours"], &found["is_stored"]],
            [&json!("ru"), &json!("UTC"), &Value::Null, &json!(false)]
        );
        assert_eq!(found["choices"].as_array().unwrap().len(), 16);
        let default = json!({"kind": "graded", "in_app": true, "mail": "once", "push": true, "is_default": true});
        assert_eq!(graded(&found), &default);
        assert_eq!(found["courses"], json!([{"course": {"id": course, "title": "Курс"}, "choices": []}]));

        let settings = json!({"language": "en", "time_zone": "Asia/Kathmandu", "quiet_hours": {"from": "22:30", "until": "06:00"}});
        let set = learner.put_json("/notices/settings", settings.clone()).await.ok();
        for name in ["language", "time_zone", "quiet_hours"] {
            assert_eq!(set[name], settings[name]);
        }
        assert_eq!(set["is_stored"], true);
        let set = learner.put_json("/notices/settings", json!({"language": "ru", "time_zone": "UTC"})).await.ok();
        assert_eq!(set["quiet_hours"], Value::Null);
        let wrong = json!({"language": "de", "time_zone": "Europe/Kitezh", "quiet_hours": {"from": "25:00"}});
        let wrong = learner.put_json("/notices/settings", wrong).await;
        assert_eq!(wrong.fields(), [
            "enum at body.language", "value_error at body.time_zone", "value_error at body.quiet_hours.from", "missing at body.quiet_hours.until",
        ]);

        let chosen = json!({"course_id": course, "kind": "graded", "in_app": false, "mail": "weekly"});
        let found = learner.put_json("/notices/choice", chosen).await.ok();
        let own = json!({"kind": "graded", "in_app": false, "mail": "weekly", "push": true, "is_default": false});
        assert_eq!((&found["courses"][0]["choices"], graded(&found)), (&json!([own]), &default));
        let found = learner.put_json("/notices/choice", json!({"kind": "graded", "in_app": true, "mail": "off"})).await.ok();
        assert_eq!(graded(&found)["mail"], "off");
        let chosen = json!({"kind": "graded", "in_app": true, "mail": "off", "push": false});
        assert_eq!(graded(&learner.put_json("/notices/choice", chosen).await.ok())["push"], false);
        let found = learner.put_json("/notices/choice", json!({"kind": "graded", "in_app": true, "mail": "off"})).await.ok();
        assert_eq!(graded(&found)["push"], false, "a client that knows nothing of pushes changes nothing about them");
        let wrong = learner.put_json("/notices/choice", json!({"kind": "weather", "in_app": "maybe", "course_id": "x"})).await;
        assert_eq!(wrong.fields(), [
            "uuid_parsing at body.course_id", "enum at body.kind", "bool_parsing at body.in_app", "missing at body.mail",
        ]);
        let found = learner.delete(&format!("/notices/choice?kind=graded&course_id={course}")).await.ok();
        assert_eq!((&found["courses"][0]["choices"], &graded(&found)["mail"]), (&json!([]), &json!("off")));
        let found = learner.delete("/notices/choice?kind=graded").await.ok();
        assert_eq!(graded(&found), &default);
        assert_eq!(learner.delete("/notices/choice?course_id=x").await.fields(), ["missing at query.kind", "uuid_parsing at query.course_id"]);
        school.anonymous.get("/notices/preferences").await.refused(401, "Not authenticated");
    }

    async fn a_mail_program_unsubscribes_with_one_click(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let learner = school.learner.get("/users/me").await.ok()["id"].as_str().unwrap().parse().unwrap();
        let token = unsubscribe::token_of(&server.kurso, learner, &[Kind::Graded, Kind::Mention], None).await.unwrap();
        let read = school.anonymous.get(&format!("/notices/subscription/{token}")).await.ok();
        assert_eq!([&read["kinds"], &read["course"]], [&json!(["graded", "mention"]), &Value::Null]);
        assert!(read["email"].as_str().unwrap().ends_with("***@example.com"), "{read}");
        let path = format!("/notices/unsubscribe/{token}");
        // Link scanners open every link.
        let page = school.anonymous.get(&path).await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        assert!(page.text().contains(&format!("https://kurso.example/unsubscribe/{token}\"")), "{}", page.text());
        let mail = async || graded(&school.learner.get("/notices/preferences").await.ok())["mail"].clone();
        assert_eq!(mail().await, "once");
        school.anonymous.post_json(&path, json!({"kind": "mention"})).await.ok();
        assert_eq!(mail().await, "once");
        let click = school.anonymous.request(Method::POST, &path).form(&[("List-Unsubscribe", "One-Click")]);
        assert_eq!(click.answer().await.ok(), json!({"message": "These mails will no longer be sent to you"}));
        assert_eq!(mail().await, "off");
        let part = reqwest::multipart::Form::new().text("List-Unsubscribe", "One-Click");
        school.anonymous.request(Method::POST, &path).multipart(part).answer().await.ok();
        let other = school.anonymous.request(Method::POST, &path).form(&[("a", "b")]).answer().await;
        assert_eq!(other.fields(), ["model_attributes_type at body"]);
        for bad in ["x", "a.b.c", "%00", "%FF"] {
            school.anonymous.get(&format!("/notices/subscription/{bad}")).await.refused(404, "The link is not or no longer good. Sign in to change what is mailed to you");
            school.anonymous.post_json(&format!("/notices/unsubscribe/{bad}"), json!({})).await.refused(404, "The link is not or no longer good. Sign in to change what is mailed to you");
        }
        let page = school.anonymous.get("/notices/unsubscribe/%22%3E%3Cscript%3E").await;
        assert!(page.text().contains("/unsubscribe/script\""), "{}", page.text());
    }
}
