//! Classical item statistics of a quiz.
//!
//! The module uses the formulas of Moodle's "Quiz statistics calculations" (docs.moodle.org/dev/Quiz_statistics_calculations). Marks are integers in
//! ten-thousandths of a point, so the sums of marks and of their products are exact. Each statistic is rounded once, in its final division: neither
//! the order of the learners nor the size of the class costs precision.

/// A sum of products of marks. The products of 500 questions of 1000 points for 10¹² learners fit.
type Sum = i128;

/// Ten-thousandths of a point in a point.
const PARTS: f64 = 10_000.0;
/// The number of bars of the histogram; each covers ten percent of the points.
pub const BARS: usize = 10;

/// Learners with the same marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    pub learners: i64,
    /// The mark for each item in ten-thousandths of a point; None if the attempt has no mark for it.
    pub marks: Vec<Option<i64>>,
}

/// The statistics of the attempts that have a mark for every item. A statistic that the attempts do not define is None.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuizStatistics {
    pub attempts: i64,
    /// In points, as `deviation` and `standard_error`.
    pub mean: Option<f64>,
    /// The standard deviation of the sample: divided by one less than the attempts.
    pub deviation: Option<f64>,
    /// Cronbach's alpha: at most 1, and below 0 when the items contradict each other.
    pub alpha: Option<f64>,
    /// The standard error of measurement: `deviation` · √(1 − `alpha`).
    pub standard_error: Option<f64>,
    /// The number of attempts in each tenth of the points; full marks count in the last one.
    pub histogram: [i64; BARS],
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemStatistics {
    /// The number of attempts with a mark for the item.
    pub attempts: i64,
    /// The mean mark as a share of all points of the item; of all attempts with a mark for it. None for an item without points.
    pub facility: Option<f64>,
    /// The standard deviation of the marks, in points; like the next two, of the attempts with a mark for every item.
    pub deviation: Option<f64>,
    /// The correlation of the mark with that of the rest of the quiz, −1 to 1.
    pub discrimination: Option<f64>,
    /// The covariance with the rest of the quiz as a share of the largest that these marks allow: at most 1.
    pub efficiency: Option<f64>,
}

/// The middle of the values, or the mean of the two in the middle; None without values.
pub fn median(mut values: Vec<i64>) -> Option<f64> {
    values.sort_unstable();
    let middle = values.get(values.len() / 2)?;
    let before = match values.len() % 2 {
        0 => values.get(values.len() / 2 - 1)?,
        _ => middle,
    };
    Some((before + middle) as f64 / 2.0)
}

/// The statistics of a quiz and of its items, which are worth `worth` ten-thousandths of a point.
pub fn statistics(worth: &[i64], class: &[Marks]) -> (QuizStatistics, Vec<ItemStatistics>) {
    let complete: Vec<(Sum, Vec<Sum>)> = class
        .iter()
        .filter_map(|one| {
            let marks: Option<Vec<Sum>> = one.marks.iter().map(|mark| mark.map(Sum::from)).collect();
            Some((one.learners.into(), marks?))
        })
        .collect();
    let column = |item: usize| {
        complete
            .iter()
            .map(move |(n, marks)| (*n, marks.get(item).copied().unwrap_or(0)))
    };
    let totals: Vec<(Sum, Sum)> = complete.iter().map(|(n, marks)| (*n, marks.iter().sum())).collect();
    let total = Moments::of(totals.iter().copied());

    let mut items = Vec::with_capacity(worth.len());
    let mut variances = 0;
    for (item, worth) in worth.iter().enumerate() {
        let marks: Vec<(Sum, Sum)> = column(item).collect();
        let rest: Vec<(Sum, Sum)> = totals
            .iter()
            .zip(&marks)
            .map(|((n, all), (_, own))| (*n, all - own))
            .collect();
        let own = Moments::of(marks.iter().copied());
        variances += own.spread();
        let covariance = own.covariance(&marks, &rest);
        let most = own.covariance(&sorted(&marks), &sorted(&rest));
        let all = Moments::of(class.iter().filter_map(|one| {
            let mark = one.marks.get(item).copied().flatten()?;
            Some((one.learners.into(), mark.into()))
        }));
        items.push(ItemStatistics {
            attempts: i64::try_from(all.n).unwrap_or(i64::MAX),
            facility: quotient(all.sum, all.n * Sum::from(*worth)),
            deviation: own.deviation(),
            discrimination: correlation(covariance, own.spread(), Moments::of(rest.iter().copied()).spread()),
            efficiency: quotient(covariance, most),
        });
    }
    let alpha = alpha(worth.len(), variances, total.spread());
    let quiz = QuizStatistics {
        attempts: i64::try_from(total.n).unwrap_or(i64::MAX),
        mean: quotient(total.sum, total.n).map(|mean| mean / PARTS),
        deviation: total.deviation(),
        alpha,
        standard_error: total
            .deviation()
            .zip(alpha)
            .map(|(deviation, alpha)| deviation * (1.0 - alpha).max(0.0).sqrt()),
        histogram: histogram(worth.iter().copied().map(Sum::from).sum(), &totals),
    };
    (quiz, items)
}

