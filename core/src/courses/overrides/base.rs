//! Reads the own dates of the part of an override, and checks what the override sets.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result, require_no_errors};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, Late};
use kurso_base::values::Change;
use kurso_db::{Tx, sql};

use super::Part;
use super::set::unknown;
use crate::courses::Course;
use crate::courses::dates::{dates_columns, late_columns, require_none};
use crate::courses::tree::PageKind;
use crate::schedule::overrides::Override;

/// The own dates of a part.
pub(super) struct Base {
    pub dates: Dates,
    /// None for everything but quiz pages.
    pub late: Option<Late>,
}

/// Reads the own dates of a part of a course whose row is locked. Fails with 422 for a part of another course.
pub(super) async fn base(tx: &mut Tx, course: &Course, part: Part) -> Result<Base> {
    #[derive(sqlx::FromRow)]
    struct Page {
        kind: PageKind,
        #[sqlx(flatten)]
        dates: Dates,
        #[sqlx(flatten)]
        late: Late,
    }
    let plain = |found: Option<Dates>, error: Error| found.map(|dates| Base { dates, late: None }).ok_or(error);
    match part {
        Part::Course => {
            let (available_from, available_until) =
                sql!("SELECT starts_at, ends_at FROM courses WHERE id = $1", course.id)
                    .fetch_one::<(Option<DateTime<Utc>>, Option<DateTime<Utc>>)>(tx)
                    .await?;
            let dates = Dates {
                available_from,
                available_until,
                due_at: None,
            };
            Ok(Base { dates, late: None })
        }
        Part::Module(id) => {
            let text = concat!(
                "SELECT ",
                dates_columns!(),
                " FROM modules WHERE id = $1 AND course_id = $2"
            );
            let found = sql!(text, id, course.id).fetch_optional(tx).await?;
            plain(found, unknown("module_id", id, Message::UnknownModule))
        }
        Part::Lesson(id) => {
            let text = concat!(
                "SELECT ",
                dates_columns!(),
                " FROM lessons WHERE id = $1 AND course_id = $2"
            );
            let found = sql!(text, id, course.id).fetch_optional(tx).await?;
            plain(found, unknown("lesson_id", id, Message::UnknownLesson))
        }
        Part::Page(id) => {
            let text = concat!(
                "SELECT kind, ",
                dates_columns!(),
                ", ",
                late_columns!(),
                " FROM pages WHERE id = $1 AND course_id = $2"
            );
            let found = sql!(text, id, course.id).fetch_optional::<Page>(tx).await?;
            let page = found.ok_or_else(|| unknown("page_id", id, Message::UnknownPage))?;
            Ok(Base {
                dates: page.dates,
                late: page.kind.takes_attempts().then_some(page.late),
            })
        }
    }
}

/// Fails with 422 if nothing is overridden, or a limit that the part does not have.
pub(super) fn require_sensible(values: &Override, part: Part, is_quiz: bool) -> Result<()> {
    if values.is_empty() {
        return Err(Error::invalid(FieldError {
            kind: "value_error",
            loc: vec!["body".into()],
            message: Message::OverrideEmpty,
            input: Value::Null,
            ctx: None,
        }));
    }
    let misplaced = [
        ("due_at", part == Part::Course && !values.due_at.is_keep()),
        ("late_until", !is_quiz && !values.late_until.is_keep()),
        ("extra_attempts", !is_quiz && !values.extra_attempts.is_keep()),
        (
            "time_factor",
            matches!(part, Part::Page(_)) && !is_quiz && !values.time_factor.is_keep(),
        ),
    ];
    require_none_of(misplaced)
}

/// Fails with 422 for each field that is marked as wrong, because the part does not have its limit.
pub(super) fn require_none_of<const N: usize>(fields: [(&'static str, bool); N]) -> Result<()> {
    let errors: Vec<FieldError> = fields
        .into_iter()
        .filter(|(_, is_wrong)| *is_wrong)
        .map(|(field, _)| FieldError::body("value_error", field, Message::OverrideNotHere, Value::Null))
        .collect();
    require_no_errors(errors)
}

/// Fails with 422 if the override sets a date and the dates of the part, with those that the group or learner inherits, are out of order. An
/// override that sets no date is accepted, because it cannot correct dates that were already out of order.
pub(super) fn require_order(base: &Base, values: Override, inherited: Override) -> Result<()> {
    let dates = [
        values.available_from,
        values.available_until,
        values.due_at,
        values.late_until,
    ];
    if !dates.iter().any(|date| matches!(date, Change::Set(_))) {
        return Ok(());
    }
    // An inherited end of late attempts is not checked: as in the schedule, it gives way to a later due date. Otherwise, no quiz with a late
    // policy could be extended.
    let late = base.late.filter(|_| !values.late_until.is_keep());
    require_none(values.over(inherited).misplaced(base.dates, late))
}
