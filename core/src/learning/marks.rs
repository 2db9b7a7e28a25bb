//! The marks of a learner kept small: two bits a page in the learner's enrollment, so that the progress of a whole class is
//! one read of one table instead of a million visits. ([Decision 17](../../../docs/decisions/0017-marks-of-a-class.md))
//!
//! `visits` and `attempts` stay the truth. Every change of them starts with [`super::lock`], which takes the kept marks away,
//! and ends with [`keep`], which makes them anew from what the transaction sees; one that forgets to leaves a learner whose
//! marks are read from the truth. Only visits, made far more often than all else, add their bits to marks that are there ([`super::visits`]).
//! What they come to is derived from the present tree at each read, so a change by an author needs nothing to be done here.
//!
//! Beside the bits stand the tries: how often each quiz was tried and with what best result, so that a learner's own view
//! of a course comes with the course itself, in one row.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::progress::{Marks, Tried};
use super::view::CourseView;
use super::visits::Visit;
use crate::courses::tree::{PageKind, Tree};
use crate::db::{Db, Executor, Tx};
use crate::error::Result;
use crate::ids::{CourseId, EnrollmentId};
use crate::sql;

/// Bit `2n` of the bytes: the page of `mark_no` n is visited; bit `2n + 1`: its quiz is passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct Kept(Vec<u8>);

/// The attempts at quizzes, by the numbers of their pages: four bytes of number and four of how many attempts, both
/// with the low byte first, and one of the best percent.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct Tries(Vec<u8>);

const TRY: usize = 9;

impl Tries {
    fn push(&mut self, mark_no: u32, attempts: u32, best_percent: u8) {
        self.0.extend(mark_no.to_le_bytes());
        self.0.extend(attempts.to_le_bytes());
        self.0.push(best_percent);
    }

    fn iter(&self) -> impl Iterator<Item = (i64, Tried)> + '_ {
        let (tries, _) = self.0.as_chunks::<TRY>();
        tries.iter().map(|[a, b, c, d, e, f, g, h, best_percent]| {
            let tried = Tried {
                attempts: u32::from_le_bytes([*e, *f, *g, *h]).into(),
                best_percent: (*best_percent).into(),
            };
            (u32::from_le_bytes([*a, *b, *c, *d]).into(), tried)
        })
    }
}

/// What is kept of one learner: marks and tries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptMarks {
    pub marks: Kept,
    pub tries: Tries,
}

/// A page that was visited, which has no attempts, or the attempts at its quiz.
#[derive(sqlx::FromRow)]
struct Row {
    mark_no: Option<i64>,
    attempts: i64,
    best_percent: i64,
    passed: i64,
}

impl KeptMarks {
    /// None when one of the pages has no number yet.
    fn of(rows: &[Row]) -> Option<Self> {
        let mut kept = KeptMarks::default();
        for row in rows {
            let mark_no = row.mark_no?;
            if row.attempts == 0 {
                kept.marks.set(bit(mark_no, false)?);
                continue;
            }
            if row.passed == 1 {
                kept.marks.set(bit(mark_no, true)?);
            }
            kept.tries.push(
                mark_no.try_into().ok()?,
                u32::try_from(row.attempts).unwrap_or(u32::MAX),
                row.best_percent.try_into().ok()?,
            );
        }
        Some(kept)
    }

    /// As the derivation reads them.
    pub fn marks(&self, tree: &Tree) -> Marks {
        let mut marks = self.marks.marks(tree);
        let mut tries = self.tries.iter().peekable();
        if tries.peek().is_some() {
            let tries: HashMap<i64, Tried> = tries.collect();
            for (place, page) in tree.pages.iter().enumerate() {
                if let Some(tried) = page.mark_no.and_then(|no| tries.get(&no)) {
                    marks.tried.insert(place, *tried);
                }
            }
        }
        marks
    }
}

impl Kept {
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

    /// As the derivation reads them. A page without a number was never done by anybody.
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

/// Where the pages of a tree are by their numbers, for reading the marks of a whole class.
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

