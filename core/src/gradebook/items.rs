//! Changes how graded pages count.

use std::collections::HashMap;

use kurso_base::error::{Error, FieldError, Loc, Result, require_no_errors};
use kurso_base::ids::{CourseId, GradeCategoryId, PageId};
use kurso_base::messages::Message;
use kurso_base::values::{Change, ItemPoints, Several};
use kurso_db::{Tx, args, sql};

use super::settings::{ItemRow, Setup, commit, is_graded};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::tree::PageKind;
use crate::courses::{self, Scope};

/// Rows of one INSERT.
const ROWS: usize = 500;

/// Changes how quizzes of a course count, all of them alike. Fields that are None stay as they are.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct SetItems {
    pub page_ids: Several<PageId>,
    /// `Clear`: no category.
    #[cfg_attr(any(test, feature = "testing"), serde(default))]
    pub category_id: Change<GradeCategoryId>,
    pub points: Option<ItemPoints>,
    pub extra_credit: Option<bool>,
    pub is_excluded: Option<bool>,
}

/// Changes how quizzes count; for the owner and teachers. Fails with 422 if one of the pages is no quiz of the course, or the category is of
/// another one.
pub async fn set_items(kurso: &Kurso, viewer: &Viewer, course: CourseId, set: SetItems) -> Result<Setup> {
    let course = courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    require_graded(&mut tx, course.id, &set.page_ids.0).await?;
    if let Change::Set(category) = set.category_id {
        require_category(&mut tx, course.id, category).await?;
    }
    let stored =
        sql!("SELECT page_id, category_id, points, extra_credit, is_excluded FROM grade_items WHERE page_id IN ")
            .push_in(set.page_ids.0.iter().copied())
            .fetch_all::<ItemRow>(&mut tx)
            .await?;
    let mut rows: HashMap<PageId, ItemRow> = stored.into_iter().map(|row| (row.page_id, row)).collect();
    for page in &set.page_ids.0 {
        let row = rows.entry(*page).or_insert(ItemRow::default_of(*page));
        match set.category_id {
            Change::Keep => {}
            change => row.category_id = change.value(),
        }
        row.points = set.points.map_or(row.points, ItemPoints::hundredths);
        row.extra_credit = set.extra_credit.unwrap_or(row.extra_credit);
        row.is_excluded = set.is_excluded.unwrap_or(row.is_excluded);
    }
    let rows: Vec<ItemRow> = rows.into_values().collect();
    for rows in rows.chunks(ROWS) {
        sql!("INSERT INTO grade_items (page_id, course_id, category_id, points, extra_credit, is_excluded) VALUES ")
            .push_rows(rows, |row| {
                args![
                    row.page_id,
                    course.id,
                    row.category_id,
                    row.points,
                    row.extra_credit,
                    row.is_excluded
                ]
            })
            .push(
                " ON CONFLICT (page_id) DO UPDATE SET category_id = excluded.category_id, points = excluded.points,
                   extra_credit = excluded.extra_credit, is_excluded = excluded.is_excluded",
            )
            .execute(&mut tx)
            .await?;
    }
    commit(kurso, viewer, tx, &course, "items").await
}

/// Fails with 422, naming each page that is no quiz of the course.
async fn require_graded(tx: &mut Tx, course: CourseId, pages: &[PageId]) -> Result<()> {
    let found = sql!("SELECT id, kind FROM pages WHERE course_id = $1 AND id IN ", course)
        .push_in(pages.iter().copied())
        .fetch_all::<(PageId, PageKind)>(tx)
        .await?;
    let found: HashMap<PageId, PageKind> = found.into_iter().collect();
    let wrong = pages.iter().enumerate();
    let wrong = wrong.filter(|(_, page)| !found.get(page).is_some_and(|kind| is_graded(*kind)));
    let errors: Vec<FieldError> = wrong
        .map(|(at, page)| {
            let (message, input) = (Message::UnknownQuiz, page.to_string().into());
            let mut error = FieldError::body("value_error", "page_ids", message, input);
            error.loc.push(Loc::Index(at));
            error
        })
        .collect();
    require_no_errors(errors)
}

async fn require_category(tx: &mut Tx, course: CourseId, category: GradeCategoryId) -> Result<()> {
    let found = sql!(
        "SELECT 1 FROM grade_categories WHERE id = $1 AND course_id = $2",
        category,
        course
    );
    match found.fetch_optional::<(i32,)>(tx).await? {
        Some(_) => Ok(()),
        None => Err(Error::invalid(FieldError::body(
            "value_error",
            "category_id",
            Message::UnknownGradeCategory,
            category.to_string().into(),
        ))),
    }
}
