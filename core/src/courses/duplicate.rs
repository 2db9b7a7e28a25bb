//! Deep copies of a course, a module, a lesson or a page.
//!
//! Content is copied inside the database; only texts with links to pages are read, so that links inside the copied part lead to
//! the copies. Unpublished changes of pages are copied too. Files are shared: a copy refers to the same rows of `files`, and a file is kept while any page uses it. A copy
//! of a course has its groups, without their learners and overrides, and its gradebook, without what teachers decided; its dates may move by days. It has the cover and the design of certificates, and is private. History,
//! visits, attempts, enrollments and share codes are not copied.

mod certificates;
mod cover;
mod discussions;
mod gradebook;
mod page_drafts;
mod shift;
mod texts;

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::dates::{course_dates_columns, dates_columns, late_columns};
use super::lesson::{self, Lesson, lesson_columns};
use super::module::{self, Module};
use super::order::{self, Siblings};
use super::page::{self, PageRead};
use super::prerequisites::{self, PartIds};
use super::quota;
use super::{Course, ROWS, Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, GroupId, LessonId, ModuleId, PageId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::{ShiftDays, Title};
use kurso_db::{Arg, DbOrTx, Sql, Tx, args, sql};

/// The suffix of a copied title, in every language: from then on the title is the author's text.
const SUFFIX: &str = " (копия)";

/// The columns that a copy takes over, beside those that say where it is.
const MODULE: &str = concat!("title, description, position, avatar_file_id, ", dates_columns!());
const LESSON: &str = lesson_columns!();
const PAGE: &str = concat!(
    "title, kind, position, published, max_attempts, ",
    dates_columns!(),
    ", ",
    late_columns!()
);

/// How a course is copied.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct DuplicateCourse {
    /// By how many days all dates move; None leaves them as they are.
    pub shift_days: Option<ShiftDays>,
}

/// Copies a course with its whole content into a new course of the viewer; owner and editors only. Fails with 422 if a date would be
/// moved out of the years of dates.
pub async fn course(kurso: &Kurso, viewer: &Viewer, id: CourseId, how: DuplicateCourse) -> Result<Course> {
    find(&kurso.db, viewer, id, Right::Edit).await?;
    let mut copies = Copies::new(kurso, viewer, CourseId::new());
    let mut tx = begin(&kurso.db, id, Scope::Unchanged).await?;
    let (title,) = sql!("SELECT title FROM courses WHERE id = $1", id)
        .fetch_one::<(String,)>(&mut tx)
        .await?;
    sql!(
        concat!(
            "INSERT INTO courses (id, owner_id, title, structure_version, created_at, updated_at, description, ",
            course_dates_columns!(),
            ") SELECT $1, $2, $3, 1, $4, $4, description, ",
            course_dates_columns!(),
            " FROM courses WHERE id = $5"
        ),
        copies.course,
        viewer.id(),
        copied(&title),
        copies.now,
        id
    )
    .execute(&mut tx)
    .await?;
    let modules = sql!("SELECT id FROM modules WHERE course_id = $1", id);
    copies.plan_modules(modules.fetch_all(&mut tx).await?);
    let lessons = sql!("SELECT id, module_id FROM lessons WHERE course_id = $1", id);
    copies.plan_lessons(lessons.fetch_all(&mut tx).await?);
    let pages = sql!("SELECT id, lesson_id FROM pages WHERE course_id = $1", id);
    copies.plan_pages(pages.fetch_all(&mut tx).await?);
    let groups = sql!("SELECT id FROM groups WHERE course_id = $1", id);
    copies.plan_groups(groups.fetch_all(&mut tx).await?);
    copies.write(kurso, &mut tx, id).await?;
    if let Some(days) = how.shift_days {
        shift::move_dates(&mut tx, copies.course, days, copies.now).await?;
    }
    copies.enter_drafts(&mut tx).await?;
    tx.commit().await?;
    find(&kurso.db, viewer, copies.course, Right::Edit).await
}

