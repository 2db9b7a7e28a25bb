//! The subscription to the activity of a course.

use kurso_base::pagination::Page;
use kurso_core::attempts;
use kurso_core::courses::page::CreatePage;
use kurso_core::courses::{groups, lesson, module, page, team};
use kurso_core::gradebook;
use kurso_core::students;
use kurso_core::testing::command;
use kurso_core::{both, learning};
use serde_json::{Value, json};

use crate::support::{School, Server, answers, token};

pub const ACTIVITY: &str = "subscription($id: ID!) { courseActivity(courseId: $id) { __typename at
    student { id percent completedAt user { email } }
    ... on StudentReadPage { page { id } } ... on StudentSubmittedQuiz { page { id } percent passed } } }";

const ACTIVITY_OF_GROUP: &str =
    "subscription($id: ID!, $group: ID) { courseActivity(courseId: $id, groupId: $group) { __typename
    student { group { title } } } }";
const GROUPS: &str = "subscription($id: ID!) { groupsChanged(courseId: $id) { id groups { title studentsCount } } }";

const GRADES: &str = "subscription($id: ID!) { gradebookChanged(courseId: $id) { id } }";

fn told(event: &Value) -> (&str, &Value, &Value) {
    let student = &event["student"];
    (
        event["__typename"].as_str().unwrap(),
        &student["percent"],
        &student["user"]["email"],
    )
}

