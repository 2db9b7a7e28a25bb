use async_graphql::{Enum, ID, SimpleObject};
use kurso_core::content_search::{self, Matched};

use super::course::CourseRole;
use super::{PageKind, id_of, int};

/// A page or a bank question whose text matches a search.
#[derive(SimpleObject)]
pub struct ContentMatch {
    /// Kind of the match.
    kind: ContentMatchKind,
    /// ID of the page's course; null for a bank question.
    course_id: Option<ID>,
    /// Title of that course.
    course_title: Option<String>,
    /// Title of the page's lesson; null for a bank question.
    lesson_title: Option<String>,
    /// ID of the page; null for a bank question.
    page_id: Option<ID>,
    /// Title of the page. Null for an untitled page, which clients show as 'Страница {number}', and for a bank question.
    title: Option<String>,
    /// Number of the page in its lesson, from 1; null for a bank question.
    number: Option<i32>,
    /// Kind of the page; null for a bank question.
    page_kind: Option<PageKind>,
    /// Whether the page is published; learners find no other pages. Null for a bank question.
    published: Option<bool>,
    /// Whether the match is in unpublished changes, which only those who may edit or review the course find. Null for a bank question.
    in_draft: Option<bool>,
    /// The caller's highest role in the course; null for a bank question.
    my_role: Option<CourseRole>,
    /// ID of the question bank; null for a page.
    bank_id: Option<ID>,
    /// Title of that bank; null for a page.
    bank_title: Option<String>,
    /// ID of the bank question; null for a page.
    question_id: Option<ID>,
    /// At most three snippets of the text, best first. The title is among them only if nothing else matches.
    fragments: Vec<ContentFragment>,
}

/// Kind of a match.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ContentMatchKind {
    /// A page of a course.
    Page,
    /// A question of a question bank.
    BankQuestion,
}

/// A snippet of a text that matches a search, about 160 characters long.
#[derive(SimpleObject)]
pub struct ContentFragment {
    /// The snippet in consecutive parts, with an ellipsis where the text goes on. Matched parts are to be marked.
    parts: Vec<FragmentPart>,
    /// Index of the top-level block of a content page that contains the snippet, from 0; in its draft with `inDraft`. Null for titles and quiz questions.
    block: Option<i32>,
    /// ID of the quiz question whose prompt matches; null for others.
    question_id: Option<ID>,
}

/// Part of a snippet.
#[derive(SimpleObject)]
pub struct FragmentPart {
    /// Its text.
    text: String,
    /// Whether the text matches a search term.
    matched: bool,
}

impl ContentMatch {
    pub fn of(found: content_search::ContentMatch) -> Self {
        let empty = ContentMatch {
            kind: ContentMatchKind::Page,
            course_id: None,
            course_title: None,
            lesson_title: None,
            page_id: None,
            title: None,
            number: None,
            page_kind: None,
            published: None,
            in_draft: None,
            my_role: None,
            bank_id: None,
            bank_title: None,
            question_id: None,
            fragments: found.fragments.into_iter().map(ContentFragment::of).collect(),
        };
        match found.what {
            Matched::Page {
                course_id,
                course_title,
                role,
                lesson_title,
                id,
                title,
                number,
                kind,
                published,
                in_draft,
            } => ContentMatch {
                course_id: Some(id_of(course_id)),
                course_title: Some(course_title),
                lesson_title: Some(lesson_title),
                page_id: Some(id_of(id)),
                title,
                number: Some(int(number)),
                page_kind: Some(kind.into()),
                published: Some(published),
                in_draft: Some(in_draft),
                my_role: Some(role.into()),
                ..empty
            },
            Matched::BankQuestion {
                id,
                bank_id,
                bank_title,
            } => ContentMatch {
                kind: ContentMatchKind::BankQuestion,
                bank_id: Some(id_of(bank_id)),
                bank_title: Some(bank_title),
                question_id: Some(id_of(id)),
                ..empty
            },
        }
    }
}

impl ContentFragment {
    fn of(fragment: content_search::Fragment) -> Self {
        let part = |part: content_search::FragmentPart| FragmentPart {
            text: part.text,
            matched: part.matched,
        };
        ContentFragment {
            parts: fragment.parts.into_iter().map(part).collect(),
            block: fragment.block.map(int),
            question_id: fragment.question.map(id_of),
        }
    }
}
