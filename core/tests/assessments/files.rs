//! Concurrent submissions and resets of attempts with files.

use bytes::Bytes;
use kurso_core::attempts::AnswerUpload;
use kurso_core::files::upload::Sink as _;

use super::*;

both! {
    /// A reset releases the file of an attempt. A submission of the same file at that moment either keeps it, or is refused.
    async fn a_reset_and_a_submission_of_one_file_leave_no_attempt_without_it(kurso: TestKurso) {
        let quiz = json!({"questions": [{"type": "file_upload", "prompt": "?"}]});
        let class = class(&kurso, &quiz).await;
        let (learner, enrollment) = class.learner(&kurso, "anna").await;
        let question = class.quiz.questions[0].id;
        for _ in 0..10 {
            let mut upload = AnswerUpload::begin(&kurso.kurso, &learner, (class.page, question), None).await.unwrap();
            upload.write(Bytes::from_static(b"work")).await.unwrap();
            let file = upload.finish("work.txt").await.unwrap();
            let submit = || attempts::submit(&kurso, &learner, class.page, submission(&json!({"answers": [
                {"question_id": question, "file_ids": [file.id]},
            ]})));
            submit().await.unwrap();
            let (again, reset) = tokio::join!(submit(), attempts::reset(&kurso, &class.teacher, enrollment, class.page));
            reset.unwrap();
            match again {
                Ok(_) | Err(Error::Invalid(_)) => {}
                Err(other) => panic!("{other:?}"),
            }
            assert_consistent(&kurso).await;
        }
    }
}
