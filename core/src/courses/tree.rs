//! The tree of a course: modules > lessons > pages without content, in one arena.
//!
//! A read takes three range reads and one more for courses with overrides, or none when the cache holds the tree of the course's current `structure_version`. Every
//! request reads the version from the database, so a change is visible to the next request on every node, and a cached tree is
//! never stale.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::courses::Course;
use crate::courses::lesson::Lesson;
use crate::courses::overrides::{self, Overrides};
use crate::schedule::prerequisites::{Part, Prerequisites};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::schedule::{Dates, Late};
use kurso_db::Db;
use kurso_formats::quiz::Quiz;
use uuid::Uuid;

mod load;
mod planned;
#[cfg(test)]
pub(super) mod samples;

/// The kind of a page. It never changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, sqlx::Type, serde::Serialize, serde::Deserialize)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    Content,
    Quiz,
    /// A quiz of one question, which is answered by handing in work.
    Assignment,
}

impl PageKind {
    /// Whether learners make attempts at the page, which is complete when one has passed.
    pub fn takes_attempts(self) -> bool {
        match self {
            PageKind::Quiz | PageKind::Assignment => true,
            PageKind::Content => false,
        }
    }

    /// Fails with 404 for a page that takes no attempts.
    pub fn require_quiz(self) -> Result<()> {
        match self.takes_attempts() {
            true => Ok(()),
            false => Err(Error::NotFound(Message::NoQuiz)),
        }
    }

    /// The kind of a page with this quiz.
    pub fn of(quiz: Option<&Quiz>) -> Self {
        match quiz {
            None => PageKind::Content,
            Some(quiz) if quiz.is_assignment() => PageKind::Assignment,
            Some(_) => PageKind::Quiz,
        }
    }
}

kurso_base::values::choices! {
    PageKind: "content" => PageKind::Content, "quiz" => PageKind::Quiz, "assignment" => PageKind::Assignment;
}

/// Modules, lessons and pages, each in order; a parent refers to its children by range.
/// A *place* is an index into one of the lists, obtained from the ranges or [`Tree::place`] of the same tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub modules: Vec<ModuleNode>,
    pub lessons: Vec<LessonNode>,
    pub pages: Vec<PageNode>,
    by_page: HashMap<PageId, usize>,
    /// Whether any part has a date of its own.
    pub has_dates: bool,
    /// What differs for groups and learners.
    pub(super) overrides: Arc<Overrides>,
    /// What the modules and lessons need.
    pub prerequisites: Prerequisites,
}

#[derive(Clone, Debug)]
pub struct ModuleNode {
    pub id: ModuleId,
    pub title: String,
    pub description: Option<String>,
    pub position: i64,
    pub avatar_url: Option<String>,
    pub lessons: Range<usize>,
    /// The modules and lessons that must be complete before it, in reading order.
    pub prerequisites: Vec<Uuid>,
    /// None without dates, which are rare and large.
    dates: Option<Box<Dates>>,
}

#[derive(Clone, Debug)]
pub struct LessonNode {
    pub id: LessonId,
    pub title: String,
    pub position: i64,
    pub module: usize,
    pub pages: Range<usize>,
    /// The modules and lessons that must be complete before it, in reading order.
    pub prerequisites: Vec<Uuid>,
    dates: Option<Box<Dates>>,
}

#[derive(Clone, Debug)]
pub struct PageNode {
    pub id: PageId,
    pub title: Option<String>,
    pub kind: PageKind,
    pub position: i64,
    pub published: bool,
    /// The attempt limit of a quiz; None without a limit.
    pub max_attempts: Option<i64>,
    pub lesson: usize,
    /// The number of the page in stored progress; None until a learner first visits a page of the course.
    pub mark_no: Option<i64>,
    dates: Option<Box<(Dates, Late)>>,
}

impl ModuleNode {
    pub fn own_dates(&self) -> Dates {
        self.dates.as_deref().copied().unwrap_or_default()
    }
}

impl LessonNode {
    pub fn own_dates(&self) -> Dates {
        self.dates.as_deref().copied().unwrap_or_default()
    }
}

impl PageNode {
    pub fn own_dates(&self) -> (Dates, Late) {
        self.dates.as_deref().copied().unwrap_or_default()
    }
}

/// The dates to keep in a node: none if all are empty.
fn boxed<T: Default + PartialEq>(dates: T) -> Option<Box<T>> {
    (dates != T::default()).then(|| Box::new(dates))
}

#[derive(sqlx::FromRow)]
struct ModuleRow {
    course_id: CourseId,
    id: ModuleId,
    title: String,
    description: Option<String>,
    position: i64,
    avatar_key: Option<String>,
    avatar_name: Option<String>,
    #[sqlx(flatten)]
    dates: Dates,
}

