//! Practice on both databases: which questions come again and when, and that nothing counts twice.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod rights;

use chrono::Duration;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CardId, CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::attempts::practice::{self, DueQuestion, Practice, Practised, SetPractice};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth};
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, my_progress};
use kurso_core::testing::{TestKurso, submission};
use kurso_core::{both, courses};
use kurso_db::sql;
use kurso_formats::quiz::{Given, PracticeReview};
use serde_json::{Value, json};
use uuid::Uuid;

const HALF: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_00c1);
const OPTIONS: [Uuid; 2] = [Uuid::from_u128(0xa1), Uuid::from_u128(0xa2)];
const NUMBER: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_00c2);
const ESSAY: Uuid = Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_00c3);

fn quiz(settings: &Value) -> Value {
    let mut quiz = json!({"reveal": "after_submit", "pass_percent": 50, "questions": [
        {"type": "multiple_choice", "id": HALF, "prompt": "Which?", "options": [
            {"id": OPTIONS[0], "content": "0", "correct": true}, {"id": OPTIONS[1], "content": "1", "correct": true}, {"content": "2"},
        ]},
        {"type": "numeric", "id": NUMBER, "prompt": "2 + 2?", "value": 4, "explanation": "Because."},
        {"type": "essay", "id": ESSAY, "prompt": "Why?"},
    ]});
    quiz.as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    quiz
}

struct Class {
    owner: Viewer,
    anna: Viewer,
    course: CourseId,
    page: PageId,
}

/// A course with one quiz, which Anna learns.
async fn class(kurso: &TestKurso, quiz: &Value) -> Class {
    let (owner, anna) = (kurso.person("owner").await, kurso.person("anna").await);
    let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
    let view = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap();
    let class = Class {
        owner,
        anna,
        course,
        page: view.tree.pages[0].id,
    };
    kurso.set_quiz(class.page, quiz).await;
    class.join(kurso, &class.anna).await;
    class
}

impl Class {
    async fn join(&self, kurso: &TestKurso, who: &Viewer) {
        let shared = courses::generate_share_code(kurso, &self.owner, self.course)
            .await
            .unwrap();
        enroll(kurso, who, &Origin::default(), &shared.share_code.unwrap())
            .await
            .unwrap();
    }

    async fn submit(&self, kurso: &TestKurso, who: &Viewer, answers: Value) {
        let submission = submission(&json!({ "answers": answers }));
        attempts::submit(kurso, who, self.page, submission).await.unwrap();
    }

    /// An attempt in which only the number is right or wrong, and one of two options is chosen.
    async fn take(&self, kurso: &TestKurso, number: &str) {
        let half = half(kurso, self, &[0]).await;
        self.submit(
            kurso,
            &self.anna,
            json!([half, {"question_id": NUMBER, "number": number}]),
        )
        .await;
    }

    async fn due(&self, kurso: &TestKurso) -> Practice {
        practice::queue(kurso, &self.anna).await.unwrap()
    }
}

/// The answer with these of the right options, by the ids that Anna knows.
async fn half(kurso: &TestKurso, class: &Class, chosen: &[usize]) -> Value {
    let view = CourseView::load(kurso, &class.anna, class.course, Right::Read)
        .await
        .unwrap();
    let aliases = kurso.quiz_key.aliases(view.course.enrollment.unwrap().id.0);
    let given = Given::Options(chosen.iter().map(|place| OPTIONS[*place]).collect()).with_aliases(&aliases, HALF);
    let Given::Options(ids) = given else { panic!() };
    json!({"question_id": HALF, "option_ids": ids})
}

async fn answer(kurso: &TestKurso, who: &Viewer, (id, reviews): (CardId, i64), answer: Value) -> Result<Practised> {
    let review = PracticeReview::read(&json!({"reviews": reviews, "answer": answer})).unwrap();
    practice::answer(kurso, who, id, review).await
}

fn questions(practice: &Practice) -> Vec<Uuid> {
    practice.questions.iter().map(|due| due.question.id).collect()
}

fn card(due: &DueQuestion) -> (CardId, i64) {
    (due.id, due.reviews)
}

fn number(text: &str) -> Value {
    json!({"question_id": NUMBER, "number": text})
}

