//! Moves the dates of a copied course.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::shift::Shift;
use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_base::values::{Problem, ShiftDays};
use kurso_db::{Arg, Tx, args, sql};
use serde_json::Value;

use crate::courses::ROWS;
use crate::courses::dates::{course_dates_columns, dates_columns, late_columns};

#[derive(sqlx::FromRow)]
struct PartRow<Id> {
    id: Id,
    #[sqlx(flatten)]
    dates: Dates,
}

#[derive(sqlx::FromRow)]
struct PageRow {
    id: PageId,
    #[sqlx(flatten)]
    dates: Dates,
    #[sqlx(flatten)]
    late: Late,
}

fn out_of_range() -> Error {
    let problem = Problem::new("value_error", Message::FarDate);
    Error::invalid(problem.at(vec!["query".into(), "shift_days".into()], Value::Null))
}

/// Moves all dates of the course by days of its zone. Fails with 422 if one would be outside of the years of dates.
pub(super) async fn move_dates(tx: &mut Tx, course: CourseId, days: ShiftDays) -> Result<()> {
    if days.get() == 0 {
        return Ok(());
    }
    let dates = sql!(
        concat!("SELECT ", course_dates_columns!(), " FROM courses WHERE id = $1"),
        course
    )
    .fetch_one::<CourseDates>(&mut *tx)
    .await?;
    let shift = Shift {
        days: days.get(),
        zone: dates.zone(),
    };
    let moved = shift.course(&dates).ok_or_else(out_of_range)?;
    sql!(
        "UPDATE courses SET starts_at = $2, ends_at = $3, enroll_until = $4 WHERE id = $1",
        course,
        moved.starts_at,
        moved.ends_at,
        moved.enroll_until
    )
    .execute(&mut *tx)
    .await?;
    let modules = sql!(
        concat!("SELECT id, ", dates_columns!(), " FROM modules WHERE course_id = $1"),
        course
    );
    let modules = modules.fetch_all::<PartRow<ModuleId>>(&mut *tx).await?;
    move_parts(tx, "modules", &modules, shift).await?;
    let lessons = sql!(
        concat!("SELECT id, ", dates_columns!(), " FROM lessons WHERE course_id = $1"),
        course
    );
    let lessons = lessons.fetch_all::<PartRow<LessonId>>(&mut *tx).await?;
    move_parts(tx, "lessons", &lessons, shift).await?;
    move_pages(tx, course, shift).await
}

async fn move_parts<Id>(tx: &mut Tx, table: &'static str, rows: &[PartRow<Id>], shift: Shift) -> Result<()>
where
    Id: Copy + for<'q> Arg<'q> + 'static,
{
    let dated = rows.iter().filter(|row| row.dates != Dates::default());
    let moved = dated.map(|row| Some((row.id, shift.part(&row.dates)?)));
    let moved: Option<Vec<_>> = moved.collect();
    for chunk in moved.ok_or_else(out_of_range)?.chunks(ROWS) {
        sql!("UPDATE ")
            .push(table)
            .push(" SET available_from = m.column2, available_until = m.column3, due_at = m.column4 FROM (VALUES ")
            .push_rows(chunk.iter().copied(), |(id, dates)| {
                args![id, dates.available_from, dates.available_until, dates.due_at]
            })
            .push(") AS m WHERE ")
            .push(table)
            .push(".id = m.column1")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

async fn move_pages(tx: &mut Tx, course: CourseId, shift: Shift) -> Result<()> {
    let pages = sql!(
        concat!(
            "SELECT id, ",
            dates_columns!(),
            ", ",
            late_columns!(),
            " FROM pages WHERE course_id = $1"
        ),
        course
    );
    let pages = pages.fetch_all::<PageRow>(&mut *tx).await?;
    let dated = pages
        .iter()
        .filter(|row| row.dates != Dates::default() || row.late.late_until.is_some());
    let moved = dated.map(|row| {
        let dates = shift.part(&row.dates)?;
        Some((row.id, dates, shift.late(&row.late, &dates)?.late_until))
    });
    let moved: Option<Vec<_>> = moved.collect();
    for chunk in moved.ok_or_else(out_of_range)?.chunks(ROWS) {
        sql!(
            "UPDATE pages SET available_from = m.column2, available_until = m.column3, due_at = m.column4,
             late_until = m.column5 FROM (VALUES "
        )
        .push_rows(chunk.iter().copied(), |(id, dates, late_until)| {
            args![
                id,
                dates.available_from,
                dates.available_until,
                dates.due_at,
                late_until
            ]
        })
        .push(") AS m WHERE pages.id = m.column1")
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
