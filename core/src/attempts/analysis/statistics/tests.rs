use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// A class with one learner per row, with marks in whole points.
fn class(rows: &[&[i64]]) -> Vec<Marks> {
    rows.iter()
        .map(|row| Marks {
            learners: 1,
            marks: row.iter().map(|points| Some(points * 10_000)).collect(),
        })
        .collect()
}

fn one_point_each(items: usize) -> Vec<i64> {
    vec![10_000; items]
}

#[test]
fn too_few_attempts_define_nothing() {
    let (quiz, items) = statistics(&one_point_each(2), &[]);
    assert_eq!(quiz, QuizStatistics::default());
    assert_eq!(items, [ItemStatistics::default(), ItemStatistics::default()]);

    let (quiz, items) = statistics(&one_point_each(2), &class(&[&[1, 0]]));
    assert_eq!((quiz.attempts, quiz.mean), (1, Some(1.0)));
    assert_eq!((quiz.deviation, quiz.alpha, quiz.standard_error), (None, None, None));
    assert_eq!(items[0].facility, Some(1.0));
    assert_eq!(
        (items[0].deviation, items[0].discrimination, items[0].efficiency),
        (None, None, None)
    );
}

#[test]
fn equal_marks_define_no_correlation() {
    let (quiz, items) = statistics(&one_point_each(2), &class(&[&[1, 0], &[1, 0]]));
    assert_eq!((quiz.deviation, quiz.alpha), (Some(0.0), None));
    assert_eq!(
        (items[0].deviation, items[0].discrimination, items[0].efficiency),
        (Some(0.0), None, None)
    );
}

#[test]
fn one_question_has_no_rest_to_correlate_with() {
    let (quiz, items) = statistics(&one_point_each(1), &class(&[&[1], &[0]]));
    assert_eq!(
        (quiz.alpha, items[0].discrimination, items[0].efficiency),
        (None, None, None)
    );
    assert_eq!(items[0].facility, Some(0.5));
}

#[test]
fn a_question_that_only_weak_learners_solve_discriminates_negatively() {
    let (_, items) = statistics(
        &one_point_each(3),
        &class(&[&[1, 1, 0], &[1, 1, 0], &[0, 0, 1], &[0, 1, 1]]),
    );
    assert!(items[2].discrimination.unwrap() < -0.5 && items[2].efficiency.unwrap() < -0.5);
}

#[test]
fn attempts_without_all_marks_count_only_for_the_facility_of_the_others() {
    let mut all = class(&[&[1, 1], &[0, 0]]);
    all.push(Marks {
        learners: 2,
        marks: vec![Some(10_000), None],
    });
    let (quiz, items) = statistics(&one_point_each(2), &all);
    assert_eq!((quiz.attempts, quiz.histogram.iter().sum::<i64>()), (2, 2));
    assert_eq!((items[0].attempts, items[0].facility), (4, Some(0.75)));
    assert_eq!((items[1].attempts, items[1].facility), (2, Some(0.5)));
    assert_eq!(items[0].discrimination, Some(1.0));
}

#[test]
fn a_question_without_points_has_no_facility() {
    let (_, items) = statistics(&[0, 10_000], &class(&[&[0, 1], &[0, 0]]));
    assert_eq!(items[0].facility, None);
}

