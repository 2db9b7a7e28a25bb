//! What readers keep for themselves: notes and highlights, bookmarks, and the ticks of tasks ([decision
//! 122](../../../docs/decisions/0122-notes-and-bookmarks.md)).
//!
//! Everything here belongs to one person. All statements name that person, so nobody else reads it, whatever their role.

mod courses;
mod list;
mod markdown;
mod marks;
mod page;
mod write;

use chrono::{DateTime, Utc};
use kurso_base::ids::{NoteId, PageId};
use kurso_formats::content::quote::QuotePlace;

pub use courses::{NotedCourse, noted_courses};
pub use list::{CourseNotes, NoteFilter, in_course};
pub use markdown::markdown;
pub use marks::{Kept, SetBookmark, TickTask, kept_of, set_bookmark, tick};
pub use page::{of_page, of_pages};
pub use write::{CreateNote, UpdateNote, create, delete, update};

/// The most notes of a person on a page.
pub const MAX_ON_PAGE: i64 = 200;
/// The most notes of a person in a course.
pub const MAX_IN_COURSE: i64 = 2000;
/// The most bookmarks of a person in a course.
pub const MAX_BOOKMARKS: i64 = 500;
/// The most ticks of a person on a page, with those of items that are gone.
pub const MAX_TICKS: i64 = 1000;
/// The maximum number of listed courses with notes.
pub const MAX_COURSES: i64 = 500;
/// The most notes that are listed at once.
pub const MAX_LISTED: i64 = 100;

/// The color of a highlight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, sqlx::Type)]
#[cfg_attr(
    any(test, feature = "testing"),
    derive(serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum NoteColor {
    Yellow,
    Green,
    Blue,
    Pink,
}

impl NoteColor {
    pub fn name(self) -> &'static str {
        match self {
            NoteColor::Yellow => "yellow",
            NoteColor::Green => "green",
            NoteColor::Blue => "blue",
            NoteColor::Pink => "pink",
        }
    }
}

kurso_base::values::choices! {
    NoteColor: "yellow" => NoteColor::Yellow, "green" => NoteColor::Green, "blue" => NoteColor::Blue, "pink" => NoteColor::Pink;
}

/// A note or a highlight.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub id: NoteId,
    pub page_id: PageId,
    pub color: NoteColor,
    /// Empty for a highlight alone.
    pub body: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub version: i64,
    pub about: About,
}

/// What a note is about.
#[derive(Clone, Debug, PartialEq)]
pub enum About {
    /// The whole page.
    Page,
    /// Words of the page, and where they are now; None if their place is gone.
    Words(Words, Option<FoundPlace>),
    /// Words of a page that the person may not read now.
    Withheld,
}

/// Where words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundPlace {
    /// The version of the text in which they are there.
    pub version: i64,
    pub place: QuotePlace,
}

/// The words of a page, with the text around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    pub exact: String,
    pub prefix: String,
    pub suffix: String,
}
