//! Sessions of the caller.

use chrono::Duration;
use kurso_core::both;
use kurso_core::testing::PASSWORD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Persona, Sent as _, Server};

async fn sign_in<'a>(server: &'a Server, device: &str) -> Persona<'a> {
    let request = server.anonymous().request(Method::POST, "/login/access-token");
    let request = request.header("user-agent", device);
    let form = [("username", "ann@example.com"), ("password", PASSWORD)];
    let answer = request.form(&form).answer().await.ok();
    server.with_token(answer["access_token"].as_str().unwrap())
}

fn devices(sessions: &Value) -> Vec<&str> {
    let data = sessions["data"].as_array().unwrap().iter();
    data.map(|session| session["device"].as_str().unwrap()).collect()
}

both! {
    async fn sessions_are_listed_last_seen_first(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        server.person("bob").await;
        let phone = sign_in(&server, "phone").await;
        server.kurso.clock.advance(Duration::hours(1));
        let laptop = sign_in(&server, "laptop").await;
        let listed = laptop.get("/login/sessions").await.ok();
        assert_eq!((devices(&listed), &listed["count"]), (vec!["laptop", "phone"], &json!(2)));
        let id = &listed["data"][0]["id"];
        assert_eq!(listed["data"][0], json!({
            "id": id, "device": "laptop", "created_at": "2026-11-21T10:00:00Z", "last_seen_at": "2026-11-21T10:00:00Z",
            "expires_at": "2026-11-29T10:00:00Z", "current": true,
        }));
        assert_eq!(listed["data"][1]["current"], false);
        server.kurso.clock.advance(Duration::hours(1));
        let listed = phone.get("/login/sessions").await.ok();
        assert_eq!(devices(&listed), ["phone", "laptop"], "the phone was seen last");
        let second = phone.get("/login/sessions?skip=1&limit=1").await.ok();
        assert_eq!((devices(&second), &second["count"]), (vec!["laptop"], &json!(2)));
        server.kurso.clock.advance(Duration::days(8) - Duration::minutes(61));
        let listed = laptop.get("/login/sessions").await.ok();
        assert_eq!(devices(&listed), ["laptop"], "the other one has expired");
    }

    async fn ending_a_session_keeps_the_others(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        let bob = server.person("bob").await;
        let phone = sign_in(&server, "phone").await;
        let laptop = sign_in(&server, "laptop").await;
        let listed = laptop.get("/login/sessions").await.ok();
        let of = |device: &str| {
            let mut data = listed["data"].as_array().unwrap().iter();
            let session = data.find(|session| session["device"] == device).unwrap();
            format!("/login/sessions/{}", session["id"].as_str().unwrap())
        };
        bob.delete(&of("phone")).await.refused(404, "Session not found");
        phone.get("/users/me").await.ok();
        assert_eq!(laptop.delete(&of("phone")).await.ok(), json!({"message": "Session ended"}));
        phone.get("/users/me").await.refused(403, "Could not validate credentials");
        laptop.delete(&of("phone")).await.refused(404, "Session not found");
        let russian = laptop.in_russian(Method::DELETE, &of("phone"), json!({})).await;
        russian.refused(404, "Сеанс не найден");
        assert_eq!(devices(&laptop.get("/login/sessions").await.ok()), ["laptop"]);
        laptop.delete(&of("laptop")).await.ok();
        laptop.get("/users/me").await.refused(403, "Could not validate credentials");
    }

    async fn sessions_require_a_token_and_valid_ids(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        server.anonymous().get("/login/sessions").await.refused(401, "Not authenticated");
        server.anonymous().delete("/login/sessions/x").await.refused(401, "Not authenticated");
        let inactive = server.inactive("carl").await;
        inactive.get("/login/sessions").await.refused(400, "Inactive user");
        inactive.delete(&format!("/login/sessions/{id}")).await.refused(400, "Inactive user");
        let ann = server.person("ann").await;
        assert_eq!(ann.delete("/login/sessions/x").await.fields(), ["uuid_parsing at path.session_id"]);
        assert_eq!(ann.get("/login/sessions?limit=-1").await.fields(), ["greater_than_equal at query.limit"]);
    }
}
