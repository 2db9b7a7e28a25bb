//! Signing in and out.

use chrono::Duration;
use kurso_base::ids::{SessionId, UserId};
use kurso_core::both;
use kurso_core::testing::{PASSWORD, TestKurso};
use kurso_db::sql;
use reqwest::Method;
use serde_json::json;

use crate::support::{Answer, Persona, Sent as _, Server};

async fn login(persona: &Persona<'_>, form: &[(&str, &str)]) -> Answer {
    persona
        .request(Method::POST, "/login/access-token")
        .form(form)
        .answer()
        .await
}

both! {
    async fn a_form_signs_in_and_the_token_identifies_the_user(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let user = server.kurso.account("ann", false).await;
        let anonymous = server.anonymous();
        for email in ["ann@example.com", " ANN@Example.com "] {
            let answer = login(&anonymous, &[("username", email), ("password", PASSWORD), ("scope", "x")]).await.ok();
            assert_eq!(answer["token_type"], "bearer");
            assert_eq!(answer.as_object().unwrap().len(), 2);
            let token = answer["access_token"].as_str().unwrap();
            let me = server.with_token(token).post("/login/test-token").await;
            // Byte for byte, with the order of the fields.
            let expected = format!(
                r#"{{"email":"ann@example.com","is_active":true,"is_superuser":false,"full_name":"ann","id":"{}",{}}}"#,
                user.id, r#""created_at":"2026-11-21T09:00:00Z""#
            );
            assert_eq!(String::from_utf8(me.bytes).unwrap(), expected);
        }
        let form = reqwest::multipart::Form::new().text("username", "ann@example.com").text("password", PASSWORD);
        let multipart = anonymous.request(Method::POST, "/login/access-token").multipart(form).answer().await.ok();
        assert!(multipart["access_token"].is_string());
    }

    async fn failed_logins_are_indistinguishable(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        let anonymous = server.anonymous();
        let long = "a".repeat(100_000);
        for (username, password) in [
            ("ann@example.com", "wrong"), ("nobody@example.com", PASSWORD), ("no email", PASSWORD), ("\0", "\0"),
            ("ann@example.com", &long), (&long, PASSWORD),
        ] {
            let answer = login(&anonymous, &[("username", username), ("password", password)]).await;
            answer.refused(400, "Incorrect email or password");
        }
    }

    async fn a_form_without_its_fields_is_422(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let anonymous = server.anonymous();
        let both_missing = json!({"detail": [
            {"type": "missing", "loc": ["body", "username"], "msg": "Field required", "input": null},
            {"type": "missing", "loc": ["body", "password"], "msg": "Field required", "input": null},
        ]});
        let request = || anonymous.request(Method::POST, "/login/access-token");
        for empty in [
            request(),
            request().form(&[("username", ""), ("password", "")]),
            request().json(&json!({"username": "ann@example.com", "password": PASSWORD})),
            request().query(&[("username", "ann@example.com"), ("password", PASSWORD)]),
            request().header("content-type", "application/json").body("{broken"),
        ] {
            let answer = empty.answer().await;
            assert_eq!((answer.status, answer.json()), (422, both_missing.clone()));
        }
        let answer = login(&anonymous, &[("grant_type", "code"), ("username", "a")]).await;
        assert_eq!(answer.fields(), ["string_pattern_mismatch at body.grant_type", "missing at body.password"]);
        assert_eq!(answer.json()["detail"][0], json!({
            "type": "string_pattern_mismatch", "loc": ["body", "grant_type"], "input": "code",
            "msg": "String should match pattern '^password$'", "ctx": {"pattern": "^password$"},
        }));
        for grant in ["", "password"] {
            login(&anonymous, &[("grant_type", grant), ("username", "a"), ("password", "b")]).await
                .refused(400, "Incorrect email or password");
        }
    }

    async fn broken_forms_are_400(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let anonymous = server.anonymous();
        for (kind, body) in [
            ("application/x-www-form-urlencoded", &b"username=\xff&password=x"[..]),
            ("multipart/form-data", b"x"),
            ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
            ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n\xff\r\n--x--\r\n"),
        ] {
            let request = anonymous.request(Method::POST, "/login/access-token").header("content-type", kind);
            request.body(body.to_vec()).answer().await.refused(400, "There was an error parsing the body");
        }
    }

    async fn the_last_field_of_a_name_counts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        let form = [("username", "x"), ("password", "y"), ("username", "ann@example.com"), ("password", PASSWORD)];
        login(&server.anonymous(), &form).await.ok();
    }

    async fn token_problems_are_reported_in_the_specified_order(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let kurso = &server.kurso;
        let ann = kurso.person("ann").await;
        let now = kurso.clock.now();
        let good = kurso.tokens.issue(ann.id(), ann.session, now).unwrap();
        let test = async |authorization: &str| {
            let request = server.anonymous().request(Method::POST, "/login/test-token");
            request.header("authorization", authorization).answer().await
        };
        for taken in [format!("Bearer {good}"), format!("bearer {good}"), format!("BEARER  {good}")] {
            assert_eq!(test(&taken).await.status, 200, "{taken}");
        }
        for none in ["", " ", "Basic YTpi", &good, &format!("Token {good}")] {
            let answer = test(none).await;
            answer.refused(401, "Not authenticated");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
        }
        let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.e30.";
        let sessionless = kurso.tokens.issue(ann.id(), SessionId::new(), now).unwrap();
        let early = kurso.tokens.issue(ann.id(), ann.session, now + Duration::seconds(65)).unwrap();
        let expired = kurso.tokens.issue(ann.id(), ann.session, now - Duration::days(8)).unwrap();
        let forged = format!("{}x", &good[..good.len() - 1]);
        for bad in ["Bearer", "Bearer x", "Bearer a.b.c", &format!("Bearer {}", "a".repeat(5000))] {
            test(bad).await.refused(403, "Could not validate credentials");
        }
        for bad in [unsigned, &sessionless, &early, &expired, &forged] {
            test(&format!("Bearer {bad}")).await.refused(403, "Could not validate credentials");
        }
        let gone = kurso.tokens.issue(UserId::new(), ann.session, now).unwrap();
        test(&format!("Bearer {gone}")).await.refused(404, "User not found");
        sql!("UPDATE users SET is_active = FALSE").execute(&kurso.db).await.unwrap();
        test(&format!("Bearer {good}")).await.refused(400, "Inactive user");
        test(&format!("Bearer {sessionless}")).await.refused(400, "Inactive user");
        let form = [("username", "ann@example.com"), ("password", PASSWORD)];
        login(&server.anonymous(), &form).await.refused(400, "Inactive user");
    }

    async fn signing_out_ends_only_the_current_session(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let other = server.with_token(&server.kurso.token("ann@example.com").await);
        assert_eq!(ann.post("/login/logout").await.ok(), json!({"message": "Signed out"}));
        ann.get("/users/me").await.refused(403, "Could not validate credentials");
        ann.post("/login/logout").await.refused(403, "Could not validate credentials");
        other.get("/users/me").await.ok();
        let russian = other.request(Method::POST, "/login/logout").header("accept-language", "ru-RU,en;q=0.5");
        assert_eq!(russian.answer().await.ok(), json!({"message": "Вы вышли из системы"}));
    }

    async fn a_bad_token_is_ignored_where_none_is_needed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        let forged = server.with_token("forged");
        login(&forged, &[("username", "ann@example.com"), ("password", PASSWORD)]).await.ok();
        forged.get("/utils/health-check/").await.ok();
    }

    async fn failed_logins_are_limited_per_address(kurso: TestKurso) {
        let proxy = "127.0.0.1".parse().unwrap();
        let server = Server::start_with(kurso, vec![proxy]).await;
        server.kurso.account("ann", false).await;
        let attempt = async |from: &str, password: &str| {
            let request = server.anonymous().request(Method::POST, "/login/access-token");
            let request = request.header("x-forwarded-for", from);
            request.form(&[("username", "ann@example.com"), ("password", password)]).answer().await
        };
        // Uses the limiter directly: over HTTP, the failures would cost 20 password hashes.
        let address = Some("192.0.2.1".parse().unwrap());
        let counters = kurso_core::auth::limits::failures("ann@example.com", address);
        for _ in 0..19 {
            server.kurso.limits.acquire(&counters, server.kurso.clock.now()).unwrap();
        }
        attempt("192.0.2.1", "wrong").await.refused(400, "Incorrect email or password");
        let refused = attempt("6.6.6.6, 192.0.2.1", PASSWORD).await;
        refused.refused(429, "Too many attempts, please try again later");
        assert_eq!(refused.header("retry-after"), "600");
        attempt("192.0.2.2", PASSWORD).await.ok();
        server.kurso.clock.advance(Duration::minutes(10));
        attempt("192.0.2.1", PASSWORD).await.ok();
    }

    async fn parallel_guesses_do_not_exceed_the_limit(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        let guess = async || {
            let request = server.anonymous().request(Method::POST, "/login/access-token");
            request.form(&[("username", "ann@example.com"), ("password", "wrong")]).answer().await.status
        };
        let answers = futures_util::future::join_all((0..30).map(|_| guess())).await;
        let checked = answers.iter().filter(|status| **status == 400).count();
        let refused = answers.iter().filter(|status| **status == 429).count();
        assert_eq!((checked, refused), (20, 10));
    }

    async fn only_trusted_proxies_set_the_client_address(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        server.kurso.account("ann", false).await;
        let counters = kurso_core::auth::limits::failures("ann@example.com", Some("127.0.0.1".parse().unwrap()));
        for _ in 0..20 {
            server.kurso.limits.acquire(&counters, server.kurso.clock.now()).unwrap();
        }
        let request = server.anonymous().request(Method::POST, "/login/access-token");
        let request = request.header("x-forwarded-for", "192.0.2.7");
        let answer = request.form(&[("username", "ann@example.com"), ("password", PASSWORD)]).answer().await;
        assert_eq!(answer.status, 429);
    }

    async fn a_session_stores_the_user_agent(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let user = server.kurso.account("ann", false).await;
        let request = server.anonymous().request(Method::POST, "/login/access-token");
        let request = request.header("user-agent", "Ann's phone");
        let request = request.form(&[("username", "ann@example.com"), ("password", PASSWORD)]);
        request.answer().await.ok();
        let device = device(&server.kurso, user.id).await;
        assert_eq!(device, "Ann's phone");
    }
}

async fn device(kurso: &TestKurso, user: UserId) -> String {
    let row = sql!("SELECT device FROM sessions WHERE user_id = $1", user);
    row.fetch_one::<(String,)>(&kurso.db).await.unwrap().0
}
