//! The settings of a gradebook: its scheme, its categories, and how each graded page counts.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{CourseId, GradeCategoryId, LessonId, PageId};
use kurso_base::messages::Message;
use kurso_base::values::{Change, Few, ItemPoints, Threshold};
use kurso_db::events::Event;
use kurso_db::{Executor, Tx, sql};

use super::scheme::{Scheme, is_descending, read_thresholds, write_thresholds};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::tree::{PageKind, Tree};
use crate::courses::{self, Course, Scope};

/// What a page is worth unless the course says otherwise, in hundredths of a point.
pub(super) const DEFAULT_POINTS: i64 = 10_000;

/// The settings of a gradebook.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub course_id: CourseId,
    pub scheme: Scheme,
    /// The least percent of each label of the scheme but the last, in hundredths, the best label first.
    pub thresholds: Vec<i64>,
    /// Whether a quiz counts as 0 that a learner has not taken when it was due.
    pub missing_counts_as_zero: bool,
    /// Whether graders do not see whose answers they grade.
    pub is_blind: bool,
    /// In order.
    pub categories: Vec<Category>,
    /// All quizzes of the course in its order, also those that are not published.
    pub items: Vec<Item>,
}

/// A category of graded pages.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Category {
    pub id: GradeCategoryId,
    pub course_id: CourseId,
    pub title: String,
    pub position: i64,
    /// Hundredths.
    pub weight: i64,
    /// How many of the lowest results do not count.
    pub drop_lowest: i64,
}

/// A graded page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub page_id: PageId,
    /// Its index in the tree.
    pub place: usize,
    /// None if the page is shown by its number.
    pub title: Option<String>,
    pub lesson_id: LessonId,
    pub lesson_title: String,
    /// Only published pages are in the gradebook.
    pub published: bool,
    pub category_id: Option<GradeCategoryId>,
    /// Hundredths of a point.
    pub points: i64,
    pub extra_credit: bool,
    /// Excluded from all grades.
    pub is_excluded: bool,
}

/// A change of the settings. Fields that are None stay as they are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateSettings {
    pub scheme: Option<Scheme>,
    /// `Clear`: the defaults of the scheme. Kept only as long as the scheme is.
    pub thresholds: Change<Few<Threshold>>,
    pub missing_counts_as_zero: Option<bool>,
    pub is_blind: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct SettingsRow {
    scheme: Scheme,
    thresholds: Option<String>,
    missing_counts_as_zero: bool,
    is_blind: bool,
}

/// How a page is graded, as stored.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub(super) struct ItemRow {
    pub page_id: PageId,
    pub category_id: Option<GradeCategoryId>,
    pub points: i64,
    pub extra_credit: bool,
    pub is_excluded: bool,
}

impl ItemRow {
    /// A page without a row.
    pub fn default_of(page_id: PageId) -> Self {
        ItemRow {
            page_id,
            category_id: None,
            points: DEFAULT_POINTS,
            extra_credit: false,
            is_excluded: false,
        }
    }
}

/// Whether a page of the tree is graded, once it is published.
pub(super) fn is_graded(kind: PageKind) -> bool {
    kind.takes_attempts()
}

impl Setup {
    /// Reads the settings of a course with this tree. Three statements.
    pub(super) async fn read(kurso: &Kurso, course: CourseId, tree: &Tree) -> Result<Self> {
        let settings = read_settings(&kurso.db, course).await?;
        let categories = sql!(
            "SELECT id, course_id, title, position, weight, drop_lowest FROM grade_categories
             WHERE course_id = $1 ORDER BY position, id",
            course
        )
        .fetch_all::<Category>(&kurso.db)
        .await?;
        let stored = sql!(
            "SELECT page_id, category_id, points, extra_credit, is_excluded FROM grade_items WHERE course_id = $1",
            course
        )
        .fetch_all::<ItemRow>(&kurso.db)
        .await?;
        let stored: HashMap<PageId, ItemRow> = stored.into_iter().map(|row| (row.page_id, row)).collect();
        let graded = tree.pages.iter().enumerate().filter(|(_, page)| is_graded(page.kind));
        let items = graded.map(|(place, page)| {
            let row = stored.get(&page.id).copied().unwrap_or(ItemRow::default_of(page.id));
            let lesson = tree.lesson(page.lesson);
            Item {
                page_id: page.id,
                place,
                title: page.title.clone(),
                lesson_id: lesson.id,
                lesson_title: lesson.title.clone(),
                published: page.published,
                category_id: row.category_id,
                points: row.points,
                extra_credit: row.extra_credit,
                is_excluded: row.is_excluded,
            }
        });
        Ok(Setup {
            course_id: course,
            thresholds: settings.thresholds(),
            scheme: settings.scheme,
            missing_counts_as_zero: settings.missing_counts_as_zero,
            is_blind: settings.is_blind,
            items: items.collect(),
            categories,
        })
    }