both! {
    async fn missed_and_half_right_questions_come_again(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        assert_eq!(class.due(&kurso).await.next_due_at, None);
        class.take(&kurso, "4").await;
        class.take(&kurso, "5").await;
        let today = class.due(&kurso).await;
        assert_eq!((today.due_count, today.next_due_at), (0, Some(kurso.clock.now() + Duration::hours(12))));
        kurso.clock.advance(Duration::days(1));
        // An open question never comes.
        let due = class.due(&kurso).await;
        let mut ids = questions(&due);
        ids.sort();
        assert_eq!((due.due_count, ids), (2, vec![HALF, NUMBER]));
        let (half_card, wrong) = match due.questions[0].question.id == HALF {
            true => (&due.questions[0], &due.questions[1]),
            false => (&due.questions[1], &due.questions[0]),
        };
        assert_eq!((half_card.reviews, wrong.reviews), (2, 1));
        assert_eq!(wrong.view.course.id, class.course);

        let right = answer(&kurso, &class.anna, card(wrong), number("4")).await.unwrap();
        assert_eq!((right.result.correct, right.reviews), (Some(true), 2));
        assert!(right.due_at >= kurso.clock.now() + Duration::hours(12));
        assert!(right.result.explanation.is_some());
        let again = half(&kurso, &class, &[1]).await;
        let partly = answer(&kurso, &class.anna, card(half_card), again).await.unwrap();
        assert_eq!((partly.result.correct, partly.result.points), (Some(false), Some(0.5)));
        let Some(Given::Options(key)) = partly.result.correct_answer else { panic!() };
        assert_eq!(key.len(), 2);
        assert_eq!(class.due(&kurso).await.due_count, 0);
        // Each right answer puts it further away.
        let (mut card, mut last) = ((right.reviews, right.due_at), 1);
        for _ in 0..4 {
            kurso.clock.advance(card.1 - kurso.clock.now());
            let next = answer(&kurso, &class.anna, (wrong.id, card.0), number("4")).await.unwrap();
            let days = (next.due_at - kurso.clock.now() + Duration::hours(12)).num_days();
            assert!(days > last, "{days} after {last}");
            (card, last) = ((next.reviews, next.due_at), days);
        }
    }

    async fn practice_does_not_count(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let before = my_progress(&kurso, &class.anna, class.course).await.unwrap();
        for due in class.due(&kurso).await.questions {
            let given = if due.question.id == HALF { half(&kurso, &class, &[0, 1]).await } else { number("4") };
            assert_eq!(answer(&kurso, &class.anna, card(&due), given).await.unwrap().result.correct, Some(true));
        }
        let after = my_progress(&kurso, &class.anna, class.course).await.unwrap();
        assert_eq!(before.progress, after.progress);
        let (attempts,) = sql!("SELECT COUNT(*) FROM attempts").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(attempts, 1);
    }

    async fn the_first_answer_counts(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.submit(&kurso, &class.anna, json!([half(&kurso, &class, &[0, 1]).await, number("5")])).await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let own = card(&due.questions[0]);
        let (one, other) = tokio::join!(
            answer(&kurso, &class.anna, own, number("4")),
            answer(&kurso, &class.anna, own, number("5")),
        );
        let first = one.unwrap();
        assert_eq!(first, other.unwrap());
        // Its response was lost.
        for given in [number("4"), number("5"), number("")] {
            assert_eq!(answer(&kurso, &class.anna, own, given).await.unwrap(), first);
        }
        let earlier = answer(&kurso, &class.anna, (own.0, 7), number("4")).await;
        assert!(matches!(earlier, Err(Error::Conflict(Message::PractisedMeanwhile))), "{earlier:?}");
        // A later review replaces the result.
        let next = answer(&kurso, &class.anna, (own.0, first.reviews), number("4")).await.unwrap();
        assert_eq!(next.reviews, first.reviews + 1);
    }

    async fn an_attempt_reviews_its_questions_too(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        let whole = half(&kurso, &class, &[0, 1]).await;
        class.submit(&kurso, &class.anna, json!([whole, number("5")])).await;
        kurso.clock.advance(Duration::days(1));
        let stale = class.due(&kurso).await;
        class.submit(&kurso, &class.anna, json!([whole, number("4")])).await;
        assert_eq!(class.due(&kurso).await.due_count, 0);
        let late = answer(&kurso, &class.anna, card(&stale.questions[0]), number("4")).await;
        assert!(matches!(late, Err(Error::Conflict(Message::PractisedMeanwhile))), "{late:?}");
    }

    async fn a_changed_question_is_asked_as_it_is_now_only_after_passing(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        let whole = half(&kurso, &class, &[0, 1]).await;
        class.submit(&kurso, &class.anna, json!([whole, number("5")])).await;
        kurso.clock.advance(Duration::days(1));
        // The learner may take the quiz again, and has not been asked this.
        let mut changed = quiz(&json!({}));
        changed["questions"][1] = json!({"type": "numeric", "id": NUMBER, "prompt": "2 + 3?", "value": 5});
        kurso.set_quiz(class.page, &changed).await;
        let due = class.due(&kurso).await;
        assert!(due.questions[0].question.prompt.to_string().contains("2 + 2?"));
        let old = answer(&kurso, &class.anna, card(&due.questions[0]), number("4")).await.unwrap();
        assert_eq!(old.result.correct, Some(true));
        class.submit(&kurso, &class.anna, json!([whole, number("5")])).await;
        kurso.clock.advance(Duration::days(30));
        let due = class.due(&kurso).await;
        assert!(due.questions[0].question.prompt.to_string().contains("2 + 3?"));
    }

    async fn reset_attempts_take_their_cards_along(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let view = CourseView::load(&kurso, &class.anna, class.course, Right::Read).await.unwrap();
        let enrollment = view.course.enrollment.unwrap().id;
        attempts::reset(&kurso, &class.owner, enrollment, class.page).await.unwrap();
        assert_eq!(class.due(&kurso).await.due_count, 0);
        let gone = answer(&kurso, &class.anna, card(&due.questions[0]), number("4")).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::CardNotFound))), "{gone:?}");
    }

    async fn who_does_not_remember_sees_the_answer(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.submit(&kurso, &class.anna, json!([half(&kurso, &class, &[0, 1]).await, number("5")])).await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let (id, reviews) = card(&due.questions[0]);
        let review = PracticeReview::read(&json!({ "reviews": reviews })).unwrap();
        let practised = practice::answer(&kurso, &class.anna, id, review.clone()).await.unwrap();
        assert_eq!((&practised.answer, practised.result.correct), (&None, Some(false)));
        assert_eq!(practised.result.correct_answer, Some(Given::Number("4".into())));
        assert_eq!(practice::answer(&kurso, &class.anna, id, review).await.unwrap(), practised);
        assert_eq!(answer(&kurso, &class.anna, (id, reviews), number("4")).await.unwrap(), practised);
    }

    async fn questions_of_two_courses_come_together(kurso: TestKurso) {
        let one = class(&kurso, &quiz(&json!({}))).await;
        let course = kurso.course(&one.owner, &[&[&[Quiz]]]).await;
        let view = CourseView::load(&kurso, &one.owner, course, Right::Read).await.unwrap();
        let two = Class { owner: one.owner.clone(), anna: one.anna.clone(), course, page: view.tree.pages[0].id };
        two.join(&kurso, &two.anna).await;
        let numbers: Vec<Value> = (0..24).map(|n| json!({"type": "numeric", "prompt": format!("{n}?"), "value": 4})).collect();
        kurso.set_quiz(two.page, &json!({"reveal": "after_submit", "questions": numbers})).await;
        one.take(&kurso, "5").await;
        kurso.clock.advance(Duration::hours(1));
        two.submit(&kurso, &two.anna, json!([])).await;
        kurso.clock.advance(Duration::days(1));
        let due = one.due(&kurso).await;
        assert_eq!((due.due_count, due.questions.len()), (26, 20));
        let courses: Vec<CourseId> = due.questions.iter().map(|due| due.view.course.id).collect();
        assert_eq!((&courses[..2], courses[2]), (&[one.course; 2][..], two.course));
    }

    async fn a_stopped_question_is_asked_again_after_another_miss(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let (id, _) = card(&due.questions[0]);
        let stop = async |is_stopped: bool| practice::set(&kurso, &class.anna, id, SetPractice { is_stopped }).await.unwrap();
        let count = async || class.due(&kurso).await.due_count;
        stop(true).await;
        assert_eq!(count().await, 1);
        stop(false).await;
        assert_eq!(count().await, 2);
        stop(true).await;
        // A right answer does not resume it.
        class.submit(&kurso, &class.anna, json!([half(&kurso, &class, &[0, 1]).await, number("4")])).await;
        kurso.clock.advance(Duration::days(60));
        assert_eq!(count().await, 1);
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(60));
        assert_eq!(count().await, 2);
    }

    async fn formulas_get_new_values_with_each_review(kurso: TestKurso) {
        let formula = json!({"reveal": "after_submit", "questions": [
            {"type": "formula", "id": NUMBER, "prompt": "{x} + 1?", "expression": "x + 1", "parameters": [{"name": "x", "min": 1, "max": 100_000}]},
        ]});
        let class = class(&kurso, &formula).await;
        class.submit(&kurso, &class.anna, json!([])).await;
        let mut prompts = vec![];
        for _ in 0..4 {
            kurso.clock.advance(Duration::days(400));
            let due = class.due(&kurso).await;
            assert_eq!(questions(&class.due(&kurso).await), questions(&due));
            let prompt = due.questions[0].question.prompt.to_string();
            let x: i64 = prompt.chars().filter(char::is_ascii_digit).collect::<String>().strip_suffix('1').unwrap().parse().unwrap();
            let practised = answer(&kurso, &class.anna, card(&due.questions[0]), number(&(x + 1).to_string())).await.unwrap();
            assert_eq!(practised.result.correct, Some(true), "{prompt}");
            assert_eq!(practised.result.prompt.unwrap().to_string(), prompt);
            prompts.push(prompt);
        }
        prompts.sort();
        prompts.dedup();
        assert_eq!(prompts.len(), 4);
    }

    async fn an_empty_or_foreign_answer_is_refused(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.submit(&kurso, &class.anna, json!([half(&kurso, &class, &[0, 1]).await, number("5")])).await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let own = card(&due.questions[0]);
        for (given, expected) in [
            (number(" "), "nothing_to_check"),
            (number("four"), "number_type"),
            (json!({"question_id": ESSAY, "content": "x"}), "unknown_question"),
        ] {
            let Err(Error::Invalid(errors)) = answer(&kurso, &class.anna, own, given.clone()).await else { panic!("{given}") };
            assert_eq!(errors.len(), 1, "{given}");
            if expected != "number_type" {
                assert_eq!(errors[0].kind, expected, "{given}");
            }
        }
        assert_eq!(class.due(&kurso).await.questions[0].reviews, own.1);
    }

    async fn the_check_finds_answers_that_cannot_be_read(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.take(&kurso, "5").await;
        kurso.clock.advance(Duration::days(1));
        let due = class.due(&kurso).await;
        let numeric = due.questions.iter().find(|due| due.question.id == NUMBER).unwrap();
        answer(&kurso, &class.anna, card(numeric), number("4")).await.unwrap();
        let findings = async || check::check(&kurso, Depth::default()).await.unwrap().findings;
        assert_eq!(findings().await, []);
        sql!("UPDATE practice_cards SET last_result = '{}' WHERE last_result IS NOT NULL").execute(&kurso.db).await.unwrap();
        let found = findings().await;
        assert_eq!(found.len(), 1, "{found:?}");
    }

    async fn cards_go_and_return_with_the_enrollment(kurso: TestKurso) {
        let class = class(&kurso, &quiz(&json!({}))).await;
        class.take(&kurso, "5").await;
        let cards = async || sql!("SELECT COUNT(*) FROM practice_cards").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(cards().await, 2);
        courses::team::leave(&kurso, &class.anna, class.course).await.unwrap();
        assert_eq!(cards().await, 0);
        // They come back with the learner.
        class.join(&kurso, &class.anna).await;
        assert_eq!(cards().await, 2);
        courses::page::delete(&kurso, &class.owner, class.page).await.unwrap();
        kurso.clock.advance(Duration::days(1));
        assert_eq!(class.due(&kurso).await.due_count, 0);
    }
}
