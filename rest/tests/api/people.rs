//! Account management by superusers, and its refusal for others.

use chrono::Duration;
use kurso_core::both;
use kurso_core::testing::PASSWORD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Persona, Sent as _, Server};

const NOBODY: &str = "/users/01890a5d-ac96-774b-bcce-b302099a8057";

async fn path_of(persona: &Persona<'_>) -> String {
    let me = persona.get("/users/me").await.ok();
    format!("/users/{}", me["id"].as_str().unwrap())
}

fn emails(listed: &Value) -> Vec<&str> {
    let data = listed["data"].as_array().unwrap().iter();
    data.map(|user| user["email"].as_str().unwrap().split('@').next().unwrap())
        .collect()
}

both! {
    async fn a_superuser_lists_all_users_newest_first(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let admin = server.superuser("admin").await;
        server.kurso.clock.advance(Duration::seconds(1));
        let ann = server.person("ann").await;
        server.person("bob").await;
        admin.patch_json(&path_of(&ann).await, json!({"full_name": "Anna"})).await.ok();
        let listed = admin.get("/users/?skip=0&limit=100").await.ok();
        assert_eq!((emails(&listed), &listed["count"]), (vec!["bob", "ann", "admin"], &json!(3)));
        assert_eq!(listed["data"][1], ann.get("/users/me").await.ok());
        for (query, page) in [
            ("skip=1&limit=1", vec!["ann"]), ("limit=0", vec![]), ("skip=3", vec![]), ("limit=99999999999999999999", vec!["bob", "ann", "admin"]),
        ] {
            let listed = admin.get(&format!("/users/?{query}")).await.ok();
            assert_eq!((emails(&listed), &listed["count"]), (page, &json!(3)), "{query}");
        }
        for (query, found) in [("search=anna", vec!["ann"]), ("search=EXAMPLE&skip=1&limit=1", vec!["ann"]), ("search=x%25", vec![])] {
            assert_eq!(emails(&admin.get(&format!("/users/?{query}")).await.ok()), found, "{query}");
        }
        assert_eq!(admin.get("/users/?search=EXAMPLE&limit=1").await.ok()["count"], 3);
        assert_eq!(admin.get("/users/?limit=-1").await.fields(), ["greater_than_equal at query.limit"]);
        assert_eq!(admin.get("/users/?limit=1.5&skip=").await.fields(), ["int_parsing at query.skip", "int_parsing at query.limit"]);
    }

    async fn a_superuser_creates_accounts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let admin = server.superuser("admin").await;
        let plain = admin.post_json("/users/", json!({"email": " Ann@Example.COM", "password": PASSWORD})).await.ok();
        assert_eq!(plain, json!({
            "email": "Ann@example.com", "is_active": true, "is_superuser": false, "full_name": null,
            "id": plain["id"], "created_at": "2026-11-21T09:00:00Z",
        }));
        let odd = json!({
            "email": "bob@example.com", "password": PASSWORD, "full_name": "Bob", "is_active": "off", "is_superuser": 1,
            "id": "x", "created_at": "x", "hashed_password": "x",
        });
        let bob = admin.post_json("/users/", odd).await.ok();
        assert_eq!((&bob["is_active"], &bob["is_superuser"], &bob["full_name"]), (&json!(false), &json!(true), &json!("Bob")));
        server.login("ann@example.com", PASSWORD).await.ok();
        server.login("bob@example.com", PASSWORD).await.refused(400, "Inactive user");
        let again = admin.post_json("/users/", json!({"email": "ANN@example.com", "password": PASSWORD})).await;
        again.refused(400, "The user with this email already exists in the system.");
        let body = json!({"email": "ann@example.com", "password": PASSWORD});
        let russian = admin.in_russian(Method::POST, "/users/", body).await;
        russian.refused(400, "Пользователь с таким email уже есть.");
        admin.post_json("/users/", json!({"email": "жук@example.com", "password": PASSWORD})).await.ok();
        assert_eq!(admin.get("/users/").await.ok()["count"], 4);
    }

    async fn the_new_account_mail_has_a_link_and_no_password(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let admin = server.superuser("admin").await;
        let request = admin.request(Method::POST, "/users/").header("accept-language", "en");
        request.json(&json!({"email": "ann@example.com", "password": PASSWORD})).answer().await.ok();
        let mails = server.kurso.mails().await;
        assert_eq!(mails.len(), 1);
        assert_eq!((mails[0].to.as_str(), mails[0].subject.as_str()), ("ann@example.com", "Kurso - New account for user ann@example.com"));
        assert_eq!(mails[0].from, "Kurso <school@example.com>");
        assert!(!mails[0].text.contains(PASSWORD) && !mails[0].html.contains(PASSWORD));
        server.kurso.clock.advance(Duration::hours(71));
        let body = json!({"token": mails[0].token(), "new_password": "chosen by Ann"});
        server.anonymous().post_json("/reset-password/", body).await.ok();
        server.login("ann@example.com", "chosen by Ann").await.ok();
    }

    async fn errors_come_in_the_order_of_the_fields(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let admin = server.superuser("admin").await;
        let me = path_of(&admin).await;
        let wrong = json!({"password": "short", "full_name": 7, "is_superuser": "maybe", "is_active": null, "email": "ann"});
        let all = [
            "value_error at body.email", "bool_type at body.is_active", "bool_parsing at body.is_superuser",
            "string_type at body.full_name", "string_too_short at body.password",
        ];
        let answer = admin.post_json("/users/", wrong.clone()).await;
        assert_eq!(answer.fields(), all);
        assert_eq!(answer.json()["detail"][1], json!({
            "type": "bool_type", "loc": ["body", "is_active"], "msg": "Input should be a valid boolean", "input": null,
        }));
        assert_eq!(answer.json()["detail"][2], json!({
            "type": "bool_parsing", "loc": ["body", "is_superuser"], "input": "maybe",
            "msg": "Input should be a valid boolean, unable to interpret input",
        }));
        assert_eq!(answer.json()["detail"][4]["input"], Value::Null);
        assert_eq!(admin.patch_json(&me, wrong.clone()).await.fields(), all);
        let with_path = [&["uuid_parsing at path.user_id"], &all[..]].concat();
        assert_eq!(admin.patch_json("/users/nonsense", wrong).await.fields(), with_path);
        let missing = admin.post_json("/users/", json!({"password": "short"})).await;
        assert_eq!(missing.fields(), ["missing at body.email", "string_too_short at body.password"]);
        assert_eq!(missing.json()["detail"][0]["input"], json!({"password": null}));
        for (body, fields) in [
            (json!({"email": null}), vec!["string_type at body.email"]),
            (json!({"password": null}), vec!["string_type at body.password"]),
            (json!({"is_active": null, "is_superuser": null}), vec!["bool_type at body.is_active", "bool_type at body.is_superuser"]),
            (json!({"is_active": 2, "is_superuser": 0.5}), vec!["bool_parsing at body.is_active", "bool_type at body.is_superuser"]),
            (json!({"full_name": "a\0b"}), vec!["value_error at body.full_name"]),
            (json!({"password": "x".repeat(129)}), vec!["string_too_long at body.password"]),
            (json!([]), vec!["model_attributes_type at body"]),
            (json!(null), vec!["missing at body"]),
        ] {
            assert_eq!(admin.patch_json(&me, body.clone()).await.fields(), fields, "{body}");
        }
        let russian = admin.in_russian(Method::PATCH, &me, json!({"is_active": "maybe"})).await;
        assert_eq!(russian.json()["detail"][0]["msg"], "Значение должно быть «да» или «нет»: true или false");
    }

    async fn users_read_themselves_and_superusers_read_all(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob, admin) = (server.person("ann").await, server.person("bob").await, server.superuser("admin").await);
        let (of_ann, of_bob) = (path_of(&ann).await, path_of(&bob).await);
        assert_eq!(ann.get(&of_ann).await.ok(), ann.get("/users/me").await.ok());
        assert_eq!(admin.get(&of_ann).await.ok(), ann.get("/users/me").await.ok());
        for path in [of_bob.as_str(), NOBODY] {
            ann.get(path).await.refused(403, "The user doesn't have enough privileges");
        }
        admin.get(NOBODY).await.refused(404, "User not found");
        admin.in_russian(Method::GET, NOBODY, json!({})).await.refused(404, "Пользователь не найден");
        for persona in [&ann, &admin] {
            assert_eq!(persona.get("/users/nonsense").await.fields(), ["uuid_parsing at path.user_id"]);
        }
    }

    async fn other_methods_read_the_signup_path_as_an_id(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        server.anonymous().get("/users/signup").await.refused(401, "Not authenticated");
        let answer = ann.get("/users/signup").await;
        assert_eq!(answer.json()["detail"][0], json!({
            "type": "uuid_parsing", "loc": ["path", "user_id"], "input": "signup",
            "msg": "Input should be a valid UUID, invalid character: found `s` at 1",
            "ctx": {"error": "invalid character: found `s` at 1"},
        }));
        ann.patch_json("/users/signup", json!({})).await.refused(403, "The user doesn't have enough privileges");
        assert_eq!(admin.patch_json("/users/signup", json!({})).await.fields(), ["uuid_parsing at path.user_id"]);
        assert_eq!(admin.delete("/users/signup").await.fields(), ["uuid_parsing at path.user_id"]);
    }

    async fn a_superuser_updates_accounts(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        server.person("bob").await;
        let path = path_of(&ann).await;
        let before = ann.get("/users/me").await.ok();
        assert_eq!(admin.patch_json(&path, json!({})).await.ok(), before);
        let body = json!({"email": "Anna@Example.com", "full_name": null, "is_superuser": "yes", "id": "x"});
        let changed = admin.patch_json(&path, body).await.ok();
        assert_eq!(changed, json!({
            "email": "Anna@example.com", "is_active": true, "is_superuser": true, "full_name": null,
            "id": before["id"], "created_at": before["created_at"],
        }));
        ann.get("/users/").await.ok();
        admin.patch_json(&path, json!({"is_superuser": false})).await.ok();
        ann.get("/users/").await.refused(403, "The user doesn't have enough privileges");
        admin.patch_json(&path, json!({"email": "ANNA@example.com"})).await.ok();
        admin.patch_json(&path, json!({"email": "bob@example.com"})).await.refused(409, "User with this email already exists");
        admin.patch_json(NOBODY, json!({"full_name": "x"})).await.refused(404, "The user with this id does not exist in the system");
        let russian = admin.in_russian(Method::PATCH, NOBODY, json!({})).await;
        russian.refused(404, "Пользователя с таким идентификатором нет");
        assert!(server.kurso.mails().await.is_empty(), "a change by a superuser sends no mail");
    }

    async fn a_password_set_by_a_superuser_ends_every_session(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        admin.patch_json(&path_of(&ann).await, json!({"password": "set by admin"})).await.ok();
        ann.get("/users/me").await.refused(403, "Could not validate credentials");
        server.login("ann@example.com", PASSWORD).await.refused(400, "Incorrect email or password");
        server.login("ann@example.com", "set by admin").await.ok();
        // A superuser who changes the own password keeps the current session.
        let other = server.with_token(&server.kurso.token("admin@example.com").await);
        admin.patch_json(&path_of(&admin).await, json!({"password": "set by admin"})).await.ok();
        admin.get("/users/me").await.ok();
        other.get("/users/me").await.refused(403, "Could not validate credentials");
    }

    async fn a_reactivated_user_signs_in_again(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        let path = path_of(&ann).await;
        admin.patch_json(&path, json!({"is_active": false})).await.ok();
        ann.get("/users/me").await.refused(400, "Inactive user");
        server.login("ann@example.com", PASSWORD).await.refused(400, "Inactive user");
        server.login("ann@example.com", "wrong password").await.refused(400, "Incorrect email or password");
        admin.patch_json(&path, json!({"is_active": true})).await.ok();
        ann.get("/users/me").await.refused(403, "Could not validate credentials");
        server.login("ann@example.com", PASSWORD).await.ok();
    }

    async fn superusers_can_demote_themselves_and_delete_only_others(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin, second) = (server.person("ann").await, server.superuser("admin").await, server.superuser("second").await);
        let own = path_of(&admin).await;
        admin.delete(&own).await.refused(403, "Super users are not allowed to delete themselves");
        admin.delete(NOBODY).await.refused(404, "User not found");
        let deleted = admin.delete(&path_of(&ann).await).await.ok();
        assert_eq!(deleted, json!({"message": "User deleted successfully"}));
        ann.get("/users/me").await.refused(404, "User not found");
        let russian = admin.in_russian(Method::DELETE, &path_of(&second).await, json!({})).await;
        assert_eq!(russian.ok(), json!({"message": "Пользователь удалён"}));
        assert_eq!(admin.delete("/users/nonsense").await.fields(), ["uuid_parsing at path.user_id"]);
        admin.patch_json(&own, json!({"is_superuser": false})).await.ok();
        admin.get("/users/").await.refused(403, "The user doesn't have enough privileges");
        admin.delete("/users/me").await.ok();
    }

    async fn the_superuser_check_precedes_all_others(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, inactive) = (server.person("ann").await, server.inactive("carl").await);
        let path = path_of(&ann).await;
        let calls = [
            (Method::GET, "/users/?limit=x"),
            (Method::POST, "/users/"),
            (Method::PATCH, path.as_str()),
            (Method::PATCH, "/users/nonsense"),
            (Method::DELETE, path.as_str()),
            (Method::DELETE, "/users/nonsense"),
            (Method::POST, "/password-recovery-html-content/nonsense"),
            (Method::POST, "/utils/test-email/"),
        ];
        for (method, path) in calls {
            let call = async |persona: &Persona<'_>| {
                let request = persona.request(method.clone(), path);
                request.json(&json!({"email": 7})).answer().await
            };
            call(&server.anonymous()).await.refused(401, "Not authenticated");
            call(&server.with_token("x")).await.refused(403, "Could not validate credentials");
            call(&inactive).await.refused(400, "Inactive user");
            call(&ann).await.refused(403, "The user doesn't have enough privileges");
            let russian = ann.in_russian(method.clone(), path, json!({})).await;
            russian.refused(403, "Недостаточно прав");
        }
        for (method, path) in [(Method::POST, "/users/"), (Method::PATCH, "/users/me"), (Method::PATCH, NOBODY)] {
            let request = server.anonymous().request(method, path).header("content-type", "application/json");
            assert_eq!(request.body("{").answer().await.fields(), ["json_invalid at body.1"]);
        }
    }

    async fn development_creates_accounts_without_a_token(kurso: TestKurso) {
        let server = Server::start_in_development(kurso).await;
        let anonymous = server.anonymous();
        let body = json!({"email": "Ann@Example.com", "password": PASSWORD, "full_name": "Анна", "is_verified": true});
        let ann = anonymous.post_json("/private/users/", body.clone()).await.ok();
        assert_eq!((&ann["email"], &ann["full_name"], &ann["is_superuser"]), (&json!("Ann@example.com"), &json!("Анна"), &json!(false)));
        server.login("ann@example.com", PASSWORD).await.ok();
        anonymous.post_json("/private/users/", body).await.refused(400, "The user with this email already exists in the system");
        assert_eq!(
            anonymous.post_json("/private/users/", json!({})).await.fields(),
            ["missing at body.email", "missing at body.full_name", "missing at body.password"]
        );
        let fields = anonymous.post_json("/private/users/", json!({"email": "ann", "password": PASSWORD, "full_name": null})).await.fields();
        assert_eq!(fields, ["value_error at body.email", "string_type at body.full_name"]);
    }

    async fn production_does_not_create_accounts_without_a_token(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let body = json!({"email": "ann@example.com", "password": PASSWORD, "full_name": "Анна"});
        server.anonymous().post_json("/private/users/", body).await.refused(404, "Not Found");
    }
}
