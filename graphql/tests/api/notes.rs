//! Notes, bookmarks and ticks.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const NOTE: &str =
    "{ id color body version state quote { exact prefix suffix } place { block start end } pageId page { id } }";

both! {
    async fn a_learner_notes_and_nobody_else_reads(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let page = school.pages[0];
        let call = async |by: &str, name: &str, input: &str, shown: &str, fields: Value| {
            let mutation = format!("mutation($i: {input}!) {{ {name}(input: $i) {{ {shown} }} }}");
            server.data(by, &mutation, json!({"i": fields})).await
        };
        let note = format!("note {NOTE}");
        let created = call(&school.learner, "createNote", "CreateNoteInput", &note,
            json!({"pageId": page, "color": "GREEN", "body": "Mine", "version": 1, "block": 0, "quote": "Page"})).await;
        let id = created["note"]["id"].clone();
        assert_eq!(created["note"], json!({"id": id, "color": "GREEN", "body": "Mine", "version": 1, "state": "FOUND",
            "quote": {"exact": "Page", "prefix": "", "suffix": " 0\n"}, "place": {"block": 0, "start": 0, "end": 4}, "pageId": page, "page": {"id": page}}));
        let changed = call(&school.learner, "updateNote", "UpdateNoteInput", &note, json!({"noteId": id, "version": 1, "color": "PINK"})).await;
        assert_eq!((&changed["note"]["color"], &changed["note"]["body"], &changed["note"]["version"]), (&json!("PINK"), &json!("Mine"), &json!(2)));
        let marked = call(&school.learner, "setBookmark", "SetBookmarkInput", "page { isBookmarked tickedTasks notes { id } }",
            json!({"pageId": page, "isBookmarked": true})).await;
        assert_eq!(marked["page"], json!({"isBookmarked": true, "tickedTasks": [], "notes": [{"id": id}]}));
        let list = "query($id: ID!) { courseNotes(courseId: $id, search: \"mine\") { course { id } notes { totalCount nodes { id } } bookmarks { id } markdown } }";
        let listed = server.data(&school.learner, list, json!({"id": school.course})).await;
        assert_eq!((&listed["notes"], &listed["bookmarks"]), (&json!({"totalCount": 1, "nodes": [{"id": id}]}), &json!([{"id": page}])));
        assert!(listed["markdown"].as_str().unwrap().contains("> Page"), "{listed}");
        let noted = server.data(&school.learner, "{ notedCourses { courseId noteCount hasLeft } }", json!({})).await;
        assert_eq!(noted, json!([{"courseId": school.course, "noteCount": 1, "hasLeft": false}]));
        let shown = "query($id: ID!) { page(id: $id) { isBookmarked tickedTasks notes { id } } }";
        for other in [&school.owner, &school.teacher] {
            let none = server.data(other, shown, json!({"id": page})).await;
            assert_eq!(none, json!({"isBookmarked": false, "tickedTasks": [], "notes": []}));
            let listed = server.data(other, list, json!({"id": school.course})).await;
            assert_eq!((&listed["notes"]["totalCount"], &listed["bookmarks"]), (&json!(0), &json!([])));
        }
        let deleted = call(&school.learner, "deleteNote", "DeleteNoteInput", "noteId pageId", json!({"noteId": id})).await;
        assert_eq!(deleted, json!({"noteId": id, "pageId": page}));
    }
}
