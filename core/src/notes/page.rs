//! The notes of pages, with their places in the texts that the person reads.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{NoteId, PageId, UserId};
use kurso_base::wire;
use kurso_db::sql;
use kurso_formats::content::quote::{QuotableTexts, Quote};
use serde_json::Value;

use super::{About, FoundPlace, Note, NoteColor, Words};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::comments::anchor;
use crate::learning::view::CourseView;

/// A stored note.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Row {
    pub id: NoteId,
    pub page_id: PageId,
    pub color: NoteColor,
    pub body: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub version: i64,
    pub text_version: Option<i64>,
    pub block: Option<i64>,
    pub start_at: Option<i64>,
    pub exact: Option<String>,
    pub prefix: Option<String>,
    pub suffix: Option<String>,
}

/// The columns of a [`Row`], of notes `n` and pages `p`.
macro_rules! note_columns {
    () => {
        "n.id, n.page_id, n.color, n.body, n.created_at, n.updated_at, n.version, n.text_version, n.block, n.start_at,
         n.exact, n.prefix, n.suffix FROM notes n JOIN pages p ON p.id = n.page_id"
    };
}
pub(super) use note_columns;

impl Row {
    fn quote(&self) -> Option<Quote> {
        Some(Quote {
            exact: self.exact.clone()?,
            prefix: self.prefix.clone()?,
            suffix: self.suffix.clone()?,
            block: usize::try_from(self.block?).ok()?,
            start: usize::try_from(self.start_at?).ok()?,
        })
    }

    fn note(self, about: About) -> Note {
        Note {
            id: self.id,
            page_id: self.page_id,
            color: self.color,
            body: self.body,
            created_at: self.created_at,
            updated_at: self.updated_at,
            version: self.version,
            about,
        }
    }
}

/// The notes of the viewer on a page, in reading order. Fails with 404 if the viewer may not see the page, and as locked if its contents are withheld.
pub async fn of_page(kurso: &Kurso, viewer: &Viewer, page: PageId) -> Result<Vec<Note>> {
    let (view, place) = CourseView::load_by_page(kurso, viewer, page, Right::Read).await?;
    view.require_readable(place)?;
    let mut found = of_pages(kurso, viewer.id(), &[page], false).await?;
    Ok(found.remove(&page).unwrap_or_default())
}

/// The notes of a person on pages that the person may read, for each that has any; `drafts` says that the person sees the drafts of pages. At most two
/// statements.
pub async fn of_pages(
    kurso: &Kurso,
    user: UserId,
    pages: &[PageId],
    drafts: bool,
) -> Result<HashMap<PageId, Vec<Note>>> {
    let rows = sql!(
        concat!("SELECT ", note_columns!(), " WHERE n.user_id = $1 AND n.page_id IN "),
        user
    );
    let rows = rows
        .push_in(pages.iter().copied())
        .push(" ORDER BY n.block, n.start_at, n.id");
    let rows = rows.fetch_all::<Row>(&kurso.db).await?;
    let mut found: HashMap<PageId, Vec<Note>> = HashMap::new();
    for note in resolved(kurso, rows, drafts, |_| true).await? {
        found.entry(note.page_id).or_default().push(note);
    }
    for notes in found.values_mut() {
        notes.sort_by_key(|note| match &note.about {
            About::Words(_, Some(FoundPlace { place, .. })) => (1, place.block, place.start),
            About::Words(_, None) | About::Withheld => (2, 0, 0),
            About::Page => (0, 0, 0),
        });
    }
    Ok(found)
}

/// Pages whose texts are in memory at once.
const PAGES: usize = 20;

/// Finds the words of notes in the texts of the pages that the person may read now. One statement for each [`PAGES`] pages.
pub(super) async fn resolved(
    kurso: &Kurso,
    rows: Vec<Row>,
    drafts: bool,
    is_readable: impl Fn(PageId) -> bool,
) -> Result<Vec<Note>> {
    let pages = rows
        .iter()
        .filter(|row| row.exact.is_some() && is_readable(row.page_id));
    let pages: BTreeSet<PageId> = pages.map(|row| row.page_id).collect();
    let pages: Vec<PageId> = pages.into_iter().collect();
    if pages.len() <= PAGES {
        return resolved_at(kurso, rows, drafts, &pages).await;
    }
    let order: HashMap<NoteId, usize> = rows.iter().enumerate().map(|(at, row)| (row.id, at)).collect();
    let (mut found, mut rest) = (Vec::with_capacity(rows.len()), rows);
    for pages in pages.chunks(PAGES) {
        let (now, later) = rest.into_iter().partition(|row: &Row| pages.contains(&row.page_id));
        found.extend(resolved_at(kurso, now, drafts, pages).await?);
        rest = later;
    }
    found.extend(resolved_at(kurso, rest, drafts, &[]).await?);
    found.sort_by_key(|note| order.get(&note.id).copied());
    Ok(found)
}

/// As [`resolved`], with the words on these pages.
async fn resolved_at(kurso: &Kurso, rows: Vec<Row>, drafts: bool, pages: &[PageId]) -> Result<Vec<Note>> {
    let texts = match pages.is_empty() {
        true => vec![],
        false => anchor::texts(&kurso.db, pages).await?,
    };
    // Texts may be megabytes long.
    let finding = tokio::task::spawn_blocking(move || {
        let mut found = HashMap::with_capacity(texts.len());
        for text in &texts {
            let (version, content) = text.seen(drafts);
            let document: Value = wire::read_stored(content).map_err(Error::internal)?;
            found.insert(text.page_id, (version, QuotableTexts::of(&document)));
        }
        let about = |row: &Row| match (row.quote(), found.get(&row.page_id)) {
            (None, _) => About::Page,
            (Some(_), None) => About::Withheld,
            (Some(quote), Some((version, texts))) => {
                let place = texts.find(&quote, row.text_version == Some(*version));
                let Quote {
                    exact, prefix, suffix, ..
                } = quote;
                let place = place.map(|place| FoundPlace {
                    version: *version,
                    place,
                });
                About::Words(Words { exact, prefix, suffix }, place)
            }
        };
        let notes = rows.into_iter().map(|row| {
            let about = about(&row);
            row.note(about)
        });
        Ok(notes.collect())
    });
    finding.await.map_err(Error::internal)?
}
