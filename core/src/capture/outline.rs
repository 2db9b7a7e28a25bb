//! A course without the texts of its pages, as a snapshot stores it. A field that is added later needs a default, because snapshots without it
//! are stored.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use kurso_base::error::{Error, Result};
use kurso_base::hex::hex;
use kurso_base::ids::CourseId;
use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_db::{Tx, sql};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
pub(crate) struct Outline {
    pub title: String,
    pub description: Option<String>,
    #[sqlx(flatten)]
    pub dates: CourseDates,
    #[sqlx(skip)]
    pub modules: Vec<Module>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
pub(crate) struct Module {
    pub id: Uuid,
    pub key: Option<String>,
    pub title: String,
    pub description: Option<String>,
    /// The key of the file.
    pub avatar: Option<String>,
    #[sqlx(flatten)]
    pub dates: Dates,
    /// The modules and lessons that it needs.
    #[sqlx(skip)]
    pub needs: Vec<Uuid>,
    #[sqlx(skip)]
    pub lessons: Vec<Lesson>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
pub(crate) struct Lesson {
    pub id: Uuid,
    pub key: Option<String>,
    pub title: String,
    #[sqlx(flatten)]
    pub dates: Dates,
    #[sqlx(skip)]
    pub needs: Vec<Uuid>,
    #[sqlx(skip)]
    pub pages: Vec<Page>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
pub(crate) struct Page {
    pub id: Uuid,
    pub key: Option<String>,
    pub title: Option<String>,
    /// As stored in `pages`.
    pub kind: String,
    pub published: bool,
    #[sqlx(flatten)]
    pub dates: Dates,
    #[sqlx(flatten)]
    pub late: Late,
    /// Together with `created_at` they name the texts: a page that was restored without its history counts anew.
    pub version: i64,
    pub draft_version: Option<i64>,
    pub created_at: DateTime<Utc>,
    /// The row of `snapshot_texts` with its texts; 0 before they are stored.
    #[sqlx(skip)]
    pub seq: i64,
}

impl Page {
    /// Whether both have the same texts. False means that they may differ.
    pub fn has_texts_of(&self, other: &Page) -> bool {
        let names = |page: &Page| (page.created_at, page.version, page.draft_version);
        names(self) == names(other)
    }
}

#[derive(sqlx::FromRow)]
struct LessonRow {
    module_id: Uuid,
    #[sqlx(flatten)]
    lesson: Lesson,
}

#[derive(sqlx::FromRow)]
struct PageRow {
    lesson_id: Uuid,
    #[sqlx(flatten)]
    page: Page,
}

#[derive(sqlx::FromRow)]
struct NeedRow {
    part: Uuid,
    need: Uuid,
}

impl Outline {
    /// Reads a course that the transaction has locked. Five statements.
    pub async fn read(tx: &mut Tx, course: CourseId) -> Result<Self> {
        let row = sql!(
            "SELECT title, description, starts_at, ends_at, enroll_until, time_zone, hide_locked_titles, sequential FROM courses WHERE id = $1",
            course
        );
        let mut outline = row.fetch_one::<Outline>(&mut *tx).await?;
        let modules = sql!(
            "SELECT m.id, m.key, m.title, m.description, f.key AS avatar, m.available_from, m.available_until, m.due_at
             FROM modules m LEFT JOIN files f ON f.id = m.avatar_file_id WHERE m.course_id = $1 ORDER BY m.position, m.id",
            course
        );
        outline.modules = modules.fetch_all(&mut *tx).await?;
        let lessons = sql!(
            "SELECT id, module_id, key, title, available_from, available_until, due_at FROM lessons WHERE course_id = $1 ORDER BY position, id",
            course
        );
        let lessons = lessons.fetch_all::<LessonRow>(&mut *tx).await?;
        let pages = sql!(
            "SELECT p.id, p.lesson_id, p.key, p.title, p.kind, p.published, p.available_from, p.available_until, p.due_at, p.late_until,
               p.late_penalty_per_day, p.late_penalty_max, p.version, p.created_at, d.version AS draft_version
             FROM pages p LEFT JOIN page_drafts d ON d.page_id = p.id WHERE p.course_id = $1 ORDER BY p.position, p.id",
            course
        );
        let pages = pages.fetch_all::<PageRow>(&mut *tx).await?;
        let needs = sql!(
            "SELECT COALESCE(module_id, lesson_id) AS part, COALESCE(needs_module_id, needs_lesson_id) AS need FROM prerequisites
             WHERE course_id = $1 ORDER BY 1, 2",
            course
        );
        let mut needs_of: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
        for row in needs.fetch_all::<NeedRow>(tx).await? {
            needs_of.entry(row.part).or_default().push(row.need);
        }
        let mut pages_of: HashMap<Uuid, Vec<Page>> = HashMap::new();
        for PageRow { lesson_id, page } in pages {
            pages_of.entry(lesson_id).or_default().push(page);
        }
        let mut lessons_of: HashMap<Uuid, Vec<Lesson>> = HashMap::new();
        for LessonRow { module_id, mut lesson } in lessons {
            lesson.needs = needs_of.remove(&lesson.id).unwrap_or_default();
            lesson.pages = pages_of.remove(&lesson.id).unwrap_or_default();
            lessons_of.entry(module_id).or_default().push(lesson);
        }
        for module in &mut outline.modules {
            module.needs = needs_of.remove(&module.id).unwrap_or_default();
            module.lessons = lessons_of.remove(&module.id).unwrap_or_default();
        }
        Ok(outline)
    }

    /// The digest of the course, in hexadecimal digits. It covers texts by their versions. Only for an outline that was read from a course.
    pub fn digest(&self) -> Result<String> {
        let text = serde_json::to_vec(self).map_err(Error::internal)?;
        Ok(hex(&Sha256::digest(text)))
    }

    pub fn lessons(&self) -> impl Iterator<Item = &Lesson> {
        self.modules.iter().flat_map(|module| &module.lessons)
    }

    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.lessons().flat_map(|lesson| &lesson.pages)
    }

    pub fn pages_mut(&mut self) -> impl Iterator<Item = &mut Page> {
        let lessons = self.modules.iter_mut().flat_map(|module| &mut module.lessons);
        lessons.flat_map(|lesson| &mut lesson.pages)
    }
}
