//! Whether and how people discuss in a course.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::values::{Few, ForbiddenWord};
use kurso_db::{Executor, Tx, sql};

use super::reader::is_on;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{self, Scope};

/// The settings of a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscussionSettings {
    /// Whether learners read and write.
    pub is_on: bool,
    /// Whether learners may write without their names for fellow learners and editors.
    pub allows_anonymous: bool,
    /// Whether new questions are for the group of the learner.
    pub is_per_group: bool,
    /// Words and phrases that learners may not write.
    pub words: Vec<String>,
}

impl Default for DiscussionSettings {
    fn default() -> Self {
        DiscussionSettings {
            is_on: true,
            allows_anonymous: false,
            is_per_group: false,
            words: vec![],
        }
    }
}

/// What holds under a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct Rules {
    /// Whether questions are on in the course and under the page.
    pub is_on: bool,
    /// Whether they are on under the page, whatever the course says.
    pub is_on_page: bool,
    pub allows_anonymous: bool,
    pub is_per_group: bool,
}

const RULES: &str = concat!(
    "SELECT p.id, ",
    is_on!(),
    " AS is_on, NOT EXISTS (SELECT 1 FROM discussion_pages_off f WHERE f.page_id = p.id) AS is_on_page,
      COALESCE(s.allows_anonymous, FALSE) AS allows_anonymous, COALESCE(s.is_per_group, FALSE) AS is_per_group
      FROM pages p LEFT JOIN discussion_settings s ON s.course_id = p.course_id WHERE p.id IN "
);

#[derive(sqlx::FromRow)]
struct RulesRow {
    id: PageId,
    #[sqlx(flatten)]
    rules: Rules,
}

/// The rules of pages. One statement.
pub async fn rules_of(on: impl Executor, pages: &[PageId]) -> Result<HashMap<PageId, Rules>> {
    let rows = sql!(RULES).push_in(pages.iter().copied());
    let rows = rows.fetch_all::<RulesRow>(on).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.rules)).collect())
}

/// The rules of a page.
pub(super) async fn rules(on: impl Executor, page: PageId) -> Result<Rules> {
    let found = rules_of(on, &[page]).await?.remove(&page);
    found.ok_or(Error::NotFound(Message::PageNotFound))
}

/// The words that learners of a course may not write.
pub(super) async fn words(tx: &mut Tx, course: CourseId) -> Result<Vec<String>> {
    let words = sql!("SELECT words FROM discussion_settings WHERE course_id = $1", course);
    let words = words.fetch_optional::<(String,)>(tx).await?;
    Ok(words.map(|(words,)| lines(&words)).unwrap_or_default())
}

fn lines(words: &str) -> Vec<String> {
    words.lines().map(str::to_owned).collect()
}

#[derive(sqlx::FromRow)]
struct Row {
    course_id: CourseId,
    is_on: bool,
    allows_anonymous: bool,
    is_per_group: bool,
    words: String,
}

/// The settings of a course. For the owner, editors and teachers.
pub async fn settings(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<DiscussionSettings> {
    let course = courses::find(&kurso.db, viewer, course, Right::Discuss).await?;
    if !course.role.is_staff() {
        return Err(Error::Forbidden(Message::CourseForbidden));
    }
    let mut found = settings_of(&kurso.db, &[course.id]).await?;
    Ok(found.remove(&course.id).unwrap_or_default())
}

/// The settings of courses that have other than the default ones. One statement. The caller has checked the right.
pub async fn settings_of(on: impl Executor, courses: &[CourseId]) -> Result<HashMap<CourseId, DiscussionSettings>> {
    let rows = sql!(
        "SELECT course_id, is_on, allows_anonymous, is_per_group, words FROM discussion_settings WHERE course_id IN "
    )
    .push_in(courses.iter().copied())
    .fetch_all::<Row>(on)
    .await?;
    let settings = rows.into_iter().map(|row| {
        let settings = DiscussionSettings {
            is_on: row.is_on,
            allows_anonymous: row.allows_anonymous,
            is_per_group: row.is_per_group,
            words: lines(&row.words),
        };
        (row.course_id, settings)
    });
    Ok(settings.collect())
}

/// A change of settings. None: as it is.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct SetDiscussions {
    pub is_on: Option<bool>,
    pub allows_anonymous: Option<bool>,
    pub is_per_group: Option<bool>,
    pub words: Option<Few<ForbiddenWord>>,
}

/// Changes the settings of a course, and returns them. Owner and teachers.
pub async fn set(kurso: &Kurso, viewer: &Viewer, course: CourseId, to: SetDiscussions) -> Result<DiscussionSettings> {
    let course = courses::find(&kurso.db, viewer, course, Right::ModerateDiscussions)
        .await?
        .id;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    let before = settings_of(&mut tx, &[course])
        .await?
        .remove(&course)
        .unwrap_or_default();
    let words = to.words.map(|words| {
        let words = words
            .0
            .iter()
            .map(|word| word.as_str().split_whitespace().collect::<Vec<_>>().join(" "));
        words.filter(|word| !word.is_empty()).collect()
    });
    let settings = DiscussionSettings {
        is_on: to.is_on.unwrap_or(before.is_on),
        allows_anonymous: to.allows_anonymous.unwrap_or(before.allows_anonymous),
        is_per_group: to.is_per_group.unwrap_or(before.is_per_group),
        words: words.unwrap_or_else(|| before.words.clone()),
    };
    if settings == before {
        tx.rollback().await?;
        return Ok(settings);
    }
    sql!(
        "INSERT INTO discussion_settings (course_id, is_on, allows_anonymous, is_per_group, words) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (course_id) DO UPDATE SET is_on = excluded.is_on, allows_anonymous = excluded.allows_anonymous,
           is_per_group = excluded.is_per_group, words = excluded.words",
        course,
        settings.is_on,
        settings.allows_anonymous,
        settings.is_per_group,
        settings.words.join("\n")
    )
    .execute(&mut tx)
    .await?;
    let entry = Entry::new(Act::DiscussionSettingsChanged)
        .by(viewer.id())
        .in_course(course);
    entry.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(settings)
}

/// Whether questions are on under a page.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct SetPageDiscussions {
    pub is_on: bool,
}

/// Switches questions on or off under a page, and returns what holds there. Owner and teachers.
pub async fn set_page(kurso: &Kurso, viewer: &Viewer, page: PageId, to: SetPageDiscussions) -> Result<Rules> {
    let course = courses::find(&kurso.db, viewer, page, Right::ModerateDiscussions)
        .await?
        .id;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course, Scope::Unchanged).await?;
    rules(&mut tx, page).await?;
    let set = match to.is_on {
        true => "DELETE FROM discussion_pages_off WHERE page_id = $1",
        false => "INSERT INTO discussion_pages_off (page_id) VALUES ($1) ON CONFLICT (page_id) DO NOTHING",
    };
    if sql!(set, page).execute(&mut tx).await? > 0 {
        let entry = Entry::new(Act::DiscussionSettingsChanged)
            .by(viewer.id())
            .in_course(course);
        entry.about(page).write(&mut tx, now).await?;
    }
    let rules = rules(&mut tx, page).await?;
    tx.commit().await?;
    Ok(rules)
}
