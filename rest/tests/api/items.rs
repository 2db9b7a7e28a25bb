//! The items resource.

use chrono::Duration;
use kurso_core::both;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Persona, Server};

const NOBODYS: &str = "/items/01890a5d-ac96-774b-bcce-b302099a8057";

async fn create(persona: &Persona<'_>, title: &str) -> (String, Value) {
    let item = persona.post_json("/items/", json!({"title": title})).await.ok();
    (format!("/items/{}", item["id"].as_str().unwrap()), item)
}

fn titles(listed: &Value) -> Vec<&str> {
    let data = listed["data"].as_array().unwrap().iter();
    data.map(|item| item["title"].as_str().unwrap()).collect()
}

both! {
    async fn an_item_is_created_read_updated_and_deleted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let me = ann.get("/users/me").await.ok();
        let body = json!({"title": " ", "description": "Ж", "owner_id": "01890a5d-ac96-774b-bcce-b302099a8057", "id": 7});
        let answer = ann.post_json("/items/", body).await;
        let item = answer.ok();
        let id = item["id"].as_str().unwrap().to_owned();
        assert_eq!(uuid::Uuid::parse_str(&id).unwrap().get_version_num(), 7);
        assert_eq!(
            String::from_utf8(answer.bytes).unwrap(),
            format!(
                r#"{{"title":" ","description":"Ж","id":"{id}","owner_id":{},"created_at":"2026-11-21T09:00:00Z"}}"#,
                me["id"]
            )
        );
        let path = format!("/items/{id}");
        assert_eq!(ann.get(&path).await.ok(), item);
        assert_eq!(ann.put_json(&path, json!({})).await.ok(), item);
        let renamed = ann.put_json(&path, json!({"title": "Новое", "owner_id": null})).await.ok();
        assert_eq!((&renamed["title"], &renamed["description"]), (&json!("Новое"), &json!("Ж")));
        let cleared = ann.put_json(&path, json!({"description": null})).await.ok();
        assert_eq!((&cleared["title"], &cleared["description"]), (&json!("Новое"), &json!(null)));
        let emptied = ann.put_json(&path, json!({"description": ""})).await.ok();
        assert_eq!(emptied["description"], "");
        assert_eq!(ann.delete(&path).await.ok(), json!({"message": "Item deleted successfully"}));
        ann.get(&path).await.refused(404, "Item not found");
        ann.delete(&path).await.refused(404, "Item not found");
    }

    async fn items_are_listed_newest_first_and_superusers_see_all(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob) = (server.person("ann").await, server.person("bob").await);
        let admin = server.superuser("admin").await;
        let (first, _) = create(&ann, "1").await;
        create(&bob, "2").await;
        server.kurso.clock.advance(Duration::seconds(1));
        create(&ann, "3").await;
        create(&ann, "4").await;
        ann.put_json(&first, json!({"title": "1 again"})).await.ok();
        let listed = ann.get("/items/?skip=0&limit=100").await.ok();
        assert_eq!((titles(&listed), &listed["count"]), (vec!["4", "3", "1 again"], &json!(3)));
        let listed = bob.get("/items/").await.ok();
        assert_eq!((titles(&listed), &listed["count"]), (vec!["2"], &json!(1)));
        let listed = admin.get("/items/").await.ok();
        assert_eq!((titles(&listed), &listed["count"]), (vec!["4", "3", "2", "1 again"], &json!(4)));
        for (query, page) in [
            ("skip=1&limit=1", vec!["3"]), ("skip=1", vec!["3", "1 again"]), ("limit=0", vec![]), ("skip=9", vec![]),
            ("limit=100000", vec!["4", "3", "1 again"]),
        ] {
            let listed = ann.get(&format!("/items/?{query}")).await.ok();
            assert_eq!((titles(&listed), &listed["count"]), (page, &json!(3)), "{query}");
        }
        let fields = ann.get("/items/?skip=-1&limit=abc").await.fields();
        assert_eq!(fields, ["greater_than_equal at query.skip", "int_parsing at query.limit"]);
    }

    async fn only_the_owner_and_superusers_access_an_item(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob) = (server.person("ann").await, server.person("bob").await);
        let admin = server.superuser("admin").await;
        let (path, item) = create(&ann, "Ann's").await;
        bob.get(&path).await.refused(403, "Not enough permissions");
        bob.put_json(&path, json!({"title": "Bob's"})).await.refused(403, "Not enough permissions");
        bob.delete(&path).await.refused(403, "Not enough permissions");
        for persona in [&bob, &admin] {
            persona.get(NOBODYS).await.refused(404, "Item not found");
            persona.put_json(NOBODYS, json!({})).await.refused(404, "Item not found");
            persona.delete(NOBODYS).await.refused(404, "Item not found");
        }
        assert_eq!(admin.get(&path).await.ok(), item);
        let changed = admin.put_json(&path, json!({"title": "x"})).await.ok();
        assert_eq!(changed["owner_id"], item["owner_id"]);
        admin.delete(&path).await.ok();
    }

    async fn syntax_token_fields_and_rights_are_checked_in_this_order(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob) = (server.person("ann").await, server.person("bob").await);
        let (path, _) = create(&ann, "Ann's").await;
        let inactive = server.inactive("carl").await;
        let broken = async |persona: &Persona<'_>, method: Method, path: &str| {
            use crate::support::Sent as _;
            let request = persona.request(method, path).header("content-type", "application/json");
            request.body("{").answer().await
        };
        for (method, path) in [(Method::POST, "/items/"), (Method::PUT, path.as_str())] {
            assert_eq!(broken(&server.anonymous(), method, path).await.fields(), ["json_invalid at body.1"]);
        }
        let nobody = server.anonymous();
        nobody.get("/items/?limit=x").await.refused(401, "Not authenticated");
        nobody.post_json("/items/", json!({})).await.refused(401, "Not authenticated");
        nobody.get("/items/x").await.refused(401, "Not authenticated");
        nobody.put_json("/items/x", json!({"title": ""})).await.refused(401, "Not authenticated");
        nobody.delete("/items/x").await.refused(401, "Not authenticated");
        server.with_token("x").post_json("/items/", json!({})).await.refused(403, "Could not validate credentials");
        inactive.post_json("/items/", json!({})).await.refused(400, "Inactive user");
        inactive.get("/items/?limit=x").await.refused(400, "Inactive user");
        // An invalid body is 422 before the rights to the item are checked.
        assert_eq!(bob.put_json(&path, json!({"title": ""})).await.fields(), ["string_too_short at body.title"]);
        assert_eq!(
            bob.put_json("/items/x", json!({"title": "", "description": 7})).await.fields(),
            ["uuid_parsing at path.id", "string_too_short at body.title", "string_type at body.description"]
        );
        for answer in [ann.get("/items/x").await, ann.delete("/items/x").await] {
            assert_eq!(answer.fields(), ["uuid_parsing at path.id"]);
        }
    }

    async fn fields_are_checked(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let (path, _) = create(&ann, &"ё".repeat(255)).await;
        let answer = ann.post_json("/items/", json!({"title": "", "description": "x".repeat(256)})).await;
        assert_eq!((answer.status, &answer.json()["detail"][0]), (422, &json!({
            "type": "string_too_short", "loc": ["body", "title"], "msg": "String should have at least 1 character",
            "input": "", "ctx": {"min_length": 1},
        })));
        assert_eq!(answer.fields(), ["string_too_short at body.title", "string_too_long at body.description"]);
        let missing = ann.post_json("/items/", json!({"description": null})).await;
        assert_eq!(missing.json(), json!({"detail": [
            {"type": "missing", "loc": ["body", "title"], "msg": "Field required", "input": {"description": null}},
        ]}));
        for (body, fields) in [
            (json!({"title": null}), vec!["string_type at body.title"]),
            (json!({"title": 7}), vec!["string_type at body.title"]),
            (json!({"title": "x".repeat(256)}), vec!["string_too_long at body.title"]),
            (json!({"title": "a\0b"}), vec!["value_error at body.title"]),
            (json!({"title": "x", "description": "\0"}), vec!["value_error at body.description"]),
            (json!([]), vec!["model_attributes_type at body"]),
            (json!(null), vec!["missing at body"]),
        ] {
            assert_eq!(ann.post_json("/items/", body.clone()).await.fields(), fields, "{body}");
            assert_eq!(ann.put_json(&path, body.clone()).await.fields(), fields, "{body}");
        }
    }

    async fn item_texts_are_translated(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob) = (server.person("ann").await, server.person("bob").await);
        let (path, _) = create(&ann, "x").await;
        bob.in_russian(Method::GET, &path, json!({})).await.refused(403, "Недостаточно прав");
        bob.in_russian(Method::GET, NOBODYS, json!({})).await.refused(404, "Запись не найдена");
        let deleted = ann.in_russian(Method::DELETE, &path, json!({})).await.ok();
        assert_eq!(deleted, json!({"message": "Запись удалена"}));
    }
}
