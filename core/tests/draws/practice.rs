//! Practice of drawn questions.

use chrono::Duration;
use kurso_core::attempts::practice;
use kurso_core::both;

use super::*;

both! {
    async fn drawn_questions_are_practised_only_after_passing(kurso: TestKurso) {
        let class = class(&kurso, 3, 3, &json!({"reveal": "after_submit"})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let due = async || {
            kurso.clock.advance(Duration::days(400)); // longer than any interval
            let due = practice::queue(&kurso, &anna).await.unwrap();
            due.questions.into_iter().map(|due| due.question.id).collect::<HashSet<_>>()
        };
        class.start(&kurso, &anna).await.unwrap();
        class.submit(&kurso, &anna, json!([])).await.unwrap();
        assert_eq!(due().await, HashSet::from([FIXED]));
        let drawn = class.take(&kurso, &anna).await;
        assert_eq!(drawn.len(), 3);
        assert_eq!(due().await, drawn.into_iter().chain([FIXED]).collect());
        let due = practice::queue(&kurso, &anna).await.unwrap();
        for due in due.questions {
            let text = serde_json::to_string(&due.question).unwrap();
            assert!(!text.contains("\"value\""), "{text}");
        }
    }
}
