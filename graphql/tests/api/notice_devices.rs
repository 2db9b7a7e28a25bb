//! Devices that receive pushes, over GraphQL.

use kurso_core::both;
use serde_json::json;

use crate::support::{School, Server};

/// The public key of a browser, from RFC 8291.
const BROWSER_KEY: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

both! {
    async fn devices_are_added_tested_and_removed(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let list = "{ noticeDevices { publicKey devices { id endpoint userAgent createdAt } } }";
        let found = server.data(&school.learner, list, json!({})).await;
        assert_eq!((found["publicKey"].as_str().unwrap().len(), &found["devices"]), (87, &json!([])));
        let add = "mutation($input: AddNoticeDeviceInput!) { addNoticeDevice(input: $input) { device { id endpoint userAgent createdAt } } }";
        let input = json!({"endpoint": "https://web.push.apple.com/abc", "p256dh": BROWSER_KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"});
        let added = server.data(&school.learner, add, json!({"input": input})).await["device"].clone();
        assert_eq!(server.data(&school.learner, list, json!({})).await["devices"], json!([added]));
        let mut bad = input;
        bad["endpoint"] = json!("https://web.push.apple.com:444/abc");
        assert_eq!(server.refusal(&school.learner, add, json!({"input": bad})).await, "BAD_USER_INPUT");

        let test = "mutation($input: TestNoticeDeviceInput!) { testNoticeDevice(input: $input) { message } }";
        let remove = "mutation($input: RemoveNoticeDeviceInput!) { removeNoticeDevice(input: $input) { deviceId message } }";
        let input = json!({"input": {"deviceId": added["id"]}});
        for of_others in [test, remove] {
            assert_eq!(server.refusal(&school.owner, of_others, input.clone()).await, "NOT_FOUND");
            assert_eq!(server.refusal("", of_others, input.clone()).await, "UNAUTHENTICATED");
        }
        let said = server.data(&school.learner, test, input.clone()).await;
        assert_eq!(said["message"], "A test notice is on its way");
        let removed = server.data(&school.learner, remove, input.clone()).await;
        assert_eq!(removed["deviceId"], added["id"]);
        assert_eq!(server.refusal(&school.learner, remove, input).await, "NOT_FOUND");
        assert_eq!(server.refusal("", list, json!({})).await, "UNAUTHENTICATED");
    }
}
