//! Questions under pages.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const DISCUSSION: &str = "{ id audience groupId replyCount waitingSince resolvedAt isPinned isLocked movedAt anchor { block quote } isUnread follows page { id }
    acceptedPostId hasWritten hasOtherWriters hasStaffAnswer reportCount question { ...P } }";
const POST: &str = "fragment P on DiscussionPost { id number author { fullName } isMine isAnonymous byAsker byStaff body editedAt isAccepted usefulCount
    isUseful hiddenReason hiddenBy { fullName } reports { by { fullName } reason } }";

fn mutation(name: &str, input: &str) -> String {
    let post = if matches!(name, "startDiscussion" | "noteDiscussion" | "changeDiscussion") {
        ""
    } else {
        "post { ...P }"
    };
    format!(
        "mutation($i: {input}!) {{ {name}(input: $i) {{ discussion {DISCUSSION} {post} page {{ blockQuestions {{ block openCount }} }} }} }} {POST}"
    )
}

fn post(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

both! {
    async fn questions_are_asked_answered_and_moderated(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = school.pages[0];
        let call = async |by: &str, name: &str, input: &str, fields: Value| {
            server.data(by, &mutation(name, input), json!({"i": fields})).await
        };
        let asked = call(&school.learner, "startDiscussion", "StartDiscussionInput",
            json!({"pageId": page, "body": post("Why?"), "version": 1, "block": 0})).await;
        assert_eq!(asked["page"]["blockQuestions"], json!([{"block": 0, "openCount": 1}]));
        let (id, question) = (&asked["discussion"]["id"], &asked["discussion"]["question"]["id"]);
        assert_eq!(asked["discussion"], json!({"id": id, "audience": "COURSE", "groupId": null, "replyCount": 0, "waitingSince": "2026-11-21T09:00:00Z",
            "resolvedAt": null, "isPinned": false, "isLocked": false, "movedAt": null, "anchor": {"block": 0, "quote": "Page 0"}, "isUnread": false,
            "follows": true, "page": {"id": page}, "acceptedPostId": null, "hasWritten": true, "hasOtherWriters": false, "hasStaffAnswer": false, "reportCount": 0,
            "question": {"id": question, "number": 0, "author": {"fullName": "learner"}, "isMine": true, "isAnonymous": false,
                "byAsker": true, "byStaff": false, "body": post("Why?"), "editedAt": null, "isAccepted": false, "usefulCount": 0, "isUseful": false,
                "hiddenReason": null, "hiddenBy": null, "reports": []}}));
        let answered = call(&school.teacher, "replyDiscussion", "ReplyDiscussionInput", json!({"discussionId": id, "body": post("So")})).await;
        let answer = &answered["post"]["id"];
        let marked = call(&school.learner, "markPost", "MarkPostInput", json!({"postId": answer, "isUseful": true})).await;
        assert_eq!(marked["post"]["usefulCount"], 1);
        let noted = call(&school.learner, "noteDiscussion", "NoteDiscussionInput", json!({"discussionId": id, "readPostId": answer})).await;
        assert_eq!(noted["discussion"]["isUnread"], false);
        let solved = call(&school.learner, "changeDiscussion", "ChangeDiscussionInput", json!({"discussionId": id, "acceptedPostId": answer})).await;
        assert_eq!((&solved["discussion"]["acceptedPostId"], &solved["page"]["blockQuestions"]), (answer, &json!([])));
        call(&school.learner, "reportPost", "ReportPostInput", json!({"postId": answer, "reason": "Rude"})).await;
        let hidden = call(&school.owner, "moderatePost", "ModeratePostInput", json!({"postId": answer, "action": "HIDE", "reason": "Yes"})).await;
        assert_eq!((&hidden["post"]["hiddenReason"], &hidden["post"]["reports"]), (&json!("Yes"), &json!([])));
        let edited = call(&school.learner, "editPost", "EditPostInput", json!({"postId": question, "body": post("Why not?")})).await;
        assert_eq!(edited["post"]["body"], post("Why not?"));
        let hide = mutation("moderatePost", "ModeratePostInput");
        let by_editor = json!({"i": {"postId": answer, "action": "SHOW"}});
        assert_eq!(server.refusal(&school.editor, &hide, by_editor).await, "FORBIDDEN");
        let delete = "mutation($i: DeletePostInput!) { deletePost(input: $i) { discussion { id question { body } } page { id } } }";
        let left = server.data(&school.learner, delete, json!({"i": {"postId": question}})).await;
        assert_eq!((&left["discussion"]["question"]["body"], &left["page"]["id"]), (&Value::Null, &json!(page)));
    }

    async fn lists_and_settings_are_for_those_who_discuss(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let start = "mutation($i: StartDiscussionInput!) { startDiscussion(input: $i) { discussion { id } } }";
        let private = json!({"i": {"pageId": school.pages[0], "body": post("Secret"), "toTeachers": true}});
        let private = server.data(&school.learner, start, private).await["discussion"]["id"].clone();
        let public = json!({"i": {"pageId": school.pages[1], "body": post("Why?")}});
        let public = server.data(&school.learner, start, public).await["discussion"]["id"].clone();
        let set = "mutation($i: SetDiscussionsInput!) { setDiscussions(input: $i) { course { discussionSettings { isOn allowsAnonymous isPerGroup words } } } }";
        let settings = server.data(&school.teacher, set, json!({"i": {"courseId": school.course, "words": ["spam"]}})).await;
        assert_eq!(settings["course"]["discussionSettings"], json!({"isOn": true, "allowsAnonymous": false, "isPerGroup": false, "words": ["spam"]}));
        let query = "query($id: ID!) { course(id: $id) { discussionSettings { isOn } discussions(first: 10) { totalCount nodes { id } }
            unanswered: discussions(filter: UNANSWERED) { nodes { id } }
            modules { lessons { pages { discussions { nodes { id } } blockQuestions { openCount } discussionRules { isOn isOnPage allowsAnonymous isPerGroup } } } } } }";
        for (by, ids, is_staff) in [
            (&school.owner, vec![&private, &public], true),
            (&school.teacher, vec![&private, &public], true),
            (&school.editor, vec![&public], true),
            (&school.learner, vec![&private, &public], false),
            (&school.admin, vec![], false),
        ] {
            let course = &server.data(by, query, json!({"id": school.course})).await;
            assert_eq!(course["discussions"]["totalCount"], if is_staff { ids.len() } else { 0 });
            assert_eq!(course["unanswered"]["nodes"].as_array().unwrap().len(), if is_staff { ids.len() } else { 0 });
            assert_eq!(course["discussionSettings"].is_null(), !is_staff);
            let pages = course["modules"].as_array().unwrap().iter().flat_map(|module| module["lessons"].as_array().unwrap());
            let pages: Vec<&Value> = pages.flat_map(|lesson| lesson["pages"].as_array().unwrap()).collect();
            let found: Vec<&Value> = pages.iter().flat_map(|page| page["discussions"]["nodes"].as_array().unwrap()).map(|node| &node["id"]).collect();
            assert_eq!(found, ids);
            let open: i64 = pages.iter().flat_map(|page| page["blockQuestions"].as_array().unwrap()).map(|block| block["openCount"].as_i64().unwrap()).sum();
            assert_eq!(usize::try_from(open), Ok(ids.len()));
            assert_eq!(pages[0]["discussionRules"].is_null(), ids.is_empty());
        }
        let one = "query($id: ID!) { discussion(id: $id) { id } }";
        assert_eq!(server.refusal(&school.editor, one, json!({"id": private})).await, "NOT_FOUND");
        assert_eq!(server.data(&school.teacher, one, json!({"id": private})).await["id"], private);
        let off = "mutation($i: SetPageDiscussionsInput!) { setPageDiscussions(input: $i) { page { discussionRules { isOn isOnPage } } } }";
        let off = server.data(&school.owner, off, json!({"i": {"pageId": school.pages[1], "isOn": false}})).await;
        assert_eq!(off["page"]["discussionRules"], json!({"isOn": false, "isOnPage": false}));
        assert_eq!(server.refusal(&school.learner, one, json!({"id": public})).await, "NOT_FOUND");
    }
}
