//! What teachers decide of the grades of a learner: an override, an excuse, or neither any more. Each decision is kept with who, when and why,
//! and names the cell version it is based on, so that two teachers who decide at once do not overwrite each other.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result, is_foreign_key_violation, require_no_errors};
use kurso_base::ids::{CourseId, EnrollmentId, GradeDecisionId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{CellVersion, GivenPoints, GradeReason, decimal_text};
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

use super::cells::{Cell, DecisionKind};
use super::ledger::Ledger;
use super::own::penalties;
use super::settings::{ItemRow, is_graded, most_for};
use super::table::{self, Row};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::tree::PageKind;
use crate::courses::{self, Course, Scope};
use crate::subscriptions::PersonName;

/// The most decisions of one cell.
pub const MAX_CHANGES: i64 = 500;

/// The most percent of the course that a teacher may give, in hundredths.
const MOST_PERCENT: i64 = 100_000;

/// A decision on a cell of the gradebook, or on the grade of the course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct Decide {
    /// None: the grade of the course.
    pub page_id: Option<PageId>,
    /// The version of the cell that the decision is based on.
    pub version: CellVersion,
    pub kind: DecisionKind,
    /// Of an override: points, or percent of the course.
    pub points: Option<GivenPoints>,
    /// Required except to take a decision back.
    pub reason: Option<GradeReason>,
}

/// Outcome of a decision.
#[derive(Clone, Debug)]
pub enum Decided {
    Stored(CellRead),
    /// Somebody else has decided meanwhile: nothing was changed, and this is what is stored.
    Stale(CellRead),
}

/// A cell with the row that it is in, and what was decided of it.
#[derive(Clone, Debug)]
pub struct CellRead {
    pub row: Row,
    /// None: the grade of the course.
    pub page_id: Option<PageId>,
    /// The cell; of the grade of the course, see the row.
    pub cell: Option<Cell>,
    /// Percent of the score that the best attempt lost because it was late; None without an attempt.
    pub penalty_percent: Option<i64>,
    /// The latest one first.
    pub history: Vec<Decision>,
}

/// A decision as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    pub version: i64,
    pub kind: DecisionKind,
    /// Of an override: hundredths of a point, or of a percent of the course.
    pub points: Option<i64>,
    pub reason: Option<String>,
    /// None if the account was deleted.
    pub by: Option<PersonName>,
    pub at: DateTime<Utc>,
}

/// Decides on a cell of a learner; for the owner and teachers. Fails with 422 if the page is not in the gradebook of the course, if points or
/// reason are missing, and for more than ten times the points of the page or 1,000 percent of the course; with 409 after [`MAX_CHANGES`]
/// decisions.
pub async fn decide(kurso: &Kurso, viewer: &Viewer, enrollment: EnrollmentId, command: Decide) -> Result<Decided> {
    let course = courses::find(&kurso.db, viewer, enrollment, Right::ManageStudents).await?;
    command.require_complete()?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let page = command.page_id;
    let user = user_of(&mut tx, course.id, enrollment).await?;
    command.require_bounds(&mut tx, course.id).await?;
    let stored = current(&mut tx, course.id, user, page).await?;
    let is_known = stored.map_or(0, |(version, _)| version) == command.version.get();
    let is_idle = command.kind == DecisionKind::Removed && stored.is_none_or(|(_, kind)| kind == DecisionKind::Removed);
    if is_known && !is_idle {
        write(kurso, viewer, &mut tx, &course, user, &command).await?;
    }
    // Also without a change: a competing decision may be committed together with this transaction.
    tx.commit().await?;
    let read = of_course(kurso, course, enrollment, page).await?;
    Ok(if is_known {
        Decided::Stored(read)
    } else {
        Decided::Stale(read)
    })
}

impl Decide {
    fn require_complete(&self) -> Result<()> {
        let wrong = |field: &str, message| FieldError::body("value_error", field, message, Value::Null);
        let mut errors = vec![];
        match (self.kind, self.points) {
            (DecisionKind::Override, None) => errors.push(wrong("points", Message::PointsRequired)),
            (DecisionKind::Excused | DecisionKind::Removed, Some(_)) => {
                errors.push(wrong("points", Message::PointsNotHere));
            }
            _ => {}
        }
        if self.kind != DecisionKind::Removed && self.reason.is_none() {
            errors.push(wrong("reason", Message::ReasonRequired));
        }
        if self.kind == DecisionKind::Excused && self.page_id.is_none() {
            errors.push(wrong("kind", Message::ExcusedFromCourse));
        }
        require_no_errors(errors)
    }

