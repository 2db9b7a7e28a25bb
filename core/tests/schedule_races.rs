//! Changes of dates, overrides and groups while others work, on both databases. A transaction that is not committed yet holds the others at
//! the same place.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, OverrideId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts::{self, Submitted};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::overrides::{self, Target, TargetFilter};
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::courses::{self, groups, page};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, mark_page_visited};
use kurso_core::subscriptions::GroupsWatch;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::users;
use kurso_db::{Tx, sql};
use kurso_formats::quiz;
use serde_json::{Value, json};

/// A course of one quiz with two attempts, and a learner who has opened it.
struct Class {
    owner: Viewer,
    learner: Viewer,
    enrollment: EnrollmentId,
    course: CourseId,
    page: PageId,
    quiz: quiz::Quiz,
}

async fn class(kurso: &TestKurso) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
    let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    let learnt = enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
    let page = CourseView::load(kurso, &owner, course, Right::Read)
        .await
        .unwrap()
        .page(0)
        .id;
    let question = json!({"type": "numeric", "prompt": "?", "value": 4});
    let quiz = json!({"pass_percent": 60, "max_attempts": 2, "questions": [question]});
    let quiz = kurso.set_quiz(page, &quiz).await;
    mark_page_visited(kurso, &learner, page).await.unwrap();
    Class {
        owner,
        learner,
        enrollment: learnt.enrollment.unwrap().id,
        course,
        page,
        quiz,
    }
}

impl Class {
    async fn submit(&self, kurso: &TestKurso) -> Result<Submitted, Error> {
        let body = json!({"answers": [{"question_id": self.quiz.questions[0].id, "number": 5}]});
        attempts::submit(kurso, &self.learner, self.page, submission(&body)).await
    }

    async fn date(&self, kurso: &TestKurso, body: Value) {
        let changed = page::update(kurso, &self.owner, self.page, None, command(body)).await;
        assert!(changed.is_ok());
    }

    /// A transaction that holds the learner's row.
    async fn held(&self, kurso: &TestKurso) -> Tx {
        let mut tx = kurso.db.begin().await.unwrap();
        let held = sql!(
            "UPDATE enrollments SET last_page_id = last_page_id WHERE id = $1",
            self.enrollment
        );
        held.execute(&mut tx).await.unwrap();
        tx
    }

    /// Gives the tree a new version, as whatever changes its dates does.
    async fn renew(&self, tx: &mut Tx) {
        let renewed = sql!(
            "UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1",
            self.course
        );
        renewed.execute(tx).await.unwrap();
    }
}

/// Long enough for a request to reach the lock that it waits for.
async fn others_wait() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}

const TOMORROW: &str = "2026-11-22T09:00:00Z";

