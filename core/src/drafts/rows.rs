//! The rows of a course draft: which column holds which field, for reading and for writing.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::load::Stored;
use super::needs;
use crate::courses::dates::{course_dates_columns, dates_columns, late_columns};
use crate::courses::prerequisites;
use crate::courses::tree::PageKind;
use crate::draws;
use crate::search_index;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, LessonId, ModuleId, PageId, UserId};
use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_db::{Arg, Tx, args, sql};
use kurso_formats::content;
use kurso_formats::quiz::Quiz;
use kurso_formats::{CourseDraft, LessonDraft, ModuleDraft, PageDraft, UnreadDates};

/// Rows per INSERT: at eighteen columns, well below SQLite's limit of arguments.
const ROWS: usize = 500;
/// Pages per INSERT of contents, which may be long and are in memory twice.
const TEXTS: usize = 32;

#[derive(sqlx::FromRow)]
struct ModuleRow {
    id: ModuleId,
    key: Option<String>,
    title: String,
    description: Option<String>,
    avatar: Option<String>,
    #[sqlx(flatten)]
    dates: Dates,
}

#[derive(sqlx::FromRow)]
struct LessonRow {
    id: LessonId,
    module_id: ModuleId,
    key: Option<String>,
    title: String,
    #[sqlx(flatten)]
    dates: Dates,
}

#[derive(sqlx::FromRow)]
struct PageRow {
    id: PageId,
    lesson_id: LessonId,
    key: Option<String>,
    title: Option<String>,
    published: bool,
    content: String,
    /// Empty for a quiz that nobody has written yet.
    quiz: Option<String>,
    #[sqlx(flatten)]
    dates: Dates,
    #[sqlx(flatten)]
    late: Late,
}

#[derive(sqlx::FromRow)]
struct CourseRow {
    title: String,
    description: Option<String>,
    #[sqlx(flatten)]
    dates: CourseDates,
}

/// Reads a course that the transaction has locked. Files are named by their stored addresses and keys.
pub(super) async fn read(tx: &mut Tx, stored: Stored) -> Result<CourseDraft> {
    let Stored { course, drafts } = stored;
    let row = sql!(
        concat!(
            "SELECT title, description, ",
            course_dates_columns!(),
            " FROM courses WHERE id = $1"
        ),
        course
    )
    .fetch_one::<CourseRow>(&mut *tx)
    .await?;
    let modules = sql!(
        concat!(
            "SELECT m.id, m.key, m.title, m.description, f.key AS avatar, ",
            dates_columns!("m"),
            " FROM modules m LEFT JOIN files f ON f.id = m.avatar_file_id WHERE m.course_id = $1 ORDER BY m.position, m.id"
        ),
        course
    )
    .fetch_all::<ModuleRow>(&mut *tx)
    .await?;
    let lessons = sql!(
        concat!(
            "SELECT id, module_id, key, title, ",
            dates_columns!(),
            " FROM lessons WHERE course_id = $1 ORDER BY position, id"
        ),
        course
    )
    .fetch_all::<LessonRow>(&mut *tx)
    .await?;
    let pages = sql!(
        concat!(
            "SELECT p.id, p.lesson_id, p.key, CASE WHEN d.page_id IS NULL THEN p.title ELSE d.title END AS title, p.published,
             COALESCE(d.content, c.content) AS content,
             CASE WHEN p.kind <> 'content' THEN COALESCE(d.quiz, c.quiz, '') ELSE NULL END AS quiz, ",
            dates_columns!("p"),
            ", ",
            late_columns!("p"),
            " FROM pages p JOIN page_contents c ON c.page_id = p.id LEFT JOIN page_drafts d ON d.page_id = p.id AND $2
             WHERE p.course_id = $1 ORDER BY p.position, p.id"
        ),
        course,
        drafts
    )
    .fetch_all::<PageRow>(&mut *tx)
    .await?;

    let mut needs: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for (part, need) in prerequisites::pairs(&mut *tx, course).await? {
        needs.entry(part).or_default().push(need);
    }

    let mut of_lesson: HashMap<LessonId, Vec<PageDraft>> = HashMap::new();
    for row in pages {
        let quiz = match row.quiz.as_deref() {
            None => None,
            Some("") => Some(Quiz::default()),
            Some(text) => Some(Quiz::from_text(text)?),
        };
        of_lesson.entry(row.lesson_id).or_default().push(PageDraft {
            id: row.id.0,
            key: row.key,
            title: row.title,
            content: content::parse(&row.content).map_err(Error::internal)?.into(),
            quiz,
            published: row.published,
            dates: row.dates,
            late: row.late,
            source: row.id.to_string(),
        });
    }
    let mut of_module: HashMap<ModuleId, Vec<LessonDraft>> = HashMap::new();
    for row in lessons {
        of_module.entry(row.module_id).or_default().push(LessonDraft {
            id: row.id.0,
            key: row.key,
            title: row.title,
            dates: row.dates,
            prerequisites: needs.remove(&row.id.0).unwrap_or_default(),
            pages: of_lesson.remove(&row.id).unwrap_or_default(),
        });
    }
    let modules = modules.into_iter().map(|row| ModuleDraft {
        id: row.id.0,
        key: row.key,
        title: row.title,
        description: row.description,
        avatar: row.avatar,
        dates: row.dates,
        prerequisites: needs.remove(&row.id.0).unwrap_or_default(),
        lessons: of_module.remove(&row.id).unwrap_or_default(),
    });
    Ok(CourseDraft {
        title: row.title,
        description: row.description,
        dates: row.dates,
        modules: modules.collect(),
        banks: Vec::new(),
        files: Vec::new(),
        unread_dates: UnreadDates::default(),
    })
}

