//! What `kurso check` finds of returns and drafts that do not fit.

use kurso_core::both;
use kurso_db::sql;

use super::*;

async fn problems(kurso: &TestKurso) -> Vec<String> {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    report.findings.iter().map(|finding| finding.problem.clone()).collect()
}

/// Where each problem is, and the problem.
async fn found(kurso: &TestKurso) -> Vec<String> {
    let report = check::check(kurso, Depth::default()).await.unwrap();
    let findings = report.findings.iter();
    findings
        .map(|finding| format!("{}: {}", finding.at, finding.problem))
        .collect()
}

both! {
    async fn returns_that_do_not_fit_are_found(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.write(&kurso, &anna, "One").await;
        class.return_it(&kurso, attempt.id).await;
        assert_consistent(&kurso).await;
        sql!("UPDATE attempts SET is_returned = FALSE").execute(&kurso.db).await.unwrap();
        assert!(problems(&kurso).await.contains(&"it is returned but not its answer, or the reverse".to_owned()));
        sql!("UPDATE attempts SET is_returned = TRUE, waiting = 0").execute(&kurso.db).await.unwrap();
        let found = problems(&kurso).await;
        assert!(found.contains(&"the number of its answers that wait is not that of its open answers".to_owned()), "{found:?}");
        sql!("UPDATE attempts SET waiting = 1").execute(&kurso.db).await.unwrap();
        sql!("UPDATE open_answers SET points = 1").execute(&kurso.db).await.unwrap();
        let found = problems(&kurso).await;
        assert!(found.contains(&"it is returned with points, without a comment, or not released".to_owned()), "{found:?}");
        assert!(found.contains(&"it does not have what its last assessment gave".to_owned()), "{found:?}");
    }

    /// Nothing would ever delete such a file.
    async fn a_file_that_is_kept_for_no_draft_is_found(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let (boris, _) = class.learner(&kurso, "boris").await;
        let named = class.upload(&kurso.kurso, &anna, "named.pdf").await;
        let other = class.upload(&kurso.kurso, &anna, "other.pdf").await;
        let of_boris = class.upload(&kurso.kurso, &boris, "work.pdf").await;
        class.saved(&kurso, &anna, json!({"version": 0, "file_ids": [named.id]})).await;
        assert_consistent(&kurso).await;
        sql!("UPDATE answer_files SET is_drafted = TRUE").execute(&kurso.db).await.unwrap();
        let kept = |file: &AnswerFile| format!("answer_files {}: it is kept for a draft or a running attempt that does not name it", file.id);
        assert_eq!(found(&kurso).await, [kept(&other), kept(&of_boris)]);
        // A draft of another learner names the file.
        sql!("UPDATE answer_files SET is_drafted = (file_id = $1)", named.id).execute(&kurso.db).await.unwrap();
        sql!("UPDATE answer_files SET user_id = $1", boris.id()).execute(&kurso.db).await.unwrap();
        assert_eq!(found(&kurso).await, [kept(&named)]);
    }

    async fn drafts_that_do_not_fit_are_found(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        class.saved(&kurso, &anna, json!({"version": 0, "file_ids": [file.id]})).await;
        sql!("UPDATE answer_files SET is_drafted = FALSE").execute(&kurso.db).await.unwrap();
        let lost = format!("it has the file {}, which does not exist, or which the cleanup job could delete", file.id);
        assert_eq!(problems(&kurso).await, [lost]);
        sql!("UPDATE answer_drafts SET answer = 'no JSON'").execute(&kurso.db).await.unwrap();
        let found = problems(&kurso).await;
        assert!(found.len() == 1 && found[0].starts_with("its answer cannot be read"), "{found:?}");
    }
}
