//! Items over GraphQL.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::Server;

const CREATE: &str =
    "mutation($i: CreateItemInput!) { createItem(input: $i) { item { id title description ownerId } } }";
const UPDATE: &str = "mutation($i: UpdateItemInput!) { updateItem(input: $i) { item { title description ownerId } } }";
const DELETE: &str = "mutation($i: DeleteItemInput!) { deleteItem(input: $i) { itemId message } }";
const READ: &str = "query($id: ID!) { item(id: $id) { title } }";
const PAGE: &str = "query($skip: Int) { items(first: 2, skip: $skip) {
    totalCount nodes { title } pageInfo { hasPreviousPage hasNextPage } } }";
const LIST: &str = "query($n: Int, $after: String) { items(first: $n, after: $after) {
    totalCount nodes { title } pageInfo { hasNextPage endCursor } } }";

both! {
    async fn items_are_created_listed_updated_and_deleted(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let ann = kurso.person("ann").await;
        kurso.person("bob").await;
        kurso.superuser("root").await;
        let token = kurso.token("ann@example.com").await;
        let (bob, root) = (kurso.token("bob@example.com").await, kurso.token("root@example.com").await);
        let mut ids = Vec::new();
        for title in ["one", "two", "three"] {
            kurso.clock.advance(chrono::Duration::seconds(1));
            let made = server.data(&token, CREATE, json!({"i": {"title": title, "description": "d"}})).await;
            assert_eq!(made["item"], json!({"id": made["item"]["id"], "title": title, "description": "d", "ownerId": ann.id()}));
            ids.push(made["item"]["id"].clone());
        }
        let first = server.data(&token, LIST, json!({"n": 2})).await;
        assert_eq!((&first["totalCount"], &first["nodes"]), (&json!(3), &json!([{"title": "three"}, {"title": "two"}])));
        let rest = server.data(&token, LIST, json!({"n": 2, "after": first["pageInfo"]["endCursor"]})).await;
        assert_eq!((&rest["nodes"], &rest["pageInfo"]["hasNextPage"]), (&json!([{"title": "one"}]), &json!(false)));
        assert_eq!(server.data(&bob, LIST, json!({})).await["totalCount"], 0);
        for (skip, titles, before, after) in [(json!(2), vec!["one"], true, false), (json!(1), vec!["two", "one"], true, false),
            (json!(null), vec!["three", "two"], false, true), (json!(9), vec![], true, false)] {
            let page = server.data(&token, PAGE, json!({"skip": skip})).await;
            let shown: Vec<_> = page["nodes"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap()).collect();
            assert_eq!((shown, &page["totalCount"]), (titles, &json!(3)), "{skip}");
            assert_eq!(page["pageInfo"], json!({"hasPreviousPage": before, "hasNextPage": after}), "{skip}");
        }
        assert_eq!(server.bad_fields(&token, PAGE, json!({"skip": -1})).await, ["skip greater_than_equal"]);
        assert_eq!(server.data(&root, LIST, json!({})).await["totalCount"], 3);

        let changed = server.data(&root, UPDATE, json!({"i": {"itemId": ids[0], "description": null}})).await;
        assert_eq!(changed["item"], json!({"title": "one", "description": null, "ownerId": ann.id()}), "the owner stays");
        let missing = json!("0198f000-0000-7000-8000-000000000000");
        for (token, id, code) in [(&bob, &ids[0], "FORBIDDEN"), (&bob, &missing, "NOT_FOUND"), (&String::new(), &ids[0], "UNAUTHENTICATED")] {
            assert_eq!(server.refusal(token, READ, json!({"id": id})).await, code);
            assert_eq!(server.refusal(token, UPDATE, json!({"i": {"itemId": id}})).await, code);
            assert_eq!(server.refusal(token, DELETE, json!({"i": {"itemId": id}})).await, code);
        }
        assert_eq!(server.bad_fields(&bob, UPDATE, json!({"i": {"itemId": ids[0], "title": null}})).await, ["title string_type"]);
        assert_eq!(server.bad_fields(&bob, CREATE, json!({"i": {"title": "", "description": "x".repeat(256)}})).await,
            ["title string_too_short", "description string_too_long"]);
        assert_eq!(server.bad_fields(&bob, READ, json!({"id": "x"})).await, ["id uuid_parsing"]);
        let gone = server.data(&token, DELETE, json!({"i": {"itemId": ids[0]}})).await;
        assert_eq!(gone, json!({"itemId": ids[0], "message": "Item deleted successfully"}));
        assert_eq!(server.refusal(&token, READ, json!({"id": ids[0]})).await, "NOT_FOUND");
        assert_ne!(server.data(&token, READ, json!({"id": ids[1]})).await["title"], Value::Null);
    }

    async fn flat_lists_take_constant_statements(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.superuser("root").await;
        let root = kurso.token("root@example.com").await;
        let lists = "{ items { nodes { id ownerId } } users { nodes { email } } sessions { nodes { device current } } }";
        let mut costs = Vec::new();
        for more in ["a", "b", "c"] {
            kurso.account(more, false).await;
            server.data(&root, CREATE, json!({"i": {"title": more}})).await;
            kurso.token("root@example.com").await;
            let before = kurso.db.statements();
            server.data(&root, lists, json!({})).await;
            costs.push(kurso.db.statements() - before);
        }
        assert_eq!(costs, [7, 7, 7], "who asks, and for each list its rows and their number");
    }
}
