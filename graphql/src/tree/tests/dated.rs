//! Dates and prerequisites for the course of the tests.

use kurso_base::ids::{CourseId, PageId};
use kurso_core::access::Viewer;
use kurso_core::courses::{groups, overrides};
use kurso_core::learning;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

/// Dates the course: its first module is over, the quiz `late` takes late attempts, and the lesson of the page `locked` opens
/// next year and needs the lesson of `late`. Its module needs a lesson without pages.
pub async fn date(kurso: &TestKurso, late: PageId, locked: PageId) {
    let at = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let changes = [
        sql!(
            "UPDATE courses SET starts_at = $1, ends_at = $2, enroll_until = $2, time_zone = 'Asia/Yekaterinburg'",
            at("2026-01-02T03:04:05.000006Z"),
            at("2027-01-02T03:04:05Z")
        ),
        sql!(
            "UPDATE modules SET available_from = $1, available_until = $2, due_at = $2 WHERE position = 0",
            at("2026-02-02T03:04:05.000006Z"),
            at("2026-03-02T03:04:05Z")
        ),
        sql!(
            "UPDATE pages SET available_from = $2, available_until = $4, due_at = $3, late_until = $4, late_penalty_per_day = 7,
             late_penalty_max = 50 WHERE id = $1",
            late,
            at("2026-02-02T03:04:05Z"),
            at("2026-03-01T03:04:05Z"),
            at("2026-03-02T03:04:05Z")
        ),
        sql!(
            "UPDATE lessons SET available_from = $2, available_until = $3, due_at = $3
             WHERE id = (SELECT lesson_id FROM pages WHERE id = $1)",
            locked,
            at("2026-12-20T03:04:05Z"),
            at("2026-12-24T03:04:05Z")
        ),
        sql!(
            "INSERT INTO prerequisites (id, course_id, lesson_id, needs_lesson_id)
             SELECT $3, p.course_id, p.lesson_id, l.lesson_id FROM pages p JOIN pages l ON l.course_id = p.course_id
             WHERE p.id = $1 AND l.id = $2",
            locked,
            late,
            Uuid::now_v7()
        ),
        sql!(
            "INSERT INTO prerequisites (id, course_id, module_id, needs_lesson_id)
             SELECT $2, l.course_id, l.module_id, empty.id FROM pages p JOIN lessons l ON l.id = p.lesson_id
             JOIN lessons empty ON empty.course_id = l.course_id
             WHERE p.id = $1 AND NOT EXISTS (SELECT 1 FROM pages x WHERE x.lesson_id = empty.id)",
            locked,
            Uuid::now_v7()
        ),
        sql!("UPDATE courses SET structure_version = structure_version + 1"),
    ];
    for change in changes {
        change.execute(&kurso.db).await.unwrap();
    }
}

/// Overrides the dates for a learner and for their group: the course ends for the group, the learner has more attempts at the quiz and
/// later dates, and reads the locked page.
pub async fn override_dates(
    kurso: &TestKurso,
    owner: &Viewer,
    course: CourseId,
    learner: &Viewer,
    [quiz, locked]: [PageId; 2],
) {
    let view = learning::my_progress(kurso, learner, course).await.unwrap();
    let enrollment = view.course.enrollment.as_ref().unwrap().id;
    let lesson = view.lesson(view.page(view.tree.place(locked).unwrap()).lesson).id;
    let group = groups::create(kurso, owner, course, command(json!({"title": "Группа"})))
        .await
        .unwrap()
        .id;
    let to = command(json!({"enrollment_ids": [enrollment], "group_id": group}));
    groups::move_students(kurso, owner, course, to).await.unwrap();
    for over in [
        json!({"group_id": group, "available_until": "2026-12-31", "available_from": null}),
        json!({"group_id": group, "page_id": quiz, "due_at": null, "extra_attempts": null}),
        json!({"enrollment_id": enrollment, "lesson_id": lesson, "available_from": null}),
        json!({"enrollment_id": enrollment, "module_id": view.module(0).id, "available_until": "2026-12-30", "due_at": "2026-12-05"}),
        json!({"enrollment_id": enrollment, "page_id": quiz, "available_until": null, "late_until": "2026-12-06T12:00", "extra_attempts": 7}),
    ] {
        overrides::set(kurso, owner, course, command(over)).await.unwrap();
    }
}
