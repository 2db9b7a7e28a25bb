//! A course as one of its learners sees it, for its staff: the code of learners with another person and another clock. It only
//! reads: no visit and no completion is recorded.

use chrono::{DateTime, Utc};

use crate::Kurso;
use crate::access::{self, Right, Viewer};
use crate::audit::{self, Act, Entry};
use crate::courses::{self, Course, CoursePart};
use crate::learning::view::CourseView;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::ScheduleTime;
use kurso_base::wire;

/// As whom, and when. Without a learner and a group: as a learner without a group who has just enrolled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preview {
    /// As a new learner of this group; ignored with `enrollment_id`.
    pub group_id: Option<GroupId>,
    /// As this learner, with their progress.
    pub enrollment_id: Option<EnrollmentId>,
    /// None means now. A day means its beginning.
    pub at: Option<ScheduleTime>,
    /// Shows the drafts of pages in place of what learners see of them. Needs the right to read drafts.
    pub drafts: bool,
}

/// The course at the moment of the preview. Needs the right to see students, unless it is as a new learner without a group. Fails with 404 for a learner or group that the course
/// does not have.
pub async fn course(kurso: &Kurso, viewer: &Viewer, id: CourseId, preview: Preview) -> Result<CourseView> {
    view(kurso, viewer, id, preview).await
}

/// As [`course`] for the course of a page, with the page's index in the tree. Fails with 404 for a page that learners do not see.
pub async fn page(kurso: &Kurso, viewer: &Viewer, id: PageId, preview: Preview) -> Result<(CourseView, usize)> {
    let view = view(kurso, viewer, id, preview).await?;
    let place = view.tree.place(id).filter(|place| view.shows(*place));
    let place = place.ok_or(Error::NotFound(Message::PageNotFound))?;
    Ok((view, place))
}

async fn view(kurso: &Kurso, viewer: &Viewer, part: impl Into<CoursePart>, preview: Preview) -> Result<CourseView> {
    let right = match (preview.enrollment_id, preview.group_id) {
        (None, None) => Right::ReadAsAuthor,
        _ => Right::SeeStudents,
    };
    let own = courses::find(&kurso.db, viewer, part, right).await?;
    if preview.drafts {
        access::require(own.role, Right::ReadDrafts)?;
    }
    let zone = own.dates.zone();
    let at = preview.at.map(|at| at.opening(zone));
    let now = kurso.clock.now();
    let seen = seen(kurso, own, preview, at.unwrap_or(now)).await?;
    record(kurso, viewer, &seen, preview, at, now).await?;
    let mut view = CourseView::read(kurso, seen, at.unwrap_or(now)).await?;
    view.is_preview = true;
    match preview.drafts {
        true => view.with_drafts(kurso).await,
        false => Ok(view),
    }
}

/// The course as the person of the preview gets it.
async fn seen(kurso: &Kurso, own: Course, preview: Preview, at: DateTime<Utc>) -> Result<Course> {
    match (preview.enrollment_id, preview.group_id) {
        (Some(learner), _) => courses::find_as_learner(&kurso.db, own.id, learner).await,
        (None, Some(group)) => {
            let group = courses::groups::name_of(&kurso.db, own.id, group).await?;
            Ok(own.for_newcomer(Some(group), at))
        }
        (None, None) => Ok(own.for_newcomer(None, at)),
    }
}

/// Writes an entry for the same course, person and moment at most once an hour, and for the same course and person at most
/// [`audit::MAX_SELDOM`] times a day. Reading on, page by page, writes none.
async fn record(
    kurso: &Kurso,
    viewer: &Viewer,
    seen: &Course,
    preview: Preview,
    at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<()> {
    let when = at.map_or_else(|| "now".to_owned(), |at| wire::time_text(&at));
    let learner = seen.enrollment.as_ref().filter(|_| preview.enrollment_id.is_some());
    let subject = match (learner, preview.group_id) {
        (Some(_), _) => String::new(),
        (None, Some(group)) => format!("group {group} "),
        (None, None) => "new ".to_owned(),
    };
    let entry = Entry::new(Act::CoursePreviewed).by(viewer.id()).in_course(seen.id);
    let entry = entry
        .to(learner.map(|own| own.user_id))
        .detail(format!("{subject}{when}"));
    audit::write_seldom(kurso, entry, &subject, now).await?;
    Ok(())
}
