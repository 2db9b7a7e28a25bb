//! The end of an attempt: by a submission, by the time, and by both at once.

use kurso_core::both;

use super::*;

both! {
    async fn saved_answers_are_graded_when_the_time_is_over(kurso: TestKurso) {
        let class = class(&kurso, &json!({"pass_percent": 60})).await;
        let (anna, annas) = class.learner(&kurso, "anna").await;
        let (boris, boriss) = class.learner(&kurso, "boris").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        kurso.clock.advance(Duration::seconds(10));
        class.start(&kurso, &boris).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1"), answer(3, "3")])).await);
        kurso.clock.advance(Duration::seconds(LIMIT + GRACE - 10) + MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 0, "what arrives in the last moment is saved first");
        kurso.clock.advance(Duration::milliseconds(1));
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let attempt = &class.own(&kurso, annas).await[0];
        assert_eq!((attempt.attempt_no, attempt.score, attempt.percent, attempt.passed), (1, 2.0, 66, true));
        assert_eq!(Some(attempt.submitted_at), started.attempt.ends_at);
        let view = CourseView::load(&kurso, &anna, class.course, Right::Read).await.unwrap();
        assert!(view.progress.is_complete() && view.progress.completed_at.is_some());
        assert!(class.own(&kurso, boriss).await.is_empty(), "the time of the other goes on");
        kurso.clock.advance(Duration::seconds(10));
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let attempt = &class.own(&kurso, boriss).await[0];
        assert_eq!((attempt.score, attempt.passed), (0.0, false));
        assert_eq!(finish_due(&kurso).await.unwrap(), 0);
        assert_consistent(&kurso).await;
    }

    async fn a_submission_ends_the_attempt_with_the_saved_answers(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1"), answer(2, "5"), answer(3, "3")])).await);
        kurso.clock.advance(Duration::seconds(100));
        let submitted = class.submit(&kurso, &anna, json!([answer(2, "2"), answer(3, "")])).await.unwrap();
        assert_eq!(submitted.attempt.score, 2.0);
        assert_eq!(submitted.attempt.submitted_at, kurso.clock.now());
        assert_eq!(submitted.attempt.answers.len(), 2);
        kurso.clock.advance(over());
        assert_eq!(finish_due(&kurso).await.unwrap(), 0);
        assert_eq!(class.own(&kurso, enrollment).await.len(), 1);
    }

    async fn a_submission_after_the_end_adds_nothing(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        kurso.clock.advance(Duration::seconds(LIMIT) + Duration::milliseconds(1));
        let submitted = class.submit(&kurso, &anna, json!([answer(2, "2")])).await.unwrap();
        assert_eq!((submitted.attempt.score, Some(submitted.attempt.submitted_at)), (1.0, started.attempt.ends_at));
    }

    async fn a_repeated_submission_returns_its_attempt(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        class.start(&kurso, &anna).await.unwrap();
        let sent = submission(&json!({"answers": [answer(1, "1")], "submission_id": Uuid::now_v7()}));
        let first = attempts::submit(&kurso, &anna, class.page, sent.clone()).await.unwrap();
        let again = attempts::submit(&kurso, &anna, class.page, sent).await.unwrap();
        assert_eq!(first.attempt.id, again.attempt.id);
        assert_eq!(class.own(&kurso, enrollment).await.len(), 1);
    }

    async fn an_attempt_ends_once_with_every_acknowledged_answer(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let other = kurso.another_node().await;
        for round in 0..10 {
            let (anna, enrollment) = class.learner(&kurso, &format!("anna{round}")).await;
            let started = class.start(&kurso, &anna).await.unwrap();
            kurso.clock.advance(Duration::seconds(LIMIT));
            let late = kurso.clock.now() + over() - Duration::seconds(LIMIT);
            let saving = async {
                let mut acknowledged = 0.0;
                for n in 1..=3 {
                    let saved = class.save_late(&kurso, &anna, &started, 1.0, json!([answer(n, &n.to_string())])).await;
                    acknowledged += f64::from(u8::from(matches!(saved, Saved::Stored { .. })));
                }
                acknowledged
            };
            let ending = async {
                kurso.clock.advance(late - kurso.clock.now());
                let (a, b, submitted) = tokio::join!(
                    finish_due(&kurso),
                    finish_due(&other),
                    class.submit(&other, &anna, json!([])),
                );
                let ended = a.unwrap() + b.unwrap();
                match submitted {
                    Ok(_) => assert!(ended <= 1),
                    Err(error) => assert_eq!(refused::<()>(Err(error)), Message::AttemptNotStarted),
                }
            };
            let (acknowledged, ()) = tokio::join!(saving, ending);
            finish_due(&kurso).await.unwrap();
            let attempts = class.own(&kurso, enrollment).await;
            assert_eq!(attempts.len(), 1);
            assert_eq!(attempts[0].score, acknowledged);
        }
        assert_consistent(&kurso).await;
    }
}
