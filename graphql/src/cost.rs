//! What a query may cost. The cost of a query is the number of values its answer may hold: a field costs one, times the
//! rows of the lists it stands in. It is told twice, for neither way knows all:
//!
//! - before anything is run, from the document alone: a connection has as many rows as `first` says, a list inside a course as
//!   many as are usual (below);
//! - while it is run, by the rows there really are: each list says how many values it is about to make.
//!
//! Here is what things cost. gate/prices.rs adds up the first, [`Budget`] the second, and gate/limits.rs says how much is allowed.
//! docs/graphql.md, section "Cost", says it to those who write queries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::{Context, Error, Result, SelectionField};
use kurso_core::messages::RequestLimit;
use kurso_core::page::Page;

use crate::context::lang;
use crate::gate::Limits;

/// Rows of the lists whose length the document does not say.
pub const MODULES: usize = 10;
pub const LESSONS: usize = 5;
pub const PAGES: usize = 5;
/// Of a whole course.
pub const ALL_LESSONS: usize = MODULES * LESSONS;
pub const ALL_PAGES: usize = ALL_LESSONS * PAGES;
pub const COLLABORATORS: usize = 10;
pub const QUESTIONS: usize = 10;
/// The hardest of a course: all there are.
pub const HARDEST: usize = kurso_core::quiz::HARDEST;
/// Options of a question, its items, sides or blanks.
pub const PARTS: usize = 5;
pub const ATTEMPTS: usize = 10;
/// Of one student at each page of the course: most pages are no quizzes.
pub const ATTEMPTS_OF_STUDENT: usize = 1;
pub const VERSIONS: usize = 20;
/// A page's text or its quiz, which may be long.
pub const DOCUMENT: usize = 10;

/// Far beyond every limit, and small enough that no document is long enough for the sum of such costs to overflow.
const BOUNDLESS: usize = 1 << 40;

/// A field with a list of so many rows.
pub fn list(rows: usize, child: usize) -> usize {
    rows.saturating_mul(child).saturating_add(1).min(BOUNDLESS)
}

/// A field with a connection.
pub fn connection(first: Option<i32>, child: usize) -> usize {
    let most = usize::try_from(Page::MAX_LIMIT).unwrap_or(usize::MAX);
    let first = first.map_or(Page::DEFAULT_LIMIT, i64::from);
    // One at least: what is beside the rows is counted with them.
    list(usize::try_from(first).unwrap_or(0).clamp(1, most), child)
}

/// How many values an answer holds so far, and the limit, in the data of a request. Trees of plain fields, which are written
/// as they stand in memory, do not count.
#[derive(Clone)]
pub struct Budget {
    values: Arc<AtomicU64>,
    limits: Limits,
}

impl Budget {
    pub fn of(limits: &Limits) -> Self {
        Budget {
            values: Arc::default(),
            limits: *limits,
        }
    }

    /// The next answer begins, to an event of a subscription.
    pub fn renew(&self) {
        self.values.store(0, Ordering::Relaxed);
    }

    pub fn spent(&self) -> u64 {
        self.values.load(Ordering::Relaxed)
    }

    /// Adds so many; when that is too much it says how many there would be.
    fn add(&self, values: u64) -> Result<(), u64> {
        let whole = |before: u64| before.saturating_add(values);
        let allowed = |before| Some(whole(before)).filter(|whole| *whole <= self.limits.answer);
        let added = self.values.fetch_update(Ordering::Relaxed, Ordering::Relaxed, allowed);
        added.map(|_| ()).map_err(whole)
    }
}

/// Said by a resolver before it makes so many rows: each will have at least the fields that are selected below. Refuses when
/// the answer would hold too many values.
pub fn spend(ctx: &Context<'_>, rows: usize) -> Result<()> {
    let Some(budget) = ctx.data_opt::<Budget>() else {
        return Ok(());
    };
    let values = rows.saturating_mul(fields_below(&ctx.field()));
    budget.add(values as u64).map_err(|found| {
        let refusal = budget.limits.over(RequestLimit::Answer, found, lang(ctx));
        Error {
            message: refusal.message,
            source: None,
            extensions: refusal.extensions,
        }
    })
}

/// The parser bounds the depth.
fn fields_below(field: &SelectionField<'_>) -> usize {
    field.selection_set().map(|field| 1 + fields_below(&field)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_costs_its_rows_and_never_overflows() {
        assert_eq!((list(10, 3), list(0, 3)), (31, 1));
        assert_eq!(
            [Some(20), None, Some(0), Some(-1), Some(5000)].map(|first| connection(first, 2)),
            [41, 201, 3, 3, 2001]
        );
        let mut cost = 1;
        for _ in 0..40 {
            cost = list(1000, cost);
        }
        assert_eq!(cost, BOUNDLESS);
    }
}