    /// Fails with 422 for a page that is not in the gradebook, and for too many points.
    async fn require_bounds(&self, tx: &mut Tx, course: CourseId) -> Result<()> {
        let most = match self.page_id {
            None => MOST_PERCENT,
            Some(page) => most_for(points_of(tx, course, page).await?),
        };
        match self.points.map(GivenPoints::hundredths) {
            Some(points) if points > most => {
                let (most, given) = (decimal_text(most), decimal_text(points));
                let mut error = FieldError::body(
                    "less_than_equal",
                    "points",
                    Message::GivenTooMuch(most.clone()),
                    given.into(),
                );
                error.ctx = Some(serde_json::json!({"le": most}));
                Err(Error::invalid(error))
            }
            _ => Ok(()),
        }
    }
}

/// Fails with 404 for a learner who has left meanwhile.
async fn user_of(tx: &mut Tx, course: CourseId, enrollment: EnrollmentId) -> Result<UserId> {
    let found = sql!(
        "SELECT user_id FROM enrollments WHERE id = $1 AND course_id = $2",
        enrollment,
        course
    );
    let found = found.fetch_optional::<(UserId,)>(tx).await?;
    let (user,) = found.ok_or(Error::NotFound(Message::StudentNotFound))?;
    Ok(user)
}

/// The points of a page of the gradebook, in hundredths.
async fn points_of(tx: &mut Tx, course: CourseId, page: PageId) -> Result<i64> {
    let found = sql!(
        "SELECT p.kind, i.points FROM pages p LEFT JOIN grade_items i ON i.page_id = p.id
         WHERE p.id = $1 AND p.course_id = $2 AND p.published",
        page,
        course
    );
    let found = found.fetch_optional::<(PageKind, Option<i64>)>(tx).await?;
    match found.filter(|(kind, _)| is_graded(*kind)) {
        Some((_, points)) => Ok(points.unwrap_or(ItemRow::default_of(page).points)),
        None => {
            let input = page.to_string().into();
            Err(Error::invalid(FieldError::body(
                "value_error",
                "page_id",
                Message::NotGraded,
                input,
            )))
        }
    }
}

/// The condition on one cell of `grade_decisions`: `$1` is the course, `$2` the learner, `$3` the page or else the course.
macro_rules! cell {
    () => {
        "course_id = $1 AND user_id = $2 AND COALESCE(page_id, course_id) = $3"
    };
}

/// The id that stands for the page of a cell.
fn cell_id(course: CourseId, page: Option<PageId>) -> uuid::Uuid {
    page.map_or(course.0, |page| page.0)
}

/// The version and kind of the decision that holds.
async fn current(
    tx: &mut Tx,
    course: CourseId,
    user: UserId,
    page: Option<PageId>,
) -> Result<Option<(i64, DecisionKind)>> {
    let found = sql!(
        concat!(
            "SELECT version, kind FROM grade_decisions WHERE ",
            cell!(),
            " AND is_current"
        ),
        course,
        user,
        cell_id(course, page)
    );
    Ok(found.fetch_optional::<(i64, DecisionKind)>(tx).await?)
}

/// Appends a decision to a cell of a locked course, whose version the caller has compared.
async fn write(
    kurso: &Kurso,
    viewer: &Viewer,
    tx: &mut Tx,
    course: &Course,
    user: UserId,
    command: &Decide,
) -> Result<()> {
    let now = kurso.clock.now();
    append(tx, course.id, user, command, viewer.id(), now).await?;
    let entry = Entry::new(Act::GradeDecided)
        .by(viewer.id())
        .to(user)
        .in_course(course.id);
    let entry = match command.page_id {
        Some(page) => entry.about(page),
        None => entry,
    };
    entry.detail(command.kind.name()).write(&mut *tx, now).await?;
    tx.publish(Event::Grades { course: course.id });
    Ok(())
}

