//! The catalogue of public courses, the latest first, and the sitemap of their pages.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{CatalogueEntry, Cover};
use crate::Kurso;
use crate::auth::Origin;
use crate::auth::limits::Limit;
use crate::courses::dates::course_dates_columns;
use crate::courses::visibility::{Visibility, has_public_page};
use crate::scan;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, FileId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::schedule::CourseDates;
use kurso_base::search::Search;
use kurso_db::sql;

/// Maximum number of courses in a sitemap: the protocol allows 50,000 addresses, and the catalogue is one of them.
pub const MAX_IN_SITEMAP: i64 = 49_999;

/// A course in the sitemap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct SitemapEntry {
    pub course_id: CourseId,
    pub updated_at: DateTime<Utc>,
}

/// Maximum length of a description in the catalogue, in characters.
const SUMMARY: usize = 300;

/// The public courses `c` with their pages `v`. Those of inactive owners are hidden.
macro_rules! listed {
    () => {
        " FROM public_pages v JOIN courses c ON c.id = v.course_id JOIN users w ON w.id = c.owner_id
          WHERE v.listed_at IS NOT NULL AND w.is_active"
    };
}

/// Public courses, those first that became public last, then by id. A search selects those with all of its words in the title. Descriptions are cut to 300 characters.
/// Three statements; with a search one more for each thousand courses. Rate-limited per client address.
pub async fn list(kurso: &Kurso, origin: &Origin, search: &Search, page: Page) -> Result<Listed<CatalogueEntry>> {
    let limit = match search.is_empty() {
        true => Limit::Visits,
        false => Limit::CatalogueScans,
    };
    kurso
        .limits
        .acquire_of_address(limit, origin.address, kurso.clock.now())?;
    let Listed { data: ids, count } = if search.is_empty() {
        let rows = sql!(
            concat!(
                "SELECT c.id",
                listed!(),
                " ORDER BY v.listed_at DESC, c.id DESC LIMIT $1 OFFSET $2"
            ),
            page.limit,
            page.skip
        );
        let rows = rows.fetch_all::<(CourseId,)>(&kurso.db).await?;
        let count = sql!(concat!("SELECT COUNT(*)", listed!()));
        Listed {
            data: rows.into_iter().map(|(id,)| id).collect(),
            count: count.fetch_one::<(i64,)>(&kurso.db).await?.0,
        }
    } else {
        let part = concat!(
            "SELECT c.id, v.listed_at, c.title, '', ''",
            listed!(),
            " AND c.id > $1 ORDER BY c.id LIMIT $2"
        );
        let found = scan::find(&kurso.db, part, search, page).await?;
        Listed {
            data: found.data.into_iter().map(CourseId).collect(),
            count: found.count,
        }
    };
    let mut data = entries(kurso, &ids).await?;
    for entry in &mut data {
        entry.description = entry
            .description
            .take()
            .map(|text| text.chars().take(SUMMARY).collect());
    }
    Ok(Listed { data, count })
}

#[derive(sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    visibility: Visibility,
    allows_guests: bool,
    title: String,
    description: Option<String>,
    #[sqlx(flatten)]
    dates: CourseDates,
    updated_at: DateTime<Utc>,
    file_id: Option<FileId>,
    width: Option<i64>,
    height: Option<i64>,
}

/// The entries of courses that have a public page, in the order given. Two statements.
pub(super) async fn entries(kurso: &Kurso, ids: &[CourseId]) -> Result<Vec<CatalogueEntry>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let rows = sql!(concat!(
        "SELECT c.id AS course_id, v.visibility, v.allows_guests, c.title, c.description, ",
        course_dates_columns!("c"),
        ", c.updated_at, f.id AS file_id, f.width, f.height
         FROM public_pages v JOIN courses c ON c.id = v.course_id LEFT JOIN files f ON f.id = v.cover_file_id WHERE ",
        has_public_page!(),
        " AND c.id IN "
    ))
    .push_in(ids.iter().copied())
    .fetch_all::<Row>(&kurso.db)
    .await?;
    let mut authors = authors(kurso, ids).await?;
    let mut entries: HashMap<CourseId, CatalogueEntry> = HashMap::new();
    for row in rows {
        let cover = row.file_id.zip(row.width.zip(row.height));
        let entry = CatalogueEntry {
            id: row.course_id,
            visibility: row.visibility,
            allows_guests: row.allows_guests,
            title: row.title,
            description: row.description.filter(|text| !text.trim().is_empty()),
            cover: cover.map(|(file, (width, height))| Cover {
                url: format!("/courses/{}/cover?v={file}", row.course_id),
                width,
                height,
            }),
            authors: authors.remove(&row.course_id).unwrap_or_default(),
            dates: row.dates,
            updated_at: row.updated_at,
        };
        entries.insert(row.course_id, entry);
    }
    Ok(ids.iter().filter_map(|id| entries.remove(id)).collect())
}

/// The names of the authors of courses. Addresses are never read.
async fn authors(kurso: &Kurso, ids: &[CourseId]) -> Result<HashMap<CourseId, Vec<String>>> {
    let rows = sql!(
        "SELECT a.course_id, u.full_name FROM (
           SELECT id AS course_id, owner_id AS user_id, 0 AS place FROM courses
           UNION ALL SELECT course_id, user_id, 1 FROM collaborators WHERE role = 'editor') a
         JOIN users u ON u.id = a.user_id WHERE u.is_active AND u.full_name <> '' AND a.course_id IN "
    )
    .push_in(ids.iter().copied())
    .push(" ORDER BY a.place, u.full_name, u.id")
    .fetch_all::<(CourseId, String)>(&kurso.db)
    .await?;
    let mut authors: HashMap<CourseId, Vec<String>> = HashMap::new();
    for (course, name) in rows {
        authors.entry(course).or_default().push(name);
    }
    Ok(authors)
}

/// The public courses, those first that became public last, at most [`MAX_IN_SITEMAP`]. One statement. Rate-limited per client address.
pub async fn sitemap(kurso: &Kurso, origin: &Origin) -> Result<Vec<SitemapEntry>> {
    kurso
        .limits
        .acquire_of_address(Limit::CatalogueScans, origin.address, kurso.clock.now())?;
    let entries = sql!(
        concat!(
            "SELECT c.id AS course_id, c.updated_at",
            listed!(),
            " ORDER BY v.listed_at DESC, c.id DESC LIMIT $1"
        ),
        MAX_IN_SITEMAP
    );
    Ok(entries.fetch_all(&kurso.db).await?)
}
