//! What authors, staff and learners read of quizzes and attempts.

use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::attempts;
use kurso_core::both;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::learning::my_progress;
use kurso_core::testing::submission;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::quiz::{self, Given, Kind, LearnerKind, LearnerQuiz};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{answers, attempts_stored, class, join, two_questions};

both! {
    async fn later_edits_do_not_change_attempts(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let mut settings = two_questions();
        settings["reveal"] = json!("after_submit");
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        let taken = class.submit(&kurso, &answers(&quiz, "Москва", "42")).await.unwrap();
        let other = json!({"pass_percent": 0, "reveal": "after_submit", "questions": [
            {"id": quiz.questions[0].id, "type": "short_text", "prompt": "Столица Франции?", "accepted": ["Париж"], "points": 5},
        ]});
        kurso.set_quiz(class.pages[0], &other).await;
        assert_eq!(class.attempts(&kurso).await, std::slice::from_ref(&taken.attempt));
        assert_eq!(taken.attempt.results[0].correct_answer, Some(Given::Text("Москва".into())));
        assert_eq!(my_progress(&kurso, &class.learner, class.course).await.unwrap().progress.percent(), 100);
        let staff = attempts::attempts_for_staff(&kurso, class.enrollment).await.unwrap();
        assert!(staff.len() == 1 && staff[0].page_id == class.pages[0] && *staff[0].quiz == *quiz.to_text().unwrap());
    }

    async fn attempts_share_the_quiz_that_they_answer(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let kept = async || {
            let count = sql!("SELECT COUNT(*) FROM taken_quizzes").fetch_one::<(i64,)>(&kurso.db).await;
            count.unwrap().0
        };
        let mut settings = two_questions();
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        for number in ["41", "42", "43"] {
            class.submit(&kurso, &answers(&quiz, "Москва", number)).await.unwrap();
        }
        assert_eq!((attempts_stored(&kurso).await, kept().await), (3, 1));
        settings["questions"] = quiz.to_json().unwrap()["questions"].clone();
        settings["pass_percent"] = json!(99);
        kurso.set_quiz(class.pages[0], &settings).await;
        assert_eq!(kept().await, 1, "the new version has no attempts");
        class.submit(&kurso, &answers(&quiz, "Москва", "41")).await.unwrap();
        let staff = attempts::attempts_for_staff(&kurso, class.enrollment).await.unwrap();
        let asked: Vec<_> = staff.iter().map(|taken| *taken.quiz == *quiz.to_text().unwrap()).collect();
        assert_eq!((kept().await, asked), (2, vec![true, true, true, false]));
        sql!("DELETE FROM pages WHERE id = $1", class.pages[0]).execute(&kurso.db).await.unwrap();
        assert_eq!(kept().await, 0);
    }

    async fn reveal_decides_what_an_attempt_shows(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let mut settings = two_questions();
        settings["reveal"] = json!("after_pass");
        settings["questions"][1]["value"] = json!(987_654_321_012_i64);
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        settings["questions"] = quiz.to_json().unwrap()["questions"].clone();
        let secrets = |attempt: &attempts::Attempt| {
            let text = serde_json::to_string(attempt).unwrap();
            ["Иван", "Потому", "Москва", "987654321012"].iter().filter(|secret| text.contains(**secret)).count()
        };
        let wrong = class.submit(&kurso, &answers(&quiz, "Киров", "41")).await.unwrap().attempt;
        assert_eq!((secrets(&wrong), wrong.results[0].correct, wrong.results[0].points), (0, Some(false), Some(0.0)));

        // With every setting, before and after an attempt has passed, in the response to a submission and in lists.
        for passed in [false, true] {
            if passed {
                class.submit(&kurso, &answers(&quiz, "moscow", "987 654 321 012")).await.unwrap();
            }
            for (reveal, shown, says) in [("never", false, false), ("after_submit", true, true), ("after_pass", passed, true)] {
                settings["reveal"] = json!(reveal);
                kurso.set_quiz(class.pages[0], &settings).await;
                let mut list = class.attempts(&kurso).await;
                list.push(class.submit(&kurso, &answers(&quiz, "Киров", "41")).await.unwrap().attempt);
                for attempt in list.iter().filter(|attempt| !attempt.passed) {
                    assert_eq!(secrets(attempt), if shown { 4 } else { 0 }, "{reveal} {passed} {attempt:?}");
                    assert!(attempt.results.iter().all(|r| r.correct.is_some() == says && r.points.is_some() == says));
                    assert!(attempt.results.iter().all(|r| r.explanation.is_some() == shown && r.correct_answer.is_some() == shown));
                }
            }
        }
        // Staff always see everything.
        let staff = attempts::attempts_for_staff(&kurso, class.enrollment).await.unwrap();
        assert!(staff.len() == 8 && staff.iter().all(|taken| secrets(&taken.attempt) == 4));
    }

    async fn an_attempt_shows_the_feedback_of_chosen_options_as_explanations(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let options = json!([
            {"content": "a", "correct": true, "feedback": "secret of a"}, {"content": "b", "feedback": "secret of b"},
            {"content": "c", "feedback": "secret of c"}, {"content": "d"},
        ]);
        let mut settings = json!({"pass_percent": 100, "questions": [
            {"type": "single_choice", "prompt": "?", "options": options}, {"type": "multiple_choice", "prompt": "?", "options": options},
        ]});
        let quiz = kurso.set_quiz(class.pages[0], &settings).await;
        let asked = quiz.to_json().unwrap()["questions"].clone();
        settings["questions"] = asked.clone();
        let id = |question: usize, option: usize| asked[question]["options"][option]["id"].clone();
        let choose = |one: &[usize], several: &[usize]| {
            let ids = |question, chosen: &[usize]| chosen.iter().map(|option| id(question, *option)).collect::<Vec<_>>();
            json!({"answers": [
                {"question_id": quiz.questions[0].id, "option_ids": ids(0, one)},
                {"question_id": quiz.questions[1].id, "option_ids": ids(1, several)},
            ]})
        };
        let said = |attempt: &attempts::Attempt| -> Vec<Vec<(Value, String)>> {
            let of = |feedback: &attempts::OptionFeedback| (json!(feedback.option_id), content::text(&feedback.feedback));
            attempt.results.iter().map(|result| result.option_feedback.iter().map(of).collect()).collect()
        };
        let shown = [
            vec![(id(0, 1), "secret of b".to_owned())], vec![(id(1, 0), "secret of a".to_owned()), (id(1, 2), "secret of c".to_owned())],
        ];
        // The order in which a learner chose is not that of the options; `d` has no feedback.
        let wrong = choose(&[1], &[3, 2, 0]);
        for passed in [false, true] {
            if passed {
                class.submit(&kurso, &choose(&[0], &[0])).await.unwrap();
            }
            for (reveal, is_shown) in [("never", false), ("after_submit", true), ("after_pass", passed)] {
                settings["reveal"] = json!(reveal);
                kurso.set_quiz(class.pages[0], &settings).await;
                let page = class.page(&kurso).await;
                assert!(!serde_json::to_string(&page.quiz).unwrap().contains("secret"), "{reveal}");
                let attempt = class.submit(&kurso, &wrong).await.unwrap().attempt;
                assert_eq!(serde_json::to_string(&attempt).unwrap().contains("secret"), is_shown, "{reveal} {passed}");
                if is_shown {
                    assert_eq!(said(&attempt), shown);
                }
            }
        }
        let unanswered = class.submit(&kurso, &json!({"answers": []})).await.unwrap().attempt;
        assert_eq!(said(&unanswered), [vec![], vec![]]);
        let staff = attempts::attempts_for_staff(&kurso, class.enrollment).await.unwrap();
        assert!(staff.iter().filter(|taken| said(&taken.attempt) == shown).count() == 6, "staff always see everything");
    }

    async fn each_learner_has_aliases_of_their_own(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &json!({"reveal": "after_submit", "questions": [
            {"type": "matching", "prompt": "?", "pairs": [{"left": "a", "right": "1"}, {"left": "b", "right": "2"}, {"left": "c", "right": "3"}]},
            {"type": "ordering", "prompt": "?", "items": [{"content": "1"}, {"content": "2"}, {"content": "3"}]},
        ]})).await;
        let boris = kurso.person("boris").await;
        let others = join(&kurso, &class.owner, class.course, &boris).await;
        let page = class.page(&kurso).await;
        let again = class.page(&kurso).await;
        assert_eq!(page.quiz, again.quiz, "stable until the next attempt");
        let other = attempts::for_learner(&kurso, Some(others), &class.pages).await.unwrap().remove(&class.pages[0]).unwrap();
        let preview = attempts::for_learner(&kurso, None, &class.pages).await.unwrap().remove(&class.pages[0]).unwrap();
        assert!(page.quiz != other.quiz && page.quiz != preview.quiz && other.quiz != preview.quiz);

        let body = json!({ "answers": by_content(&page.quiz) });
        let taken = class.submit(&kurso, &body).await.unwrap().attempt;
        assert_eq!(taken.percent, 100);
        // The given and the correct answers contain the ids that the learner knows.
        let text = serde_json::to_string(&taken).unwrap();
        for question in &quiz.questions {
            let hidden: Vec<Uuid> = match &question.kind {
                Kind::Matching { pairs } => pairs.iter().map(|pair| pair.id).collect(),
                Kind::Ordering { items } => items.iter().map(|item| item.id).collect(),
                other => panic!("{other:?}"),
            };
            assert!(hidden.iter().all(|id| !text.contains(&id.to_string())));
        }
        assert_eq!(serde_json::to_value(&taken.answers).unwrap(), body["answers"]);
        assert_eq!(taken.results[1].correct_answer, Some(taken.answers[1].given.clone()));
        let staff = attempts::attempts_for_staff(&kurso, class.enrollment).await.unwrap();
        assert_eq!(Some(&staff[0].attempt.answers[1].given), quiz::right_answer(&quiz.questions[1]).as_ref());

        // The aliases of another learner are unknown ids.
        let refused = attempts::submit(&kurso, &boris, class.pages[0], submission(&body)).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
    }

    async fn authors_read_the_stored_quiz_and_content_pages_have_none(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz, Content, Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let before = kurso.db.statements();
        let texts = attempts::for_author(&kurso.db, &class.pages).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 1);
        assert_eq!(texts.len(), 2);
        assert_eq!(serde_json::from_str::<Value>(&texts[&class.pages[0]]).unwrap(), quiz.to_json().unwrap());
        assert_eq!(texts[&class.pages[2]], quiz::Quiz::default().to_text().unwrap());
        let before = kurso.db.statements();
        let shown = attempts::for_learner(&kurso, Some(class.enrollment), &class.pages).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 3);
        assert!(shown.len() == 2 && !shown.contains_key(&class.pages[1]));
    }

    async fn deleting_a_page_deletes_its_attempts(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let quiz = kurso.set_quiz(class.pages[0], &two_questions()).await;
        let body = answers(&quiz, "Москва", "42");
        class.submit(&kurso, &body).await.unwrap();
        sql!("DELETE FROM pages").execute(&kurso.db).await.unwrap();
        assert_eq!(attempts_stored(&kurso).await, 0);
        let refused = class.submit(&kurso, &body).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::PageNotFound))), "{refused:?}");
    }
}

/// Answers that match a with 1, b with 2, c with 3, and order items by their content.
fn by_content(quiz: &LearnerQuiz) -> Value {
    let sorted = |shown: &[quiz::Shown]| {
        let mut list: Vec<_> = shown.iter().map(|s| (s.content.to_string(), s.id)).collect();
        list.sort_unstable();
        list.into_iter().map(|(_, id)| id).collect::<Vec<Uuid>>()
    };
    let answer = |question: &quiz::LearnerQuestion| match &question.kind {
        LearnerKind::Matching { left, right } => {
            let pairs = sorted(left).into_iter().zip(sorted(right));
            let pairs: Vec<_> = pairs
                .map(|(left, right)| json!({"left_id": left, "right_id": right}))
                .collect();
            json!({"question_id": question.id, "pairs": pairs})
        }
        LearnerKind::Ordering { items } => json!({"question_id": question.id, "order": sorted(items)}),
        other => panic!("{other:?}"),
    };
    quiz.questions.iter().map(answer).collect()
}
