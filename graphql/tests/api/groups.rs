//! Groups of a course's learners.

use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

const CREATE: &str =
    "mutation($i: CreateGroupInput!) { createGroup(input: $i) { group { id title position shareCode studentsCount }
    course { id groups { title } } } }";
const UPDATE: &str = "mutation($i: UpdateGroupInput!) { updateGroup(input: $i) { group { title position } course { groups { title position } } } }";
const DELETE: &str =
    "mutation($i: GroupInput!) { deleteGroup(input: $i) { groupId message course { groups { title position } } } }";
const CODE: &str = "mutation($i: GroupInput!) { generateGroupCode(input: $i) { group { shareCode } } }";
const NO_CODE: &str = "mutation($i: GroupInput!) { removeGroupCode(input: $i) { group { shareCode } } }";
const MOVE: &str = "mutation($i: MoveStudentsInput!) { moveStudents(input: $i) { moved unchanged notFound course { groups { studentsCount } } } }";
const BY_EMAIL: &str =
    "mutation($i: MoveStudentsByEmailInput!) { moveStudentsByEmail(input: $i) { moved unchanged notFound } }";
const CLASS: &str = "query($id: ID!, $group: ID) { course(id: $id) { groups { id title shareCode }
    students(groupId: $group) { totalCount nodes { id group { id title } } } exportUrl(format: CSV, groupId: $group)
    enrollment { groupTitle } } }";
const MAP: &str = "query($id: ID!, $group: ID) { courseHeatMap(courseId: $id, groupId: $group) { students } }";
const ENROLL: &str =
    "mutation($code: String!) { enroll(input: {shareCode: $code}) { enrollment { groupTitle } error } }";

/// Creates a group and returns its id.
async fn group(server: &Server, school: &School, title: &str) -> Value {
    let input = json!({"i": {"courseId": school.course, "title": title}});
    server.data(&school.teacher, CREATE, input).await["group"]["id"].clone()
}

