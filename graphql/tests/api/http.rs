//! Learning over GraphQL, the statements of trees and lists, and GraphQL over HTTP.

use kurso_core::both;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::testing::{PASSWORD, TestKurso};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::Server;

const TREE: &str = "query Tree($id: ID!) { course(id: $id) { title progress { percent } modules { title avatarUrl
    lessons { title isCompleted pages { id title kind isVisited isCompleted } } } } }";
const ENROLL: &str =
    "mutation($code: String!) { enroll(input: {shareCode: $code}) { enrollment { course { id myRole } } error } }";
const VISIT: &str = "mutation($id: ID!) { markPageVisited(input: {pageId: $id}) {
    page { isVisited isCompleted } lesson { isCompleted } course { progress { percent pagesDone } } } }";

both! {
    async fn from_signup_to_a_completed_lesson(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]], &[&[Quiz]]]).await;
        let owner_token = kurso.token("owner@example.com").await;
        let shared = server.ask(&owner_token,
            "mutation($id: ID!) { generateShareCode(input: {courseId: $id}) { course { shareCode } } }", json!({"id": course})).await;
        let code = shared["data"]["generateShareCode"]["course"]["shareCode"].clone();

        let signup = "mutation($p: String!) { signup(input: {email: \"Anna@Example.com\", password: $p, fullName: \"Анна\"}) {
            user { email fullName isSuperuser } } }";
        let made = server.ask("", signup, json!({"p": PASSWORD})).await;
        assert_eq!(made["data"]["signup"]["user"],
            json!({"email": "Anna@example.com", "fullName": "Анна", "isSuperuser": false}));
        let login = "mutation($p: String!) { login(input: {email: \"anna@example.com\", password: $p}) { accessToken } }";
        let token = server.ask("", login, json!({"p": PASSWORD})).await["data"]["login"]["accessToken"]
            .as_str().unwrap().to_owned();
        assert_eq!(server.refusal(&token, TREE, json!({"id": course})).await, "NOT_FOUND");

        let enrolled = server.ask(&token, ENROLL, json!({"code": code})).await;
        assert_eq!(enrolled["data"]["enroll"]["enrollment"]["course"]["myRole"], "LEARNER", "{enrolled}");
        let tree = server.ask(&token, TREE, json!({"id": course})).await;
        let pages = &tree["data"]["course"]["modules"][0]["lessons"][0]["pages"];
        assert_eq!(pages[0]["isVisited"], false, "{tree}");

        let visited = server.ask(&token, VISIT, json!({"id": pages[0]["id"]})).await;
        assert_eq!(visited["data"]["markPageVisited"], json!({
            "page": {"isVisited": true, "isCompleted": true}, "lesson": {"isCompleted": false},
            "course": {"progress": {"percent": 33, "pagesDone": 1}},
        }), "{visited}");
        server.ask(&token, VISIT, json!({"id": pages[1]["id"]})).await;
        let tree = server.ask(&token, TREE, json!({"id": course})).await;
        assert_eq!(tree["data"]["course"]["modules"][0]["lessons"][0]["isCompleted"], true);
        assert_eq!(tree["data"]["course"]["progress"]["percent"], 66);

        let read = server.ask(&token, "query($id: ID!) { page(id: $id) { number content lesson { title module { title } }
            course { id } previousPage { id } nextPage { id kind } } }", json!({"id": pages[1]["id"]})).await;
        let page = &read["data"]["page"];
        assert_eq!(page["content"]["content"][0]["content"][0]["text"], "Page 1", "{read}");
        assert_eq!((&page["number"], &page["previousPage"]["id"], &page["nextPage"]["kind"]),
            (&json!(2), &pages[0]["id"], &json!("QUIZ")));

        let home = server.ask(&token, "{ myEnrollments { totalCount nodes { nextPage { kind } course { title pagesCount
            shareCode owner { email } progress { percent } } } } myCourses { totalCount nodes { id } } }", json!({})).await;
        assert_eq!(home["data"], json!({
            "myEnrollments": {"totalCount": 1, "nodes": [{"nextPage": {"kind": "QUIZ"}, "course": {"title": "Курс",
                "pagesCount": 3, "shareCode": null, "owner": {"email": null}, "progress": {"percent": 66}}}]},
            "myCourses": {"totalCount": 0, "nodes": []},
        }));
        server.ask(&token, "mutation { logout { message } }", json!({})).await;
        assert_eq!(server.refusal(&token, "{ me { id } }", json!({})).await, "UNAUTHENTICATED");
    }

    async fn a_browser_that_opens_the_endpoint_is_led_to_graphiql(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let accepted = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        let get = |url: String, accept: &'static str| client.get(url).header("accept", accept).send();
        let opened = get(server.url.clone(), accepted).await.unwrap();
        assert_eq!(opened.status(), StatusCode::SEE_OTHER);
        assert_eq!(opened.headers()["location"], "/graphiql");
        for (url, accept, status) in [
            (server.url.clone(), "*/*", StatusCode::BAD_REQUEST),
            (server.url.clone(), "application/json", StatusCode::BAD_REQUEST),
            (server.url.clone() + "?query={__typename}", accepted, StatusCode::OK),
        ] {
            assert_eq!(get(url, accept).await.unwrap().status(), status, "{accept}");
        }
        let posted = client.post(&server.url).header("accept", accepted).json(&json!({"query": "{ __typename }"}));
        assert_eq!(posted.send().await.unwrap().status(), StatusCode::OK);
    }

    async fn the_tree_takes_constant_statements(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let owner = kurso.person("owner").await;
        let token = kurso.token("owner@example.com").await;
        let mut counts = Vec::new();
        let small: &[&[&[_]]] = &[&[&[Content]]];
        let large: &[&[&[_]]] = &[&[&[Content; 50], &[Quiz; 50]], &[&[Content; 50]]];
        for shape in [small, large] {
            let course = kurso.course(&owner, shape).await;
            let code = kurso_core::courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code;
            server.ask(&token, ENROLL, json!({"code": code})).await;
            for _ in 0..2 {
                let before = kurso.db.statements();
                let tree = server.ask(&token, TREE, json!({"id": course})).await;
                assert!(tree["errors"].is_null(), "{tree}");
                counts.push(kurso.db.statements() - before);
            }
        }
        assert_eq!(counts, [5, 1, 4, 1], "whatever the size; the second time the tree is known, then the document too");
    }

    async fn lists_take_constant_statements(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let owner = kurso.person("owner").await;
        kurso.person("anna").await;
        let token = kurso.token("anna@example.com").await;
        let home = "{ myEnrollments { nodes { id nextPage { id title number } course { id title modulesCount studentsCount
            progress { percent } modules { lessons { pages { id content } } } } } } }";
        let mut costs = Vec::new();
        for wanted in [2usize, 9] {
            for _ in costs.len() * 2..wanted {
                let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
                let code = kurso_core::courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code;
                server.ask(&token, ENROLL, json!({"code": code})).await;
            }
            let before = kurso.db.statements();
            let answer = server.ask(&token, &home.replace("content", ""), json!({})).await;
            assert_eq!(answer["data"]["myEnrollments"]["nodes"].as_array().unwrap().len(), wanted, "{answer}");
            costs.push(kurso.db.statements() - before);
        }
        assert!(costs.iter().all(|c| *c <= 7), "{costs:?}");
        assert!(costs[1] <= costs[0], "{costs:?}");
    }

    async fn errors_have_codes_texts_and_fields(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("anna").await;
        let token = kurso.token("anna@example.com").await;
        let missing = json!({"id": "0198f000-0000-7000-8000-000000000000"});
        for (token, query, variables, code) in [
            ("", "{ me { id } }", json!({}), "UNAUTHENTICATED"),
            ("forged.token.here", "{ me { id } }", json!({}), "UNAUTHENTICATED"),
            (&token, TREE, missing.clone(), "NOT_FOUND"),
            (&token, TREE, json!({"id": "not an id"}), "BAD_USER_INPUT"),
            (&token, VISIT, missing.clone(), "NOT_FOUND"),
            (&token, "{ nothing }", json!({}), "BAD_USER_INPUT"),
            (&token, "{ me { id }", json!({}), "BAD_USER_INPUT"),
            (&token, TREE, json!({}), "BAD_USER_INPUT"),
            (&token, "{ myCourses(first: -1) { totalCount } }", json!({}), "BAD_USER_INPUT"),
            (&token, "{ myCourses(after: \"?\") { totalCount } }", json!({}), "BAD_USER_INPUT"),
        ] {
            assert_eq!(server.refusal(token, query, variables).await, code, "{query}");
        }
        let unknown = server.ask(&token, ENROLL, json!({"code": "AAAA-AAAA"})).await;
        assert_eq!(unknown["data"]["enroll"], json!({"enrollment": null, "error": "There is no course with this code"}));

        let body = json!({"query": "mutation { signup(input: {email: \"x\", password: \"short\"}) { user { id } } }"});
        let refused = server.client.post(&server.url).header("accept-language", "ru-RU,ru;q=0.9").json(&body);
        let refused: Value = refused.send().await.unwrap().json().await.unwrap();
        assert_eq!(refused["errors"][0]["extensions"], json!({"code": "BAD_USER_INPUT", "fields": [
            {"field": "email", "kind": "value_error", "message": "Неверный email. В адресе должен быть знак @."},
            {"field": "password", "kind": "string_too_short", "message": "Не короче 8 символов"},
        ]}), "{refused}");
    }
}

