//! Changes of the categories of a gradebook.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, GradeCategoryId};
use kurso_base::messages::Message;
use kurso_base::values::{DropLowest, Position, Title, Weight};
use kurso_db::sql;

use super::settings::{Setup, commit};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::order::{self, Siblings};
use crate::courses::{self, Scope};

/// The most categories of a course.
pub const MAX_CATEGORIES: i64 = 50;

/// The weight of a category unless it is given: all such categories weigh the same.
const DEFAULT_WEIGHT: i64 = 10_000;

/// A new category. Without a position it is appended to its course.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct CreateCategory {
    pub title: Title,
    pub position: Option<Position>,
    pub weight: Option<Weight>,
    pub drop_lowest: Option<DropLowest>,
}

/// A change of a category. Fields that are None stay as they are. `position` moves it among its siblings.
#[derive(Clone, Debug, Default)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize), serde(default))]
pub struct UpdateCategory {
    pub title: Option<Title>,
    pub position: Option<Position>,
    pub weight: Option<Weight>,
    pub drop_lowest: Option<DropLowest>,
}

/// Creates an empty category; for the owner and teachers. Fails with 409 if the course has [`MAX_CATEGORIES`].
pub async fn create_category(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    new: CreateCategory,
) -> Result<(GradeCategoryId, Setup)> {
    let course = courses::find(&kurso.db, viewer, course, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let count = sql!("SELECT COUNT(*) FROM grade_categories WHERE course_id = $1", course.id);
    if count.fetch_one::<(i64,)>(&mut tx).await?.0 >= MAX_CATEGORIES {
        return Err(Error::Conflict(Message::TooManyGradeCategories(MAX_CATEGORIES)));
    }
    let siblings = Siblings::GradeCategories(course.id);
    let wanted = new.position.map(Position::get);
    let position = order::make_room(&mut tx, course.id, siblings, wanted).await?;
    let id = GradeCategoryId::new();
    sql!(
        "INSERT INTO grade_categories (id, course_id, title, position, weight, drop_lowest) VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        course.id,
        new.title.as_str(),
        position,
        new.weight.map_or(DEFAULT_WEIGHT, Weight::hundredths),
        new.drop_lowest.map_or(0, DropLowest::get)
    )
    .execute(&mut tx)
    .await?;
    Ok((id, commit(kurso, viewer, tx, &course, "category").await?))
}

/// Changes or moves a category; for the owner and teachers.
pub async fn update_category(
    kurso: &Kurso,
    viewer: &Viewer,
    id: GradeCategoryId,
    update: UpdateCategory,
) -> Result<Setup> {
    let course = courses::find(&kurso.db, viewer, id, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let (at,) = sql!("SELECT position FROM grade_categories WHERE id = $1", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::GradeCategoryNotFound))?;
    let siblings = Siblings::GradeCategories(course.id);
    let wanted = update.position.map(Position::get);
    let position = order::move_child(&mut tx, course.id, (siblings, at), siblings, wanted)
        .await?
        .ok_or(Error::NotFound(Message::CourseNotFound))?;
    sql!(
        "UPDATE grade_categories SET title = COALESCE($2, title), position = $3, weight = COALESCE($4, weight),
           drop_lowest = COALESCE($5, drop_lowest) WHERE id = $1",
        id,
        update.title.map(String::from),
        position,
        update.weight.map(Weight::hundredths),
        update.drop_lowest.map(DropLowest::get)
    )
    .execute(&mut tx)
    .await?;
    commit(kurso, viewer, tx, &course, "category").await
}

/// Deletes a category; for the owner and teachers. Its pages stay, without a category.
pub async fn delete_category(kurso: &Kurso, viewer: &Viewer, id: GradeCategoryId) -> Result<Setup> {
    let course = courses::find(&kurso.db, viewer, id, Right::ManageStudents).await?;
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let (position,) = sql!("DELETE FROM grade_categories WHERE id = $1 RETURNING position", id)
        .fetch_optional::<(i64,)>(&mut tx)
        .await?
        .ok_or(Error::NotFound(Message::GradeCategoryNotFound))?;
    order::close_gap(&mut tx, Siblings::GradeCategories(course.id), position).await?;
    commit(kurso, viewer, tx, &course, "category").await
}
