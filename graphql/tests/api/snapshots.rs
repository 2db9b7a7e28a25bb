//! Snapshots of courses.

use kurso_core::both;
use serde_json::{Value, json};

use crate::authoring::DELETE_PAGE;
use crate::support::{School, Server};

const TAKE: &str = "mutation($i: TakeSnapshotInput!) { takeSnapshot(input: $i) { snapshot { id courseId name reason takenAt takenBy { fullName }
    expiresAt moduleCount lessonCount pageCount } } }";
const LIST: &str = "query($id: ID!) { course(id: $id) { snapshots { id name } } }";
const SHOW: &str = "query($id: ID!, $page: ID!) { courseSnapshot(id: $id) { snapshot { id } title description
    outline { id title description lessons { id title pages { id title kind published hasDraft } } }
    page(id: $page) { id title kind published content authorQuiz draft { title content authorQuiz } }
    changes { digest course added { part id } removed { id } changed { part id title path number fields } moved { id } learnersAffected } } }";
const BETWEEN: &str =
    "query($id: ID!, $since: ID) { courseSnapshot(id: $id) { changes(since: $since) { digest changed { id } } } }";
const RENAME: &str = "mutation($i: RenameSnapshotInput!) { renameSnapshot(input: $i) { snapshot { name expiresAt } } }";
const DELETE: &str = "mutation($i: DeleteSnapshotInput!) { deleteSnapshot(input: $i) { snapshotId message } }";
const RESTORE: &str = "mutation($i: RestoreSnapshotInput!) { restoreSnapshot(input: $i) { course { title modules { lessons { pages { id } } } }
    before { id reason name } unpublishedPageIds } }";
const UPDATE_PAGE: &str = "mutation ($i: UpdatePageInput!) { updatePage(input: $i) { page { id } } }";

both! {
    async fn a_snapshot_is_taken_shown_compared_and_restored(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (page, gone) = (school.pages[1], school.pages[0]);
        let input = json!({"i": {"courseId": school.course, "name": "До правок"}});
        let taken = server.data(&school.editor, TAKE, input.clone()).await["snapshot"].clone();
        assert_eq!(taken, json!({
            "id": taken["id"], "courseId": school.course, "name": "До правок", "reason": "NAMED", "takenAt": "2026-11-21T09:00:00Z",
            "takenBy": {"fullName": "editor"}, "expiresAt": null, "moduleCount": taken["moduleCount"], "lessonCount": taken["lessonCount"],
            "pageCount": taken["pageCount"],
        }));
        assert_eq!(server.refusal(&school.teacher, TAKE, input).await, "FORBIDDEN");
        let empty = json!({"i": {"courseId": school.course, "name": ""}});
        assert_eq!(server.bad_fields(&school.editor, TAKE, empty).await, ["name string_too_short"]);
        let of = json!({"id": school.course});
        assert_eq!(server.data(&school.owner, LIST, of.clone()).await["snapshots"], json!([{"id": taken["id"], "name": "До правок"}]));
        assert_eq!(server.data(&school.teacher, LIST, of).await["snapshots"], json!([]));

        server.data(&school.editor, UPDATE_PAGE, json!({"i": {"pageId": page, "title": "Другая"}})).await;
        server.data(&school.editor, DELETE_PAGE, json!({"i": {"pageId": gone}})).await;
        let show = json!({"id": taken["id"], "page": page});
        let content = server.data(&school.editor, SHOW, show.clone()).await;
        assert_eq!((&content["title"], &content["page"]["title"], &content["page"]["draft"]), (&json!("Курс"), &json!("Стр. 1"), &Value::Null));
        assert_eq!(content["outline"][0]["lessons"][0]["pages"][1]["id"], json!(page));
        let changes = &content["changes"];
        assert_eq!(changes["added"], json!([{"part": "PAGE", "id": gone}]));
        assert_eq!(changes["changed"], json!([{"part": "PAGE", "id": page, "title": "Стр. 1", "path": ["Модуль 1", "Урок 1.1"], "number": 2, "fields": ["TITLE"]}]));
        assert_eq!(server.refusal(&school.teacher, SHOW, show.clone()).await, "FORBIDDEN");
        assert_eq!(server.refusal(&school.stranger, SHOW, show).await, "NOT_FOUND");
        let same = server.data(&school.editor, BETWEEN, json!({"id": taken["id"], "since": taken["id"]})).await;
        assert_eq!(same["changes"], json!({"digest": null, "changed": []}));

        let restore = |digest: &Value| json!({"i": {"snapshotId": taken["id"], "digest": digest}});
        assert_eq!(server.refusal(&school.editor, RESTORE, restore(&json!("x"))).await, "CONFLICT");
        let restored = server.data(&school.editor, RESTORE, restore(&changes["digest"])).await;
        assert_eq!((&restored["before"]["reason"], &restored["unpublishedPageIds"]), (&json!("BEFORE_RESTORE"), &json!([])));
        assert_eq!(restored["course"]["modules"][0]["lessons"][0]["pages"][0]["id"], json!(gone));
        let before = &restored["before"]["id"];
        let renamed = server.data(&school.editor, RENAME, json!({"i": {"snapshotId": before, "name": "После"}})).await;
        assert_eq!(renamed["snapshot"], json!({"name": "После", "expiresAt": null}));
        let deleted = server.data(&school.editor, DELETE, json!({"i": {"snapshotId": before}})).await;
        assert_eq!(deleted, json!({"snapshotId": before, "message": "The snapshot was deleted"}));
        assert_eq!(server.refusal(&school.editor, DELETE, json!({"i": {"snapshotId": before}})).await, "NOT_FOUND");
    }
}
