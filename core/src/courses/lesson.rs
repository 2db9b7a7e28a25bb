//! Reads lessons with their pages; creates, changes, moves and deletes lessons.

use std::collections::HashMap;

use serde_json::Value;
use uuid::Uuid;

use super::dates::{DatesChange, dates_columns, given, late_columns};
use super::order::{self, Siblings};
use super::page::Summary;
use super::{Scope, begin, find, prerequisites};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::deletion::{self, TrashKind};
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::{CourseId, LessonId, ModuleId, PartId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, ScheduleTime};
use kurso_base::values::{Change, Few, Position, Title};
use kurso_db::events::Event;
use kurso_db::sql;
use kurso_db::{DbOrTx, Executor};

/// The columns that hold what an author gives a lesson: they are read with it, and taken over by a copy.
macro_rules! lesson_columns {
    () => {
        concat!("title, position, ", $crate::courses::dates::dates_columns!())
    };
}
pub(super) use lesson_columns;

/// A lesson with its pages in order, as authors see it. Rows of a tree have no prerequisites and pages here.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Lesson {
    pub id: LessonId,
    pub module_id: ModuleId,
    pub course_id: CourseId,
    pub title: String,
    pub position: i64,
    #[sqlx(flatten)]
    pub dates: Dates,
    /// The modules and lessons that must be complete before it, in reading order.
    #[sqlx(skip)]
    pub prerequisites: Vec<Uuid>,
    #[sqlx(skip)]
    pub pages: Vec<Summary>,
}

/// A new lesson. Without a position it is appended to its module.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateLesson {
    pub title: Title,
    pub position: Option<Position>,
    pub available_from: Option<ScheduleTime>,
    pub available_until: Option<ScheduleTime>,
    pub due_at: Option<ScheduleTime>,
}

/// A change of a lesson. Fields that are None stay as they are. `position` and `module_id` move it within its course.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateLesson {
    pub title: Option<Title>,
    /// Without a position the lesson is appended to the module.
    pub module_id: Option<ModuleId>,
    pub position: Option<Position>,
    pub available_from: Change<ScheduleTime>,
    pub available_until: Change<ScheduleTime>,
    pub due_at: Change<ScheduleTime>,
    /// What the editor has read of the dates. The change fails with 409 if others are stored.
    #[cfg_attr(any(test, feature = "testing"), serde(skip))]
    pub expected_dates: Option<ExpectedDates>,
    /// Replaces the modules and lessons that must be complete before it.
    pub prerequisites: Option<Few<PartId>>,
    /// The ones that the editor has read. The change of them fails with 409 if others are stored.
    pub expected_prerequisites: Option<Few<PartId>>,
}

impl UpdateLesson {
    fn dates(&self) -> DatesChange {
        DatesChange {
            expected: self.expected_dates.unwrap_or_default(),
            available_from: self.available_from,
            available_until: self.available_until,
            due_at: self.due_at,
        }
    }
}

/// Creates an empty lesson. Fails with 422 if that closes a cycle of prerequisites.
pub async fn create(kurso: &Kurso, viewer: &Viewer, module: ModuleId, new: CreateLesson) -> Result<Lesson> {
    let course = find(&kurso.db, viewer, module, Right::Edit).await?;
    let dates = DatesChange {
        expected: ExpectedDates::default(),
        available_from: given(new.available_from),
        available_until: given(new.available_until),
        due_at: given(new.due_at),
    };
    let dates = dates.apply(Dates::default(), course.dates.zone())?;
    let course = course.id;

    let (id, now) = (LessonId::new(), kurso.clock.now());
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let position = order::make_room(
        &mut tx,
        course,
        Siblings::Lessons(module),
        new.position.map(Position::get),
    )
    .await?;
    sql!(
        concat!(
            "INSERT INTO lessons (id, module_id, course_id, title, position, created_at, updated_at, ",
            dates_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)"
        ),
        id,
        module,
        course,
        new.title.as_str(),
        position,
        now,
        dates.available_from,
        dates.available_until,
        dates.due_at
    )
    .execute(&mut tx)
    .await?;
    prerequisites::require_no_cycle(&mut tx, course, "position").await?;
    let lesson = read(DbOrTx::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(lesson)
}

/// Returns a lesson as its authors and teachers see it.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: LessonId) -> Result<Lesson> {
    find(&kurso.db, viewer, id, Right::ReadAsAuthor).await?;
    read(DbOrTx::Db(&kurso.db), id).await
}

