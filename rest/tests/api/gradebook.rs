//! Gradebooks over HTTP. What each role may do is in the table of rights.

use kurso_core::both;
use kurso_core::testing::exam::exam;
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::{NOW, Server};

/// The cells of the only row.
async fn cells(exam: &Exam<'_>) -> Value {
    let book = exam
        .school
        .owner
        .get(&format!("/courses/gradebook/{}", exam.school.course))
        .await
        .ok();
    book["data"][0]["cells"].clone()
}

both! {
    async fn a_gradebook_has_settings_and_rows(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let (school, course) = (&exam.school, exam.school.course);
        let path = format!("/courses/gradebook/{course}");
        let book = school.teacher.get(&path).await.ok();
        let item = &book["settings"]["items"][0];
        assert_eq!(book["settings"], json!({
            "course_id": course, "scheme": "percent", "labels": [], "thresholds": [], "missing_counts_as_zero": false, "is_blind": false, "categories": [],
            "items": [{"page_id": exam.page, "title": item["title"], "lesson_id": school.lesson, "lesson_title": item["lesson_title"],
                "published": true, "category_id": null, "points": "100", "extra_credit": false, "is_excluded": false}],
        }));
        let row = &book["data"][0];
        assert_eq!(book["data"], json!([{
            "enrollment_id": exam.enrollment, "user": {"id": row["user"]["id"], "full_name": row["user"]["full_name"], "email": "learner@example.com"},
            "group": null, "cells": [{"source": "none"}], "categories": [],
            "total": {"source": "none", "percent": null, "automatic": null, "label": null, "version": 0},
        }]));
        exam.submit(&exam.body(true).await).await.ok();
        assert_eq!(cells(&exam).await, json!([{"source": "automatic", "percent": "100", "points": "100"}]));
        for query in ["?sort=-total", "?search=learner&sort=email", "?skip=0&limit=5"] {
            assert_eq!(school.editor.get(&format!("{path}{query}")).await.ok()["count"], 1, "{query}");
        }
        assert_eq!(school.owner.get(&format!("{path}?search=nobody&group_id=none")).await.ok()["data"], json!([]));
        let wrong = school.owner.get(&format!("{path}?sort=points&group_id=x&limit=-1")).await;
        assert_eq!(wrong.fields(), ["greater_than_equal at query.limit", "uuid_parsing at query.group_id", "enum at query.sort"]);
    }

    async fn settings_categories_and_items_are_changed(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let (school, course) = (&exam.school, exam.school.course);
        exam.submit(&exam.body(true).await).await.ok();
        let update = format!("/courses/update_grade_settings/{course}");
        let body = json!({"scheme": "five_point", "thresholds": ["90", "72.5", "50"], "missing_counts_as_zero": true});
        let set = school.teacher.put_json(&update, body).await.ok();
        assert_eq!([&set["labels"], &set["thresholds"]], [&json!(["5", "4", "3", "2"]), &json!(["90", "72.5", "50"])]);
        assert_eq!((&set["scheme"], &set["missing_counts_as_zero"]), (&json!("five_point"), &json!(true)));
        let create = format!("/courses/create_grade_category/{course}");
        let made = school.owner.post_json(&create, json!({"title": "Тесты", "weight": "62.50", "drop_lowest": 1})).await.ok();
        let category = made["categories"][0].clone();
        assert_eq!(category, json!({"id": category["id"], "title": "Тесты", "position": 0, "weight": "62.5", "drop_lowest": 1}));
        let id = category["id"].as_str().unwrap();
        let items = format!("/courses/set_grade_items/{course}");
        let set = school.owner.put_json(&items, json!({"page_ids": [exam.page], "category_id": id, "points": "12.5"})).await.ok();
        assert_eq!([&set["items"][0]["category_id"], &set["items"][0]["points"]], [id, "12.5"]);
        let row = school.owner.get(&format!("/courses/gradebook/{course}")).await.ok()["data"][0].clone();
        assert_eq!([&row["categories"], &row["total"]["label"]], [&json!(["100"]), &json!("5")]);
        let path = format!("/courses/update_grade_category/{id}");
        let moved = school.teacher.put_json(&path, json!({"title": "Экзамен", "position": 7, "weight": "0"})).await.ok();
        assert_eq!([&moved["categories"][0]["title"], &moved["categories"][0]["weight"]], ["Экзамен", "0"]);
        let delete = format!("/courses/delete_grade_category/{id}");
        assert_eq!(school.owner.delete(&delete).await.ok(), json!({"message": "The category was deleted"}));
        school.owner.delete(&delete).await.refused(404, "Category not found");
        let settings = school.editor.get(&format!("/courses/grade_settings/{course}")).await.ok();
        assert_eq!([&settings["categories"], &settings["items"][0]["category_id"]], [&json!([]), &Value::Null]);
    }

    async fn bad_settings_are_refused_by_field(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let (school, course) = (&exam.school, exam.school.course);
        let update = format!("/courses/update_grade_settings/{course}");
        for (body, fields) in [
            (json!({"scheme": "stars", "thresholds": "90", "missing_counts_as_zero": {}}), vec![
                "enum at body.scheme", "list_type at body.thresholds", "bool_type at body.missing_counts_as_zero",
            ]),
            (json!({"scheme": "pass_fail", "thresholds": [60]}), vec!["decimal_parsing at body.thresholds.0"]),
            (json!({"scheme": "pass_fail", "thresholds": ["100.01"]}), vec!["less_than_equal at body.thresholds.0"]),
            (json!({"scheme": "pass_fail", "thresholds": ["0"]}), vec!["greater_than_equal at body.thresholds.0"]),
            (json!({"scheme": "pass_fail", "thresholds": ["60", "50"]}), vec!["value_error at body.thresholds"]),
            (json!({"scheme": null}), vec!["enum at body.scheme"]),
        ] {
            assert_eq!(school.owner.put_json(&update, body.clone()).await.fields(), fields, "{body}");
        }
        let create = format!("/courses/create_grade_category/{course}");
        for (body, fields) in [
            (json!({}), vec!["missing at body.title"]),
            (json!({"title": "", "weight": "1e2", "drop_lowest": 51}), vec![
                "string_too_short at body.title", "decimal_parsing at body.weight", "less_than_equal at body.drop_lowest",
            ]),
            (json!({"title": "К", "weight": "100.01"}), vec!["less_than_equal at body.weight"]),
        ] {
            assert_eq!(school.owner.post_json(&create, body.clone()).await.fields(), fields, "{body}");
        }
        let items = format!("/courses/set_grade_items/{course}");
        for (body, fields) in [
            (json!({"page_ids": [], "points": "0"}), vec!["too_short at body.page_ids", "greater_than_equal at body.points"]),
            (json!({"page_ids": [exam.page], "points": "10000.01"}), vec!["less_than_equal at body.points"]),
            (json!({"page_ids": [exam.page, school.pages[0]]}), vec!["value_error at body.page_ids.1"]),
            (json!({"page_ids": [exam.page], "category_id": exam.page}), vec!["value_error at body.category_id"]),
        ] {
            assert_eq!(school.owner.put_json(&items, body.clone()).await.fields(), fields, "{body}");
        }
    }

    async fn a_stale_decision_gets_the_stored_grade(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let decide = format!("/courses/decide_grade/{}", exam.enrollment);
        let body = |version: i64, points: &str| json!({"page_id": exam.page, "version": version, "kind": "override", "points": points, "reason": "Устный ответ"});
        let first = school.teacher.put_json(&decide, body(0, "80.5")).await.ok();
        let by = first["history"][0]["by"].clone();
        assert_eq!((&first["cell"], &first["page_id"], &first["penalty_percent"]),
            (&json!({"source": "override", "percent": "80.5", "points": "80.5", "version": 1}), &json!(exam.page), &Value::Null));
        assert_eq!(first["history"], json!([{"version": 1, "kind": "override", "points": "80.5", "reason": "Устный ответ", "by": by, "at": NOW}]));
        assert_eq!((&first["row"]["total"]["percent"], &by["full_name"]), (&json!("80.5"), &json!("teacher")));
        let stale = school.owner.put_json(&decide, body(0, "10")).await;
        assert_eq!(stale.status, 409);
        assert_eq!(stale.json(), json!({"detail": "Somebody else has changed this grade meanwhile", "grade": first}));
        school.owner.put_json(&decide, body(1, "10")).await.ok();
        assert_eq!(cells(&exam).await, json!([{"source": "override", "percent": "10", "points": "10", "version": 2}]));
        let path = format!("/courses/grade/{}", exam.enrollment);
        let read = school.editor.get(&format!("{path}?page_id={}", exam.page)).await.ok();
        assert_eq!(read["history"].as_array().unwrap().len(), 2);
        let course = school.owner.put_json(&decide, json!({"page_id": null, "version": 0, "kind": "override", "points": "99", "reason": "Старание"})).await.ok();
        assert_eq!((&course["cell"], &course["row"]["total"]), (&Value::Null, &json!({"source": "override", "percent": "99", "automatic": "10", "label": null, "version": 1})));
        assert_eq!(school.editor.get(&path).await.ok(), course);
        for (body, fields) in [
            (json!({}), vec!["missing at body.page_id", "missing at body.version", "missing at body.kind"]),
            (json!({"page_id": "x", "version": -1, "kind": "zero", "points": 5, "reason": ""}), vec![
                "uuid_parsing at body.page_id", "greater_than_equal at body.version", "enum at body.kind", "decimal_parsing at body.points",
                "string_too_short at body.reason",
            ]),
            (json!({"page_id": exam.page, "version": 2, "kind": "override"}), vec!["value_error at body.points", "value_error at body.reason"]),
            (json!({"page_id": exam.page, "version": 2, "kind": "override", "points": "1000.01", "reason": "П"}), vec!["less_than_equal at body.points"]),
            (json!({"page_id": school.pages[0], "version": 0, "kind": "excused", "reason": "П"}), vec!["value_error at body.page_id"]),
        ] {
            assert_eq!(school.owner.put_json(&decide, body.clone()).await.fields(), fields, "{body}");
        }
        school.owner.get(&format!("{path}?page_id={}", school.pages[0])).await.refused(404, "Page not found");
    }

    async fn learners_read_their_own_grades(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        exam.submit(&exam.body(true).await).await.ok();
        let decide = format!("/courses/decide_grade/{}", exam.enrollment);
        school.owner.put_json(&decide, json!({"page_id": exam.page, "version": 0, "kind": "excused", "reason": "Болел"})).await.ok();
        let path = format!("/courses/my_grades/{}", school.course);
        let own = school.learner.get(&path).await.ok();
        let grade = &own["grades"][0];
        assert_eq!(own, json!({
            "course_id": school.course, "scheme": "percent", "labels": [], "thresholds": [], "missing_counts_as_zero": false, "categories": [],
            "grades": [{"page_id": exam.page, "title": grade["title"], "lesson_title": grade["lesson_title"], "category_id": null, "max_points": "100",
                "extra_credit": false, "is_excluded": false, "due_at": null, "source": "excused", "percent": null, "points": null, "automatic": "100",
                "is_dropped": false, "penalty_percent": 0, "reason": "Болел", "decided_at": NOW}],
            "total": {"source": "none", "percent": null, "automatic": null, "label": null, "version": 0}, "reason": null, "decided_at": null,
        }));
        assert_eq!(school.teacher.get(&path).await.status, 403);
    }

    async fn a_table_is_downloaded_previewed_and_imported(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let (school, course) = (&exam.school, exam.school.course);
        let export = format!("/courses/export/{course}?format=grades");
        let table = school.teacher.get(&format!("{export}&separator=semicolon")).await.text();
        assert!(table.starts_with("\u{feff}\"Name\";\"Email\";\"Group\";"), "{table}");
        assert!(school.admin.get(&export).await.text().starts_with("\u{feff}\"Name\",\"Email\""));
        assert_eq!(school.owner.get(&format!("{export}&separator=tab")).await.fields(), ["enum at query.separator"]);
        assert_eq!(school.learner.get(&export).await.status, 403);
        let heading = table.lines().next().unwrap().split("\";\"").nth(3).unwrap().to_owned();
        let import = format!("/courses/import_grades/{course}");
        let rows = format!("Email;{heading}\nlearner@example.com;12,5\nnobody@example.com;1\n");
        let body = |digest: &Value| json!({"table": rows, "reason": "Ведомость", "digest": digest});
        let preview = school.teacher.post_json(&import, body(&Value::Null)).await.ok();
        let change = &preview["changes"][0];
        assert_eq!(preview, json!({
            "digest": preview["digest"], "refused": 1, "unchanged": 0, "is_applied": false,
            "changes": [{"line": 2, "enrollment_id": exam.enrollment, "full_name": change["full_name"], "email": "learner@example.com", "page_id": exam.page,
                "before": {"source": "none"}, "kind": "override", "points": "12.5"}],
            "refusals": [{"line": 3, "column": "Email", "message": preview["refusals"][0]["message"]}],
        }));
        let applied = school.owner.post_json(&import, body(&preview["digest"])).await.ok();
        assert_eq!((&applied["is_applied"], &applied["changes"]), (&json!(true), &preview["changes"]));
        assert_eq!(cells(&exam).await, json!([{"source": "override", "percent": "12.5", "points": "12.5", "version": 1}]));
        let again = school.owner.post_json(&import, body(&preview["digest"])).await;
        assert_eq!((again.status, &again.json()["import"]["changes"]), (409, &json!([])));
        for (body, fields) in [
            (json!({}), vec!["missing at body.table", "missing at body.reason"]),
            (json!({"table": "Почта\n", "reason": "П"}), vec!["value_error at body.table"]),
            (json!({"table": "", "reason": ""}), vec!["string_too_short at body.table", "string_too_short at body.reason"]),
        ] {
            assert_eq!(school.owner.post_json(&import, body.clone()).await.fields(), fields, "{body}");
        }
    }
}
