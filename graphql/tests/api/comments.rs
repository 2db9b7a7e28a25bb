//! Author comments on pages.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const THREAD: &str =
    "{ id state startedBy { fullName } resolvedBy { fullName } resolvedAt anchor { block quote } isUnread
    suggestion { before after state decidedBy { fullName } decidedAt } page { id }
    comments { id author { fullName } text editedAt isMine mentions { fullName } } }";

fn mutation(name: &str, input: &str, thread: &str) -> String {
    format!(
        "mutation($i: {input}!) {{ {name}(input: $i) {{ thread {thread} page {{ openThreadCount pageDraft {{ content }} }} }} }}"
    )
}

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "content": [{"type": "text", "text": text}]})
}

both! {
    async fn threads_are_discussed_and_suggestions_accepted(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let reviewer = kurso.person("reviewer").await;
        kurso.collaborator(school.course, &reviewer, "reviewer").await;
        let reviewer = kurso.token("reviewer@example.com").await;
        let page = school.pages[0];
        let call = async |by: &str, name: &str, input: &str, fields: Value| {
            server.data(by, &mutation(name, input, THREAD), json!({"i": fields})).await
        };
        let people = server.data(&school.teacher, "query($id: ID!) { course(id: $id) { commenters { id fullName email } } }", json!({"id": school.course})).await;
        let editor = people["commenters"][1].clone();
        assert_eq!(editor["fullName"], "editor");
        let text = format!("@[editor](user:{}) better?", editor["id"].as_str().unwrap());
        let started = call(&reviewer, "startThread", "StartThreadInput",
            json!({"pageId": page, "text": text, "version": 1, "block": 0, "suggestion": [paragraph("Better")]})).await;
        let thread = started["thread"].clone();
        let comment = thread["comments"][0]["id"].clone();
        assert_eq!(thread, json!({"id": thread["id"], "state": "OPEN", "startedBy": {"fullName": "reviewer"}, "resolvedBy": null, "resolvedAt": null,
            "anchor": {"block": 0, "quote": "Page 0"}, "isUnread": false, "page": {"id": page},
            "suggestion": {"before": [paragraph("Page 0")], "after": [paragraph("Better")], "state": "PENDING", "decidedBy": null, "decidedAt": null},
            "comments": [{"id": comment, "author": {"fullName": "reviewer"}, "text": text, "editedAt": null, "isMine": true, "mentions": [{"fullName": "editor"}]}]}));
        assert_eq!(started["page"]["openThreadCount"], 1);
        let id = &thread["id"];
        let changed = call(&reviewer, "editComment", "EditCommentInput", json!({"commentId": comment, "text": "Better?"})).await;
        assert_eq!((&changed["thread"]["comments"][0]["text"], &changed["thread"]["comments"][0]["mentions"]), (&json!("Better?"), &json!([])));
        let added = call(&school.teacher, "addComment", "AddCommentInput", json!({"threadId": id, "text": "Yes"})).await;
        assert_eq!((&added["thread"]["comments"][1]["author"]["fullName"], &added["thread"]["isUnread"]), (&json!("teacher"), &json!(true)));
        let read = call(&school.teacher, "markThreadRead", "MarkThreadReadInput", json!({"threadId": id, "commentId": comment})).await;
        assert_eq!(read["thread"]["isUnread"], false);
        let resolved = call(&reviewer, "resolveThread", "ThreadInput", json!({"threadId": id})).await;
        assert_eq!((&resolved["thread"]["state"], &resolved["page"]["openThreadCount"]), (&json!("RESOLVED"), &json!(0)));
        let reopened = call(&school.editor, "reopenThread", "ThreadInput", json!({"threadId": id})).await;
        assert_eq!(reopened["thread"]["resolvedBy"], Value::Null);
        let accept = |version: i64| json!({"i": {"threadId": id, "version": version}});
        let query = mutation("acceptSuggestion", "AcceptSuggestionInput", THREAD);
        assert_eq!(server.refusal(&reviewer, &query, accept(1)).await, "FORBIDDEN");
        assert_eq!(server.refusal(&school.editor, &query, accept(2)).await, "CONFLICT");
        let accepted = server.data(&school.editor, &query, accept(1)).await;
        assert_eq!(accepted["thread"]["suggestion"]["state"], "ACCEPTED");
        assert_eq!(accepted["page"]["pageDraft"]["content"], json!({"type": "doc", "content": [paragraph("Better")]}));
        let reject = mutation("rejectSuggestion", "ThreadInput", THREAD);
        assert_eq!(server.refusal(&school.owner, &reject, json!({"i": {"threadId": id}})).await, "CONFLICT");
        let deleted = call(&school.editor, "deleteComment", "DeleteCommentInput", json!({"commentId": comment})).await;
        let left = deleted["thread"]["comments"].as_array().unwrap();
        assert_eq!(left.len(), 1);
        let deleted = call(&school.teacher, "deleteComment", "DeleteCommentInput", json!({"commentId": left[0]["id"]})).await;
        assert_eq!(deleted["thread"], Value::Null);
    }

    async fn threads_are_listed_for_those_who_may_comment(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let start = mutation("startThread", "StartThreadInput", "{ id }");
        for (page, text) in [(0, "One"), (1, "Two")] {
            server.data(&school.owner, &start, json!({"i": {"pageId": school.pages[page], "text": text}})).await;
        }
        let query = "query($id: ID!, $first: Int, $after: String, $state: ThreadState) { course(id: $id) {
            commenters { fullName } commentThreads(first: $first, after: $after, state: $state) { totalCount pageInfo { endCursor hasNextPage } nodes { comments { text } } }
            modules { lessons { pages { openThreadCount commentThreads(state: OPEN) { comments { text } } } } } } }";
        let first = server.data(&school.teacher, query, json!({"id": school.course, "first": 1})).await;
        let threads = &first["commentThreads"];
        assert_eq!((&threads["totalCount"], &threads["pageInfo"]["hasNextPage"], &threads["nodes"].as_array().unwrap().len()), (&json!(2), &json!(true), &1));
        let after = json!({"id": school.course, "first": 5, "after": threads["pageInfo"]["endCursor"]});
        assert_eq!(server.data(&school.teacher, query, after).await["commentThreads"]["nodes"].as_array().unwrap().len(), 1);
        let pages = &first["modules"][0]["lessons"][0]["pages"];
        assert_eq!(pages[0], json!({"openThreadCount": 1, "commentThreads": [{"comments": [{"text": "One"}]}]}));
        let resolved = json!({"id": school.course, "state": "RESOLVED"});
        assert_eq!(server.data(&school.owner, query, resolved).await["commentThreads"]["totalCount"], 0);
        for person in [&school.learner, &school.admin] {
            let seen = server.data(person, query, json!({"id": school.course})).await;
            assert_eq!((&seen["commentThreads"]["totalCount"], &seen["commenters"]), (&json!(0), &json!([])));
            let text = seen.to_string();
            assert!(!text.contains("One") && !text.contains("Two") && text.contains("\"openThreadCount\":0"), "{text}");
            assert_eq!(server.refusal(person, &start, json!({"i": {"pageId": school.pages[0], "text": "x"}})).await, "FORBIDDEN");
        }
        assert_eq!(server.refusal(&school.stranger, &start, json!({"i": {"pageId": school.pages[0], "text": "x"}})).await, "NOT_FOUND");
    }

    async fn a_preview_shows_no_comments(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let start = mutation("startThread", "StartThreadInput", "{ id }");
        server.data(&school.owner, &start, json!({"i": {"pageId": school.pages[0], "text": "One"}})).await;
        let query = "query($id: ID!) { coursePreview(id: $id, as: {}) { commenters { id } commentThreads { totalCount }
            modules { lessons { pages { openThreadCount commentThreads { id } } } } } }";
        let seen = server.data(&school.owner, query, json!({"id": school.course})).await;
        assert_eq!((&seen["commentThreads"]["totalCount"], &seen["commenters"]), (&json!(0), &json!([])));
        let page = &seen["modules"][0]["lessons"][0]["pages"][0];
        assert_eq!(*page, json!({"openThreadCount": 0, "commentThreads": []}));
    }
}
