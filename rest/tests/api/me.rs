//! The caller's own account.

use chrono::Duration;
use kurso_core::both;
use kurso_core::testing::PASSWORD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Persona, School, Server};

const NEW_PASSWORD: &str = "a new password";

async fn change_password(persona: &Persona<'_>, current: &str, new: &str) -> Answer {
    let body = json!({"current_password": current, "new_password": new});
    persona.patch_json("/users/me/password", body).await
}

both! {
    async fn users_change_their_name_and_address(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let before = ann.get("/users/me").await.ok();
        let same = ann.patch_json("/users/me", json!({})).await.ok();
        assert_eq!(same, before);
        let body = json!({
            "full_name": "Ли Анна", "email": " Ann <Ann.Lee@EXAMPLE.com> ", "is_superuser": true, "is_active": false,
            "password": "another one", "id": 7,
        });
        let changed = ann.patch_json("/users/me", body).await.ok();
        assert_eq!(changed, json!({
            "email": "Ann.Lee@example.com", "is_active": true, "is_superuser": false, "full_name": "Ли Анна",
            "id": before["id"], "created_at": before["created_at"],
        }));
        assert_eq!(ann.get("/users/me").await.ok(), changed);
        server.login("ann.lee@example.com", PASSWORD).await.ok();
        server.login("ann@example.com", PASSWORD).await.refused(400, "Incorrect email or password");
        let cleared = ann.patch_json("/users/me", json!({"full_name": null})).await.ok();
        assert_eq!(cleared["full_name"], Value::Null);
        let emptied = ann.patch_json("/users/me", json!({"full_name": ""})).await.ok();
        assert_eq!(emptied["full_name"], "");
    }

    async fn the_address_of_another_user_is_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        server.person("bob").await;
        ann.patch_json("/users/me", json!({"email": "ann@example.com"})).await.ok();
        let cased = ann.patch_json("/users/me", json!({"email": "ANN@example.com"})).await.ok();
        assert_eq!(cased["email"], "ANN@example.com");
        assert!(server.kurso.mails().await.is_empty(), "the address is the same");
        for taken in ["bob@example.com", "BOB@Example.COM"] {
            let answer = ann.patch_json("/users/me", json!({"email": taken, "full_name": "x"})).await;
            answer.refused(409, "User with this email already exists");
        }
        assert_eq!(ann.get("/users/me").await.ok()["full_name"], "ann", "a refused change has no effect");
        let russian = ann.in_russian(Method::PATCH, "/users/me", json!({"email": "bob@example.com"})).await;
        russian.refused(409, "Этот email занят другим пользователем");
    }

    async fn invalid_fields_are_reported(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        for (body, fields) in [
            (json!({"email": null}), vec!["string_type at body.email"]),
            (json!({"email": "ann", "full_name": 7}), vec!["string_type at body.full_name", "value_error at body.email"]),
            (json!({"full_name": "x".repeat(256)}), vec!["string_too_long at body.full_name"]),
            (json!({"full_name": "a\0b"}), vec!["value_error at body.full_name"]),
            (json!([]), vec!["model_attributes_type at body"]),
            (json!(null), vec!["missing at body"]),
        ] {
            assert_eq!(ann.patch_json("/users/me", body.clone()).await.fields(), fields, "{body}");
            server.anonymous().patch_json("/users/me", body).await.refused(401, "Not authenticated");
        }
        let short = json!({"current_password": "short", "new_password": 12345678});
        let answer = ann.patch_json("/users/me/password", short.clone()).await;
        assert_eq!(answer.json(), json!({"detail": [
            {
                "type": "string_too_short", "loc": ["body", "current_password"], "input": null,
                "msg": "String should have at least 8 characters", "ctx": {"min_length": 8},
            },
            {"type": "string_type", "loc": ["body", "new_password"], "input": null, "msg": "Input should be a valid string"},
        ]}));
        for (body, fields) in [
            (json!({}), vec!["missing at body.current_password", "missing at body.new_password"]),
            (json!({"current_password": PASSWORD, "new_password": "x".repeat(129)}), vec!["string_too_long at body.new_password"]),
            (json!({"current_password": null, "new_password": PASSWORD}), vec!["string_type at body.current_password"]),
            (json!("x"), vec!["model_attributes_type at body"]),
        ] {
            assert_eq!(ann.patch_json("/users/me/password", body.clone()).await.fields(), fields, "{body}");
        }
        server.anonymous().patch_json("/users/me/password", short).await.refused(401, "Not authenticated");
        let inactive = server.inactive("carl").await;
        inactive.patch_json("/users/me", json!({"email": 7})).await.refused(400, "Inactive user");
        inactive.patch_json("/users/me/password", json!({})).await.refused(400, "Inactive user");
        inactive.delete("/users/me").await.refused(400, "Inactive user");
    }

    async fn a_new_password_ends_the_other_sessions(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let other = server.with_token(&server.kurso.token("ann@example.com").await);
        change_password(&ann, "wrong password", NEW_PASSWORD).await.refused(400, "Incorrect password");
        change_password(&ann, "wrong password", "wrong password").await.refused(400, "Incorrect password");
        change_password(&ann, PASSWORD, PASSWORD).await
            .refused(400, "New password cannot be the same as the current one");
        other.get("/users/me").await.ok();
        let changed = change_password(&ann, PASSWORD, NEW_PASSWORD).await.ok();
        assert_eq!(changed, json!({"message": "Password updated successfully"}));
        ann.get("/users/me").await.ok();
        other.get("/users/me").await.refused(403, "Could not validate credentials");
        server.login("ann@example.com", PASSWORD).await.refused(400, "Incorrect email or password");
        server.login("ann@example.com", NEW_PASSWORD).await.ok();
        let body = json!({"current_password": PASSWORD, "new_password": NEW_PASSWORD});
        let russian = ann.in_russian(Method::PATCH, "/users/me/password", body).await;
        russian.refused(400, "Неверный пароль");
    }

    async fn guessing_the_current_password_is_rate_limited(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let viewer = server.kurso.person("ann").await;
        let ann = server.viewer(&viewer);
        let counters = kurso_core::auth::limits::password_changes(viewer.id());
        for _ in 0..19 {
            server.kurso.limits.acquire(&counters, server.kurso.clock.now()).unwrap();
        }
        change_password(&ann, "wrong password", NEW_PASSWORD).await.refused(400, "Incorrect password");
        let refused = change_password(&ann, PASSWORD, NEW_PASSWORD).await;
        refused.refused(429, "Too many attempts, please try again later");
        assert_eq!(refused.header("retry-after"), "600");
        server.kurso.clock.advance(Duration::minutes(10));
        change_password(&ann, PASSWORD, NEW_PASSWORD).await.ok();
    }

    async fn users_delete_themselves_but_superusers_cannot(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, admin) = (server.person("ann").await, server.superuser("admin").await);
        let item = ann.post_json("/items/", json!({"title": "x"})).await.ok();
        admin.delete("/users/me").await.refused(403, "Super users are not allowed to delete themselves");
        let russian = admin.in_russian(Method::DELETE, "/users/me", json!({})).await;
        russian.refused(403, "Администратор не может удалить сам себя");
        server.anonymous().delete("/users/me").await.refused(401, "Not authenticated");
        assert_eq!(ann.delete("/users/me").await.ok(), json!({"message": "User deleted successfully"}));
        ann.get("/users/me").await.refused(404, "User not found");
        ann.delete("/users/me").await.refused(404, "User not found");
        let path = format!("/items/{}", item["id"].as_str().unwrap());
        admin.get(&path).await.refused(404, "Item not found");
        server.login("ann@example.com", PASSWORD).await.refused(400, "Incorrect email or password");
    }

    async fn courses_with_students_outlive_their_owner(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let course = format!("/courses/get_course/{}", school.course);
        let unlearnt = server.kurso.course(&school.owner_viewer, &[]).await;
        school.owner.delete("/users/me").await.ok();
        let passed_on = school.editor.get(&course).await.ok();
        assert_eq!((&passed_on["my_role"], &passed_on["owner"]["email"]), (&json!("owner"), &json!("editor@example.com")));
        school.learner.get(&format!("/courses/enrolled_page/{}", school.pages[0])).await.ok();
        school.admin.get(&format!("/courses/get_course/{unlearnt}")).await.refused(404, "Course not found");
        // Without an editor the superuser becomes the owner.
        school.editor.delete("/users/me").await.ok();
        assert_eq!(school.admin.get(&course).await.ok()["my_role"], "owner");
        // A course without learners is deleted with its owner.
        school.learner.delete("/users/me").await.ok();
        let second = server.superuser("second").await;
        let admin = school.admin.get("/users/me").await.ok();
        second.delete(&format!("/users/{}", admin["id"].as_str().unwrap())).await.ok();
        second.get(&course).await.refused(404, "Course not found");
    }
}