    /// The published pages, which are the columns of the gradebook.
    pub fn columns(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.published)
    }

    /// The label of a percent in hundredths.
    pub fn label(&self, hundredths: i64) -> Option<&'static str> {
        self.scheme.label(&self.thresholds, hundredths)
    }

    /// The index of a category.
    pub fn category(&self, id: GradeCategoryId) -> Option<usize> {
        self.categories.iter().position(|category| category.id == id)
    }
}

impl SettingsRow {
    fn thresholds(&self) -> Vec<i64> {
        let stored = self.thresholds.as_deref();
        let read = stored.and_then(|text| read_thresholds(self.scheme, text));
        read.unwrap_or_else(|| self.scheme.default_thresholds().to_vec())
    }
}

async fn read_settings(on: impl Executor, course: CourseId) -> Result<SettingsRow> {
    let row = sql!(
        "SELECT scheme, thresholds, missing_counts_as_zero, is_blind FROM grade_settings WHERE course_id = $1",
        course
    );
    let row = row.fetch_optional::<SettingsRow>(on).await?;
    Ok(row.unwrap_or(SettingsRow {
        scheme: Scheme::default(),
        thresholds: None,
        missing_counts_as_zero: false,
        is_blind: false,
    }))
}

pub(super) async fn tree_of(kurso: &Kurso, course: &Course) -> Result<Arc<Tree>> {
    let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(course)).await?;
    Ok(trees.into_iter().next().unwrap_or_default())
}

/// Whether the graders of a course do not see whose answers they grade.
pub(crate) async fn is_blind(on: impl Executor, course: CourseId) -> Result<bool> {
    Ok(read_settings(on, course).await?.is_blind)
}

/// The settings of a gradebook, for the staff of the course; 403 for learners. At most eight statements.
pub async fn setup(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Setup> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    of_course(kurso, &course).await
}

pub(super) async fn of_course(kurso: &Kurso, course: &Course) -> Result<Setup> {
    let tree = tree_of(kurso, course).await?;
    Setup::read(kurso, course.id, &tree).await
}

/// Changes the settings; for the owner and teachers. Fails with 422 if the thresholds do not fit the scheme.
pub async fn update_settings(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    update: UpdateSettings,
) -> Result<Setup> {
    let course = courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let stored = read_settings(&mut tx, course.id).await?;
    let scheme = update.scheme.unwrap_or(stored.scheme);
    let thresholds = match update.thresholds {
        Change::Set(given) => fitting(scheme, &given)?,
        Change::Clear => None,
        Change::Keep => stored.thresholds.filter(|_| scheme == stored.scheme),
    };
    sql!(
        "INSERT INTO grade_settings (course_id, scheme, thresholds, missing_counts_as_zero, is_blind) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (course_id) DO UPDATE SET scheme = excluded.scheme, thresholds = excluded.thresholds,
           missing_counts_as_zero = excluded.missing_counts_as_zero, is_blind = excluded.is_blind",
        course.id,
        scheme,
        thresholds,
        update.missing_counts_as_zero.unwrap_or(stored.missing_counts_as_zero),
        update.is_blind.unwrap_or(stored.is_blind)
    )
    .execute(&mut tx)
    .await?;
    commit(kurso, viewer, tx, &course, "settings").await
}

/// The thresholds as stored.
fn fitting(scheme: Scheme, given: &Few<Threshold>) -> Result<Option<String>> {
    let thresholds: Vec<i64> = given.0.iter().map(|least| least.hundredths()).collect();
    let wrong = |message| {
        let input = thresholds.iter().map(|least| kurso_base::values::decimal_text(*least));
        let input: Value = input.collect::<Vec<_>>().into();
        Error::invalid(FieldError::body("value_error", "thresholds", message, input))
    };
    if thresholds.len() != scheme.steps() {
        return Err(wrong(Message::ThresholdCount(scheme.steps())));
    }
    if !is_descending(&thresholds) {
        return Err(wrong(Message::ThresholdsOutOfOrder));
    }
    Ok((!thresholds.is_empty()).then(|| write_thresholds(&thresholds)))
}

/// Records a change of the settings, commits it, and reads the settings again.
pub(super) async fn commit(
    kurso: &Kurso,
    viewer: &Viewer,
    mut tx: Tx,
    course: &Course,
    what: &'static str,
) -> Result<Setup> {
    let entry = Entry::new(Act::GradeSettingsChanged)
        .by(viewer.id())
        .in_course(course.id);
    entry.detail(what).write(&mut tx, kurso.clock.now()).await?;
    tx.publish(Event::Grades { course: course.id });
    tx.commit().await?;
    of_course(kurso, course).await
}

/// The most points that a teacher may give for an item, in hundredths.
pub(super) fn most_for(points: i64) -> i64 {
    points.min(ItemPoints::MAX).saturating_mul(10)
}
