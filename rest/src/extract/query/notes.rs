//! The query string of the notes of a course.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::pagination::Page;
use kurso_base::values::{Checked as _, NoteSearch};
use kurso_core::notes::{NoteColor, NoteFilter};

use super::reader::Query;
use crate::App;
use crate::error::{Error, Result};

/// `color`, `search`, `skip` and `limit`.
pub struct NotesQuery {
    pub filter: NoteFilter,
    pub page: Page,
}

impl FromRequestParts<App> for NotesQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let color = query.read("color", |text| NoteColor::check(text.to_owned()));
        let search = query.read("search", |text| NoteSearch::check(text.to_owned()));
        let page = query.page();
        query.finish(NotesQuery {
            filter: NoteFilter { color, search },
            page,
        })
    }
}
