//! The shapes of notes, bookmarks and ticks.

use chrono::{DateTime, Utc};
use kurso_base::values::{BlockIndex, NoteQuote, NoteText, NoteVersion, PageVersion, TaskIndex, TextOffset};
use kurso_base::wire;
use kurso_core::learning::view::CourseView;
use kurso_core::notes::{
    self as core, About, CreateNote, FoundPlace, Kept, NoteColor, SetBookmark, TickTask, UpdateNote,
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::fields::{Field, Given, body, of_type};

impl Field for NoteColor {
    fn schema() -> RefOr<Schema> {
        of_type(Type::String)
            .enum_values(Some(["yellow", "green", "blue", "pink"]))
            .into()
    }
}

body! {
    /// A note or a highlight.
    NoteCreate -> CreateNote {
        color: NoteColor,
        /// Plain text; empty for a highlight alone.
        body: NoteText,
        /// The version of the page's text in which `block` is an index: the published one, or that which the caller has read last. Required with `block`.
        version: Option<PageVersion>,
        /// Index of the top-level block with the words; without it, the note is about the whole page.
        block: Option<BlockIndex>,
        /// The words, within the block. Required with `block`.
        quote: Option<NoteQuote>,
        /// Where the words begin in the text of the block, in code points; see docs/content-model.md. Without it, the block must have the words once.
        start: Option<TextOffset>,
    }

    /// A change of a note. Fields that are left out stay as they are.
    NoteUpdate -> UpdateNote {
        /// The version of the note that was read.
        version: NoteVersion,
        color: Given<NoteColor>,
        body: Given<NoteText>,
    }

    BookmarkSet -> SetBookmark {
        is_bookmarked: bool,
    }

    TaskTick -> TickTask {
        /// The version of the page's text in which `task` is an index.
        version: PageVersion,
        /// Index among the items of all task lists of the page, in reading order.
        task: TaskIndex,
        is_ticked: bool,
    }
}

/// A note or a highlight of the caller.
#[derive(Serialize, ToSchema)]
pub struct Note {
    pub id: Uuid,
    pub page_id: Uuid,
    #[schema(pattern = "^(yellow|green|blue|pink)$")]
    pub color: &'static str,
    /// Empty for a highlight alone.
    pub body: String,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
    /// Each change raises it.
    pub version: i64,
    /// `page`: about the whole page; `found`: `place` says where the words are; `gone`: their place is gone; `withheld`: the caller may not read the
    /// page now.
    #[schema(pattern = "^(page|found|gone|withheld)$")]
    pub state: &'static str,
    /// Null for `page` and `withheld`.
    #[schema(required)]
    pub quote: Option<NotedQuote>,
    /// Null unless `found`.
    #[schema(required)]
    pub place: Option<NotedPlace>,
}

/// The noted words and the text around them: a `TextQuoteSelector` of the W3C Web Annotation model.
#[derive(Serialize, ToSchema)]
pub struct NotedQuote {
    pub exact: String,
    pub prefix: String,
    pub suffix: String,
}

/// Where the words are in the text that the caller reads.
#[derive(Serialize, ToSchema)]
pub struct NotedPlace {
    /// The version of the page's text in which they are there.
    pub version: i64,
    /// Index among the top-level blocks.
    pub block: usize,
    /// Of the first character in the text of the block, in code points.
    pub start: usize,
    /// After the last one.
    pub end: usize,
}

/// What the caller keeps of a page.
#[derive(Serialize, ToSchema)]
pub struct PageNotes {
    pub notes: Vec<Note>,
    pub is_bookmarked: bool,
    /// The ticked items, by their indexes among the items of all task lists of the page.
    pub ticked_tasks: Vec<usize>,
    /// The version of the page's text in which these are their indexes; null without ticks.
    #[schema(required)]
    pub ticked_version: Option<i64>,
}

/// The bookmark and the ticks of a page.
#[derive(Serialize, ToSchema)]
pub struct PageKept {
    pub is_bookmarked: bool,
    /// As in `page_notes`.
    pub ticked_tasks: Vec<usize>,
    #[schema(required)]
    pub ticked_version: Option<i64>,
}

/// A page of the course.
#[derive(Serialize, ToSchema)]
pub struct NotedPage {
    pub id: Uuid,
    /// Null for an untitled page: clients show 'Страница {number}'.
    #[schema(required)]
    pub title: Option<String>,
    pub number: usize,
    pub lesson_title: String,
    pub module_title: String,
}

/// A note with its page.
#[derive(Serialize, ToSchema)]
pub struct CourseNote {
    #[serde(flatten)]
    pub note: Note,
    /// Null if the caller does not see the page now.
    #[schema(required)]
    pub page: Option<NotedPage>,
}

/// What the caller keeps of a course.
#[derive(Serialize, ToSchema)]
pub struct CourseNotes {
    /// Null if the caller has left the course.
    #[schema(required)]
    pub course_title: Option<String>,
    pub data: Vec<CourseNote>,
    /// Number of notes that match.
    pub count: i64,
    /// The bookmarked pages that the caller sees, in the order of the course.
    pub bookmarks: Vec<NotedPage>,
}

/// The courses in which the caller has notes.
#[derive(Serialize, ToSchema)]
pub struct NotedCourses {
    pub data: Vec<NotedCourse>,
}

/// A course in which the caller has notes.
#[derive(Serialize, ToSchema)]
pub struct NotedCourse {
    pub course_id: Uuid,
    pub course_title: String,
    /// How many notes the caller has in the course.
    pub notes: i64,
    /// Whether the caller can no longer read the course.
    pub has_left: bool,
}

impl From<core::NotedCourse> for NotedCourse {
    fn from(course: core::NotedCourse) -> Self {
        NotedCourse {
            course_id: course.id.0,
            course_title: course.title,
            notes: course.notes,
            has_left: course.has_left,
        }
    }
}

impl From<core::Note> for Note {
    fn from(note: core::Note) -> Self {
        let (state, words, place) = match note.about {
            About::Page => ("page", None, None),
            About::Words(words, Some(place)) => ("found", Some(words), Some(place)),
            About::Words(words, None) => ("gone", Some(words), None),
            About::Withheld => ("withheld", None, None),
        };
        Note {
            id: note.id.0,
            page_id: note.page_id.0,
            color: note.color.name(),
            body: note.body,
            created_at: note.created_at,
            updated_at: note.updated_at,
            version: note.version,
            state,
            quote: words.map(|words| NotedQuote {
                exact: words.exact,
                prefix: words.prefix,
                suffix: words.suffix,
            }),
            place: place.map(|FoundPlace { version, place }| NotedPlace {
                version,
                block: place.block,
                start: place.start,
                end: place.end,
            }),
        }
    }
}

impl From<Kept> for PageKept {
    fn from(kept: Kept) -> Self {
        PageKept {
            is_bookmarked: kept.is_bookmarked,
            ticked_tasks: kept.ticked,
            ticked_version: kept.ticked_version,
        }
    }
}

impl PageNotes {
    pub fn new(notes: Vec<core::Note>, kept: Kept) -> Self {
        PageNotes {
            notes: notes.into_iter().map(Note::from).collect(),
            is_bookmarked: kept.is_bookmarked,
            ticked_tasks: kept.ticked,
            ticked_version: kept.ticked_version,
        }
    }
}

impl NotedPage {
    fn at(view: &CourseView, place: usize) -> Self {
        let page = view.page(place);
        let lesson = view.lesson(page.lesson);
        NotedPage {
            id: page.id.0,
            title: page.title.clone(),
            number: view.number(place),
            lesson_title: lesson.title.clone(),
            module_title: view.module(lesson.module).title.clone(),
        }
    }
}

impl From<core::CourseNotes> for CourseNotes {
    fn from(found: core::CourseNotes) -> Self {
        let page = |place| found.view.as_ref().map(|view| NotedPage::at(view, place));
        let notes = found.notes.data.iter().map(|note| CourseNote {
            page: found.place(note).and_then(page),
            note: note.clone().into(),
        });
        CourseNotes {
            course_title: found.view.as_ref().map(|view| view.course.title.clone()),
            data: notes.collect(),
            count: found.notes.count,
            bookmarks: found.bookmarks.iter().filter_map(|place| page(*place)).collect(),
        }
    }
}
