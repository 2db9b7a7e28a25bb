//! Question banks over HTTP. The table of rights says what each role may do.

use kurso_core::both;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::{Answer, Persona, Sent as _, Server};

async fn create(who: &Persona<'_>, title: &str) -> String {
    let bank = who.post_json("/banks/create_bank", json!({"title": title})).await.ok();
    bank["id"].as_str().unwrap().to_owned()
}

async fn import(who: &Persona<'_>, bank: &str, name: &'static str, bytes: &'static [u8]) -> Answer {
    let form = Form::new().part("file", Part::bytes(bytes).file_name(name));
    let path = format!("/banks/import_questions/{bank}");
    who.request(Method::POST, &path).multipart(form).answer().await
}

both! {
    async fn a_bank_is_filled_searched_and_changed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let id = create(&ann, "Алгебра").await;
        let new = json!({"questions": [
            {"question": {"id": id, "type": "numeric", "prompt": "Ёжиков 2 + 2?", "value": 4}, "tags": ["б", "А"]},
            {"question": {"type": "essay", "prompt": ""}},
        ]});
        let added = ann.post_json(&format!("/banks/add_questions/{id}"), new).await.ok();
        let question = added["questions"][0].clone();
        assert_eq!((&question["version"], &question["kind"], &question["is_complete"]), (&json!(1), &json!("numeric"), &json!(true)));
        assert_eq!((&question["tags"], &question["question"]["id"]), (&json!(["А", "б"]), &question["id"]));
        assert_eq!(question["changed_by"]["full_name"], "ann");
        assert_eq!(added["bank"]["tags"], json!([
            {"name": "А", "count": 1, "drawable": 1}, {"name": "б", "count": 1, "drawable": 1},
        ]));
        let list = format!("/banks/questions/{id}");
        let all = ann.get(&list).await.ok();
        assert_eq!((&all["count"], &all["drawable"], &all["data"][1]), (&json!(2), &json!(1), &question));
        for (query, count) in [("search=ежиков", 1), ("tag=А&tag=б", 1), ("tag=А&tag=x", 0), ("kind=essay", 1), ("search=x", 0)] {
            assert_eq!(ann.get(&format!("{list}?{query}")).await.ok()["count"], count, "{query}");
        }
        let page = ann.get(&format!("{list}?skip=1&limit=1")).await.ok();
        assert_eq!((&page["count"], &page["data"]), (&json!(2), &json!([question])));
        let id_of = question["id"].as_str().unwrap();
        let by_id = ann.get(&format!("/banks/questions_by_id?id={id_of}&id={id}")).await.ok();
        assert_eq!(by_id, json!({"data": [question]}));

        let path = format!("/banks/update_question/{id_of}");
        let change = json!({"version": 1, "question": {"type": "numeric", "prompt": "3 + 3?", "value": 6}, "tags": ["б"]});
        let changed = ann.put_json(&path, change.clone()).await.ok();
        assert_eq!((&changed["version"], &changed["tags"], &changed["question"]["value"]), (&json!(2), &json!(["б"]), &json!(6)));
        let stale = ann.put_json(&path, change).await;
        assert_eq!(stale.status, 409);
        assert_eq!(stale.json()["question"], changed);
        let history = ann.get(&format!("/banks/question_versions/{id_of}")).await.ok();
        assert_eq!((&history["count"], &history["data"][0]["question"]), (&json!(1), &question["question"]));
        let tagged = json!({"question_ids": [id_of], "add": ["в"], "remove": ["б"]});
        let tagged = ann.post_json(&format!("/banks/tag_questions/{id}"), tagged).await.ok();
        assert_eq!(tagged["tags"], json!([{"name": "в", "count": 1, "drawable": 1}]));
        let left = ann.post_json(&format!("/banks/delete_questions/{id}"), json!({"question_ids": [id_of]})).await.ok();
        assert_eq!((&left["questions_count"], &left["tags"]), (&json!(1), &json!([])));
        let renamed = ann.put_json(&format!("/banks/update_bank/{id}"), json!({"title": "Б"})).await.ok();
        assert_eq!((&renamed["title"], &renamed["role"]), (&json!("Б"), &json!("owner")));
        let mine = ann.get("/banks/my_banks").await.ok();
        assert_eq!((&mine["count"], &mine["data"][0]["title"]), (&json!(1), &json!("Б")));
        ann.delete(&format!("/banks/delete_bank/{id}")).await.ok();
        ann.get(&format!("/banks/get_bank/{id}")).await.refused(404, "There is no such question bank");
    }

    async fn a_bank_is_shared_and_left(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob) = (server.person("ann").await, server.person("bob").await);
        let id = create(&ann, "Алгебра").await;
        let share = format!("/banks/share/{id}");
        let shared = ann.post_json(&share, json!({"email": "bob@example.com", "role": "viewer"})).await.ok();
        let member = &shared["members"][0];
        assert_eq!((&member["email"], &member["role"]), (&json!("bob@example.com"), &json!("viewer")));
        let seen = bob.get(&format!("/banks/get_bank/{id}")).await.ok();
        assert_eq!((&seen["role"], &seen["members"]), (&json!("viewer"), &json!([])));
        assert_eq!(bob.get("/banks/my_banks").await.ok()["count"], 1);
        let unknown = ann.post_json(&share, json!({"email": "nobody@example.com", "role": "editor"})).await;
        assert_eq!(unknown.fields(), ["value_error at body.email"]);
        assert_eq!(ann.post_json(&share, json!({"email": "x", "role": "owner"})).await.fields(), ["value_error at body.email", "enum at body.role"]);
        let left = format!("{share}/{}", member["user_id"].as_str().unwrap());
        bob.delete(&left).await.ok();
        assert_eq!(bob.get(&format!("/banks/get_bank/{id}")).await.status, 404);
        assert_eq!(ann.delete(&left).await.status, 404);
    }

    async fn questions_that_do_not_fit_are_refused_with_their_places(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let ann = server.person("ann").await;
        let id = create(&ann, "Алгебра").await;
        let path = format!("/banks/add_questions/{id}");
        let link = json!({"type": "text", "text": "x", "marks": [{"type": "link", "attrs": {"href": format!("page:{id}")}}]});
        let prompt = json!({"type": "doc", "content": [{"type": "paragraph", "content": [link]}]});
        for (questions, fields) in [
            (json!([]), vec!["too_short at body.questions"]),
            (json!("x"), vec!["list_type at body.questions"]),
            (json!([{}]), vec!["missing at body.questions.0.question"]),
            (json!([{"question": null}]), vec!["missing at body.questions.0.question"]),
            (json!([{"question": {"type": "hand_in"}}]), vec!["value_error at body.questions.0.question.type"]),
            (json!([{"question": {"type": "draw"}}]), vec!["value_error at body.questions.0.question.type"]),
            (json!([{"question": {"type": "numeric", "prompt": "?", "points": -1}, "tags": [""]}]),
                vec!["value_error at body.questions.0.question.points", "string_too_short at body.questions.0.tags.0"]),
            (json!([{"question": {"type": "numeric", "prompt": prompt}}]),
                vec!["value_error at body.questions.0.question.prompt.content.0.content.0.marks.0.attrs.href"]),
        ] {
            let refused = ann.post_json(&path, json!({"questions": questions})).await;
            assert_eq!(refused.fields(), fields, "{questions}");
        }
        let list = format!("/banks/questions/{id}");
        assert_eq!(ann.get(&format!("{list}?limit=x&tag=")).await.fields(), ["string_too_short at query.tag.0", "int_parsing at query.limit"]);
        assert_eq!(ann.get("/banks/questions_by_id").await.fields(), ["too_short at query.id"]);
        assert_eq!(ann.get("/banks/questions_by_id?id=x").await.fields(), ["uuid_parsing at query.id.0"]);
    }

    async fn questions_of_a_file_are_imported(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let (ann, bob) = (server.person("ann").await, server.person("bob").await);
        let id = create(&ann, "Алгебра").await;
        let imported = import(&ann, &id, "a.gift", "::Сумма::2 + 2 {#4}\n\nДа? {T}".as_bytes()).await.ok();
        assert_eq!(imported["count"], 2);
        assert_eq!(imported["report"].as_array().unwrap().len(), 1, "{imported}");
        assert_eq!(import(&ann, &id, "a.txt", b"Q?\nA. 1\nB. 2\nANSWER: A\n").await.ok()["count"], 1);
        assert_eq!(import(&ann, &id, "a.pdf", b"%PDF-1.4").await.fields(), ["value_error at body.file"]);
        assert_eq!(import(&bob, &id, "a.gift", b"2 + 2 {#4}").await.status, 404);
        let kinds: Vec<Value> = ann.get(&format!("/banks/questions/{id}")).await.ok()["data"].as_array().unwrap().iter().map(|question| question["kind"].clone()).collect();
        assert_eq!(kinds.len(), 3);
    }
}