#[derive(sqlx::FromRow)]
struct PageRow {
    course_id: CourseId,
    id: PageId,
    lesson_id: LessonId,
    title: Option<String>,
    kind: PageKind,
    position: i64,
    published: bool,
    max_attempts: Option<i64>,
    mark_no: Option<i64>,
    #[sqlx(flatten)]
    dates: Dates,
    #[sqlx(flatten)]
    late: Late,
}

impl Tree {
    /// Returns the place of a page in [`Tree::pages`].
    pub fn place(&self, page: PageId) -> Option<usize> {
        self.by_page.get(&page).copied()
    }

    #[expect(clippy::indexing_slicing, reason = "a place is always one of this tree")]
    pub fn module(&self, place: usize) -> &ModuleNode {
        &self.modules[place]
    }

    #[expect(clippy::indexing_slicing, reason = "a place is always one of this tree")]
    pub fn lesson(&self, place: usize) -> &LessonNode {
        &self.lessons[place]
    }

    #[expect(clippy::indexing_slicing, reason = "a place is always one of this tree")]
    pub fn page(&self, place: usize) -> &PageNode {
        &self.pages[place]
    }

    /// Builds a tree of rows in any order. Rows without their parent, which was moved or deleted between two reads, are omitted.
    fn grow((mut modules, mut lessons, mut pages, needs): Rows) -> Tree {
        modules.sort_by_key(|m| (m.position, m.id));
        let module_place: HashMap<_, _> = modules.iter().enumerate().map(|(i, m)| (m.id, i)).collect();
        lessons.retain(|l| module_place.contains_key(&l.module_id));
        lessons.sort_by_cached_key(|l| (module_place.get(&l.module_id).copied(), l.position, l.id));
        let lesson_place: HashMap<_, _> = lessons.iter().enumerate().map(|(i, l)| (l.id, i)).collect();
        pages.retain(|p| lesson_place.contains_key(&p.lesson_id));
        pages.sort_by_cached_key(|p| (lesson_place.get(&p.lesson_id).copied(), p.position, p.id));

        let mut tree = Tree {
            modules: modules
                .into_iter()
                .map(|m| ModuleNode {
                    id: m.id,
                    title: m.title,
                    description: m.description,
                    position: m.position,
                    avatar_url: crate::files::url_of(m.avatar_key, m.avatar_name),
                    lessons: 0..0,
                    prerequisites: Vec::new(),
                    dates: boxed(m.dates),
                })
                .collect(),
            lessons: Vec::with_capacity(lessons.len()),
            pages: Vec::with_capacity(pages.len()),
            by_page: HashMap::with_capacity(pages.len()),
            has_dates: false,
            overrides: Arc::default(),
            prerequisites: Prerequisites::default(),
        };
        for row in lessons {
            let module = module_place.get(&row.module_id).copied().unwrap_or_default();
            let place = tree.lessons.len();
            if let Some(parent) = tree.modules.get_mut(module) {
                extend(&mut parent.lessons, place);
            }
            tree.lessons.push(LessonNode {
                id: row.id,
                title: row.title,
                position: row.position,
                module,
                pages: 0..0,
                prerequisites: Vec::new(),
                dates: boxed(row.dates),
            });
        }
        for row in pages {
            let lesson = lesson_place.get(&row.lesson_id).copied().unwrap_or_default();
            let place = tree.pages.len();
            if let Some(parent) = tree.lessons.get_mut(lesson) {
                extend(&mut parent.pages, place);
            }
            tree.by_page.insert(row.id, place);
            tree.pages.push(PageNode {
                id: row.id,
                title: row.title,
                kind: row.kind,
                position: row.position,
                published: row.published,
                max_attempts: row.max_attempts,
                lesson,
                mark_no: row.mark_no,
                dates: boxed((row.dates, row.late)),
            });
        }
        tree.has_dates = tree.modules.iter().any(|module| module.dates.is_some())
            || tree.lessons.iter().any(|lesson| lesson.dates.is_some())
            || tree.pages.iter().any(|page| page.dates.is_some());
        tree.prerequisites = Prerequisites::of(tree.modules.iter().map(|module| module.lessons.clone()));
        if !needs.is_empty() {
            tree.set_prerequisites(needs);
        }
        tree
    }

    /// Adds pairs of a part and what it needs.
    fn set_prerequisites(&mut self, needs: Vec<(Uuid, Uuid)>) {
        let modules = self.modules.iter().enumerate();
        let modules = modules.map(|(place, module)| (module.id.0, Part::Module(place)));
        let lessons = self.lessons.iter().enumerate();
        let lessons = lessons.map(|(place, lesson)| (lesson.id.0, Part::Lesson(place)));
        let part_of: HashMap<Uuid, Part> = modules.chain(lessons).collect();
        let mut all: HashMap<Part, Vec<Part>> = HashMap::new();
        for (part, need) in needs {
            if let (Some(part), Some(need)) = (part_of.get(&part), part_of.get(&need)) {
                all.entry(*part).or_default().push(*need);
            }
        }
        for (part, needs) in all {
            self.prerequisites.set(part, needs);
            let needs = self.prerequisites.needs(part).iter();
            let ids = needs.map(|need| self.id(*need)).collect();
            match part {
                Part::Module(place) => self.modules.get_mut(place).map(|module| &mut module.prerequisites),
                Part::Lesson(place) => self.lessons.get_mut(place).map(|lesson| &mut lesson.prerequisites),
            }
            .into_iter()
            .for_each(|known| *known = Vec::clone(&ids));
        }
    }

