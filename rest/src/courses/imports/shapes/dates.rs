//! Response schemas of the dates that an update changes.

use chrono::{DateTime, Utc};
use kurso_base::wire;
use kurso_core::drafts::{DateChange, DateField, DatedPart};
use serde::Serialize;
use utoipa::ToSchema;

/// A date that an update changes.
#[derive(Serialize, ToSchema)]
pub struct ImportDateChange {
    #[schema(inline, value_type = ImportDatedPart)]
    pub part: DatedPart,
    /// Title after the update. Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    /// Number among its siblings, from 1.
    pub number: i64,
    #[schema(inline, value_type = ImportDateField)]
    pub field: DateField,
    /// Null if there is none.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub before: Option<DateTime<Utc>>,
    /// Null if it is cleared.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub after: Option<DateTime<Utc>>,
}

/// Kind of a part with dates.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ImportDatedPart {
    Course,
    Module,
    Lesson,
    Page,
}

/// Name of a date.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum ImportDateField {
    StartsAt,
    EndsAt,
    EnrollUntil,
    AvailableFrom,
    AvailableUntil,
    DueAt,
    LateUntil,
}

impl ImportDateChange {
    pub fn of(change: DateChange) -> Self {
        ImportDateChange {
            part: change.part,
            title: change.title,
            number: change.number,
            field: change.field,
            before: change.before,
            after: change.after,
        }
    }
}
