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

    async fn a_change_based_on_another_override_is_a_conflict_with_the_stored_one(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let student = student(&server, &school).await;
        let set = "mutation($i: SetOverrideInput!) { setOverride(input: $i) { scheduleOverride { id dueAt timeFactor } course { id }
            conflict { message scheduleOverride { id dueAt timeFactor lifted } } } }";
        let change = async |limits: Value, expected: Value| {
            let mut input = json!({"courseId": school.course, "enrollmentId": student, "lessonId": school.lessons[0], "expected": expected});
            input.as_object_mut().unwrap().extend(limits.as_object().unwrap().clone());
            server.data(&school.teacher, set, json!({"i": input})).await
        };
        let first = change(json!({"dueAt": null, "timeFactor": 1.5}), json!(null)).await;
        let id = first["scheduleOverride"]["id"].clone();
        assert_eq!(first["conflict"], Value::Null);
        let stored = json!({"id": id, "dueAt": null, "timeFactor": 1.5, "lifted": ["DUE_AT"]});
        let conflict = json!({"message": "Somebody else has changed this override since you read it", "scheduleOverride": stored});
        for read in [json!(null), json!({}), json!({"dueAt": null}), json!({"dueAt": "2026-12-01T10:00:00Z", "timeFactor": 1.5})] {
            let refused = change(json!({"timeFactor": 2}), read).await;
            assert_eq!(refused, json!({"scheduleOverride": null, "course": {"id": school.course}, "conflict": conflict}));
        }
        let delete = "mutation($i: OverrideInput!) { deleteOverride(input: $i) { overrideId message conflict { scheduleOverride { id } } } }";
        let kept = server.data(&school.owner, delete, json!({"i": {"overrideId": id, "expected": {"timeFactor": 1.5}}})).await;
        assert_eq!(kept, json!({"overrideId": null, "message": conflict["message"], "conflict": {"scheduleOverride": {"id": id}}}));
        let second = change(json!({"timeFactor": 2}), json!({"dueAt": null, "timeFactor": 1.5})).await;
        assert_eq!(second["scheduleOverride"], json!({"id": id, "dueAt": null, "timeFactor": 2.0}));
        let gone = server.data(&school.owner, delete, json!({"i": {"overrideId": id, "expected": {"timeFactor": 2}}})).await;
        assert_eq!([&gone["overrideId"], &gone["conflict"]], [&id, &Value::Null]);
        let nothing = change(json!({"timeFactor": 2}), json!({"timeFactor": 2})).await;
        assert_eq!(nothing["conflict"]["scheduleOverride"], Value::Null, "there is none to change");
    }

    async fn several_overrides_are_set_together_or_not_at_all(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let student = student(&server, &school).await;
        let course = "mutation($i: UpdateCourseInput!) { updateCourse(input: $i) { course { id } } }";
        server.data(&school.owner, course, json!({"i": {"courseId": school.course, "endsAt": "2026-12-01"}})).await;
        let times = "query($of: OverrideTimesInput!) { overrideTimes(of: $of) { everyone { availableUntil dueAt } group { dueAt }
            result { availableFrom availableUntil dueAt lateUntil isLateEndless } deadline earlierEnds { moduleId lessonId pageId availableUntil }
            earlierParts { totalCount nodes { moduleId lessonId pageId at } } earlierStudents { totalCount nodes { student { id email } at } } } }";
        let of = json!({"courseId": school.course, "enrollmentId": student, "lessonId": school.lessons[0],
            "limits": {"dueAt": "2026-12-05", "availableFrom": null}});
        let (end, due) = ("2026-12-01T23:59:00Z", "2026-12-05T23:59:00Z");
        assert_eq!(server.data(&school.editor, times, json!({"of": of})).await, json!({
            "everyone": {"availableUntil": end, "dueAt": null}, "group": null,
            "result": {"availableFrom": null, "availableUntil": end, "dueAt": due, "lateUntil": null, "isLateEndless": false},
            "deadline": due, "earlierEnds": [{"moduleId": null, "lessonId": null, "pageId": null, "availableUntil": end}],
            "earlierParts": {"totalCount": 0, "nodes": []}, "earlierStudents": {"totalCount": 0, "nodes": []},
        }));
        let refused = server.ask(&school.learner, times, json!({"of": of})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "FORBIDDEN");
        assert_eq!(server.bad_fields(&school.owner, times, json!({"of": {"courseId": school.course, "pageId": "x", "limits": {"dueAt": "soon"}}})).await,
            ["pageId uuid_parsing", "limits.dueAt value_error"]);

        let set = "mutation($i: SetOverridesInput!) { setOverrides(input: $i) { scheduleOverrides { lessonId dueAt availableUntil timeFactor }
            conflict { message changed { moduleId lessonId pageId scheduleOverride { dueAt } } } course { id } } }";
        let send = async |overrides: Value, zone: Value| {
            let input = json!({"courseId": school.course, "enrollmentId": student, "overrides": overrides, "expectedTimeZone": zone});
            server.data(&school.teacher, set, json!({"i": input})).await
        };
        let both = json!([
            {"lessonId": school.lessons[0], "dueAt": due, "timeFactor": 1.5, "expected": null},
            {"availableUntil": due, "expected": null},
        ]);
        assert_eq!(send(both.clone(), Value::Null).await, json!({"conflict": null, "course": {"id": school.course}, "scheduleOverrides": [
            {"lessonId": school.lessons[0], "dueAt": due, "availableUntil": null, "timeFactor": 1.5},
            {"lessonId": null, "dueAt": null, "availableUntil": due, "timeFactor": null},
        ]}));
        let refused = send(both, Value::Null).await;
        assert_eq!(refused["scheduleOverrides"], Value::Null);
        assert_eq!(refused["conflict"], json!({"message": "Somebody else has changed this override since you read it", "changed": [
            {"moduleId": null, "lessonId": school.lessons[0], "pageId": null, "scheduleOverride": {"dueAt": due}},
            {"moduleId": null, "lessonId": null, "pageId": null, "scheduleOverride": {"dueAt": null}},
        ]}));
        let back = json!([{"lessonId": school.lessons[0], "expected": {"dueAt": due, "timeFactor": 1.5}}, {"expected": {"availableUntil": due}}]);
        assert_eq!(send(back, Value::Null).await["scheduleOverrides"], json!([null, null]));
        let other = send(json!([{"lessonId": school.lessons[0], "dueAt": "2026-11-30"}]), json!("Europe/Moscow")).await;
        let told = "Somebody else has changed the time zone of the course. Check the times";
        assert_eq!(other["conflict"], json!({"message": told, "changed": []}));
        let one = "mutation($i: SetOverrideInput!) { setOverride(input: $i) { scheduleOverride { id } conflict { message scheduleOverride { id } } } }";
        let input = json!({"courseId": school.course, "enrollmentId": student, "availableUntil": "2026-12-30", "expectedTimeZone": "Europe/Moscow"});
        let other = server.data(&school.teacher, one, json!({"i": input})).await;
        assert_eq!(other, json!({"scheduleOverride": null, "conflict": {"message": told, "scheduleOverride": null}}));
        let bad = json!({"courseId": school.course, "enrollmentId": student, "overrides": [{"dueAt": "soon"}, {"extraAttempts": 101}]});
        assert_eq!(server.bad_fields(&school.owner, set, json!({"i": bad})).await,
            ["overrides[0].dueAt value_error", "overrides[1].extraAttempts less_than_equal"]);
    }

    async fn parts_and_students_that_still_end_earlier_are_named(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (student, page) = (student(&server, &school).await, school.pages[0]);
        let created = "mutation($i: CreateGroupInput!) { createGroup(input: $i) { group { id } } }";
        let group = server.data(&school.owner, created, json!({"i": {"courseId": school.course, "title": "А"}})).await["group"]["id"].clone();
        let moved = "mutation($i: MoveStudentsInput!) { moveStudents(input: $i) { moved } }";
        server.data(&school.owner, moved, json!({"i": {"courseId": school.course, "enrollmentIds": [student], "groupId": group}})).await;
        let dated = "mutation($i: UpdatePageInput!) { updatePage(input: $i) { page { id } } }";
        server.data(&school.owner, dated, json!({"i": {"pageId": page, "dueAt": "2026-12-02"}})).await;
        let own = json!({"courseId": school.course, "enrollmentId": student, "lessonId": school.lessons[0], "dueAt": "2026-12-03"});
        server.data(&school.teacher, SET, json!({"i": own})).await;
        let times = "query($of: OverrideTimesInput!) { overrideTimes(of: $of) {
            earlierParts { totalCount nodes { moduleId lessonId pageId at } } earlierStudents { totalCount nodes { student { id email } at } } } }";
        let of = json!({"courseId": school.course, "groupId": group, "lessonId": school.lessons[0], "limits": {"dueAt": "2026-12-05"}});
        assert_eq!(server.data(&school.editor, times, json!({"of": of})).await, json!({
            "earlierParts": {"totalCount": 1, "nodes": [{"moduleId": null, "lessonId": null, "pageId": page, "at": "2026-12-02T23:59:00Z"}]},
            "earlierStudents": {"totalCount": 1, "nodes": [{"student": {"id": student, "email": "learner@example.com"}, "at": "2026-12-03T23:59:00Z"}]},
        }));
    }

    async fn attempts_are_added(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let student = student(&server, &school).await;
        let make = "mutation($i: CreatePageInput!) { createPage(input: $i) { page { id } } }";
        let page = server.data(&school.owner, make, json!({"i": {"lessonId": school.lessons[0], "kind": "QUIZ", "published": false}})).await;
        let mut input = json!({"courseId": school.course, "enrollmentId": student, "pageId": page["page"]["id"], "addAttempts": 2});
        for given in [2, 4] {
            let set = server.data(&school.teacher, SET, json!({"i": input})).await;
            assert_eq!(set["scheduleOverride"]["extraAttempts"], given);
        }
        input["addAttempts"] = json!(101);
        assert_eq!(server.bad_fields(&school.owner, SET, json!({"i": input})).await, ["addAttempts less_than_equal"]);
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
