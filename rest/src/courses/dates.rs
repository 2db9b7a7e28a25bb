//! Changes of many dates of a course at once.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::dates_entries::DatesEntries;
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::CourseId;
use kurso_base::messages::Message as Text;
use kurso_base::values::ShiftDays;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::courses::set_dates::{self as core, SetDates, SetDatesError};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::KursoState;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::fields::{Command, Field, body, entries_schema, entry_schema};
use crate::openapi_parts::CourseRefusals;

body! {
    /// At most 10,000 changes of dates of one course, and a shift of what they name.
    DatesSet -> SetDates {
        dates: DatesEntries,
        /// Moves all dates of the named parts and overrides by so many days of the course's zone; their time of day stays. The dates of the
        /// entries are set before.
        shift_days: Option<ShiftDays>,
    }
}

impl Field for DatesEntries {
    fn schema() -> RefOr<Schema> {
        entries_schema("PartDatesChange", Self::MAX)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let ids = ["module_id", "lesson_id", "page_id", "override_id"];
        let object = entry_schema(ids, ExpectedDates::DATES).description(Some(
            "Changes of the dates of one module, lesson, page or override; without an id, of the course itself. Dates that are absent stay, null \
             clears one. A date is a time with its offset, a local time of the course's zone, or a day. `starts_at`, `ends_at` and `enroll_until` \
             are of the course, `late_until` of quiz pages and overrides. Of an override, a date that it has can be replaced. If the dates in \
             `expected_dates` are no longer stored, nothing of the whole request is changed (409).",
        ));
        let object = object.property("expected_dates", ExpectedDates::schema());
        to.push(("PartDatesChange".to_owned(), object.into()));
        ExpectedDates::schemas(to);
    }
}

/// The dates of one module, lesson, page or override; without an id, of the course itself. Dates that it cannot have are null.
#[derive(Serialize, ToSchema)]
pub struct PartDates {
    #[schema(required)]
    pub module_id: Option<Uuid>,
    #[schema(required)]
    pub lesson_id: Option<Uuid>,
    #[schema(required)]
    pub page_id: Option<Uuid>,
    #[schema(required)]
    pub override_id: Option<Uuid>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub starts_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub ends_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub enroll_until: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_from: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_until: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub late_until: Option<DateTime<Utc>>,
}

impl From<core::PartDates> for PartDates {
    fn from(dates: core::PartDates) -> Self {
        let (module, lesson, page, over) = dates.of.ids();
        PartDates {
            module_id: module.map(|id| id.0),
            lesson_id: lesson.map(|id| id.0),
            page_id: page.map(|id| id.0),
            override_id: over.map(|id| id.0),
            starts_at: dates.starts_at,
            ends_at: dates.ends_at,
            enroll_until: dates.enroll_until,
            available_from: dates.available_from,
            available_until: dates.available_until,
            due_at: dates.due_at,
            late_until: dates.late_until,
        }
    }
}

/// What is stored after the change, in the order of the request.
#[derive(Serialize, ToSchema)]
pub struct StoredDates {
    pub dates: Vec<PartDates>,
}

/// Somebody else has changed dates since the client read them. Nothing was changed.
#[derive(Serialize, ToSchema)]
pub struct DatesConflict {
    detail: String,
    /// The parts and overrides whose dates are not the expected ones, with what is stored.
    changed: Vec<PartDates>,
}

fn shapes(dates: Vec<core::PartDates>) -> Vec<PartDates> {
    dates.into_iter().map(PartDates::from).collect()
}

/// Set many dates of a course
///
/// Changes the dates of the course, its modules, lessons and pages, and of overrides in one transaction: all of them, or none. Owner and editors;
/// for overrides, the owner and teachers.
#[utoipa::path(
    put, path = "/api/v1/courses/set_dates/{course_id}", operation_id = "courses-set_dates", tag = "courses",
    request_body = DatesSet,
    responses(
        CourseRefusals,
        (status = 200, description = "The stored dates", body = StoredDates),
        (status = 409, description = "Dates have changed since the client read them", body = DatesConflict),
    )
)]
pub async fn set_dates(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(course): Path<CourseId>,
    Command(command): Command<DatesSet>,
) -> Result<Json<StoredDates>> {
    let stored = core::set_dates(&kurso, &viewer, course, command).await;
    let dates = stored.map_err(|error| match error {
        SetDatesError::Refused(error) => error.into(),
        SetDatesError::Conflict(changed) => Error::outdated(Text::DatesChanged, "changed", &shapes(changed)),
    })?;
    Ok(Json(StoredDates { dates: shapes(dates) }))
}
