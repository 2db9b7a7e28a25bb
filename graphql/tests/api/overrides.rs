//! Overrides of dates and attempts for a group or a student.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const SET: &str = "mutation($i: SetOverrideInput!) { setOverride(input: $i) { scheduleOverride { id group { title } student { id email }
    moduleId lessonId pageId availableFrom availableUntil dueAt lateUntil extraAttempts timeFactor lifted } course { id } } }";
const DELETE: &str = "mutation($i: OverrideInput!) { deleteOverride(input: $i) { overrideId message course { id } } }";
const LIST: &str = "query($id: ID!, $group: ID, $student: ID, $first: Int) { overrides(courseId: $id, groupId: $group, enrollmentId: $student, first: $first) {
    totalCount nodes { id } pageInfo { hasNextPage } } }";
const PAGE: &str = "query($id: ID!) { page(id: $id) { timeline { state dueAt } dueAt } }";

async fn student(server: &Server, school: &School) -> Value {
    let query = "query($id: ID!) { course(id: $id) { students { nodes { id } } } }";
    let course = server.ask(&school.owner, query, json!({"id": school.course})).await;
    course["data"]["course"]["students"]["nodes"][0]["id"].clone()
}

both! {
    async fn teachers_set_list_and_delete_overrides(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (course, page, student) = (school.course, school.pages[0], student(&server, &school).await);
        let created = "mutation($i: CreateGroupInput!) { createGroup(input: $i) { group { id } } }";
        let group = server.data(&school.owner, created, json!({"i": {"courseId": course, "title": "А"}})).await["group"]["id"].clone();
        let input = json!({"courseId": course, "enrollmentId": student, "pageId": page, "dueAt": "2026-12-01", "availableUntil": null});
        let own = server.data(&school.teacher, SET, json!({"i": input})).await;
        let id = own["scheduleOverride"]["id"].clone();
        assert_eq!(own, json!({"course": {"id": course}, "scheduleOverride": {
            "id": id, "group": null, "student": {"id": student, "email": "learner@example.com"}, "moduleId": null, "lessonId": null, "pageId": page,
            "availableFrom": null, "availableUntil": null, "dueAt": "2026-12-01T23:59:00Z", "lateUntil": null, "extraAttempts": null,
            "timeFactor": null, "lifted": ["AVAILABLE_UNTIL"],
        }}));
        let input = json!({"courseId": course, "groupId": group, "availableFrom": "2026-11-01", "timeFactor": 2});
        let of_group = server.data(&school.owner, SET, json!({"i": input})).await["scheduleOverride"].clone();
        assert_eq!(of_group["timeFactor"], 2.0);
        let of_group = of_group["id"].clone();
        let list = async |more: Value| {
            let mut variables = json!({"id": course});
            variables.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.data(&school.editor, LIST, variables).await
        };
        let nodes = |ids: &[&Value]| ids.iter().map(|id| json!({"id": id})).collect::<Value>();
        assert_eq!(list(json!({})).await["nodes"], nodes(&[&of_group, &id]));
        assert_eq!(list(json!({"group": group})).await["nodes"], nodes(&[&of_group]));
        assert_eq!(list(json!({"student": student})).await["nodes"], nodes(&[&id]));
        let first = list(json!({"first": 1})).await;
        assert_eq!((&first["totalCount"], &first["pageInfo"]["hasNextPage"]), (&json!(2), &json!(true)));
        let learning = server.data(&school.learner, PAGE, json!({"id": page})).await;
        assert_eq!(learning, json!({"timeline": {"state": "OPEN", "dueAt": "2026-12-01T23:59:00Z"}, "dueAt": null}));
        let deleted = server.data(&school.teacher, DELETE, json!({"i": {"overrideId": id}})).await;
        assert_eq!(deleted, json!({"overrideId": id, "message": "The override was deleted", "course": {"id": course}}));
        for (query, variables) in [
            (SET, json!({"i": {"courseId": course, "groupId": group, "timeFactor": 2}})),
            (DELETE, json!({"i": {"overrideId": of_group}})),
        ] {
            for (token, code) in [
                ("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"),
                (&school.editor, "FORBIDDEN"), (&school.admin, "FORBIDDEN"),
            ] {
                let refused = server.ask(token, query, variables.clone()).await;
                assert_eq!(refused["errors"][0]["extensions"]["code"], code, "{query}");
            }
        }
        let refused = server.ask(&school.learner, LIST, json!({"id": course})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "FORBIDDEN");
    }

    async fn bad_overrides_are_refused_by_field(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let student = student(&server, &school).await;
        let refused = async |more: Value| {
            let mut input = json!({"courseId": school.course, "enrollmentId": student});
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.bad_fields(&school.owner, SET, json!({"i": input})).await
        };
        assert_eq!(refused(json!({"extraAttempts": 101, "timeFactor": 0.5, "dueAt": "soon"})).await, [
            "dueAt value_error", "extraAttempts less_than_equal", "timeFactor greater_than_equal",
        ]);
        assert_eq!(refused(json!({"dueAt": null})).await, ["dueAt value_error"]);
        assert_eq!(refused(json!({"moduleId": school.course, "timeFactor": 2})).await, ["moduleId value_error"]);
    }
}
