//! The marks of a learner kept small: two bits a page in the learner's enrollment, so that the progress of a whole class is
//! one read of one table instead of a million visits. ([Decision 17](../../../docs/decisions/0017-marks-of-a-class.md))
//!
//! `visits` and `attempts` stay the truth. Every change of them starts with [`super::lock`], which takes the kept marks away,
//! and ends with [`keep`], which makes them anew from what the transaction sees; one that forgets to leaves a learner whose
//! marks are read from the truth. What they come to is derived from the present tree at each read, so a change by an author
//! needs nothing to be done here.

use super::progress::Marks;
use crate::courses::tree::{PageKind, Tree};
use crate::db::{Db, Tx};
use crate::error::Result;
use crate::ids::{CourseId, EnrollmentId};
use crate::sql;

/// Bit `2n` of the bytes: the page of `mark_no` n is visited; bit `2n + 1`: its quiz is passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct Kept(Vec<u8>);

impl Kept {
    /// None when one of the pages has no number yet.
    fn of(rows: Vec<(Option<i64>, bool)>) -> Option<Self> {
        let mut kept = Kept::default();
        for (mark_no, passed) in rows {
            kept.set(bit(mark_no?, passed)?);
        }
        Some(kept)
    }

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

/// Keeps the marks of an enrollment that the transaction has locked.
pub(crate) async fn keep(tx: &mut Tx, enrollment: EnrollmentId) -> Result<()> {
    let rows = sql!(
        "SELECT p.mark_no, FALSE AS passed FROM visits v JOIN pages p ON p.id = v.page_id WHERE v.enrollment_id = $1
         UNION ALL
         SELECT p.mark_no, TRUE FROM attempts a JOIN pages p ON p.id = a.page_id
         WHERE a.enrollment_id = $1 AND a.passed",
        enrollment
    )
    .fetch_all::<(Option<i64>, bool)>(&mut *tx)
    .await?;
    let kept = Kept::of(rows);
    sql!("UPDATE enrollments SET marks = $2 WHERE id = $1", enrollment, kept)
        .execute(tx)
        .await?;
    Ok(())
}

/// Gives numbers to the pages of a course that have none. In a transaction of its own, before the learner's row is locked:
/// who changes a course locks the course first and the learners after it. The tree gets a new version, because it shows
/// the numbers; the course does not count as changed.
pub(crate) async fn number_pages(db: &Db, course: CourseId) -> Result<()> {
    let mut tx = db.begin().await?;
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
            let mut rows = vec![(Some(offset + 1_000), true)]; // of a page that was deleted
            for (place, (_, _, visited, passed, numbered)) in pages.iter().enumerate() {
                let mark_no = numbered.map(|_| offset + 3 * place as i64);
                tree.pages[place].mark_no = mark_no;
                for (done, is_pass) in [(*visited, false), (*passed, true)] {
                    if done && mark_no.is_some() {
                        rows.push((mark_no, is_pass));
                        if is_pass { expected.passed[place] = true } else { expected.visited[place] = true }
                    }
                }
            }
            let kept = Kept::of(rows).unwrap();
            prop_assert_eq!(&kept.marks(&tree), &expected);
            prop_assert_eq!(Counting::of(&tree).pages_done(&kept), derive(&tree, &expected, None).pages_done);
        }
    }

    #[test]
    fn a_mark_on_a_page_without_a_number_is_not_kept() {
        assert_eq!(Kept::of(vec![(Some(3), false), (None, false)]), None);
        assert_eq!(Kept::of(vec![]), Some(Kept::default()));
        assert_eq!(
            Kept::of(vec![(Some(3), true), (Some(0), false)]),
            Some(Kept(vec![0b1000_0001]))
        );
    }
}
