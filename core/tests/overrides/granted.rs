//! Attempts that are granted and taken back, on both databases.

use kurso_core::attempts::take_back;
use kurso_core::audit::{self, Act};

use super::*;

both! {
    async fn an_unused_granted_attempt_can_be_taken_back(kurso: TestKurso) {
        let class = class(&kurso).await;
        let (e, quiz) = (class.enrollments[0], class.pages[1]);
        let gone = async || {
            let refused = take_back(&kurso, &class.owner, e, quiz).await;
            assert!(matches!(refused, Err(Error::Conflict(Message::NoUnusedAttempt))), "{refused:?}");
        };
        gone().await; // the attempt of the limit is not taken
        class.submit(&kurso, 0).await.unwrap();
        grant(&kurso, &class.owner, e, quiz).await.unwrap();
        for person in &class.learners {
            let refused = take_back(&kurso, person, e, quiz).await;
            assert!(matches!(refused, Err(Error::Forbidden(Message::CourseForbidden))), "{refused:?}");
        }
        let text = take_back(&kurso, &class.owner, e, class.pages[0]).await;
        assert!(matches!(text, Err(Error::NotFound(Message::NoQuiz))), "{text:?}");
        take_back(&kurso, &class.owner, e, quiz).await.unwrap();
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(0));
        gone().await;
        let refused = class.submit(&kurso, 0).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::OutOfAttempts))), "{refused:?}");

        grant(&kurso, &class.owner, e, quiz).await.unwrap();
        class.submit(&kurso, 0).await.unwrap();
        gone().await; // it was used
        grant(&kurso, &class.owner, e, quiz).await.unwrap(); // another one beside the used one
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(1));
        take_back(&kurso, &class.owner, e, quiz).await.unwrap();
        assert_eq!(class.attempts_left(&kurso, 0).await, Some(0));
        gone().await;
        // Attempts that the override of the learner allows are not taken back.
        class.for_learner(&kurso, json!({"page_id": quiz, "extra_attempts": 5})).await;
        let left = class.attempts_left(&kurso, 0).await;
        take_back(&kurso, &class.owner, e, quiz).await.unwrap();
        gone().await;
        assert_eq!(class.attempts_left(&kurso, 0).await, left.map(|left| left - 1), "the used attempt now counts against the limit");
        let root = kurso.superuser("root").await;
        let log = audit::list(&kurso, &root, &audit::Filter::default(), Page::default()).await.unwrap();
        let taken: Vec<_> = log.data.iter().filter(|entry| entry.act == Act::AttemptTakenBack).collect();
        assert_eq!(taken.len(), 3);
        assert!(taken.iter().all(|entry| entry.page.as_ref().unwrap().id == quiz));
    }
}
