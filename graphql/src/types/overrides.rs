use async_graphql::{Enum, ID, SimpleObject};
use kurso_base::values::Change;
use kurso_core::courses::overrides::{self, Earlier, Part, StoredOverride, StudentName, Target};

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

/// Effective dates of a part of a course, with those inherited from the parts above it. Null: no limit.
#[derive(SimpleObject)]
pub struct PartTimes {
    /// Latest start.
    available_from: Option<DateTime>,
    /// Earliest end.
    available_until: Option<DateTime>,
    /// Nearest due date upwards.
    due_at: Option<DateTime>,
    /// End of late attempts at a quiz; null without a due date.
    late_until: Option<DateTime>,
    /// Whether late attempts are accepted without an end; false without a due date.
    is_late_endless: bool,
}

/// The end of a part; without an ID, of the course itself.
#[derive(SimpleObject)]
pub struct PartEnd {
    /// ID of the module; null for other parts.
    module_id: Option<ID>,
    /// ID of the lesson; null for other parts.
    lesson_id: Option<ID>,
    /// ID of the page; null for other parts.
    page_id: Option<ID>,
    /// When it ends.
    available_until: DateTime,
}

/// Effective dates of a part of a course, without and with an override.
#[derive(SimpleObject)]
pub struct OverrideTimes {
    /// For everybody.
    everyone: PartTimes,
    /// For the group of the student; null without a student, and for a student without a group.
    group: Option<PartTimes>,
    /// For the group or student of the override, with the override; for everybody if there is neither.
    result: PartTimes,
    /// The later of the due date and the end of late attempts that the override sets; null if it sets neither.
    deadline: Option<DateTime>,
    /// The part and the parts above it that end before the deadline for the group or student of the override; outermost first.
    earlier_ends: Vec<PartEnd>,
    /// If the override sets an end: the parts below whose own dates still end earlier for them.
    earlier_parts: EarlierParts,
    /// If the override sets an end for a group: the students of the group whose own overrides still end earlier.
    earlier_students: EarlierStudents,
}

/// Parts that end earlier.
#[derive(SimpleObject)]
pub struct EarlierParts {
    /// The number of all.
    total_count: i32,
    /// The first 20 in the order of the course.
    nodes: Vec<EarlierPart>,
}

/// A part that ends earlier.
#[derive(SimpleObject)]
pub struct EarlierPart {
    /// ID of the module; null for other parts.
    module_id: Option<ID>,
    /// ID of the lesson; null for other parts.
    lesson_id: Option<ID>,
    /// ID of the page; null for other parts.
    page_id: Option<ID>,
    /// The due date or the end, whichever comes first.
    at: DateTime,
}

/// Students for whom the part ends earlier.
#[derive(SimpleObject)]
pub struct EarlierStudents {
    /// The number of all.
    total_count: i32,
    /// The first 20 in the order in which they enrolled.
    nodes: Vec<EarlierStudent>,
}

/// A student for whom the part ends earlier.
#[derive(SimpleObject)]
pub struct EarlierStudent {
    /// The student.
    student: OverrideStudent,
    /// The due date or the end, whichever comes first.
    at: DateTime,
}

impl From<Earlier<Part>> for EarlierParts {
    fn from(found: Earlier<Part>) -> Self {
        let part = |(part, at)| {
            let [module_id, lesson_id, page_id] = part_ids(part);
            EarlierPart {
                module_id,
                lesson_id,
                page_id,
                at: DateTime(at),
            }
        };
        EarlierParts {
            total_count: int(found.count),
            nodes: found.named.into_iter().map(part).collect(),
        }
    }
}

impl From<Earlier<StudentName>> for EarlierStudents {
    fn from(found: Earlier<StudentName>) -> Self {
        let student = |(student, at): (StudentName, _)| EarlierStudent {
            student: student.into(),
            at: DateTime(at),
        };
        EarlierStudents {
            total_count: int(found.count),
            nodes: found.named.into_iter().map(student).collect(),
        }
    }
}

/// IDs of the module, the lesson and the page, at most one of which is given.
pub fn part_ids(part: Part) -> [Option<ID>; 3] {
    match part {
        Part::Course => [None, None, None],
        Part::Module(id) => [Some(id_of(id)), None, None],
        Part::Lesson(id) => [None, Some(id_of(id)), None],
        Part::Page(id) => [None, None, Some(id_of(id))],
    }
}

impl From<overrides::Times> for PartTimes {
    fn from(times: overrides::Times) -> Self {
        PartTimes {
            available_from: times.available_from.map(DateTime),
            available_until: times.available_until.map(DateTime),
            due_at: times.due_at.map(DateTime),
            late_until: times.late_until.map(DateTime),
            is_late_endless: times.is_late_endless,
        }
    }
}

impl From<overrides::OverrideTimes> for OverrideTimes {
    fn from(times: overrides::OverrideTimes) -> Self {
        let end = |(part, end)| {
            let [module_id, lesson_id, page_id] = part_ids(part);
            PartEnd {
                module_id,
                lesson_id,
                page_id,
                available_until: DateTime(end),
            }
        };
        OverrideTimes {
            everyone: times.everyone.into(),
            group: times.group.map(PartTimes::from),
            result: times.result.into(),
            deadline: times.deadline.map(DateTime),
            earlier_ends: times.earlier_ends.into_iter().map(end).collect(),
            earlier_parts: times.earlier_parts.into(),
            earlier_students: times.earlier_students.into(),
        }
    }
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
        let [module_id, lesson_id, page_id] = part_ids(stored.part);
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
            module_id,
            lesson_id,
            page_id,
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
