//! Random classes: the consequences that were shown are the differences of what learners and teachers read before and after.

use kurso_core::both;
use kurso_core::regrades::{self, RemovedQuestions};
use kurso_core::testing::Dice;
use kurso_formats::quiz::{Kind, Points, Question, Quiz};
use serde_json::json;

use super::{Class, Seen};

fn sides(dice: &mut Dice, sides: usize) -> i64 {
    i64::try_from(dice.roll(sides)).unwrap()
}

/// The quiz with other keys and points, without some questions and with new ones.
fn changed(quiz: &Quiz, dice: &mut Dice) -> Quiz {
    let mut changed = quiz.clone();
    changed.questions.retain(|_| dice.roll(4) > 0);
    for question in &mut changed.questions {
        if let Kind::Numeric { value, .. } = &mut question.kind
            && dice.roll(2) == 0
        {
            *value = Some(sides(dice, 3).into());
        }
        question.points = Points::of_parts(10_000 * (1 + sides(dice, 4)));
    }
    if changed.questions.is_empty() || dice.roll(2) == 0 {
        let new = Question {
            id: uuid::Uuid::now_v7(),
            ..quiz.questions[0].clone()
        };
        changed.questions.push(new);
    }
    changed.pass_percent = [30, 50, 80][dice.roll(3)];
    changed
}

async fn play(kurso: kurso_core::testing::TestKurso, seed: u64) {
    let mut dice = Dice::new(seed);
    let question = |_| json!({"type": "numeric", "prompt": "?", "value": 1});
    let questions: Vec<_> = (0..4).map(question).collect();
    let class = Class::new(kurso, &json!({"pass_percent": 50, "questions": questions})).await;
    let mut learners = vec![];
    for name in ["ada", "bob", "eve"] {
        let learner = class.learner(name).await;
        if dice.roll(2) == 0 {
            class.complete_others(&learner).await;
        }
        for _ in 0..dice.roll(3) {
            let numbers: Vec<i64> = (0..4).map(|_| sides(&mut dice, 3)).collect();
            class.take(&learner, &numbers).await;
        }
        learners.push(learner);
    }
    let mut quiz = class.quiz.clone();
    for round in 0..4 {
        let at = format!("seed {seed}, round {round}");
        quiz = changed(&quiz, &mut dice);
        class.draft(&quiz).await;
        let removed = [RemovedQuestions::Exclude, RemovedQuestions::FullPoints][dice.roll(2)];
        let plan = class.plan(kurso_core::regrades::PastAttempts::Regrade, removed).await;
        let shown = class.consequences(&plan).await;
        let rows = class.rows(&["attempts"]).await;
        let mut before = vec![];
        for learner in &learners {
            before.push(class.seen(learner).await);
        }
        let published = class.publish(&plan, Some(&shown.digest)).await.unwrap();
        for (learner, before) in learners.iter().zip(&before) {
            let after = class.seen(learner).await;
            let told = shown
                .learners
                .iter()
                .find(|told| told.enrollment_id == learner.enrollment);
            assert_eq!(told.is_some(), *before != after, "{at}: {before:?} {after:?}");
            let Some(told) = told else { continue };
            let seen = |outline: regrades::Outline, page: Option<regrades::Counted>, other: &Seen| Seen {
                percent: outline.progress,
                is_completed: outline.is_completed,
                grade: outline.grade,
                best: page.map_or(other.best, |page| Some((page.score, page.max_score))),
                passed: page.map_or(other.passed, |page| page.passed),
            };
            let page = told.pages.first();
            assert_eq!(seen(told.before, page.map(|page| page.before), before), *before, "{at}");
            assert_eq!(seen(told.after, page.map(|page| page.after), &after), after, "{at}");
        }
        class.assert_consistent().await;
        if let (Some(regrade), 0) = (published.regrade, dice.roll(2)) {
            let undone = regrades::undo(&class.kurso, &class.owner, regrade.id).await.unwrap();
            assert_eq!(undone.left, 0, "{at}");
            assert_eq!(class.rows(&["attempts"]).await, rows, "{at}");
            for (learner, before) in learners.iter().zip(&before) {
                assert_eq!(class.seen(learner).await, *before, "{at}");
            }
            class.assert_consistent().await;
        }
    }
}

both! {
    async fn predicted_consequences_equal_the_actual_ones(kurso: TestKurso) {
        play(kurso, 1).await;
    }

    async fn predicted_consequences_equal_the_actual_ones_with_a_second_seed(kurso: TestKurso) {
        play(kurso, 2).await;
    }

    async fn predicted_consequences_equal_the_actual_ones_with_a_third_seed(kurso: TestKurso) {
        play(kurso, 3).await;
    }
}
