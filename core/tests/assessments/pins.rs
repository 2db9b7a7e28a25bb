//! Comments that graders pin to places of an answer.

use bytes::Bytes;
use kurso_core::attempts::AnswerUpload;
use kurso_core::files::upload::Sink as _;
use kurso_formats::quiz::{Answer, Given};

use super::*;

fn pins(from: u32, comment: &str) -> Value {
    json!([{"start": from, "end": from + 3, "comment": comment}, {"start": 0, "end": 1, "comment": "First"}])
}

async fn assess(kurso: &TestKurso, class: &Class, id: AnswerId, body: Value) -> Result<Assessed, Error> {
    assessments::assess(kurso, &class.teacher, id, command(body)).await
}

/// The locations and messages of what was refused.
fn refusals(assessed: Result<Assessed, Error>) -> Vec<(String, Message)> {
    let Err(Error::Invalid(errors)) = assessed else {
        panic!("{assessed:?}")
    };
    errors
        .into_iter()
        .map(|error| (serde_json::to_string(&error.loc).unwrap(), error.message))
        .collect()
}

both! {
    async fn comments_at_places_of_a_text_are_read_with_the_grade(kurso: TestKurso) {
        let class = class(&kurso, &questions("together")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "Волны и 😀 the tides.").await;
        let id = class.answer(attempt.id);
        let graded = stored(assess(&kurso, &class, id, json!({"version": 0, "points": 1, "pins": pins(8, "Smile")})).await);
        assert_eq!((graded.pins.len(), graded.pins[0].comment.as_str()), (2, "Smile"));
        assert_eq!(own(&kurso, &class, enrollment).await.results[1].pins, []);
        assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        assert_eq!(own(&kurso, &class, enrollment).await.results[1].pins, graded.pins);

        let again = stored(assess(&kurso, &class, id, json!({"version": 1, "points": 2, "pins": pins(9, "Tides")})).await);
        let history: Vec<_> = again.history.iter().map(|one| one.pins[0].comment.as_str()).collect();
        assert_eq!(history, ["Tides", "Smile"]);
        let bare = stored(assess(&kurso, &class, id, json!({"version": 2, "points": 2})).await);
        assert_eq!((bare.pins.len(), bare.history[1].pins.len()), (0, 2), "an assessment without pinned comments has none");
        assert_eq!(own(&kurso, &class, enrollment).await.results[1].pins, []);
        assert_consistent(&kurso).await;
    }

    async fn places_outside_of_the_answer_are_refused(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "Я 😀").await;
        let id = class.answer(attempt.id);
        let file = uuid::Uuid::from_u128(7);
        let body = json!({"version": 0, "points": 1, "pins": [
            {"start": 0, "end": 3, "comment": "All"},
            {"start": 2, "end": 4, "comment": "Beyond"},
            {"file_id": file, "x": 1, "y": 1, "comment": "No picture"},
        ]});
        assert_eq!(refusals(assess(&kurso, &class, id, body).await), [
            (r#"["body","pins",1]"#.to_owned(), quiz::Problem::OutsideText(3).message()),
            (r#"["body","pins",2]"#.to_owned(), quiz::Problem::NotAPicture.message()),
        ]);
        assert_eq!(class.queue(&kurso, AnswerState::Waiting).await.total, 1);
    }

    async fn comments_at_points_of_a_picture_are_read_with_the_grade(kurso: TestKurso) {
        let quiz = json!({"questions": [{"type": "file_upload", "prompt": "?", "max_files": 2}]});
        let class = class(&kurso, &quiz).await;
        let (learner, enrollment) = class.learner(&kurso, "anna").await;
        let question = class.quiz.questions[0].id;
        let mut files = vec![];
        for (name, bytes) in [("a.png", &b"\x89PNG\r\n\x1a\n"[..]), ("b.txt", b"work")] {
            let mut upload = AnswerUpload::begin(&kurso.kurso, &learner, (class.page, question), None).await.unwrap();
            upload.write(Bytes::from_static(bytes)).await.unwrap();
            files.push(upload.finish(name).await.unwrap());
        }
        assert_eq!(files[0].content_type, "image/png");
        let ids: Vec<_> = files.iter().map(|file| file.id).collect();
        let answers = json!({"answers": [{"question_id": question, "file_ids": ids}]});
        let attempt = attempts::submit(&kurso, &learner, class.page, submission(&answers)).await.unwrap().attempt;
        let id = AnswerId { attempt: attempt.id, question };
        let at = |file: usize| json!({"version": 0, "points": 1, "pins": [{"file_id": ids[file], "x": 12.5, "y": 100, "comment": "Here"}]});
        let refused = refusals(assess(&kurso, &class, id, at(1)).await);
        assert_eq!(refused, [(r#"["body","pins",0]"#.to_owned(), quiz::Problem::NotAPicture.message())]);
        let text = json!({"version": 0, "points": 1, "pins": [{"start": 0, "end": 1, "comment": "Here"}]});
        assert_eq!(refusals(assess(&kurso, &class, id, text).await)[0].1, quiz::Problem::OutsideText(0).message());
        let graded = stored(assess(&kurso, &class, id, at(0)).await);
        let shown = own(&kurso, &class, enrollment).await;
        assert_eq!(shown.results[0].pins, graded.pins);
        assert_eq!(serde_json::to_value(&graded.pins).unwrap(), json!([{"file_id": ids[0], "x": 12.5, "y": 100.0, "comment": "Here"}]));
        let Answer { given: Given::Files(own_files), .. } = &shown.answers[0] else { panic!("{shown:?}") };
        assert_eq!(own_files[0].id, ids[0]);
        assert_consistent(&kurso).await;
    }

    async fn the_history_of_an_answer_has_a_limit_of_text(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        let id = class.answer(attempt.id);
        let pin = json!({"start": 0, "end": 1, "comment": "я".repeat(2000)});
        let body = |version: i64| json!({"version": version, "points": 1, "pins": vec![pin.clone(); 100]});
        let mut version = 0;
        let refused = loop {
            match assess(&kurso, &class, id, body(version)).await {
                Ok(Assessed::Stored(_)) => version += 1,
                other => break other,
            }
        };
        assert!(matches!(refused, Err(Error::Conflict(Message::TooManyRemarks))), "{refused:?}");
        assert_eq!(version, 20, "about 200,000 characters each");
        let alone = assess(&kurso, &class, id, json!({"version": version, "points": 2})).await;
        stored(alone);
    }
}
