//! No event reaches a learner with contents of a locked page: for every subscription of the schema, while its owner changes the page.

use futures_util::StreamExt as _;
use kurso_core::both;
use kurso_core::courses::{groups, overrides, page};
use kurso_core::testing::command;
use kurso_core::{attempts, courses};
use kurso_formats::quiz;
use serde_json::{Value, json};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

use super::support::{School, Server, Socket, answers, token};
use crate::schema_walk::{Arguments, INTROSPECTION, Ids, Schema};

const MARKER: &str = "locked-731973";

/// Returns the events of a subscription until none arrives for a while.
async fn heard(socket: &mut Socket) -> Vec<Value> {
    let mut heard = vec![];
    while let Ok(Some(Ok(message))) = tokio::time::timeout(Duration::from_millis(150), socket.stream.next()).await {
        if let Message::Text(text) = message {
            heard.push(serde_json::from_str(&text).unwrap());
        }
    }
    heard
}

/// The schema of a server.
async fn schema(server: &Server, token: &str, ids: Ids) -> Schema {
    let request = reqwest::Client::new().post(format!("http://{}/graphql", server.address));
    let request = request.bearer_auth(token).json(&json!({"query": INTROSPECTION}));
    let found: Value = request.send().await.unwrap().json().await.unwrap();
    Schema::new(&found["data"]["__schema"]["types"], ids)
}

both! {
    async fn no_event_reveals_the_contents_of_a_locked_page(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let owner = &school.owner;
        let mut content = quiz::paragraph(MARKER);
        let body = json!({"content": content});
        page::update(&kurso, owner, school.pages[0], None, command(&body)).await.unwrap();
        // The learner has read and taken what is locked now.
        attempts::submit(&kurso, &school.learner, school.pages[1], kurso_core::testing::submission(&answers(true))).await.unwrap();
        for id in &school.pages {
            let later = json!({"available_from": "2026-11-22T09:00:00Z"});
            page::update(&kurso, owner, *id, None, command(&later)).await.unwrap();
        }
        let group = groups::create(&kurso, owner, school.course, command(json!({"title": "A"}))).await.unwrap();
        let course = courses::find(&kurso.db, &school.learner, school.course, kurso_core::access::Right::Read).await.unwrap();
        let enrollment = course.enrollment.unwrap().id;
        let ids: Ids = vec![
            ("course", vec![school.course.to_string()]),
            ("page", school.pages.iter().map(ToString::to_string).collect()),
            ("group", vec![group.id.to_string()]),
        ];
        let mut turn = 0;
        let mut events_of_staff = 0;
        for (who, is_staff) in [(&school.learner, false), (&school.editor, true)] {
            let token = token(&kurso, who).await;
            let mut socket = server.connect(&token).await;
            let schema = schema(&server, &token, ids.clone()).await;
            let mut roots = std::collections::BTreeSet::new();
            for operation in [Arguments::Required, Arguments::All].iter().flat_map(|given| schema.subscriptions(*given)) {
                let ways = operation.queries();
                // What staff get proves that there are events; one selection of each subscription is enough for them.
                for query in ways.iter().take(if is_staff { 1 } else { ways.len() }) {
                    roots.insert(query.split([' ', '(']).nth(2).unwrap().to_owned());
                    let id = socket.subscribe(query, json!({})).await;
                    let mut answers = heard(&mut socket).await;
                    if !answers.iter().any(|answer| answer["type"] == "error") {
                        turn += 1;
                        content["content"][0]["content"][0]["text"] = json!(format!("{MARKER} {turn}"));
                        let body = json!({"content": content});
                        page::update(&kurso, owner, school.pages[0], None, command(&body)).await.unwrap();
                        let over = json!({"enrollment_id": enrollment, "page_id": school.pages[1], "extra_attempts": turn % 50});
                        overrides::set(&kurso, owner, school.course, command(&over)).await.unwrap();
                        answers.extend(heard(&mut socket).await);
                        socket.say(json!({"id": id, "type": "complete"})).await;
                        if is_staff {
                            events_of_staff += answers.iter().filter(|answer| answer["type"] == "next").count();
                        }
                    }
                    for answer in &answers {
                        assert!(is_staff || !answer.to_string().contains(MARKER), "{query}: {answer}");
                    }
                    if answers.iter().any(|answer| answer["type"] == "error") {
                        break;
                    }
                }
            }
            assert!(roots.len() >= 6, "{roots:?}");
        }
        assert!(events_of_staff >= 3, "changes make events: {events_of_staff}");
    }
}
