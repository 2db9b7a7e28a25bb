//! How important a change of a page is to learners who have read it. The author chooses this when publishing.

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::PageId;
use kurso_db::{Tx, sql};

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

/// Notes that a version, which learners read from now on, is important. The caller has locked the course.
pub(super) async fn note(
    tx: &mut Tx,
    page: PageId,
    version: i64,
    importance: Importance,
    now: DateTime<Utc>,
) -> Result<()> {
    if importance == Importance::Important {
        sql!(
            "UPDATE pages SET important_version = $2, important_at = $3 WHERE id = $1",
            page,
            version,
            now
        )
        .execute(tx)
        .await?;
    }
    Ok(())
}
