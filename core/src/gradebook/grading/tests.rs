use num_traits::One as _;
use proptest::prelude::*;

use super::*;

/// The rules again, written as slowly and differently as possible: whole fractions, one item after the other removed.
fn reference(categories: &[Category], items: &[Item], earned: &[Option<i64>]) -> (Option<BigRational>, Vec<usize>) {
    let fraction = |num: i64, den: i64| BigRational::new(num.into(), den.into());
    let mut weighted = Vec::new();
    let mut dropped = Vec::new();
    let groups: Vec<(BigRational, usize, Option<usize>)> = if categories.is_empty() {
        vec![(BigRational::one(), 0, None)]
    } else {
        let of =
            |(at, category): (usize, &Category)| (fraction(category.weight, 10_000), category.drop_lowest, Some(at));
        categories.iter().enumerate().map(of).collect()
    };
    for (weight, drop_lowest, category) in groups {
        let mut bonus = BigRational::zero();
        let mut results: Vec<(usize, BigRational, BigRational)> = vec![]; // item, points, part
        for (at, item) in items.iter().enumerate() {
            let belongs = category.is_none() || item.category == category;
            let Some(earned) = earned[at].filter(|_| belongs && !item.is_excluded) else {
                continue;
            };
            let points = fraction(earned, PARTS);
            if item.extra_credit {
                bonus += points;
            } else {
                let worth = fraction(item.points, 100);
                let part = &points / &worth;
                results.push((at, worth, part));
            }
        }
        for _ in 0..drop_lowest {
            if results.len() < 2 {
                break;
            }
            let mut lowest = 0;
            for candidate in 1..results.len() {
                if results[candidate].2 < results[lowest].2 {
                    lowest = candidate;
                }
            }
            dropped.push(results.remove(lowest).0);
        }
        let possible: BigRational = results.iter().map(|(_, worth, _)| worth.clone()).sum();
        if possible.is_zero() {
            continue;
        }
        let points: BigRational = results.iter().map(|(_, worth, part)| worth * part).sum();
        weighted.push((weight, (points + bonus) / possible));
    }
    dropped.sort_unstable();
    let weights: BigRational = weighted.iter().map(|(weight, _)| weight.clone()).sum();
    let total = (!weights.is_zero()).then(|| {
        let sum: BigRational = weighted.iter().map(|(weight, part)| weight * part).sum();
        sum / weights
    });
    (total, dropped)
}

type Random = (Vec<Category>, Vec<Item>, Vec<Option<i64>>);

