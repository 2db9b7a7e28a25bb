//! The subscription to the notices of the caller.

use kurso_core::inbox;
use kurso_core::testing::command;
use kurso_core::{both, comments};
use serde_json::json;

use crate::support::{School, Server, token};

const NOTICES: &str = "subscription { notices { unread newest { id kind page { id } actor { fullName } } } }";

both! {
    async fn notices_arrive_are_read_and_are_withdrawn(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let id = socket.watch(&kurso, NOTICES, json!({})).await;
        assert_eq!(socket.next(&id).await, json!({"unread": 0, "newest": null}), "the present state");
        let page = school.pages[0];
        let text = format!("@[teacher](user:{}) look", school.teacher.id());
        let started = comments::start(&kurso, &school.owner, page, command(json!({"text": text}))).await;
        let arrived = socket.next(&id).await;
        let newest = arrived["newest"]["id"].clone();
        assert_eq!(arrived, json!({"unread": 1, "newest": {"id": newest, "kind": "MENTION", "page": {"id": page}, "actor": {"fullName": "owner"}}}));
        let read = newest.as_str().unwrap().parse().unwrap();
        inbox::mark_read(&kurso, &school.teacher, &[read]).await.unwrap();
        assert_eq!(socket.next(&id).await, json!({"unread": 0, "newest": null}));
        let comment = started.unwrap().comments[0].id;
        comments::delete(&kurso, &school.owner, comment).await.unwrap();
        assert_eq!(socket.next(&id).await, json!({"unread": 0, "newest": null}), "it was withdrawn");
        socket.is_silent().await;
    }
}
