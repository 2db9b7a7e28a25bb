//! The cost of a query: the number of values its answer may hold. A field costs 1, times the rows of the lists it stands in.
//! It is counted twice:
//!
//! - before execution, from the document: a connection has `first` rows, a list inside a course the expected number of rows
//!   (constants below). The admission checks add it up;
//! - during execution, by the real rows: each list adds its values to the [`Budget`] before it makes them.
//!
//! docs/graphql.md, section "Cost", documents it for clients.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::{Context, Error, Result, SelectionField};
use kurso_base::messages::RequestLimit;
use kurso_base::pagination::Page;

use crate::admission::Limits;
use crate::language::lang;

/// Expected rows of lists without `first`.
pub const MODULES: usize = 10;
pub const LESSONS: usize = 5;
pub const PAGES: usize = 5;
/// Rows over a whole course.
pub const ALL_LESSONS: usize = MODULES * LESSONS;
pub const ALL_PAGES: usize = ALL_LESSONS * PAGES;
pub const COLLABORATORS: usize = 10;
pub const GROUPS: usize = 10;
/// Deleted parts of a course, and deleted courses of a person.
pub const TRASH: usize = 10;
/// Snapshots of a course, what comparing one costs, and the parts of each list of differences.
pub const SNAPSHOTS: usize = 20;
pub const SNAPSHOT_CHANGES: usize = 500;
pub const SNAPSHOT_PARTS: usize = 20;
pub const QUESTIONS: usize = 10;
/// Question banks of a person, and tags of a bank.
pub const BANKS: usize = 10;
pub const TAGS: usize = 20;
/// Checked questions of a running attempt; most attempts check none.
pub const CHECKED: usize = 5;
/// The prompt of a result; few questions are formulas.
pub const FORMULA_PROMPT: usize = 2;
/// Questions of an attempt that drew them; most attempts draw none.
pub const DRAWN: usize = 5;
/// The hardest questions of a course; their real number.
pub const HARDEST: usize = kurso_core::attempts::HARDEST;
/// Options, items, sides or blanks of a question.
pub const PARTS: usize = 5;
/// Hints of a question; most have none.
pub const HINTS: usize = 1;
/// Zones of a hotspot question, and marked places; corners of a polygon. Few questions are hotspots.
pub const ZONES: usize = 1;
pub const CORNERS: usize = 2;
/// Attempts at a page: few learners make more.
pub const ATTEMPTS: usize = 4;
/// Attempts of one student at a page of the course: most pages are not quizzes.
pub const ATTEMPTS_OF_STUDENT: usize = 1;
pub const VERSIONS: usize = 20;
/// Pages of a course with unpublished changes.
pub const UNPUBLISHED: usize = 20;
/// Important changes of pages that a learner has read: few, while they read them again.
pub const IMPORTANT: usize = 10;
/// Kinds of notices; courses of a person, and kinds for which they have choices of their own.
pub const NOTICE_KINDS: usize = 16;
pub const OWN_COURSES: usize = 20;
pub const COURSE_CHOICES: usize = 1;
/// Devices of a person that receive pushes.
pub const DEVICES: usize = 5;
/// Learners for whom publishing changes something, quizzes that change for one of them, and regradings of a course.
pub const AFFECTED: usize = 20;
pub const CHANGED_QUIZZES: usize = 2;
pub const REGRADES: usize = 3;
/// Threads of comments on a page, and comments of a thread.
pub const THREADS: usize = 5;
pub const COMMENTS: usize = 5;
/// Reports of a post, and blocks of a page with questions.
pub const REPORTS: usize = 1;
pub const ASKED_BLOCKS: usize = 3;
pub const FORBIDDEN_WORDS: usize = 10;
/// Notes of a page, ticked tasks of a page, bookmarks in a course, and all notes of a course as a text.
pub const NOTES: usize = 5;
pub const TICKS: usize = 3;
pub const BOOKMARKS: usize = 5;
pub const NOTED_COURSES: usize = 20;
pub const NOTES_TEXT: usize = 500;
/// Changes of the result of an attempt; most have none.
pub const RESULT_CHANGES: usize = 1;
/// Versions of a question of a bank; their texts are read with them.
pub const BANK_VERSIONS: usize = 100;
/// Quizzes of a course, categories of its gradebook, and decisions on a grade.
pub const GRADED: usize = 50;
pub const GRADE_CATEGORIES: usize = 5;
pub const DECISIONS: usize = 5;
/// The cost of a page's content or its quiz, which may be long.
pub const DOCUMENT: usize = 10;
/// A question in the author's form.
pub const BANK_QUESTION: usize = 3;
/// Criteria of a rubric, and marks of an answer; levels of a criterion; comments pinned to an answer.
pub const CRITERIA: usize = 4;
pub const LEVELS: usize = 4;
pub const PINS: usize = 3;
/// Selected options of an answer that have feedback.
pub const CHOSEN: usize = 2;
/// Files of an answer.
pub const FILES: usize = 2;
/// A document that a learner wrote, without files.
pub const ESSAY: usize = 5;

