//! Attempts that were returned for revision, once their learner has handed in again.

use super::review::settled;
use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, EnrollmentId, PageId};
use kurso_db::{Tx, sql};

/// Makes the returned attempts of a learner at a page count as 0 points, because a new attempt takes their place. The caller has locked the
/// enrollment, stores the new attempt, and derives the progress afterwards. One statement if nothing was returned.
pub(crate) async fn settle(tx: &mut Tx, enrollment: EnrollmentId, page: PageId) -> Result<()> {
    let returned = sql!(
        "SELECT id, results FROM attempts WHERE enrollment_id = $1 AND page_id = $2 AND is_returned AND waiting > 0",
        enrollment,
        page
    );
    for (id, results) in returned.fetch_all::<(AttemptId, String)>(&mut *tx).await? {
        let (results, waiting) = settled(&results)?;
        let update = "UPDATE attempts SET results = $2, waiting = $3 WHERE id = $1";
        sql!(update, id, results, waiting).execute(&mut *tx).await?;
    }
    Ok(())
}
