//! Deadline reminders follow the dates of each learner.

use chrono::{DateTime, Duration, Utc};
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, PageId};
use kurso_core::access::Right;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Assignment, Content, Quiz};
use kurso_core::courses::{self, lesson, overrides, page, team};
use kurso_core::learning::enroll;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{command, submission};
use kurso_core::{attempts, both};
use kurso_formats::quiz;
use serde_json::{Value, json};

use super::*;

/// A course with a text, a quiz with one attempt, and an assignment; and two learners.
struct Class {
    owner: Viewer,
    learners: [Viewer; 2],
    enrollments: [EnrollmentId; 2],
    course: CourseId,
    lesson: LessonId,
    pages: [PageId; 3],
    quiz: quiz::Quiz,
    work: quiz::Quiz,
}

async fn class(kurso: &TestKurso) -> Class {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[Content, Quiz, Assignment]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let learners = [kurso.person("anna").await, kurso.person("boris").await];
    let mut enrollments = vec![];
    for learner in &learners {
        let learnt = enroll(kurso, learner, &Origin::default(), &code).await.unwrap();
        enrollments.push(learnt.enrollment.unwrap().id);
    }
    let view = CourseView::load(kurso, &owner, course, Right::Edit).await.unwrap();
    let pages = [0, 1, 2].map(|place| view.page(place).id);
    let numeric = json!({"max_attempts": 1, "questions": [{"type": "numeric", "prompt": "?", "value": 4}]});
    let hand_in =
        json!({"pass_percent": 60, "questions": [{"type": "hand_in", "points": 10, "max_files": 2, "max_links": 2}]});
    Class {
        quiz: kurso.set_quiz(pages[1], &numeric).await,
        work: kurso.set_quiz(pages[2], &hand_in).await,
        lesson: view.lesson(0).id,
        owner,
        learners,
        enrollments: enrollments.try_into().unwrap(),
        course,
        pages,
    }
}

impl Class {
    async fn date(&self, kurso: &TestKurso, page: usize, dates: Value) {
        page::update(kurso, &self.owner, self.pages[page], None, command(&dates))
            .await
            .unwrap();
    }

    async fn answer(&self, kurso: &TestKurso, who: &Viewer, number: i64) {
        let answer = json!({"question_id": self.quiz.questions[0].id, "number": number});
        let answers = submission(&json!({"answers": [answer]}));
        attempts::submit(kurso, who, self.pages[1], answers).await.unwrap();
    }
}

/// Runs the search, and returns the deadlines that a person is reminded of.
async fn reminders(kurso: &TestKurso, who: &Viewer) -> Vec<(PageId, DateTime<Utc>)> {
    inbox::remind(kurso).await.unwrap();
    let mut found: Vec<_> = notices(kurso, who)
        .await
        .into_iter()
        .map(|notice| (notice.page.unwrap().id, notice.closes_at.unwrap()))
        .collect();
    found.sort();
    found
}

fn hours(kurso: &TestKurso, hours: i64) -> DateTime<Utc> {
    kurso.clock.now() + Duration::hours(hours)
}

