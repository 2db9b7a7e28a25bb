//! Notice preferences and unsubscribing over GraphQL.

use kurso_base::ids::UserId;
use kurso_core::both;
use kurso_core::notice_mails::unsubscribe;
use kurso_core::notices::Kind;
use serde_json::{Value, json};

use crate::support::{School, Server};

const PREFERENCES: &str =
    "language timeZone quietHours { from until } isStored choices { kind inApp mail push isDefault }
    courses { course { id title } choices { kind inApp mail push isDefault } }";

/// The choice for graded work in all courses.
fn graded(preferences: &Value) -> &Value {
    let choices = preferences["choices"].as_array().unwrap();
    choices.iter().find(|choice| choice["kind"] == "GRADED").unwrap()
}

both! {
    async fn preferences_are_read_changed_and_reset(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let found = server.data(&school.learner, &format!("{{ noticePreferences {{ {PREFERENCES} }} }}"), json!({})).await;
        assert_eq!([&found["language"], &found["timeZone"], &found["quietHours"]], [&json!("RU"), &json!("UTC"), &Value::Null]);
        let default = json!({"kind": "GRADED", "inApp": true, "mail": "ONCE", "push": true, "isDefault": true});
        assert_eq!((graded(&found), found["choices"].as_array().unwrap().len(), &found["isStored"]), (&default, 16, &json!(false)));
        assert_eq!(found["courses"], json!([{"course": {"id": school.course, "title": "Курс"}, "choices": []}]));

        let set = format!("mutation($input: SetNoticeSettingsInput!) {{ setNoticeSettings(input: $input) {{ preferences {{ {PREFERENCES} }} }} }}");
        let quiet = json!({"from": "22:00", "until": "07:30"});
        let input = json!({"language": "EN", "timeZone": "Europe/Moscow", "quietHours": quiet});
        let found = server.data(&school.learner, &set, json!({"input": input})).await["preferences"].clone();
        assert_eq!([&found["language"], &found["quietHours"], &found["isStored"]], [&json!("EN"), &quiet, &json!(true)]);
        for wrong in [
            json!({"language": "EN", "timeZone": "Europe/Kitezh"}),
            json!({"language": "EN", "timeZone": "UTC", "quietHours": {"from": "07:00", "until": "07:00"}}),
        ] {
            assert_eq!(server.refusal(&school.learner, &set, json!({"input": wrong})).await, "BAD_USER_INPUT");
        }

        let choose = format!("mutation($input: ChooseNoticesInput!) {{ chooseNotices(input: $input) {{ preferences {{ {PREFERENCES} }} }} }}");
        let input = json!({"courseId": school.course, "kind": "GRADED", "inApp": false, "mail": "WEEKLY", "push": false});
        let found = server.data(&school.learner, &choose, json!({"input": input})).await["preferences"].clone();
        let own = json!({"kind": "GRADED", "inApp": false, "mail": "WEEKLY", "push": false, "isDefault": false});
        assert_eq!((&found["courses"][0]["choices"], graded(&found)), (&json!([own]), &default));
        assert_eq!(server.refusal(&school.stranger, &choose, json!({"input": input})).await, "NOT_FOUND");

        let reset = format!("mutation($input: ResetNoticesInput!) {{ resetNotices(input: $input) {{ preferences {{ {PREFERENCES} }} }} }}");
        let input = json!({"courseId": school.course, "kind": "GRADED"});
        let found = server.data(&school.learner, &reset, json!({"input": input})).await["preferences"].clone();
        assert_eq!(found["courses"][0]["choices"], json!([]));
        assert_eq!(server.refusal(&school.stranger, &reset, json!({"input": input})).await, "NOT_FOUND");
        assert_eq!(server.refusal("", "{ noticePreferences { timeZone } }", json!({})).await, "UNAUTHENTICATED");
    }

    async fn the_link_of_a_mail_stops_mails_without_signing_in(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let me = server.data(&school.learner, "{ me { id } }", json!({})).await;
        let learner: UserId = me["id"].as_str().unwrap().parse().unwrap();
        let token = unsubscribe::token_of(&kurso, learner, &[Kind::Graded], Some(school.course)).await.unwrap();
        let read = "query($token: String!) { noticeSubscription(token: $token) { email kinds course { id title } } }";
        let found = server.data("", read, json!({"token": token})).await;
        assert_eq!((&found["kinds"], &found["course"]), (&json!(["GRADED"]), &json!({"id": school.course, "title": "Курс"})));
        assert!(found["email"].as_str().unwrap().ends_with("***@example.com"), "{found}");
        let stop = "mutation($input: UnsubscribeNoticesInput!) { unsubscribeNotices(input: $input) { message } }";
        let preferences = format!("{{ noticePreferences {{ {PREFERENCES} }} }}");
        for input in [
            json!({"token": token, "kind": "GRADED", "courseId": school.course}),
            json!({"token": token, "kind": "GRADED"}),
            json!({"token": token}),
        ] {
            let found = server.data(&school.learner, &preferences, json!({})).await;
            assert_ne!(graded(&found)["mail"], "OFF");
            let said = server.data("", stop, json!({"input": input})).await;
            assert_eq!(said["message"], "These mails will no longer be sent to you");
            let found = server.data(&school.learner, &preferences, json!({})).await;
            let of_course = &found["courses"][0]["choices"][0];
            assert!(graded(&found)["mail"] == "OFF" || of_course["mail"] == "OFF", "{found}");
            let reset = "mutation($input: ResetNoticesInput!) { resetNotices(input: $input) { preferences { timeZone } } }";
            server.data(&school.learner, reset, json!({"input": {"kind": "GRADED"}})).await;
        }
        assert_eq!(server.refusal("", read, json!({"token": "x"})).await, "NOT_FOUND");
        assert_eq!(server.refusal("", stop, json!({"input": {"token": "x"}})).await, "NOT_FOUND");
        let elsewhere = json!({"token": token, "kind": "GRADED", "courseId": "01890a5d-ac96-774b-bcce-b302099a8057"});
        assert_eq!(server.refusal("", stop, json!({"input": elsewhere})).await, "NOT_FOUND");
    }
}
