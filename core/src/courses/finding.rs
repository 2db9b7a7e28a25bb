//! Search for courses, lessons and pages by title among all that a person teaches or learns.

use crate::Kurso;
use crate::access::{Role, Viewer};
use crate::courses::tree::{PageKind, Tree};
use crate::courses::{self, Course};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, LessonId, PageId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::{Search, fold};

/// A course, lesson or page that a search found, with what it takes to name it and to go there.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub course_id: CourseId,
    pub course_title: String,
    /// The viewer's in the course.
    pub role: Role,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Course,
    Lesson {
        id: LessonId,
        title: String,
        /// Where its reading begins; None when the viewer sees no page of it.
        first_page: Option<PageId>,
    },
    Page {
        id: PageId,
        title: Option<String>,
        /// In the lesson, from 1, among the pages the viewer sees.
        number: usize,
        kind: PageKind,
        published: bool,
        lesson_title: String,
    },
}

/// How well a title answers a search; the better first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Whole,
    Beginning,
    Word,
    Within,
}

/// What the viewer teaches or learns and the search names: each of its words is in the title or in that of the lesson, module
/// or course above, one of them in the title itself. The best fit first; equal ones courses before lessons before pages, the
/// course of the latest activity first, in reading order. Without a word, all the courses. Learners find published pages
/// only. At most four statements, one when the trees are known.
pub async fn search(kurso: &Kurso, viewer: &Viewer, search: &Search, page: Page) -> Result<Listed<Found>> {
    let courses = courses::in_reach(&kurso.db, viewer).await?;
    let mut found = Vec::new();
    let trees = if search.is_empty() {
        Vec::new()
    } else {
        kurso.trees.of(&kurso.db, &courses).await?
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
    // Stable: equal ones stay as they came.
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

/// None when the title, with those above it, is not what is searched for.
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