both! {
    async fn learners_are_reminded_a_day_before_a_deadline(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [anna, boris] = &class.learners;
        let due = hours(&kurso, 30);
        for page in 0..3 {
            class.date(&kurso, page, json!({"due_at": due})).await;
        }
        assert_eq!(reminders(&kurso, anna).await, [], "it is more than a day ahead");
        kurso.clock.advance(Duration::hours(6));
        let mut expected = vec![(class.pages[1], due), (class.pages[2], due)];
        expected.sort();
        assert_eq!(reminders(&kurso, anna).await, expected, "a text takes no attempts");
        assert_eq!(reminders(&kurso, boris).await, expected);
        assert_eq!((stored(&kurso).await, kinds(&kurso, &class.owner).await.len()), (4, 0));
        // One learner passed, one handed in, and one used up the attempts.
        class.answer(&kurso, anna, 4).await;
        class.answer(&kurso, boris, 5).await;
        let work = json!({"question_id": class.work.questions[0].id, "content": "Work"});
        attempts::submit(&kurso, anna, class.pages[2], submission(&json!({"answers": [work]}))).await.unwrap();
        assert_eq!(kinds(&kurso, anna).await, [] as [&str; 0], "even before the next search");
        assert_eq!(reminders(&kurso, boris).await, [(class.pages[2], due)]);
        assert_eq!(stored(&kurso).await, 1);
        // The reminder disappears when the deadline is over.
        kurso.clock.advance(Duration::hours(24) + Duration::seconds(1));
        assert_eq!(reminders(&kurso, boris).await, []);
        assert_eq!(stored(&kurso).await, 0);
        assert_consistent(&kurso).await;
    }

    async fn moving_a_deadline_replaces_its_reminder(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [anna, boris] = &class.learners;
        let (near, later) = (hours(&kurso, 20), hours(&kurso, 60));
        class.date(&kurso, 1, json!({"due_at": near})).await;
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[1], near)]);
        read_all(&kurso, boris).await;
        class.date(&kurso, 1, json!({"due_at": later})).await;
        assert_eq!((kinds(&kurso, anna).await.len(), kinds(&kurso, boris).await.len()), (0, 0), "even before the next search");
        assert_eq!(reminders(&kurso, anna).await, []);
        kurso.clock.advance(Duration::hours(40));
        assert_eq!(reminders(&kurso, boris).await, [(class.pages[1], later)]);
        assert_eq!(listed(&kurso, boris).await.unread, 1, "another date is another reminder");
        // Moved back to within a day, there is one reminder again.
        let moved = later + Duration::hours(1);
        class.date(&kurso, 1, json!({"due_at": moved})).await;
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[1], moved)]);
        assert_consistent(&kurso).await;
    }

    async fn reminders_follow_the_overrides_of_the_learner(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [anna, boris] = &class.learners;
        let (near, later) = (hours(&kurso, 10), hours(&kurso, 90));
        class.date(&kurso, 1, json!({"due_at": near})).await;
        let longer = json!({"enrollment_id": class.enrollments[0], "page_id": class.pages[1], "due_at": later});
        overrides::set(&kurso, &class.owner, class.course, command(longer)).await.unwrap();
        assert_eq!(reminders(&kurso, anna).await, []);
        assert_eq!(reminders(&kurso, boris).await, [(class.pages[1], near)]);
        // The learner gets an extension after the reminder.
        let longer = json!({"enrollment_id": class.enrollments[1], "lesson_id": class.lesson, "due_at": later});
        overrides::set(&kurso, &class.owner, class.course, command(longer)).await.unwrap();
        assert_eq!(reminders(&kurso, boris).await, [(class.pages[1], near)], "the page has its own date");
        let longer = json!({"enrollment_id": class.enrollments[1], "page_id": class.pages[1], "due_at": null});
        overrides::set(&kurso, &class.owner, class.course, command(longer)).await.unwrap();
        assert_eq!(reminders(&kurso, boris).await, []);
        // One learner has an earlier date in a course without other dates.
        let shorter = json!({"enrollment_id": class.enrollments[0], "page_id": class.pages[2], "available_until": near});
        overrides::set(&kurso, &class.owner, class.course, command(shorter)).await.unwrap();
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[2], near)]);
    }

    async fn late_attempts_have_two_deadlines(kurso: TestKurso) {
        let class = class(&kurso).await;
        let anna = &class.learners[0];
        let (due, last) = (hours(&kurso, 10), hours(&kurso, 40));
        class.date(&kurso, 1, json!({"due_at": due, "late_until": last, "late_penalty_per_day": 10})).await;
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[1], due)], "then it is late");
        kurso.clock.advance(Duration::hours(12));
        assert_eq!(reminders(&kurso, anna).await, []);
        kurso.clock.advance(Duration::hours(6));
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[1], last)], "then it is closed");
    }

    async fn locked_and_unpublished_pages_cause_no_reminders(kurso: TestKurso) {
        let class = class(&kurso).await;
        let anna = &class.learners[0];
        let due = hours(&kurso, 10);
        class.date(&kurso, 1, json!({"due_at": due, "available_from": hours(&kurso, 2)})).await;
        class.date(&kurso, 2, json!({"due_at": due, "published": false})).await;
        assert_eq!(reminders(&kurso, anna).await, []);
        kurso.clock.advance(Duration::hours(2));
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[1], due)]);
        let module = CourseView::load(&kurso, &class.owner, class.course, Right::Edit).await.unwrap().module(0).id;
        let first = lesson::create(&kurso, &class.owner, module, command(json!({"title": "First"}))).await.unwrap();
        page::create(&kurso, &class.owner, first.id, command(json!({}))).await.unwrap();
        let needs = json!({"prerequisites": [first.id]});
        lesson::update(&kurso, &class.owner, class.lesson, command(needs)).await.unwrap();
        assert_eq!(kinds(&kurso, anna).await, [] as [&str; 0]);
        assert_eq!(reminders(&kurso, anna).await, []);
    }

    async fn those_who_left_and_the_team_are_not_reminded(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [anna, boris] = &class.learners;
        let due = hours(&kurso, 10);
        class.date(&kurso, 1, json!({"due_at": due})).await;
        assert_eq!(reminders(&kurso, anna).await, [(class.pages[1], due)]);
        team::leave(&kurso, anna, class.course).await.unwrap();
        kurso.collaborator(class.course, boris, "teacher").await;
        assert_eq!((kinds(&kurso, anna).await.len(), kinds(&kurso, boris).await.len()), (0, 0));
        inbox::remind(&kurso).await.unwrap();
        assert_eq!(stored(&kurso).await, 0);
    }

    async fn two_nodes_write_one_reminder(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.date(&kurso, 1, json!({"due_at": hours(&kurso, 10)})).await;
        let other = kurso.another_node().await;
        for _ in 0..5 {
            let (one, two) = tokio::join!(inbox::remind(&kurso), inbox::remind(&other));
            one.unwrap();
            two.unwrap();
            assert_eq!(stored(&kurso).await, 2);
        }
        // A reminder that was read is not repeated.
        read_all(&kurso, &class.learners[0]).await;
        inbox::remind(&other).await.unwrap();
        assert_eq!(listed(&kurso, &class.learners[0]).await.unread, 0);
    }
}
