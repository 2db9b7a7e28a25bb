//! Consistency checks of dates: time zones that are known, an order, years that an author may write, penalties, and what overrides say.

use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use uuid::Uuid;

use super::{Report, Rule, structure};
use crate::courses::dates::{course_dates_columns, dates_columns, late_columns};
use kurso_base::error::Result;
use kurso_base::schedule::{CourseDates, Dates, Late, TimeZone, is_near};
use kurso_db::{Snapshot, sql};

#[derive(sqlx::FromRow)]
struct Whole {
    id: Uuid,
    #[sqlx(flatten)]
    dates: CourseDates,
}

#[derive(sqlx::FromRow)]
struct Part {
    id: Uuid,
    #[sqlx(flatten)]
    dates: Dates,
}

#[derive(sqlx::FromRow)]
struct Page {
    id: Uuid,
    #[sqlx(flatten)]
    dates: Dates,
    #[sqlx(flatten)]
    late: Late,
}

#[derive(sqlx::FromRow)]
struct Override {
    id: Uuid,
    #[sqlx(flatten)]
    dates: Dates,
    late_until: Option<DateTime<Utc>>,
}

/// For each check, as in [`structure::each`]: what an override says, and the penalties of late policies and attempts.
const VALUES: [(&str, &str, &str, &str); 8] = [
    (
        "schedule_overrides",
        "it both sets and lifts a field",
        "SELECT id FROM schedule_overrides WHERE (available_from_lifted AND available_from IS NOT NULL)
         OR (available_until_lifted AND available_until IS NOT NULL) OR (due_at_lifted AND due_at IS NOT NULL)
         OR (late_until_lifted AND late_until IS NOT NULL) OR (extra_attempts_lifted AND extra_attempts IS NOT NULL)
         OR (time_factor_lifted AND time_factor IS NOT NULL)",
        "SELECT COUNT(*) FROM schedule_overrides",
    ),
    (
        "schedule_overrides",
        "it overrides nothing",
        "SELECT id FROM schedule_overrides WHERE COALESCE(available_from, available_until, due_at, late_until) IS NULL
         AND extra_attempts IS NULL AND time_factor IS NULL AND NOT (available_from_lifted OR available_until_lifted
         OR due_at_lifted OR late_until_lifted OR extra_attempts_lifted OR time_factor_lifted)",
        "SELECT COUNT(*) FROM schedule_overrides",
    ),
    (
        "schedule_overrides",
        "it gives attempts or late attempts to something that is no quiz",
        "SELECT o.id FROM schedule_overrides o LEFT JOIN pages p ON p.id = o.page_id
         WHERE (o.extra_attempts IS NOT NULL OR o.extra_attempts_lifted OR o.late_until IS NOT NULL OR o.late_until_lifted)
         AND COALESCE(p.kind, 'content') = 'content'",
        "SELECT COUNT(*) FROM schedule_overrides",
    ),
    (
        "schedule_overrides",
        "it gives more time to a page that is no quiz",
        "SELECT o.id FROM schedule_overrides o JOIN pages p ON p.id = o.page_id
         WHERE (o.time_factor IS NOT NULL OR o.time_factor_lifted) AND p.kind = 'content'",
        "SELECT COUNT(*) FROM schedule_overrides WHERE page_id IS NOT NULL",
    ),
    (
        "schedule_overrides",
        "it gives the course itself a due date",
        "SELECT id FROM schedule_overrides WHERE (due_at IS NOT NULL OR due_at_lifted)
         AND module_id IS NULL AND lesson_id IS NULL AND page_id IS NULL",
        "SELECT COUNT(*) FROM schedule_overrides",
    ),
    (
        "pages",
        "its penalty for late attempts is not between 0 and 100 percent",
        "SELECT id FROM pages WHERE late_penalty_per_day NOT BETWEEN 0 AND 100 OR late_penalty_max NOT BETWEEN 0 AND 100",
        "SELECT COUNT(*) FROM pages",
    ),
    (
        "attempts",
        "the penalty that it lost is not between 0 and 100 percent",
        "SELECT id FROM attempts WHERE penalty_percent NOT BETWEEN 0 AND 100",
        "SELECT COUNT(*) FROM attempts",
    ),
    (
        "ended_attempts",
        "the penalty that it lost is not between 0 and 100 percent",
        "SELECT id FROM ended_attempts WHERE penalty_percent NOT BETWEEN 0 AND 100",
        "SELECT COUNT(*) FROM ended_attempts",
    ),
];

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let text = concat!("SELECT id, ", course_dates_columns!(), " FROM courses");
    let mut rows = on.records::<Whole>(sql!(text))?;
    while let Some(Whole { id, dates }) = rows.try_next().await? {
        let at = format!("courses {id}");
        if let Some(zone) = dates
            .time_zone
            .as_deref()
            .filter(|zone| TimeZone::named(zone).is_none())
        {
            report.found(
                Rule::Dates,
                at.clone(),
                format!("its time zone {zone:?} is unknown"),
                None,
            );
        }
        let all = [dates.starts_at, dates.ends_at, dates.enroll_until];
        found(report, at, &all, &dates.misplaced());
    }
    drop(rows);
    let parts = [
        (
            "modules",
            concat!(
                "SELECT id, ",
                dates_columns!(),
                " FROM modules WHERE COALESCE(available_from, available_until, due_at) IS NOT NULL"
            ),
        ),
        (
            "lessons",
            concat!(
                "SELECT id, ",
                dates_columns!(),
                " FROM lessons WHERE COALESCE(available_from, available_until, due_at) IS NOT NULL"
            ),
        ),
    ];
    for (table, text) in parts {
        let mut rows = on.records::<Part>(sql!(text))?;
        while let Some(Part { id, dates }) = rows.try_next().await? {
            let all = [dates.available_from, dates.available_until, dates.due_at];
            found(report, format!("{table} {id}"), &all, &dates.misplaced());
        }
    }
    let text = concat!(
        "SELECT id, ",
        dates_columns!(),
        ", ",
        late_columns!(),
        " FROM pages WHERE COALESCE(available_from, available_until, due_at, late_until) IS NOT NULL"
    );
    let mut rows = on.records::<Page>(sql!(text))?;
    while let Some(Page { id, dates, late }) = rows.try_next().await? {
        let all = [
            dates.available_from,
            dates.available_until,
            dates.due_at,
            late.late_until,
        ];
        let misplaced = [dates.misplaced(), late.misplaced(&dates)].concat();
        found(report, format!("pages {id}"), &all, &misplaced);
    }
    drop(rows);
    // Later dates of the course may put those of an override out of order.
    let text = concat!("SELECT id, ", dates_columns!(), ", late_until FROM schedule_overrides");
    let mut rows = on.records::<Override>(sql!(text))?;
    while let Some(Override { id, dates, late_until }) = rows.try_next().await? {
        let all = [dates.available_from, dates.available_until, dates.due_at, late_until];
        found(report, format!("schedule_overrides {id}"), &all, &[]);
    }
    drop(rows);
    structure::each(on, report, Rule::Dates, &VALUES).await
}

/// Reports the dates of a row.
fn found(report: &mut Report, at: String, all: &[Option<DateTime<Utc>>], misplaced: &[&str]) {
    report.checked(Rule::Dates, 1);
    for far in all.iter().flatten().filter(|at| !is_near(**at)) {
        let problem = format!("its date {far} is not between 2000 and 2099");
        report.found(Rule::Dates, at.clone(), problem, None);
    }
    if !misplaced.is_empty() {
        let problem = format!("its dates are out of order: {}", misplaced.join(", "));
        report.found(Rule::Dates, at, problem, None);
    }
}
