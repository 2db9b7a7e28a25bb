//! Who sees the public page of a course: its visibility, and the settings of the page.

use std::collections::HashMap;

use super::{Scope, begin, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::files::url_of;
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::{Executor, sql};

/// Who sees the public page of a course without being in the course.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, sqlx::Type, serde::Serialize, serde::Deserialize)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Nobody: the course has no public page.
    #[default]
    Private,
    /// Everybody who has its address. The page is neither in the catalogue nor in search engines.
    Link,
    /// Everybody: the course is in the catalogue and in the sitemap.
    Public,
}

kurso_base::values::choices! {
    Visibility: "private" => Visibility::Private, "link" => Visibility::Link, "public" => Visibility::Public;
}

impl Visibility {
    /// The name as stored.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Link => "link",
            Visibility::Public => "public",
        }
    }
}

/// An SQL condition: the course `c` has a public page. That of an inactive owner is hidden.
macro_rules! has_public_page {
    () => {
        "EXISTS (SELECT 1 FROM public_pages v JOIN users w ON w.id = c.owner_id
           WHERE v.course_id = c.id AND v.visibility IN ('link', 'public') AND w.is_active)"
    };
}
pub(crate) use has_public_page;

/// The settings of the public page of a course.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PublicPageSettings {
    pub visibility: Visibility,
    /// `/files/…`; None without a cover.
    pub cover_url: Option<String>,
    /// Whether people may start the course without an account, from its page or with a code.
    pub allows_guests: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    visibility: Visibility,
    allows_guests: bool,
    cover_key: Option<String>,
    cover_name: Option<String>,
}

/// The settings of a course. For its staff.
pub async fn settings(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<PublicPageSettings> {
    let course = find(&kurso.db, viewer, course, Right::ReadAsAuthor).await?.id;
    one(&kurso.db, course).await
}

/// The settings of courses that have other than the default ones. One statement. The caller has checked the right.
pub async fn settings_of(on: impl Executor, courses: &[CourseId]) -> Result<HashMap<CourseId, PublicPageSettings>> {
    let rows = sql!(
        "SELECT v.course_id, v.visibility, v.allows_guests, f.key AS cover_key, f.filename AS cover_name
         FROM public_pages v LEFT JOIN files f ON f.id = v.cover_file_id WHERE v.course_id IN "
    )
    .push_in(courses.iter().copied())
    .fetch_all::<Row>(on)
    .await?;
    let settings = rows.into_iter().map(|row| {
        let settings = PublicPageSettings {
            visibility: row.visibility,
            allows_guests: row.allows_guests,
            cover_url: url_of(row.cover_key, row.cover_name),
        };
        (row.course_id, settings)
    });
    Ok(settings.collect())
}

pub(super) async fn one(on: impl Executor, course: CourseId) -> Result<PublicPageSettings> {
    let found = settings_of(on, &[course]).await?.remove(&course);
    Ok(found.unwrap_or_default())
}

/// A change of who may come to a course without being invited.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct SetVisibility {
    pub visibility: Visibility,
    /// None: as before.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub allows_guests: Option<bool>,
}

/// Sets who sees the public page of a course, and whether it allows guests. Guests who have started go on. A superuser may close the
/// page of any course. Needs the right to share the course.
pub async fn set(kurso: &Kurso, viewer: &Viewer, course: CourseId, to: SetVisibility) -> Result<PublicPageSettings> {
    // Closing reveals nothing, and who answers for the server must be able to, whatever role they have in the course.
    let closes = to.visibility == Visibility::Private && to.allows_guests != Some(true);
    let right = match closes && viewer.user.is_superuser {
        true => Right::Read,
        false => Right::Share,
    };
    let found = find(&kurso.db, viewer, course, right).await?;
    let course = found.id;
    let (visibility, now) = (to.visibility, kurso.clock.now());
    let mut tx = begin(&kurso.db, course, Scope::Unchanged).await?;
    let before = one(&mut tx, course).await?;
    let is_closed = right == Right::Read && found.owner.id != viewer.id();
    let allows_guests = to.allows_guests.unwrap_or(before.allows_guests) && !is_closed;
    if (before.visibility, before.allows_guests) == (visibility, allows_guests) {
        tx.rollback().await?;
        return Ok(before);
    }
    // A course that stays public keeps its place in the catalogue.
    sql!(
        "INSERT INTO public_pages (course_id, visibility, listed_at, allows_guests) VALUES ($1, $2, $3, $4)
         ON CONFLICT (course_id) DO UPDATE SET visibility = excluded.visibility, allows_guests = excluded.allows_guests,
           listed_at = CASE WHEN public_pages.visibility = excluded.visibility THEN public_pages.listed_at ELSE excluded.listed_at END",
        course,
        visibility,
        (visibility == Visibility::Public).then_some(now),
        allows_guests
    )
    .execute(&mut tx)
    .await?;
    if before.visibility != visibility {
        let entry = Entry::new(Act::VisibilityChanged).by(viewer.id()).in_course(course);
        entry.detail(visibility.name()).write(&mut tx, now).await?;
    }
    if before.allows_guests != allows_guests {
        let entry = Entry::new(Act::GuestsAllowed).by(viewer.id()).in_course(course);
        entry
            .detail(if allows_guests { "on" } else { "off" })
            .write(&mut tx, now)
            .await?;
    }
    tx.commit().await?;
    Ok(PublicPageSettings {
        visibility,
        allows_guests,
        ..before
    })
}
