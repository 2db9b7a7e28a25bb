//! The cells of the gradebook: what one learner has of one item, and where it comes from.

use num_rational::BigRational;
use serde::Serialize;

use kurso_base::values::{choices, decimal_text};

use super::grading::{self, Book, Item, PARTS, Totals};
use super::settings::Setup;

/// Where the value of a cell comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// There is nothing yet.
    #[default]
    None,
    /// The best attempt at the quiz.
    Automatic,
    /// A teacher has given the points.
    Override,
    /// A teacher has excused the learner: the item does not count.
    Excused,
    /// It was due, and there is no attempt.
    Missing,
    /// Answers of an attempt wait for a grader, or for the release of their points.
    Waiting,
}

impl Source {
    /// The name in REST; GraphQL has it in capitals, except in cells.
    pub fn name(self) -> &'static str {
        match self {
            Source::None => "none",
            Source::Automatic => "automatic",
            Source::Override => "override",
            Source::Excused => "excused",
            Source::Missing => "missing",
            Source::Waiting => "waiting",
        }
    }
}

/// What a teacher may decide of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum DecisionKind {
    /// It has these points.
    Override,
    /// It does not count.
    Excused,
    /// Nothing: an earlier decision is withdrawn.
    Removed,
}

choices! {
    DecisionKind: "override" => DecisionKind::Override, "excused" => DecisionKind::Excused, "removed" => DecisionKind::Removed;
}

impl DecisionKind {
    /// The name as stored and in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            DecisionKind::Override => "override",
            DecisionKind::Excused => "excused",
            DecisionKind::Removed => "removed",
        }
    }
}

/// What a teacher decided of a cell, without who and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Hundredths of a point; of the grade of the course, hundredths of a percent.
    Override(i64),
    Excused,
    /// An earlier decision was withdrawn.
    Removed,
}

/// A cell of the gradebook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub source: Source,
    /// What counts, in [`PARTS`] of a point; None if nothing does.
    pub earned: Option<i64>,
    /// The percent of the best attempt, in hundredths, whatever a teacher decided.
    pub automatic: Option<i64>,
    /// The percent and the points of what counts, in hundredths, rounded half up.
    pub percent: Option<i64>,
    pub points: Option<i64>,
    /// The number of decisions so far. A new decision must name it.
    pub version: i64,
    /// Whether it is among the lowest results of its category, which do not count.
    pub is_dropped: bool,
}

impl Cell {
    /// `best_percent` is that of the attempts; `is_waiting` says whether answers of one of them wait for a grader, and `is_due` whether the due
    /// date has passed. While answers wait, nothing counts: the percent is not final.
    pub(super) fn of(
        item: &Item,
        best_percent: Option<i64>,
        verdict: Option<(Verdict, i64)>,
        is_waiting: bool,
        is_due: bool,
        missing_counts_as_zero: bool,
    ) -> Self {
        let automatic = best_percent.map(|percent| percent * 100);
        let version = verdict.map_or(0, |(_, version)| version);
        let (source, earned) = match (verdict, best_percent) {
            (Some((Verdict::Override(points), _)), _) => (Source::Override, Some(points.saturating_mul(PARTS / 100))),
            (Some((Verdict::Excused, _)), _) => (Source::Excused, None),
            (Some((Verdict::Removed, _)) | None, Some(_)) if is_waiting => (Source::Waiting, None),
            (Some((Verdict::Removed, _)) | None, Some(percent)) => (Source::Automatic, Some(item.percent(percent))),
            (Some((Verdict::Removed, _)) | None, None) if is_due => {
                (Source::Missing, missing_counts_as_zero.then_some(0))
            }
            (Some((Verdict::Removed, _)) | None, None) => (Source::None, None),
        };
        Cell {
            source,
            earned,
            automatic,
            percent: earned.map(|earned| item.hundredths(earned)),
            points: earned.map(grading::points),
            version,
            is_dropped: false,
        }
    }
}

/// A cell as both APIs write it: a compact object without what is empty, because a page of the gradebook has thousands. The names are single
/// words, which are the same in both.
#[derive(Serialize)]
struct Wire {
    source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<String>,
    /// Percent of the best attempt; given only when a teacher has set or excused the grade, or answers wait for grading.
    #[serde(skip_serializing_if = "Option::is_none")]
    automatic: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    version: i64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dropped: bool,
}

fn is_zero(version: &i64) -> bool {
    *version == 0
}

impl Serialize for Cell {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_apart = matches!(self.source, Source::Override | Source::Excused | Source::Waiting);
        Wire {
            source: self.source,
            percent: self.percent.map(decimal_text),
            points: self.points.map(decimal_text),
            automatic: self.automatic.filter(|_| is_apart).map(decimal_text),
            version: self.version,
            dropped: self.is_dropped,
        }
        .serialize(serializer)
    }
}

/// The cells of one learner, in the order of the columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Cells(pub Vec<Cell>);

/// The grade of the course.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Final {
    /// `Automatic`: derived from the cells; `Override`; or `None` if nothing counts.
    pub source: Source,
    /// In hundredths, rounded half up: the percent that holds.
    pub percent: Option<i64>,
    /// The derived percent, whatever a teacher decided.
    pub automatic: Option<i64>,
    /// The label of the percent by the scheme of the course.
    pub label: Option<&'static str>,
    pub version: i64,
}

/// What a learner has: the cells in the order of the columns, the percent of each category in hundredths, and the grade of the course.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graded {
    pub cells: Cells,
    /// In the order of the categories; None where nothing counts. Empty without categories.
    pub categories: Vec<Option<i64>>,
    pub total: Final,
    /// The derived grade before it is rounded: 1 is 100 %.
    pub exact: Option<BigRational>,
}

impl Graded {
    pub(super) fn of(setup: &Setup, book: &Book, mut cells: Vec<Cell>, verdict: Option<(Verdict, i64)>) -> Self {
        let earned: Vec<Option<i64>> = cells.iter().map(|cell| cell.earned).collect();
        let Totals {
            categories,
            total,
            dropped,
        } = grading::totals(book, &earned);
        for at in dropped {
            if let Some(cell) = cells.get_mut(at) {
                cell.is_dropped = true;
            }
        }
        let categories = categories.into_iter().take(setup.categories.len());
        Graded {
            cells: Cells(cells),
            categories: categories.map(|sum| sum.map(grading::Sum::hundredths)).collect(),
            total: Final::of(setup, total.as_ref().map(grading::hundredths), verdict),
            exact: total,
        }
    }
}

impl Final {
    pub(super) fn of(setup: &Setup, automatic: Option<i64>, verdict: Option<(Verdict, i64)>) -> Self {
        let (source, percent) = match verdict {
            Some((Verdict::Override(percent), _)) => (Source::Override, Some(percent)),
            _ => match automatic {
                Some(_) => (Source::Automatic, automatic),
                None => (Source::None, None),
            },
        };
        Final {
            source,
            percent,
            automatic,
            label: percent.and_then(|percent| setup.label(percent)),
            version: verdict.map_or(0, |(_, version)| version),
        }
    }
}
