//! What attempts draw, and that nothing changes it.

use chrono::Duration;
use kurso_core::attempts::running::finish_due;
use kurso_core::both;
use kurso_db::sql;

use super::*;

both! {
    async fn an_attempt_draws_at_its_start_and_keeps_what_it_drew(kurso: TestKurso) {
        let class = class(&kurso, 6, 3, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let before = class.read(&kurso, &anna).await;
        assert_eq!((before.quiz.questions.len(), before.quiz.question_count), (0, 4));
        assert_eq!(refused(class.submit(&kurso, &anna, json!([])).await), Message::AttemptNotStarted);

        let started = class.start(&kurso, &anna).await.unwrap();
        let attempt = &started.attempt;
        assert_eq!((attempt.attempt_no, attempt.ends_at, attempt.duration, attempt.grace), (1, None, None, 0));
        let drawn = class.drawn(&started.quiz);
        assert_eq!((drawn.len(), started.quiz.quiz.questions.len()), (3, 4));
        let points = started.quiz.quiz.questions.iter().map(|question| question.points.as_f64());
        assert_eq!(points.sum::<f64>(), 7.0);
        // A second start, a change of the bank and of its questions, and time change nothing.
        for question in &class.questions {
            kurso.change_bank_question(*question, &json!({"type": "numeric", "prompt": "Another", "value": 1000})).await;
        }
        kurso.clock.advance(Duration::days(400));
        assert_eq!(finish_due(&kurso).await.unwrap(), 0);
        assert_eq!(class.start(&kurso, &anna).await.unwrap().quiz.quiz, started.quiz.quiz);
        sql!("DELETE FROM bank_questions").execute(&kurso.db).await.unwrap();
        let during = class.read(&kurso, &anna).await;
        assert_eq!(during.quiz, started.quiz.quiz);
        let first = &class.right(&during)[0];
        assert!(matches!(class.save(&kurso, &anna, &started, json!([first])).await, Saved::Stored { .. }));

        let submitted = class.submit(&kurso, &anna, class.right(&during)).await.unwrap();
        assert_eq!((submitted.attempt.score, submitted.attempt.max_score, submitted.attempt.passed), (7.0, 7.0, true));
        assert_eq!(submitted.attempt.questions.as_ref(), Some(&during.quiz.questions));
        let after = class.read(&kurso, &anna).await;
        assert_eq!((after.quiz.questions.len(), after.quiz.question_count), (0, 4));
        let own = class.own(&kurso, enrollment).await;
        assert_eq!(own[0].questions.as_ref(), Some(&during.quiz.questions));
        assert_eq!(own[0].results.len(), 4);
        assert!(own[0].results.iter().all(|result| result.correct_answer.is_some()));
        assert_consistent(&kurso).await;
        assert_eq!(refused(class.start(&kurso, &anna).await), Message::BankTooSmall);
    }

    async fn later_attempts_draw_what_the_learner_has_not_seen(kurso: TestKurso) {
        let class = class(&kurso, 7, 3, &json!({"reveal": "never"})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let first = class.take(&kurso, &anna).await;
        let second = class.take(&kurso, &anna).await;
        assert!(first.is_disjoint(&second));
        let third = class.take(&kurso, &anna).await;
        assert_eq!(third.len(), 3);
        let seen: HashSet<Uuid> = first.union(&second).copied().collect();
        assert_eq!(third.intersection(&seen).count(), 2, "one was new");
        // Its questions are shown with each attempt, without any answer.
        let own = class.own(&kurso, enrollment).await;
        for (attempt, drawn) in own.iter().zip([&first, &second, &third]) {
            let shown: HashSet<Uuid> = attempt.questions.as_ref().unwrap().iter().map(|question| question.id).collect();
            assert!(drawn.is_subset(&shown) && shown.contains(&FIXED));
            assert!(attempt.results.iter().all(|result| result.correct_answer.is_none()));
        }
        // After a reset, the first attempt draws the same questions again.
        attempts::reset(&kurso, &class.owner, enrollment, class.page).await.unwrap();
        assert_eq!(class.take(&kurso, &anna).await, first);
        assert_consistent(&kurso).await;
    }

    async fn concurrent_starts_lose_no_question(kurso: TestKurso) {
        let class = class(&kurso, 30, 5, &json!({})).await;
        let mut people = Vec::new();
        for number in 0..12 {
            people.push(class.learner(&kurso, &format!("learner{number}")).await);
        }
        let starts = people.iter().map(|(learner, _)| class.start(&kurso, learner));
        let mut draws = HashSet::new();
        for started in futures_util::future::join_all(starts).await {
            let started = started.unwrap();
            let mut drawn: Vec<Uuid> = class.drawn(&started.quiz).into_iter().collect();
            assert_eq!(drawn.len(), 5);
            drawn.sort_unstable();
            draws.insert(drawn);
        }
        assert!(draws.len() > 6, "learners draw different questions");
        assert_consistent(&kurso).await;
        for (learner, _) in &people {
            let page = class.read(&kurso, learner).await;
            let submitted = class.submit(&kurso, learner, class.right(&page)).await.unwrap();
            assert!(submitted.attempt.passed);
        }
        assert_consistent(&kurso).await;
    }

    async fn a_bank_that_is_too_small_refuses_the_start(kurso: TestKurso) {
        let class = class(&kurso, 3, 3, &json!({"max_attempts": 2})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        // A copy in the quiz is not drawn, nor is anything twice.
        let mut two = quiz(class.bank, 2, &json!({"max_attempts": 2}));
        let copy = json!({"type": "numeric", "prompt": "Write 0", "value": 0, "source": {"question_id": class.questions[0], "version": 1}});
        two["questions"].as_array_mut().unwrap().push(copy);
        kurso.set_quiz(class.page, &two).await;
        assert!(!class.take(&kurso, &anna).await.contains(&class.questions[0]));
        two["questions"][1]["count"] = json!(3);
        kurso.set_quiz(class.page, &two).await;
        assert_eq!(refused(class.start(&kurso, &anna).await), Message::BankTooSmall);
        assert_eq!(class.read(&kurso, &anna).await.running, None);
    }

    async fn a_limit_or_the_close_of_the_page_ends_an_attempt(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({"time_limit_seconds": 60, "grace_seconds": 5})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        assert_eq!((started.attempt.duration, started.attempt.grace), (Some(60.0), 5));
        let right = class.right(&started.quiz);
        assert!(matches!(class.save(&kurso, &anna, &started, right).await, Saved::Stored { .. }));
        kurso.clock.advance(Duration::seconds(69));
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let own = class.own(&kurso, enrollment).await;
        assert!(own[0].passed && own[0].questions.as_ref().unwrap().len() == 3);
        assert_consistent(&kurso).await;
    }

    async fn leaving_and_coming_back_keeps_the_draw(kurso: TestKurso) {
        let class = class(&kurso, 6, 2, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let first = class.take(&kurso, &anna).await;
        let started = class.start(&kurso, &anna).await.unwrap();
        courses::team::leave(&kurso, &anna, class.course).await.unwrap();
        assert_consistent(&kurso).await;
        let enrollment = class.enroll(&kurso, &anna).await;
        let again = class.start(&kurso, &anna).await.unwrap();
        assert_eq!(class.drawn(&again.quiz), class.drawn(&started.quiz));
        let own = class.own(&kurso, enrollment).await;
        let shown: HashSet<Uuid> = own[0].questions.as_ref().unwrap().iter().map(|question| question.id).collect();
        assert!(first.is_subset(&shown));
        assert_consistent(&kurso).await;
    }
}