    /// [`KeptMarks::marks`]: looks up what was tried, not every page there is.
    pub fn marks(&self, kept: &KeptMarks) -> Marks {
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

/// The bits that count in a tree: of each published page the one that says that it is done. For counting the pages done
/// by each of a class without deriving the progress of each.
#[derive(Clone, Debug)]
pub struct Counting(Kept);

impl Counting {
    pub fn of(tree: &Tree) -> Self {
        let mut bits = Kept::default();
        for page in tree.pages.iter().filter(|page| page.published) {
            if let Some(bit) = page.mark_no.and_then(|no| bit(no, page.kind == PageKind::Quiz)) {
                bits.set(bit);
            }
        }
        Counting(bits)
    }

    /// What [`super::progress::derive`] says of these marks as `pages_done`.
    pub fn pages_done(&self, kept: &Kept) -> usize {
        let both = self.0.0.iter().zip(&kept.0);
        both.map(|(counts, done)| (counts & done).count_ones() as usize).sum()
    }
}

/// The visit of a page by the learner whose view it is, to be added to the marks as they were read. None when they are not
/// kept, or have no place for it.
pub(crate) fn visit(view: &CourseView, place: usize, at: DateTime<Utc>) -> Option<Visit> {
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
    })
}

/// Keeps the marks of an enrollment that the transaction has locked.
pub(crate) async fn keep(tx: &mut Tx, enrollment: EnrollmentId) -> Result<()> {
    let rows = sql!(
        "SELECT p.mark_no, 0 AS attempts, 0 AS best_percent, CAST(0 AS BIGINT) AS passed
         FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.enrollment_id = $1
         UNION ALL
         SELECT p.mark_no, COUNT(*), MAX(a.percent), MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT))
         FROM attempts a JOIN pages p ON p.id = a.page_id WHERE a.enrollment_id = $1 GROUP BY p.id, p.mark_no",
        enrollment
    )
    .fetch_all::<Row>(&mut *tx)
    .await?;
    let (marks, tries) = KeptMarks::of(&rows).map(|kept| (kept.marks, kept.tries)).unzip();
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

/// What the marks of these enrollments come to, read from the truth; None for one with a page that has no number. An
/// enrollment without visits and attempts is left out. For the check of all that is stored.
pub(crate) async fn derived(
    on: impl Executor,
    enrollments: &[EnrollmentId],
) -> Result<HashMap<EnrollmentId, Option<KeptMarks>>> {
    #[derive(sqlx::FromRow)]
    struct Of {
        enrollment_id: EnrollmentId,
        #[sqlx(flatten)]
        row: Row,
    }
    // Few enough for SQLite twice.
    let rows = sql!(
        "SELECT v.enrollment_id, p.mark_no, CAST(0 AS BIGINT) AS attempts, CAST(0 AS BIGINT) AS best_percent,
         CAST(0 AS BIGINT) AS passed
         FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.enrollment_id IN "
    )
    .push_in(enrollments.iter().copied())
    .push(
        " UNION ALL
         SELECT a.enrollment_id, p.mark_no, COUNT(*), MAX(a.percent),
         MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT))
         FROM attempts a JOIN pages p ON p.id = a.page_id WHERE a.enrollment_id IN ",
    )
    .push_in(enrollments.iter().copied())
    .push(" GROUP BY a.enrollment_id, p.id, p.mark_no")
    .fetch_all::<Of>(on)
    .await?;
    let mut by_enrollment: HashMap<EnrollmentId, Vec<Row>> = HashMap::new();
    for Of { enrollment_id, row } in rows {
        by_enrollment.entry(enrollment_id).or_default().push(row);
    }
    let derived = by_enrollment.into_iter().map(|(id, rows)| (id, KeptMarks::of(&rows)));
    Ok(derived.collect())
}

/// Do kept marks say of the pages that there are (their numbers in `present`) what the truth says? Bits of pages that were
/// deleted count nowhere. Tries that were never kept are read from the truth.
pub(crate) fn agree(marks: &Kept, tries: Option<&Tries>, derived: Option<&KeptMarks>, present: &HashSet<i64>) -> bool {
    let none = KeptMarks::default();
    let derived = derived.unwrap_or(&none);
    let same_bits = present.iter().all(|no| {
        [false, true]
            .into_iter()
            .filter_map(|passed| bit(*no, passed))
            .all(|bit| marks.has(bit) == derived.marks.has(bit))
    });
    let of = |tries: &Tries| -> HashMap<i64, Tried> { tries.iter().filter(|(no, _)| present.contains(no)).collect() };
    same_bits && tries.is_none_or(|tries| of(tries) == of(&derived.tries))
}

