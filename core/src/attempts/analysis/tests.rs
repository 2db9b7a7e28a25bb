use serde_json::{Value, json};

use super::*;
use crate::auth::Origin;
use crate::courses::tree::PageKind::Quiz as QuizPage;
use crate::{both, learning};
use kurso_formats::quiz::{self, Kind};

both! {
    async fn old_attempts_beyond_the_limit_are_counted_but_not_read(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[QuizPage]]]).await;
        let (page,) = sql!("SELECT id FROM pages").fetch_one::<(PageId,)>(&kurso.db).await.unwrap();
        let quiz = kurso.set_quiz(page, &json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]})).await;
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        for (name, answer) in [("anna", "нет"), ("boris", "да"), ("vera", "да")] {
            let learner = kurso.person(name).await;
            learning::enroll(&kurso, &learner, &Origin::default(), &code).await.unwrap();
            let answers = json!({"answers": [{"question_id": quiz.questions[0].id, "text": answer}]});
            crate::attempts::submit(&kurso, &learner, page, crate::testing::submission(&answers)).await.unwrap();
            kurso.clock.advance(chrono::Duration::minutes(1));
        }
        let all = read(&kurso.db, page, GroupFilter::All, READ).await.unwrap();
        let counted = |rows: &[Row]| rows.iter().map(|row| row.learners).collect::<Vec<_>>();
        assert_eq!(counted(&all), [2, 1], "equal attempts are one row");
        let characters = |row: &Row| i64::try_from(row.results.chars().count() + row.answers.chars().count()).unwrap();
        let some = read(&kurso.db, page, GroupFilter::All, characters(&all[0])).await.unwrap();
        assert_eq!((counted(&some), some[0].tried), (vec![2], 3));
        assert!(read(&kurso.db, page, GroupFilter::All, 1).await.unwrap().is_empty());
    }
}

#[test]
fn those_who_see_students_may_see_keys() {
    use crate::access::Role::{Admin, Editor, Learner, Owner, Teacher};
    for role in [Owner, Editor, Teacher, Admin, Learner] {
        assert!(
            !role.may(Right::SeeStudents) || role.may(Right::ReadAsAuthor),
            "{role:?}"
        );
    }
}

fn asking(question: Value) -> Quiz {
    quiz::read(&json!({"questions": [question]})).unwrap()
}

#[test]
fn marks_are_scaled_to_the_current_points() {
    let quiz = asking(json!({"type": "essay", "prompt": "?", "points": 3}));
    let marked = |points: f64, max: f64, is_waiting: bool| {
        let result = json!({"question_id": Uuid::nil(), "points": points, "max_points": max, "correct": false, "is_waiting": is_waiting});
        mark(&quiz.questions[0], &serde_json::from_value(result).unwrap())
    };
    assert_eq!(marked(1.5, 3.0, false), Some(15_000));
    assert_eq!(
        (
            marked(1.0, 2.0, false),
            marked(1.0, 1.0, false),
            marked(0.0, 7.0, false)
        ),
        (Some(15_000), Some(30_000), Some(0))
    );
    assert_eq!(marked(1.0, 7.0, false), Some(4286), "rounded to the nearest");
    assert_eq!((marked(0.0, 0.0, false), marked(0.0, 3.0, true)), (None, None));
}

#[test]
fn guessing_earns_its_expected_share() {
    let options = |n: usize| {
        (0..n)
            .map(|n| json!({"content": format!("{n}"), "correct": n == 0}))
            .collect::<Vec<_>>()
    };
    let chance = |question: Value| flags::chance(&asking(question).questions[0].kind);
    assert_eq!(
        chance(json!({"type": "single_choice", "prompt": "?", "options": options(4)})),
        Some(0.25)
    );
    assert_eq!(
        chance(json!({"type": "single_choice", "prompt": "?", "options": []})),
        None
    );
    assert_eq!(
        chance(json!({"type": "multiple_choice", "prompt": "?", "options": options(4)})),
        None
    );
    assert_eq!(chance(json!({"type": "numeric", "prompt": "?", "value": 4})), Some(0.0));
    let pairs = [json!({"left": "1", "right": "a"}), json!({"left": "2", "right": "b"})];
    assert_eq!(
        chance(json!({"type": "matching", "prompt": "?", "pairs": pairs})),
        Some(0.5)
    );
    let items = ["1", "2", "3", "4", "5"].map(|text| json!({"content": text}));
    assert_eq!(
        chance(json!({"type": "ordering", "prompt": "?", "items": items})),
        Some(0.2)
    );
    let blanks = [Uuid::from_u128(1), Uuid::from_u128(2)];
    let gaps = blanks.map(|id| json!({"type": "blank", "attrs": {"blank_id": id}}));
    let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": gaps}]});
    let filled = [
        json!({"id": blanks[0], "options": options(2)}),
        json!({"id": blanks[1], "accepted": ["да"]}),
    ];
    assert_eq!(
        chance(json!({"type": "fill_blank", "text": text, "blanks": filled})),
        Some(0.25)
    );
    assert_eq!(chance(json!({"type": "essay", "prompt": "?"})), None);
}

