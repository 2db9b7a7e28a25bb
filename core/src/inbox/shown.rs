//! Filters the notices that a person may read now by the schedule of their courses.

use std::collections::{BTreeSet, HashMap};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, NoticeId, SessionId, UserId};

use super::row::{self, Row};
use super::{Notice, Place, deadlines};
use crate::access::Viewer;
use crate::learning::view::CourseView;
use crate::notices::Kind;
use crate::subscriptions::PersonName;
use crate::{Kurso, courses, users};

/// The courses in which a person has notices as a learner, as that person sees them.
pub(super) struct Shown(HashMap<CourseId, CourseView>);

impl Shown {
    /// At most six statements for any number of notices; none if no notice is for a learner.
    pub async fn load(kurso: &Kurso, viewer: &Viewer, rows: &[&[Row]]) -> Result<Self> {
        let rows = rows.iter().copied().flatten().filter(|row| is_of_learner(row.kind));
        let of: BTreeSet<CourseId> = rows.filter_map(|row| row.course_id).collect();
        if of.is_empty() {
            return Ok(Shown(HashMap::new()));
        }
        let courses = courses::in_reach_of(&kurso.db, viewer, of).await?;
        let views = CourseView::read_many(kurso, courses, kurso.clock.now()).await?;
        Ok(Shown(views.into_iter().map(|view| (view.course.id, view)).collect()))
    }

    /// Returns the notice; None if its recipient may not read it now.
    pub fn notice(&self, row: Row) -> Option<Notice> {
        let mut closes_at = None;
        if is_of_learner(row.kind) {
            let view = self.0.get(&row.course_id?)?;
            let place = view.tree.place(row.page_id?)?;
            view.require_readable(place).ok()?;
            if row.kind == Kind::DeadlineNear {
                let page = view.page(place).id;
                let at = deadlines::of_view(view, place)?;
                closes_at = Some(at).filter(|at| deadlines::subject(page, *at) == row.subject);
                closes_at?;
            }
        }
        // Learners do not see who graded their work or changed a page.
        let names_actor = row.kind == Kind::Answered || !is_of_learner(row.kind) && row.kind != Kind::Invited;
        let place = |id, title| Place { id, title };
        Some(Notice {
            id: row.id,
            kind: row.kind,
            happened_at: row.happened_at,
            read_at: row.read_at,
            subject: row.subject,
            course: row
                .course_id
                // The recipient may have left the course, or may only be invited. An account may use an address that its owner does not control, so
                // only the invitation mail names the course and the host.
                .filter(|_| row.is_related)
                .map(|id| place(id, row.course_title)),
            page: row.page_id.map(|id| Place {
                id,
                title: row.page_title,
            }),
            actor: person(row.actor_id, row.actor_name).filter(|_| names_actor),
            learner: person(row.learner_id, row.learner_name),
            closes_at,
            text: row.text,
        })
    }
}

fn person(id: Option<UserId>, full_name: Option<String>) -> Option<PersonName> {
    id.map(|id| PersonName { id, full_name })
}

/// Whether a notice is for a learner, and is about a page, so that the schedule decides whether it is shown.
fn is_of_learner(kind: Kind) -> bool {
    match kind {
        Kind::Graded
        | Kind::Returned
        | Kind::ResultChanged
        | Kind::AttemptGiven
        | Kind::DeadlineNear
        | Kind::ImportantChange
        // Staff, who may be notified too, read all pages.
        | Kind::Answered => true,
        Kind::Mention
        | Kind::Comment
        | Kind::Invited
        | Kind::ImportDone
        | Kind::CourseCompleted
        | Kind::Announcement
        | Kind::Nudge
        | Kind::Asked
        | Kind::Reported => false,
    }
}

/// Returns those of these notices that the person may read now and has not read, oldest first, including notices that are only mailed. Empty if the
/// account is inactive or deleted.
pub async fn visible(kurso: &Kurso, user: UserId, ids: &[NoticeId]) -> Result<Vec<Notice>> {
    let user = users::by_id(&kurso.db, user).await?.filter(|user| user.is_active);
    let Some(user) = user else { return Ok(vec![]) };
    let viewer = Viewer {
        user,
        session: SessionId::new(),
    };
    let rows = row::rows(viewer.id(), kurso.clock.now())
        .push(" AND n.read_at IS NULL AND n.id IN ")
        .push_in(ids.iter().copied())
        .push(" ORDER BY n.id");
    let rows = rows.fetch_all::<Row>(&kurso.db).await?;
    let shown = Shown::load(kurso, &viewer, &[&rows]).await?;
    Ok(rows.into_iter().filter_map(|row| shown.notice(row)).collect())
}
