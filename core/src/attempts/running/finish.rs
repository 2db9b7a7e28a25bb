//! Ends running attempts whose time and grace period are over, with the answers that were saved.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{AttemptId, CourseId, EnrollmentId};
use kurso_db::sql;
use tokio::sync::watch;
use tokio::time::sleep;
use uuid::Uuid;

use super::{Running, running_columns};
use crate::Kurso;
use crate::attempts::record::{Graded, Recording};
use crate::courses;
use crate::learning::stored_progress;
use crate::learning::view::CourseView;

/// The interval between two searches for attempts to end.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long after the grace period an attempt ends: what arrived in the last moment is then saved.
pub const MARGIN: TimeDelta = TimeDelta::seconds(3);
/// The attempts that are read at a time.
const CHUNK: i64 = 100;
/// How often an attempt is tried when its course changes or an answer is saved meanwhile. The next search tries again.
const TRIES: usize = 3;

/// Ends attempts whose time is over until `stop` is true. Several nodes may do so at the same time.
pub async fn work(kurso: Arc<Kurso>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if let Err(error) = finish_while(&kurso, || !*stop.borrow()).await {
            tracing::warn!(%error, "running attempts could not be read");
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            Ok(()) = stop.changed() => {}
        }
    }
}

/// A running attempt of someone who is enrolled.
#[derive(sqlx::FromRow)]
struct Due {
    course_id: CourseId,
    enrollment_id: EnrollmentId,
    #[sqlx(flatten)]
    running: Running,
}

/// Ends all attempts whose grace period is over by [`MARGIN`], and returns their number. One of a learner who left waits until they come back. One
/// that cannot be ended is logged and tried again by the next call. One statement if there is none.
pub async fn finish_due(kurso: &Kurso) -> Result<u64> {
    finish_while(kurso, || true).await
}

/// As [`finish_due`]; stops between two attempts when `goes_on` is false.
async fn finish_while(kurso: &Kurso, goes_on: impl Fn() -> bool) -> Result<u64> {
    let closed_before = kurso.clock.now() - MARGIN;
    let mut last = (DateTime::UNIX_EPOCH, AttemptId(Uuid::nil()));
    let mut finished = 0;
    loop {
        let due = sql!(
            concat!(
                "SELECT p.course_id, e.id AS enrollment_id, ",
                running_columns!(),
                " FROM running_attempts r JOIN pages p ON p.id = r.page_id
                 JOIN enrollments e ON e.course_id = p.course_id AND e.user_id = r.user_id
                 WHERE r.closes_at < $1 AND (r.closes_at > $2 OR (r.closes_at = $2 AND r.id > $3))
                 ORDER BY r.closes_at, r.id LIMIT $4"
            ),
            closed_before,
            last.0,
            last.1,
            CHUNK
        );
        let due = due.fetch_all::<Due>(&kurso.db).await?;
        let Some(end) = due.last() else { return Ok(finished) };
        // The query selects only attempts that have an end.
        let Some(closes_at) = end.running.closes_at else {
            return Ok(finished);
        };
        last = (closes_at, end.running.id);
        for one in due {
            if !goes_on() {
                return Ok(finished);
            }
            let attempt = one.running.id;
            let Some(ends_at) = one.running.ends_at else { continue };
            match finish(kurso, one, ends_at).await {
                Ok(true) => finished += 1,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, %attempt, "a running attempt could not be ended"),
            }
        }
    }
}

/// Ends all running attempts of a learner in a course now, with the answers that were saved.
pub(crate) async fn end_all(kurso: &Kurso, course: CourseId, enrollment: EnrollmentId) -> Result<()> {
    let running = sql!(
        concat!(
            "SELECT p.course_id, e.id AS enrollment_id, ",
            running_columns!(),
            " FROM enrollments e JOIN running_attempts r ON r.user_id = e.user_id
             JOIN pages p ON p.id = r.page_id AND p.course_id = e.course_id WHERE e.id = $1 AND e.course_id = $2 ORDER BY r.id"
        ),
        enrollment,
        course
    );
    let now = kurso.clock.now();
    for one in running.fetch_all::<Due>(&kurso.db).await? {
        let ends_at = one.running.ends_at.map_or(now, |end| end.min(now));
        finish(kurso, one, ends_at).await?;
    }
    Ok(())
}

/// Ends an attempt at `ends_at`. False if it has ended otherwise.
async fn finish(kurso: &Kurso, due: Due, ends_at: DateTime<Utc>) -> Result<bool> {
    let Due {
        course_id,
        enrollment_id: enrollment,
        running: due,
    } = due;
    let page = due.page_id;
    for _ in 0..TRIES {
        let course = match courses::find_as_learner(&kurso.db, course_id, enrollment).await {
            Err(Error::NotFound(_)) => return Ok(false), // has just left
            course => course?,
        };
        let view = CourseView::of(kurso, course).await?;
        let Some(place) = view.tree.place(page) else {
            return Ok(false);
        };
        if view.page(place).mark_no.is_none() {
            stored_progress::number_pages(&kurso.db, course_id).await?;
            continue;
        }
        let Some(running) = super::running_at(kurso, page, due.user_id).await? else {
            return Ok(false);
        };
        let row = running.row;
        if row.id != due.id {
            return Ok(false);
        }
        let asked = (kurso.quiz_key.aliases(enrollment.0), row.attempt_no);
        let drawn = (row.quiz_version, row.drawn.clone());
        let given = (running.answers, running.times);
        let graded = Graded::of(running.quiz, drawn, given, asked).await?;
        let mut recording = Recording {
            kurso,
            view,
            place,
            enrollment,
            learner: row.user_id,
            page,
        };
        if recording.end(&row, &graded, ends_at, (None, None)).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
