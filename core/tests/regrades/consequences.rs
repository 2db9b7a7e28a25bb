//! What publishing would change is what it changes, and nothing is written before.

use std::time::Duration;

use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::both;
use kurso_core::regrades::{self, PastAttempts, PublishError, RemovedQuestions};
use kurso_db::sql;
use uuid::Uuid;

use super::{Class, numbers, scores};

both! {
    async fn a_corrected_key_changes_results_progress_and_grades(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let (ada, bob, eve) = (class.learner("ada").await, class.learner("bob").await, class.learner("eve").await);
        for learner in [&ada, &bob] {
            class.complete_others(learner).await;
        }
        class.take(&ada, &[1, 0, 4]).await; // passes by the corrected key
        class.take(&bob, &[0, 0, 3]).await; // has passed by the wrong key
        let before = [class.seen(&ada).await, class.seen(&bob).await];
        assert!(!before[0].is_completed && before[1].is_completed);
        class.draft(&class.corrected(2, 4)).await;
        let plan = class.regrading().await;
        let shown = class.consequences(&plan).await;
        assert_eq!((shown.affected, shown.regraded, shown.left), (2, 2, 0));
        let published = class.publish(&plan, Some(&shown.digest)).await.unwrap();
        let regrade = published.regrade.unwrap();
        assert_eq!((regrade.attempts, regrade.changed, regrade.pages.clone()), (2, 2, vec![class.pages[1]]));
        assert_eq!(regrade.by.as_ref().unwrap().id, class.owner.id());
        let after = [class.seen(&ada).await, class.seen(&bob).await];
        assert!(after[0].is_completed && !after[1].is_completed);
        assert_eq!((after[0].best, after[1].best), (Some((4.0, 6.0)), Some((0.0, 6.0))));
        for (learner, (before, after)) in [&ada, &bob].iter().zip(before.iter().zip(&after)) {
            let told = shown.learners.iter().find(|told| told.enrollment_id == learner.enrollment).unwrap();
            assert_eq!((told.before.progress, told.after.progress), (before.percent, after.percent));
            assert_eq!((told.before.is_completed, told.after.is_completed), (before.is_completed, after.is_completed));
            assert_eq!((told.before.grade, told.after.grade), (before.grade, after.grade));
            let page = told.pages[0];
            assert_eq!((Some((page.before.score, page.before.max_score)), page.before.passed), (before.best, before.passed));
            assert_eq!((Some((page.after.score, page.after.max_score)), page.after.passed), (after.best, after.passed));
        }
        let changes = class.attempts(&ada).await[0].result_changes.clone();
        assert_eq!((changes[0].score_before, changes[0].score_after, changes[0].passed_after), (1.0, 4.0, true));
        assert_eq!(class.attempts(&eve).await.len(), 0);
        class.assert_consistent().await;
    }

    async fn consequences_write_nothing(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.complete_others(&ada).await;
        class.take(&ada, &[1, 2, 3]).await;
        class.draft(&class.without(0)).await;
        let before = class.rows(&[]).await;
        for past in [PastAttempts::Keep, PastAttempts::Regrade] {
            for removed in [RemovedQuestions::Exclude, RemovedQuestions::FullPoints] {
                class.consequences(&class.plan(past, removed).await).await;
            }
        }
        assert_eq!(class.rows(&[]).await, before);
    }

    async fn consequences_wait_for_no_writer(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1, 0, 4]).await;
        class.draft(&class.corrected(2, 4)).await;
        let plan = class.regrading().await;
        let mut writer = class.kurso.db.begin().await.unwrap();
        for lock in [
            sql!("UPDATE courses SET updated_at = updated_at WHERE id = $1", class.course),
            sql!("UPDATE enrollments SET last_activity_at = last_activity_at WHERE course_id = $1", class.course),
        ] {
            lock.execute(&mut writer).await.unwrap();
        }
        let shown = tokio::time::timeout(Duration::from_secs(5), class.consequences(&plan)).await;
        assert_eq!(shown.unwrap().affected, 1);
        writer.rollback().await.unwrap();
    }

    async fn keeping_attempts_has_no_consequences(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1, 2, 3]).await;
        let before = (class.seen(&ada).await, class.rows(&["attempts"]).await);
        class.draft(&class.corrected(2, 4)).await;
        let plan = class.plan(PastAttempts::Keep, RemovedQuestions::Exclude).await;
        let shown = class.consequences(&plan).await;
        assert_eq!((shown.affected, shown.regraded), (0, 0));
        let published = class.publish(&plan, Some(&shown.digest)).await.unwrap();
        assert_eq!(published.regrade, None);
        assert_eq!((class.seen(&ada).await, class.rows(&["attempts"]).await), before);
        class.assert_consistent().await;
    }

    async fn removed_questions_are_excluded_or_give_full_points(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1, 0, 0]).await;
        class.draft(&class.without(1)).await;
        let told = |shown: regrades::Consequences| shown.learners[0].pages[0].after;
        let exclude = told(class.consequences(&class.regrading().await).await);
        assert_eq!((exclude.score, exclude.max_score, exclude.percent), (1.0, 4.0, Some(25)));
        let full = class.plan(PastAttempts::Regrade, RemovedQuestions::FullPoints).await;
        let points = told(class.consequences(&full).await);
        assert_eq!((points.score, points.max_score, points.passed), (3.0, 6.0, true));
        class.publish(&full, None).await.unwrap();
        assert_eq!(scores(&class.attempts(&ada).await), [(3.0, 6.0)]);
        // The question returns: the attempt still has its answer.
        class.regrade(&class.corrected(1, 0), RemovedQuestions::Exclude).await;
        assert_eq!(scores(&class.attempts(&ada).await), [(3.0, 6.0)]);
        class.assert_consistent().await;
    }

    async fn an_attempt_is_left_when_no_points_would_remain(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1, 2, 3]).await;
        let mut other = class.quiz.clone();
        for question in &mut other.questions {
            question.id = Uuid::now_v7();
        }
        class.draft(&other).await;
        let shown = class.consequences(&class.regrading().await).await;
        assert_eq!((shown.affected, shown.regraded, shown.left), (0, 0, 1));
        assert_eq!(class.publish(&class.regrading().await, None).await.unwrap().regrade, None);
        assert_eq!(scores(&class.attempts(&ada).await), [(6.0, 6.0)]);
        class.assert_consistent().await;
    }

    async fn publishing_rejects_the_digest_when_a_new_attempt_changes_the_outcome(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let (ada, bob) = (class.learner("ada").await, class.learner("bob").await);
        class.take(&ada, &[1, 0, 4]).await;
        class.draft(&class.corrected(2, 4)).await;
        let plan = class.regrading().await;
        let shown = class.consequences(&plan).await;
        // Neither this attempt nor its regrading is better than the other one.
        class.take(&ada, &[0, 0, 0]).await;
        class.take(&bob, &[1, 0, 0]).await;
        assert_eq!(class.consequences(&plan).await.digest, shown.digest);
        class.take(&bob, &[1, 0, 4]).await;
        let before = class.rows(&[]).await;
        let Err(PublishError::Changed(present)) = class.publish(&plan, Some(&shown.digest)).await else {
            panic!("published")
        };
        assert_eq!(class.rows(&[]).await, before, "nothing was published");
        assert!(present.digest != shown.digest && present.affected == 2);
        class.publish(&plan, Some(&present.digest)).await.unwrap();
        let Err(PublishError::Conflict(pages)) = class.publish(&plan, Some(&present.digest)).await else {
            panic!("published twice")
        };
        assert_eq!(pages[0].page_id, class.pages[1]);
        class.assert_consistent().await;
    }

    async fn only_editors_see_consequences(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let (ada, teacher, stranger) =
            (class.learner("ada").await, class.kurso.person("teacher").await, class.kurso.person("stranger").await);
        class.kurso.collaborator(class.course, &teacher, "teacher").await;
        class.take(&ada, &[0, 0, 0]).await;
        let regrade = class.regrade(&class.corrected(2, 4), RemovedQuestions::Exclude).await.regrade.unwrap();
        class.draft(&class.corrected(2, 5)).await;
        let plan = class.regrading().await;
        for (viewer, expected) in [(&class.editor, None), (&teacher, Some(false)), (&ada.viewer, Some(false)), (&stranger, Some(true))] {
            let is_missing = |error: &Error| matches!(error, Error::NotFound(_));
            let found = regrades::consequences(&class.kurso, viewer, class.course, &plan).await;
            let found = found.err().map(|error| match error {
                PublishError::Refused(error) => is_missing(&error),
                other => panic!("{other:?}"),
            });
            let listed = regrades::list(&class.kurso, viewer, class.course).await.err();
            assert_eq!((found, listed.as_ref().map(is_missing)), (expected, expected));
            if expected.is_some() {
                let undone = regrades::undo(&class.kurso, viewer, regrade.id).await.err();
                assert_eq!(undone.as_ref().map(is_missing), expected);
            }
        }
        regrades::undo(&class.kurso, &class.editor, regrade.id).await.unwrap();
        let nowhere = regrades::undo(&class.kurso, &class.editor, kurso_base::ids::RegradeId::new()).await;
        assert!(matches!(nowhere, Err(Error::NotFound(Message::RegradeNotFound))));
    }
}