/// Changes a lesson. Fails with 422 if the module does not belong to the course, for dates out of order, for prerequisites that the course does
/// not have, and for a cycle of prerequisites.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: LessonId, update: UpdateLesson) -> Result<Lesson> {
    let found = find(&kurso.db, viewer, id, Right::Edit).await?;
    let course = found.id;
    if update == UpdateLesson::default() {
        return read(DbOrTx::Db(&kurso.db), id).await;
    }

    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let Lesson {
        module_id: from,
        position: at,
        dates: stored,
        ..
    } = read_row(&mut tx, id).await?;
    let dates = update.dates().apply(stored, found.dates.zone())?;
    let to = update.module_id.unwrap_or(from);
    let position = order::move_child(
        &mut tx,
        course,
        (Siblings::Lessons(from), at),
        Siblings::Lessons(to),
        update.position.map(Position::get),
    )
    .await?
    .ok_or_else(|| unknown_module(to))?;
    sql!(
        "UPDATE lessons SET title = COALESCE($2, title), module_id = $3, position = $4, updated_at = $5,
         available_from = $6, available_until = $7, due_at = $8 WHERE id = $1",
        id,
        update.title.map(String::from),
        to,
        position,
        now,
        dates.available_from,
        dates.available_until,
        dates.due_at
    )
    .execute(&mut tx)
    .await?;
    match &update.prerequisites {
        Some(needs) => {
            let expected = update.expected_prerequisites.as_ref();
            prerequisites::replace(&mut tx, course, id.0, needs, expected).await?;
        }
        None if to != from => prerequisites::require_no_cycle(&mut tx, course, "module_id").await?,
        None if update.position.is_some() => prerequisites::require_no_cycle(&mut tx, course, "position").await?,
        None => {}
    }
    let lesson = read(DbOrTx::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(lesson)
}

/// The 422 for a module that does not exist or belongs to another course; the two are indistinguishable.
fn unknown_module(module: ModuleId) -> Error {
    let input = Value::String(module.to_string());
    Error::invalid(FieldError::body(
        "value_error",
        "module_id",
        Message::UnknownModule,
        input,
    ))
}

/// Moves a lesson with its content to the trash. Returns its former module.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: LessonId) -> Result<ModuleId> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let deleted = deletion::put(&mut tx, id, viewer.id(), now).await?;
    let deleted = deleted.ok_or(Error::NotFound(Message::LessonNotFound))?;
    let module = ModuleId(deleted.parent);
    order::close_gap(&mut tx, Siblings::Lessons(module), deleted.position).await?;
    let entry = Entry::new(Act::PartDeleted).by(viewer.id()).in_course(course);
    entry.detail(TrashKind::Lesson.name()).write(&mut tx, now).await?;
    tx.publish(Event::Removed { course });
    tx.commit().await?;
    Ok(module)
}

/// Reads a lesson with its pages, in three statements.
pub(super) async fn read(mut on: DbOrTx<'_>, id: LessonId) -> Result<Lesson> {
    let mut lesson = read_row(&mut on, id).await?;
    let mut needs = prerequisites::of_course(&mut on, lesson.course_id).await?;
    lesson.prerequisites = needs.remove(&id.0).unwrap_or_default();
    lesson.pages = sql!(
        concat!(
            "SELECT id, lesson_id, title, kind, position, published, ",
            dates_columns!(),
            ", ",
            late_columns!(),
            " FROM pages WHERE lesson_id = $1 ORDER BY position, id"
        ),
        id
    )
    .fetch_all(&mut on)
    .await?;
    Ok(lesson)
}

async fn read_row(on: impl Executor, id: LessonId) -> Result<Lesson> {
    let row = sql!(
        concat!(
            "SELECT id, module_id, course_id, ",
            lesson_columns!(),
            " FROM lessons WHERE id = $1"
        ),
        id
    );
    let row = row.fetch_optional::<Lesson>(on).await?;
    row.ok_or(Error::NotFound(Message::LessonNotFound))
}

/// Reads the lessons of a module in order, in two statements. `needs` has the prerequisites of each.
pub(super) async fn read_all(
    mut on: DbOrTx<'_>,
    module: ModuleId,
    mut needs: HashMap<Uuid, Vec<Uuid>>,
) -> Result<Vec<Lesson>> {
    let mut lessons = sql!(
        concat!(
            "SELECT id, module_id, course_id, ",
            lesson_columns!(),
            " FROM lessons WHERE module_id = $1 ORDER BY position, id"
        ),
        module
    )
    .fetch_all::<Lesson>(&mut on)
    .await?;
    let pages = sql!(
        concat!(
            "SELECT p.id, p.lesson_id, p.title, p.kind, p.position, p.published, ",
            dates_columns!("p"),
            ", ",
            late_columns!("p"),
            " FROM lessons l JOIN pages p ON p.lesson_id = l.id WHERE l.module_id = $1 ORDER BY p.position, p.id"
        ),
        module
    )
    .fetch_all::<Summary>(&mut on)
    .await?;
    let mut by_lesson: HashMap<LessonId, Vec<Summary>> = HashMap::new();
    for page in pages {
        by_lesson.entry(page.lesson_id).or_default().push(page);
    }
    for lesson in &mut lessons {
        lesson.prerequisites = needs.remove(&lesson.id.0).unwrap_or_default();
        lesson.pages = by_lesson.remove(&lesson.id).unwrap_or_default();
    }
    Ok(lessons)
}