/// The arguments for the columns of dates, in the order of `dates_columns`.
fn dates<'q>(dates: &Dates) -> [Box<dyn Arg<'q> + 'q>; 3] {
    args![dates.available_from, dates.available_until, dates.due_at]
}

/// The start of an INSERT, and its end, which replaces the columns behind the semicolon in a row that exists.
macro_rules! upsert {
    ($table:ident: $($kept:ident),+; $($replaced:ident),+) => {
        (
            concat!("INSERT INTO ", stringify!($table), " (", stringify!($($kept),+, $($replaced),+), ") VALUES "),
            concat!(
                " ON CONFLICT (id) DO UPDATE SET ",
                $(stringify!($replaced), " = excluded.", stringify!($replaced), ", ",)+
                "course_id = excluded.course_id WHERE ", stringify!($table), ".course_id = excluded.course_id"
            ),
        )
    };
}

/// Where rows are written, and by whom.
pub(super) struct Writer<'a> {
    pub course: CourseId,
    pub user: UserId,
    pub now: DateTime<Utc>,
    /// File ids by draft key and by stored key.
    pub files: &'a HashMap<String, FileId>,
}

struct Row<'a, P, I, T> {
    parent: P,
    id: I,
    position: i64,
    what: &'a T,
}

/// Children of `parent` with positions and ids.
fn rows<'a, P: Copy + 'a, I, T>(
    parent: P,
    list: &'a [T],
    id: impl Fn(&T) -> I + 'a,
) -> impl Iterator<Item = Row<'a, P, I, T>> + 'a {
    (0..).zip(list).map(move |(position, what)| Row {
        parent,
        id: id(what),
        position,
        what,
    })
}

