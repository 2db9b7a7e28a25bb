//! Learners are notified of decisions about their work, and only of what they can see.

use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::regrades::{self, RemovedQuestions};
use kurso_core::{assessments, inbox};
use serde_json::json;

use super::*;
use crate::assessments::{class, questions};
use crate::assignments;
use crate::regrades::{Class, numbers};

both! {
    async fn a_learner_is_notified_when_a_grade_becomes_visible(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        assert_eq!(kinds(&kurso, &anna).await, [] as [&str; 0], "nobody is told of what they did themselves");
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        let told = notices(&kurso, &anna).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "graded", attempt.id.0));
        assert_eq!(told[0].course.as_ref().unwrap().id, class.course);
        assert_eq!(told[0].page.as_ref().unwrap().id, class.page);
        assert_eq!(told[0].actor, None, "learners do not see who graded");
        // A second assessment renews the notice.
        read_all(&kurso, &anna).await;
        class.assess(&kurso, attempt.id, 1, 2.0).await.unwrap();
        let again = notices(&kurso, &anna).await;
        assert_eq!((again.len(), again[0].read_at, listed(&kurso, &anna).await.unread), (1, None, 1));
        assert!(again[0].id > told[0].id);
        assert_eq!(kinds(&kurso, &boris).await, [] as [&str; 0]);
        assert_eq!(stored(&kurso).await, 1);
        assert_consistent(&kurso).await;
    }

    async fn a_hidden_grade_causes_no_notice_until_it_is_released(kurso: TestKurso) {
        let class = class(&kurso, &questions("together")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let one = class.submit(&kurso, &anna, "One").await;
        class.submit(&kurso, &boris, "Two").await;
        class.assess(&kurso, one.id, 0, 3.0).await.unwrap();
        assert_eq!((kinds(&kurso, &anna).await.len(), stored(&kurso).await), (0, 0));
        assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        assert_eq!(kinds(&kurso, &anna).await, ["graded"]);
        assert_eq!(kinds(&kurso, &boris).await, [] as [&str; 0], "that answer still waits");
        read_all(&kurso, &anna).await;
        assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        assert_eq!(listed(&kurso, &anna).await.unread, 0, "nothing was released");
        // A correction of released points is visible at once.
        class.assess(&kurso, one.id, 1, 2.0).await.unwrap();
        assert_eq!(listed(&kurso, &anna).await.unread, 1);
    }

    async fn the_last_of_several_answers_completes_the_result(kurso: TestKurso) {
        let two = json!({"release": "at_once", "questions": [
            {"type": "essay", "prompt": "Why?", "points": 3}, {"type": "essay", "prompt": "How?", "points": 3},
        ]});
        let class = class(&kurso, &two).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let answers = class.quiz.questions.iter().map(|question| json!({"question_id": question.id, "content": "So"}));
        let answers = json!({"answers": answers.collect::<Vec<_>>()});
        let submitted = attempts::submit(&kurso, &anna, class.page, kurso_core::testing::submission(&answers)).await;
        let attempt = submitted.unwrap().attempt.id;
        for (question, told) in [(1, 0), (0, 1)] {
            let answer = assessments::AnswerId { attempt, question: class.quiz.questions[question].id };
            let body = kurso_core::testing::command(json!({"version": 0, "points": 1}));
            assessments::assess(&kurso, &class.teacher, answer, body).await.unwrap();
            assert_eq!(kinds(&kurso, &anna).await.len(), told);
        }
    }

    async fn a_grade_replaces_the_notice_of_returned_work(kurso: TestKurso) {
        let class = assignments::class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.write(&kurso, &anna, "Work").await;
        class.return_it(&kurso, attempt.id).await;
        assert_eq!(kinds(&kurso, &anna).await, ["returned"]);
        class.give(&kurso, attempt.id, 8).await;
        assert_eq!(kinds(&kurso, &anna).await, ["graded"], "it is not returned any more");
        class.return_it(&kurso, attempt.id).await;
        assert_eq!(kinds(&kurso, &anna).await, ["returned"]);
        // A notice that was read stays until its attempt is deleted.
        read_all(&kurso, &anna).await;
        class.give(&kurso, attempt.id, 9).await;
        assert_eq!(kinds(&kurso, &anna).await, ["graded", "returned"]);
        attempts::reset(&kurso, &class.owner, enrollment, class.page).await.unwrap();
        assert_eq!(stored(&kurso).await, 0);
    }

    async fn taking_an_attempt_back_withdraws_its_notice(kurso: TestKurso) {
        let limited = json!({"max_attempts": 1, "questions": [{"type": "numeric", "prompt": "?", "value": 4}]});
        let class = Class::new(kurso, &limited).await;
        let kurso = &class.kurso;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1]).await;
        for _ in 0..2 {
            let grant = attempts::grant(kurso, &class.owner, ada.enrollment, class.pages[1]).await.unwrap();
            let told = notices(kurso, &ada.viewer).await;
            assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "attempt_given", class.pages[1].0));
            attempts::take_back(kurso, &class.owner, ada.enrollment, class.pages[1], Some(grant)).await.unwrap();
            assert_eq!(kinds(kurso, &ada.viewer).await, [] as [&str; 0]);
        }
    }

    async fn a_regrading_notifies_affected_learners_until_it_is_undone(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let kurso = &class.kurso;
        let (ada, bob, eve) = (class.learner("ada").await, class.learner("bob").await, class.learner("eve").await);
        for learner in [&ada, &eve] {
            class.take(learner, &[1, 0, 4]).await;
        }
        let last = class.take(&ada, &[1, 2, 4]).await;
        class.take(&bob, &[0, 0, 0]).await;
        let regrade = class.regrade(&class.corrected(2, 4), RemovedQuestions::Exclude).await.regrade.unwrap();
        let told = notices(kurso, &ada.viewer).await;
        assert_eq!((told.len(), told[0].kind.name(), told[0].subject), (1, "result_changed", last.id.0), "one per page");
        assert_eq!(kinds(kurso, &bob.viewer).await, [] as [&str; 0], "the same result");
        assert_eq!(kinds(kurso, &eve.viewer).await, ["result_changed"]);
        read_all(kurso, &eve.viewer).await;
        regrades::undo(kurso, &class.owner, regrade.id).await.unwrap();
        assert_eq!(kinds(kurso, &ada.viewer).await, [] as [&str; 0]);
        assert_eq!(kinds(kurso, &eve.viewer).await, ["result_changed"], "what was read stays");
        // Publishing without a regrading notifies nobody.
        class.draft(&class.corrected(1, 7)).await;
        let plan = class.plan(regrades::PastAttempts::Keep, RemovedQuestions::Exclude).await;
        class.publish(&plan, None).await.unwrap();
        assert_eq!(kinds(kurso, &ada.viewer).await, [] as [&str; 0]);
        class.assert_consistent().await;
    }

    async fn mails_contain_only_unread_and_readable_notices(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        let ids: Vec<_> = notices(&kurso, &anna).await.iter().map(|notice| notice.id).collect();
        assert_eq!(inbox::visible(&kurso, anna.id(), &ids).await.unwrap().len(), 1);
        assert!(inbox::visible(&kurso, class.teacher.id(), &ids).await.unwrap().is_empty(), "of another person");
        kurso_core::students::remove(&kurso, &class.owner, enrollment).await.unwrap();
        assert!(inbox::visible(&kurso, anna.id(), &ids).await.unwrap().is_empty());
        kurso_core::learning::enroll(&kurso, &anna, &Origin::default(), &class.code).await.unwrap();
        assert_eq!(inbox::visible(&kurso, anna.id(), &ids).await.unwrap().len(), 1, "they are back");
        read_all(&kurso, &anna).await;
        assert!(inbox::visible(&kurso, anna.id(), &ids).await.unwrap().is_empty());
    }
}
