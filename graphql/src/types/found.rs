use async_graphql::{Enum, ID, SimpleObject};
use kurso_core::finding::{self, What};

use super::course::CourseRole;
use super::{PageKind, id_of, int};

/// A search result: a course, lesson or page with its location.
#[derive(SimpleObject)]
pub struct Found {
    /// Kind of the result.
    kind: FoundKind,
    /// ID of the course, lesson or page.
    id: ID,
    /// Null for an untitled page: clients show 'Страница {number}'.
    title: Option<String>,
    /// ID of the course it belongs to, or its own.
    course_id: ID,
    /// Title of that course.
    course_title: String,
    /// Title of the lesson of a page; null for others.
    lesson_title: Option<String>,
    /// ID of the page to open: the page itself, or the first page of a lesson. Null for a course, and for a lesson without pages.
    page_id: Option<ID>,
    /// Number of a page in its lesson, from 1.
    number: Option<i32>,
    /// Kind of a page; null for others.
    page_kind: Option<PageKind>,
    /// Whether a page is published; learners find no other pages.
    published: Option<bool>,
    /// The caller's highest role in the course.
    my_role: CourseRole,
}

/// Kind of a search result.
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
