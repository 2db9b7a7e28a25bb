use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::access::Role;
use kurso_core::courses::{self, Counts};
use kurso_core::error::Error;
use kurso_core::learning::view::CourseView;
use kurso_core::messages::Message;
use tokio::sync::OnceCell;

use super::page::Contents;
use super::{DateTime, Enrollment, Module, Modules, Part, Progress, View, id_of, int};
use crate::context::kurso;
use crate::error::wrap;

/// Courses read together: what one of them needs is loaded for all of them at once, when it is first asked for.
/// So a list of any length costs the same statements as one course.
pub struct Courses {
    rows: Vec<courses::Course>,
    views: OnceCell<Vec<Arc<View>>>,
    counts: OnceCell<Vec<Counts>>,
    contents: OnceCell<Arc<Contents>>,
}

/// A course as the signed-in person may see it.
#[derive(Clone)]
pub struct Course {
    all: Arc<Courses>,
    place: usize,
}

impl Courses {
    /// The courses of a list, in its order.
    pub fn of(rows: Vec<courses::Course>) -> Vec<Course> {
        let length = rows.len();
        let all = Arc::new(Courses {
            rows,
            views: OnceCell::new(),
            counts: OnceCell::new(),
            contents: OnceCell::new(),
        });
        (0..length)
            .map(|place| Course {
                all: all.clone(),
                place,
            })
            .collect()
    }
}

impl Course {
    pub fn from_row(row: courses::Course) -> Self {
        let all = Courses {
            rows: vec![row],
            views: OnceCell::new(),
            counts: OnceCell::new(),
            contents: OnceCell::new(),
        };
        Course {
            all: Arc::new(all),
            place: 0,
        }
    }

    /// A course whose view was loaded already.
    pub fn from_view(view: Arc<View>) -> Self {
        let rows = vec![view.course.clone()];
        let all = Courses {
            rows,
            views: OnceCell::new_with(Some(vec![view])),
            counts: OnceCell::new(),
            contents: OnceCell::new(),
        };
        Course {
            all: Arc::new(all),
            place: 0,
        }
    }

    #[expect(clippy::indexing_slicing, reason = "places are made with the list, above")]
    pub(crate) fn row(&self) -> &courses::Course {
        &self.all.rows[self.place]
    }

    pub(crate) async fn view(&self, ctx: &Context<'_>) -> Result<&Arc<View>> {
        self.views(ctx)
            .await?
            .get(self.place)
            .ok_or_else(|| wrap(ctx)(Error::NotFound(Message::CourseNotFound)))
    }

    async fn views(&self, ctx: &Context<'_>) -> Result<&Vec<Arc<View>>> {
        self.all
            .views
            .get_or_try_init(async || {
                let views = CourseView::of_all(kurso(ctx), self.all.rows.clone()).await?;
                Ok(views.into_iter().map(View::new).collect())
            })
            .await
            .map_err(wrap(ctx))
    }

    /// Of every page the caller sees in any of the courses; nothing is read yet.
    async fn contents(&self, ctx: &Context<'_>) -> Result<Arc<Contents>> {
        let views = self.views(ctx).await?;
        if let [alone] = views.as_slice() {
            return Ok(alone.contents(Part::Course));
        }
        let contents = self.all.contents.get_or_init(async || {
            let pages = views.iter().flat_map(|view| view.contents(Part::Course).pages.clone());
            Arc::new(Contents::across(pages.collect()))
        });
        Ok(contents.await.clone())
    }

    async fn counts(&self, ctx: &Context<'_>) -> Result<Counts> {
        if let Some([alone]) = self.all.views.get().map(Vec::as_slice) {
            let count = async || {
                let counts = courses::counts(&kurso(ctx).db, &self.all.rows).await?;
                Ok(counts.into_iter().next().unwrap_or_default())
            };
            return alone.counts.get_or_try_init(count).await.copied().map_err(wrap(ctx));
        }
        let counts = self
            .all
            .counts
            .get_or_try_init(async || courses::counts(&kurso(ctx).db, &self.all.rows).await)
            .await
            .map_err(wrap(ctx))?;
        Ok(counts.get(self.place).copied().unwrap_or_default())
    }
}

#[Object]
impl Course {
    async fn id(&self) -> ID {
        id_of(self.row().id)
    }
    async fn title(&self) -> &str {
        &self.row().title
    }
    async fn description(&self) -> Option<&str> {
        self.row().description.as_deref()
    }
    async fn owner(&self) -> CourseOwner {
        let owner = &self.row().owner;
        CourseOwner {
            id: id_of(owner.id),
            full_name: owner.full_name.clone(),
            email: owner.email.clone(),
        }
    }
    /// The caller's highest role.
    async fn my_role(&self) -> CourseRole {
        self.row().role.into()
    }
    /// `XXXX-XXXX`: whoever enters it is enrolled. Null for everyone but the owner and editors, and when there is none.
    async fn share_code(&self) -> Option<&str> {
        self.row().share_code.as_deref()
    }
    async fn modules_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.modules))
    }
    async fn lessons_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.lessons))
    }
    /// For learners, published pages only.
    async fn pages_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.pages))
    }
    async fn students_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.students))
    }
    async fn created_at(&self) -> DateTime {
        DateTime(self.row().created_at)
    }
    async fn updated_at(&self) -> DateTime {
        DateTime(self.row().updated_at)
    }
    /// The tree, in order. Learners get published pages only.
    async fn modules(&self, ctx: &Context<'_>) -> Result<Modules> {
        let view = self.view(ctx).await?;
        if let Some(written) = Modules::written(view, ctx) {
            return Ok(written);
        }
        let contents = self.contents(ctx).await?;
        let module = |place| Module {
            view: view.clone(),
            place,
            contents: Some(contents.clone()),
        };
        Ok(Modules::Nodes((0..view.tree.modules.len()).map(module).collect()))
    }
    /// The caller's progress; all zero for staff who are not enrolled.
    async fn progress(&self, ctx: &Context<'_>) -> Result<Progress> {
        Ok(Progress(self.view(ctx).await?.clone()))
    }
    /// The caller's own enrollment; null when there is none.
    async fn enrollment(&self) -> Option<Enrollment> {
        Enrollment::of(self.clone())
    }
}

/// Who owns a course.
#[derive(SimpleObject)]
pub struct CourseOwner {
    id: ID,
    full_name: Option<String>,
    /// Null for learners.
    email: Option<String>,
}

/// What a person is in a course.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CourseRole {
    /// Made the course or was handed it: everything.
    Owner,
    /// Edits the content.
    Editor,
    /// Sees students and their progress.
    Teacher,
    /// A superuser with no other role: reads, deletes, hands over.
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
            Role::Admin => Self::Admin,
            Role::Learner => Self::Learner,
        }
    }
}
