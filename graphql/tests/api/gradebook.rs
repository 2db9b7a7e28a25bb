//! Gradebooks: settings, rows, decisions, and the grades of a learner.

use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::TestKurso;
use kurso_core::testing::exam::exam;
use serde_json::{Value, json};

use crate::support::{School, Server};

const SETTINGS: &str =
    "courseId scheme labels thresholds missingCountsAsZero categories { id title position weight dropLowest }
    items { pageId title lessonId lessonTitle published categoryId points extraCredit isExcluded }";
const ROW: &str =
    "enrollmentId user { email } group { title } cells categories total { source percent automatic label version }";

fn book() -> String {
    format!(
        "query($id: ID!, $search: String, $group: ID, $sort: GradebookSort! = FULL_NAME, $first: Int) {{
           gradebook(courseId: $id, search: $search, groupId: $group, sort: $sort, descending: true, first: $first) {{
             settings {{ {SETTINGS} }} rows {{ totalCount nodes {{ {ROW} }} pageInfo {{ hasNextPage }} }} }} }}"
    )
}

fn changed(input: &str, mutation: &str) -> String {
    format!("mutation($i: {input}!) {{ {mutation}(input: $i) {{ settings {{ {SETTINGS} }} }} }}")
}

fn detail() -> String {
    format!("row {{ {ROW} }} pageId cell penaltyPercent history {{ version kind points reason by {{ fullName }} at }}")
}

fn decide() -> String {
    let detail = detail();
    format!(
        "mutation($i: DecideGradeInput!) {{ decideGrade(input: $i) {{ grade {{ {detail} }} conflict {{ message grade {{ {detail} }} }} }} }}"
    )
}

const OWN: &str = "query($id: ID!) { myGrades(courseId: $id) { courseId scheme labels thresholds missingCountsAsZero
    categories { categoryId title weight dropLowest percent } total { source percent automatic label version } reason decidedAt
    grades { pageId title lessonTitle categoryId maxPoints extraCredit isExcluded dueAt source percent points automatic isDropped
      penaltyPercent reason decidedAt } } }";

/// A school with a quiz in its first lesson.
async fn graded(kurso: &TestKurso) -> (School, Value) {
    let school = School::open(kurso).await;
    let quiz = kurso.page(school.course, school.lessons[0], 2, Quiz, true).await;
    kurso.set_quiz(quiz, &exam("never")).await;
    (school, json!(quiz))
}

async fn student(server: &Server, school: &School) -> Value {
    let found = server.data(&school.owner, &book(), json!({"id": school.course})).await;
    found["rows"]["nodes"][0]["enrollmentId"].clone()
}

