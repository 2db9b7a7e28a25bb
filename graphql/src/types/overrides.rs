use async_graphql::{Enum, ID, SimpleObject};
use kurso_base::values::Change;
use kurso_core::courses::overrides::{Part, StoredOverride, StudentName, Target};

use super::{DateTime, StudentGroup, id_of, int};

/// What differs for one group or one student from the dates and attempts of a course, a module, a lesson or a page. Null is inherited,
/// unless `lifted` names it. That of a student precedes that of the group.
#[derive(SimpleObject)]
pub struct ScheduleOverride {
    /// Unique ID.
    id: ID,
    /// The group; null for an override of a student.
    group: Option<StudentGroup>,
    /// The student; null for an override of a group.
    student: Option<OverrideStudent>,
    /// ID of the module; null for other parts.
    module_id: Option<ID>,
    /// ID of the lesson; null for other parts.
    lesson_id: Option<ID>,
    /// ID of the page; null for other parts. Without any of the three, the override is of the course itself.
    page_id: Option<ID>,
    /// Own start; of the course itself, the start of the course.
    available_from: Option<DateTime>,
    /// Own end; of the course itself, the end of the course.
    available_until: Option<DateTime>,
    /// Own due date. A lifted one also lifts those of the parts above it.
    due_at: Option<DateTime>,
    /// End of late attempts at a quiz. A lifted one means that late attempts have no end.
    late_until: Option<DateTime>,
    /// Attempts at a quiz beyond its limit, 0 to 100. Lifted ones mean that there is no limit.
    extra_attempts: Option<i32>,
    /// Factor of the time for timed quizzes, 1 to 5. A lifted one means that the time is not limited.
    time_factor: Option<f64>,
    /// The limits that do not apply.
    lifted: Vec<OverrideLimit>,
    /// When it was set.
    updated_at: DateTime,
}

/// The student of an override.
#[derive(SimpleObject)]
pub struct OverrideStudent {
    /// The `id` of the `Student`.
    id: ID,
    /// Null when the user has not given a name.
    full_name: Option<String>,
    /// Email address of the account.
    email: String,
}

/// A limit that an override may lift.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum OverrideLimit {
    /// The own start.
    AvailableFrom,
    /// The own end.
    AvailableUntil,
    /// The due date.
    DueAt,
    /// The end of late attempts.
    LateUntil,
    /// The limit of attempts.
    ExtraAttempts,
    /// The time for timed quizzes.
    TimeFactor,
}

impl From<StudentName> for OverrideStudent {
    fn from(student: StudentName) -> Self {
        OverrideStudent {
            id: id_of(student.enrollment_id),
            full_name: student.full_name,
            email: student.email,
        }
    }
}

impl From<StoredOverride> for ScheduleOverride {
    fn from(stored: StoredOverride) -> Self {
        let values = stored.values;
        let (group, student) = match stored.target {
            Target::Group(group) => (Some(StudentGroup::from(&group)), None),
            Target::Student(student) => (None, Some(student.into())),
        };
        let part = |of: fn(Part) -> Option<ID>| of(stored.part);
        let limits = [
            (OverrideLimit::AvailableFrom, values.available_from == Change::Clear),
            (OverrideLimit::AvailableUntil, values.available_until == Change::Clear),
            (OverrideLimit::DueAt, values.due_at == Change::Clear),
            (OverrideLimit::LateUntil, values.late_until == Change::Clear),
            (OverrideLimit::ExtraAttempts, values.extra_attempts == Change::Clear),
            (OverrideLimit::TimeFactor, values.time_factor == Change::Clear),
        ];
        ScheduleOverride {
            id: id_of(stored.id),
            group,
            student,
            module_id: part(|part| {
                if let Part::Module(id) = part {
                    Some(id_of(id))
                } else {
                    None
                }
            }),
            lesson_id: part(|part| {
                if let Part::Lesson(id) = part {
                    Some(id_of(id))
                } else {
                    None
                }
            }),
            page_id: part(|part| {
                if let Part::Page(id) = part {
                    Some(id_of(id))
                } else {
                    None
                }
            }),
            available_from: values.available_from.value().map(DateTime),
            available_until: values.available_until.value().map(DateTime),
            due_at: values.due_at.value().map(DateTime),
            late_until: values.late_until.value().map(DateTime),
            extra_attempts: values.extra_attempts.value().map(int),
            time_factor: values.time_factor.value(),
            lifted: limits
                .into_iter()
                .filter(|(_, is)| *is)
                .map(|(limit, _)| limit)
                .collect(),
            updated_at: DateTime(stored.updated_at),
        }
    }
}
