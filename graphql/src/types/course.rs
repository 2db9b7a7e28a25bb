use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::access::{Right, Role};
use kurso_core::courses::team::{self, Member};
use kurso_core::courses::{self, Counts};
use kurso_core::error::Error;
use kurso_core::learning::students::{self, Order, Roster};
use kurso_core::learning::view::CourseView;
use kurso_core::messages::Message;
use tokio::sync::OnceCell;

use super::page::Contents;
use super::{
    Collaborator, DateTime, Enrollment, Module, Modules, Part, Progress, Student, StudentSort, View, id_of, int,
};
use crate::context::kurso;
use crate::error::wrap;
use crate::lists::{List, list, window, words};

/// Courses read together: what one of them needs is loaded for all of them at once, when it is first asked for.
/// So a list of any length costs the same statements as one course.
pub struct Courses {
    rows: Vec<courses::Course>,
    views: OnceCell<Vec<Arc<View>>>,
    counts: OnceCell<Vec<Counts>>,
    contents: OnceCell<Arc<Contents>>,
    rosters: OnceCell<Vec<Roster>>,
    teams: OnceCell<Vec<Vec<Member>>>,
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
        let all = Arc::new(Courses::with(rows, OnceCell::new()));
        (0..length)
            .map(|place| Course {
                all: all.clone(),
                place,
            })
            .collect()
    }

    fn with(rows: Vec<courses::Course>, views: OnceCell<Vec<Arc<View>>>) -> Self {
        Courses {
            rows,
            views,
            counts: OnceCell::new(),
            contents: OnceCell::new(),
            rosters: OnceCell::new(),
            teams: OnceCell::new(),
        }
    }
}

impl Course {
    pub fn from_row(row: courses::Course) -> Self {
        Course {
            all: Arc::new(Courses::with(vec![row], OnceCell::new())),
            place: 0,
        }
    }

    /// A course whose view was loaded already.
    pub fn from_view(view: Arc<View>) -> Self {
        let rows = vec![view.course.clone()];
        let views = OnceCell::new_with(Some(vec![view]));
        Course {
            all: Arc::new(Courses::with(rows, views)),
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

    /// None when the caller may not see the students.
    async fn roster(&self, ctx: &Context<'_>) -> Result<Option<&Roster>> {
        let seen = |row: &&courses::Course| row.role.may(Right::SeeStudents);
        if !seen(&self.row()) {
            return Ok(None);
        }
        let rosters = self
            .all
            .rosters
            .get_or_try_init(async || {
                let rows: Vec<_> = self.all.rows.iter().filter(seen).cloned().collect();
                Roster::of_all(kurso(ctx), &rows).await
            })
            .await
            .map_err(wrap(ctx))?;
        let before = self.all.rows.iter().take(self.place).filter(seen).count();
        Ok(rosters.get(before))
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
    /// Those who learn the course and how far they are; null for learners. Equal ones go by id, ascending.
    async fn students(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words, each of which must be in the name or the e-mail address; at most 255 characters.")]
        search: Option<String>,
        #[graphql(desc = "FULL_NAME when left out.")] sort: Option<StudentSort>,
        descending: Option<bool>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
    ) -> Result<Option<List<Student>>> {
        let page = window(ctx, first, after)?;
        let search = words(ctx, search)?;
        let Some(roster) = self.roster(ctx).await? else {
            return Ok(None);
        };
        let order = Order {
            by: sort.unwrap_or_default().into(),
            descending: descending.unwrap_or_default(),
        };
        let found = roster.page(&students::Query { search, order }, page);
        let nodes = found.data.into_iter().map(Student).collect();
        Ok(Some(list(page, found.count, nodes)))
    }
    /// The editors and teachers: who accepted, then invitations, each as they came; null for learners. Invitations are shown
    /// to the owner and superusers only.
    async fn collaborators(&self, ctx: &Context<'_>) -> Result<Option<Vec<Collaborator>>> {
        if !self.row().role.may(Right::ReadAsAuthor) {
            return Ok(None);
        }
        let teams = self
            .all
            .teams
            .get_or_try_init(async || team::of_all(&kurso(ctx).db, &self.all.rows, kurso(ctx).clock.now()).await)
            .await
            .map_err(wrap(ctx))?;
        let team = teams.get(self.place).cloned().unwrap_or_default();
        Ok(Some(team.into_iter().map(Collaborator).collect()))
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
