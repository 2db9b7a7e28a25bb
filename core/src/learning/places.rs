//! The page that a learner opened last and the place in it where reading stopped ([decision
//! 114](../../../docs/decisions/0114-places-in-pages.md)).

use super::LearnerAt;
use super::view::CourseView;
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::enrollment::ReadingPlace;
use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::messages::Message;
use kurso_base::values::{BlockIndex, BlockPart, HeadingAnchor, PageVersion};
use kurso_db::sql;

/// A place in a page: the block at the top of the window.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "testing", derive(serde::Deserialize))]
pub struct KeepPlace {
    /// The version of the page that was read.
    pub version: PageVersion,
    /// Index among the blocks of the page; 0 is its start, also after it was read to its end.
    pub block: BlockIndex,
    /// How much of the block is above the window, in thousandths of its height.
    pub part: BlockPart,
    /// The last heading with an anchor above the window: it finds the place in a text that was changed since.
    pub heading: Option<HeadingAnchor>,
}

/// Stores the reading place of the viewer, which replaces that of any other page of the course. Returns the course's new state. Fails with 403 without
/// an enrollment, and with [`Error::Locked`] for a locked page. One small write: clients call it when reading pauses.
pub async fn keep_place(kurso: &Kurso, viewer: &Viewer, page: PageId, keep: KeepPlace) -> Result<CourseView> {
    let LearnerAt {
        mut view, enrollment, ..
    } = LearnerAt::load(kurso, viewer, page).await?;
    let place = ReadingPlace {
        page,
        version: keep.version.get(),
        block: keep.block.get(),
        part: keep.part.get(),
        heading: keep.heading.map(String::from),
        at: kurso.clock.now(),
    };
    let stored = serde_json::to_string(&place).map_err(Error::internal)?;
    let kept = sql!(
        "UPDATE enrollments SET reading_place = $2 WHERE id = $1",
        enrollment,
        stored
    )
    .execute(&kurso.db)
    .await?;
    if kept == 0 {
        return Err(Error::Forbidden(Message::NotEnrolled)); // left the course since
    }
    if let Some(enrollment) = view.course.enrollment.as_mut() {
        enrollment.place = Some(place);
    }
    Ok(view)
}