/// The number of values, their sum and the sum of their squares.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: Sum,
    sum: Sum,
    squares: Sum,
}

impl Moments {
    /// Of values with the number of times that each occurs.
    fn of(values: impl Iterator<Item = (Sum, Sum)>) -> Self {
        values.fold(Moments::default(), |sums, (n, value)| Moments {
            n: sums.n + n,
            sum: sums.sum + n * value,
            squares: sums.squares + n * value * value,
        })
    }

    /// The variance of the sample, times n(n − 1).
    fn spread(self) -> Sum {
        self.n * self.squares - self.sum * self.sum
    }

    /// In points; None for fewer than two values.
    fn deviation(self) -> Option<f64> {
        Some(quotient(self.spread(), self.n * (self.n - 1))?.sqrt() / PARTS)
    }

    /// The covariance with other values of the same learners, times n(n − 1). Both lists have the same learners in all, in the same order; runs
    /// of equal values may end at different places.
    fn covariance(self, own: &[(Sum, Sum)], other: &[(Sum, Sum)]) -> Sum {
        let (mut products, mut sum) = (0, 0);
        let (mut own, mut other) = (own.iter().copied(), other.iter().copied());
        let (mut x, mut y) = (own.next(), other.next());
        while let (Some((of_x, a)), Some((of_y, b))) = (x, y) {
            let n = of_x.min(of_y);
            products += n * a * b;
            sum += n * b;
            x = if of_x > n { Some((of_x - n, a)) } else { own.next() };
            y = if of_y > n { Some((of_y - n, b)) } else { other.next() };
        }
        self.n * products - self.sum * sum
    }
}

fn sorted(values: &[(Sum, Sum)]) -> Vec<(Sum, Sum)> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by_key(|(_, value)| *value);
    sorted
}

/// None if `whole` is 0.
fn quotient(part: Sum, whole: Sum) -> Option<f64> {
    (whole != 0).then(|| part as f64 / whole as f64)
}

fn correlation(covariance: Sum, one: Sum, other: Sum) -> Option<f64> {
    let most = (one as f64).sqrt() * (other as f64).sqrt();
    (one > 0 && other > 0).then(|| (covariance as f64 / most).clamp(-1.0, 1.0))
}

/// Cronbach's alpha of `items` with this sum of their spreads, in a quiz with this spread of its totals.
fn alpha(items: usize, spreads: Sum, total: Sum) -> Option<f64> {
    let items = items as f64;
    (items > 1.0 && total > 0).then(|| items / (items - 1.0) * ((total - spreads) as f64 / total as f64))
}

fn histogram(worth: Sum, totals: &[(Sum, Sum)]) -> [i64; BARS] {
    let mut bars = [0; BARS];
    for (n, total) in totals {
        let bar = (total * BARS as Sum).checked_div(worth).unwrap_or(0);
        let bar = usize::try_from(bar).unwrap_or(0).min(BARS - 1);
        if let Some(bar) = bars.get_mut(bar) {
            *bar += i64::try_from(*n).unwrap_or(i64::MAX);
        }
    }
    bars
}

#[cfg(test)]
mod tests;
