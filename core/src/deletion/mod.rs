//! Moves deleted pages, lessons, modules and courses to the trash, with everything that belongs to them
//! ([decision 111](../../../docs/decisions/0111-trash.md)). `trash` lists and restores them.

pub(crate) mod badges;
pub(crate) mod chunk;
pub(crate) mod posts;
mod put;

use std::collections::HashSet;

use chrono::Duration;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId, UserId};
use kurso_db::{Tx, sql};

pub(crate) use put::put;

/// How long an entry is kept.
pub fn retention() -> Duration {
    Duration::days(30)
}

/// What was deleted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum TrashKind {
    Course,
    Module,
    Lesson,
    Page,
}

impl TrashKind {
    /// As stored and sent.
    pub fn name(self) -> &'static str {
        match self {
            TrashKind::Course => "course",
            TrashKind::Module => "module",
            TrashKind::Lesson => "lesson",
            TrashKind::Page => "page",
        }
    }

    pub(crate) fn table(self) -> &'static str {
        match self {
            TrashKind::Course => "courses",
            TrashKind::Module => "modules",
            TrashKind::Lesson => "lessons",
            TrashKind::Page => "pages",
        }
    }
}

/// A part of a course, or the course, that is deleted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub kind: TrashKind,
    pub id: Uuid,
}

macro_rules! part {
    ($($id:ident => $kind:ident),+) => {$(
        impl From<$id> for Part {
            fn from(id: $id) -> Self {
                Part {
                    kind: TrashKind::$kind,
                    id: id.0,
                }
            }
        }
    )+};
}
part!(CourseId => Course, ModuleId => Module, LessonId => Lesson, PageId => Page);

/// A part above a deleted one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Above {
    pub id: Uuid,
    pub title: String,
}

/// Deletes what was deleted from courses that are about to be deleted for good with the account of their owner, and from those of the owner
/// that are in the trash. The entries of these courses themselves go with the account.
pub(crate) async fn delete_of_owner(tx: &mut Tx, owner: UserId, courses: &[CourseId]) -> Result<(), sqlx::Error> {
    let trashed = sql!("SELECT course_id FROM trash_entries WHERE owner_id = $1", owner);
    let trashed = trashed.fetch_all::<(CourseId,)>(&mut *tx).await?;
    let all: HashSet<CourseId> = trashed
        .into_iter()
        .map(|(id,)| id)
        .chain(courses.iter().copied())
        .collect();
    if !all.is_empty() {
        let delete = sql!("DELETE FROM trash_entries WHERE course_id IN ").push_in(all);
        delete.execute(tx).await?;
    }
    Ok(())
}
