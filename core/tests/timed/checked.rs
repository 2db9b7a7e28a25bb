//! Checking question by question: what a check shows, what it fixes, and when it is refused.

use std::collections::HashSet;

use bytes::Bytes;
use kurso_core::attempts::running::{Checked, CheckedAnswer, check};
use kurso_core::attempts::{AnswerUpload, QuestionResult};
use kurso_core::both;
use kurso_core::files::upload::Sink as _;
use kurso_core::testing::exam::{REVEALED, SECRET, answers, exam};
use kurso_formats::quiz::{AnswerCheck, Given};

use super::start::set_override;
use super::*;

/// The settings of a quiz without a time limit whose questions are checked one by one.
fn each(reveal: &str) -> Value {
    json!({"checking": "each_question", "reveal": reveal, "time_limit_seconds": null})
}

impl Class {
    async fn try_check(
        &self,
        kurso: &Kurso,
        learner: &Viewer,
        ticket: &str,
        elapsed: f64,
        answer: Value,
    ) -> Result<Checked> {
        let body = json!({"ticket": ticket, "elapsed_seconds": elapsed, "answer": answer});
        check(kurso, learner, self.page, AnswerCheck::read(&body).unwrap()).await
    }

    /// Checks an answer that is given now.
    async fn check(
        &self,
        kurso: &Kurso,
        learner: &Viewer,
        started: &Started,
        answer: Value,
    ) -> Result<Box<CheckedAnswer>> {
        let elapsed = (kurso.clock.now() - started.attempt.started_at).as_seconds_f64();
        match self
            .try_check(kurso, learner, &started.attempt.ticket, elapsed, answer)
            .await?
        {
            Checked::Done(checked) => Ok(checked),
            other => panic!("{other:?}"),
        }
    }

    async fn checked(&self, kurso: &Kurso, learner: &Viewer) -> Vec<QuestionResult> {
        self.read(kurso, learner).await.running.unwrap().checked
    }
}

fn number(checked: &CheckedAnswer) -> String {
    match &checked.answer.given {
        Given::Number(quantity) => quantity.number.clone(),
        other => panic!("{other:?}"),
    }
}

fn is_unanswered<T>(result: Result<T>) -> bool {
    let Err(Error::Invalid(errors)) = result else {
        return false;
    };
    errors.iter().all(|error| error.kind == "nothing_to_check")
}

