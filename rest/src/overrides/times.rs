//! Response schemas of the effective dates of a part with an override.

use chrono::{DateTime, Utc};
use kurso_base::wire;
use kurso_core::courses::overrides::{self as core, Earlier, Part, StudentName};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::ids;

/// Effective dates of a part, with those inherited from the parts above it. Null: no limit.
#[derive(Serialize, ToSchema)]
pub struct PartTimes {
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_from: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub available_until: Option<DateTime<Utc>>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
    /// End of late attempts at a quiz; null without a due date.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub late_until: Option<DateTime<Utc>>,
    /// Whether late attempts are accepted without an end; false without a due date.
    pub is_late_endless: bool,
}

impl From<core::Times> for PartTimes {
    fn from(times: core::Times) -> Self {
        PartTimes {
            available_from: times.available_from,
            available_until: times.available_until,
            due_at: times.due_at,
            late_until: times.late_until,
            is_late_endless: times.is_late_endless,
        }
    }
}

/// The end of a part; without an id, of the course itself.
#[derive(Serialize, ToSchema)]
pub struct PartEnd {
    #[schema(required)]
    pub module_id: Option<Uuid>,
    #[schema(required)]
    pub lesson_id: Option<Uuid>,
    #[schema(required)]
    pub page_id: Option<Uuid>,
    #[serde(serialize_with = "wire::time")]
    pub available_until: DateTime<Utc>,
}

/// Effective dates of a part, without and with an override.
#[derive(Serialize, ToSchema)]
pub struct OverrideTimes {
    pub everyone: PartTimes,
    /// For the group of the student; null without a student, and for a student without a group.
    #[schema(required)]
    pub group: Option<PartTimes>,
    /// For the group or student of the override, with the override; for everybody if there is neither.
    pub result: PartTimes,
    /// The later of the due date and the end of late attempts that the override sets; null if it sets neither.
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub deadline: Option<DateTime<Utc>>,
    /// The part and the parts above it that end before the deadline for the group or student of the override; outermost first.
    pub earlier_ends: Vec<PartEnd>,
    /// If the override sets an end: the parts below whose own dates still end earlier for them.
    pub earlier_parts: EarlierParts,
    /// If the override sets an end for a group: the students of the group whose own overrides still end earlier.
    pub earlier_students: EarlierStudents,
}

/// Parts that end earlier, in the order of the course.
#[derive(Serialize, ToSchema)]
pub struct EarlierParts {
    /// The first 20.
    pub data: Vec<EarlierPart>,
    /// Number of all.
    pub count: usize,
}

/// A part that ends earlier.
#[derive(Serialize, ToSchema)]
pub struct EarlierPart {
    #[schema(required)]
    pub module_id: Option<Uuid>,
    #[schema(required)]
    pub lesson_id: Option<Uuid>,
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// The due date or the end, whichever comes first.
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
}

/// Students for whom the part ends earlier, in the order in which they enrolled.
#[derive(Serialize, ToSchema)]
pub struct EarlierStudents {
    /// The first 20.
    pub data: Vec<EarlierStudent>,
    /// Number of all.
    pub count: usize,
}

/// A student for whom the part ends earlier.
#[derive(Serialize, ToSchema)]
pub struct EarlierStudent {
    pub enrollment_id: Uuid,
    /// Null when the user has not given a name.
    #[schema(required)]
    pub full_name: Option<String>,
    pub email: String,
    /// The due date or the end, whichever comes first.
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
}

impl From<Earlier<Part>> for EarlierParts {
    fn from(found: Earlier<Part>) -> Self {
        let part = |(part, at)| {
            let [module_id, lesson_id, page_id] = ids(part);
            EarlierPart {
                module_id,
                lesson_id,
                page_id,
                at,
            }
        };
        EarlierParts {
            data: found.named.into_iter().map(part).collect(),
            count: found.count,
        }
    }
}

impl From<Earlier<StudentName>> for EarlierStudents {
    fn from(found: Earlier<StudentName>) -> Self {
        let student = |(student, at): (StudentName, _)| EarlierStudent {
            enrollment_id: student.enrollment_id.0,
            full_name: student.full_name,
            email: student.email,
            at,
        };
        EarlierStudents {
            data: found.named.into_iter().map(student).collect(),
            count: found.count,
        }
    }
}

impl From<core::OverrideTimes> for OverrideTimes {
    fn from(times: core::OverrideTimes) -> Self {
        let end = |(part, available_until)| {
            let [module_id, lesson_id, page_id] = ids(part);
            PartEnd {
                module_id,
                lesson_id,
                page_id,
                available_until,
            }
        };
        OverrideTimes {
            everyone: times.everyone.into(),
            group: times.group.map(PartTimes::from),
            result: times.result.into(),
            deadline: times.deadline,
            earlier_ends: times.earlier_ends.into_iter().map(end).collect(),
            earlier_parts: times.earlier_parts.into(),
            earlier_students: times.earlier_students.into(),
        }
    }
}
