//! Notes of the caller.

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_base::ids::CourseId;
use kurso_core::notes::{self, About, FoundPlace, NoteColor as Color};

use super::{Course, DateTime, Page, View, id_of, int};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::language::lang;
use crate::lists::List;

/// The color of a highlight.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Color")]
pub enum NoteColor {
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Pink.
    Pink,
}

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum NoteState {
    /// The whole page.
    Page,
    /// Words whose `place` is known.
    Found,
    /// Words whose place is gone.
    Gone,
    /// Words of a page that the caller may not read now.
    Withheld,
}

/// The noted words and the text around them: a `TextQuoteSelector` of the W3C Web Annotation model.
#[derive(SimpleObject)]
pub struct NoteQuote {
    /// The words.
    exact: String,
    /// The text before them.
    prefix: String,
    /// The text after them.
    suffix: String,
}

/// Where noted words are in the text that the caller reads.
#[derive(SimpleObject)]
pub struct NotePlace {
    /// The version of the page's text in which they are there. Another version has them elsewhere.
    version: i32,
    /// Index among the top-level blocks.
    block: i32,
    /// Index of the first character in the text of the block, in code points; see docs/content-model.md.
    start: i32,
    /// Index after the last character.
    end: i32,
}

/// A note, with the view in which its page is.
pub struct Note {
    note: notes::Note,
    page: Option<Page>,
}

impl Note {
    pub fn of(note: notes::Note, page: Option<Page>) -> Self {
        Note { note, page }
    }
}

/// A note or a highlight of the caller. Nobody else reads it.
#[Object]
impl Note {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.note.id)
    }
    /// Color of the highlight.
    async fn color(&self) -> NoteColor {
        self.note.color.into()
    }
    /// Plain text; empty for a highlight alone.
    async fn body(&self) -> &str {
        &self.note.body
    }
    /// When it was created.
    async fn created_at(&self) -> DateTime {
        DateTime(self.note.created_at)
    }
    /// When it last changed.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.note.updated_at)
    }
    /// Each change raises it.
    async fn version(&self) -> i32 {
        int(self.note.version)
    }
    /// What it is about.
    async fn state(&self) -> NoteState {
        match self.note.about {
            About::Page => NoteState::Page,
            About::Words(_, Some(_)) => NoteState::Found,
            About::Words(_, None) => NoteState::Gone,
            About::Withheld => NoteState::Withheld,
        }
    }
    /// The noted words; null for PAGE and WITHHELD.
    async fn quote(&self) -> Option<NoteQuote> {
        let About::Words(words, _) = &self.note.about else {
            return None;
        };
        Some(NoteQuote {
            exact: words.exact.clone(),
            prefix: words.prefix.clone(),
            suffix: words.suffix.clone(),
        })
    }
    /// Where they are; null unless FOUND.
    async fn place(&self) -> Option<NotePlace> {
        let About::Words(_, place) = &self.note.about else {
            return None;
        };
        place.map(|FoundPlace { version, place }| NotePlace {
            version: int(version),
            block: int(place.block),
            start: int(place.start),
            end: int(place.end),
        })
    }
    /// ID of its page, also if the caller does not see the page now.
    async fn page_id(&self) -> ID {
        id_of(self.note.page_id)
    }
    /// Its page; null if the caller does not see it now.
    async fn page(&self) -> Option<Page> {
        self.page.clone()
    }
}

/// A course in which the caller has notes.
#[derive(SimpleObject)]
pub struct NotedCourse {
    /// ID of the course.
    course_id: ID,
    /// Title of the course.
    title: String,
    /// How many notes the caller has in the course.
    note_count: i32,
    /// Whether the caller can no longer read the course.
    has_left: bool,
}

impl From<notes::NotedCourse> for NotedCourse {
    fn from(course: notes::NotedCourse) -> Self {
        NotedCourse {
            course_id: id_of(course.id),
            title: course.title,
            note_count: int(course.notes),
            has_left: course.has_left,
        }
    }
}

/// What the caller keeps of a course.
pub struct CourseNotes {
    id: CourseId,
    course: Option<Course>,
    notes: List<Note>,
    bookmarks: Vec<Page>,
}

impl CourseNotes {
    pub fn of(id: CourseId, mut found: notes::CourseNotes, list: impl FnOnce(Vec<Note>) -> List<Note>) -> Self {
        let places: Vec<Option<usize>> = found.notes.data.iter().map(|note| found.place(note)).collect();
        let view = found.view.take().map(View::new);
        let page = |place: usize| view.as_ref().map(|view| Page::at(view, place));
        let rows = found.notes.data.into_iter().zip(places);
        let rows = rows.map(|(note, place)| Note::of(note, place.and_then(page)));
        CourseNotes {
            id,
            course: view.as_ref().map(Course::from_view),
            notes: list(rows.collect()),
            bookmarks: found.bookmarks.iter().filter_map(|place| page(*place)).collect(),
        }
    }
}

/// Notes and bookmarks of the caller in a course. Nobody else reads them.
#[Object]
impl CourseNotes {
    /// The course; null if the caller has left it.
    async fn course(&self) -> Option<Course> {
        self.course.clone()
    }
    /// The notes in the order of the course.
    async fn notes(&self) -> &List<Note> {
        &self.notes
    }
    /// The bookmarked pages that the caller sees, in the order of the course.
    #[graphql(complexity = "cost::list(cost::BOOKMARKS, child_complexity)")]
    async fn bookmarks(&self, ctx: &Context<'_>) -> Result<&[Page]> {
        cost::spend(ctx, self.bookmarks.len())?;
        Ok(&self.bookmarks)
    }
    /// All notes and bookmarks as Markdown, by module and page, in the language of the request.
    #[graphql(complexity = "cost::NOTES_TEXT")]
    async fn markdown(&self, ctx: &Context<'_>) -> Result<String> {
        let text = notes::markdown(kurso(ctx), viewer(ctx)?, self.id, lang(ctx)).await;
        text.map_err(wrap(ctx))
    }
}
