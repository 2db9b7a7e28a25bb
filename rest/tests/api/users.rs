//! Signup and reading the caller's account.

use kurso_core::auth::limits::{self, Limit};
use kurso_core::both;
use kurso_core::testing::PASSWORD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Sent as _, Server};

async fn signup(server: &Server, body: Value) -> Answer {
    server.anonymous().post_json("/users/signup", body).await
}

both! {
    async fn a_signup_creates_an_account_that_can_sign_in(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let answer = signup(&server, json!({
            "email": " Ann.Lee@Example.COM ", "password": PASSWORD, "full_name": "Ли Анна",
            "is_superuser": true, "is_active": false, "id": "x", "unknown": [1],
        })).await.ok();
        let id = answer["id"].as_str().unwrap();
        assert_eq!(uuid::Uuid::parse_str(id).unwrap().get_version_num(), 7);
        assert_eq!(answer, json!({
            "email": "Ann.Lee@example.com", "is_active": true, "is_superuser": false, "full_name": "Ли Анна",
            "id": id, "created_at": "2026-11-21T09:00:00Z",
        }));
        let ann = server.with_token(&server.kurso.token("ann.lee@example.com").await);
        assert_eq!(ann.get("/users/me").await.ok(), answer);
        let nameless = signup(&server, json!({"email": "bob@example.com", "password": PASSWORD})).await.ok();
        assert_eq!(nameless["full_name"], Value::Null);
    }

    async fn an_email_is_unique(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let body = json!({"email": "ann@example.com", "password": PASSWORD});
        let (a, b) = tokio::join!(signup(&server, body.clone()), signup(&server, body));
        let mut statuses = [a.status, b.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 400]);
        let again = signup(&server, json!({"email": "ANN@EXAMPLE.COM", "password": PASSWORD})).await;
        again.refused(400, "The user with this email already exists in the system");
        let unicode = signup(&server, json!({"email": "иван@почта.рф", "password": PASSWORD})).await.ok();
        assert_eq!(unicode["email"], "иван@почта.рф");
        let ascii = signup(&server, json!({"email": "иван@xn--80a1acny.xn--p1ai", "password": PASSWORD})).await;
        ascii.refused(400, "The user with this email already exists in the system");
    }

    async fn all_errors_of_a_body_are_reported_at_once(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let answer = signup(&server, json!({"email": "ann", "password": "short", "full_name": 7})).await;
        assert_eq!(answer.status, 422);
        assert_eq!(answer.json(), json!({"detail": [
            {
                "type": "value_error", "loc": ["body", "email"], "input": "ann",
                "msg": "value is not a valid email address: An email address must have an @-sign.",
                "ctx": {"reason": "An email address must have an @-sign."},
            },
            {"type": "string_type", "loc": ["body", "full_name"], "input": 7, "msg": "Input should be a valid string"},
            {
                "type": "string_too_short", "loc": ["body", "password"], "input": null,
                "msg": "String should have at least 8 characters", "ctx": {"min_length": 8},
            },
        ]}));
        let missing = signup(&server, json!({"password": PASSWORD})).await;
        assert_eq!(missing.json(), json!({"detail": [
            {"type": "missing", "loc": ["body", "email"], "msg": "Field required", "input": {"password": null}},
        ]}));
        for (body, fields) in [
            (json!({}), vec!["missing at body.email", "missing at body.password"]),
            (json!({"email": null, "password": null}),
            vec!["string_type at body.email", "string_type at body.password"]),
            (json!({"email": ["a@b.co"], "password": 12345678}),
            vec!["string_type at body.email", "string_type at body.password"]),
            (json!({"email": "a@b.co", "password": "x".repeat(129)}), vec!["string_too_long at body.password"]),
            (json!({"email": "a@b.co", "password": PASSWORD, "full_name": "x".repeat(256)}),
            vec!["string_too_long at body.full_name"]),
            (json!({"email": "a@b.co", "password": PASSWORD, "full_name": "a\0b"}),
            vec!["value_error at body.full_name"]),
            (json!({"email": "a\0@b.co", "password": PASSWORD}), vec!["value_error at body.email"]),
            (json!([]), vec!["model_attributes_type at body"]),
            (json!("text"), vec!["model_attributes_type at body"]),
            (json!(7), vec!["model_attributes_type at body"]),
            (json!(null), vec!["missing at body"]),
        ] {
            assert_eq!(signup(&server, body.clone()).await.fields(), fields, "{body}");
        }
        signup(&server, json!({"email": "a@b.co", "password": "ü".repeat(128)})).await.ok();
        signup(&server, json!({"email": "b@b.co", "password": "zero\0byte", "full_name": null})).await.ok();
    }

    async fn refusals_are_in_the_readers_language(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let request = |language: &str| {
            let request = server.anonymous().request(Method::POST, "/users/signup").header("accept-language", language);
            request.json(&json!({"email": "ann@localhost", "password": "short"}))
        };
        let russian = request("ru-RU,ru;q=0.9,en;q=0.8").answer().await.json();
        assert_eq!(russian["detail"][0]["msg"], "Неверный email. Часть после @ неверна: в ней должна быть точка.");
        assert_eq!(russian["detail"][1]["msg"], "Не короче 8 символов");
        for other in ["en", "de", "", "ru;q=0", "\u{a0}"] {
            let english = request(other).answer().await.json();
            assert_eq!(english["detail"][1]["msg"], "String should have at least 8 characters", "{other}");
        }
        let nobody = server.anonymous().request(Method::GET, "/users/me").header("accept-language", "ru");
        nobody.answer().await.refused(401, "Вы не вошли в систему");
    }

    async fn errors_never_show_secrets(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let secret = "s3cr3t-p4ss";
        let request = || server.anonymous().request(Method::POST, "/users/signup");
        let bodies = [
            request().json(&json!({"email": 1, "password": secret})),
            request().json(&json!([{"password": secret}])),
            request().json(&json!({"password": [secret]})),
            request().header("content-type", "text/plain").body(json!({"password": secret}).to_string()),
            request().form(&[("password", secret)]),
        ];
        for body in bodies {
            let answer = body.answer().await;
            assert_eq!(answer.status, 422);
            assert!(!String::from_utf8(answer.bytes).unwrap().contains(secret));
        }
    }

    async fn signups_are_rate_limited(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let counters = limits::of_address(Limit::Signups, Some("127.0.0.1".parse().unwrap()));
        for _ in 0..300 {
            server.kurso.limits.acquire(&counters, server.kurso.clock.now()).unwrap();
        }
        let refused = signup(&server, json!({"email": "ann@example.com", "password": PASSWORD})).await;
        refused.refused(429, "Too many attempts, please try again later");
        assert_eq!(refused.header("retry-after"), "3600");
    }
}
