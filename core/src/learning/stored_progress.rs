//! Stored progress of a learner: a bitmap with two bits per page in the enrollment's row, so that the progress of a
//! whole class is one read of one table instead of many visits ([decision
//! 17](../../../docs/decisions/0017-progress-bitmaps.md)).
//!
//! `visits` and `attempts` are authoritative; the stored progress is a cache. Every change of them or of `extra_attempts` starts with
//! [`super::lock`], which clears it, and ends with [`store`], which derives it again from what the transaction sees. If
//! the second call is missing, progress is read from the authoritative tables. Only visits, by far the most frequent
//! change, set their bits in place ([`super::visits`]). Progress is computed from the current tree at each read, so
//! changes by authors need no update here. Regrading changes results of many learners at a few pages, and replaces only those ([`results`]).
//!
//! The row also holds a summary of the attempts at each quiz (how many count against its limit, and the best result), so that a learner's view
//! of a course needs only the row of the course.

pub(crate) mod results;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::progress::read::{counted_attempts, undecided_attempts};
use super::progress::{AttemptSummary, Marks};
use super::view::CourseView;
use super::visits::Visit;
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap, StoredProgress};
use crate::courses::tree::Tree;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_db::sql;
use kurso_db::{Db, Executor, Tx};

const SUMMARY_BYTES: usize = 9;
/// The bit that marks a quiz with waiting answers. It is free in the byte of the best percent, which is at most 100.
const WAITING: u8 = 0x80;
/// The bit that marks returned work. It is free in the number of the page: no course numbers so many pages.
const RETURNED: u32 = 0x8000_0000;

impl AttemptSummaries {
    /// Adds the attempts at the quiz of a page. None if a number is too high.
    fn push(&mut self, mark_no: i64, tried: AttemptSummary) -> Option<()> {
        let mark_no = u32::try_from(mark_no).ok().filter(|no| no & RETURNED == 0)?;
        let best_percent = u8::try_from(tried.best_percent).ok()?;
        let counted = i32::try_from(tried.counted).unwrap_or(i32::MAX);
        self.0
            .extend((mark_no | if tried.is_returned { RETURNED } else { 0 }).to_le_bytes());
        self.0.extend(counted.to_le_bytes());
        self.0.push(best_percent | if tried.is_waiting { WAITING } else { 0 });
        Some(())
    }

    fn iter(&self) -> impl Iterator<Item = (i64, AttemptSummary)> + '_ {
        let (tries, _) = self.0.as_chunks::<SUMMARY_BYTES>();
        tries.iter().map(|[a, b, c, d, e, f, g, h, best]| {
            let number = u32::from_le_bytes([*a, *b, *c, *d]);
            let tried = AttemptSummary {
                counted: i32::from_le_bytes([*e, *f, *g, *h]).into(),
                best_percent: (best & !WAITING).into(),
                is_waiting: best & WAITING != 0,
                is_returned: number & RETURNED != 0,
            };
            ((number & !RETURNED).into(), tried)
        })
    }

    /// Page numbers with the best percentage of their quizzes.
    pub(crate) fn best_percents(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.iter().map(|(mark_no, tried)| (mark_no, tried.best_percent))
    }
}

/// A visited page, which has no best result, or the attempts at its quiz.
#[derive(sqlx::FromRow)]
struct Row {
    mark_no: Option<i64>,
    counted: i64,
    best_percent: Option<i64>,
    passed: i64,
    waiting: i64,
    returned: i64,
}

impl StoredProgress {
    /// None if one of the pages has no number yet.
    fn of(rows: &[Row]) -> Option<Self> {
        let mut kept = StoredProgress::default();
        for row in rows {
            let mark_no = row.mark_no?;
            let Some(tried) = row.summary() else {
                kept.marks.set(bit(mark_no, false)?);
                continue;
            };
            if row.passed == 1 {
                kept.marks.set(bit(mark_no, true)?);
            }
            kept.tries.push(mark_no, tried)?;
        }
        Some(kept)
    }

    /// Converts to [`Marks`] of a tree.
    pub fn marks(&self, tree: &Tree) -> Marks {
        let mut marks = self.marks.marks(tree);
        let mut tries = self.tries.iter().peekable();
        if tries.peek().is_some() {
            let tries: HashMap<i64, AttemptSummary> = tries.collect();
            for (place, page) in tree.pages.iter().enumerate() {
                if let Some(tried) = page.mark_no.and_then(|no| tries.get(&no)) {
                    marks.tried.insert(place, *tried);
                }
            }
        }
        marks
    }
}