both! {
    async fn a_move_does_not_overwrite_a_later_one(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (a, b) = (group(&server, &school, "А").await, group(&server, &school, "Б").await);
        let students = "query($id: ID!) { course(id: $id) { students { nodes { id } } } }";
        let student = server.data(&school.owner, students, json!({"id": school.course})).await["students"]["nodes"][0]["id"].clone();
        let query = "mutation($i: MoveStudentsInput!) { moveStudents(input: $i) { moved unchanged notFound
            conflict { message changed { enrollmentId groupId } } } }";
        let send = async |to: &Value, expected: &Value| {
            let input = json!({"courseId": school.course, "enrollmentIds": [student], "groupId": to, "expectedGroupId": expected});
            server.data(&school.teacher, query, json!({"i": input})).await
        };
        let done = json!({"moved": [student], "unchanged": [], "notFound": [], "conflict": null});
        assert_eq!(send(&a, &Value::Null).await, done);
        server.data(&school.owner, MOVE, json!({"i": {"courseId": school.course, "enrollmentIds": [student], "groupId": b}})).await;
        assert_eq!(send(&Value::Null, &a).await, json!({"moved": [], "unchanged": [], "notFound": [], "conflict": {
            "message": "Somebody else has moved these students to another group since you read it",
            "changed": [{"enrollmentId": student, "groupId": b}],
        }}));
        assert_eq!(send(&Value::Null, &b).await, done);
        let bad = json!({"courseId": school.course, "enrollmentIds": [student], "groupId": null, "expectedGroupId": "x"});
        assert_eq!(server.bad_fields(&school.owner, query, json!({"i": bad})).await, ["expectedGroupId uuid_parsing"]);
        let input = |group: Value| json!({"i": {"courseId": school.course, "enrollmentIds": [student], "groupId": b, "expectedGroups": [group]}});
        let refused = server.data(&school.teacher, query, input(json!({"enrollmentId": student, "groupId": a}))).await;
        assert_eq!(refused["conflict"]["changed"], json!([{"enrollmentId": student, "groupId": null}]));
        let missing = server.bad_fields(&school.teacher, query, input(json!({"enrollmentId": student}))).await;
        assert_eq!(missing, ["expectedGroups[0].groupId missing"]);
        let kept = server.data(&school.teacher, query, input(json!({"enrollmentId": student, "groupId": null}))).await;
        assert_eq!(kept, done);
    }

    async fn teachers_manage_groups(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let made = server.data(&school.teacher, CREATE, json!({"i": {"courseId": school.course, "title": "А"}})).await;
        let a = made["group"]["id"].clone();
        assert_eq!(made, json!({"group": {"id": a, "title": "А", "position": 0, "shareCode": null, "studentsCount": 0},
            "course": {"id": school.course, "groups": [{"title": "А"}]}}));
        let b = group(&server, &school, "Б").await;
        let moved = server.data(&school.owner, UPDATE, json!({"i": {"groupId": b, "position": 0, "title": "Бета"}})).await;
        assert_eq!(moved["course"]["groups"], json!([{"title": "Бета", "position": 0}, {"title": "А", "position": 1}]));
        let deleted = server.data(&school.owner, DELETE, json!({"i": {"groupId": b}})).await;
        assert_eq!(deleted, json!({"groupId": b, "message": "The group was deleted", "course": {"groups": [{"title": "А", "position": 0}]}}));
        for (query, input) in [
            (CREATE, json!({"courseId": school.course, "title": "x"})),
            (UPDATE, json!({"groupId": a, "title": "x"})),
            (CODE, json!({"groupId": a})),
            (NO_CODE, json!({"groupId": a})),
            (MOVE, json!({"courseId": school.course, "enrollmentIds": [a], "groupId": null})),
            (BY_EMAIL, json!({"courseId": school.course, "emails": "x", "groupId": null})),
            (DELETE, json!({"groupId": a})),
        ] {
            for (token, code) in [
                ("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"),
                (&school.editor, "FORBIDDEN"), (&school.admin, "FORBIDDEN"),
            ] {
                let refused = server.ask(token, query, json!({"i": input})).await;
                assert_eq!(refused["errors"][0]["extensions"]["code"], code, "{query}");
            }
        }
    }

    async fn students_are_moved_and_filtered_by_group(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (a, b) = (group(&server, &school, "А").await, group(&server, &school, "Б").await);
        let all = server.data(&school.owner, CLASS, json!({"id": school.course})).await;
        let student = all["students"]["nodes"][0]["id"].clone();
        assert_eq!(all["students"]["nodes"][0]["group"], Value::Null);
        let moved = json!({"courseId": school.course, "enrollmentIds": [student, a], "groupId": a});
        let moved = server.data(&school.teacher, MOVE, json!({"i": moved})).await;
        assert_eq!(moved, json!({"moved": [student], "unchanged": [], "notFound": [a], "course": {"groups": [{"studentsCount": 1}, {"studentsCount": 0}]}}));
        for (filter, count) in [(json!(null), 1), (a.clone(), 1), (b.clone(), 0), (json!("none"), 0), (student.clone(), 0)] {
            let variables = json!({"id": school.course, "group": filter});
            let class = server.data(&school.teacher, CLASS, variables.clone()).await;
            assert_eq!(class["students"]["totalCount"], count, "{filter}");
            assert_eq!(server.data(&school.teacher, MAP, variables).await["students"], count);
            let address = class["exportUrl"].as_str().unwrap();
            assert_eq!(address.contains("&group_id="), !filter.is_null(), "{address}");
        }
        let refused = server.ask(&school.owner, MAP, json!({"id": school.course, "group": "x"})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "BAD_USER_INPUT");
        let missing = json!({"i": {"courseId": school.course, "enrollmentIds": [student]}});
        let refused = server.ask(&school.owner, MOVE, missing).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "BAD_USER_INPUT", "a group that is left out is not null");
        let pasted = json!({"courseId": school.course, "emails": "learner@example.com nobody@example.com", "groupId": b});
        let moved = server.data(&school.teacher, BY_EMAIL, json!({"i": pasted})).await;
        assert_eq!(moved, json!({"moved": ["learner@example.com"], "unchanged": [], "notFound": ["nobody@example.com"]}));
    }

    async fn learners_see_the_own_group_and_no_other(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let (a, b) = (group(&server, &school, "А").await, group(&server, &school, "Б").await);
        let mut codes = Vec::new();
        for id in [&a, &b] {
            let made = server.data(&school.owner, CODE, json!({"i": {"groupId": id}})).await;
            codes.push(made["group"]["shareCode"].clone());
        }
        for code in [&codes[1], &codes[0]] {
            let enrolled = server.data(&school.learner, ENROLL, json!({"code": code})).await;
            assert_eq!(enrolled, json!({"enrollment": {"groupTitle": "Б"}, "error": null}));
        }
        let seen = server.data(&school.learner, CLASS, json!({"id": school.course})).await;
        assert_eq!(seen, json!({"groups": null, "students": null, "exportUrl": null, "enrollment": {"groupTitle": "Б"}}));
        let admin = server.data(&school.admin, CLASS, json!({"id": school.course})).await;
        assert_eq!(admin["groups"][0], json!({"id": a, "title": "А", "shareCode": null}));
        let removed = server.data(&school.teacher, NO_CODE, json!({"i": {"groupId": a}})).await;
        assert_eq!(removed["group"]["shareCode"], Value::Null);
    }
}