both! {
    async fn a_check_tells_the_result_and_fixes_the_answer(kurso: TestKurso) {
        let class = class(&kurso, &each("after_submit")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        assert_eq!((started.attempt.ends_at, started.attempt.checked.len()), (None, 0));
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "5")])).await);
        kurso.clock.advance(Duration::seconds(5));
        let right = class.check(&kurso, &anna, &started, answer(1, "1")).await.unwrap();
        assert_eq!((right.result.correct, right.result.points, right.elapsed), (Some(true), Some(1.0), 5.0));
        let wrong = class.check(&kurso, &anna, &started, answer(2, "7")).await.unwrap();
        assert_eq!((wrong.result.correct, wrong.result.points), (Some(false), Some(0.0)));
        assert_eq!(wrong.result.correct_answer, Some(Given::Number("2".into())));
        assert_eq!(class.checked(&kurso, &anna).await, [right.result.clone(), wrong.result.clone()]);

        // Neither a later save nor the submission changes what was checked; the rest does.
        kurso.clock.advance(Duration::seconds(5));
        let saved = class.save(&kurso, &anna, &started, json!([answer(2, "2"), answer(3, "9")])).await;
        assert_eq!(saved, Saved::Stored { elapsed: 10.0, fixed: vec![question(2)] });
        assert_consistent(&kurso).await;
        let submitted = class.submit(&kurso, &anna, json!([answer(1, "8"), answer(2, "2"), answer(3, "3")])).await.unwrap();
        assert_eq!((submitted.attempt.score, submitted.attempt.percent), (2.0, 66));
        let attempt = &class.own(&kurso, enrollment).await[0];
        let given: HashSet<_> = attempt.answers.iter().map(|answer| match &answer.given {
            Given::Number(quantity) => (answer.question_id, quantity.number.as_str()),
            other => panic!("{other:?}"),
        }).collect();
        assert_eq!(given, HashSet::from([(question(1), "1"), (question(2), "7"), (question(3), "3")]));
        assert_eq!(attempt.results.iter().map(|result| result.points).collect::<Vec<_>>(), [Some(1.0), Some(0.0), Some(1.0)]);
        assert_consistent(&kurso).await;
    }

    async fn the_first_check_counts(kurso: TestKurso) {
        let class = class(&kurso, &json!({"checking": "each_question", "reveal": "after_submit"})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let first = class.check(&kurso, &anna, &started, answer(1, "5")).await.unwrap();
        for again in [answer(1, "5"), answer(1, "1"), answer(1, ""), answer(1, "one")] {
            assert_eq!(class.check(&kurso, &anna, &started, again).await.unwrap(), first);
        }
        // Its response was lost, and the time ended meanwhile.
        kurso.clock.advance(Duration::seconds(LIMIT + GRACE + 1));
        let late = class.check(&kurso, &anna, &started, answer(1, "1")).await.unwrap();
        assert_eq!((&late.result, number(&late)), (&first.result, "5".into()));
        let elapsed = LIMIT as f64;
        let other = class.try_check(&kurso, &anna, &started.attempt.ticket, elapsed, answer(2, "2")).await.unwrap();
        assert!(matches!(other, Checked::TimeIsOver { .. }), "{other:?}");
        kurso.clock.advance(MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let ended = class.try_check(&kurso, &anna, &started.attempt.ticket, 1.0, answer(1, "1")).await.unwrap();
        assert_eq!(ended, Checked::Ended);
    }

    async fn two_devices_that_check_at_once_get_the_same_result(kurso: TestKurso) {
        let class = class(&kurso, &each("after_submit")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let (one, other, saved) = tokio::join!(
            class.check(&kurso, &anna, &started, answer(1, "1")),
            class.check(&kurso, &anna, &started, answer(1, "5")),
            class.save(&kurso, &anna, &started, json!([answer(1, "6")])),
        );
        stored(saved);
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!((&one.result, &one.answer), (&other.result, &other.answer));
        assert_eq!(one.result.correct, Some(number(&one) == "1"));
        let submitted = class.submit(&kurso, &anna, json!([answer(1, "7")])).await.unwrap();
        assert_eq!(submitted.attempt.results[0].correct, one.result.correct);
    }

    async fn an_empty_answer_is_not_checked(kurso: TestKurso) {
        let class = class(&kurso, &each("after_submit")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        assert!(is_unanswered(class.check(&kurso, &anna, &started, answer(1, " ")).await));
        assert!(is_unanswered(class.check(&kurso, &anna, &started, json!({"question_id": question(1)})).await));
        for unfit in [answer(9, "1"), answer(1, "one"), json!({"question_id": question(1), "text": "1"})] {
            assert!(matches!(class.check(&kurso, &anna, &started, unfit).await, Err(Error::Invalid(_))));
        }
        assert_eq!(class.checked(&kurso, &anna).await, []);
        stored(class.save(&kurso, &anna, &started, json!([answer(1, "1")])).await);
    }

    async fn only_the_learner_of_a_running_attempt_checks_its_answers(kurso: TestKurso) {
        let class = class(&kurso, &each("after_submit")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let ticket = &started.attempt.ticket;
        for viewer in [&boris, &class.owner] {
            let refusal = refused(class.try_check(&kurso, viewer, ticket, 0.0, answer(1, "1")).await);
            assert!(matches!(refusal, Message::WrongTicket | Message::NotEnrolled), "{refusal:?}");
        }
        let stranger = kurso.person("stranger").await;
        assert_eq!(refused(class.try_check(&kurso, &stranger, ticket, 0.0, answer(1, "1")).await), Message::PageNotFound);
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        let ended = class.try_check(&kurso, &anna, ticket, 0.0, answer(1, "1")).await.unwrap();
        assert_eq!(ended, Checked::Ended);
        // The ticket of an earlier attempt checks nothing of the next one.
        class.start(&kurso, &anna).await.unwrap();
        let ended = class.try_check(&kurso, &anna, ticket, 0.0, answer(1, "1")).await.unwrap();
        assert_eq!(ended, Checked::Ended);
        assert_eq!(class.checked(&kurso, &anna).await, []);
    }

    async fn an_attempt_keeps_the_setting_with_which_it_started(kurso: TestKurso) {
        let class = class(&kurso, &each("after_submit")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let annas = class.start(&kurso, &anna).await.unwrap();
        kurso.set_quiz(class.page, &quiz(&json!({"reveal": "never"}))).await;
        let checked = class.check(&kurso, &anna, &annas, answer(2, "7")).await.unwrap();
        assert_eq!(checked.result.correct_answer, Some(Given::Number("2".into())));
        assert_eq!(class.read(&kurso, &anna).await.quiz.checking, annas.quiz.quiz.checking);
        let boriss = class.start(&kurso, &boris).await.unwrap();
        let refusal = refused(class.check(&kurso, &boris, &boriss, answer(2, "7")).await);
        assert_eq!(refusal, Message::ChecksAtEnd);
        kurso.set_quiz(class.page, &quiz(&each("after_submit"))).await;
        assert_eq!(refused(class.check(&kurso, &boris, &boriss, answer(2, "7")).await), Message::ChecksAtEnd);
    }

    async fn a_page_that_is_closed_or_locked_takes_no_checks(kurso: TestKurso) {
        let class = class(&kurso, &each("after_submit")).await;
        let now = kurso.clock.now();
        let (anna, annas) = class.learner(&kurso, "anna").await;
        let (boris, boriss) = class.learner(&kurso, "boris").await;
        let closed = class.start(&kurso, &anna).await.unwrap().attempt.ticket;
        let locked = class.start(&kurso, &boris).await.unwrap().attempt.ticket;
        set_override(&kurso, &class, annas, json!({"available_until": now.to_rfc3339()})).await;
        set_override(&kurso, &class, boriss, json!({"available_from": (now + Duration::days(1)).to_rfc3339()})).await;
        kurso.clock.advance(Duration::seconds(1));
        let late = class.try_check(&kurso, &anna, &closed, 1.0, answer(1, "1")).await.unwrap();
        assert!(matches!(late, Checked::TimeIsOver { .. }), "{late:?}");
        let refusal = class.try_check(&kurso, &boris, &locked, 1.0, answer(1, "1")).await;
        assert!(matches!(refusal, Err(Error::Locked { .. })), "{refusal:?}");
    }

    async fn reveal_decides_what_a_check_shows(kurso: TestKurso) {
        let class = class(&kurso, &each("never")).await;
        for (reveal, before, after) in [("never", false, false), ("after_pass", false, true), ("after_submit", true, true)] {
            kurso.set_quiz(class.page, &quiz(&each(reveal))).await;
            let (anna, _) = class.learner(&kurso, &format!("anna-{reveal}")).await;
            let started = class.start(&kurso, &anna).await.unwrap();
            let first = class.check(&kurso, &anna, &started, answer(1, "7")).await.unwrap().result;
            assert_eq!((first.correct, first.correct_answer.is_some()), ((reveal != "never").then_some(false), before), "{reveal}");
            class.submit(&kurso, &anna, json!([answer(2, "2"), answer(3, "3")])).await.unwrap();
            class.start(&kurso, &anna).await.unwrap();
            class.submit(&kurso, &anna, json!([answer(1, "1"), answer(2, "2"), answer(3, "3")])).await.unwrap();
            let started = class.start(&kurso, &anna).await.unwrap();
            let later = class.check(&kurso, &anna, &started, answer(1, "7")).await.unwrap().result;
            assert_eq!(later.correct_answer.is_some(), after, "{reveal}");
            assert_eq!(class.checked(&kurso, &anna).await, [later]);
        }
    }

    async fn a_check_reveals_its_question_alone_and_is_worth_what_the_attempt_gives(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let mut whole = exam("after_submit");
        whole["checking"] = json!("each_question");
        kurso.set_quiz(class.page, &whole).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let shown = format!("{:?}{:?}", started.attempt, started.quiz);
        for marker in REVEALED.iter().chain(SECRET) {
            assert!(!shown.contains(marker), "{marker}");
        }
        let (right, wrong) = (answers(&started.quiz.quiz, true), answers(&started.quiz.quiz, false));
        let mut results = vec![];
        for (n, (right, wrong)) in right.as_array().unwrap().iter().zip(wrong.as_array().unwrap()).enumerate() {
            let sent = if n % 2 == 0 { right } else { wrong };
            let checked = class.check(&kurso, &anna, &started, sent.clone()).await.unwrap();
            assert_eq!(json!(checked.result.question_id), sent["question_id"]);
            let is_open = n == 7;
            assert_eq!((checked.result.is_waiting, checked.result.correct.is_none()), (is_open, is_open));
            assert_eq!(checked.result.correct, (!is_open).then_some(n % 2 == 0), "{n}");
            assert!(checked.result.explanation.is_some());
            results.push(checked.result);
            let running = class.read(&kurso, &anna).await.running.unwrap();
            assert_eq!(running.checked.len(), n + 1);
            let explained = format!("{:?}", running.checked).matches("because-731973").count();
            assert_eq!(explained, n + 1, "only those that were checked are explained");
            let everything = format!("{running:?}");
            for marker in SECRET {
                assert!(!everything.contains(marker), "{marker}");
            }
        }
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        let attempt = &class.own(&kurso, enrollment).await[0];
        assert_eq!(attempt.results, results);
    }

    async fn answers_for_a_grader_wait_and_are_fixed_with_their_files(kurso: TestKurso) {
        const ESSAY: Uuid = Uuid::from_u128(11);
        const UPLOAD: Uuid = Uuid::from_u128(12);
        let class = class(&kurso, &json!({"checking": "each_question", "questions": [
            {"id": ESSAY, "type": "essay", "prompt": "Why?", "min_words": 2},
            {"id": UPLOAD, "type": "file_upload", "prompt": "Where?"},
        ]})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let essay = |text: &str| json!({"question_id": ESSAY, "content": text});
        assert!(matches!(class.check(&kurso, &anna, &started, essay("short")).await, Err(Error::Invalid(_))));
        let checked = class.check(&kurso, &anna, &started, essay("long enough")).await.unwrap();
        assert_eq!((checked.result.is_waiting, checked.result.points, checked.result.correct), (true, None, None));
        let mut upload = AnswerUpload::begin(&kurso.kurso, &anna, (class.page, UPLOAD), None).await.unwrap();
        upload.write(Bytes::from_static(b"work")).await.unwrap();
        let file = upload.finish("work.txt").await.unwrap();
        let files = json!({"question_id": UPLOAD, "file_ids": [file.id]});
        let checked = class.check(&kurso, &anna, &started, files).await.unwrap();
        assert!(checked.result.is_waiting && !checked.answer.given.files()[0].url().is_empty());
        stored(class.save(&kurso, &anna, &started, json!([{"question_id": UPLOAD, "file_ids": []}, essay("")])).await);
        assert_consistent(&kurso).await;
        class.submit(&kurso, &anna, json!([essay("something else"), {"question_id": UPLOAD}])).await.unwrap();
        let attempt = &class.own(&kurso, enrollment).await[0];
        assert_eq!((attempt.waiting_answers, attempt.answers.len()), (2, 2));
        assert_eq!(attempt.answers.iter().flat_map(|answer| answer.given.files()).map(|file| file.id).collect::<Vec<_>>(), [file.id]);
        assert_consistent(&kurso).await;
    }
}
