//! A regrading is undone as a whole.

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::attempts::{self, ResultChangeKind};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::team;
use kurso_core::learning::enroll;
use kurso_core::regrades::{self, RemovedQuestions};

use super::{Class, is_conflict, numbers, scores};

both! {
    async fn undoing_restores_every_attempt(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let (ada, bob) = (class.learner("ada").await, class.learner("bob").await);
        class.take(&ada, &[1, 0, 4]).await;
        class.take(&bob, &[0, 0, 0]).await;
        let before = (class.rows(&["attempts", "open_answers"]).await, class.seen(&ada).await, class.seen(&bob).await);
        class.kurso.clock.advance(Duration::minutes(1));
        let regrade = class.regrade(&class.corrected(2, 4), RemovedQuestions::Exclude).await.regrade.unwrap();
        assert_eq!((regrade.attempts, regrade.changed), (2, 1));
        assert!(class.seen(&ada).await != before.1);
        class.kurso.clock.advance(Duration::minutes(1));
        let undone = regrades::undo(&class.kurso, &class.owner, regrade.id).await.unwrap();
        assert_eq!((undone.left, undone.regrade.undone_at), (0, Some(class.kurso.clock.now())));
        let after = (class.rows(&["attempts", "open_answers"]).await, class.seen(&ada).await, class.seen(&bob).await);
        assert_eq!(after, before);
        let attempts = class.attempts(&ada).await;
        let kinds: Vec<_> = attempts[0].result_changes.iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [ResultChangeKind::RegradeUndone, ResultChangeKind::Regraded]);
        assert_eq!((attempts[0].result_changes[0].score_before, attempts[0].result_changes[0].score_after), (4.0, 1.0));
        assert!(class.attempts(&bob).await[0].result_changes.is_empty());
        let listed = regrades::list(&class.kurso, &class.editor, class.course).await.unwrap();
        assert_eq!(listed, [undone.regrade]);
        let again = regrades::undo(&class.kurso, &class.owner, regrade.id).await.err().unwrap();
        assert!(matches!(again, Error::Conflict(Message::RegradeIsFinal)));
        class.assert_consistent().await;
    }

    async fn a_later_regrading_is_undone_first(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1, 0, 4]).await;
        let first = class.regrade(&class.corrected(2, 4), RemovedQuestions::Exclude).await.regrade.unwrap();
        let second = class.regrade(&class.corrected(2, 5), RemovedQuestions::Exclude).await.regrade.unwrap();
        assert_eq!(scores(&class.attempts(&ada).await), [(1.0, 6.0)]);
        let listed = regrades::list(&class.kurso, &class.owner, class.course).await.unwrap();
        let now = class.kurso.clock.now();
        assert_eq!(listed.iter().map(|one| (one.id, one.is_undoable(now))).collect::<Vec<_>>(), [(second.id, true), (first.id, false)]);
        let refused = regrades::undo(&class.kurso, &class.owner, first.id).await.err().unwrap();
        assert!(matches!(refused, Error::Conflict(Message::RegradeIsFollowed)));
        assert_eq!(scores(&class.attempts(&ada).await), [(1.0, 6.0)]);
        assert_eq!(regrades::undo(&class.kurso, &class.owner, second.id).await.unwrap().left, 0);
        assert_eq!(scores(&class.attempts(&ada).await), [(4.0, 6.0)]);
        assert_eq!(regrades::undo(&class.kurso, &class.owner, first.id).await.unwrap().left, 0);
        assert_eq!(scores(&class.attempts(&ada).await), [(1.0, 6.0)]);
        class.assert_consistent().await;
    }

    async fn what_undoing_needs_is_kept_for_thirty_days(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let (ada, bob) = (class.learner("ada").await, class.learner("bob").await);
        class.take(&ada, &[1, 0, 4]).await;
        class.take(&bob, &[0, 0, 0]).await;
        let regrade = class.regrade(&class.corrected(2, 4), RemovedQuestions::Exclude).await.regrade.unwrap();
        class.kurso.clock.advance(Duration::days(30) - Duration::seconds(1));
        assert_eq!(regrades::delete_old(&class.kurso).await.unwrap(), 0);
        assert!(regrade.is_undoable(class.kurso.clock.now()));
        class.kurso.clock.advance(Duration::seconds(1));
        assert!(!regrade.is_undoable(class.kurso.clock.now()));
        assert!(is_conflict(&regrades::undo(&class.kurso, &class.owner, regrade.id).await.err().unwrap()));
        assert_eq!(regrades::delete_old(&class.kurso).await.unwrap(), 2);
        assert_eq!(regrades::delete_old(&class.kurso).await.unwrap(), 0);
        assert_eq!(class.rows(&["regraded_attempts"]).await["regraded_attempts"].len(), 1);
        assert_eq!(class.attempts(&ada).await[0].result_changes.len(), 1, "the history stays");
        assert_eq!(regrades::list(&class.kurso, &class.owner, class.course).await.unwrap(), []);
        class.assert_consistent().await;
    }

    async fn learners_who_left_or_start_anew(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let (ada, bob) = (class.learner("ada").await, class.learner("bob").await);
        class.take(&ada, &[1, 0, 4]).await;
        class.take(&bob, &[1, 0, 4]).await;
        let regrade = class.regrade(&class.corrected(2, 4), RemovedQuestions::Exclude).await.regrade.unwrap();
        team::leave(&class.kurso, &ada.viewer, class.course).await.unwrap();
        attempts::reset(&class.kurso, &class.owner, bob.enrollment, class.pages[1]).await.unwrap();
        assert_eq!(regrades::undo(&class.kurso, &class.owner, regrade.id).await.unwrap().left, 0);
        enroll(&class.kurso, &ada.viewer, &Origin::default(), &class.code).await.unwrap();
        assert_eq!(scores(&class.attempts(&ada).await), [(1.0, 6.0)]);
        assert_eq!(class.attempts(&ada).await[0].result_changes.len(), 2);
        class.assert_consistent().await;
    }
}