/// The costs of copies, by what they may write: a request may copy four courses.
pub const COPY_OF_COURSE: usize = 10_000;
pub const COPY_OF_MODULE: usize = 2_000;
pub const COPY_OF_LESSON: usize = 500;
pub const COPY_OF_PAGE: usize = 100;

/// Deriving what publishing would change for the learners of a course.
pub const CONSEQUENCES: usize = 2_000;

/// All quizzes of a course, which are read for a list that needs few of their values.
pub const ALL_QUIZZES: usize = 2_000;

/// A search reads the titles of all public courses, and visitors need no session.
pub const CATALOGUE: usize = 2_000;
/// Some eight statements, and visitors need no session.
pub const PUBLIC_COURSE: usize = 500;
/// Visitors need no session.
pub const PUBLIC_CERTIFICATE: usize = 100;
/// The progress in a course, and for some courses its grades: some twenty statements.
pub const MY_CERTIFICATE: usize = 500;

/// The maximum cost of a field: above every limit, and too small for a sum over a document to overflow.
const MAX_COST: usize = 1 << 40;

/// The cost of a field with a list of this many rows.
pub fn list(rows: usize, child: usize) -> usize {
    rows.saturating_mul(child).saturating_add(1).min(MAX_COST)
}

/// The cost of a field with a connection.
pub fn connection(first: Option<i32>, child: usize) -> usize {
    let most = usize::try_from(Page::MAX_LIMIT).unwrap_or(usize::MAX);
    let first = first.map_or(Page::DEFAULT_LIMIT, i64::from);
    // One at least: the fields beside the rows are counted with them.
    list(usize::try_from(first).unwrap_or(0).clamp(1, most), child)
}

/// The number of values of an answer so far, and their limit: data of a request. Trees of the fast path do not count.
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

    /// Starts the count of the next answer of a subscription.
    pub fn reset(&self) {
        self.values.store(0, Ordering::Relaxed);
    }

    pub fn spent(&self) -> u64 {
        self.values.load(Ordering::Relaxed)
    }

    /// Adds values; the error is their sum when it is above the limit.
    fn add(&self, values: u64) -> Result<(), u64> {
        let sum = |before: u64| before.saturating_add(values);
        let allowed = |before| Some(sum(before)).filter(|sum| *sum <= self.limits.answer);
        let added = self.values.fetch_update(Ordering::Relaxed, Ordering::Relaxed, allowed);
        added.map(|_| ()).map_err(sum)
    }
}

/// Adds the values of a list before a resolver makes its rows: the fields selected below, for each row. Fails when the answer
/// would have too many values.
pub fn spend(ctx: &Context<'_>, rows: usize) -> Result<()> {
    spend_values(ctx, rows.saturating_mul(fields_below(&ctx.field())))
}

/// Adds the values of a scalar that holds many. Fails when the answer would have too many values.
pub fn spend_values(ctx: &Context<'_>, values: usize) -> Result<()> {
    let Some(budget) = ctx.data_opt::<Budget>() else {
        return Ok(());
    };
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
        assert_eq!(cost, MAX_COST);
    }
}
