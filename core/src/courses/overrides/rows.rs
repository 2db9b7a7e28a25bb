//! Overrides as they are stored.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, LessonId, ModuleId, PageId, UserId};
use kurso_base::values::Change;
use kurso_db::{Db, Executor, sql};

use super::Part;
use crate::schedule::overrides::Override;

/// The columns of a [`Row`]; `o` is the table.
macro_rules! columns {
    () => {
        "o.course_id, o.group_id, o.user_id, o.module_id, o.lesson_id, o.page_id, o.available_from, o.available_from_lifted,
         o.available_until, o.available_until_lifted, o.due_at, o.due_at_lifted, o.late_until, o.late_until_lifted,
         o.extra_attempts, o.extra_attempts_lifted, o.time_factor, o.time_factor_lifted"
    };
}
pub(super) use columns;

#[derive(Clone, Debug, sqlx::FromRow)]
pub(in crate::courses) struct Row {
    pub(super) course_id: CourseId,
    group_id: Option<GroupId>,
    user_id: Option<UserId>,
    module_id: Option<ModuleId>,
    lesson_id: Option<LessonId>,
    page_id: Option<PageId>,
    available_from: Option<DateTime<Utc>>,
    available_from_lifted: bool,
    available_until: Option<DateTime<Utc>>,
    available_until_lifted: bool,
    due_at: Option<DateTime<Utc>>,
    due_at_lifted: bool,
    late_until: Option<DateTime<Utc>>,
    late_until_lifted: bool,
    extra_attempts: Option<i64>,
    extra_attempts_lifted: bool,
    time_factor: Option<f64>,
    time_factor_lifted: bool,
}

/// Whom a stored override is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TargetId {
    Group(GroupId),
    User(UserId),
}

impl Row {
    /// None for a row that the table does not admit.
    pub(super) fn target(&self) -> Option<TargetId> {
        match (self.group_id, self.user_id) {
            (Some(group), _) => Some(TargetId::Group(group)),
            (None, user) => user.map(TargetId::User),
        }
    }

    pub(super) fn group(&self) -> Option<GroupId> {
        self.group_id
    }

    pub(super) fn part(&self) -> Part {
        match (self.page_id, self.lesson_id, self.module_id) {
            (Some(page), ..) => Part::Page(page),
            (None, Some(lesson), _) => Part::Lesson(lesson),
            (None, None, Some(module)) => Part::Module(module),
            (None, None, None) => Part::Course,
        }
    }

    pub(super) fn values(&self) -> Override {
        Override {
            available_from: change(self.available_from, self.available_from_lifted),
            available_until: change(self.available_until, self.available_until_lifted),
            due_at: change(self.due_at, self.due_at_lifted),
            late_until: change(self.late_until, self.late_until_lifted),
            extra_attempts: change(self.extra_attempts, self.extra_attempts_lifted),
            time_factor: change(self.time_factor, self.time_factor_lifted),
        }
    }
}

fn change<T>(value: Option<T>, lifted: bool) -> Change<T> {
    match value {
        Some(value) => Change::Set(value),
        None if lifted => Change::Clear,
        None => Change::Keep,
    }
}

/// The overrides of the courses. One statement; none for no course.
pub(in crate::courses) async fn read_all(
    db: &Db,
    courses: impl Iterator<Item = CourseId>,
) -> Result<HashMap<CourseId, Vec<Row>>> {
    let courses: Vec<CourseId> = courses.collect();
    let mut by_course: HashMap<CourseId, Vec<Row>> = HashMap::new();
    if courses.is_empty() {
        return Ok(by_course);
    }
    let rows = sql!(concat!(
        "SELECT ",
        columns!(),
        " FROM schedule_overrides o WHERE o.course_id IN "
    ))
    .push_in(courses);
    for row in rows.fetch_all::<Row>(db).await? {
        by_course.entry(row.course_id).or_default().push(row);
    }
    Ok(by_course)
}

/// The override of a page for a learner: that of the learner over that of the group.
pub(crate) async fn at_page(on: impl Executor, enrollment: EnrollmentId, page: PageId) -> Result<Override> {
    let rows = sql!(
        concat!(
            "SELECT ",
            columns!(),
            " FROM schedule_overrides o JOIN enrollments e ON e.course_id = o.course_id
             AND (e.user_id = o.user_id OR e.group_id = o.group_id) WHERE e.id = $1 AND o.page_id = $2"
        ),
        enrollment,
        page
    )
    .fetch_all::<Row>(on)
    .await?;
    let of = |is_wanted: fn(TargetId) -> bool| {
        let mut found = rows.iter().filter(|row| row.target().is_some_and(is_wanted));
        found.next().map(Row::values).unwrap_or_default()
    };
    Ok(of(|target| matches!(target, TargetId::User(_))).over(of(|target| matches!(target, TargetId::Group(_)))))
}
