//! The progress of many learners of one course, when their results at some of its pages change.

use std::collections::{HashMap, HashSet};

use kurso_base::error::Result;
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::{DbOrTx, Tx, args, sql};

use super::{Numbers, Row, bit};
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap, StoredProgress};
use crate::courses::tree::Tree;
use crate::learning::progress::read::{counted_attempts, undecided_attempts};
use crate::learning::progress::{self, AttemptSummary, Marks};

/// Enrollments per statement of [`store`].
const STORED: usize = 500;

#[derive(sqlx::FromRow)]
struct Kept {
    id: EnrollmentId,
    marks: ProgressBitmap,
    tries: AttemptSummaries,
}

/// The stored progress of these enrollments; those without one are left out.
async fn kept(on: &mut DbOrTx<'_>, enrollments: &[EnrollmentId]) -> Result<HashMap<EnrollmentId, StoredProgress>> {
    let rows =
        sql!("SELECT id, marks, tries FROM enrollments WHERE marks IS NOT NULL AND tries IS NOT NULL AND id IN ")
            .push_in(enrollments.iter().copied())
            .fetch_all::<Kept>(on)
            .await?;
    let kept = rows
        .into_iter()
        .map(|Kept { id, marks, tries }| (id, StoredProgress { marks, tries }));
    Ok(kept.collect())
}

/// The marks of enrollments in one course, in the order given: stored ones, or derived where none are stored. Two statements.
pub(crate) async fn marks(on: &mut DbOrTx<'_>, tree: &Tree, enrollments: &[EnrollmentId]) -> Result<Vec<Marks>> {
    let (kept, numbers) = (kept(on, enrollments).await?, Numbers::of(tree));
    let missing = enrollments.iter().filter(|id| !kept.contains_key(id));
    let missing: Vec<(EnrollmentId, &Tree)> = missing.map(|id| (*id, tree)).collect();
    let mut derived = progress::read::marks(&mut *on, &missing).await?.into_iter();
    let marks = enrollments.iter().map(|id| match kept.get(id) {
        Some(kept) => numbers.marks(kept),
        None => derived.next().unwrap_or_else(|| Marks::none(tree)),
    });
    Ok(marks.collect())
}

/// Derives what is stored of the attempts at these pages again, for enrollments that the transaction has locked. Where no progress is stored, it
/// stays so. Three statements per [`STORED`] enrollments.
pub(crate) async fn store(tx: &mut Tx, enrollments: &[EnrollmentId], pages: &[PageId]) -> Result<()> {
    #[derive(sqlx::FromRow)]
    struct Of {
        enrollment_id: EnrollmentId,
        #[sqlx(flatten)]
        row: Row,
    }
    for chunk in enrollments.chunks(STORED) {
        let mut kept = kept(&mut DbOrTx::Tx(&mut *tx), chunk).await?;
        if kept.is_empty() {
            continue;
        }
        let rows = sql!(concat!(
            "SELECT a.enrollment_id, p.mark_no, ",
            counted_attempts!("p.id"),
            " AS counted, MAX(a.percent) AS best_percent, MAX(CAST(CASE WHEN a.passed THEN 1 ELSE 0 END AS BIGINT)) AS passed, ",
            undecided_attempts!(),
            " FROM attempts a JOIN pages p ON p.id = a.page_id WHERE a.enrollment_id IN "
        ))
        .push_in(kept.keys().copied())
        .push(" AND a.page_id IN ")
        .push_in(pages.iter().copied())
        .push(" GROUP BY a.enrollment_id, p.id, p.mark_no")
        .fetch_all::<Of>(&mut *tx)
        .await?;
        let mut results: HashMap<EnrollmentId, Vec<Row>> = HashMap::new();
        for Of { enrollment_id, row } in rows {
            results.entry(enrollment_id).or_default().push(row);
        }
        let stored = results.into_iter().filter_map(|(id, rows)| {
            let replaced = kept.remove(&id)?.with_results(&rows);
            let (marks, tries) = replaced.map(|kept| (kept.marks, kept.tries)).unzip();
            Some((id, marks, tries))
        });
        let stored: Vec<_> = stored.collect();
        if stored.is_empty() {
            continue;
        }
        sql!("UPDATE enrollments SET marks = v.column2, tries = v.column3 FROM (VALUES ")
            .push_rows(stored, |(id, marks, tries)| args![id, marks, tries])
            .push(") AS v WHERE enrollments.id = v.column1")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

impl StoredProgress {
    /// This progress with other results at the quizzes of the rows. None if one of the pages has no number.
    fn with_results(mut self, rows: &[Row]) -> Option<Self> {
        let replaced = rows.iter().map(|row| row.mark_no).collect::<Option<HashSet<i64>>>()?;
        let mut tries = AttemptSummaries::default();
        for (mark_no, tried) in self.tries.iter().filter(|(mark_no, _)| !replaced.contains(mark_no)) {
            tries.push(mark_no, tried)?;
        }
        for row in rows {
            let mark_no = row.mark_no?;
            self.marks.put(bit(mark_no, true)?, row.passed == 1);
            tries.push(mark_no, row.summary()?)?;
        }
        Some(StoredProgress { tries, ..self })
    }
}

impl Row {
    /// None for a visit.
    pub(super) fn summary(&self) -> Option<AttemptSummary> {
        Some(AttemptSummary {
            counted: self.counted,
            best_percent: self.best_percent?,
            is_waiting: self.waiting == 1,
            is_returned: self.returned == 1,
        })
    }
}

impl ProgressBitmap {
    fn put(&mut self, bit: usize, is_set: bool) {
        match is_set {
            true => self.set(bit),
            false => {
                if let Some(byte) = self.0.get_mut(bit / 8) {
                    *byte &= !(1 << (bit % 8));
                }
            }
        }
    }
}
