//! A course as staff see it as one of its learners, at a chosen moment.

use chrono::{DateTime, Duration, Utc};
use kurso_core::both;
use kurso_core::testing::exam::{SECRET, exam};
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::quiz::Exam;
use crate::support::{NOW, Persona, School, Server};

/// Of the course and its parts, and moments around them. The clock of the tests stands at 2026-11-21T09:00:00Z.
const OPENS: &str = "2026-11-22T09:00:00Z";
const MOMENTS: &[&str] = &[
    NOW,
    "2026-11-22T08:59:59Z",
    OPENS,
    "2026-11-22T20:00:00Z",
    "2026-11-23T09:00:00Z",
    "2026-11-23T09:00:01Z",
    "2026-11-24T12:00:01Z",
];

async fn enrollment(school: &School<'_>) -> String {
    let path = format!("/courses/course_students/{}", school.course);
    let list = school.owner.get(&path).await.ok();
    list["data"][0]["enrollment_id"].as_str().unwrap().to_owned()
}

/// Dates of the course, a lesson and pages, overrides of the learner's group and of the learner, and prerequisites.
async fn schedule(exam: &Exam<'_>, student: &str) -> Value {
    let (school, owner) = (&exam.school, &exam.school.owner);
    let put = async |path: String, body: Value| owner.put_json(&path, body).await.ok();
    put(
        format!("/courses/update_course/{}", school.course),
        json!({"hide_locked_titles": true, "sequential": true, "ends_at": "2026-11-24T12:00:00Z"}),
    )
    .await;
    put(
        format!("/courses/update_page/{}", exam.page),
        json!({"due_at": "2026-11-21T12:00:00Z"}),
    )
    .await;
    put(
        format!("/courses/update_page/{}", school.pages[1]),
        json!({"available_from": OPENS, "available_until": "2026-11-22T21:00:00Z"}),
    )
    .await;
    let group = owner
        .post_json(
            &format!("/courses/create_group/{}", school.course),
            json!({"title": "А"}),
        )
        .await
        .ok()["id"]
        .clone();
    owner
        .post_json(
            &format!("/courses/move_students/{}", school.course),
            json!({"enrollment_ids": [student], "group_id": group}),
        )
        .await
        .ok();
    let set = format!("/courses/set_override/{}", school.course);
    put(
        set.clone(),
        json!({"group_id": group, "page_id": exam.page, "due_at": "2026-11-23T09:00:00Z", "extra_attempts": 1}),
    )
    .await;
    put(
        set,
        json!({"enrollment_id": student, "page_id": school.pages[1], "available_until": "2026-11-23T09:00:00Z"}),
    )
    .await;
    group
}

/// What somebody gets of the course, its progress and all of its pages: status and body.
async fn read(by: &Persona<'_>, exam: &Exam<'_>, paths: [&str; 3], query: &str) -> Vec<(u16, Value)> {
    let school = &exam.school;
    let [course, progress, page] = paths;
    let mut all = vec![
        format!("/courses/{course}/{}{query}", school.course),
        format!("/courses/{progress}/{}{query}", school.course),
    ];
    for id in school.pages.iter().chain([&exam.page, &school.draft]) {
        all.push(format!("/courses/{page}/{id}{query}"));
    }
    let mut answers = vec![];
    for path in all {
        let answer = by.get(&path).await;
        for marker in SECRET {
            assert!(!answer.text().contains(marker), "{marker} at {path}");
        }
        answers.push((answer.status, answer.json()));
    }
    answers
}

const OWN: [&str; 3] = ["enrolled_course", "my_progress", "enrolled_page"];
const PREVIEW: [&str; 3] = ["preview_course", "preview_progress", "preview_page"];

/// Advances the clock.
fn wait_until(server: &Server, at: &str) {
    let at: DateTime<Utc> = at.parse().unwrap();
    server.kurso.clock.advance(at - server.kurso.clock.now());
}

