//! The dates of all parts of a course: read at once, and written in batches.

use std::collections::HashMap;
use std::hash::Hash;

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_db::{Arg, Tx, args, sql};

use super::ROWS;
use super::dates::{course_dates_columns, dates_columns, late_columns};
use super::tree::PageKind;

/// A module or a lesson.
#[derive(Clone, Copy, sqlx::FromRow)]
pub(super) struct PartRow<Id> {
    pub id: Id,
    #[sqlx(flatten)]
    pub dates: Dates,
}

#[derive(Clone, Copy, sqlx::FromRow)]
pub(super) struct PageRow {
    pub id: PageId,
    pub kind: PageKind,
    #[sqlx(flatten)]
    pub dates: Dates,
    #[sqlx(flatten)]
    pub late: Late,
}

/// Rows by id: all stored rows, and the new values of those that change.
pub(super) struct Rows<Id, Row> {
    pub stored: HashMap<Id, Row>,
    pub changed: HashMap<Id, Row>,
}

impl<Id: Eq + Hash + Copy, Row: Copy + PartialEq> Rows<Id, Row> {
    pub fn of(rows: impl Iterator<Item = (Id, Row)>) -> Self {
        Rows {
            stored: rows.collect(),
            changed: HashMap::new(),
        }
    }

    pub fn before(&self, id: Id) -> Option<Row> {
        self.stored.get(&id).copied()
    }

    pub fn after(&self, id: Id) -> Option<Row> {
        self.changed.get(&id).copied().or_else(|| self.before(id))
    }

    pub fn change(&mut self, id: Id, row: Row) {
        if self.before(id) != Some(row) {
            self.changed.insert(id, row);
        }
    }
}

pub(super) async fn course(tx: &mut Tx, course: CourseId) -> Result<CourseDates> {
    let text = concat!("SELECT ", course_dates_columns!(), " FROM courses WHERE id = $1");
    Ok(sql!(text, course).fetch_one(tx).await?)
}

pub(super) async fn modules(tx: &mut Tx, course: CourseId) -> Result<Vec<PartRow<ModuleId>>> {
    let text = concat!("SELECT id, ", dates_columns!(), " FROM modules WHERE course_id = $1");
    Ok(sql!(text, course).fetch_all(tx).await?)
}

pub(super) async fn lessons(tx: &mut Tx, course: CourseId) -> Result<Vec<PartRow<LessonId>>> {
    let text = concat!("SELECT id, ", dates_columns!(), " FROM lessons WHERE course_id = $1");
    Ok(sql!(text, course).fetch_all(tx).await?)
}

pub(super) async fn pages(tx: &mut Tx, course: CourseId) -> Result<Vec<PageRow>> {
    let text = concat!(
        "SELECT id, kind, ",
        dates_columns!(),
        ", ",
        late_columns!(),
        " FROM pages WHERE course_id = $1"
    );
    Ok(sql!(text, course).fetch_all(tx).await?)
}

/// Writes the dates of a course whose row is locked. Its time zone and what it hides stay.
pub(super) async fn write_course(tx: &mut Tx, course: CourseId, dates: &CourseDates) -> Result<()> {
    sql!(
        "UPDATE courses SET starts_at = $2, ends_at = $3, enroll_until = $4 WHERE id = $1",
        course,
        dates.starts_at,
        dates.ends_at,
        dates.enroll_until
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Writes the dates of modules or lessons, of which `table` is the table.
pub(super) async fn write_parts<Id>(
    tx: &mut Tx,
    table: &'static str,
    rows: &[(Id, Dates)],
    now: DateTime<Utc>,
) -> Result<()>
where
    Id: Copy + for<'q> Arg<'q> + 'static,
{
    for chunk in rows.chunks(ROWS) {
        sql!("UPDATE ")
            .push(table)
            .push(" SET updated_at = ")
            .push_bind(now)
            .push(", available_from = m.column2, available_until = m.column3, due_at = m.column4 FROM (VALUES ")
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

/// Writes the dates of pages or overrides, of which `table` is the table, with the end of late attempts.
pub(super) async fn write_with_late<Id>(
    tx: &mut Tx,
    table: &'static str,
    rows: &[(Id, Dates, Option<DateTime<Utc>>)],
    now: DateTime<Utc>,
) -> Result<()>
where
    Id: Copy + for<'q> Arg<'q> + 'static,
{
    for chunk in rows.chunks(ROWS) {
        sql!("UPDATE ")
            .push(table)
            .push(" SET updated_at = ")
            .push_bind(now)
            .push(
                ", available_from = m.column2, available_until = m.column3, due_at = m.column4,
                 late_until = m.column5 FROM (VALUES ",
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
            .push(") AS m WHERE ")
            .push(table)
            .push(".id = m.column1")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}
