//! Restores a course from a snapshot.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::changes::digest;
use super::content::{Content, all_texts, content};
use super::{Snapshot, entry, read};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::Act;
use crate::capture::{self, Outline, SnapshotReason};
use crate::courses::order::{self, Siblings};
use crate::courses::{self, Course, Scope, quota};
use crate::drafts;
use crate::trash::{TrashKind, Trashed};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, ModuleId, PageId, SnapshotId};
use kurso_base::messages::Message;
use kurso_db::events::Event;
use kurso_db::{Tx, sql};

/// What was restored.
#[derive(Clone, Debug)]
pub struct Restored {
    pub course: Course,
    /// A snapshot of the course as it was before.
    pub before: Snapshot,
    /// Pages that are unpublished, other than in the snapshot, because question banks have too few questions for their quizzes now.
    pub unpublished: Vec<PageId>,
}

/// Makes a course equal to its snapshot. Parts that were deleted since return from the trash with visits, attempts and grades, if they are still
/// there, and otherwise without; parts that were made since go to the trash. Owner and editors. Fails with 409 if `digest` is not that of the
/// changes that would be made now.
pub async fn restore(kurso: &Kurso, viewer: &Viewer, id: SnapshotId, shown: &str) -> Result<Restored> {
    let found = content(kurso, viewer, id).await?;
    let texts = all_texts(kurso, &found).await?;
    let (course, now, by) = (found.snapshot.course_id, kurso.clock.now(), viewer.id());
    let mut tx = courses::begin(&kurso.db, course, Scope::Structure(now)).await?;
    let present = Outline::read(&mut tx, course).await?;
    if digest(id, &present)? != shown {
        tx.rollback().await?;
        return Err(Error::Conflict(Message::SnapshotOutdated));
    }
    let reason = SnapshotReason::BeforeRestore;
    let before = capture::before_with(&mut tx, course, by, reason, now, present.clone()).await?;
    // On the heap, because these futures are too large for the stack of a caller.
    Box::pin(bring_back(&mut tx, &found, &present, now)).await?;
    let unpublished = Box::pin(drafts::restore(&mut tx, course, by, now, found.outline(), texts)).await?;
    quota::check(kurso, &mut tx, course).await?;
    entry(Act::SnapshotRestored, viewer, course, id)
        .write(&mut tx, now)
        .await?;
    let before = read(&mut tx, before).await?;
    tx.publish(Event::Groups { course });
    tx.commit().await?;
    Ok(Restored {
        course: courses::find(&kurso.db, viewer, course, Right::Edit).await?,
        before,
        unpublished,
    })
}

fn ids(outline: &Outline) -> HashSet<Uuid> {
    let modules = outline.modules.iter().map(|module| module.id);
    let lessons = outline.lessons().map(|lesson| lesson.id);
    modules
        .chain(lessons)
        .chain(outline.pages().map(|page| page.id))
        .collect()
}

/// Puts back from the trash what the snapshot has and the course does not. Where it stands does not matter yet.
async fn bring_back(tx: &mut Tx, found: &Content, present: &Outline, now: DateTime<Utc>) -> Result<()> {
    let (course, outline) = (found.snapshot.course_id, found.outline());
    let missing: HashSet<Uuid> = ids(outline).difference(&ids(present)).copied().collect();
    let mut trashed = Trashed::find(&mut *tx, course, &missing).await?;
    trashed
        .put_back(&mut *tx, TrashKind::Module, |_, _| Some(course.0))
        .await?;
    add_modules(&mut *tx, course, outline, now).await?;

    let above = outline.modules.iter();
    let above = above.flat_map(|module| module.lessons.iter().map(|lesson| (lesson.id, module.id)));
    let module_of: HashMap<Uuid, Uuid> = above.collect();
    let modules = all(&mut *tx, "SELECT id FROM modules WHERE course_id = $1", course).await?;
    let any = outline.modules.first().map(|module| module.id);
    // A lesson that the snapshot does not have contains a page that it has.
    let module = |lesson: Uuid, parent: Option<Uuid>| {
        let parent = parent.filter(|parent| modules.contains(parent));
        module_of.get(&lesson).copied().or(parent).or(any)
    };
    trashed.put_back(&mut *tx, TrashKind::Lesson, module).await?;
    add_lessons(&mut *tx, course, outline, now).await?;

    let above = outline.lessons();
    let above = above.flat_map(|lesson| lesson.pages.iter().map(|page| (page.id, lesson.id)));
    let lesson_of: HashMap<Uuid, Uuid> = above.collect();
    trashed
        .put_back(tx, TrashKind::Page, |page, _| lesson_of.get(&page).copied())
        .await
}

async fn all(tx: &mut Tx, select: &'static str, course: CourseId) -> Result<HashSet<Uuid>> {
    let rows = sql!(select, course).fetch_all::<(Uuid,)>(tx).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Creates the modules that are not in the trash any more, because the lessons that return need them. [`drafts::restore`] writes their other
/// fields.
async fn add_modules(tx: &mut Tx, course: CourseId, outline: &Outline, now: DateTime<Utc>) -> Result<()> {
    let there = all(&mut *tx, "SELECT id FROM modules WHERE course_id = $1", course).await?;
    for module in outline.modules.iter().filter(|module| !there.contains(&module.id)) {
        let position = order::make_room(&mut *tx, course, Siblings::Modules(course), None).await?;
        sql!(
            "INSERT INTO modules (id, course_id, title, position, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)",
            module.id,
            course,
            &module.title,
            position,
            now
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// The same for lessons.
async fn add_lessons(tx: &mut Tx, course: CourseId, outline: &Outline, now: DateTime<Utc>) -> Result<()> {
    let there = all(&mut *tx, "SELECT id FROM lessons WHERE course_id = $1", course).await?;
    for module in &outline.modules {
        for lesson in module.lessons.iter().filter(|lesson| !there.contains(&lesson.id)) {
            let siblings = Siblings::Lessons(ModuleId(module.id));
            let position = order::make_room(&mut *tx, course, siblings, None).await?;
            sql!(
                "INSERT INTO lessons (id, course_id, module_id, title, position, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)",
                lesson.id,
                course,
                module.id,
                &lesson.title,
                position,
                now
            )
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}
