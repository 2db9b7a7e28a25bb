//! Tests public pages, the catalogue and joining. The REST tests cover uploading covers.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const SET: &str =
    "mutation($id: ID!, $to: CourseVisibility!) { setVisibility(input: {courseId: $id, visibility: $to}) {
    course { publicPage { visibility coverUrl } } } }";
const SETTINGS: &str = "query($id: ID!) { course(id: $id) { publicPage { visibility coverUrl } } }";
const PAGE: &str =
    "query($id: ID!) { publicCourse(id: $id) { visibility isEnrollmentOpen lessonCount pageCount quizCount
    course { id title authors cover { url width height } startsAt endsAt enrollUntil timeZone updatedAt description }
    modules { title lessons { title pageCount quizCount } } } }";
const CATALOGUE: &str =
    "query($search: String) { catalogue(search: $search, first: 10) { totalCount nodes { id title authors } } }";
const JOIN: &str = "mutation($id: ID!) { joinCourse(input: {courseId: $id}) { enrollment { id course { myRole } } } }";
const REMOVE: &str =
    "mutation($id: ID!) { removeCover(input: {courseId: $id}) { course { publicPage { coverUrl } } } }";

both! {
    async fn visitors_read_public_pages_and_join(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let id = json!({"id": school.course});
        assert_eq!(server.refusal("", PAGE, id.clone()).await, "NOT_FOUND");
        assert_eq!(server.refusal(&school.stranger, JOIN, id.clone()).await, "NOT_FOUND");
        for who in [&school.owner, &school.editor, &school.teacher, &school.admin] {
            let course = server.data(who, SETTINGS, id.clone()).await;
            assert_eq!(course["publicPage"], json!({"visibility": "PRIVATE", "coverUrl": null}));
        }
        assert_eq!(server.data(&school.learner, SETTINGS, id.clone()).await["publicPage"], Value::Null);
        let set = json!({"id": school.course, "to": "PUBLIC"});
        for (who, code) in [("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"),
            (&school.teacher, "FORBIDDEN"), (&school.editor, "FORBIDDEN"), (&school.admin, "FORBIDDEN")] {
            assert_eq!(server.refusal(who, SET, set.clone()).await, code);
        }
        let shown = server.data(&school.owner, SET, set).await;
        assert_eq!(shown["course"]["publicPage"]["visibility"], "PUBLIC");
        let page = server.data("", PAGE, id.clone()).await;
        assert_eq!((&page["course"]["id"], &page["visibility"], &page["isEnrollmentOpen"]), (&json!(school.course), &json!("PUBLIC"), &json!(true)));
        assert!(!page.to_string().contains('@'), "{page}");
        assert!(page["modules"][0]["lessons"][0]["pageCount"].as_i64().unwrap() > 0);
        let listed = server.data("", CATALOGUE, json!({})).await;
        assert_eq!((&listed["totalCount"], &listed["nodes"][0]["id"]), (&json!(1), &json!(school.course)));
        assert_eq!(server.data("", CATALOGUE, json!({"search": "no such title"})).await["totalCount"], 0);
        assert_eq!(server.refusal("", JOIN, id.clone()).await, "UNAUTHENTICATED");
        let joined = server.data(&school.stranger, JOIN, id.clone()).await;
        assert_eq!(joined["enrollment"]["course"]["myRole"], "LEARNER");
        assert_eq!(server.data(&school.stranger, JOIN, id.clone()).await, joined);
        assert_eq!(server.refusal(&school.teacher, REMOVE, id.clone()).await, "FORBIDDEN");
        let removed = server.data(&school.editor, REMOVE, id).await;
        assert_eq!(removed["course"]["publicPage"]["coverUrl"], Value::Null);
    }
}
