//! Saving answers: in time, late, repeated, out of order, and with whose ticket.

use kurso_core::both;
use kurso_formats::quiz::Given;

use super::*;

/// The saved numbers of the questions that have one.
async fn saved(kurso: &TestKurso, class: &Class, learner: &Viewer) -> Vec<(Uuid, String)> {
    let running = class.read(kurso, learner).await.running.unwrap();
    let mut saved: Vec<_> = running
        .answers
        .into_iter()
        .map(|answer| match answer.given {
            Given::Number(quantity) => (answer.question_id, quantity.number),
            other => panic!("{other:?}"),
        })
        .collect();
    saved.sort();
    saved
}

both! {
    async fn an_answer_is_saved_replaced_and_removed(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "5"), answer(2, "2")])).await);
        kurso.clock.advance(Duration::seconds(1));
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        assert_eq!(saved(&kurso, &class, &anna).await, [(question(1), "1".into()), (question(2), "2".into())]);
        stored(class.save(&kurso, &anna, &started, json!([answer(2, "")])).await);
        assert_eq!(saved(&kurso, &class, &anna).await, [(question(1), "1".into())]);
        assert_consistent(&kurso).await;
    }

    async fn a_delayed_save_never_replaces_a_later_answer(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        kurso.clock.advance(Duration::seconds(60));
        stored(class.save_late(&kurso, &anna, &started, 40.0, json!([answer(1, "40")])).await);
        stored(class.save_late(&kurso, &anna, &started, 20.0, json!([answer(1, "20"), answer(2, "20")])).await);
        stored(class.save_late(&kurso, &anna, &started, 30.0, json!([answer(1, "")])).await);
        let both = [(question(1), "40".to_owned()), (question(2), "20".to_owned())];
        assert_eq!(saved(&kurso, &class, &anna).await, both);
        // Sent again, because the response was lost.
        stored(class.save_late(&kurso, &anna, &started, 40.0, json!([answer(1, "40")])).await);
        assert_eq!(saved(&kurso, &class, &anna).await, both);
        // A device cannot claim a time that is still to come, which would outlive all later answers.
        stored(class.save_late(&kurso, &anna, &started, 500.0, json!([answer(2, "60")])).await);
        kurso.clock.advance(Duration::seconds(1));
        stored(class.save(&kurso, &anna, &started, json!([answer(2, "61")])).await);
        assert_eq!(saved(&kurso, &class, &anna).await[1].1, "61");
    }

    async fn an_answer_given_in_time_may_arrive_within_the_grace_period(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        kurso.clock.advance(Duration::seconds(LIMIT));
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        kurso.clock.advance(Duration::seconds(GRACE));
        stored(class.save_late(&kurso, &anna, &started, 599.9, json!([answer(2, "2")])).await);
        too_late(class.save_late(&kurso, &anna, &started, 600.1, json!([answer(3, "3")])).await);
        too_late(class.save(&kurso, &anna, &started, json!([answer(3, "3")])).await);
        kurso.clock.advance(Duration::milliseconds(1));
        too_late(class.save_late(&kurso, &anna, &started, 1.0, json!([answer(3, "3")])).await);
        kurso.clock.advance(MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        assert_eq!(class.save_late(&kurso, &anna, &started, 1.0, json!([answer(3, "3")])).await, Saved::Ended);
        assert_eq!(class.own(&kurso, enrollment).await[0].score, 2.0);
    }

    async fn a_save_needs_the_ticket_of_this_attempt_and_learner(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let annas = class.start(&kurso, &anna).await.unwrap();
        let boriss = class.start(&kurso, &boris).await.unwrap();
        let with = |ticket: &str| json!({"ticket": ticket, "elapsed_seconds": 0, "answers": [answer(1, "1")]});
        let mut forged = annas.attempt.ticket.clone();
        forged.replace_range(3..4, if &forged[3..4] == "A" { "B" } else { "A" });
        for ticket in ["", "x", &forged, &boriss.attempt.ticket] {
            let refusal = refused(class.try_save(&kurso, &anna, &with(ticket)).await);
            assert_eq!(refusal, Message::WrongTicket, "{ticket}");
        }
        // The ticket of an earlier attempt.
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        class.start(&kurso, &anna).await.unwrap();
        assert_eq!(class.save(&kurso, &anna, &annas, json!([answer(1, "1")])).await, Saved::Ended);
        assert!(saved(&kurso, &class, &anna).await.is_empty());
    }

    async fn answers_that_do_not_fit_are_refused_and_nothing_is_saved(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        for answers in [json!([answer(1, "1"), answer(9, "1")]), json!([answer(1, "one")])] {
            let body = json!({"ticket": started.attempt.ticket, "elapsed_seconds": 0, "answers": answers});
            assert!(matches!(class.try_save(&kurso, &anna, &body).await, Err(Error::Invalid(_))));
        }
        assert!(saved(&kurso, &class, &anna).await.is_empty());
    }

    async fn clocks_that_are_set_back_give_no_time(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        kurso.clock.advance(Duration::seconds(-3600));
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
        let again = class.start(&kurso, &anna).await.unwrap().attempt;
        assert_eq!((again.elapsed, again.ends_at), (0.0, started.attempt.ends_at));
        kurso.clock.advance(Duration::seconds(3600 + LIMIT));
        // Saved after the jump, at a time before the start: a later answer replaces it.
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "2")])).await);
        assert_eq!(saved(&kurso, &class, &anna).await, [(question(1), "2".into())]);
    }

    async fn with_a_clock_that_is_behind_the_order_of_answers_is_that_of_their_arrival(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        kurso.clock.advance(Duration::seconds(100));
        stored(class.save_late(&kurso, &anna, &started, 100.0, json!([answer(1, "1")])).await);
        kurso.clock.advance(Duration::seconds(-5));
        stored(class.save_late(&kurso, &anna, &started, 101.0, json!([answer(1, "2")])).await);
        assert_eq!(saved(&kurso, &class, &anna).await, [(question(1), "2".into())]);
    }
}
