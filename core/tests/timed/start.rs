//! Starting an attempt: what learners see before, and who may start.

use kurso_base::values::Change;
use kurso_core::both;
use kurso_core::courses::overrides;
use kurso_core::testing::command;

use super::*;

pub(super) async fn set_override(kurso: &TestKurso, class: &Class, enrollment: EnrollmentId, values: Value) {
    let mut body = json!({"enrollment_id": enrollment, "page_id": class.page});
    body.as_object_mut()
        .unwrap()
        .extend(values.as_object().unwrap().clone());
    let set = overrides::set(kurso, &class.owner, class.course, command(&body)).await;
    set.unwrap().done().unwrap();
}

both! {
    async fn questions_are_hidden_until_the_first_start(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let before = class.read(&kurso, &anna).await;
        assert!(before.quiz.questions.is_empty() && before.running.is_none());
        assert_eq!((before.quiz.question_count, before.quiz.time_limit_seconds), (3, Some(600)));
        let started = class.start(&kurso, &anna).await.unwrap();
        assert_eq!(started.quiz.quiz.questions.len(), 3);
        let during = class.read(&kurso, &anna).await;
        assert_eq!(during.quiz.questions, started.quiz.quiz.questions);
        assert_eq!(during.running.unwrap().ticket, started.attempt.ticket);
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        let after = class.read(&kurso, &anna).await;
        assert!(after.running.is_none());
        assert_eq!(after.quiz.questions.len(), 3, "the results show them");
        assert_eq!(class.read(&kurso, &class.owner).await.quiz.questions.len(), 3);
    }

    async fn a_second_start_returns_the_running_attempt(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let first = class.start(&kurso, &anna).await.unwrap().attempt;
        kurso.clock.advance(Duration::seconds(100));
        let second = class.start(&kurso, &anna).await.unwrap().attempt;
        assert_eq!((second.started_at, second.ends_at), (first.started_at, first.ends_at));
        assert_eq!((second.elapsed, second.duration, second.grace), (100.0, Some(600.0), 30));
        assert_eq!(second.ticket, first.ticket);
    }

    async fn concurrent_starts_make_one_attempt(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let starts = (0..8).map(|_| class.start(&kurso, &anna));
        let started = futures_util::future::join_all(starts).await;
        let tickets: std::collections::HashSet<String> =
            started.into_iter().map(|started| started.unwrap().attempt.ticket).collect();
        assert_eq!(tickets.len(), 1);
    }

    async fn a_start_needs_a_limit_and_an_attempt(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        assert_eq!(refused(class.submit(&kurso, &anna, json!([])).await), Message::AttemptNotStarted);
        assert_eq!(refused(class.start(&kurso, &class.owner).await), Message::NotEnrolled);
        class.start(&kurso, &anna).await.unwrap();
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        assert_eq!(refused(class.start(&kurso, &anna).await), Message::OutOfAttempts);
        kurso.set_quiz(class.page, &quiz(&json!({"time_limit_seconds": null}))).await;
        assert_eq!(refused(class.start(&kurso, &anna).await), Message::NoTimeLimit);
        class.submit(&kurso, &anna, json!([])).await.unwrap();
    }

    async fn an_override_stretches_or_lifts_the_limit(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (slow, slows) = class.learner(&kurso, "slow").await;
        let (free, frees) = class.learner(&kurso, "free").await;
        set_override(&kurso, &class, slows, json!({"time_factor": 1.5})).await;
        set_override(&kurso, &class, frees, json!({"time_factor": null})).await;
        assert_eq!(class.read(&kurso, &slow).await.quiz.time_limit_seconds, Some(900));
        let started = class.start(&kurso, &slow).await.unwrap().attempt;
        assert_eq!(started.duration, Some(900.0));
        // A later override does not move the end.
        set_override(&kurso, &class, slows, json!({"time_factor": 1})).await;
        assert_eq!(class.start(&kurso, &slow).await.unwrap().attempt.ends_at, started.ends_at);

        let page = class.read(&kurso, &free).await;
        assert_eq!((page.quiz.time_limit_seconds, page.quiz.questions.len()), (None, 3));
        assert_eq!(refused(class.start(&kurso, &free).await), Message::NoTimeLimit);
        class.submit(&kurso, &free, json!([answer(1, "1")])).await.unwrap();
        assert_eq!(attempts::Allowance::of(Change::Clear).duration(Some(60)), None);
    }

    async fn an_attempt_ends_when_the_page_closes(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let closes = kurso.clock.now() + Duration::seconds(60);
        set_override(&kurso, &class, enrollment, json!({"available_until": closes.to_rfc3339()})).await;
        let started = class.start(&kurso, &anna).await.unwrap();
        assert_eq!(started.attempt.ends_at, Some(closes));
        kurso.clock.advance(Duration::seconds(59));
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        kurso.clock.advance(Duration::seconds(2));
        assert!(matches!(class.start(&kurso, &anna).await, Ok(again) if again.attempt.ends_at == Some(closes)));
        kurso.clock.advance(Duration::seconds(GRACE) + MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let attempts = class.own(&kurso, enrollment).await;
        assert_eq!((attempts[0].score, attempts[0].submitted_at), (1.0, closes));
        assert!(matches!(class.start(&kurso, &anna).await, Err(Error::Closed { .. })));
    }

    async fn the_quiz_of_a_running_attempt_does_not_change(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 2})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let other = json!({"time_limit_seconds": 10, "questions": [
            {"id": question(1), "type": "numeric", "prompt": "Other", "value": 7},
        ]});
        kurso.set_quiz(class.page, &other).await;
        let page = class.read(&kurso, &anna).await;
        assert_eq!(page.quiz.questions, started.quiz.quiz.questions);
        assert_eq!(page.running.unwrap().ends_at, started.attempt.ends_at);
        kurso.clock.advance(Duration::seconds(100));
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1"), answer(3, "3")])).await);
        let submitted = class.submit(&kurso, &anna, json!([answer(2, "2")])).await.unwrap();
        assert_eq!((submitted.attempt.score, submitted.attempt.max_score), (3.0, 3.0));
        assert_eq!(class.own(&kurso, enrollment).await.len(), 1);
    }

    async fn an_attempt_goes_on_when_its_limit_is_lifted(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        for (name, by_author) in [("anna", false), ("boris", true)] {
            let (learner, enrollment) = class.learner(&kurso, name).await;
            let started = class.start(&kurso, &learner).await.unwrap();
            stored(class.save(&kurso, &learner, &started, json!([answer(1, "1")])).await);
            if by_author {
                kurso.set_quiz(class.page, &quiz(&json!({"time_limit_seconds": null, "max_attempts": 1}))).await;
            } else {
                set_override(&kurso, &class, enrollment, json!({"time_factor": null})).await;
            }
            let page = class.read(&kurso, &learner).await;
            let running = page.running.unwrap();
            assert_eq!((running.ends_at, running.answers.len()), (started.attempt.ends_at, 1));
            kurso.clock.advance(Duration::seconds(10));
            stored(class.save(&kurso, &learner, &started, json!([answer(2, "2")])).await);
            let submitted = class.submit(&kurso, &learner, json!([answer(3, "3")])).await.unwrap();
            assert_eq!(submitted.attempt.score, 3.0);
        }
    }

    async fn an_assignment_has_no_time_limit(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let assignment = json!({"kind": "assignment", "quiz": {"time_limit_seconds": 60, "questions": [{"type": "hand_in"}]}});
        let lesson = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap().lesson(0).id;
        let page = courses::page::create(&kurso, &class.owner, lesson, command(&assignment)).await.unwrap();
        let (anna, _) = class.learner(&kurso, "anna").await;
        assert_eq!(refused(running::start(&kurso, &anna, page.id).await), Message::NoTimeLimit);
    }
}
