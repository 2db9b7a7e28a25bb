//! Learners of a course, what they handed in, and their grades.

use kurso_base::ids::{AttemptId, CertificateId, CourseId, EnrollmentId, PageId, SessionId};
use kurso_core::access::Viewer;
use kurso_core::assessments::{self, AnswerId};
use kurso_core::attempts;
use kurso_core::certificates;
use kurso_core::gradebook;
use kurso_core::testing::{TestKurso, command, exam, submission};
use kurso_db::sql;
use kurso_formats::quiz::WorkDraft;
use serde_json::json;
use uuid::Uuid;

pub async fn people(kurso: &TestKurso, size: usize) -> Vec<Viewer> {
    let mut people = Vec::new();
    for n in 0..size {
        let mut person = Viewer {
            user: kurso.account(&format!("person{n}"), false).await,
            session: SessionId::new(),
        };
        person.user.full_name = None;
        people.push(person);
    }
    people
}

pub async fn graded_answer(kurso: &TestKurso, viewer: &Viewer, course: CourseId) -> AnswerId {
    let first = sql!(
        "SELECT attempt_id, question_id FROM open_answers WHERE course_id = $1 AND question_id = $2 ORDER BY attempt_id LIMIT 1",
        course,
        exam::ESSAY
    );
    let (attempt, question) = first.fetch_one::<(AttemptId, Uuid)>(&kurso.db).await.unwrap();
    let id = AnswerId { attempt, question };
    let marks = json!([{"criterion_id": exam::CRITERION, "level_id": exam::LEVEL}]);
    let pins = json!([{"start": 0, "end": 1, "comment": "Here"}]);
    let body = command(json!({"version": 0, "marks": marks, "pins": pins, "comment": "Good"}));
    assessments::assess(kurso, viewer, id, body).await.unwrap();
    id
}

/// Hands in work for an assignment, and saves a draft of the next version.
pub async fn hand_in(kurso: &TestKurso, viewer: &Viewer, page: PageId) {
    let shown = attempts::for_learner(kurso, None, &[page]).await.unwrap();
    let body = json!({"answers": exam::answers(&shown[&page].quiz, true)});
    attempts::submit(kurso, viewer, page, submission(&body)).await.unwrap();
    let draft = WorkDraft::read(&json!({"version": 0, "content": "So far"})).unwrap();
    attempts::save_draft(kurso, viewer, page, draft).await.unwrap();
}

/// Creates categories of the gradebook and overridden course grades.
pub async fn grades(kurso: &TestKurso, owner: &Viewer, course: CourseId, student: EnrollmentId, size: usize) {
    for version in 0..size {
        let category = command(json!({"title": "Категория"}));
        gradebook::create_category(kurso, owner, course, category)
            .await
            .unwrap();
        let decision =
            json!({"page_id": null, "version": version, "kind": "override", "points": "70", "reason": "Проект"});
        gradebook::decide(kurso, owner, student, command(decision))
            .await
            .unwrap();
    }
}

/// Makes one missed question of each course due.
pub async fn practice(kurso: &TestKurso) {
    sql!(
        "UPDATE practice_cards SET due_at = $1 WHERE question_id = $2",
        kurso.clock.now(),
        exam::NUMBER
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

/// Gives the viewer certificates of all their courses, and others those of one course; the first of these is revoked.
pub async fn certificates(kurso: &TestKurso, viewer: &Viewer, course: CourseId, people: &[Viewer]) -> CertificateId {
    sql!("UPDATE enrollments SET completed_at = $1", kurso.clock.now())
        .execute(&kurso.db)
        .await
        .unwrap();
    let all = sql!("SELECT course_id FROM enrollments WHERE user_id = $1", viewer.id());
    let mut own = None;
    for (id,) in all.fetch_all::<(CourseId,)>(&kurso.db).await.unwrap() {
        let on = command(json!({"is_on": true, "has_grade": true}));
        certificates::design::set(kurso, viewer, id, on).await.unwrap();
        let issued = certificates::issue(kurso, viewer, id).await.unwrap();
        if id == course {
            own = Some(issued.id);
        }
    }
    for (n, person) in people.iter().enumerate() {
        let mut named = person.clone();
        named.user.full_name = Some("Имя".to_owned());
        let issued = certificates::issue(kurso, &named, course).await.unwrap();
        if n == 0 {
            let why = command(json!({"reason": "x"}));
            certificates::revoke(kurso, viewer, issued.id, why).await.unwrap();
        }
    }
    own.unwrap()
}