impl Writer<'_> {
    /// Writes the parts of a new course, or appends them to a course; `first` is the position of the first module.
    pub async fn insert(&self, tx: &mut Tx, first: i64, draft: &CourseDraft) -> Result<()> {
        self.write(tx, first, draft, None).await
    }

    /// Writes all modules and lessons, whether they exist or not, and the pages that are not among `stored`.
    pub async fn replace(&self, tx: &mut Tx, draft: &CourseDraft, stored: &HashSet<Uuid>) -> Result<()> {
        self.write(tx, 0, draft, Some(stored)).await
    }

    async fn write(&self, tx: &mut Tx, first: i64, draft: &CourseDraft, stored: Option<&HashSet<Uuid>>) -> Result<()> {
        let modules: Vec<_> = rows((), &draft.modules, |module| ModuleId(module.id)).collect();
        let (insert, replace) = upsert!(modules: id, course_id, created_at;
            updated_at, position, key, avatar_file_id, title, description, available_from, available_until, due_at);
        for chunk in modules.chunks(ROWS) {
            let avatar = |module: &ModuleDraft| self.files.get(module.avatar.as_ref()?).copied();
            sql!(insert)
                .push_rows(chunk, |row| {
                    let module = row.what;
                    let place = args![row.id, self.course, self.now, self.now, first + row.position];
                    let fields = args![&module.key, avatar(module), &module.title, &module.description];
                    place.into_iter().chain(fields).chain(dates(&module.dates))
                })
                .push(stored.map_or("", |_| replace))
                .execute(&mut *tx)
                .await?;
        }
        let lessons: Vec<_> = modules
            .iter()
            .flat_map(|module| rows(module.id, &module.what.lessons, |lesson| LessonId(lesson.id)))
            .collect();
        let (insert, replace) = upsert!(lessons: id, course_id, created_at;
                updated_at, module_id, position, key, title, available_from, available_until, due_at);
        for chunk in lessons.chunks(ROWS) {
            sql!(insert)
                .push_rows(chunk, |row| {
                    let place = args![row.id, self.course, self.now, self.now, row.parent, row.position];
                    let fields = args![&row.what.key, &row.what.title];
                    place.into_iter().chain(fields).chain(dates(&row.what.dates))
                })
                .push(stored.map_or("", |_| replace))
                .execute(&mut *tx)
                .await?;
        }
        if stored.is_some() {
            sql!("DELETE FROM prerequisites WHERE course_id = $1", self.course)
                .execute(&mut *tx)
                .await?;
        }
        prerequisites::insert(tx, self.course, &needs::pairs(draft)).await?;
        let pages: Vec<_> = lessons
            .iter()
            .flat_map(|lesson| rows(lesson.id, &lesson.what.pages, |page| PageId(page.id)))
            .filter(|row| stored.is_none_or(|stored| !stored.contains(&row.what.id)))
            .collect();
        self.pages(tx, &pages).await
    }

    async fn pages(&self, tx: &mut Tx, pages: &[Row<'_, LessonId, PageId, PageDraft>]) -> Result<()> {
        for chunk in pages.chunks(ROWS) {
            sql!(concat!(
                "INSERT INTO pages (id, course_id, lesson_id, position, version, created_at, updated_at,
                     key, title, kind, published, max_attempts, ",
                dates_columns!(),
                ", ",
                late_columns!(),
                ") VALUES "
            ))
            .push_rows(chunk, |row| {
                let page = row.what;
                let kind = PageKind::of(page.quiz.as_ref());
                let attempts = page.quiz.as_ref().and_then(|quiz| quiz.max_attempts).map(i64::from);
                let place = args![row.id, self.course, row.parent, row.position, 1_i64, self.now, self.now];
                let fields = args![&page.key, &page.title, kind, page.published, attempts];
                let late = &page.late;
                let late = args![late.late_until, late.late_penalty_per_day, late.late_penalty_max];
                place.into_iter().chain(fields).chain(dates(&page.dates)).chain(late)
            })
            .execute(&mut *tx)
            .await?;
        }
        for chunk in pages.chunks(TEXTS) {
            let quizzes: Vec<Option<String>> = chunk
                .iter()
                .map(|row| row.what.quiz.as_ref().map(Quiz::to_text).transpose())
                .collect::<Result<_>>()?;
            sql!("INSERT INTO page_contents (page_id, content, quiz, editor_id) VALUES ")
                .push_rows(chunk.iter().zip(quizzes), |(row, quiz)| {
                    args![row.id, row.what.content.as_str(), quiz, self.user]
                })
                .execute(&mut *tx)
                .await?;
        }
        for row in pages {
            draws::record(tx, row.id, row.what.quiz.as_ref()).await?;
        }
        let ids: Vec<PageId> = pages.iter().map(|row| row.id).collect();
        search_index::index_pages(tx, &ids).await?;
        let shown: Vec<(PageId, FileId)> = pages
            .iter()
            .flat_map(|row| row.what.files().into_iter().map(|key| (row.id, key)))
            .filter_map(|(page, key)| Some((page, *self.files.get(&key)?)))
            .collect();
        for chunk in shown.chunks(ROWS) {
            sql!("INSERT INTO page_files (page_id, file_id) VALUES ")
                .push_rows(chunk, |(page, file)| args![*page, *file])
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}
