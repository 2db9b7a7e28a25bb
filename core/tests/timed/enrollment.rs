//! What becomes of a running attempt when its learner leaves, or when its attempts, its page or its learner are deleted.

use kurso_core::courses::{page, team};
use kurso_core::testing::command;
use kurso_core::{both, users};
use kurso_db::sql;

use super::*;

async fn rows(kurso: &TestKurso) -> i64 {
    let count = sql!("SELECT (SELECT COUNT(*) FROM running_attempts) + (SELECT COUNT(*) FROM running_answers)");
    count.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

both! {
    async fn leaving_and_enrolling_again_gains_no_time(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        team::leave(&kurso, &anna, class.course).await.unwrap();
        let enrollment = class.enroll(&kurso, &anna).await;
        assert_eq!(class.start(&kurso, &anna).await.unwrap().attempt.ends_at, started.attempt.ends_at);
        team::leave(&kurso, &anna, class.course).await.unwrap();
        kurso.clock.advance(over());
        assert_eq!(finish_due(&kurso).await.unwrap(), 0, "nobody has the attempt");
        assert_eq!(class.enroll(&kurso, &anna).await, enrollment);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let attempts = class.own(&kurso, enrollment).await;
        assert_eq!((attempts.len(), attempts[0].score), (1, 1.0));
        assert_eq!(Some(attempts[0].submitted_at), started.attempt.ends_at);
        assert_eq!(refused(class.start(&kurso, &anna).await), Message::OutOfAttempts);
        assert_consistent(&kurso).await;
    }

    async fn a_reset_removes_the_running_attempt(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        let removed = attempts::reset(&kurso, &class.owner, enrollment, class.page).await.unwrap();
        assert_eq!(removed, 1);
        assert_eq!(rows(&kurso).await, 0);
        assert!(class.read(&kurso, &anna).await.quiz.questions.is_empty());
        assert_eq!(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await, Saved::Ended);
        assert_ne!(class.start(&kurso, &anna).await.unwrap().attempt.ticket, started.attempt.ticket);
    }

    async fn a_granted_attempt_that_is_running_cannot_be_taken_back(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        class.start(&kurso, &anna).await.unwrap();
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        attempts::grant(&kurso, &class.owner, enrollment, class.page).await.unwrap();
        class.start(&kurso, &anna).await.unwrap();
        let taken = attempts::take_back(&kurso, &class.owner, enrollment, class.page, None).await;
        assert_eq!(refused(taken), Message::NoUnusedAttempt);
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        assert_eq!(class.own(&kurso, enrollment).await.len(), 2);
    }

    async fn deleting_the_page_or_the_account_deletes_running_attempts(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        for name in ["anna", "boris"] {
            let (learner, _) = class.learner(&kurso, name).await;
            let started = class.start(&kurso, &learner).await.unwrap();
            stored(class.save(&kurso, &learner, &started, json!([answer(1, "1")])).await);
            if name == "anna" {
                users::delete_me(&kurso, &learner).await.unwrap();
                assert_eq!(rows(&kurso).await, 0);
            }
        }
        assert_eq!(rows(&kurso).await, 2);
        page::delete(&kurso, &class.owner, class.page).await.unwrap();
        assert_eq!(rows(&kurso).await, 0);
        kurso.clock.advance(over());
        assert_eq!(finish_due(&kurso).await.unwrap(), 0);
        assert_consistent(&kurso).await;
    }

    async fn deleting_the_page_while_attempts_end_neither_deadlocks_nor_fails(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let lesson = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap().lesson(0).id;
        let (anna, _) = class.learner(&kurso, "anna").await;
        for round in 0..6 {
            let body = json!({"kind": "quiz", "published": true, "quiz": quiz(&json!({}))});
            let page = page::create(&kurso, &class.owner, lesson, command(&body)).await.unwrap().id;
            let here = Class { owner: class.owner.clone(), course: class.course, page, code: class.code.clone() };
            let started = here.start(&kurso, &anna).await.unwrap();
            let deleting = page::delete(&kurso, &class.owner, page);
            if round % 2 == 0 {
                kurso.clock.advance(over());
                let (deleted, finished) = tokio::join!(deleting, finish_due(&kurso));
                deleted.unwrap();
                assert!(finished.unwrap() <= 1);
            } else {
                let body = json!({"ticket": started.attempt.ticket, "elapsed_seconds": 0, "answers": [answer(1, "1")]});
                let (deleted, saved) = tokio::join!(deleting, here.try_save(&kurso, &anna, &body));
                deleted.unwrap();
                assert!(matches!(saved, Ok(_) | Err(Error::NotFound(_))), "{saved:?}");
            }
        }
        assert_consistent(&kurso).await;
    }
}
