//! Dates over GraphQL: the fields, what is resolved for the caller, and the refusals.

use futures_util::future::join_all;
use kurso_core::both;
use serde_json::{Value, json};

use crate::support::{School, Server};

/// The clock of the tests stands at 2026-11-21T09:00:00Z.
const TOMORROW: &str = "2026-11-22T09:00:00Z";

both! {
    async fn authors_set_and_clear_dates(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let fields = "startsAt endsAt enrollUntil timeZone hideLockedTitles";
        let query = format!("mutation($input: UpdateCourseInput!) {{ updateCourse(input: $input) {{ course {{ {fields} }} }} }}");
        let input = json!({"courseId": school.course, "timeZone": "Europe/Moscow", "startsAt": "2026-09-01",
            "endsAt": "2027-05-31", "enrollUntil": "2026-09-15T12:00", "hideLockedTitles": true});
        let changed = server.data(&school.owner, &query, json!({"input": input})).await;
        assert_eq!(changed["course"], json!({
            "startsAt": "2026-08-31T21:00:00Z", "endsAt": "2027-05-31T20:59:00Z", "enrollUntil": "2026-09-15T09:00:00Z",
            "timeZone": "Europe/Moscow", "hideLockedTitles": true,
        }));
        let dates = json!({"availableFrom": "2026-10-01", "dueAt": "2026-12-01T12:00", "availableUntil": "2026-12-31T23:00:00Z"});
        for (kind, key, id) in [
            ("Module", "moduleId", school.modules[0].to_string()),
            ("Lesson", "lessonId", school.lessons[0].to_string()),
            ("Page", "pageId", school.pages[0].to_string()),
        ] {
            let name = kind.to_lowercase();
            let query = format!(
                "mutation($input: Update{kind}Input!) {{ update{kind}(input: $input) {{ {name} {{ availableFrom dueAt availableUntil }} }} }}"
            );
            let mut input = dates.clone();
            input[key] = json!(id);
            let changed = server.data(&school.owner, &query, json!({"input": input})).await;
            assert_eq!(changed[&name], json!({
                "availableFrom": "2026-09-30T21:00:00Z", "dueAt": "2026-12-01T09:00:00Z", "availableUntil": "2026-12-31T23:00:00Z",
            }));
            let input = json!({key: id, "availableFrom": null, "dueAt": null, "availableUntil": null});
            let cleared = server.data(&school.owner, &query, json!({"input": input})).await;
            assert_eq!(cleared[&name], json!({"availableFrom": null, "dueAt": null, "availableUntil": null}));
        }
        let query = "mutation($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
        let input = json!({"pageId": school.pages[0], "latePenaltyPerDay": 5});
        assert_eq!(server.bad_fields(&school.owner, query, json!({"input": input})).await, ["latePenaltyPerDay value_error"]);
        let input = json!({"pageId": school.pages[0], "availableFrom": "2026-12-01", "availableUntil": "2026-11-01"});
        assert_eq!(server.bad_fields(&school.owner, query, json!({"input": input})).await, ["availableUntil value_error"]);
    }

    async fn ten_people_who_set_the_same_date_at_once_have_one_winner(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        for (kind, key, id, field) in [
            ("Course", "courseId", school.course.to_string(), "endsAt"),
            ("Module", "moduleId", school.modules[0].to_string(), "availableUntil"),
            ("Lesson", "lessonId", school.lessons[0].to_string(), "dueAt"),
            ("Page", "pageId", school.pages[0].to_string(), "dueAt"),
        ] {
            let name = kind.to_lowercase();
            let query = format!("mutation($input: Update{kind}Input!) {{ update{kind}(input: $input) {{ {name} {{ {field} }} }} }}");
            let day = |n: usize| format!("2027-01-{:02}T09:00:00Z", n + 1);
            let answers = join_all((0..10).map(|n| {
                let input = json!({key: id, field: day(n), "expectedDates": {field: null}});
                let (server, owner, query) = (&server, &school.owner, &query);
                async move { server.ask(owner, query, json!({"input": input})).await }
            })).await;
            let winners: Vec<usize> = (0..10).filter(|n| answers[*n].get("errors").is_none()).collect();
            assert_eq!(winners.len(), 1, "{kind}: {answers:?}");
            for (n, answer) in answers.iter().enumerate().filter(|(n, _)| !winners.contains(n)) {
                assert_eq!(answer["errors"][0]["extensions"]["code"], "CONFLICT", "{kind} {n}: {answer}");
            }
            // Who has read the winner's date may change it.
            let input = json!({key: id, field: null, "expectedDates": {field: day(winners[0])}});
            let cleared = server.data(&school.owner, &query, json!({"input": input})).await;
            assert_eq!(cleared[&name][field], Value::Null, "{kind}");
        }
    }

    async fn a_setting_that_somebody_else_has_changed_is_a_conflict(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let make = "mutation($i: CreatePageInput!) { createPage(input: $i) { page { id } } }";
        let quiz = server.data(&school.owner, make, json!({"i": {"lessonId": school.lessons[0], "kind": "QUIZ", "published": false}})).await;
        for (kind, key, id, field, [old, new, other]) in [
            ("Course", "courseId", json!(school.course), "timeZone", [json!(null), json!("Europe/Moscow"), json!("Asia/Tokyo")]),
            ("Course", "courseId", json!(school.course), "sequential", [json!(false), json!(true), json!(false)]),
            ("Course", "courseId", json!(school.course), "hideLockedTitles", [json!(false), json!(true), json!(false)]),
            ("Page", "pageId", quiz["page"]["id"].clone(), "latePenaltyPerDay", [json!(null), json!(5), json!(7)]),
            ("Page", "pageId", quiz["page"]["id"].clone(), "latePenaltyMax", [json!(null), json!(50), json!(70)]),
            ("Lesson", "lessonId", json!(school.lessons[2]), "prerequisites", [json!([]), json!([school.lessons[0]]), json!([school.lessons[1]])]),
            ("Module", "moduleId", json!(school.modules[1]), "prerequisites", [json!([]), json!([school.lessons[0]]), json!([school.lessons[1]])]),
        ] {
            let name = kind.to_lowercase();
            let query = format!("mutation($i: Update{kind}Input!) {{ update{kind}(input: $i) {{ {name} {{ {field} }} }} }}");
            let change = async |to: &Value, read: &Value| {
                let mut input = json!({key: id, field: to, "expectedDates": {field: read}});
                if field == "prerequisites" {
                    input = json!({key: id, field: to, "expectedPrerequisites": read});
                }
                server.ask(&school.owner, &query, json!({"i": input})).await
            };
            let changed = |answer: Value| answer["data"][format!("update{kind}")][&name][field].clone();
            assert_eq!(changed(change(&new, &old).await), new, "{kind} {field}");
            assert_eq!(change(&other, &old).await["errors"][0]["extensions"]["code"], "CONFLICT", "{kind} {field}");
            assert_eq!(changed(change(&other, &new).await), other, "{kind} {field}");
        }
        let query = "mutation($i: UpdateCourseInput!) { updateCourse(input: $i) { course { id } } }";
        let input = json!({"courseId": school.course, "sequential": true, "expectedDates": {"timeZone": "Moscow"}});
        assert_eq!(server.bad_fields(&school.owner, query, json!({"i": input})).await, ["expectedDates value_error"]);
    }

    async fn a_locked_page_gives_its_title_and_times_but_not_its_contents(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let query = "mutation($input: UpdateLessonInput!) { updateLesson(input: $input) { lesson { id } } }";
        let input = json!({"lessonId": school.lessons[0], "availableFrom": TOMORROW});
        server.data(&school.owner, query, json!({"input": input})).await;

        let timeline = "timeline { state opensAt closesAt dueAt lateUntil penaltyPercent reasons }";
        let query = format!("query($id: ID!) {{ page(id: $id) {{ title {timeline} reason {{ kind opensAt }} lesson {{ title }} }} }}");
        let page = server.data(&school.learner, &query, json!({"id": school.pages[1]})).await;
        assert_eq!(page, json!({
            "title": "Стр. 1", "lesson": {"title": "Урок 1.1"}, "reason": {"kind": "LOCKED", "opensAt": TOMORROW},
            "timeline": {
                "state": "LOCKED", "opensAt": TOMORROW, "closesAt": null, "dueAt": null, "lateUntil": null, "penaltyPercent": 0,
                "reasons": ["NOT_YET"],
            },
        }));
        for fields in ["content", "body { document }"] {
            let query = format!("query($id: ID!) {{ page(id: $id) {{ {fields} }} }}");
            let answer = server.ask(&school.learner, &query, json!({"id": school.pages[1]})).await;
            let extensions = &answer["errors"][0]["extensions"];
            assert_eq!(*extensions, json!({"code": "LOCKED", "opensAt": TOMORROW, "reasons": ["NOT_YET"], "needs": []}), "{fields}");
            assert_eq!(server.ask(&school.owner, &query, json!({"id": school.pages[1]})).await.get("errors"), None);
        }
        let visit = "mutation($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { page { id } } }";
        let input = json!({"input": {"pageId": school.pages[1]}});
        assert_eq!(server.refusal(&school.learner, visit, input.clone()).await, "LOCKED");
        kurso.clock.advance(chrono::Duration::days(1));
        server.data(&school.learner, visit, input).await;
    }

    async fn an_ended_enrollment_is_closed(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let query = "mutation($input: UpdateCourseInput!) { updateCourse(input: $input) { course { shareCode } } }";
        let input = json!({"courseId": school.course, "enrollUntil": "2026-11-20T09:00:00Z"});
        let changed = server.data(&school.owner, query, json!({"input": input})).await;
        let code: &Value = &changed["course"]["shareCode"];
        let query = "mutation($input: EnrollInput!) { enroll(input: $input) { error } }";
        let answer = server.ask(&school.stranger, query, json!({"input": {"shareCode": code}})).await;
        assert_eq!(answer["errors"][0]["extensions"], json!({"code": "CLOSED", "closedAt": "2026-11-20T09:00:00Z"}));
    }

    async fn a_copy_is_shifted_and_an_export_counts_from_the_start(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let update = "mutation($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
        let input = json!({"courseId": school.course, "startsAt": "2026-10-01", "timeZone": "Europe/Berlin"});
        server.data(&school.owner, update, json!({"input": input})).await;
        let copy = "mutation($input: DuplicateCourseInput!) { duplicateCourse(input: $input) { course { startsAt } } }";
        for (days, at) in [(json!(31), "2026-10-31T23:00:00Z"), (json!(null), "2026-09-30T22:00:00Z"), (json!(-1), "2026-09-29T22:00:00Z")] {
            let input = json!({"courseId": school.course, "shiftDays": days});
            assert_eq!(server.data(&school.owner, copy, json!({"input": input})).await["course"]["startsAt"], at);
        }
        let input = json!({"courseId": school.course, "shiftDays": 3661});
        assert_eq!(server.bad_fields(&school.owner, copy, json!({"input": input})).await, ["shiftDays less_than_equal"]);

        let url = "query($id: ID!) { course(id: $id) { plain: exportUrl(format: MARKDOWN) relative: exportUrl(format: MARKDOWN, relativeDates: true) } }";
        let urls = server.data(&school.owner, url, json!({"id": school.course})).await;
        assert!(!urls["plain"].as_str().unwrap().contains("relative_dates"), "{urls}");
        assert!(urls["relative"].as_str().unwrap().contains("?format=markdown&relative_dates=true&token="), "{urls}");
        let report = "query($id: ID!) { exportReport(courseId: $id, format: MARKDOWN, relativeDates: true) { totalCount } }";
        assert_eq!(server.data(&school.owner, report, json!({"id": school.course})).await["totalCount"], 0);
        server.data(&school.owner, update, json!({"input": {"courseId": school.course, "startsAt": null}})).await;
        assert_eq!(server.data(&school.owner, report, json!({"id": school.course})).await["totalCount"], 1);
    }

    async fn many_dates_change_together_or_not_at_all(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let fields = "moduleId lessonId pageId overrideId startsAt dueAt";
        let set = format!(
            "mutation($input: SetDatesInput!) {{ setDates(input: $input) {{ dates {{ {fields} }} conflict {{ message changed {{ {fields} }} }} }} }}"
        );
        let input = |dates: Value, days: Value| json!({"input": {"courseId": school.course, "dates": dates, "shiftDays": days}});
        let none = json!({"moduleId": null, "lessonId": null, "pageId": null, "overrideId": null, "startsAt": null, "dueAt": null});
        let with = |more: Value| {
            let mut one = none.clone();
            one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            one
        };
        let dates = json!([
            {"startsAt": "2026-09-01T08:00:00Z"},
            {"moduleId": school.modules[0], "dueAt": "2026-10-01T10:00:00Z", "expectedDates": {"dueAt": null}},
            {"pageId": school.pages[0], "dueAt": "2026-10-02T10:00:00Z"},
        ]);
        let stored = server.data(&school.editor, &set, input(dates.clone(), json!(null))).await;
        assert_eq!(stored, json!({"conflict": null, "dates": [
            with(json!({"startsAt": "2026-09-01T08:00:00Z"})),
            with(json!({"moduleId": school.modules[0], "dueAt": "2026-10-01T10:00:00Z"})),
            with(json!({"pageId": school.pages[0], "dueAt": "2026-10-02T10:00:00Z"})),
        ]}));
        let stale = json!([{"pageId": school.pages[0]}, {"moduleId": school.modules[0], "expectedDates": {"dueAt": null}}]);
        let refused = server.data(&school.owner, &set, input(stale, json!(7))).await;
        assert_eq!(refused, json!({"dates": null, "conflict": {
            "message": "Somebody else has changed this date since you read it",
            "changed": [with(json!({"moduleId": school.modules[0], "dueAt": "2026-10-01T10:00:00Z"}))],
        }}));
        let moved = server.data(&school.owner, &set, input(json!([{"pageId": school.pages[0]}]), json!(7))).await;
        assert_eq!(moved["dates"][0]["dueAt"], "2026-10-09T10:00:00Z");
        for (person, code) in [
            (&school.teacher, "FORBIDDEN"), (&school.learner, "FORBIDDEN"), (&school.admin, "FORBIDDEN"), (&school.stranger, "NOT_FOUND"),
        ] {
            assert_eq!(server.refusal(person, &set, input(dates.clone(), json!(null))).await, code);
        }
        let wrong = json!([{"pageId": school.pages[0]}, {"moduleId": school.modules[0], "availableFrom": "2026-12-01"}, {"dueAt": "2026-10-01"}]);
        let wrong = server.bad_fields(&school.owner, &set, input(wrong, json!(null))).await;
        assert_eq!(wrong, ["dates[1].dueAt value_error", "dates[2].dueAt value_error"]);
        let wrong = server.bad_fields(&school.owner, &set, input(json!([]), json!(4000))).await;
        assert_eq!(wrong, ["dates too_short", "shiftDays less_than_equal"]);
        // An id that is null does not make the entry one of the course.
        let wrong = server.bad_fields(&school.owner, &set, input(json!([{"pageId": null}]), json!(7))).await;
        assert_eq!(wrong, ["dates[0].pageId uuid_type"]);
    }
}
