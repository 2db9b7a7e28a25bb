//! The notices of the caller.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const LIST: &str = "query($first: Int, $after: String, $unread: Boolean) { notices(first: $first, after: $after, unreadOnly: $unread) { next unread
    items { id kind isRead course { id title } page { id title } subjectId actor { fullName } learner { fullName } closesAt text } } }";
const START: &str = "mutation($i: StartThreadInput!) { startThread(input: $i) { thread { id } } }";
const ANSWER: &str = "mutation($i: AddCommentInput!) { addComment(input: $i) { thread { comments { id } } } }";
const READ: &str = "mutation($ids: [ID!]!) { markNoticesRead(input: {ids: $ids}) { unread } }";
const READ_ALL: &str = "mutation($before: ID!) { markAllNoticesRead(input: {before: $before}) { unread } }";

both! {
    async fn notices_are_listed_and_marked_as_read(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let mut answers = vec![];
        for page in &school.pages[..2] {
            let started = server.data(&school.teacher, START, json!({"i": {"pageId": page, "text": "Why?"}})).await;
            let thread = started["thread"]["id"].clone();
            let answered = server.data(&school.editor, ANSWER, json!({"i": {"threadId": thread, "text": "So."}})).await;
            answers.push(answered["thread"]["comments"][1]["id"].clone());
        }
        let first = server.data(&school.teacher, LIST, json!({"first": 1})).await;
        let newest = first["items"][0].clone();
        assert_eq!((&first["unread"], &first["next"]), (&json!(2), &newest["id"]));
        assert_eq!(newest, json!({"id": newest["id"], "kind": "COMMENT", "isRead": false, "course": {"id": school.course, "title": newest["course"]["title"]},
            "page": {"id": school.pages[1], "title": newest["page"]["title"]}, "subjectId": answers[1], "actor": {"fullName": "editor"}, "learner": null,
            "closesAt": null, "text": null}));
        let second = server.data(&school.teacher, LIST, json!({"first": 1, "after": first["next"]})).await;
        assert_eq!((&second["items"][0]["subjectId"], &second["next"]), (&answers[0], &Value::Null));
        let none = server.data(&school.learner, READ, json!({"ids": [newest["id"]]})).await;
        assert_eq!(none, json!({"unread": 0}), "others' are ignored");
        let one = server.data(&school.teacher, READ, json!({"ids": [newest["id"]]})).await;
        assert_eq!(one, json!({"unread": 1}));
        let unread = server.data(&school.teacher, LIST, json!({"unread": true})).await;
        assert_eq!(unread["items"].as_array().unwrap().len(), 1);
        let none = server.data(&school.teacher, READ_ALL, json!({"before": newest["id"]})).await;
        assert_eq!(none, json!({"unread": 0}));
        for (query, variables) in [
            (LIST, json!({"after": "x"})),
            (READ, json!({"ids": []})),
            (READ_ALL, json!({"before": "x"})),
        ] {
            assert_eq!(server.refusal(&school.teacher, query, variables).await, "BAD_USER_INPUT", "{query}");
        }
        assert_eq!(server.refusal("", LIST, json!({})).await, "UNAUTHENTICATED");
    }
}
