//! Attempts that are granted and taken back, on both databases.

use kurso_core::attempts::take_back;
use kurso_core::audit::{self, Act};

use super::*;

both! {
    async fn an_unused_granted_attempt_can_be_taken_back(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (e, quiz) = (class.enrollments[0], class.pages[1]);
        let gone = async || {
            let refused = take_back(&kurso, &class.owner, e, quiz, None).await;
            assert!(matches!(refused, Err(Error::Conflict(Message::NoUnusedAttempt))), "{refused:?}");
        };
        gone().await; // the attempt of the limit is not taken
        class.submit(&kurso, 0).await.unwrap();
        grant(&kurso, &class.owner, e, quiz).await.unwrap();
        for person in &class.learners {
            let refused = take_back(&kurso, person, e, quiz, None).await;
            assert!(matches!(refused, Err(Error::Forbidden(Message::CourseForbidden))), "{refused:?}");
        }
        let text = take_back(&kurso, &class.owner, e, class.pages[0], None).await;
        assert!(matches!(text, Err(Error::NotFound(Message::NoQuiz))), "{text:?}");
        take_back(&kurso, &class.owner, e, quiz, None).await.unwrap();
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(0));
        gone().await;
        let refused = class.submit(&kurso, 0).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::OutOfAttempts))), "{refused:?}");

        grant(&kurso, &class.owner, e, quiz).await.unwrap();
        class.submit(&kurso, 0).await.unwrap();
        gone().await; // it was used
        grant(&kurso, &class.owner, e, quiz).await.unwrap(); // another one beside the used one
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(1));
        take_back(&kurso, &class.owner, e, quiz, None).await.unwrap();
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(0));
        gone().await;
        // Attempts that the override of the learner allows are not taken back.
        class.for_learner(&kurso, json!({"page_id": quiz, "extra_attempts": 5})).await;
        let left = class.attempts_left(&kurso, 0).await;
        take_back(&kurso, &class.owner, e, quiz, None).await.unwrap();
        gone().await;
        assert_eq!(class.attempts_left(&kurso, 0).await, left.map(|left| left - 1), "the used attempt now counts against the limit");
        let root = kurso.superuser("root").await;
        let log = audit::list(&kurso, &root, &audit::Filter::default(), Page::default()).await.unwrap();
        let taken: Vec<_> = log.data.iter().filter(|entry| entry.act == Act::AttemptTakenBack).collect();
        assert_eq!(taken.len(), 3);
        assert!(taken.iter().all(|entry| entry.page.as_ref().unwrap().id == quiz));
    }
    async fn exactly_what_a_grant_gave_is_taken_back(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (e, quiz) = (class.enrollments[0], class.pages[1]);
        let limit = async |most: Option<i64>| {
            let quiz_text = json!({"max_attempts": most, "questions": [{"type": "numeric", "prompt": "?", "value": 4}]});
            kurso.set_quiz(quiz, &quiz_text).await;
        };
        let take = async |given| take_back(&kurso, &class.owner, e, quiz, Some(given)).await;
        let refused = async |given| {
            let outcome = take(given).await;
            assert!(matches!(outcome, Err(Error::Conflict(Message::NoUnusedAttempt))), "{outcome:?}");
        };
        limit(Some(3)).await;
        for _ in 0..3 {
            class.submit(&kurso, 0).await.unwrap();
        }
        // The limit is lowered: one attempt is left only after three are given.
        limit(Some(1)).await;
        let several = grant(&kurso, &class.owner, e, quiz).await.unwrap();
        assert_eq!((several.given, several.granted, several.last_no), (3, 3, 3));
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(1));
        take(several).await.unwrap();
        limit(Some(3)).await;
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(0), "nothing of the grant is left");
        refused(several).await;

        let used = grant(&kurso, &class.owner, e, quiz).await.unwrap();
        class.submit(&kurso, 0).await.unwrap();
        let other = grant(&kurso, &class.owner, e, quiz).await.unwrap();
        assert_eq!((other.given, other.granted), (1, 2));
        refused(used).await; // the attempt that another teacher gave is not taken
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(1));
        // The override allows a further attempt, but the granted one is used.
        class.for_learner(&kurso, json!({"page_id": quiz, "extra_attempts": 5})).await;
        class.submit(&kurso, 0).await.unwrap();
        refused(other).await;
    }
}