/// Copies a module with its content and inserts the copy after it.
pub async fn module(kurso: &Kurso, viewer: &Viewer, id: ModuleId) -> Result<Module> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let mut copies = Copies::new(kurso, viewer, course);
    let mut tx = begin(&kurso.db, course, Scope::Structure(copies.now)).await?;
    let (title, at) = sql!("SELECT title, position FROM modules WHERE id = $1", id)
        .fetch_optional::<(String, i64)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::ModuleNotFound))?;
    copies.plan_modules(vec![(id,)]);
    let lessons = sql!("SELECT id, module_id FROM lessons WHERE module_id = $1", id);
    copies.plan_lessons(lessons.fetch_all(&mut tx).await?);
    let pages = sql!(
        "SELECT p.id, p.lesson_id FROM lessons l JOIN pages p ON p.lesson_id = l.id WHERE l.module_id = $1",
        id
    );
    copies.plan_pages(pages.fetch_all(&mut tx).await?);
    let position = order::make_room(&mut tx, course, Siblings::Modules(course), Some(at + 1)).await?;
    copies.write(kurso, &mut tx, course).await?;
    let copy = copies.modules.first().map_or(id, |m| m.new);
    sql!(
        "UPDATE modules SET title = $2, position = $3 WHERE id = $1",
        copy,
        copied(&title),
        position
    )
    .execute(&mut tx)
    .await?;
    copies.enter_drafts(&mut tx).await?;
    let module = module::read(DbOrTx::Tx(&mut tx), copy).await?;
    tx.commit().await?;
    Ok(module)
}

/// Copies a lesson with its pages and inserts the copy after it.
pub async fn lesson(kurso: &Kurso, viewer: &Viewer, id: LessonId) -> Result<Lesson> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let mut copies = Copies::new(kurso, viewer, course);
    let mut tx = begin(&kurso.db, course, Scope::Structure(copies.now)).await?;
    let (module, title, at) = sql!("SELECT module_id, title, position FROM lessons WHERE id = $1", id)
        .fetch_optional::<(ModuleId, String, i64)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::LessonNotFound))?;
    copies.plan_lessons(vec![(id, module)]);
    let pages = sql!("SELECT id, lesson_id FROM pages WHERE lesson_id = $1", id);
    copies.plan_pages(pages.fetch_all(&mut tx).await?);
    let position = order::make_room(&mut tx, course, Siblings::Lessons(module), Some(at + 1)).await?;
    copies.write(kurso, &mut tx, course).await?;
    let copy = copies.lessons.first().map_or(id, |l| l.new);
    sql!(
        "UPDATE lessons SET title = $2, position = $3 WHERE id = $1",
        copy,
        copied(&title),
        position
    )
    .execute(&mut tx)
    .await?;
    copies.enter_drafts(&mut tx).await?;
    let lesson = lesson::read(DbOrTx::Tx(&mut tx), copy).await?;
    tx.commit().await?;
    Ok(lesson)
}

/// Copies a page and inserts the copy after it. The copy of a page without a title has none either.
pub async fn page(kurso: &Kurso, viewer: &Viewer, id: PageId) -> Result<PageRead> {
    let course = find(&kurso.db, viewer, id, Right::Edit).await?.id;
    let mut copies = Copies::new(kurso, viewer, course);
    let mut tx = begin(&kurso.db, course, Scope::Structure(copies.now)).await?;
    let (lesson, title, at) = sql!("SELECT lesson_id, title, position FROM pages WHERE id = $1", id)
        .fetch_optional::<(LessonId, Option<String>, i64)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::PageNotFound))?;
    copies.plan_pages(vec![(id, lesson)]);
    let position = order::make_room(&mut tx, course, Siblings::Pages(lesson), Some(at + 1)).await?;
    copies.write(kurso, &mut tx, course).await?;
    let copy = copies.pages.first().map_or(id, |p| p.new);
    sql!(
        "UPDATE pages SET title = $2, position = $3 WHERE id = $1",
        copy,
        title.as_deref().map(copied),
        position
    )
    .execute(&mut tx)
    .await?;
    copies.mark_draft(&mut tx, copy).await?;
    copies.enter_drafts(&mut tx).await?;
    copies.index(&mut tx).await?; // with the title of the copy
    let page = page::read(&mut tx, copy).await?;
    tx.commit().await?;
    Ok(page)
}

fn copied(title: &str) -> String {
    title.chars().chain(SUFFIX.chars()).take(Title::MAX).collect()
}

/// An original, its copy and the parent of the copy.
struct Pair<Id, Parent> {
    old: Id,
    new: Id,
    parent: Parent,
}

