//! Grading during the deletion of the page, on both databases: the two operations neither deadlock nor fail.

use std::time::Duration;

use super::*;

/// Long enough for a request to reach the lock that it waits for.
async fn others_wait() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}

/// Deletes the page of an answer while staff do something with the answer. They come too late: the page has gone, or nothing is left of the answer.
async fn race(kurso: &TestKurso, act: impl AsyncFnOnce(&Class, EnrollmentId, AttemptId) -> Result<(), Error>) {
    let class = class(kurso, &questions("together")).await;
    let (learner, enrollment) = class.learner(kurso, "anna").await;
    let attempt = class.submit(kurso, &learner, "Because of the tides.").await.id;
    stored(class.assess(kurso, attempt, 0, 1.0).await);
    // Locks the attempt, so that the deletion has already locked the page when the other operation begins.
    let mut tx = kurso.db.begin().await.unwrap();
    sql!("UPDATE attempts SET waiting = waiting WHERE id = $1", attempt)
        .execute(&mut tx)
        .await
        .unwrap();
    let (deleted, outcome, ()) = tokio::join!(
        page::delete(kurso, &class.owner, class.page),
        async {
            others_wait().await;
            act(&class, enrollment, attempt).await
        },
        async {
            others_wait().await;
            others_wait().await;
            tx.commit().await.unwrap();
        },
    );
    assert!(deleted.is_ok(), "{deleted:?}");
    assert!(matches!(outcome, Ok(()) | Err(Error::NotFound(_))), "{outcome:?}");
    assert_consistent(kurso).await;
}

both! {
    async fn a_page_is_deleted_while_an_answer_is_graded(kurso: TestKurso) {
        race(&kurso, async |class, _, attempt| class.assess(&kurso, attempt, 1, 2.0).await.map(|_| ())).await;
    }

    async fn a_page_is_deleted_while_its_answers_are_released(kurso: TestKurso) {
        race(&kurso, async |class, _, _| assessments::release(&kurso, &class.teacher, class.page).await.map(|_| ())).await;
    }

    async fn a_page_is_deleted_while_attempts_at_it_are_reset(kurso: TestKurso) {
        race(&kurso, async |class, enrollment, _| {
            attempts::reset(&kurso, &class.teacher, enrollment, class.page).await.map(|_| ())
        })
        .await;
    }
}
