//! Full-text search over GraphQL.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const SEARCH: &str = "query($text: String!, $course: ID, $first: Int, $after: String) {
    searchContent(text: $text, courseId: $course, first: $first, after: $after) { totalCount pageInfo { endCursor } nodes {
    kind courseId courseTitle lessonTitle pageId title number pageKind published inDraft myRole bankId bankTitle questionId
    fragments { block questionId parts { text matched } } } } }";
const CREATE: &str = "mutation($i: CreatePageInput!) { createPage(input: $i) { page { id } } }";

both! {
    async fn people_find_what_they_may_read(kurso: TestKurso) {
        let (server, school) = (Server::start(&kurso).await, School::open(&kurso).await);
        let words = |text: &str| json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": text}]}]});
        for (title, published) in [("Лес", true), ("Тайна", false)] {
            let page = json!({"lessonId": school.lessons[3], "title": title, "kind": "CONTENT", "published": published, "content": words("Ёжики.")});
            server.data(&school.owner, CREATE, json!({"i": page})).await;
        }
        let titles = async |who: &str, asked: Value| {
            let found = server.data(who, SEARCH, asked).await;
            let titles = found["nodes"].as_array().unwrap().iter().map(|node| node["title"].as_str().unwrap().to_owned());
            (titles.collect::<Vec<_>>(), found["totalCount"].clone())
        };
        let asked = json!({"text": "ежик"});
        assert_eq!(titles(&school.owner, asked.clone()).await, (vec!["Лес".to_owned(), "Тайна".to_owned()], json!(2)));
        assert_eq!(titles(&school.learner, asked.clone()).await, (vec!["Лес".to_owned()], json!(1)));
        assert_eq!(titles(&school.stranger, asked.clone()).await, (vec![], json!(0)));
        let found = server.data(&school.learner, SEARCH, asked).await;
        let node = &found["nodes"][0];
        assert_eq!((&node["kind"], &node["pageKind"], &node["inDraft"], &node["myRole"]), (&json!("PAGE"), &json!("CONTENT"), &json!(false), &json!("LEARNER")));
        assert_eq!(node["fragments"], json!([{"block": 0, "questionId": null, "parts": [
            {"text": "Ёжики", "matched": true}, {"text": ".", "matched": false},
        ]}]));
        let first = server.data(&school.owner, SEARCH, json!({"text": "ежик", "first": 1})).await;
        let after = json!({"text": "ежик", "first": 1, "after": first["pageInfo"]["endCursor"]});
        assert_eq!(titles(&school.owner, after).await, (vec!["Тайна".to_owned()], json!(2)));
        let strange = json!({"text": "ежик", "course": school.course});
        assert_eq!(server.refusal(&school.stranger, SEARCH, strange).await, "NOT_FOUND");
        let long = json!({"text": "я".repeat(256)});
        assert_eq!(server.bad_fields(&school.owner, SEARCH, long).await, ["text string_too_long"]);
    }
}