/// The modules, lessons and pages to copy into a course.
struct Copies {
    course: CourseId,
    by: UserId,
    now: DateTime<Utc>,
    modules: Vec<Pair<ModuleId, CourseId>>,
    lessons: Vec<Pair<LessonId, ModuleId>>,
    pages: Vec<Pair<PageId, LessonId>>,
    /// Whether the original course has drafts of pages; most have none.
    has_drafts: bool,
    groups: Vec<Pair<GroupId, CourseId>>,
}

impl Copies {
    fn new(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Self {
        Copies {
            course,
            by: viewer.id(),
            now: kurso.clock.now(),
            modules: vec![],
            lessons: vec![],
            pages: vec![],
            has_drafts: false,
            groups: vec![],
        }
    }

    fn plan_modules(&mut self, rows: Vec<(ModuleId,)>) {
        let parent = self.course;
        self.modules = rows
            .into_iter()
            .map(|(old,)| Pair {
                old,
                new: ModuleId::new(),
                parent,
            })
            .collect();
    }

    /// Lessons whose module is not copied stay in that module.
    fn plan_lessons(&mut self, rows: Vec<(LessonId, ModuleId)>) {
        let modules: HashMap<_, _> = self.modules.iter().map(|m| (m.old, m.new)).collect();
        self.lessons = rows
            .into_iter()
            .map(|(old, module)| Pair {
                old,
                new: LessonId::new(),
                parent: modules.get(&module).copied().unwrap_or(module),
            })
            .collect();
    }

    /// Pages whose lesson is not copied stay in that lesson.
    fn plan_pages(&mut self, rows: Vec<(PageId, LessonId)>) {
        let lessons: HashMap<_, _> = self.lessons.iter().map(|l| (l.old, l.new)).collect();
        self.pages = rows
            .into_iter()
            .map(|(old, lesson)| Pair {
                old,
                new: PageId::new(),
                parent: lessons.get(&lesson).copied().unwrap_or(lesson),
            })
            .collect();
    }

    fn plan_groups(&mut self, rows: Vec<(GroupId,)>) {
        let parent = self.course;
        self.groups = rows
            .into_iter()
            .map(|(old,)| Pair {
                old,
                new: GroupId::new(),
                parent,
            })
            .collect();
    }

    /// Writes the rows: four statements per 500 pages, more if there are drafts, one per 500 lessons, modules or groups, and two for each 20 texts that
    /// hold links, and at least one for prerequisites. Titles and positions are those of the originals, which are in the course `from`. Fails with 413 when the owner's quota is full.
    async fn write(&mut self, kurso: &Kurso, tx: &mut Tx, from: CourseId) -> Result<()> {
        self.write_modules(tx).await?;
        self.write_lessons(tx).await?;
        self.write_pages(tx).await?;
        self.write_drafts(tx, from).await?;
        self.write_groups(tx).await?;
        self.write_prerequisites(tx, from).await?;
        self.write_gradebook(tx, from).await?;
        self.write_discussion_settings(tx, from).await?;
        self.write_cover(tx, from).await?;
        self.write_certificate_design(tx, from).await?;
        self.lead_links_to_copies(tx).await?;
        self.index(tx).await?;
        quota::check(kurso, tx, self.course).await
    }

    /// The start of a copy, up to the times of the new rows.
    fn insert<'q>(&self, table: &'static str, columns: &'static str) -> Sql<'q> {
        let insert = sql!("INSERT INTO ").push(table).push(columns);
        let select = insert.push(") SELECT m.column2, m.column3, ");
        select.push_bind(self.now).push(", ").push_bind(self.now)
    }

    async fn write_modules(&self, tx: &mut Tx) -> Result<()> {
        for chunk in self.modules.chunks(ROWS) {
            let insert = self.insert("modules (id, course_id, created_at, updated_at, ", MODULE);
            pairs(insert.push(", ").push(MODULE), chunk)
                .push(" JOIN modules s ON s.id = m.column1")
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }

    async fn write_lessons(&self, tx: &mut Tx) -> Result<()> {
        for chunk in self.lessons.chunks(ROWS) {
            let insert = self.insert("lessons (id, module_id, created_at, updated_at, course_id, ", LESSON);
            pairs(insert.push(", ").push_bind(self.course).push(", ").push(LESSON), chunk)
                .push(" JOIN lessons s ON s.id = m.column1")
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }

    async fn write_pages(&self, tx: &mut Tx) -> Result<()> {
        for chunk in self.pages.chunks(ROWS) {
            let insert = self.insert(
                "pages (id, lesson_id, created_at, updated_at, course_id, version, ",
                PAGE,
            );
            let insert = insert.push(", ").push_bind(self.course).push(", 1, ");
            pairs(insert.push(PAGE), chunk)
                .push(" JOIN pages s ON s.id = m.column1")
                .execute(&mut *tx)
                .await?;

            let insert = sql!(
                "INSERT INTO page_contents (page_id, content, quiz, editor_id) SELECT m.column2, s.content, s.quiz, "
            );
            pairs(insert.push_bind(self.by), chunk)
                .push(" JOIN page_contents s ON s.page_id = m.column1")
                .execute(&mut *tx)
                .await?;

            // Files that only the history refers to stay with the original. A key has 32 hexadecimal digits, so a text that
            // contains it refers to the file.
            let insert = sql!("INSERT INTO page_files (page_id, file_id) SELECT m.column2, s.file_id");
            pairs(insert, chunk)
                .push(
                    " JOIN page_files s ON s.page_id = m.column1 JOIN files f ON f.id = s.file_id
                     JOIN page_contents c ON c.page_id = m.column1
                     WHERE c.content LIKE '%' || f.key || '%' OR c.quiz LIKE '%' || f.key || '%'",
                )
                .execute(&mut *tx)
                .await?;

            let insert = sql!("INSERT INTO page_banks (page_id, bank_id) SELECT m.column2, s.bank_id");
            pairs(insert, chunk)
                .push(" JOIN page_banks s ON s.page_id = m.column1")
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }

    async fn write_groups(&self, tx: &mut Tx) -> Result<()> {
        for chunk in self.groups.chunks(ROWS) {
            let insert =
                sql!("INSERT INTO groups (id, course_id, created_at, title, position) SELECT m.column2, m.column3, ");
            pairs(insert.push_bind(self.now).push(", s.title, s.position"), chunk)
                .push(" JOIN groups s ON s.id = m.column1")
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }

    /// A copy needs the copies of what its original needs, or the same where that is not copied.
    async fn write_prerequisites(&self, tx: &mut Tx, from: CourseId) -> Result<()> {
        if self.modules.is_empty() && self.lessons.is_empty() {
            return Ok(());
        }
        let modules: HashMap<_, _> = self.modules.iter().map(|m| (m.old, m.new)).collect();
        let lessons: HashMap<_, _> = self.lessons.iter().map(|l| (l.old, l.new)).collect();
        let stored = sql!(
            "SELECT module_id, lesson_id, needs_module_id, needs_lesson_id FROM prerequisites WHERE course_id = $1",
            from
        );
        let stored = stored
            .fetch_all::<(Option<ModuleId>, Option<LessonId>, Option<ModuleId>, Option<LessonId>)>(&mut *tx)
            .await?;
        let copies = stored
            .into_iter()
            .filter_map(|(module, lesson, needs_module, needs_lesson)| {
                let of = (
                    module.and_then(|id| modules.get(&id).copied()),
                    lesson.and_then(|id| lessons.get(&id).copied()),
                );
                let needs = (
                    needs_module.map(|id| modules.get(&id).copied().unwrap_or(id)),
                    needs_lesson.map(|id| lessons.get(&id).copied().unwrap_or(id)),
                );
                (of.0.is_some() || of.1.is_some()).then_some((of, needs))
            });
        let rows: Vec<(PartIds, PartIds)> = copies.collect();
        prerequisites::insert(tx, self.course, &rows).await
    }
}

/// ` FROM (VALUES (old, new, parent), …) AS m`: both databases call the columns `column1`, `column2`, `column3`.
fn pairs<'q, Id, Parent>(sql: Sql<'q>, rows: &[Pair<Id, Parent>]) -> Sql<'q>
where
    Id: Copy + Arg<'q> + 'q,
    Parent: Copy + Arg<'q> + 'q,
{
    sql.push(" FROM (VALUES ")
        .push_rows(rows, |row| args![row.old, row.new, row.parent])
        .push(") AS m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_title_is_cut_to_what_a_title_may_be() {
        assert_eq!(copied("Курс"), "Курс (копия)");
        assert_eq!(copied(&"я".repeat(255)), "я".repeat(255));
        assert_eq!(copied(&"я".repeat(250)), format!("{} (коп", "я".repeat(250)));
    }
}
