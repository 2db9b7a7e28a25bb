//! Deadline reminders: within a day, an attempt that the learner has not made yet becomes late or is no longer accepted. Deadlines depend on the
//! dates of each learner, so a periodic search creates reminders, and withdraws those whose deadline has moved or was met. Several nodes may
//! search at the same time, because each reminder has one row.

mod candidates;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, NoticeId, PageId, UserId, derived_id};
use kurso_db::{LIST_LIMIT, sql};
use tokio::sync::watch;
use tokio::time::sleep;
use uuid::Uuid;

use crate::Kurso;
use crate::courses::enrollment::is_active_learner;
use crate::courses::overrides::{Own, Place};
use crate::courses::timeline::Timeline;
use crate::courses::tree::Tree;
use crate::courses::{self, Course};
use crate::learning::progress::{self, Marks};
use crate::learning::view::CourseView;
use crate::notices::{self, Kind, Notice, Receiver};
use crate::schedule::State;

/// How long before a deadline learners are reminded.
const AHEAD: TimeDelta = TimeDelta::hours(24);
/// The interval between two searches.
const INTERVAL: Duration = Duration::from_secs(10 * 60);
/// The delay before the first search, so that it does not slow down the start of the server.
const START: Duration = Duration::from_secs(60);
/// The number of learners whose marks are in memory at a time.
const LEARNERS: i64 = 500;

/// The subject of a reminder. A moved deadline has another subject.
pub(super) fn subject(page: PageId, at: DateTime<Utc>) -> Uuid {
    derived_id([page.0.as_bytes(), &at.timestamp_micros().to_be_bytes()])
}

/// The deadline of the page at this index for the viewer of a course; None if no attempt is left to make.
pub(super) fn of_view(view: &CourseView, place: usize) -> Option<DateTime<Utc>> {
    if view.course.role.is_staff() {
        return None;
    }
    let learner = Learner {
        timeline: view.timeline(),
        tree: &view.tree,
        own: &view.own,
        marks: &view.marks,
        now: view.now,
    };
    learner.deadline(place)
}

/// The dates and marks of a learner in a course.
struct Learner<'a> {
    timeline: Timeline<'a>,
    tree: &'a Tree,
    own: &'a Own,
    marks: &'a Marks,
    now: DateTime<Utc>,
}

impl Learner<'_> {
    /// The next time at which an attempt at the page becomes late or is no longer accepted. None if the page accepts no attempts now, or if
    /// the learner has none left to make.
    fn deadline(&self, place: usize) -> Option<DateTime<Utc>> {
        let at = by_dates(self.timeline, self.tree, place, self.now)?;
        let tried = self.marks.tried.get(&place);
        let is_handed_in = tried.is_some_and(|tried| tried.is_waiting && !tried.is_returned);
        let limit = self
            .own
            .at(Place::Page(place))
            .attempts(self.tree.page(place).max_attempts);
        let is_over = self.marks.is_done(self.tree, place) || self.marks.attempts_left(place, limit) == Some(0);
        let is_open = || self.timeline.page(place).state == State::Open;
        (!is_handed_in && !is_over && is_open()).then_some(at)
    }
}

/// The next deadline of a page, regardless of what the learner has done.
fn by_dates(timeline: Timeline<'_>, tree: &Tree, place: usize, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let page = tree.page(place);
    if !page.published || !page.kind.takes_attempts() {
        return None;
    }
    let timing = timeline.page_by_dates(place);
    let ends = [timing.due_at, timing.closes_at].into_iter().flatten();
    ends.filter(|end| *end >= now).min()
}

/// Runs the periodic search until `stop` is true.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    let mut pause = START;
    while !*stop.borrow() {
        tokio::select! {
            () = sleep(pause) => {}
            Ok(()) = stop.changed() => continue,
        }
        pause = INTERVAL;
        if let Err(error) = remind(&kurso).await {
            tracing::warn!(%error, "deadlines could not be read");
        }
    }
}