    fn id(&self, part: Part) -> Uuid {
        match part {
            Part::Module(place) => self.module(place).id.0,
            Part::Lesson(place) => self.lesson(place).id.0,
        }
    }

    pub fn title(&self, part: Part) -> &str {
        match part {
            Part::Module(place) => &self.module(place).title,
            Part::Lesson(place) => &self.lesson(place).title,
        }
    }
}

/// Extends a parent's range by the child at `place`; children must come in order.
fn extend(range: &mut Range<usize>, place: usize) {
    *range = if range.start == range.end {
        place..place + 1
    } else {
        range.start..place + 1
    };
}

/// Cache of trees by course and structure version, bounded by their total size.
#[derive(Debug)]
pub struct Trees {
    cache: Cache<(CourseId, i64), Arc<Tree>, BySize>,
}

/// The capacity of the cache in nodes (modules, lessons, pages, overrides) of about 200 bytes each.
const CACHED_NODES: u64 = 200_000;

#[derive(Clone, Debug)]
struct BySize;
impl Weighter<(CourseId, i64), Arc<Tree>> for BySize {
    fn weight(&self, _: &(CourseId, i64), tree: &Arc<Tree>) -> u64 {
        let nodes = tree.modules.len() + tree.lessons.len() + tree.pages.len() + tree.overrides.len();
        u64::try_from(nodes).unwrap_or(u64::MAX).saturating_add(4)
    }
}

impl Default for Trees {
    fn default() -> Self {
        Trees {
            cache: Cache::with_weighter(100, CACHED_NODES, BySize),
        }
    }
}

impl Trees {
    /// Returns the trees of the courses in the order given: from the cache, the others in three statements, and one
    /// more if any of them has overrides.
    pub async fn of(&self, db: &Db, courses: &[Course]) -> Result<Vec<Arc<Tree>>> {
        let mut found: HashMap<CourseId, Arc<Tree>> = HashMap::new();
        let mut missing = Vec::new();
        for course in courses {
            match self.cache.get(&(course.id, course.structure_version)) {
                Some(tree) => {
                    found.insert(course.id, tree);
                }
                None => missing.push(course),
            }
        }
        if !missing.is_empty() {
            let mut loaded = load::load(db, &missing).await?;
            let overridden = missing.iter().filter(|course| course.has_overrides);
            for (course, rows) in overrides::read_all(db, overridden.map(|course| course.id)).await? {
                let tree = loaded.entry(course).or_default();
                tree.overrides = Arc::new(Overrides::of(rows, tree));
            }
            for course in missing {
                let tree = Arc::new(loaded.remove(&course.id).unwrap_or_default());
                self.cache.insert((course.id, course.structure_version), tree.clone());
                found.insert(course.id, tree);
            }
        }
        Ok(courses
            .iter()
            .map(|c| found.get(&c.id).cloned().unwrap_or_default())
            .collect())
    }
}

/// Modules, lessons, pages, and pairs of a module or lesson and what it needs.
type Rows = (Vec<ModuleRow>, Vec<Lesson>, Vec<PageRow>, Vec<(Uuid, Uuid)>);

#[cfg(any(test, feature = "testing"))]
impl Tree {
    /// One module with lessons of pages `(kind, published)`, for tests of pure functions.
    pub fn from_shape(lessons: &[Vec<(PageKind, bool)>]) -> Tree {
        let course_id = CourseId::new();
        let module = ModuleRow {
            course_id,
            id: ModuleId::new(),
            title: "M".into(),
            description: None,
            position: 0,
            avatar_key: None,
            avatar_name: None,
            dates: Dates::default(),
        };
        let mut lesson_rows = Vec::new();
        let mut page_rows = Vec::new();
        for (position, pages) in (0..).zip(lessons) {
            let lesson_id = LessonId::new();
            let title = format!("L{position}");
            lesson_rows.push(Lesson {
                course_id,
                id: lesson_id,
                module_id: module.id,
                title,
                position,
                dates: Dates::default(),
                prerequisites: vec![],
                pages: vec![],
            });
            for (position, (kind, published)) in (0..).zip(pages) {
                let (id, title) = (PageId::new(), None);
                let (kind, published) = (*kind, *published);
                page_rows.push(PageRow {
                    course_id,
                    id,
                    lesson_id,
                    title,
                    kind,
                    position,
                    published,
                    max_attempts: None,
                    mark_no: None,
                    dates: Dates::default(),
                    late: Late::default(),
                });
            }
        }
        Tree::grow((vec![module], lesson_rows, page_rows, vec![]))
    }
}