#[test]
fn a_random_order_has_one_right_neighbour_in_as_many_as_there_are_items() {
    let items = ["1", "2", "3", "4"].map(|text| json!({"content": text}));
    let quiz = asking(json!({"type": "ordering", "prompt": "?", "items": items}));
    let Kind::Ordering { items } = &quiz.questions[0].kind else {
        panic!("an ordering")
    };
    let ids: Vec<Uuid> = items.iter().map(|item| item.id).collect();
    let (mut points, mut orders) = (0.0, 0.0);
    for code in 0..256usize {
        let order: Vec<Uuid> = (0..4).map(|place| ids[code >> (2 * place) & 3]).collect();
        if ids.iter().all(|id| order.contains(id)) {
            let answer = Answer {
                question_id: quiz.questions[0].id,
                given: quiz::Given::Order(order),
            };
            points += quiz::rounded(&quiz::grade(&quiz, &[answer]).score);
            orders += 1.0;
        }
    }
    let chance = flags::chance(&quiz.questions[0].kind).unwrap();
    assert!(
        orders == 24.0 && (points / orders - chance).abs() < 1e-4,
        "{points} of {orders}"
    );
}

/// The flags of a question by its facility and discrimination, as `attempts` measured them.
fn flagged(attempts: i64, facility: f64, discrimination: f64, taken: &[i64]) -> Vec<QuestionFlag> {
    let measured = ItemStatistics {
        attempts,
        facility: Some(facility),
        discrimination: Some(discrimination),
        ..ItemStatistics::default()
    };
    let option = |taken: &i64| OptionCount {
        option_id: Uuid::nil(),
        text: String::new(),
        is_correct: false,
        taken: *taken,
    };
    let counts = answers::Counts {
        asked: attempts,
        unanswered: 0,
        options: taken.iter().map(option).collect(),
        parts: vec![],
        wrong_answers: vec![],
    };
    flags::of_question(&measured, attempts, Some(0.25), &counts)
}

#[test]
fn questions_are_flagged_at_their_thresholds() {
    use QuestionFlag::{BelowChance, NegativeDiscrimination, TooEasy, UnusedOption};
    assert_eq!(flagged(10, 0.5, 0.3, &[5, 5]), []);
    assert_eq!(flagged(10, 0.5, -0.01, &[]), [NegativeDiscrimination]);
    assert_eq!(flagged(10, 0.5, 0.0, &[]), []);
    assert_eq!(
        (flagged(20, 0.95, 0.3, &[]), flagged(20, 0.96, 0.3, &[])),
        (vec![], vec![TooEasy])
    );
    assert_eq!(
        (flagged(20, 0.25, 0.3, &[]), flagged(20, 0.24, 0.3, &[])),
        (vec![], vec![BelowChance])
    );
    assert_eq!(flagged(20, 0.5, 0.3, &[20, 0]), [UnusedOption]);
    assert_eq!(flagged(9, 0.0, -1.0, &[9, 0]), [], "too few attempts");
}

#[test]
fn a_quiz_is_flagged_by_its_alpha_unless_attempts_are_few() {
    let quiz = |attempts, alpha| {
        flags::of_quiz(&QuizStatistics {
            attempts,
            alpha,
            ..QuizStatistics::default()
        })
    };
    assert_eq!(quiz(9, Some(0.1)), [QuizFlag::FewAttempts]);
    assert_eq!(quiz(10, Some(0.69)), [QuizFlag::LowAlpha]);
    assert_eq!((quiz(10, Some(0.7)), quiz(10, None)), (vec![], vec![]));
}