impl ProgressBitmap {
    fn set(&mut self, bit: usize) {
        if self.0.len() <= bit / 8 {
            self.0.resize(bit / 8 + 1, 0);
        }
        if let Some(byte) = self.0.get_mut(bit / 8) {
            *byte |= 1 << (bit % 8);
        }
    }

    fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 8).is_some_and(|byte| byte & (1 << (bit % 8)) != 0)
    }

    /// Converts to [`Marks`] of a tree. A page without a number was never visited.
    pub fn marks(&self, tree: &Tree) -> Marks {
        let mut marks = Marks::none(tree);
        for (place, page) in tree.pages.iter().enumerate() {
            let has = |passed| {
                page.mark_no
                    .and_then(|no| bit(no, passed))
                    .is_some_and(|bit| self.has(bit))
            };
            marks.set(place, has(false), has(true));
        }
        marks
    }
}

/// Maps page numbers to indexes of a tree, to read the stored progress of a whole class.
pub struct Numbers<'a> {
    tree: &'a Tree,
    places: HashMap<i64, usize>,
}

impl<'a> Numbers<'a> {
    pub fn of(tree: &'a Tree) -> Self {
        let pages = tree.pages.iter().enumerate();
        let places = pages.filter_map(|(place, page)| Some((page.mark_no?, place)));
        Numbers {
            tree,
            places: places.collect(),
        }
    }

    /// As [`StoredProgress::marks`], but looks up only attempted quizzes instead of all pages.
    pub fn marks(&self, kept: &StoredProgress) -> Marks {
        let mut marks = kept.marks.marks(self.tree);
        for (mark_no, tried) in kept.tries.iter() {
            if let Some(place) = self.places.get(&mark_no) {
                marks.tried.insert(*place, tried);
            }
        }
        marks
    }
}

fn bit(mark_no: i64, passed: bool) -> Option<usize> {
    usize::try_from(mark_no)
        .ok()?
        .checked_mul(2)?
        .checked_add(passed.into())
}

/// The bits of a tree that mean "done", one per published page; counts the pages done by each learner of a class
/// without deriving their progress.
#[derive(Clone, Debug)]
pub struct Counting(ProgressBitmap);

impl Counting {
    pub fn of(tree: &Tree) -> Self {
        let mut bits = ProgressBitmap::default();
        for page in tree.pages.iter().filter(|page| page.published) {
            if let Some(bit) = page.mark_no.and_then(|no| bit(no, page.kind.takes_attempts())) {
                bits.set(bit);
            }
        }
        Counting(bits)
    }

    /// The value of `pages_done` that [`super::progress::derive`] would return.
    pub fn pages_done(&self, kept: &ProgressBitmap) -> usize {
        let both = self.0.0.iter().zip(&kept.0);
        both.map(|(counts, done)| (counts & done).count_ones() as usize).sum()
    }
}

/// A visit by the learner of the view, to be added to the stored progress as it was read. None if no progress is
/// stored, or it has no bit for the page.
pub(crate) fn visit(view: &CourseView, (place, version): (usize, Option<i64>), at: DateTime<Utc>) -> Option<Visit> {
    let enrollment = view.course.enrollment.as_ref()?;
    let before = enrollment.kept.as_ref()?.marks.clone();
    let page = view.page(place);
    let mut after = before.clone();
    after.set(bit(page.mark_no?, false)?);
    Some(Visit {
        course: view.course.id,
        enrollment: enrollment.id,
        page: page.id,
        before,
        after,
        at,
        version,
    })
}

