//! Answers that people grade.

use kurso_core::assessments::{self, AnswerId};
use kurso_core::both;
use kurso_core::regrades::{self, RemovedQuestions};
use kurso_core::testing::command;
use kurso_formats::quiz::Points;
use serde_json::{Value, json};

use super::{Class, Learner, by_id, scores};

fn questions() -> Value {
    json!({"pass_percent": 60, "questions": [
        {"type": "numeric", "prompt": "?", "value": 4},
        {"type": "essay", "prompt": "Why?", "points": 3},
    ]})
}

async fn write(class: &Class, learner: &Learner, number: i64) -> AnswerId {
    let [first, second] = [0, 1].map(|at| class.quiz.questions[at].id);
    let body =
        json!({"answers": [{"question_id": first, "number": number}, {"question_id": second, "content": "Because."}]});
    let attempt = class.submit(learner, class.pages[1], &body).await;
    AnswerId {
        attempt: attempt.id,
        question: second,
    }
}

async fn assess(class: &Class, answer: AnswerId, version: i64, points: f64) {
    let body = json!({"version": version, "points": points, "comment": "So."});
    assessments::assess(&class.kurso, &class.owner, answer, command(body))
        .await
        .unwrap();
}

both! {
    async fn points_given_by_graders_are_kept_and_scaled(kurso: TestKurso) {
        let class = Class::new(kurso, &questions()).await;
        let ada = class.learner("ada").await;
        let graded = write(&class, &ada, 5).await;
        assess(&class, graded, 0, 2.0).await;
        let waiting = write(&class, &ada, 5).await;
        let mut quiz = class.corrected(0, 5);
        quiz.questions[1].points = Points::of_parts(60_000);
        class.regrade(&quiz, RemovedQuestions::Exclude).await;
        let attempts = class.attempts(&ada).await;
        assert_eq!(scores(&attempts), [(5.0, 7.0), (1.0, 7.0)], "2 of 3 points are 4 of 6");
        let first = by_id(&attempts, graded.attempt);
        assert_eq!((first.results[1].points, first.results[1].comment.as_deref()), (Some(4.0), Some("So.")));
        assert_eq!(by_id(&attempts, waiting.attempt).waiting_answers, 1);
        class.assert_consistent().await;
        // Graders keep the points that the answer had, also for answers that waited.
        assess(&class, waiting, 0, 1.0).await;
        assess(&class, graded, 1, 3.0).await;
        assert_eq!(scores(&class.attempts(&ada).await), [(7.0, 7.0), (3.0, 7.0)]);
        class.assert_consistent().await;
    }

    async fn a_waiting_answer_to_a_removed_question_keeps_its_attempt(kurso: TestKurso) {
        let class = Class::new(kurso, &questions()).await;
        let ada = class.learner("ada").await;
        let graded = write(&class, &ada, 4).await;
        assess(&class, graded, 0, 2.0).await;
        write(&class, &ada, 4).await;
        class.draft(&class.without(1)).await;
        let shown = class.consequences(&class.regrading().await).await;
        assert_eq!((shown.regraded, shown.left), (1, 1));
        class.publish(&class.regrading().await, None).await.unwrap();
        assert_eq!(scores(&class.attempts(&ada).await), [(1.0, 1.0), (1.0, 4.0)]);
        class.assert_consistent().await;
    }

    async fn undo_skips_results_that_were_graded_since(kurso: TestKurso) {
        let class = Class::new(kurso, &questions()).await;
        let (ada, bob) = (class.learner("ada").await, class.learner("bob").await);
        let [one, two] = [write(&class, &ada, 5).await, write(&class, &bob, 5).await];
        for answer in [one, two] {
            assess(&class, answer, 0, 2.0).await;
        }
        let regrade = class.regrade(&class.corrected(0, 5), RemovedQuestions::Exclude).await.regrade.unwrap();
        assess(&class, one, 1, 1.0).await;
        assert_eq!(regrades::undo(&class.kurso, &class.owner, regrade.id).await.unwrap().left, 1);
        assert_eq!(scores(&class.attempts(&ada).await), [(2.0, 4.0)]);
        assert_eq!(scores(&class.attempts(&bob).await), [(2.0, 4.0)]);
        assert_eq!(class.attempts(&ada).await[0].result_changes.len(), 1);
        assert_eq!(class.attempts(&bob).await[0].result_changes.len(), 2);
        class.assert_consistent().await;
    }
}