#[tokio::test]
async fn media_types_and_status_codes_follow_graphql_over_http() {
    let kurso = TestKurso::new(kurso_core::testing::Backend::Sqlite).await;
    let server = Server::start(&kurso).await;
    let (client, url) = (&server.client, &server.url);
    let post = |accept: &str, content_type: &str, body: String| {
        client
            .post(url)
            .header("accept", accept)
            .header("content-type", content_type)
            .body(body)
            .send()
    };
    let json_type = "application/json";
    let new_type = "application/graphql-response+json";
    let ask = |query: &str| json!({"query": query}).to_string();

    for (accept, body, status, media) in [
        (json_type, ask("{ __typename }"), 200, json_type),
        (new_type, ask("{ __typename }"), 200, new_type),
        ("*/*", ask("{ __typename }"), 200, json_type),
        (json_type, ask("{ nothing }"), 200, json_type),
        (new_type, ask("{ nothing }"), 400, new_type),
        (new_type, ask("{"), 400, new_type),
        (new_type, ask("{ me { id } }"), 200, new_type),
        (json_type, "{".into(), 400, json_type),
        (json_type, "[]".into(), 400, json_type),
        (json_type, r#"{"query": 1}"#.into(), 400, json_type),
        (json_type, r#"[{"query": "{ __typename }"}]"#.into(), 400, json_type),
        (
            json_type,
            format!(r#"{{"query": "{}"}}"#, "x".repeat(5 << 20)),
            413,
            json_type,
        ),
        (
            json_type,
            ask(&format!("{}me{}", "{".repeat(5_000), "}".repeat(5_000))),
            200,
            json_type,
        ),
        (
            json_type,
            ask(&format!("{{ {} }}", "me { id } ".repeat(5_000))),
            200,
            json_type,
        ),
        (
            new_type,
            ask(&format!(
                "{{ page(id: {}{}) {{ id }} }}",
                "[".repeat(50_000),
                "]".repeat(50_000)
            )),
            400,
            new_type,
        ),
        (
            json_type,
            ask(&format!(
                "{{ page(id: {}1{}) {{ id }} }}",
                "{a:".repeat(190),
                "}".repeat(190)
            )),
            200,
            json_type,
        ),
    ] {
        let start: String = body.chars().take(60).collect();
        let response = post(accept, json_type, body).await.unwrap();
        assert_eq!(response.status(), status, "{accept} {start}");
        let found = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert!(found.starts_with(media), "{found}");
        let answer: Value = response.json().await.unwrap();
        let executed = start.contains("__typename") && status == 200;
        assert_eq!(answer["errors"].is_null(), executed, "{start}: {answer}");
        if status != 200 {
            assert!(answer.get("data").is_none());
        }
    }
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ] {
        assert_eq!(
            post(json_type, content_type, ask("{ __typename }"))
                .await
                .unwrap()
                .status(),
            415,
            "{content_type}"
        );
    }
    let get = |query: &str| client.get(url).query(&[("query", query)]).send();
    assert_eq!(get("{ __typename }").await.unwrap().status(), 200);
    let refused = get("mutation { logout { message } }").await.unwrap();
    assert_eq!(
        (refused.status(), refused.headers()["allow"].to_str().unwrap()),
        (StatusCode::METHOD_NOT_ALLOWED, "POST")
    );
    assert_eq!(client.get(url).send().await.unwrap().status(), 400);
}
