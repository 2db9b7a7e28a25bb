//! Password recovery, undoing a change of address, and the mails of both.

use chrono::Duration;
use kurso_core::both;
use kurso_core::testing::PASSWORD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Persona, Sent as _, Server};

const NEW_PASSWORD: &str = "a new password";
const SENT: &str = "If that email is registered, we sent a password recovery link";

async fn ask(server: &Server, email: &str) -> Answer {
    server.anonymous().post(&format!("/password-recovery/{email}")).await
}

async fn reset(server: &Server, token: &str, password: &str) -> Answer {
    let body = json!({"token": token, "new_password": password});
    server.anonymous().post_json("/reset-password/", body).await
}

async fn undo(server: &Server, token: &str) -> Answer {
    server
        .anonymous()
        .post_json("/login/undo-email-change", json!({"token": token}))
        .await
}

/// Returns the token in the last mail.
async fn mailed(server: &Server) -> String {
    server.kurso.mails().await.last().expect("a mail").token()
}

async fn move_to(persona: &Persona<'_>, email: &str) -> Value {
    persona.patch_json("/users/me", json!({"email": email})).await.ok()
}

both! {
    async fn the_response_does_not_depend_on_the_address(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        server.inactive("carl").await;
        for email in [
            "ann@example.com", "nobody@example.com", "carl@example.com", "nonsense", "%FF%00", "%20ANN@EXAMPLE.COM%20", "a%2Fb@c.de",
            "Ann%20%3Cann@example.com%3E",
        ] {
            assert_eq!(ask(&server, email).await.ok(), json!({"message": SENT}), "{email}");
        }
        let mut to: Vec<_> = server.kurso.mails().await.into_iter().map(|mail| mail.to).collect();
        to.sort();
        assert_eq!(to, ["ann@example.com", "ann@example.com", "ann@example.com", "carl@example.com"]);
        let forged = server.with_token("forged").post("/password-recovery/ann@example.com").await;
        assert_eq!(forged.ok(), json!({"message": SENT}));
        let russian = server.anonymous().in_russian(Method::POST, "/password-recovery/x@example.com", json!({})).await.ok();
        assert_eq!(russian["message"], "Если этот email зарегистрирован, мы отправили на него ссылку для восстановления пароля");
        server.anonymous().post("/password-recovery/").await.refused(404, "Not Found");
        let wrong = server.anonymous().get("/password-recovery/ann@example.com").await;
        wrong.refused(405, "Method Not Allowed");
    }

    async fn a_link_sets_a_password_once_within_an_hour(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        ask(&server, "ANN@example.com").await.ok();
        let mails = server.kurso.mails().await;
        assert_eq!(mails[0].subject, "Kurso — восстановление пароля для ann@example.com", "Russian unless English is asked for");
        let token = mails[0].token();
        assert!(mails[0].text.contains(&format!("https://kurso.example/reset-password?token={token}")));
        server.kurso.clock.advance(Duration::minutes(59));
        let done = reset(&server, &token, NEW_PASSWORD).await.ok();
        assert_eq!(done, json!({"message": "Password updated successfully"}));
        ann.get("/users/me").await.refused(403, "Could not validate credentials");
        server.login("ann@example.com", PASSWORD).await.refused(400, "Incorrect email or password");
        server.login("ann@example.com", NEW_PASSWORD).await.ok();
        reset(&server, &token, PASSWORD).await.refused(400, "Invalid token");

        ask(&server, "ann@example.com").await.ok();
        let late = mailed(&server).await;
        server.kurso.clock.advance(Duration::hours(1));
        reset(&server, &late, PASSWORD).await.refused(400, "Invalid token");
    }

    async fn concurrent_uses_of_a_link_succeed_once(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        ask(&server, "ann@example.com").await.ok();
        let token = mailed(&server).await;
        let (a, b) = tokio::join!(reset(&server, &token, "first password"), reset(&server, &token, "second password"));
        let mut statuses = [a.status, b.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 400]);
        let kept = if a.status == 200 { "first password" } else { "second password" };
        server.login("ann@example.com", kept).await.ok();
    }

    async fn the_password_may_stay_the_same(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        ask(&server, "ann@example.com").await.ok();
        let token = mailed(&server).await;
        reset(&server, &token, PASSWORD).await.ok();
        reset(&server, &token, PASSWORD).await.refused(400, "Invalid token");
    }

    async fn a_changed_password_address_or_account_invalidates_links(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        ask(&server, "ann@example.com").await.ok();
        let before_password = mailed(&server).await;
        let body = json!({"current_password": PASSWORD, "new_password": NEW_PASSWORD});
        ann.patch_json("/users/me/password", body).await.ok();
        reset(&server, &before_password, PASSWORD).await.refused(400, "Invalid token");

        ask(&server, "ann@example.com").await.ok();
        let before_address = mailed(&server).await;
        move_to(&ann, "new@example.com").await;
        reset(&server, &before_address, PASSWORD).await.refused(400, "Invalid token");

        ask(&server, "new@example.com").await.ok();
        let mails = server.kurso.mails().await;
        let before_end = mails.iter().rfind(|mail| mail.to == "new@example.com").unwrap().token();
        ann.delete("/users/me").await.ok();
        reset(&server, &before_end, PASSWORD).await.refused(400, "Invalid token");
    }

    async fn a_token_is_valid_for_one_purpose_only(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        ask(&server, "ann@example.com").await.ok();
        let token = mailed(&server).await;
        server.with_token(&token).get("/users/me").await.refused(403, "Could not validate credentials");
        undo(&server, &token).await.refused(400, "Invalid token");
        move_to(&ann, "new@example.com").await;
        let access = ann.token.clone().unwrap();
        let change = mailed(&server).await;
        for bad in ["", "nonsense", "a.b.c", access.as_str(), change.as_str(), &"x".repeat(100_000)] {
            reset(&server, bad, NEW_PASSWORD).await.refused(400, "Invalid token");
        }
        undo(&server, &access).await.refused(400, "Invalid token");
        let russian = json!({"token": "x", "new_password": NEW_PASSWORD});
        let russian = server.anonymous().in_russian(Method::POST, "/reset-password/", russian).await;
        russian.refused(400, "Ссылка недействительна");
    }

    async fn the_link_of_an_inactive_user_is_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        let id = ann.get("/users/me").await.ok()["id"].as_str().unwrap().to_owned();
        admin.patch_json(&format!("/users/{id}"), json!({"is_active": false})).await.ok();
        ask(&server, "ann@example.com").await.ok();
        let token = mailed(&server).await;
        reset(&server, &token, NEW_PASSWORD).await.refused(400, "Inactive user");
        admin.patch_json(&format!("/users/{id}"), json!({"is_active": true})).await.ok();
        reset(&server, &token, NEW_PASSWORD).await.ok();
    }

    async fn the_fields_of_a_reset_are_checked_first(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let answer = reset(&server, "nonsense", "short").await;
        assert_eq!(answer.fields(), ["string_too_short at body.new_password"]);
        assert_eq!(answer.json()["detail"][0]["input"], Value::Null);
        let post = async |body: Value| server.anonymous().post_json("/reset-password/", body).await;
        let missing = post(json!({"token": "secret"})).await;
        assert_eq!(missing.json(), json!({"detail": [
            {"type": "missing", "loc": ["body", "new_password"], "msg": "Field required", "input": {"token": null}},
        ]}));
        let wrong = post(json!({"token": 7, "new_password": "x".repeat(129)})).await;
        assert_eq!(wrong.fields(), ["string_type at body.token", "string_too_long at body.new_password"]);
        assert_eq!(wrong.json()["detail"][0]["input"], Value::Null);
        assert_eq!(post(json!([])).await.fields(), ["model_attributes_type at body"]);
        assert_eq!(post(json!(null)).await.fields(), ["missing at body"]);
        let undo = server.anonymous().post_json("/login/undo-email-change", json!({})).await;
        assert_eq!(undo.fields(), ["missing at body.token"]);
    }

    async fn recovery_mails_are_limited_to_five_per_hour(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        for email in ["ann@example.com", "nobody@example.com"] {
            for _ in 0..5 {
                ask(&server, email).await.ok();
            }
            let refused = ask(&server, &email.to_uppercase()).await;
            refused.refused(429, "Too many attempts, please try again later");
            assert_eq!(refused.header("retry-after"), "3600", "for unknown addresses too");
        }
        assert_eq!(server.kurso.mails().await.len(), 5);
        ask(&server, "else@example.com").await.ok();
        server.kurso.clock.advance(Duration::hours(1));
        ask(&server, "ann@example.com").await.ok();
    }

    async fn a_superuser_previews_the_recovery_mail(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let admin = server.superuser("admin").await;
        server.kurso.account("ann", false).await;
        let preview = async |email: &str, language: &str| {
            let request = admin.request(Method::POST, &format!("/password-recovery-html-content/{email}"));
            request.header("accept-language", language).answer().await
        };
        let answer = preview("ANN@example.com", "en").await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"));
        assert_eq!(answer.header("subject"), "Kurso - Password recovery for user ann@example.com");
        let html = String::from_utf8(answer.bytes).unwrap();
        let token = html.split("token=").nth(1).unwrap().split('"').next().unwrap().to_owned();
        reset(&server, &token, NEW_PASSWORD).await.ok();
        let russian = preview("ann@example.com", "ru").await;
        assert!(russian.header("subject").contains("=?utf-8?"), "{}", russian.header("subject"));
        assert!(String::from_utf8(russian.bytes).unwrap().contains("Задать новый пароль"));
        for unknown in ["nobody@example.com", "nonsense"] {
            preview(unknown, "en").await.refused(404, "The user with this username does not exist in the system.");
        }
        preview("nobody@example.com", "ru").await.refused(404, "Пользователя с таким email нет.");
        assert!(server.kurso.mails().await.is_empty(), "a preview sends nothing");
    }

    async fn a_superuser_sends_a_test_mail(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let admin = server.superuser("admin").await;
        let answer = admin.post("/utils/test-email/?email_to=Ann@Example.com").await;
        assert_eq!((answer.status, answer.json()), (201, json!({"message": "Test email sent"})));
        let mails = server.kurso.mails().await;
        assert_eq!((mails[0].to.as_str(), mails[0].subject.as_str()), ("Ann@example.com", "Kurso — проверочное письмо"));
        let russian = admin.in_russian(Method::POST, "/utils/test-email/?email_to=a@b.co", json!({})).await;
        assert_eq!(russian.json(), json!({"message": "Проверочное письмо отправлено"}));
        let missing = admin.post("/utils/test-email/").await;
        assert_eq!((missing.status, missing.json()), (422, json!({"detail": [
            {"type": "missing", "loc": ["query", "email_to"], "msg": "Field required", "input": null},
        ]})));
        let wrong = admin.post("/utils/test-email/?email_to=nonsense").await;
        assert_eq!((wrong.status, wrong.json()), (422, json!({"detail": [{
            "type": "value_error", "loc": ["query", "email_to"], "input": "nonsense",
            "msg": "value is not a valid email address: An email address must have an @-sign.",
            "ctx": {"reason": "An email address must have an @-sign."},
        }]})));
    }

    async fn an_address_change_can_be_undone(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let request = ann.request(Method::PATCH, "/users/me").header("accept-language", "en");
        request.json(&json!({"email": "Thief@example.com"})).answer().await.ok();
        let mails = server.kurso.mails().await;
        assert_eq!((mails.len(), mails[0].to.as_str()), (1, "ann@example.com"));
        assert_eq!(mails[0].subject, "Kurso - Your email address was changed");
        assert!(mails[0].text.contains("Thief@example.com"));
        let token = mails[0].token();
        assert!(mails[0].text.contains(&format!("https://kurso.example/undo-email-change?token={token}")));
        server.kurso.clock.advance(Duration::hours(71));
        let message = "The email address is the old one again, and every session has ended";
        assert_eq!(undo(&server, &token).await.ok(), json!({ "message": message }));
        ann.get("/users/me").await.refused(403, "Could not validate credentials");
        server.login("thief@example.com", PASSWORD).await.refused(400, "Incorrect email or password");
        server.login("ann@example.com", PASSWORD).await.ok();
        undo(&server, &token).await.refused(400, "Invalid token");
    }

    /// Each change sends a mail to an unverified address, and reveals whether an address has an account.
    async fn address_changes_are_limited_to_ten_per_hour(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        server.kurso.account("bob", false).await;
        let to = async |email: &str| ann.patch_json("/users/me", json!({"email": email, "full_name": "Ann"})).await;
        for n in 0..4 {
            to("victim@example.com").await.ok();
            to(&format!("{n}@example.com")).await.ok();
        }
        to("bob@example.com").await.refused(409, "User with this email already exists");
        to("victim@example.com").await.ok();
        let refused = to("5@example.com").await;
        refused.refused(429, "Too many attempts, please try again later");
        assert_eq!(refused.header("retry-after"), "3600");
        to("bob@example.com").await.refused(429, "Too many attempts, please try again later");
        to("Victim@example.com").await.ok();
        let mails = server.kurso.mails().await;
        assert_eq!(mails.iter().filter(|mail| mail.to == "victim@example.com").count(), 4);
        server.kurso.clock.advance(Duration::hours(1));
        to("5@example.com").await.ok();
    }

    async fn an_address_change_can_be_undone_for_72_hours(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        move_to(&ann, "new@example.com").await;
        let token = mailed(&server).await;
        let signup = async || {
            let body = json!({"email": "ANN@example.com", "password": PASSWORD});
            server.anonymous().post_json("/users/signup", body).await
        };
        let taken = "The user with this email already exists in the system";
        signup().await.refused(400, taken);
        let bob = server.person("bob").await;
        let body = json!({"email": "ann@example.com"});
        bob.patch_json("/users/me", body).await.refused(409, "User with this email already exists");
        server.kurso.clock.advance(Duration::hours(72));
        undo(&server, &token).await.refused(400, "Invalid token");
        signup().await.ok();
    }

    async fn a_later_change_invalidates_the_undo_link(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        move_to(&ann, "thief@example.com").await;
        let owners = mailed(&server).await;
        move_to(&ann, "second@example.com").await;
        let mails = server.kurso.mails().await;
        let thiefs = mails.iter().find(|mail| mail.to == "thief@example.com").unwrap().token();
        undo(&server, &owners).await.ok();
        undo(&server, &thiefs).await.refused(400, "Invalid token");
        server.login("ann@example.com", PASSWORD).await.ok();
    }

    async fn a_change_by_a_superuser_cannot_be_undone(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        let id = move_to(&ann, "new@example.com").await["id"].as_str().unwrap().to_owned();
        let token = mailed(&server).await;
        admin.patch_json(&format!("/users/{id}"), json!({"email": "right@example.com"})).await.ok();
        undo(&server, &token).await.refused(400, "Invalid token");
    }
}