#[test]
fn full_marks_are_in_the_last_bar() {
    let rows: Vec<[i64; 1]> = [0, 9, 10, 55, 99, 100].map(|points| [points]).to_vec();
    let rows: Vec<&[i64]> = rows.iter().map(<[i64; 1]>::as_slice).collect();
    let (quiz, _) = statistics(&[1_000_000], &class(&rows));
    assert_eq!(quiz.histogram, [2, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
}

/// Marks of up to four items for a class.
fn classes() -> impl Strategy<Value = (Vec<i64>, Vec<Marks>)> {
    (1..5usize).prop_flat_map(|items| {
        let worth = vec(1..100_000i64, items);
        let mark = prop_oneof![9 => (0..=10i64).prop_map(Some), 1 => Just(None)];
        let row = (1..4i64, vec(mark, items)).prop_map(|(learners, marks)| Marks { learners, marks });
        (worth, vec(row, 0..30)).prop_map(|(worth, mut class)| {
            for one in &mut class {
                for (mark, worth) in one.marks.iter_mut().zip(&worth) {
                    *mark = mark.map(|tenths| worth * tenths / 10);
                }
            }
            (worth, class)
        })
    })
}

fn every_learner(class: &[Marks]) -> Vec<Marks> {
    let each = |one: &Marks| {
        std::iter::repeat_n(
            Marks {
                learners: 1,
                ..one.clone()
            },
            usize::try_from(one.learners).unwrap(),
        )
    };
    class.iter().flat_map(each).collect()
}

proptest! {
    #[test]
    fn neither_order_nor_grouping_matters((worth, class) in classes(), seed in any::<u64>()) {
        let mut other = every_learner(&class);
        if let Some(turn) = usize::try_from(seed).unwrap_or(0).checked_rem(other.len()) {
            other.rotate_left(turn);
            other.reverse();
        }
        prop_assert_eq!(statistics(&worth, &class), statistics(&worth, &other));
    }

    #[test]
    fn statistics_are_within_their_bounds((worth, class) in classes()) {
        let (quiz, items) = statistics(&worth, &class);
        for value in [quiz.mean, quiz.deviation, quiz.standard_error].into_iter().flatten() {
            prop_assert!(value.is_finite() && value >= 0.0, "{value}");
        }
        prop_assert!(quiz.alpha.is_none_or(|alpha| alpha.is_finite() && alpha <= 1.0 + 1e-12));
        prop_assert_eq!(quiz.histogram.iter().sum::<i64>(), quiz.attempts);
        for item in items {
            prop_assert!(item.facility.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert!(item.discrimination.is_none_or(|value| (-1.0..=1.0).contains(&value)));
            prop_assert!(item.efficiency.is_none_or(|value| value.is_finite() && value <= 1.0));
            prop_assert_eq!(item.discrimination.is_some(), item.efficiency.is_some());
        }
    }

    #[test]
    fn a_class_taken_twice_has_the_same_means_and_correlations((worth, class) in classes()) {
        let twice: Vec<Marks> = class.iter().map(|one| Marks { learners: 2 * one.learners, ..one.clone() }).collect();
        let (one, two) = (statistics(&worth, &class), statistics(&worth, &twice));
        prop_assert_eq!((one.0.mean, two.0.attempts), (two.0.mean, 2 * one.0.attempts));
        let near = |a: Option<f64>, b: Option<f64>| a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-12);
        for (one, two) in one.1.iter().zip(&two.1) {
            prop_assert_eq!(one.facility, two.facility);
            prop_assert!(near(one.discrimination, two.discrimination) && near(one.efficiency, two.efficiency));
        }
        prop_assert!(near(one.0.alpha, two.0.alpha));
    }

    #[test]
    fn points_of_another_scale_change_no_ratio((worth, class) in classes()) {
        let scaled: Vec<Marks> = class
            .iter()
            .map(|one| Marks { marks: one.marks.iter().map(|mark| mark.map(|m| m * 7)).collect(), ..one.clone() })
            .collect();
        let seven: Vec<i64> = worth.iter().map(|worth| worth * 7).collect();
        let (one, two) = (statistics(&worth, &class), statistics(&seven, &scaled));
        let near = |a: Option<f64>, b: Option<f64>| a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-9);
        prop_assert!(near(one.0.alpha, two.0.alpha));
        prop_assert_eq!(one.0.histogram, two.0.histogram);
        for (one, two) in one.1.iter().zip(&two.1) {
            prop_assert!(near(one.discrimination, two.discrimination) && near(one.facility, two.facility));
        }
    }
}
