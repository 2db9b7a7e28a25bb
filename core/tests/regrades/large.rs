//! Large classes.

use kurso_base::ids::{AttemptId, EnrollmentId, UserId};
use kurso_core::both;
use kurso_core::regrades;
use kurso_db::{args, sql};

use super::{Class, numbers};

/// Adds learners with one attempt each, copies of the attempt that there is.
async fn copies(class: &Class, count: usize) {
    let db = &class.kurso.db;
    let ids: Vec<(UserId, EnrollmentId, AttemptId)> = (0..count)
        .map(|_| (UserId::new(), EnrollmentId::new(), AttemptId::new()))
        .collect();
    let now = class.kurso.clock.now();
    for ids in ids.chunks(500) {
        sql!("INSERT INTO users (id, email, email_key, password_hash, is_active, is_superuser, created_at) VALUES ")
            .push_rows(ids, |(user, ..)| {
                let email = format!("{user}@example.com");
                args![*user, email.clone(), email, "-", true, false, now]
            })
            .execute(db)
            .await
            .unwrap();
        sql!("INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ")
            .push_rows(ids, |(user, enrollment, _)| {
                args![*enrollment, class.course, *user, now, now]
            })
            .execute(db)
            .await
            .unwrap();
        sql!("INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
               submitted_at, penalty_percent, waiting)
             SELECT v.column1, v.column2, a.page_id, 1, a.quiz_version, a.answers, a.results, a.score, a.max_score, a.percent, a.passed,
               a.submitted_at, a.penalty_percent, a.waiting
             FROM (SELECT * FROM attempts ORDER BY submitted_at LIMIT 1) a, (VALUES ")
            .push_rows(ids, |(_, enrollment, attempt)| args![*attempt, *enrollment])
            .push(") AS v")
            .execute(db)
            .await
            .unwrap();
    }
}

both! {
    async fn a_large_class_takes_few_statements(kurso: TestKurso) {
        let class = Class::new(kurso, &numbers()).await;
        let ada = class.learner("ada").await;
        class.take(&ada, &[1, 0, 4]).await;
        copies(&class, 1999).await;
        class.draft(&class.corrected(2, 4)).await;
        let plan = class.regrading().await;
        let (before, start) = (class.kurso.db.statements(), std::time::Instant::now());
        let shown = class.consequences(&plan).await;
        let took = class.kurso.db.statements() - before;
        eprintln!("2000 attempts: {took} statements, {:?}", start.elapsed());
        assert_eq!((shown.affected, shown.learners.len(), shown.regraded), (2000, 500, 2000));
        assert!(took < 150, "{took} statements");
        let start = std::time::Instant::now();
        let regrade = class.publish(&plan, Some(&shown.digest)).await.unwrap().regrade.unwrap();
        eprintln!("published in {:?}", start.elapsed());
        let (before, start) = (class.kurso.db.statements(), std::time::Instant::now());
        assert_eq!(regrades::undo(&class.kurso, &class.owner, regrade.id).await.unwrap().left, 0);
        let took = class.kurso.db.statements() - before;
        eprintln!("undone: {took} statements, {:?}", start.elapsed());
        assert!(took < 40, "{took} statements");
        class.assert_consistent().await;
    }
}
