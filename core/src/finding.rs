//! Search for courses, lessons and pages by title in all courses that a person teaches or learns.

use std::sync::Arc;

use crate::Kurso;
use crate::access::{Role, Viewer};
use crate::courses::tree::{PageKind, Tree};
use crate::courses::{self, Course};
use crate::learning::view::CourseView;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, LessonId, PageId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::{Search, fold};

/// A course, lesson or page that a search found, with its titles and ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub course_id: CourseId,
    pub course_title: String,
    /// The viewer's role in the course.
    pub role: Role,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Course,
    Lesson {
        id: LessonId,
        title: String,
        /// The first page; None if the viewer sees no page of the lesson.
        first_page: Option<PageId>,
    },
    Page {
        id: PageId,
        title: Option<String>,
        /// The number within the lesson, from 1, among the pages that the viewer sees.
        number: usize,
        kind: PageKind,
        published: bool,
        lesson_title: String,
    },
}

/// How well a title matches a search, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Whole,
    Beginning,
    Word,
    Within,
}

/// Finds courses, lessons and pages that the viewer teaches or learns. Each search term must be in the title or in the title of a
/// parent, and at least one in the title itself. Titles that a course hides from learners are not searched. The best match comes first;
/// equal ones are sorted courses before lessons before pages, by the course's latest activity, in reading order. Without a term, returns
/// all courses. Learners find published pages only. At most five statements, one if the trees are cached; one more for a learner of courses
/// that hide titles, and those of newly completed courses.
pub async fn search(kurso: &Kurso, viewer: &Viewer, search: &Search, page: Page) -> Result<Listed<Found>> {
    let courses = courses::in_reach(&kurso.db, viewer).await?;
    let mut found = Vec::new();
    let trees = if search.is_empty() {
        Vec::new()
    } else {
        shown_trees(kurso, &courses).await?
    };
    for (place, course) in courses.iter().enumerate() {
        let mut keep = |fit: Fit, level: u8, what: What| found.push(((fit, level), course, what));
        if let Some(fit) = fit(search, &course.title, &[]) {
            keep(fit, 0, What::Course);
        }
        if let Some(tree) = trees.get(place) {
            below(course, tree, search, &mut keep);
        }
    }
    // The sort is stable: equal matches keep their order.
    found.sort_by_key(|(rank, ..)| *rank);
    let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let shown = found.into_iter().skip(size(page.skip)).take(size(page.limit));
    let data = shown
        .map(|(_, course, what)| Found {
            course_id: course.id,
            course_title: course.title.clone(),
            role: course.role,
            what,
        })
        .collect();
    Ok(Listed { data, count })
}

/// The trees of the courses, without the titles that are hidden from the viewer.
async fn shown_trees(kurso: &Kurso, courses: &[Course]) -> Result<Vec<Arc<Tree>>> {
    let mut trees = kurso.trees.of(&kurso.db, courses).await?;
    // What is hidden depends on the learner's progress.
    let hides = |course: &&Course| course.dates.hide_locked_titles && !course.role.is_staff();
    let hiding: Vec<Course> = courses.iter().filter(hides).cloned().collect();
    if !hiding.is_empty() {
        let views = CourseView::of_all(kurso, hiding).await?;
        let hidden = courses.iter().zip(&mut trees).filter(|(course, _)| hides(course));
        for ((_, tree), view) in hidden.zip(views) {
            *tree = view.tree;
        }
    }
    Ok(trees)
}

fn below(course: &Course, tree: &Tree, search: &Search, keep: &mut impl FnMut(Fit, u8, What)) {
    let staff = course.role.is_staff();
    for lesson in &tree.lessons {
        let module = &tree.module(lesson.module).title;
        let pages = || lesson.pages.clone().map(|place| tree.page(place));
        let seen = || pages().filter(|page| staff || page.published);
        let first_page = seen().next().map(|page| page.id);
        if let Some(fit) = fit(search, &lesson.title, &[module, &course.title])
            && (staff || first_page.is_some())
        {
            let (id, title) = (lesson.id, lesson.title.clone());
            keep(fit, 1, What::Lesson { id, title, first_page });
        }
        for (number, page) in (1..).zip(seen()) {
            let Some(title) = &page.title else { continue };
            if let Some(fit) = fit(search, title, &[&lesson.title, module, &course.title]) {
                let what = What::Page {
                    id: page.id,
                    title: page.title.clone(),
                    number,
                    kind: page.kind,
                    published: page.published,
                    lesson_title: lesson.title.clone(),
                };
                keep(fit, 2, what);
            }
        }
    }
}

/// Rates a title; None if it does not match, together with the titles of its parents.
fn fit(search: &Search, title: &str, above: &[&str]) -> Option<Fit> {
    let title = fold(title);
    let own = |word: &String| title.contains(word.as_str());
    let words = search.terms();
    if words.is_empty() {
        return Some(Fit::Whole);
    }
    if !words.iter().any(own) || !search.matches(&[&[title.as_str()], above].concat()) {
        return None;
    }
    let phrase = words.join(" ");
    let begins = |text: &str| words.iter().any(|word| text.starts_with(word.as_str()));
    Some(if title == phrase {
        Fit::Whole
    } else if title.starts_with(&phrase) {
        Fit::Beginning
    } else if title.split(|c: char| !c.is_alphanumeric()).any(begins) {
        Fit::Word
    } else {
        Fit::Within
    })
}