both! {
    async fn teachers_read_and_change_a_gradebook(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, quiz) = graded(&kurso).await;
        let course = school.course;
        let read = server.data(&school.teacher, &book(), json!({"id": course, "sort": "TOTAL"})).await;
        let item = &read["settings"]["items"][0];
        assert_eq!(read["settings"], json!({
            "courseId": course, "scheme": "PERCENT", "labels": [], "thresholds": [], "missingCountsAsZero": false, "categories": [],
            "items": [{"pageId": quiz, "title": item["title"], "lessonId": school.lessons[0], "lessonTitle": item["lessonTitle"], "published": true,
                "categoryId": null, "points": "100", "extraCredit": false, "isExcluded": false}],
        }));
        let row = &read["rows"]["nodes"][0];
        assert_eq!(read["rows"], json!({"totalCount": 1, "pageInfo": {"hasNextPage": false}, "nodes": [{
            "enrollmentId": row["enrollmentId"], "user": {"email": "learner@example.com"}, "group": null, "cells": [{"source": "none"}], "categories": [],
            "total": {"source": "NONE", "percent": null, "automatic": null, "label": null, "version": 0},
        }]}));
        let none = server.data(&school.editor, &book(), json!({"id": course, "search": "nobody", "group": "none", "first": 1})).await;
        assert_eq!(none["rows"]["totalCount"], 0);
        let update = changed("UpdateGradeSettingsInput", "updateGradeSettings");
        let input = json!({"courseId": course, "scheme": "FIVE_POINT", "thresholds": ["90", "72.5", "50"], "missingCountsAsZero": true});
        let set = server.data(&school.teacher, &update, json!({"i": input})).await["settings"].clone();
        assert_eq!([&set["scheme"], &set["labels"], &set["thresholds"]], [&json!("FIVE_POINT"), &json!(["5", "4", "3", "2"]), &json!(["90", "72.5", "50"])]);
        let create = format!("mutation($i: CreateGradeCategoryInput!) {{ createGradeCategory(input: $i) {{ category {{ id title weight }} settings {{ {SETTINGS} }} }} }}");
        let input = json!({"courseId": course, "title": "Тесты", "weight": "62.5", "dropLowest": 1});
        let made = server.data(&school.owner, &create, json!({"i": input})).await;
        let category = made["category"]["id"].clone();
        assert_eq!(made["settings"]["categories"], json!([{"id": category, "title": "Тесты", "position": 0, "weight": "62.5", "dropLowest": 1}]));
        let items = changed("SetGradeItemsInput", "setGradeItems");
        let input = json!({"courseId": course, "pageIds": [quiz], "categoryId": category, "points": "12.5", "extraCredit": false});
        let set = server.data(&school.owner, &items, json!({"i": input})).await["settings"]["items"][0].clone();
        assert_eq!([&set["categoryId"], &set["points"]], [&category, &json!("12.5")]);
        let rename = changed("UpdateGradeCategoryInput", "updateGradeCategory");
        let input = json!({"categoryId": category, "title": "Экзамен", "weight": "0"});
        let renamed = server.data(&school.teacher, &rename, json!({"i": input})).await["settings"]["categories"][0].clone();
        assert_eq!([&renamed["title"], &renamed["weight"]], ["Экзамен", "0"]);
        let delete = "mutation($i: GradeCategoryInput!) { deleteGradeCategory(input: $i) { categoryId message settings { categories { id } items { categoryId } } } }";
        let deleted = server.data(&school.owner, delete, json!({"i": {"categoryId": category}})).await;
        assert_eq!(deleted, json!({"categoryId": category, "message": "The category was deleted", "settings": {"categories": [], "items": [{"categoryId": null}]}}));
        let settings = format!("query($id: ID!) {{ gradeSettings(courseId: $id) {{ {SETTINGS} }} }}");
        assert_eq!(server.data(&school.admin, &settings, json!({"id": course})).await["scheme"], "FIVE_POINT");

        let excuse = json!({"enrollmentId": row["enrollmentId"], "pageId": quiz, "version": 0, "kind": "EXCUSED", "reason": "Болел"});
        let changes = [
            (update, json!({"courseId": course})), (create, json!({"courseId": course, "title": "К"})), (items, json!({"courseId": course, "pageIds": [quiz]})),
            (decide(), excuse),
        ];
        for (query, input) in changes {
            for (token, code) in [
                ("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"), (&school.editor, "FORBIDDEN"),
                (&school.admin, "FORBIDDEN"),
            ] {
                assert_eq!(server.refusal(token, &query, json!({"i": input})).await, code, "{query}");
            }
        }
        let grade = format!("query($id: ID!) {{ grade(enrollmentId: $id) {{ {} }} }}", detail());
        for (query, id) in [(book(), json!(course)), (settings, json!(course)), (grade, row["enrollmentId"].clone())] {
            for (token, code) in [("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN")] {
                assert_eq!(server.refusal(token, &query, json!({"id": id})).await, code, "{query}");
            }
        }
    }

    async fn a_stale_decision_gets_the_stored_grade(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, quiz) = graded(&kurso).await;
        let student = student(&server, &school).await;
        let input = |version: i64, points: &str| {
            json!({"i": {"enrollmentId": student, "pageId": quiz, "version": version, "kind": "OVERRIDE", "points": points, "reason": "Устный ответ"}})
        };
        let first = server.data(&school.teacher, &decide(), input(0, "80.5")).await;
        assert_eq!(first["conflict"], Value::Null);
        let grade = &first["grade"];
        assert_eq!([&grade["cell"], &grade["row"]["cells"][0]], [&json!({"source": "override", "percent": "80.5", "points": "80.5", "version": 1}); 2]);
        assert_eq!(grade["history"], json!([{"version": 1, "kind": "OVERRIDE", "points": "80.5", "reason": "Устный ответ", "by": {"fullName": "teacher"}, "at": "2026-11-21T09:00:00Z"}]));
        let stale = server.data(&school.owner, &decide(), input(0, "10")).await;
        assert_eq!(stale, json!({"grade": null, "conflict": {"message": "Somebody else has changed this grade meanwhile", "grade": grade}}));
        let course = json!({"i": {"enrollmentId": student, "pageId": null, "version": 0, "kind": "OVERRIDE", "points": "99", "reason": "Старание"}});
        let course = server.data(&school.owner, &decide(), course).await["grade"].clone();
        assert_eq!(course["row"]["total"], json!({"source": "OVERRIDE", "percent": "99", "automatic": "80.5", "label": null, "version": 1}));
        let own = server.data(&school.learner, OWN, json!({"id": school.course})).await;
        let grade = &own["grades"][0];
        assert_eq!(own, json!({
            "courseId": school.course, "scheme": "PERCENT", "labels": [], "thresholds": [], "missingCountsAsZero": false, "categories": [],
            "total": course["row"]["total"], "reason": "Старание", "decidedAt": "2026-11-21T09:00:00Z",
            "grades": [{"pageId": quiz, "title": grade["title"], "lessonTitle": grade["lessonTitle"], "categoryId": null, "maxPoints": "100", "extraCredit": false,
                "isExcluded": false, "dueAt": null, "source": "OVERRIDE", "percent": "80.5", "points": "80.5", "automatic": null, "isDropped": false,
                "penaltyPercent": null, "reason": "Устный ответ", "decidedAt": "2026-11-21T09:00:00Z"}],
        }));
        assert_eq!(server.refusal(&school.teacher, OWN, json!({"id": school.course})).await, "FORBIDDEN");
    }

    async fn bad_input_is_refused_by_field(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, quiz) = graded(&kurso).await;
        let student = student(&server, &school).await;
        let refused = async |query: &str, input: Value| server.bad_fields(&school.owner, query, json!({"i": input})).await;
        let input = json!({"enrollmentId": student, "version": -1, "kind": "OVERRIDE", "points": "1,5", "reason": ""});
        assert_eq!(refused(&decide(), input).await, [
            "pageId missing", "version greater_than_equal", "points decimal_parsing", "reason string_too_short",
        ]);
        let input = json!({"enrollmentId": student, "pageId": quiz, "version": 0, "kind": "OVERRIDE", "points": "1000.01", "reason": "П"});
        assert_eq!(refused(&decide(), input).await, ["points less_than_equal"]);
        let input = json!({"courseId": school.course, "scheme": "LETTERS", "thresholds": ["90", "80"]});
        assert_eq!(refused(&changed("UpdateGradeSettingsInput", "updateGradeSettings"), input).await, ["thresholds value_error"]);
        let input = json!({"courseId": school.course, "pageIds": [quiz, school.pages[0]], "points": "5"});
        assert_eq!(refused(&changed("SetGradeItemsInput", "setGradeItems"), input).await, ["pageIds[1] value_error"]);
    }

    async fn a_table_is_previewed_and_imported(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let (school, quiz) = graded(&kurso).await;
        let address = "query($id: ID!) { course(id: $id) { exportUrl(format: GRADES, separator: COMMA) } }";
        let address = server.data(&school.teacher, address, json!({"id": school.course})).await["exportUrl"].clone();
        assert!(address.as_str().unwrap().contains("?format=grades&separator=comma&token="), "{address}");
        let id = quiz.as_str().unwrap();
        let table = format!("Email,Тест [{}]\nlearner@example.com,12.5\nnobody@example.com,1\n", &id[id.len() - 8..]);
        let result = "digest isApplied refused unchanged changes { line email pageId before kind points } refusals { line column message }";
        let query = format!("mutation($i: ImportGradesInput!) {{ importGrades(input: $i) {{ import {{ {result} }} conflict {{ message import {{ {result} }} }} }} }}");
        let input = |digest: &Value| json!({"i": {"courseId": school.course, "table": table, "reason": "Ведомость", "digest": digest}});
        let preview = server.data(&school.owner, &query, input(&Value::Null)).await["import"].clone();
        assert_eq!(preview, json!({
            "digest": preview["digest"], "isApplied": false, "refused": 1, "unchanged": 0,
            "changes": [{"line": 2, "email": "learner@example.com", "pageId": quiz, "before": {"source": "none"}, "kind": "OVERRIDE", "points": "12.5"}],
            "refusals": [{"line": 3, "column": "Email", "message": preview["refusals"][0]["message"]}],
        }));
        let applied = server.data(&school.teacher, &query, input(&preview["digest"])).await;
        assert_eq!((&applied["conflict"], &applied["import"]["isApplied"]), (&Value::Null, &json!(true)));
        let again = server.data(&school.teacher, &query, input(&preview["digest"])).await;
        assert_eq!((&again["import"], &again["conflict"]["import"]["changes"]), (&Value::Null, &json!([])));
        for (token, code) in [("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"), (&school.editor, "FORBIDDEN")] {
            assert_eq!(server.refusal(token, &query, input(&Value::Null)).await, code);
        }
    }
}