/// Derives and stores the progress of an enrollment that the transaction has locked.
pub(crate) async fn store(tx: &mut Tx, enrollment: EnrollmentId) -> Result<()> {
    let rows = sql!(
        concat!(
            "SELECT p.mark_no, 0 AS counted, CAST(NULL AS BIGINT) AS best_percent, CAST(0 AS BIGINT) AS passed,
               CAST(0 AS BIGINT) AS waiting, CAST(0 AS BIGINT) AS returned
             FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.enrollment_id = $1
             UNION ALL
             SELECT p.mark_no, ",
            counted_attempts!("p.id"),
            ", MAX(a.percent), MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT)), ",
            undecided_attempts!(),
            " FROM attempts a JOIN pages p ON p.id = a.page_id WHERE a.enrollment_id = $1
             GROUP BY a.enrollment_id, p.id, p.mark_no"
        ),
        enrollment
    )
    .fetch_all::<Row>(&mut *tx)
    .await?;
    let (marks, tries) = StoredProgress::of(&rows).map(|kept| (kept.marks, kept.tries)).unzip();
    sql!(
        "UPDATE enrollments SET marks = $2, tries = $3 WHERE id = $1",
        enrollment,
        marks,
        tries
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Derives the progress of these enrollments from visits and attempts. None for one with a page without a number; an
/// enrollment without visits and attempts is omitted. Used by the consistency check.
pub(crate) async fn derived(
    on: impl Executor,
    enrollments: &[EnrollmentId],
) -> Result<HashMap<EnrollmentId, Option<StoredProgress>>> {
    #[derive(sqlx::FromRow)]
    struct Of {
        enrollment_id: EnrollmentId,
        #[sqlx(flatten)]
        row: Row,
    }
    // SQLite's argument limit allows this twice.
    let rows = sql!(
        "SELECT v.enrollment_id, p.mark_no, CAST(0 AS BIGINT) AS counted, CAST(NULL AS BIGINT) AS best_percent,
         CAST(0 AS BIGINT) AS passed, CAST(0 AS BIGINT) AS waiting, CAST(0 AS BIGINT) AS returned
         FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.enrollment_id IN "
    )
    .push_in(enrollments.iter().copied())
    .push(concat!(
        " UNION ALL SELECT a.enrollment_id, p.mark_no, ",
        counted_attempts!("p.id"),
        ", MAX(a.percent), MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT)), ",
        undecided_attempts!(),
        " FROM attempts a JOIN pages p ON p.id = a.page_id WHERE a.enrollment_id IN "
    ))
    .push_in(enrollments.iter().copied())
    .push(" GROUP BY a.enrollment_id, p.id, p.mark_no")
    .fetch_all::<Of>(on)
    .await?;
    let mut by_enrollment: HashMap<EnrollmentId, Vec<Row>> = HashMap::new();
    for Of { enrollment_id, row } in rows {
        by_enrollment.entry(enrollment_id).or_default().push(row);
    }
    let derived = by_enrollment
        .into_iter()
        .map(|(id, rows)| (id, StoredProgress::of(&rows)));
    Ok(derived.collect())
}

/// Whether the stored progress agrees with the derived one for existing pages (their numbers are in `present`). Bits of
/// deleted pages do not count. Missing attempt summaries are read from the attempts.
pub(crate) fn agree(
    marks: &ProgressBitmap,
    tries: Option<&AttemptSummaries>,
    derived: Option<&StoredProgress>,
    present: &HashSet<i64>,
) -> bool {
    let none = StoredProgress::default();
    let derived = derived.unwrap_or(&none);
    let same_bits = present.iter().all(|no| {
        [false, true]
            .into_iter()
            .filter_map(|passed| bit(*no, passed))
            .all(|bit| marks.has(bit) == derived.marks.has(bit))
    });
    let of = |tries: &AttemptSummaries| -> HashMap<i64, AttemptSummary> {
        tries.iter().filter(|(no, _)| present.contains(no)).collect()
    };
    same_bits && tries.is_none_or(|tries| of(tries) == of(&derived.tries))
}

/// The highest page number with a bit.
pub(crate) fn highest(marks: &ProgressBitmap) -> Option<i64> {
    let last = marks.0.iter().rposition(|byte| *byte != 0)?;
    let byte = marks.0.get(last)?;
    let bit = last * 8 + 7 - byte.leading_zeros() as usize;
    i64::try_from(bit / 2).ok()
}

/// Assigns numbers to the pages of a course that have none. Runs in a transaction of its own before the learner's row
/// is locked, because a course is always locked before its learners. The tree gets a new version, because it contains
/// the numbers; the course does not count as changed.
pub(crate) async fn number_pages(db: &Db, course: CourseId) -> Result<()> {
    let mut tx = db.begin_in_course(course).await?;
    let Some((given,)) = sql!(
        "UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1 RETURNING mark_nos",
        course
    )
    .fetch_optional::<(i64,)>(&mut tx)
    .await?
    else {
        return Ok(()); // deleted since; the caller will find out
    };
    let numbered = sql!(
        "UPDATE pages SET mark_no = fresh.mark_no
         FROM (SELECT id, $2 + ROW_NUMBER() OVER (ORDER BY id) - 1 AS mark_no
               FROM pages WHERE course_id = $1 AND mark_no IS NULL) fresh
         WHERE pages.id = fresh.id",
        course,
        given
    )
    .execute(&mut tx)
    .await?;
    if numbered == 0 {
        return Ok(()); // another request was faster; rolls back the new version
    }
    sql!(
        "UPDATE courses SET mark_nos = $2 WHERE id = $1",
        course,
        given.saturating_add(i64::try_from(numbered).unwrap_or(i64::MAX))
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::courses::tree::PageKind;
    use crate::learning::progress::derive;
    use crate::testing::tree_of;

    proptest! {
        /// For any page numbers, the stored progress yields the original marks, and counting bits equals deriving
        /// progress.
        #[test]
        fn counting_bits_equals_deriving(
            shape in prop::collection::vec(prop::collection::vec(
                (prop_oneof![Just(PageKind::Content), Just(PageKind::Quiz), Just(PageKind::Assignment)], any::<bool>(), any::<bool>(), any::<bool>(),
                    prop::option::weighted(0.9, 0..1i64)), 0..6), 0..8),
            offset in 0..40i64,
        ) {
            let pages: Vec<_> = shape.iter().flatten().copied().collect();
            let shape: Vec<Vec<_>> = shape.iter().map(|l| l.iter().map(|p| (p.0, p.1)).collect()).collect();
            let mut tree = tree_of(&shape);
            let mut expected = Marks::none(&tree);
            let mut rows = vec![tried(Some(offset + 1_000), 1, Some(100), true)]; // of a deleted page
            for (place, (kind, _, visited, passed, numbered)) in pages.iter().enumerate() {
                let mark_no = numbered.map(|_| offset + 3 * place as i64);
                tree.pages[place].mark_no = mark_no;
                if *visited && mark_no.is_some() {
                    rows.push(visit(mark_no));
                    expected.visited[place] = true;
                }
                if kind.takes_attempts() && mark_no.is_some() && (*passed || place % 2 == 0) {
                    let (counted, best_percent) = (place as i64 - 2, if *passed { 100 } else { place as i64 });
                    let is_waiting = !*passed && place % 4 == 0;
                    let is_returned = is_waiting && place % 8 == 0;
                    let flags = (i64::from(is_waiting), i64::from(is_returned));
                    rows.push(Row { waiting: flags.0, returned: flags.1, ..tried(mark_no, counted, Some(best_percent), *passed) });
                    expected.passed[place] = *passed;
                    expected.tried.insert(place, AttemptSummary { counted, best_percent, is_waiting, is_returned });
                }
            }
            let kept = StoredProgress::of(&rows).unwrap();
            prop_assert_eq!(&kept.marks(&tree), &expected);
            prop_assert_eq!(&Numbers::of(&tree).marks(&kept), &expected);
            prop_assert_eq!(Counting::of(&tree).pages_done(&kept.marks), derive(&tree, &expected, None).pages_done);
        }
    }

    fn visit(mark_no: Option<i64>) -> Row {
        tried(mark_no, 0, None, false)
    }

    fn tried(mark_no: Option<i64>, counted: i64, best_percent: Option<i64>, passed: bool) -> Row {
        Row {
            mark_no,
            counted,
            best_percent,
            passed: passed.into(),
            waiting: 0,
            returned: 0,
        }
    }

    #[test]
    fn progress_on_a_page_without_a_number_is_not_stored() {
        assert_eq!(StoredProgress::of(&[visit(Some(3)), visit(None)]), None);
        assert_eq!(StoredProgress::of(&[]), Some(StoredProgress::default()));
        let kept = StoredProgress::of(&[tried(Some(3), 258, Some(70), true), visit(Some(0))]).unwrap();
        assert_eq!(kept.marks, ProgressBitmap(vec![0b1000_0001]));
        assert_eq!(kept.tries, AttemptSummaries(vec![3, 0, 0, 0, 2, 1, 0, 0, 70]));
    }
}