/// Stores a decision as the next version of its cell.
async fn append(
    tx: &mut Tx,
    course: CourseId,
    user: UserId,
    command: &Decide,
    by: UserId,
    now: DateTime<Utc>,
) -> Result<()> {
    if command.version.get() >= MAX_CHANGES {
        return Err(Error::Conflict(Message::TooManyGradeChanges(MAX_CHANGES)));
    }
    let page = command.page_id;
    sql!(
        concat!(
            "UPDATE grade_decisions SET is_current = FALSE WHERE ",
            cell!(),
            " AND is_current"
        ),
        course,
        user,
        cell_id(course, page)
    )
    .execute(&mut *tx)
    .await?;
    sql!(
        "INSERT INTO grade_decisions (id, course_id, user_id, page_id, version, is_current, kind, points, reason, decided_by, decided_at)
         VALUES ($1, $2, $3, $4, $5, TRUE, $6, $7, $8, $9, $10)",
        GradeDecisionId::new(),
        course,
        user,
        page,
        command.version.get() + 1,
        command.kind,
        command.points.map(GivenPoints::hundredths),
        command.reason.as_ref().map(|reason| reason.as_str().to_owned()),
        by,
        now
    )
    .execute(tx)
    .await
    .map_err(account_is_gone)?;
    Ok(())
}

/// The error of an insert of decisions. A row that it refers to is missing only if an account was deleted meanwhile, because the lock of
/// the course keeps everything else.
pub(super) fn account_is_gone(error: sqlx::Error) -> Error {
    if is_foreign_key_violation(&error) {
        Error::NotFound(Message::StudentNotFound)
    } else {
        error.into()
    }
}

/// A cell of a learner with its row and its history, for the staff of the course. Fails with 403 for learners, and with 404 if the gradebook
/// has no such page. At most 13 statements.
pub async fn read_cell(
    kurso: &Kurso,
    viewer: &Viewer,
    enrollment: EnrollmentId,
    page: Option<PageId>,
) -> Result<CellRead> {
    let course = courses::find(&kurso.db, viewer, enrollment, Right::SeeStudents).await?;
    of_course(kurso, course, enrollment, page).await
}

async fn of_course(kurso: &Kurso, course: Course, enrollment: EnrollmentId, page: Option<PageId>) -> Result<CellRead> {
    let ledger = Ledger::load(kurso, course).await?;
    let column = match page {
        Some(page) => Some(ledger.column(page).ok_or(Error::NotFound(Message::PageNotFound))?),
        None => None,
    };
    let row = table::read_rows(kurso, &ledger, &[enrollment]).await?.pop();
    let row = row.ok_or(Error::NotFound(Message::StudentNotFound))?;
    let history = history(kurso, ledger.course.id, row.learner.user_id, page).await?;
    Ok(CellRead {
        cell: column.and_then(|column| row.grades.cells.0.get(column).copied()),
        penalty_percent: match page {
            Some(page) => penalties(kurso, enrollment, Some(page)).await?.remove(&page),
            None => None,
        },
        page_id: page,
        row,
        history,
    })
}

#[derive(sqlx::FromRow)]
struct DecisionRow {
    version: i64,
    kind: DecisionKind,
    points: Option<i64>,
    reason: Option<String>,
    by_id: Option<UserId>,
    by_name: Option<String>,
    decided_at: DateTime<Utc>,
}

async fn history(kurso: &Kurso, course: CourseId, user: UserId, page: Option<PageId>) -> Result<Vec<Decision>> {
    let rows = sql!(
        concat!(
            "SELECT d.version, d.kind, d.points, d.reason, u.id AS by_id, u.full_name AS by_name, d.decided_at
             FROM (SELECT * FROM grade_decisions WHERE ",
            cell!(),
            ") d LEFT JOIN users u ON u.id = d.decided_by ORDER BY d.version DESC"
        ),
        course,
        user,
        cell_id(course, page)
    );
    let decisions = rows.fetch_all::<DecisionRow>(&kurso.db).await?.into_iter();
    let decisions = decisions.map(|row| Decision {
        version: row.version,
        kind: row.kind,
        points: row.points,
        reason: row.reason,
        by: row.by_id.map(|id| PersonName {
            id,
            full_name: row.by_name,
        }),
        at: row.decided_at,
    });
    Ok(decisions.collect())
}
