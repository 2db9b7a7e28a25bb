//! A course: how it and its view are read, its owner and roles.

mod fields;

use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_core::access::{Right, Role};
use kurso_core::courses::{self, Counts};
use kurso_core::learning::view::CourseView;
use tokio::sync::OnceCell;

use super::loaders::{CountsOf, Loaders, ViewOf};
use super::view::Row;
use super::{View, unless_gone};
use crate::context::{kurso, viewer};
use crate::error::wrap;

#[derive(Clone)]
pub struct Course {
    row: Row,
    loaders: Arc<Loaders>,
    /// The view of a course that is not part of a list. It is read at once: a loader would wait for other courses.
    own_view: Option<Arc<OnceCell<Arc<CourseView>>>>,
}

impl Course {
    /// The courses of a list, in its order. They share loaders.
    pub fn list(rows: Vec<courses::Course>) -> Vec<Self> {
        let loaders = Arc::<Loaders>::default();
        let course = |row| Course {
            row: Row::Alone(Arc::new(row)),
            loaders: loaders.clone(),
            own_view: None,
        };
        rows.into_iter().map(course).collect()
    }

    pub fn from_row(row: courses::Course) -> Self {
        Course {
            row: Row::Alone(Arc::new(row)),
            loaders: Arc::default(),
            own_view: Some(Arc::default()),
        }
    }

    /// The course of a changed object; None when it was just deleted.
    pub async fn load_left(ctx: &Context<'_>, id: CourseId) -> Result<Option<Self>> {
        let found = courses::find(&kurso(ctx).db, viewer(ctx)?, id, Right::Read).await;
        unless_gone(ctx, found.map(Course::from_row))
    }

    /// A course with a loaded view.
    pub fn from_view(view: &View) -> Self {
        Course {
            row: view.row(),
            loaders: view.loaders.clone(),
            own_view: None,
        }
    }

    pub(crate) fn row(&self) -> &courses::Course {
        &self.row
    }

    pub(crate) async fn view(&self, ctx: &Context<'_>) -> Result<View> {
        let view = match (&self.row, &self.own_view) {
            (Row::InView(view), _) => Some(view.clone()),
            (Row::Alone(row), Some(view)) => {
                let read = view.get_or_try_init(async || {
                    let view = CourseView::of(kurso(ctx), courses::Course::clone(row)).await;
                    view.map(Arc::new)
                });
                Some(read.await.map_err(wrap(ctx))?.clone())
            }
            (Row::Alone(_), None) => self.loaders.load(ctx, ViewOf(self.row.clone())).await?,
        };
        let view = view.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::CourseNotFound)))?;
        Ok(View::among(view, self.loaders.clone()))
    }

    async fn counts(&self, ctx: &Context<'_>) -> Result<Counts> {
        Ok(self
            .loaders
            .load(ctx, CountsOf(self.row.clone()))
            .await?
            .unwrap_or_default())
    }
}

/// The owner of a course.
#[derive(SimpleObject)]
pub struct CourseOwner {
    /// Unique ID.
    id: ID,
    /// Null when the user has not given a name.
    full_name: Option<String>,
    /// Null for learners.
    email: Option<String>,
}

/// Role of a user in a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CourseRole {
    /// Has all rights.
    Owner,
    /// Edits the content.
    Editor,
    /// Sees students and their progress.
    Teacher,
    /// Reads what editors read and comments; changes nothing and sees no students.
    Reviewer,
    /// A superuser without another role: reads, deletes, transfers.
    Admin,
    /// Enrolled.
    Learner,
}

impl From<Role> for CourseRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Owner => Self::Owner,
            Role::Editor => Self::Editor,
            Role::Teacher => Self::Teacher,
            Role::Reviewer => Self::Reviewer,
            Role::Admin => Self::Admin,
            Role::Learner => Self::Learner,
        }
    }
}
