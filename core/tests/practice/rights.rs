//! Who practises which questions, and what is shown of them.

use kurso_core::testing::exam::{self, REVEALED, SECRET};

use super::*;

both! {
    async fn questions_whose_answers_are_hidden_are_not_asked(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({"reveal": "never"}))).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let none = class.due(&kurso).await;
        assert_eq!((none.due_count, none.next_due_at), (0, None));
        kurso.set_quiz(class.page, &quiz(&json!({"reveal": "after_pass"}))).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        assert_eq!(class.due(&kurso).await.due_count, 0);
        let whole = half(&kurso, &class, &[0, 1]).await;
        class.submit(&kurso, &class.anna, json!([whole, number("4")])).await;
        kurso.clock.advance(Duration::days(30));
        let due = class.due(&kurso).await;
        assert_eq!(due.due_count, 2);
        // An author hides them, or takes the question away, before the learner answers.
        kurso.set_quiz(class.page, &quiz(&json!({"reveal": "never"}))).await;
        for due in &due.questions {
            let hidden = answer(&kurso, &class.anna, card(due), number("4")).await;
            assert!(matches!(hidden, Err(Error::Conflict(Message::NotPractised))), "{hidden:?}");
        }
        kurso.set_quiz(class.page, &json!({"reveal": "after_submit", "questions": [{"type": "short_text", "prompt": "?", "accepted": ["x"]}]})).await;
        assert_eq!(class.due(&kurso).await.due_count, 0);
    }

    async fn a_running_attempt_hides_its_questions(kurso: TestKurso) {
        let settings = json!({"checking": "each_question"});
        let class = class(&kurso, &quiz(&settings)).await;
        attempts::running::start(&kurso, &class.anna, class.page).await.unwrap();
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        assert_eq!(due.due_count, 2);
        attempts::running::start(&kurso, &class.anna, class.page).await.unwrap();
        assert_eq!(class.due(&kurso).await.due_count, 0);
        let hidden = answer(&kurso, &class.anna, card(&due.questions[0]), number("4")).await;
        assert!(matches!(hidden, Err(Error::Conflict(Message::NotPractised))), "{hidden:?}");
    }

    async fn practice_is_private_and_follows_the_rights(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        let boris = kurso.person("boris").await;
        class.join(&kurso, &boris).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let own = card(&due.questions[0]);
        for other in [&boris, &class.owner] {
            assert_eq!(practice::queue(&kurso, other).await.unwrap().due_count, 0);
            let refused = answer(&kurso, other, own, number("4")).await;
            assert!(matches!(refused, Err(Error::NotFound(Message::CardNotFound))), "{refused:?}");
            let refused = practice::set(&kurso, other, own.0, SetPractice { is_stopped: true }).await;
            assert!(matches!(refused, Err(Error::NotFound(Message::CardNotFound))), "{refused:?}");
        }
        sql!("UPDATE pages SET published = FALSE WHERE id = $1", class.page).execute(&kurso.db).await.unwrap();
        sql!("UPDATE courses SET structure_version = structure_version + 1").execute(&kurso.db).await.unwrap();
        assert_eq!(class.due(&kurso).await.due_count, 0);
        assert!(matches!(answer(&kurso, &class.anna, own, number("4")).await, Err(Error::NotFound(_))));
    }

    async fn no_key_is_shown_before_the_answer(kurso: TestKurso) {
        let mut exam = exam::exam("after_submit");
        // The last one takes a picture.
        exam["questions"].as_array_mut().unwrap().pop();
        let class = class(&kurso, &exam).await;
        let view = CourseView::load(&kurso, &class.anna, class.course, Right::Read).await.unwrap();
        let shown = attempts::for_learner(&kurso, view.course.enrollment.map(|own| own.id), &[class.page]).await.unwrap();
        class.submit(&kurso, &class.anna, exam::answers(&shown[&class.page].quiz, false)).await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        // All kinds but the essay.
        assert_eq!((due.due_count, due.questions.len()), (8, 8));
        for due in &due.questions {
            let text = serde_json::to_string(&due.question).unwrap();
            for marker in REVEALED.iter().chain(SECRET) {
                assert!(!text.contains(marker), "{marker} in {text}");
            }
        }
        for due in &due.questions {
            let answers = exam::answer(&due.question, true);
            let practised = answer(&kurso, &class.anna, card(due), answers).await.unwrap();
            assert_eq!(practised.result.correct, Some(true), "{:?}", due.question);
            let text = serde_json::to_string(&practised.result).unwrap() + &serde_json::to_string(&practised.answer).unwrap();
            for marker in SECRET {
                assert!(!text.contains(marker), "{marker} in {text}");
            }
        }
    }
}
