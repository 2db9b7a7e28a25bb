//! Devices that receive pushes, over REST.

use kurso_core::both;
use reqwest::Method;
use serde_json::{Value, json};

use crate::rights::BROWSER_KEY;
use crate::support::{School, Server};

both! {
    async fn devices_are_added_tested_and_removed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let learner = &school.learner;
        let found = learner.get("/notices/devices").await.ok();
        assert_eq!((found["public_key"].as_str().unwrap().len(), &found["devices"]), (87, &json!([])));
        let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/abc";
        let body = json!({"endpoint": endpoint, "p256dh": BROWSER_KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"});
        let added = learner.post_json("/notices/devices", body.clone()).await.ok();
        assert_eq!(added["endpoint"], endpoint);
        assert_eq!(learner.post_json("/notices/devices", body.clone()).await.ok(), added, "it is the same device");
        assert_eq!(learner.get("/notices/devices").await.ok()["devices"], json!([added]));
        let path = format!("/notices/devices/{}", added["id"].as_str().unwrap());
        assert_eq!(learner.post(&format!("{path}/test")).await.ok()["message"], "A test notice is on its way");
        school.owner.post(&format!("{path}/test")).await.refused(404, "Device not found");
        school.owner.delete(&path).await.refused(404, "Device not found");
        learner.delete(&path).await.ok();
        learner.delete(&path).await.refused(404, "Device not found");

        let mut bad = body.clone();
        bad["endpoint"] = json!("https://169.254.169.254/latest/meta-data");
        assert_eq!(learner.post_json("/notices/devices", bad.clone()).await.fields(), ["value_error at body.endpoint"]);
        let said = learner.in_russian(Method::POST, "/notices/devices", bad).await;
        assert!(said.text().contains("через push-сервис этого браузера"), "{}", said.text());
        let wrong = json!({"endpoint": "", "p256dh": Value::Null});
        assert_eq!(learner.post_json("/notices/devices", wrong).await.fields(), [
            "string_too_short at body.endpoint", "string_type at body.p256dh", "missing at body.auth",
        ]);
        let mut bad = body;
        bad["auth"] = json!("x");
        assert_eq!(learner.post_json("/notices/devices", bad).await.fields(), ["value_error at body.auth"]);
    }
}