both! {
    async fn a_preview_of_a_learner_is_what_the_learner_gets_at_each_moment(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("after_submit")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        schedule(&exam, &student).await;
        school.learner.post(&format!("/courses/mark_page_visited/{}", school.pages[0])).await.ok();
        exam.submit(&exam.body(false).await).await.ok();
        let mut previews = vec![];
        for at in MOMENTS {
            previews.push(read(&school.teacher, &exam, PREVIEW, &format!("?enrollment_id={student}&at={at}")).await);
        }
        let now = read(&school.teacher, &exam, PREVIEW, &format!("?enrollment_id={student}")).await;
        assert_eq!(now, read(&school.learner, &exam, OWN, "").await);
        for (at, preview) in MOMENTS.iter().zip(&previews) {
            wait_until(&server, at);
            assert_eq!(*preview, read(&school.learner, &exam, OWN, "").await, "{at}");
        }
        let statuses: Vec<Vec<u16>> = previews.iter().map(|answers| answers.iter().map(|(status, _)| *status).collect()).collect();
        // The course, the progress, four pages, the quiz and the draft.
        assert_eq!(statuses[0], [200, 200, 200, 409, 409, 409, 200, 404]);
        assert_eq!(statuses[2], [200, 200, 200, 200, 409, 409, 200, 404]);
        assert_ne!(previews[1][0], previews[2][0]);
        assert_eq!(previews[0][3].1["code"], "LOCKED");
    }

    async fn a_preview_of_a_group_is_what_a_newcomer_of_it_gets(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("after_submit")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        let group = schedule(&exam, &student).await;
        let group = group.as_str().unwrap();
        let code = school.owner.post(&format!("/courses/generate_group_code/{group}")).await.ok()["share_code"].clone();
        let (newcomer, alone) = (server.person("newcomer").await, server.person("alone").await);
        newcomer.post_json("/courses/enroll", json!({"share_code": code})).await.ok();
        alone.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        for (person, query) in [(&newcomer, format!("group_id={group}&")), (&alone, String::new())] {
            let mut seen = read(person, &exam, OWN, "").await;
            let mut preview = read(&school.teacher, &exam, PREVIEW, &format!("?{query}at={NOW}")).await;
            // Parts of a quiz have other ids for each learner, and an order of their own.
            for answers in [&mut seen, &mut preview] {
                assert_eq!(answers[6].1["quiz"].take()["questions"].as_array().unwrap().len(), 10);
            }
            assert_eq!(preview, seen, "{query}");
        }
        let again = read(&school.teacher, &exam, PREVIEW, &format!("?group_id={group}")).await;
        assert_eq!(again, read(&school.owner, &exam, PREVIEW, &format!("?group_id={group}")).await);
        assert_eq!(again[0].1["group_title"], "А");
    }

    async fn a_preview_records_nothing_but_one_entry_an_hour(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let exam = Exam::open(&server, &exam("never")).await;
        let school = &exam.school;
        let student = enrollment(school).await;
        let before = school.learner.get(&format!("/courses/debug_progress/{}", school.course)).await.ok();
        let entries = async || {
            let found = sql!("SELECT detail FROM audit WHERE kind = 'course_previewed' ORDER BY at, detail");
            let found: Vec<(Option<String>,)> = found.fetch_all(&server.kurso.db).await.unwrap();
            found.into_iter().map(|(detail,)| detail.unwrap()).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            read(&school.teacher, &exam, PREVIEW, &format!("?enrollment_id={student}")).await;
            read(&school.teacher, &exam, PREVIEW, &format!("?enrollment_id={student}&at={OPENS}")).await;
            read(&school.teacher, &exam, PREVIEW, "").await;
        }
        assert_eq!(entries().await, [OPENS, "new now", "now"]);
        server.kurso.clock.advance(Duration::minutes(61));
        read(&school.teacher, &exam, PREVIEW, "").await;
        assert_eq!(entries().await, [OPENS, "new now", "now", "new now"]);
        // Who steps through the moments of a course leaves ten entries a day for each person.
        let path = format!("/courses/preview_course/{}", school.course);
        let group = school.teacher.post_json(&format!("/courses/create_group/{}", school.course), json!({"title": "А"})).await.ok()["id"].clone();
        let group = format!("group_id={}&", group.as_str().unwrap());
        let student = format!("enrollment_id={student}&");
        let step = async |minutes: std::ops::Range<u32>| {
            for minute in minutes {
                for who in [group.as_str(), &student, ""] {
                    school.teacher.get(&format!("{path}?{who}at=2026-11-01T10:{minute:02}:00Z")).await.ok();
                }
            }
        };
        step(10..25).await;
        let count = async |start: &str| entries().await.into_iter().filter(|detail| detail.starts_with(start)).count();
        assert_eq!((count("group").await, count("new").await, entries().await.len()), (10, 10, 30));
        school.owner.get(&format!("{path}?{group}")).await.ok();
        assert_eq!(count("group").await, 11, "of another member of the staff");
        server.kurso.clock.advance(Duration::hours(25));
        step(10..11).await;
        assert_eq!(entries().await.len(), 34, "another day");
        assert_eq!(school.learner.get(&format!("/courses/debug_progress/{}", school.course)).await.ok(), before);
    }

    async fn a_preview_of_nobody_or_of_no_moment_is_refused(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        let path = format!("/courses/preview_course/{}", school.course);
        let get = async |query: &str| school.owner.get(&format!("{path}?{query}")).await;
        let other = school.owner.post_json("/courses/create_course", json!({"title": "К"})).await.ok()["id"].clone();
        let foreign = school.owner.post_json(&format!("/courses/create_group/{}", other.as_str().unwrap()), json!({"title": "Б"})).await.ok()["id"].clone();
        get(&format!("enrollment_id={}", Uuid::now_v7())).await.refused(404, "There is no such student");
        get(&format!("group_id={}", foreign.as_str().unwrap())).await.refused(404, "There is no such group");
        assert_eq!(get("enrollment_id=x&group_id=y&at=soon").await.fields(), [
            "uuid_parsing at query.enrollment_id", "uuid_parsing at query.group_id", "value_error at query.at",
        ]);
        for far in ["1999-12-30T23:59:59Z", "2100-01-01"] {
            assert_eq!(get(&format!("at={far}")).await.fields(), ["value_error at query.at"]);
        }
        let learner = school.learner.get(&path).await;
        assert_eq!((learner.status, school.stranger.get(&path).await.status), (403, 404));
    }

    /// Their role in the team shows them more, which a learner would not see.
    async fn a_member_of_the_team_who_learns_is_shown_as_a_learner(kurso: TestKurso) {
        let server = Server::start(kurso).await;
        let school = School::open(&server).await;
        school.owner.post_json("/courses/enroll", json!({"share_code": school.share_code})).await.ok();
        let students = school.teacher.get(&format!("/courses/course_students/{}", school.course)).await.ok();
        let owner = students["data"].as_array().unwrap().iter().find(|student| student["user"]["email"] == "owner@example.com").unwrap();
        let path = format!("/courses/preview_course/{}?enrollment_id={}", school.course, owner["enrollment_id"].as_str().unwrap());
        let shown = school.teacher.get(&path).await.ok();
        assert_eq!([&shown["my_role"], &shown["share_code"], &shown["owner"]["email"]], [&json!("learner"), &Value::Null, &Value::Null]);
        assert!(!shown.to_string().contains(&school.draft.to_string()));
    }
}