/// The highest number that is marked.
pub(crate) fn highest(marks: &Kept) -> Option<i64> {
    let last = marks.0.iter().rposition(|byte| *byte != 0)?;
    let byte = marks.0.get(last)?;
    let bit = last * 8 + 7 - byte.leading_zeros() as usize;
    i64::try_from(bit / 2).ok()
}

/// Gives numbers to the pages of a course that have none. In a transaction of its own, before the learner's row is locked:
/// who changes a course locks the course first and the learners after it. The tree gets a new version, because it shows
/// the numbers; the course does not count as changed.
pub(crate) async fn number_pages(db: &Db, course: CourseId) -> Result<()> {
    let mut tx = db.begin_in(course).await?;
    let Some((given,)) = sql!(
        "UPDATE courses SET structure_version = structure_version + 1 WHERE id = $1 RETURNING mark_nos",
        course
    )
    .fetch_optional::<(i64,)>(&mut tx)
    .await?
    else {
        return Ok(()); // deleted since it was read, which the caller is about to find out
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
        return Ok(()); // somebody else was faster: rolls back the new version
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
    use crate::learning::progress::derive;
    use crate::testing::tree_of;

    proptest! {
        /// Whatever numbers the pages have, the kept marks are the marks, and counting is deriving.
        #[test]
        fn counting_bits_is_deriving(
            shape in prop::collection::vec(prop::collection::vec(
                (prop_oneof![Just(PageKind::Content), Just(PageKind::Quiz)], any::<bool>(), any::<bool>(), any::<bool>(),
                    prop::option::weighted(0.9, 0..1i64)), 0..6), 0..8),
            offset in 0..40i64,
        ) {
            let pages: Vec<_> = shape.iter().flatten().copied().collect();
            let shape: Vec<Vec<_>> = shape.iter().map(|l| l.iter().map(|p| (p.0, p.1)).collect()).collect();
            let mut tree = tree_of(&shape);
            let mut expected = Marks::none(&tree);
            let mut rows = vec![tried(Some(offset + 1_000), 1, 100, true)]; // of a page that was deleted
            for (place, (kind, _, visited, passed, numbered)) in pages.iter().enumerate() {
                let mark_no = numbered.map(|_| offset + 3 * place as i64);
                tree.pages[place].mark_no = mark_no;
                if *visited && mark_no.is_some() {
                    rows.push(visit(mark_no));
                    expected.visited[place] = true;
                }
                if *kind == PageKind::Quiz && mark_no.is_some() && (*passed || place % 2 == 0) {
                    let (attempts, best_percent) = (1 + place as i64, if *passed { 100 } else { place as i64 });
                    rows.push(tried(mark_no, attempts, best_percent, *passed));
                    expected.passed[place] = *passed;
                    expected.tried.insert(place, Tried { attempts, best_percent });
                }
            }
            let kept = KeptMarks::of(&rows).unwrap();
            prop_assert_eq!(&kept.marks(&tree), &expected);
            prop_assert_eq!(&Numbers::of(&tree).marks(&kept), &expected);
            prop_assert_eq!(Counting::of(&tree).pages_done(&kept.marks), derive(&tree, &expected, None).pages_done);
        }
    }

    fn visit(mark_no: Option<i64>) -> Row {
        tried(mark_no, 0, 0, false)
    }

    fn tried(mark_no: Option<i64>, attempts: i64, best_percent: i64, passed: bool) -> Row {
        Row {
            mark_no,
            attempts,
            best_percent,
            passed: passed.into(),
        }
    }

    #[test]
    fn a_mark_on_a_page_without_a_number_is_not_kept() {
        assert_eq!(KeptMarks::of(&[visit(Some(3)), visit(None)]), None);
        assert_eq!(KeptMarks::of(&[]), Some(KeptMarks::default()));
        let kept = KeptMarks::of(&[tried(Some(3), 258, 70, true), visit(Some(0))]).unwrap();
        assert_eq!(kept.marks, Kept(vec![0b1000_0001]));
        assert_eq!(kept.tries, Tries(vec![3, 0, 0, 0, 2, 1, 0, 0, 70]));
    }
}
