//! Files and texts as answers of a running attempt.

use bytes::Bytes;
use kurso_core::attempts::AnswerUpload;
use kurso_core::both;
use kurso_core::files::cleanup;
use kurso_core::files::upload::Sink as _;
use kurso_db::sql;
use kurso_formats::quiz::AnswerFile;

use super::*;

const ESSAY: Uuid = Uuid::from_u128(11);
const UPLOAD: Uuid = Uuid::from_u128(12);
const OTHER: Uuid = Uuid::from_u128(13);

fn open_questions() -> Value {
    json!({"time_limit_seconds": 86_400, "grace_seconds": 0, "questions": [
        {"id": ESSAY, "type": "essay", "prompt": "Why?", "min_words": 3, "max_words": 5},
        {"id": UPLOAD, "type": "file_upload", "prompt": "Where?"},
        {"id": OTHER, "type": "file_upload", "prompt": "What else?"},
    ]})
}

async fn upload(kurso: &TestKurso, class: &Class, learner: &Viewer) -> Result<AnswerFile> {
    let mut upload = AnswerUpload::begin(&kurso.kurso, learner, (class.page, UPLOAD), None).await?;
    upload.write(Bytes::from_static(b"work")).await?;
    upload.finish("work.txt").await
}

async fn clean(kurso: &TestKurso) {
    cleanup::delete_unused(kurso).await.unwrap();
    kurso.clock.advance(kurso.uploads.limits.grace + Duration::seconds(1));
    cleanup::delete_unused(kurso).await.unwrap();
}

async fn files_left(kurso: &TestKurso) -> i64 {
    let count = sql!("SELECT COUNT(*) FROM files WHERE is_private");
    count.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

both! {
    async fn the_files_of_saved_answers_are_kept(kurso: TestKurso) {
        let class = class(&kurso, &open_questions()).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        assert_eq!(refused(upload(&kurso, &class, &anna).await), Message::AttemptNotStarted);
        let started = class.start(&kurso, &anna).await.unwrap();
        let (file, unused) = (upload(&kurso, &class, &anna).await.unwrap(), upload(&kurso, &class, &anna).await.unwrap());
        assert_ne!(file.id, unused.id);
        stored(class.save(&kurso, &anna, &started, json!([{"question_id": UPLOAD, "file_ids": [file.id]}])).await);
        assert_consistent(&kurso).await;
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1);
        assert_eq!(refused(upload(&kurso, &class, &anna).await), Message::TimeIsOver);
        kurso.clock.advance(MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        let attempt = &class.own(&kurso, enrollment).await[0];
        assert_eq!(attempt.waiting_answers, 1);
        assert_eq!(attempt.answers[0].given.files()[0].id, file.id);
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 1);
        assert_consistent(&kurso).await;
    }

    async fn a_file_that_is_taken_out_is_deleted(kurso: TestKurso) {
        let class = class(&kurso, &open_questions()).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let file = upload(&kurso, &class, &anna).await.unwrap();
        for ids in [json!([file.id]), json!([])] {
            stored(class.save(&kurso, &anna, &started, json!([{"question_id": UPLOAD, "file_ids": ids}])).await);
        }
        assert_consistent(&kurso).await;
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 0);
    }

    async fn an_essay_is_saved_at_any_length_and_graded_as_it_is(kurso: TestKurso) {
        let class = class(&kurso, &open_questions()).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let essay = |text: &str| json!([{"question_id": ESSAY, "content": text}]);
        stored(class.save(&kurso, &anna, &started, essay("one two three four five six")).await);
        stored(class.save(&kurso, &anna, &started, essay("Because")).await);
        // A submission by the learner keeps to the bounds.
        assert!(matches!(class.submit(&kurso, &anna, essay("Because")).await, Err(Error::Invalid(_))));
        kurso.clock.advance(Duration::seconds(86_401) + MARGIN);
        assert_eq!(finish_due(&kurso).await.unwrap(), 1);
        assert_eq!(class.own(&kurso, enrollment).await[0].waiting_answers, 1);
    }

    async fn a_file_is_in_one_answer_only(kurso: TestKurso) {
        let class = class(&kurso, &open_questions()).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let file = upload(&kurso, &class, &anna).await.unwrap();
        let of = |question: Uuid| json!([{"question_id": question, "file_ids": [file.id]}]);
        stored(class.save(&kurso, &anna, &started, of(UPLOAD)).await);
        let again = json!({"ticket": started.attempt.ticket, "elapsed_seconds": 0, "answers": of(OTHER)});
        assert!(matches!(class.try_save(&kurso, &anna, &again).await, Err(Error::Invalid(_))));
        assert!(matches!(class.submit(&kurso, &anna, of(OTHER)).await, Err(Error::Invalid(_))));
        // Moved from one question to the other.
        let moved = json!([{"question_id": UPLOAD, "file_ids": []}, {"question_id": OTHER, "file_ids": [file.id]}]);
        class.submit(&kurso, &anna, moved).await.unwrap();
    }

    async fn a_reset_releases_the_files_of_the_running_attempt(kurso: TestKurso) {
        let class = class(&kurso, &open_questions()).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let started = class.start(&kurso, &anna).await.unwrap();
        let file = upload(&kurso, &class, &anna).await.unwrap();
        stored(class.save(&kurso, &anna, &started, json!([{"question_id": UPLOAD, "file_ids": [file.id]}])).await);
        attempts::reset(&kurso, &class.owner, enrollment, class.page).await.unwrap();
        assert_consistent(&kurso).await;
        clean(&kurso).await;
        assert_eq!(files_left(&kurso).await, 0);
    }
}