fn books() -> impl Strategy<Value = Random> {
    let category = (prop_oneof![Just(0), Just(2500), 0..=10_000i64], 0..4usize)
        .prop_map(|(weight, drop_lowest)| Category { weight, drop_lowest });
    prop::collection::vec(category, 0..5).prop_flat_map(|categories| {
        let count = categories.len();
        // Few values, so that there are ties.
        let points = prop_oneof![Just(10_000i64), Just(100), 1..=1_000_000i64];
        let item =
            (prop::option::weighted(0.9, 0..count.max(1)), points, 0..8u8).prop_map(|(category, points, kind)| Item {
                category,
                points,
                extra_credit: kind == 0,
                is_excluded: kind == 1,
            });
        let result = prop_oneof![
            // The percent of an attempt, the points of an override, nothing.
            4 => prop_oneof![Just(0i64), Just(50), Just(100), 0..=100i64].prop_map(|percent| Some((percent, true))),
            1 => (0..=10_000_000i64).prop_map(|points| Some((points, false))),
            1 => Just(None),
        ];
        (Just(categories), prop::collection::vec((item, result), 0..12)).prop_map(|(categories, cells)| {
            let earned = cells.iter().map(|(item, result)| {
                result.map(|(value, is_percent)| {
                    if is_percent {
                        item.percent(value)
                    } else {
                        value * (PARTS / 100)
                    }
                })
            });
            let earned = earned.collect();
            (categories, cells.iter().map(|(item, _)| *item).collect(), earned)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn totals_match_a_reference_implementation((categories, items, earned) in books()) {
        let found = totals(&Book::new(categories.clone(), items.clone()), &earned);
        let (total, dropped) = reference(&categories, &items, &earned);
        prop_assert_eq!(&found.total, &total);
        prop_assert_eq!(found.dropped, dropped);
        if let Some(total) = total {
            // Half up, by another way: the nearest whole number of hundredths, the greater of two.
            let exact: BigRational = &total * BigRational::from(BigInt::from(10_000));
            let shown = BigRational::from(BigInt::from(hundredths(&total)));
            let half = BigRational::new(1.into(), 2.into());
            prop_assert!(&shown - &exact <= half && &exact - &shown < half);
        }
    }

    /// The order of the items decides only which of equal results are dropped, and the order of the categories nothing.
    #[test]
    fn totals_do_not_depend_on_order((categories, items, earned) in books(), by in any::<u64>()) {
        let found = totals(&Book::new(categories.clone(), items.clone()), &earned);
        let mut order: Vec<usize> = (0..categories.len()).collect();
        order.sort_by_key(|at| (*at as u64 + 1).wrapping_mul(by | 1));
        let turned: Vec<Category> = order.iter().map(|at| categories[*at]).collect();
        let place = |category: usize| order.iter().position(|at| *at == category);
        let mut cells: Vec<(Item, Option<i64>)> = items
            .iter()
            .zip(&earned)
            .map(|(item, earned)| (Item { category: item.category.and_then(place), ..*item }, *earned))
            .collect();
        let same = totals(&Book::new(turned.clone(), cells.iter().map(|cell| cell.0).collect()), &earned);
        prop_assert_eq!(&same.total, &found.total);
        prop_assert_eq!(&same.dropped, &found.dropped);

        // Equal results are equally good to drop only if they are worth the same.
        let points_differ = cells.windows(2).any(|pair| pair[0].0.points != pair[1].0.points);
        if !points_differ || categories.iter().all(|category| category.drop_lowest == 0) {
            cells.reverse();
            let (items, earned): (Vec<_>, Vec<_>) = cells.into_iter().unzip();
            let turned = totals(&Book::new(turned, items), &earned);
            prop_assert_eq!(&turned.total, &found.total);
        }
    }

    /// What does not count changes nothing: an excluded item, an item without a result, an item without a category beside categories, and a
    /// category in which nothing counts.
    #[test]
    fn totals_do_not_move_with_what_is_unrelated((categories, items, earned) in books(), points in 1..1_000_000i64, value in 0..=100i64) {
        let found = totals(&Book::new(categories.clone(), items.clone()), &earned);
        let plain = Item { category: (!categories.is_empty()).then_some(0), points, extra_credit: false, is_excluded: false };
        let more = [
            (Item { is_excluded: true, ..plain }, Some(plain.percent(value))),
            (plain, None),
            (Item { category: None, ..plain }, (!categories.is_empty()).then_some(plain.percent(value))),
        ];
        for (item, result) in more {
            let (mut items, mut earned) = (items.clone(), earned.clone());
            items.push(item);
            earned.push(result);
            let same = totals(&Book::new(categories.clone(), items), &earned);
            prop_assert_eq!(&same.total, &found.total);
            prop_assert_eq!(&same.dropped, &found.dropped);
        }
        if !categories.is_empty() {
            let mut categories = categories.clone();
            categories.push(Category { weight: points.min(10_000), drop_lowest: 1 });
            let same = totals(&Book::new(categories, items), &earned);
            prop_assert_eq!(&same.total, &found.total);
        }
    }
}

fn item(category: usize, points: i64) -> Item {
    Item {
        category: Some(category),
        points: points * 100,
        extra_credit: false,
        is_excluded: false,
    }
}

fn percent(book: &Book, percents: &[Option<i64>]) -> Option<i64> {
    let earned: Vec<_> = book
        .items()
        .iter()
        .zip(percents)
        .map(|(item, percent)| percent.map(|percent| item.percent(percent)))
        .collect();
    totals(book, &earned).total.as_ref().map(hundredths)
}

#[test]
fn a_course_without_categories_counts_points() {
    let items = vec![
        Item {
            category: None,
            ..item(0, 100)
        },
        Item {
            category: None,
            ..item(0, 50)
        },
    ];
    let book = Book::new(vec![], items);
    assert_eq!(percent(&book, &[Some(90), Some(30)]), Some(7000));
    assert_eq!(percent(&book, &[Some(90), None]), Some(9000));
    assert_eq!(percent(&book, &[None, None]), None);
}

#[test]
fn weights_keep_their_proportions_without_a_category() {
    let category = |weight| Category { weight, drop_lowest: 0 };
    let book = Book::new(
        vec![category(5000), category(3000), category(2000)],
        (0..3).map(|at| item(at, 10)).collect(),
    );
    assert_eq!(percent(&book, &[Some(100), Some(50), Some(0)]), Some(6500));
    assert_eq!(percent(&book, &[None, Some(50), Some(0)]), Some(3000));
    let book = Book::new(vec![category(0)], vec![item(0, 10)]);
    assert_eq!(percent(&book, &[Some(100)]), None);
}

#[test]
fn the_last_result_is_never_dropped_and_extra_credit_never() {
    let lowest = Category {
        weight: 100,
        drop_lowest: 50,
    };
    let extra = Item {
        extra_credit: true,
        ..item(0, 10)
    };
    let book = Book::new(vec![lowest], vec![item(0, 10), item(0, 10), extra]);
    assert_eq!(percent(&book, &[Some(40), Some(80), Some(50)]), Some(13_000));
    assert_eq!(percent(&book, &[Some(40), None, Some(0)]), Some(4000));
    assert_eq!(percent(&book, &[None, None, Some(50)]), None);
    let found = totals(&book, &[Some(50_000), Some(50_000), None]);
    assert_eq!(found.dropped, [0]);
}

#[test]
fn shown_numbers_are_rounded_half_up() {
    let third = item(0, 3);
    assert_eq!(
        (third.hundredths(third.percent(50)), points(third.percent(50))),
        (5000, 150)
    );
    assert_eq!(third.hundredths(10_000), 3333);
    assert_eq!(third.hundredths(20_000), 6667);
    assert_eq!((points(49), points(50), points(149), points(150)), (0, 1, 1, 2));
    let half = BigRational::new(1.into(), 20_000.into());
    assert_eq!(hundredths(&half), 1);
    assert_eq!(hundredths(&BigRational::new(1.into(), 20_001.into())), 0);
}
