use async_graphql::{Enum, ID, SimpleObject};
use kurso_core::courses::finding::{self, What};

use super::course::CourseRole;
use super::{PageKind, id_of, int};

/// A course, lesson or page that a search found, with what it takes to name it and to go there.
#[derive(SimpleObject)]
pub struct Found {
    /// What it is.
    kind: FoundKind,
    /// Of the course, lesson or page.
    id: ID,
    /// Null for a page without a title: interfaces show 'Страница {number}'.
    title: Option<String>,
    /// What it is in, or itself.
    course_id: ID,
    /// Of that course.
    course_title: String,
    /// Of a page.
    lesson_title: Option<String>,
    /// Where to read it: the page itself, or the first page of a lesson. Null for a course, and for a lesson without pages.
    page_id: Option<ID>,
    /// Of a page, in the lesson, from 1.
    number: Option<i32>,
    /// Of a page.
    page_kind: Option<PageKind>,
    /// Of a page: learners find no other.
    published: Option<bool>,
    /// The caller's highest role in the course.
    my_role: CourseRole,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum FoundKind {
    /// A course.
    Course,
    /// A lesson.
    Lesson,
    /// A page.
    Page,
}

impl Found {
    pub fn of(found: finding::Found) -> Self {
        let course_id = id_of(found.course_id);
        let course = Found {
            kind: FoundKind::Course,
            id: course_id.clone(),
            title: Some(found.course_title.clone()),
            course_id,
            course_title: found.course_title,
            lesson_title: None,
            page_id: None,
            number: None,
            page_kind: None,
            published: None,
            my_role: found.role.into(),
        };
        match found.what {
            What::Course => course,
            What::Lesson { id, title, first_page } => Found {
                kind: FoundKind::Lesson,
                id: id_of(id),
                title: Some(title),
                page_id: first_page.map(id_of),
                ..course
            },
            What::Page {
                id,
                title,
                number,
                kind,
                published,
                lesson_title,
            } => Found {
                kind: FoundKind::Page,
                id: id_of(id),
                title,
                lesson_title: Some(lesson_title),
                page_id: Some(id_of(id)),
                number: Some(int(number)),
                page_kind: Some(kind.into()),
                published: Some(published),
                ..course
            },
        }
    }
}
