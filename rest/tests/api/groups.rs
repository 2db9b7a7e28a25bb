//! Groups of a course's learners over HTTP. What each role may do is in the table of rights.

use kurso_core::both;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{School, Server};

/// Creates a group of the school's course and returns its id.
async fn group(school: &School<'_>, title: &str) -> String {
    let path = format!("/courses/create_group/{}", school.course);
    let group = school.owner.post_json(&path, json!({"title": title})).await.ok();
    group["id"].as_str().unwrap().to_owned()
}

async fn enrollment(school: &School<'_>) -> String {
    let path = format!("/courses/course_students/{}", school.course);
    let list = school.owner.get(&path).await.ok();
    list["data"][0]["enrollment_id"].as_str().unwrap().to_owned()
}

both! {
    async fn groups_are_listed_changed_and_deleted(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (a, b) = (group(&school, "А").await, group(&school, "Б").await);
        let path = format!("/courses/update_group/{b}");
        let moved = school.teacher.put_json(&path, json!({"title": "Бета", "position": 0})).await.ok();
        assert_eq!(moved, json!({"id": b, "course_id": school.course, "title": "Бета", "position": 0, "share_code": null, "students": 0}));
        let list = format!("/courses/groups/{}", school.course);
        let all = school.editor.get(&list).await.ok();
        assert_eq!(all["count"], 2);
        assert_eq!([&all["data"][0]["title"], &all["data"][1]["id"], &all["data"][1]["position"]], [&json!("Бета"), &json!(a), &json!(1)]);
        let deleted = school.teacher.delete(&format!("/courses/delete_group/{b}")).await.ok();
        assert_eq!(deleted, json!({"message": "The group was deleted"}));
        school.owner.delete(&format!("/courses/delete_group/{b}")).await.refused(404, "There is no such group");
        let create = format!("/courses/create_group/{}", school.course);
        for (body, fields) in [
            (json!({}), vec!["missing at body.title"]),
            (json!({"title": "", "position": -1}), vec!["string_too_short at body.title", "greater_than_equal at body.position"]),
        ] {
            assert_eq!(school.owner.post_json(&create, body).await.fields(), fields);
        }
        assert_eq!(school.owner.delete("/courses/delete_group/x").await.fields(), ["uuid_parsing at path.group_id"]);
    }

    async fn a_learner_joins_by_a_groups_code_and_sees_the_own_group_only(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (a, b) = (group(&school, "А").await, group(&school, "Б").await);
        let code = async |id: &str| {
            let made = school.teacher.post(&format!("/courses/generate_group_code/{id}")).await.ok();
            made["share_code"].as_str().unwrap().to_owned()
        };
        let (a_code, b_code) = (code(&a).await, code(&b).await);
        let enroll = async |code: &str| school.learner.post_json("/courses/enroll", json!({"share_code": code})).await;
        assert_eq!(enroll(&school.share_code).await.ok()["group_title"], Value::Null);
        assert_eq!(enroll(&b_code).await.ok()["group_title"], "Б");
        assert_eq!(enroll(&a_code).await.ok()["group_title"], "Б", "only staff move learners");
        for path in ["/courses/my_enrolled_courses".to_owned(), format!("/courses/enrolled_course/{}", school.course)] {
            let text = school.learner.get(&path).await.ok().to_string();
            assert!(text.contains(r#""group_title":"Б""#), "{text}");
            for hidden in [&a_code, &b_code, &a, &b, &"\"А\"".to_owned()] {
                assert!(!text.contains(hidden.as_str()), "{text}");
            }
        }
        let removed = school.teacher.delete(&format!("/courses/remove_group_code/{a}")).await.ok();
        assert_eq!(removed["share_code"], Value::Null);
        enroll(&a_code).await.refused(404, "There is no course with this code");
        let staff = school.owner.get(&format!("/courses/enrolled_course/{}", school.course)).await.ok();
        assert_eq!(staff["group_title"], Value::Null);
        let admin = school.admin.get(&format!("/courses/groups/{}", school.course)).await.ok();
        assert_eq!(admin["data"][1]["share_code"], Value::Null, "superusers see no codes");
    }

    async fn students_are_moved_by_id_and_by_address(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (a, id, unknown) = (group(&school, "А").await, enrollment(&school).await, Uuid::now_v7());
        let by_id = format!("/courses/move_students/{}", school.course);
        let by_email = format!("/courses/move_students_by_email/{}", school.course);
        let moved = school.teacher.post_json(&by_id, json!({"enrollment_ids": [id, unknown], "group_id": a})).await.ok();
        assert_eq!(moved, json!({"moved": [id], "unchanged": [], "not_found": [unknown]}));
        let pasted = "Learner <LEARNER@example.com>\nstranger@example.com";
        let answer = school.teacher.post_json(&by_email, json!({"emails": pasted, "group_id": a})).await.ok();
        assert_eq!(answer, json!({"moved": [], "unchanged": ["LEARNER@example.com"], "not_found": ["stranger@example.com"]}));
        let preview = json!({"emails": pasted, "group_id": null, "preview": true});
        assert_eq!(school.teacher.post_json(&by_email, preview).await.ok()["moved"], json!(["LEARNER@example.com"]));
        let list = school.owner.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        assert_eq!(list["data"][0]["group"], json!({"id": a, "title": "А"}), "a preview changes nothing");
        let detail = school.owner.get(&format!("/courses/student_detailed_progress/{id}")).await.ok();
        assert_eq!(detail["enrollment"]["group"]["title"], "А");
        for (path, body, fields) in [
            (&by_id, json!({"enrollment_ids": []}), vec!["too_short at body.enrollment_ids", "missing at body.group_id"]),
            (&by_id, json!({"enrollment_ids": ["x", 7], "group_id": "y"}),
                vec!["uuid_parsing at body.enrollment_ids.0", "uuid_type at body.enrollment_ids.1", "uuid_parsing at body.group_id"]),
            (&by_id, json!({"enrollment_ids": id, "group_id": null}), vec!["list_type at body.enrollment_ids"]),
            (&by_id, json!({"enrollment_ids": vec![unknown; 1001], "group_id": null}), vec!["too_long at body.enrollment_ids"]),
            (&by_id, json!({"enrollment_ids": [id], "group_id": unknown}), vec!["value_error at body.group_id"]),
            (&by_email, json!({"emails": "", "group_id": null}), vec!["string_too_short at body.emails"]),
            (&by_email, json!({"emails": "a@b.c ".repeat(1001), "group_id": null}), vec!["too_long at body.emails"]),
        ] {
            assert_eq!(school.owner.post_json(path, body).await.fields(), fields);
        }
    }

    async fn a_move_does_not_overwrite_a_later_one(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (a, b, id) = (group(&school, "А").await, group(&school, "Б").await, enrollment(&school).await);
        let path = format!("/courses/move_students/{}", school.course);
        let send = async |to: Value, expected: Value| {
            school.teacher.post_json(&path, json!({"enrollment_ids": [id], "group_id": to, "expected_group_id": expected})).await
        };
        send(json!(a), Value::Null).await.ok();
        school.owner.post_json(&path, json!({"enrollment_ids": [id], "group_id": b})).await.ok();
        let refused = send(Value::Null, json!(a)).await;
        assert_eq!((refused.status, refused.json()), (409, json!({
            "detail": "Somebody else has moved these students to another group since you read it",
            "changed": [{"enrollment_id": id, "group_id": b}],
        })));
        assert_eq!(send(Value::Null, json!(b)).await.ok(), json!({"moved": [id], "unchanged": [], "not_found": []}));
        assert_eq!(send(json!(a), json!("x")).await.fields(), ["uuid_parsing at body.expected_group_id"]);
        let send = async |expected: Value| {
            school.teacher.post_json(&path, json!({"enrollment_ids": [id], "group_id": b, "expected_groups": expected})).await
        };
        let refused = send(json!([{"enrollment_id": id, "group_id": a}])).await;
        assert_eq!((refused.status, &refused.json()["changed"]), (409, &json!([{"enrollment_id": id, "group_id": null}])));
        assert_eq!(send(json!([{"enrollment_id": id}])).await.fields(), ["missing at body.expected_groups.0.group_id"]);
        assert_eq!(send(Value::Null).await.fields(), ["list_type at body.expected_groups"]);
        let found = send(json!([{"enrollment_id": id, "group_id": null}])).await.ok();
        assert_eq!(found["moved"], json!([id]));
    }

    async fn the_class_is_filtered_by_group(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let (a, id) = (group(&school, "А").await, enrollment(&school).await);
        let other = server.person("other").await;
        other.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        let path = format!("/courses/move_students/{}", school.course);
        school.owner.post_json(&path, json!({"enrollment_ids": [id], "group_id": a})).await.ok();
        for (query, names) in [
            (String::new(), vec!["learner", "other"]),
            (format!("?group_id={a}"), vec!["learner"]),
            ("?group_id=none".to_owned(), vec!["other"]),
            (format!("?group_id={}", Uuid::now_v7()), vec![]),
        ] {
            let list = school.teacher.get(&format!("/courses/course_students/{}{query}", school.course)).await.ok();
            let found: Vec<_> = list["data"].as_array().unwrap().iter().map(|row| row["user"]["full_name"].as_str().unwrap()).collect();
            assert_eq!((found, &list["count"]), (names.clone(), &json!(names.len())));
            let map = school.teacher.get(&format!("/courses/course_heat_map/{}{query}", school.course)).await.ok();
            assert_eq!(map["students"], names.len());
            let query = query.replace('?', "&");
            let export = school.teacher.get(&format!("/courses/export/{}?format=csv{query}", school.course)).await;
            let text = export.text();
            assert_eq!(text.lines().count(), names.len() + 1, "{text}");
            assert!(names.iter().all(|name| text.contains(&format!("{name}@example.com"))));
        }
        for path in ["course_students", "course_heat_map"] {
            let refused = school.owner.get(&format!("/courses/{path}/{}?group_id=x", school.course)).await;
            assert_eq!(refused.fields(), ["uuid_parsing at query.group_id"]);
        }
        let refused = school.owner.get(&format!("/courses/export/{}?format=x&group_id=x", school.course)).await;
        assert_eq!(refused.fields(), ["enum at query.format", "uuid_parsing at query.group_id"]);
    }
}
