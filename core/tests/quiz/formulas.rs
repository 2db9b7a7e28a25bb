//! Formula questions: each attempt has values of its own, by which it is graded and shown.

use std::collections::BTreeSet;

use kurso_base::error::Error;
use kurso_core::assessments::{self, AnswerId};
use kurso_core::attempts::{self, Attempt};
use kurso_core::both;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::testing::{TestKurso, command, submission};
use kurso_formats::content;
use kurso_formats::quiz::{Given, LearnerQuiz};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Class, attempts_stored, class};

const SUM: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_0001);
const ESSAY: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_0002);

fn sum(more: &Value) -> Value {
    let parameter = |name: &str| json!({"name": name, "min": 100, "max": 999, "decimals": 1});
    let mut quiz = json!({"pass_percent": 50, "reveal": "after_submit", "questions": [{
        "id": SUM, "type": "formula", "prompt": "{a} + {b} = ?", "explanation": "Exactly {a} + {b}.",
        "parameters": [parameter("a"), parameter("b")], "expression": "a + b",
    }]});
    quiz.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    quiz
}

/// The sum that a prompt asks for.
fn right(prompt: &Value) -> String {
    let text = content::text(prompt);
    let numbers = text
        .trim_end_matches(" = ?")
        .split(" + ")
        .map(|number| number.replace('.', ""));
    let tenths: i64 = numbers.map(|number| number.parse::<i64>().unwrap()).sum();
    format!("{},{}", tenths / 10, tenths % 10)
}

fn answer(quiz: &LearnerQuiz, number: &str) -> Value {
    json!({"attempt_no": quiz.attempt_no, "answers": [{"question_id": SUM, "number": number}]})
}

async fn read(kurso: &TestKurso, class: &Class) -> (LearnerQuiz, Value) {
    let quiz = class.page(kurso).await.quiz;
    let prompt = quiz.questions[0].prompt.clone();
    (quiz, prompt)
}

fn correct(attempt: &Attempt) -> String {
    match &attempt.results[0].correct_answer {
        Some(Given::Number(quantity)) => quantity.number.replace('.', ","),
        other => panic!("{other:?}"),
    }
}

