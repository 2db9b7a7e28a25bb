//! How the results of a learner become the grade of a course. Pure and exact: percents are fractions until [`hundredths`] rounds them for
//! people ([decision 88](../../../docs/decisions/0088-grades-are-derived.md)).
//!
//! The percent of a category is the points earned in it divided by the points that could be earned, both of what counts; that of the course
//! is the mean of its categories by weight. What counts:
//!
//! - an item without a result counts nowhere, nor does one that the learner is excused from, or that is excluded for all;
//! - extra credit adds to the points earned, not to those that could be earned;
//! - the lowest results of a category are dropped, never its last one; extra credit is not dropped;
//! - a category in which nothing counts is left out, and the weights of the others keep their proportions;
//! - without categories, all items form one; with them, an item without a category counts nowhere.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive as _, Zero as _};

#[cfg(test)]
mod tests;

/// The parts of a point in which earned points are counted: a whole percent of an item is a whole number of them.
pub const PARTS: i64 = 10_000;

/// A category of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Category {
    /// Hundredths, not negative.
    pub weight: i64,
    /// How many of the lowest results do not count.
    pub drop_lowest: usize,
}

/// An item of the gradebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// By index.
    pub category: Option<usize>,
    /// Hundredths of a point, more than 0.
    pub points: i64,
    pub extra_credit: bool,
    pub is_excluded: bool,
}

impl Item {
    /// The points in [`PARTS`].
    pub fn parts(&self) -> i64 {
        self.points.saturating_mul(PARTS / 100)
    }

    /// What a percentage of the item is, in [`PARTS`]; exact.
    pub fn percent(&self, percent: i64) -> i64 {
        self.points.saturating_mul(percent)
    }

    /// The percentage of earned [`PARTS`] in hundredths, rounded half up.
    pub fn hundredths(&self, earned: i64) -> i64 {
        round(i128::from(earned) * 10_000, i128::from(self.parts()))
    }
}

/// Earned [`PARTS`] as hundredths of a point, rounded half up.
pub fn points(earned: i64) -> i64 {
    round(earned.into(), (PARTS / 100).into())
}

/// `num / den`, rounded half up. Neither is negative; 0 without a denominator.
fn round(num: i128, den: i128) -> i64 {
    let twice = num.saturating_mul(2).saturating_add(den);
    let rounded = twice.checked_div(den.saturating_mul(2)).unwrap_or(0);
    i64::try_from(rounded).unwrap_or(i64::MAX)
}

/// The items of a course, in its order, and their categories.
#[derive(Clone, Debug, Default)]
pub struct Book {
    categories: Vec<Category>,
    items: Vec<Item>,
    /// The indexes of the items of each category that may count, in the order of the course.
    members: Vec<Vec<usize>>,
}

impl Book {
    pub fn new(categories: Vec<Category>, items: Vec<Item>) -> Self {
        let whole = Category {
            weight: 1,
            drop_lowest: 0,
        };
        let has_categories = !categories.is_empty();
        let categories = if has_categories { categories } else { vec![whole] };
        let mut members = vec![vec![]; categories.len()];
        for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_excluded) {
            let category = if has_categories { item.category } else { Some(0) };
            if let Some(members) = category.and_then(|category| members.get_mut(category)) {
                members.push(at);
            }
        }
        Book {
            categories,
            items,
            members,
        }
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }
}

/// Points earned of those that could be earned, both in [`PARTS`]; more than all of them with extra credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    pub earned: i128,
    /// More than 0.
    pub possible: i128,
}

impl Sum {
    /// The percentage in hundredths, rounded half up.
    pub fn hundredths(self) -> i64 {
        round(self.earned.saturating_mul(10_000), self.possible)
    }
}

/// The grade of a learner before it is rounded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Of each category; None if nothing counts in it. Without categories, that of all items.
    pub categories: Vec<Option<Sum>>,
    /// The part of the course that was earned: 1 is 100 %. None if nothing counts.
    pub total: Option<BigRational>,
    /// The indexes of the items whose results were dropped, ascending.
    pub dropped: Vec<usize>,
}

/// The grade of a learner who has earned these [`PARTS`] of each item; None of what does not count.
pub fn totals(book: &Book, earned: &[Option<i64>]) -> Totals {
    let mut totals = Totals::default();
    for (category, members) in book.categories.iter().zip(&book.members) {
        let results = members.iter().filter_map(|at| {
            let (item, earned) = book.items.get(*at).zip(earned.get(*at).copied().flatten())?;
            Some(Counted { at: *at, item, earned })
        });
        let (extra, mut regular): (Vec<_>, Vec<_>) = results.partition(|result| result.item.extra_credit);
        let drop = category.drop_lowest.min(regular.len().saturating_sub(1));
        if drop > 0 {
            // Stable: of equal results, the earlier one in the course is dropped.
            regular.sort_by(|a, b| a.percent_cmp(b));
            totals.dropped.extend(regular.drain(..drop).map(|result| result.at));
        }
        let of = |results: &[Counted<'_>]| results.iter().map(|result| i128::from(result.earned)).sum::<i128>();
        let possible: i128 = regular.iter().map(|result| i128::from(result.item.parts())).sum();
        let earned = of(&regular) + of(&extra);
        totals
            .categories
            .push((possible > 0).then_some(Sum { earned, possible }));
    }
    totals.dropped.sort_unstable();
    totals.total = mean(book.categories.iter().zip(&totals.categories));
    totals
}

struct Counted<'a> {
    at: usize,
    item: &'a Item,
    earned: i64,
}

impl Counted<'_> {
    fn percent_cmp(&self, other: &Self) -> std::cmp::Ordering {
        let cross = |one: &Self, other: &Self| i128::from(one.earned) * i128::from(other.item.points);
        cross(self, other).cmp(&cross(other, self))
    }
}

/// The mean of the categories by weight. The fraction is not reduced: that would cost more than everything else, and nothing needs it.
fn mean<'a>(categories: impl Iterator<Item = (&'a Category, &'a Option<Sum>)>) -> Option<BigRational> {
    let (mut num, mut den, mut weights) = (BigInt::zero(), BigInt::from(1), 0i64);
    for (category, sum) in categories {
        let (Some(sum), weight @ 1..) = (sum, category.weight) else {
            continue;
        };
        num = num * sum.possible + &den * sum.earned * weight;
        den *= sum.possible;
        weights = weights.saturating_add(weight);
    }
    (weights > 0).then(|| BigRational::new_raw(num, den * weights))
}

/// A part of 1 as hundredths of a percent, rounded half up.
pub fn hundredths(part: &BigRational) -> i64 {
    let twice: BigInt = part.numer() * 20_000 + part.denom();
    let rounded: BigInt = twice / (part.denom() * 2);
    rounded.to_i64().unwrap_or(i64::MAX)
}
