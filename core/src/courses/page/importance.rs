//! How important a change of a page is to learners who have read it. The author chooses this when publishing.

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, PageId, UserId};
use kurso_db::{Tx, sql};

use crate::notices::{self, Kind, Notice, Receiver};

/// An SQL condition: the title or text of the page differs from the version that the learner has read. `p` is `pages`, `c` is `page_contents`, and `h`
/// is the row of `page_versions` for that version, absent (null) if the version is unknown.
macro_rules! differs_from_read {
    () => {
        "(h.version IS NULL OR h.title IS DISTINCT FROM p.title OR h.content <> c.content)"
    };
}
pub(crate) use differs_from_read;

/// Whether learners should read a page again after a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    /// The page says that it has changed.
    #[default]
    Correction,
    /// The home screen of learners lists it too.
    Important,
}

kurso_base::values::choices! {
    Importance: "correction" => Importance::Correction, "important" => Importance::Important;
}

/// Marks a newly published version as important, and notifies the learners who have read an earlier one. The caller has locked
/// the course.
pub(super) async fn note(
    tx: &mut Tx,
    (course, page): (CourseId, PageId),
    version: i64,
    importance: Importance,
    (by, now): (UserId, DateTime<Utc>),
) -> Result<()> {
    if importance == Importance::Correction {
        return Ok(());
    }
    sql!(
        "UPDATE pages SET important_version = $2, important_at = $3 WHERE id = $1",
        page,
        version,
        now
    )
    .execute(&mut *tx)
    .await?;
    let readers = sql!(
        concat!(
            "SELECT e.user_id FROM visits v JOIN enrollments e ON e.id = v.enrollment_id JOIN pages p ON p.id = v.page_id
             JOIN page_contents c ON c.page_id = p.id
             LEFT JOIN page_versions h ON h.page_id = p.id AND h.version = v.read_version AND NOT v.is_claimed
             WHERE v.page_id = $1 AND v.read_version < $2 AND p.published AND ",
            differs_from_read!()
        ),
        page,
        version
    );
    let readers = readers.fetch_all::<(UserId,)>(&mut *tx).await?;
    let readers = readers.into_iter().map(|(user,)| Receiver::new(user, page).at(page));
    let notice = Notice::in_course(Kind::ImportantChange, course, by, now);
    notices::record(tx, notice, readers.collect()).await
}
