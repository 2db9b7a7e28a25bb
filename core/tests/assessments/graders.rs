//! Several graders who share one queue.

use std::collections::HashSet;

use chrono::Duration;
use futures_util::future::join_all;
use kurso_core::access::Viewer;
use kurso_core::assessments::{self, AnswerFilter, AnswerState, Assessed};
use kurso_core::both;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::json;

use super::{Class, assert_consistent, class, questions};

async fn graders(kurso: &TestKurso, class: &Class, count: usize) -> Vec<Viewer> {
    let mut graders = vec![];
    for number in 0..count {
        let grader = kurso.person(&format!("grader{number}")).await;
        kurso.collaborator(class.course, &grader, "teacher").await;
        graders.push(grader);
    }
    graders
}

both! {
    /// No answer is graded twice, and every assessment is there.
    async fn ten_graders_share_a_queue_without_conflicts(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        for name in ["anna", "boris", "vera", "galya"] {
            let (learner, _) = class.learner(&kurso, name).await;
            for number in 0..10 {
                class.submit(&kurso, &learner, &format!("Answer {number}")).await;
            }
        }
        let graders = graders(&kurso, &class, 10).await;
        let work = graders.iter().map(|grader| async {
            let mut graded = vec![];
            while let Some(answer) = assessments::claim_next(&kurso, grader, class.course, &AnswerFilter::default()).await.unwrap() {
                assert_eq!((answer.version, answer.opened_by), (0, None));
                let body = json!({"version": 0, "points": 2, "comment": grader.user.email});
                let assessed = assessments::assess(&kurso, grader, class.answer(answer.attempt_id), command(body)).await.unwrap();
                assert!(matches!(assessed, Assessed::Stored(_)));
                graded.push(answer.attempt_id);
            }
            graded
        });
        let graded: Vec<_> = join_all(work).await.into_iter().flatten().collect();
        assert_eq!((graded.len(), graded.iter().collect::<HashSet<_>>().len()), (40, 40));
        let (rows, people) = sql!("SELECT COUNT(*), COUNT(DISTINCT assessed_by) FROM assessments WHERE version = 1")
            .fetch_one::<(i64, i64)>(&kurso.db).await.unwrap();
        assert_eq!(rows, 40);
        assert!(people > 1, "one grader took all");
        assert_eq!(class.queue(&kurso, AnswerState::Released).await.total, 40);
        assert_consistent(&kurso).await;
    }

    /// Ten graders grade the same answer at once. One assessment is stored, and the other graders get it as the stored one.
    async fn concurrent_assessments_store_exactly_one(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let graders = graders(&kurso, &class, 10).await;
        let assessed = join_all(graders.iter().map(|grader| {
            let body = json!({"version": 0, "points": 2, "comment": grader.user.email});
            assessments::assess(&kurso, grader, class.answer(attempt.id), command(body))
        }))
        .await;
        let mut stored = vec![];
        for assessed in assessed {
            let (answer, is_stored) = match assessed.unwrap() {
                Assessed::Stored(answer) => (answer, true),
                Assessed::Stale(answer) => (answer, false),
            };
            assert_eq!((answer.version, answer.history.len()), (1, 1));
            stored.extend(is_stored.then_some(answer.comment));
        }
        assert_eq!(stored.len(), 1);
        assert_consistent(&kurso).await;
    }

    async fn a_claim_ends_by_itself(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let id = class.answer(attempt.id);
        let all = AnswerFilter::default();
        assert_eq!(assessments::claim(&kurso, &class.owner, id).await.unwrap().opened_by, None);
        let seen = assessments::claim(&kurso, &class.teacher, id).await.unwrap();
        assert_eq!(seen.opened_by.unwrap().id, class.owner.id());
        assert!(assessments::claim_next(&kurso, &class.teacher, class.course, &all).await.unwrap().is_none());
        assert!(assessments::claim_next(&kurso, &class.owner, class.course, &all).await.unwrap().is_some(), "it is the owner's own");
        kurso.clock.advance(assessments::CLAIM + Duration::seconds(1));
        let next = assessments::claim_next(&kurso, &class.teacher, class.course, &all).await.unwrap().unwrap();
        assert_eq!((next.attempt_id, next.opened_by), (attempt.id, None));
        let seen = assessments::open_answer(&kurso, &class.owner, id).await.unwrap();
        assert_eq!(seen.opened_by.unwrap().id, class.teacher.id());
    }
}