/// Reminds learners of the deadlines within the next day, and withdraws unread reminders that no longer apply. Logs a course that cannot be read,
/// and tries it again in the next search. One statement if there is nothing to do; otherwise a few per course and 500 learners.
pub async fn remind(kurso: &Kurso) -> Result<()> {
    let now = kurso.clock.now();
    for course in candidates::courses(kurso, now, now + AHEAD).await? {
        if let Err(error) = remind_in(kurso, course, now).await {
            tracing::warn!(%course, %error, "the deadlines of a course could not be read");
        }
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Enrolled {
    enrollment_id: EnrollmentId,
    user_id: UserId,
    group_id: Option<GroupId>,
    /// Whether the person is an active learner: not inactive, and not in the team.
    is_learner: bool,
}

async fn remind_in(kurso: &Kurso, course: CourseId, now: DateTime<Utc>) -> Result<()> {
    withdraw_from_leavers(kurso, course).await?;
    let (mut last, mut places) = (EnrollmentId(Uuid::nil()), Places::default());
    let mut seen: Option<(Course, Arc<Tree>)> = None;
    loop {
        let learners = sql!(
            concat!(
                "SELECT e.id AS enrollment_id, e.user_id, e.group_id, (",
                is_active_learner!(),
                ") AS is_learner
                 FROM enrollments e JOIN users u ON u.id = e.user_id JOIN courses c ON c.id = e.course_id
                 WHERE e.course_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3"
            ),
            course,
            last,
            LEARNERS
        );
        let learners = learners.fetch_all::<Enrolled>(&kurso.db).await?;
        let Some(end) = learners.last() else { return Ok(()) };
        last = end.enrollment_id;
        if seen.is_none() {
            // The view of any learner will do: the dates of each one come from the overrides in the tree.
            let found = courses::find_as_learner(&kurso.db, course, end.enrollment_id).await?;
            let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(&found)).await?;
            seen = Some((found, trees.into_iter().next().unwrap_or_default()));
        }
        if let Some((course, tree)) = &seen {
            let wanted = places.of(kurso, (course, tree), &learners, now).await?;
            let people: Vec<UserId> = learners.iter().map(|learner| learner.user_id).collect();
            update(kurso, course.id, &people, wanted, now).await?;
        }
    }
}

/// The pages with a deadline within a day, by group. Learners with personal overrides are not cached here.
#[derive(Default)]
struct Places(HashMap<Option<GroupId>, Vec<usize>>);

impl Places {
    /// Returns the reminders that these learners should have.
    async fn of(
        &mut self,
        kurso: &Kurso,
        (course, tree): (&Course, &Arc<Tree>),
        learners: &[Enrolled],
        now: DateTime<Utc>,
    ) -> Result<HashSet<Receiver>> {
        let mut near: Vec<(&Enrolled, Own, Vec<usize>)> = Vec::new();
        for learner in learners.iter().filter(|learner| learner.is_learner) {
            let own = Own::of_learner(course, tree, learner.user_id, learner.group_id);
            let find = || {
                let timeline = Timeline::of(course, tree, &own, &[], now);
                let is_near = |place: &usize| by_dates(timeline, tree, *place, now).is_some_and(|at| at <= now + AHEAD);
                (0..tree.pages.len()).filter(is_near).collect::<Vec<_>>()
            };
            let places = match own.is_personal() {
                true => find(),
                false => self.0.entry(learner.group_id).or_insert_with(find).clone(),
            };
            if !places.is_empty() {
                near.push((learner, own, places));
            }
        }
        let of: Vec<(EnrollmentId, &Tree)> = near
            .iter()
            .map(|(learner, ..)| (learner.enrollment_id, tree.as_ref()))
            .collect();
        let marks = progress::read::marks(&kurso.db, &of).await?;
        let mut wanted = HashSet::new();
        for ((enrolled, own, places), marks) in near.iter().zip(&marks) {
            let progress = progress::derive(tree, marks, None);
            let learner = Learner {
                timeline: Timeline::of(course, tree, own, &progress.lessons, now),
                tree,
                own,
                marks,
                now,
            };
            for place in places {
                if let Some(at) = learner.deadline(*place) {
                    let page = tree.page(*place).id;
                    wanted.insert(Receiver::new(enrolled.user_id, subject(page, at)).at(page));
                }
            }
        }
        Ok(wanted)
    }
}

/// Replaces the unread reminders of people in a course. One statement if nothing changes.
async fn update(
    kurso: &Kurso,
    course: CourseId,
    people: &[UserId],
    mut wanted: HashSet<Receiver>,
    now: DateTime<Utc>,
) -> Result<()> {
    let stored = sql!(
        "SELECT id, user_id, subject, page_id, read_at IS NOT NULL FROM notices WHERE kind = $1 AND course_id = $2 AND user_id IN ",
        Kind::DeadlineNear,
        course
    );
    let stored = stored.push_in(people.iter().copied());
    let stored = stored
        .fetch_all::<(NoticeId, UserId, Uuid, Option<PageId>, bool)>(&kurso.db)
        .await?;
    let mut stale = vec![];
    for (id, user, subject, page, is_read) in stored {
        let is_wanted = wanted.remove(&Receiver { user, subject, page });
        if !is_wanted && !is_read {
            stale.push(id);
        }
    }
    if stale.is_empty() && wanted.is_empty() {
        return Ok(());
    }
    let mut tx = kurso.db.begin().await?;
    for stale in stale.chunks(LIST_LIMIT) {
        let delete = sql!("DELETE FROM notices WHERE read_at IS NULL AND id IN ").push_in(stale.iter().copied());
        notices::withdrawn(&mut tx, delete).await?;
    }
    let notice = Notice {
        kind: Kind::DeadlineNear,
        course: Some(course),
        by: None,
        at: now,
    };
    notices::record_new(&mut tx, notice, wanted.into_iter().collect()).await?;
    tx.commit().await?;
    Ok(())
}

/// Withdraws the unread reminders of people who are no longer enrolled.
async fn withdraw_from_leavers(kurso: &Kurso, course: CourseId) -> Result<()> {
    let mut tx = kurso.db.begin().await?;
    let delete = sql!(
        "DELETE FROM notices WHERE kind = $1 AND course_id = $2 AND read_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = $2 AND e.user_id = notices.user_id)",
        Kind::DeadlineNear,
        course
    );
    notices::withdrawn(&mut tx, delete).await?;
    tx.commit().await?;
    Ok(())
}
