//! Reads modules with their lessons; creates, changes, moves and deletes modules.

use super::dates::{DatesChange, dates_columns, given};
use super::lesson::{self, Lesson};
use super::order::{self, Siblings};
use super::{Scope, begin, find, prerequisites};
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::deletion::{self, TrashKind};
use crate::{Kurso, files};
use kurso_base::error::{Error, Result};
use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::{CourseId, ModuleId, PartId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, ScheduleTime};
use kurso_base::values::{Change, Description, Few, Position, Title};
use kurso_db::events::Event;
use kurso_db::sql;
use kurso_db::{DbOrTx, Executor};
use uuid::Uuid;

/// A module with its lessons and their pages in order, as authors see it.
#[derive(Clone, Debug)]
pub struct Module {
    pub id: ModuleId,
    pub course_id: CourseId,
    pub title: String,
    pub description: Option<String>,
    pub position: i64,
    pub avatar_url: Option<String>,
    pub dates: Dates,
    /// The modules and lessons that must be complete before it, in reading order.
    pub prerequisites: Vec<Uuid>,
    pub lessons: Vec<Lesson>,
}

#[derive(sqlx::FromRow)]
struct ModuleRow {
    id: ModuleId,
    course_id: CourseId,
    title: String,
    description: Option<String>,
    position: i64,
    avatar_key: Option<String>,
    avatar_name: Option<String>,
    #[sqlx(flatten)]
    dates: Dates,
}

/// A new module. Without a position it is appended to its course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateModule {
    pub title: Title,
    pub description: Option<Description>,
    pub position: Option<Position>,
    pub available_from: Option<ScheduleTime>,
    pub available_until: Option<ScheduleTime>,
    pub due_at: Option<ScheduleTime>,
}

/// A change of a module. Fields that are None or `Keep` stay as they are. `position` moves it among its siblings.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateModule {
    pub title: Option<Title>,
    pub description: Change<Description>,
    pub position: Option<Position>,
    pub remove_avatar: bool,
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

/// Creates an empty module.
pub async fn create(kurso: &Kurso, viewer: &Viewer, course: CourseId, new: CreateModule) -> Result<Module> {
    let course = find(&kurso.db, viewer, course, Right::Edit).await?;
    let dates = DatesChange {
        expected: ExpectedDates::default(),
        available_from: given(new.available_from),
        available_until: given(new.available_until),
        due_at: given(new.due_at),
    };
    let dates = dates.apply(Dates::default(), course.dates.zone())?;
    let course = course.id;

    let (id, now) = (ModuleId::new(), kurso.clock.now());
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let position = order::make_room(
        &mut tx,
        course,
        Siblings::Modules(course),
        new.position.map(Position::get),
    )
    .await?;
    sql!(
        concat!(
            "INSERT INTO modules (id, course_id, title, description, position, created_at, updated_at, ",
            dates_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)"
        ),
        id,
        course,
        new.title.as_str(),
        new.description.map(String::from),
        position,
        now,
        dates.available_from,
        dates.available_until,
        dates.due_at
    )
    .execute(&mut tx)
    .await?;
    let module = read(DbOrTx::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(module)
}

/// Returns a module as its authors and teachers see it.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: ModuleId) -> Result<Module> {
    find(&kurso.db, viewer, id, Right::ReadAsAuthor).await?;
    read(DbOrTx::Db(&kurso.db), id).await
}

impl UpdateModule {
    fn dates(&self) -> DatesChange {
        DatesChange {
            expected: self.expected_dates.unwrap_or_default(),
            available_from: self.available_from,
            available_until: self.available_until,
            due_at: self.due_at,
        }
    }

    fn is_empty(&self) -> bool {
        self.title.is_none()
            && self.description.is_keep()
            && self.position.is_none()
            && !self.remove_avatar
            && self.dates().is_keep()
            && self.prerequisites.is_none()
    }
}

/// Changes a module. Fails with 422 for dates out of order, prerequisites that the course does not have, and a cycle of prerequisites.
pub async fn update(kurso: &Kurso, viewer: &Viewer, id: ModuleId, update: UpdateModule) -> Result<Module> {
    let found = find(&kurso.db, viewer, id, Right::Edit).await?;
    let course = found.id;
    if update.is_empty() {
        return read(DbOrTx::Db(&kurso.db), id).await;
    }

    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let (at, stored) = read_row(&mut tx, id).await.map(|row| (row.position, row.dates))?;
    let dates = update.dates().apply(stored, found.dates.zone())?;
    let siblings = Siblings::Modules(course);
    let position = order::move_child(
        &mut tx,
        course,
        (siblings, at),
        siblings,
        update.position.map(Position::get),
    )
    .await?
    .ok_or(Error::NotFound(Message::CourseNotFound))?;
    sql!(
        "UPDATE modules SET title = COALESCE($2, title), position = $5, updated_at = $6,
         description = CASE WHEN $3 THEN $4 ELSE description END,
         avatar_file_id = CASE WHEN $7 THEN NULL ELSE avatar_file_id END,
         available_from = $8, available_until = $9, due_at = $10 WHERE id = $1",
        id,
        update.title.map(String::from),
        !update.description.is_keep(),
        update.description.value().map(String::from),
        position,
        now,
        update.remove_avatar,
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
        None if update.position.is_some() => prerequisites::require_no_cycle(&mut tx, course, "position").await?,
        None => {}
    }
    let module = read(DbOrTx::Tx(&mut tx), id).await?;
    tx.commit().await?;
    Ok(module)
}

/// Moves a module with its content to the trash. Returns its course.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: ModuleId) -> Result<CourseId> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course, Scope::Structure(now)).await?;
    let deleted = deletion::put(&mut tx, id, viewer.id(), now).await?;
    let deleted = deleted.ok_or(Error::NotFound(Message::ModuleNotFound))?;
    order::close_gap(&mut tx, Siblings::Modules(course), deleted.position).await?;
    let entry = Entry::new(Act::PartDeleted).by(viewer.id()).in_course(course);
    entry.detail(TrashKind::Module.name()).write(&mut tx, now).await?;
    tx.publish(Event::Removed { course });
    tx.commit().await?;
    Ok(course)
}

/// Reads a module with its lessons and their pages, in four statements.
pub(super) async fn read(mut on: DbOrTx<'_>, id: ModuleId) -> Result<Module> {
    let row = read_row(&mut on, id).await?;
    let mut needs = prerequisites::of_course(&mut on, row.course_id).await?;
    Ok(Module {
        id,
        course_id: row.course_id,
        title: row.title,
        description: row.description,
        position: row.position,
        avatar_url: files::url_of(row.avatar_key, row.avatar_name),
        dates: row.dates,
        prerequisites: needs.remove(&id.0).unwrap_or_default(),
        lessons: lesson::read_all(on, row.id, needs).await?,
    })
}

async fn read_row(on: impl Executor, id: ModuleId) -> Result<ModuleRow> {
    let row = sql!(
        concat!(
            "SELECT m.id, m.course_id, m.title, m.description, m.position, f.key AS avatar_key, f.filename AS avatar_name, ",
            dates_columns!("m"),
            " FROM modules m LEFT JOIN files f ON f.id = m.avatar_file_id WHERE m.id = $1"
        ),
        id
    );
    let row = row.fetch_optional::<ModuleRow>(on).await?;
    row.ok_or(Error::NotFound(Message::ModuleNotFound))
}