both! {
    async fn teachers_see_enrollments_visits_submissions_and_completions(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let id = socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;

        school.enroll(&kurso, &school.learner).await;
        let email = json!("learner@example.com");
        let enrolled = socket.next(&id).await;
        assert_eq!(told(&enrolled), ("StudentEnrolled", &json!(0), &email));
        assert_eq!(enrolled["at"], "2026-11-21T09:00:00Z");
        school.enroll(&kurso, &school.learner).await; // a repeated enrollment is no event

        let [text, exam] = [school.pages[0], school.pages[1]];
        for _ in 0..2 {
            learning::mark_page_visited(&kurso, &school.learner, text).await.unwrap();
        }
        let read = socket.next(&id).await;
        assert_eq!(told(&read), ("StudentReadPage", &json!(50), &email));
        assert_eq!(read["page"], json!({"id": text}));
        assert_eq!(read["student"]["id"], enrolled["student"]["id"]);

        attempts::submit(&kurso, &school.learner, exam, kurso_core::testing::submission(&answers(false))).await.unwrap();
        let failed = socket.next(&id).await;
        assert_eq!(told(&failed), ("StudentSubmittedQuiz", &json!(50), &email), "a second visit is no event");
        assert_eq!([&failed["percent"], &failed["passed"], &failed["page"]["id"]], [&json!(0), &json!(false), &json!(exam)]);

        attempts::submit(&kurso, &school.learner, exam, kurso_core::testing::submission(&answers(true))).await.unwrap();
        let passed = socket.next(&id).await;
        assert_eq!([&passed["percent"], &passed["passed"]], [&json!(100), &json!(true)]);
        let completed = socket.next(&id).await;
        assert_eq!(told(&completed), ("StudentCompletedCourse", &json!(100), &email));
        assert_eq!(completed["student"]["completedAt"], "2026-11-21T09:00:00Z");
        socket.is_silent().await;
    }

    async fn deleting_a_page_can_complete_a_course(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        learning::mark_page_visited(&kurso, &school.learner, school.pages[0]).await.unwrap();
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
        let id = socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        page::delete(&kurso, &school.owner, school.pages[1]).await.unwrap();
        learning::my_progress(&kurso, &school.learner, school.course).await.unwrap();
        assert_eq!(socket.next(&id).await["__typename"], "StudentCompletedCourse");
    }

    async fn learners_and_others_may_not_watch_the_activity(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        for (person, code) in [(&school.learner, "FORBIDDEN"), (&school.stranger, "NOT_FOUND")] {
            let mut socket = server.connect(&token(&kurso, person).await).await;
            let id = socket.subscribe(ACTIVITY, json!({"id": school.course})).await;
            assert_eq!(socket.refusal(&id).await.0, code);
            let id = socket.subscribe(ACTIVITY, json!({"id": "nonsense"})).await;
            assert_eq!(socket.refusal(&id).await.0, "BAD_USER_INPUT");
            socket.is_silent().await;
        }
        let mut admin = server.connect(&token(&kurso, &kurso.superuser("admin").await).await).await;
        let id = admin.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        learning::mark_page_visited(&kurso, &school.learner, school.pages[0]).await.unwrap();
        assert_eq!(admin.next(&id).await["__typename"], "StudentReadPage");
    }

    async fn removing_a_teacher_ends_the_subscription_at_once(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let mut other = server.connect(&token(&kurso, &school.owner).await).await;
        let id = socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let others = other.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        team::remove(&kurso, &school.owner, school.course, school.teacher.id().0).await.unwrap();
        assert_eq!(socket.refusal(&id).await.0, "NOT_FOUND");
        school.enroll(&kurso, &school.learner).await;
        assert_eq!(other.next(&others).await["__typename"], "StudentEnrolled");
        socket.is_silent().await;
        // The connection stays open, and a new subscription is refused.
        let id = socket.subscribe(ACTIVITY, json!({"id": school.course})).await;
        assert_eq!(socket.refusal(&id).await.0, "NOT_FOUND");
    }

    async fn actions_of_removed_learners_are_not_sent(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
        let id = socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let everybody = students::list(&kurso, &school.owner, school.course, &Default::default(), kurso_base::pagination::Page::new(0, 10)).await.unwrap();
        let enrollment = everybody.data[0].enrollment_id;
        students::remove(&kurso, &school.owner, enrollment).await.unwrap();
        kurso.db.publish(kurso_db::events::Event::Activity {
            course: school.course,
            enrollment,
            what: kurso_db::events::Activity::Completed,
            at: kurso.clock.now(),
        }).await;
        // Another learner: the first one would get the ended enrollment back.
        school.enroll(&kurso, &kurso.person("other").await).await;
        assert_eq!(socket.next(&id).await["__typename"], "StudentEnrolled");
    }

    async fn activity_of_one_group_and_changes_of_groups_are_sent(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let group = groups::create(&kurso, &school.owner, school.course, command(json!({"title": "А"}))).await.unwrap().id;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let changes = socket.watch(&kurso, GROUPS, json!({"id": school.course})).await;
        let of_group = json!({"id": school.course, "group": group});
        let activity = socket.watch(&kurso, ACTIVITY_OF_GROUP, of_group).await;
        let emails = json!({"emails": "learner@example.com", "group_id": group, "preview": false});
        groups::move_by_email(&kurso, &school.owner, school.course, command(emails)).await.unwrap();
        let changed = socket.next(&changes).await;
        assert_eq!(changed, json!({"id": school.course, "groups": [{"title": "А", "studentsCount": 1}]}));
        let other = kurso.person("other").await;
        school.enroll(&kurso, &other).await;
        attempts::submit(&kurso, &school.learner, school.pages[1], kurso_core::testing::submission(&answers(false))).await.unwrap();
        let done = socket.next(&activity).await;
        assert_eq!(done["__typename"], "StudentSubmittedQuiz", "the other learner is in no group");
        assert_eq!(done["student"]["group"]["title"], "А");
        let mut learner = server.connect(&token(&kurso, &school.learner).await).await;
        let refused = learner.subscribe(GROUPS, json!({"id": school.course})).await;
        assert_eq!(learner.refusal(&refused).await.0, "FORBIDDEN");
    }

    async fn changes_of_a_gradebook_are_sent_to_its_staff(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let id = socket.watch(&kurso, GRADES, json!({"id": school.course})).await;
        let course = json!({"id": school.course});
        gradebook::update_settings(&kurso, &school.owner, school.course, command(json!({"scheme": "letters"}))).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
        let book = gradebook::gradebook(&kurso, &school.owner, school.course, &gradebook::Query::default(), Page::default()).await.unwrap();
        let student = book.rows.data[0].learner.enrollment_id;
        let excused = json!({"page_id": school.pages[1], "version": 0, "kind": "excused", "reason": "Болел"});
        gradebook::decide(&kurso, &school.owner, student, command(excused)).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
        learning::mark_page_visited(&kurso, &school.learner, school.pages[0]).await.unwrap(); // a visit changes no grade
        attempts::submit(&kurso, &school.learner, school.pages[1], kurso_core::testing::submission(&answers(false))).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
        let mut learner = server.connect(&token(&kurso, &school.learner).await).await;
        let refused = learner.subscribe(GRADES, json!({"id": school.course})).await;
        assert_eq!(learner.refusal(&refused).await.0, "FORBIDDEN");
    }

    async fn every_change_of_graded_pages_is_a_change_of_the_gradebook(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let id = socket.watch(&kurso, GRADES, json!({"id": school.course})).await;
        let course = json!({"id": school.course});
        let exam = school.pages[1];
        for change in [json!({"published": false}), json!({"published": true}), json!({"position": 0}),
                       json!({"due_at": "2026-12-01"})] {
            page::update(&kurso, &school.owner, exam, None, command(change)).await.unwrap();
            assert_eq!(socket.next(&id).await, course);
        }
        let lesson = page::get(&kurso, &school.owner, exam).await.unwrap().lesson_id;
        let made = page::create(&kurso, &school.owner, lesson, CreatePage::default()).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
        page::delete(&kurso, &school.owner, made.id).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
        let module = lesson::get(&kurso, &school.owner, lesson).await.unwrap().module_id;
        lesson::delete(&kurso, &school.owner, lesson).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
        module::delete(&kurso, &school.owner, module).await.unwrap();
        assert_eq!(socket.next(&id).await, course);
    }

    async fn deleting_a_course_ends_its_subscriptions(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        let id = socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        kurso_core::courses::course::delete(&kurso, &school.owner, school.course).await.unwrap();
        assert_eq!(socket.refusal(&id).await.0, "NOT_FOUND");
    }
}