both! {
    async fn each_attempt_is_graded_by_the_values_that_it_showed(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        kurso.set_quiz(class.pages[0], &sum(&json!({}))).await;
        let mut prompts = vec![];
        for n in 1..4 {
            let (quiz, prompt) = read(&kurso, &class).await;
            assert_eq!((quiz.attempt_no, &read(&kurso, &class).await.0), (n, &quiz), "stable until the next attempt");
            let shown = serde_json::to_string(&quiz).unwrap();
            assert!(!shown.contains("{a}") && !shown.contains("a + b") && !shown.contains("999"), "{shown}");
            let number = if n == 2 { "1".to_owned() } else { right(&prompt) };
            let taken = class.submit(&kurso, &answer(&quiz, &number)).await.unwrap().attempt;
            assert_eq!(taken.passed, n != 2);
            let result = &taken.results[0];
            assert_eq!(result.prompt.as_ref(), Some(&prompt));
            // A whole answer is written without decimals.
            assert_eq!(correct(&taken).trim_end_matches(",0"), right(&prompt).trim_end_matches(",0"));
            let explained = content::text(result.explanation.as_ref().unwrap());
            assert_eq!(explained, format!("Exactly {}.", content::text(&prompt).trim_end_matches(" = ?")));
            prompts.push(prompt);
        }
        assert_eq!(prompts.iter().map(Value::to_string).collect::<BTreeSet<_>>().len(), 3, "another attempt, other values");

        // Later the learner and staff see the values of each attempt, also with other values in the quiz of today.
        let mut changed = sum(&json!({"reveal": "never"}));
        changed["questions"][0]["expression"] = json!("a - b");
        kurso.set_quiz(class.pages[0], &changed).await;
        let of = |attempts: Vec<Attempt>| -> Vec<Value> {
            attempts.into_iter().map(|attempt| attempt.results[0].prompt.clone().unwrap()).collect()
        };
        let own = class.attempts(&kurso).await;
        assert!(own.iter().all(|attempt| attempt.results[0].correct_answer.is_none()));
        assert_eq!(of(own), prompts);
        let staff = attempts::attempts_for_staff(&kurso, class.enrollment).await.unwrap();
        let staff: Vec<Attempt> = staff.into_iter().map(|taken| taken.attempt).collect();
        assert_eq!(correct(&staff[1]).trim_end_matches(",0"), right(&prompts[1]).trim_end_matches(",0"));
        assert_eq!(of(staff), prompts);
    }

    async fn answers_to_the_values_of_another_attempt_are_refused(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        kurso.set_quiz(class.pages[0], &sum(&json!({}))).await;
        let (quiz, prompt) = read(&kurso, &class).await;
        let body = answer(&quiz, &right(&prompt));
        assert!(class.submit(&kurso, &body).await.unwrap().attempt.passed);
        // The same page on another device.
        let Err(Error::Stale { page, .. }) = class.submit(&kurso, &body).await else { panic!() };
        assert_eq!(page["quiz"]["attempt_no"], 2);
        let (_, next) = read(&kurso, &class).await;
        assert_eq!(page["quiz"]["questions"][0]["prompt"], next);
        assert_eq!(attempts_stored(&kurso).await, 1);
        let invalid = class.submit(&kurso, &json!({"attempt_no": 0, "answers": []})).await;
        assert!(matches!(invalid, Err(Error::Invalid(_))), "{invalid:?}");
        // A client that does not say what it read gets the values of the next attempt.
        let body = json!({"answers": [{"question_id": SUM, "number": right(&next)}]});
        assert!(class.submit(&kurso, &body).await.unwrap().attempt.passed);
    }

    async fn grading_by_a_person_keeps_the_values(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        let mut quiz = sum(&json!({}));
        quiz["questions"].as_array_mut().unwrap().push(json!({"id": ESSAY, "type": "essay", "prompt": "?"}));
        kurso.set_quiz(class.pages[0], &quiz).await;
        let (quiz, prompt) = read(&kurso, &class).await;
        let mut body = answer(&quiz, &right(&prompt));
        body["answers"].as_array_mut().unwrap().push(json!({"question_id": ESSAY, "content": "Words"}));
        let taken = class.submit(&kurso, &body).await.unwrap().attempt;
        let id = AnswerId { attempt: taken.id, question: ESSAY };
        assessments::assess(&kurso, &class.owner, id, command(json!({"version": 0, "points": 1}))).await.unwrap();
        let graded = class.attempts(&kurso).await.remove(0);
        assert_eq!((graded.percent, graded.results[0].correct), (100, Some(true)));
        assert_eq!(graded.results[0].prompt, Some(prompt));
    }

    async fn staff_try_a_formula_question_with_the_values_that_they_read(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        kurso.set_quiz(class.pages[0], &sum(&json!({}))).await;
        let page = attempts::for_learner(&kurso, None, &class.pages).await.unwrap().remove(&class.pages[0]).unwrap();
        let prompt = page.quiz.questions[0].prompt.clone();
        let body = submission(&answer(&page.quiz, &right(&prompt)));
        let tried = attempts::try_out(&kurso, &class.owner, class.pages[0], body, false).await.unwrap().attempt;
        assert_eq!((tried.percent, tried.results[0].prompt.as_ref()), (100, Some(&prompt)));
    }

    async fn a_timed_attempt_is_graded_by_its_values_when_the_time_is_over(kurso: TestKurso) {
        let class = class(&kurso, &[Quiz]).await;
        kurso.set_quiz(class.pages[0], &sum(&json!({"time_limit_seconds": 60}))).await;
        let started = attempts::running::start(&kurso, &class.learner, class.pages[0]).await.unwrap();
        let prompt = started.quiz.quiz.questions[0].prompt.clone();
        let save = json!({
            "ticket": started.attempt.ticket, "elapsed_seconds": 1.0,
            "answers": [{"question_id": SUM, "number": right(&prompt)}],
        });
        let save = kurso_formats::quiz::AnswersSave::read(&save).unwrap();
        attempts::running::save(&kurso, &class.learner, class.pages[0], save).await.unwrap();
        kurso.clock.advance(chrono::Duration::hours(1));
        assert_eq!(attempts::running::finish_due(&kurso).await.unwrap(), 1);
        let attempt = class.attempts(&kurso).await.remove(0);
        assert_eq!((attempt.percent, attempt.results[0].prompt.as_ref()), (100, Some(&prompt)));
        // A device that still shows the questions of the first attempt submits them during the second.
        attempts::running::start(&kurso, &class.learner, class.pages[0]).await.unwrap();
        let late = class.submit(&kurso, &answer(&started.quiz.quiz, &right(&prompt))).await;
        assert!(matches!(late, Err(Error::Conflict(_))), "{late:?}");
    }
}