both! {
    async fn a_submission_counts_when_it_arrives(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.date(&kurso, json!({"due_at": "2026-11-21T09:00:30Z"})).await;
        let arrived_at = kurso.clock.now();
        let (taken, ()) = tokio::join!(class.submit(&kurso), async { kurso.clock.advance(chrono::Duration::minutes(1)) });
        assert_eq!(taken.unwrap().attempt.submitted_at, arrived_at, "it was due while it was graded");
        let late = class.submit(&kurso).await;
        assert!(matches!(late, Err(Error::Closed { .. })), "{late:?}");
        class.date(&kurso, json!({"late_penalty_per_day": 10})).await;
        assert_eq!(class.submit(&kurso).await.unwrap().attempt.penalty_percent, 10);
    }

    async fn an_attempt_follows_the_dates_of_the_moment_when_it_is_stored(kurso: TestKurso) {
        let class = class(&kurso).await;
        let mut tx = class.held(&kurso).await;
        let (taken, ()) = tokio::join!(class.submit(&kurso), async {
            others_wait().await;
            let past = kurso.clock.now() - chrono::Duration::days(1);
            sql!("UPDATE pages SET available_until = $2 WHERE id = $1", class.page, past).execute(&mut tx).await.unwrap();
            class.renew(&mut tx).await;
            tx.commit().await.unwrap();
        });
        assert!(matches!(taken, Err(Error::Closed { .. })), "{taken:?}");
    }

    async fn an_attempt_follows_the_override_of_the_moment_when_it_is_stored(kurso: TestKurso) {
        let class = class(&kurso).await;
        let one_more = json!({"enrollment_id": class.enrollment, "page_id": class.page, "extra_attempts": 1});
        overrides::set(&kurso, &class.owner, class.course, command(one_more)).await.unwrap();
        class.submit(&kurso).await.unwrap();
        class.submit(&kurso).await.unwrap();
        let mut tx = class.held(&kurso).await;
        let (taken, ()) = tokio::join!(class.submit(&kurso), async {
            others_wait().await;
            sql!("DELETE FROM schedule_overrides").execute(&mut tx).await.unwrap();
            class.renew(&mut tx).await;
            tx.commit().await.unwrap();
        });
        assert!(matches!(taken, Err(Error::Conflict(Message::OutOfAttempts))), "{taken:?}");
    }

    async fn an_attempt_follows_the_group_of_the_moment_when_it_is_stored(kurso: TestKurso) {
        let class = class(&kurso).await;
        let group = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "А"}))).await.unwrap().id;
        let later = json!({"group_id": group, "page_id": class.page, "available_from": TOMORROW});
        overrides::set(&kurso, &class.owner, class.course, command(later)).await.unwrap();
        let mut tx = class.held(&kurso).await;
        let (taken, ()) = tokio::join!(class.submit(&kurso), async {
            others_wait().await;
            sql!("UPDATE enrollments SET group_id = $2 WHERE id = $1", class.enrollment, group).execute(&mut tx).await.unwrap();
            tx.commit().await.unwrap();
        });
        assert!(matches!(taken, Err(Error::Locked { .. })), "{taken:?}");
    }

    async fn an_override_for_an_account_that_is_being_deleted_names_the_unknown_student(kurso: TestKurso) {
        let class = class(&kurso).await;
        let mut tx = kurso.db.begin().await.unwrap();
        sql!("DELETE FROM users WHERE id = $1", class.learner.id()).execute(&mut tx).await.unwrap();
        let longer = json!({"enrollment_id": class.enrollment, "due_at": null, "page_id": class.page});
        let (refused, ()) = tokio::join!(overrides::set(&kurso, &class.owner, class.course, command(longer)), async {
            others_wait().await;
            tx.commit().await.unwrap();
        });
        let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
        assert_eq!(errors[0].message, Message::UnknownStudent);
    }

    /// A code works, or it is unknown: that of a group that is deleted at the same moment may do either.
    async fn the_code_of_a_group_that_is_being_deleted_works_or_is_unknown(kurso: TestKurso) {
        let class = class(&kurso).await;
        let group = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "А"}))).await.unwrap().id;
        let code = groups::generate_code(&kurso, &class.owner, group).await.unwrap().share_code.unwrap();
        let mut tx = kurso.db.begin().await.unwrap();
        sql!("DELETE FROM groups WHERE id = $1", group).execute(&mut tx).await.unwrap();
        let origin = Origin::default();
        let (joined, ()) = tokio::join!(enroll(&kurso, &class.learner, &origin, &code), async {
            others_wait().await;
            tx.commit().await.unwrap();
        });
        match joined {
            Ok(course) => assert_eq!(course.enrollment.unwrap().group, None),
            Err(error) => assert!(matches!(error, Error::NotFound(Message::UnknownShareCode)), "{error:?}"),
        }
    }

    async fn deleting_an_account_tells_whoever_watches_its_groups(kurso: TestKurso) {
        let class = class(&kurso).await;
        let root = kurso.superuser("root").await;
        let mut changes = GroupsWatch::start(&kurso, &class.owner, class.course).await.unwrap();
        users::delete(&kurso, &root, class.learner.id()).await.unwrap();
        let told = tokio::time::timeout(Duration::from_secs(10), changes.next(&kurso)).await.unwrap();
        assert_eq!(told.unwrap().unwrap().id, class.course);
    }

    /// Two nodes set and delete the overrides of one part at the same time.
    async fn overrides_set_and_deleted_at_once_leave_one_or_none(kurso: TestKurso) {
        let class = class(&kurso).await;
        let other = kurso.another_node().await;
        for round in 1..=10 {
            let set = |extra: i64| json!({"enrollment_id": class.enrollment, "page_id": class.page, "extra_attempts": extra});
            let first = overrides::set(&kurso, &class.owner, class.course, command(set(1))).await.unwrap().done().unwrap().id;
            let (one, two, gone) = tokio::join!(
                overrides::set(&kurso, &class.owner, class.course, command(set(round))),
                overrides::set(&other, &class.owner, class.course, command(set(round + 10))),
                overrides::delete(&other, &class.owner, first, None),
            );
            let made: Vec<(OverrideId, Option<i64>)> =
                [one.unwrap().done().unwrap(), two.unwrap().done().unwrap()].iter().map(|set| (set.id, set.values.extra_attempts.value())).collect();
            gone.unwrap();
            let left = overrides::list(&kurso, &class.owner, class.course, TargetFilter::All, Page::default()).await.unwrap().data;
            assert!(left.len() <= 1, "{left:?}");
            for stored in &left {
                assert!(made.contains(&(stored.id, stored.values.extra_attempts.value())), "{left:?} {made:?}");
                assert!(matches!(&stored.target, Target::Student(student) if student.enrollment_id == class.enrollment));
            }
            let limit = 2 + left.first().and_then(|stored| stored.values.extra_attempts.value()).unwrap_or_default();
            for node in [&*kurso.kurso, &*other] {
                let view = CourseView::load(node, &class.learner, class.course, Right::Read).await.unwrap();
                assert_eq!(view.max_attempts(0), Some(limit), "both nodes read the override that is stored");
            }
            for stored in left {
                overrides::delete(&kurso, &class.owner, stored.id, None).await.unwrap();
            }
        }
    }
}
