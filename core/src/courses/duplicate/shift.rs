//! Moves the dates of a copied course.

use chrono::{DateTime, Utc};
use serde_json::Value;

use kurso_base::error::{Error, Result};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_base::schedule::Dates;
use kurso_base::schedule::shift::Shift;
use kurso_base::values::{Problem, ShiftDays};
use kurso_db::Tx;

use crate::courses::dated_rows::{self, PartRow};

fn out_of_range() -> Error {
    let problem = Problem::new("value_error", Message::FarDate);
    Error::invalid(problem.at(vec!["query".into(), "shift_days".into()], Value::Null))
}

/// Moves all dates of the course by days of its zone. Fails with 422 if one would be outside of the years of dates.
pub(super) async fn move_dates(tx: &mut Tx, course: CourseId, days: ShiftDays, now: DateTime<Utc>) -> Result<()> {
    if days.get() == 0 {
        return Ok(());
    }
    let dates = dated_rows::course(tx, course).await?;
    let shift = Shift {
        days: days.get(),
        zone: dates.zone(),
    };
    let moved = shift.course(&dates).ok_or_else(out_of_range)?;
    dated_rows::write_course(tx, course, &moved).await?;
    let modules = moved_parts(dated_rows::modules(tx, course).await?, shift)?;
    dated_rows::write_parts(tx, "modules", &modules, now).await?;
    let lessons = moved_parts(dated_rows::lessons(tx, course).await?, shift)?;
    dated_rows::write_parts(tx, "lessons", &lessons, now).await?;
    let pages = dated_rows::pages(tx, course).await?.into_iter();
    let dated = pages.filter(|row| row.dates != Dates::default() || row.late.late_until.is_some());
    let moved = dated.map(|row| {
        let dates = shift.part(&row.dates)?;
        Some((row.id, dates, shift.late(&row.late, &dates)?.late_until))
    });
    let moved: Option<Vec<_>> = moved.collect();
    dated_rows::write_with_late(tx, "pages", &moved.ok_or_else(out_of_range)?, now).await
}

fn moved_parts<Id>(rows: Vec<PartRow<Id>>, shift: Shift) -> Result<Vec<(Id, Dates)>> {
    let dated = rows.into_iter().filter(|row| row.dates != Dates::default());
    let moved: Option<Vec<_>> = dated.map(|row| Some((row.id, shift.part(&row.dates)?))).collect();
    moved.ok_or_else(out_of_range)
}
