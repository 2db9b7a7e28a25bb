use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_core::access::{Right, Role};
use kurso_core::courses::{self, Counts};
use kurso_core::error::Error;
use kurso_core::exports;
use kurso_core::ids::CourseId;
use kurso_core::learning::students::{self, Order};
use kurso_core::messages::Message;

use super::loaders::Loaders;
use super::view::Row;
use super::{
    Collaborator, DateTime, Enrollment, ExportFormat, Module, Modules, Progress, Student, StudentSort, View, id_of,
    int, unless_gone,
};
use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{List, list, window, words};

#[derive(Clone)]
pub struct Course {
    row: Row,
    loaders: Arc<Loaders>,
}

impl Course {
    /// The courses of a list, in its order: what one of them needs is read for all of them at once.
    pub fn list(rows: Vec<courses::Course>) -> Vec<Self> {
        let loaders = Arc::<Loaders>::default();
        let course = |row| Course {
            row: Row::Alone(Arc::new(row)),
            loaders: loaders.clone(),
        };
        rows.into_iter().map(course).collect()
    }

    pub fn from_row(row: courses::Course) -> Self {
        Course {
            row: Row::Alone(Arc::new(row)),
            loaders: Arc::new(Loaders::of_one()),
        }
    }

    /// What something was in; None when it was deleted in this moment.
    pub async fn load_left(ctx: &Context<'_>, id: CourseId) -> Result<Option<Self>> {
        let found = courses::find(&kurso(ctx).db, viewer(ctx)?, id, Right::Read).await;
        unless_gone(ctx, found.map(Course::from_row))
    }

    /// A course whose view was loaded already.
    pub fn from_view(view: &View) -> Self {
        Course {
            row: view.row(),
            loaders: view.loaders.clone(),
        }
    }

    pub(crate) fn row(&self) -> &courses::Course {
        &self.row
    }

    pub(crate) async fn view(&self, ctx: &Context<'_>) -> Result<View> {
        let view = match &self.row {
            Row::InView(view) => Some(view.clone()),
            Row::Alone(_) => self.loaders.view(ctx, &self.row).await?,
        };
        let view = view.ok_or_else(|| wrap(ctx)(Error::NotFound(Message::CourseNotFound)))?;
        Ok(View::among(view, self.loaders.clone()))
    }

    async fn counts(&self, ctx: &Context<'_>) -> Result<Counts> {
        self.loaders.counts(ctx, self.row.clone()).await
    }
}

/// A course as the signed-in person may see it.
#[Object]
impl Course {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.row().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.row().title
    }
    /// What it is about, as plain text of at most 10,000 characters; null when there is none.
    async fn description(&self) -> Option<&str> {
        self.row().description.as_deref()
    }
    /// Who made it or was handed it.
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
    /// How many modules it has.
    async fn modules_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.modules))
    }
    /// How many lessons it has.
    async fn lessons_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.lessons))
    }
    /// For learners, published pages only.
    async fn pages_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.pages))
    }
    /// How many people learn it.
    async fn students_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.students))
    }
    /// When it was made.
    async fn created_at(&self) -> DateTime {
        DateTime(self.row().created_at)
    }
    /// When the course itself, its title or its description, or anything in it last changed.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.row().updated_at)
    }
    /// The tree, in order. Learners get published pages only.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Modules> {
        let view = self.view(ctx).await?;
        if let Some(written) = Modules::written(&view, ctx) {
            return Ok(written);
        }
        cost::spend(ctx, view.tree.modules.len())?;
        let module = |place| Module::at(&view, place);
        Ok(Modules::Nodes((0..view.tree.modules.len()).map(module).collect()))
    }
    /// The caller's progress; all zero for staff who are not enrolled.
    async fn progress(&self, ctx: &Context<'_>) -> Result<Progress> {
        Ok(Progress(self.view(ctx).await?))
    }
    /// Those who learn the course and how far they are; null for learners. Equal ones go by id, ascending.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn students(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words, each of which must be in the name or the e-mail address; at most 255 characters.")]
        search: Option<String>,
        #[graphql(desc = "FULL_NAME when left out.")] sort: Option<StudentSort>,
        #[graphql(desc = "The last of them first.")] descending: Option<bool>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
    ) -> Result<Option<List<Student>>> {
        let page = window(ctx, first, after)?;
        let search = words(ctx, search)?;
        if !self.row.role.may(Right::SeeStudents) {
            return Ok(None);
        }
        let Some(roster) = self.loaders.roster(ctx, self.row.clone()).await? else {
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
    #[graphql(complexity = "cost::list(cost::COLLABORATORS, child_complexity)")]
    async fn collaborators(&self, ctx: &Context<'_>) -> Result<Option<Vec<Collaborator>>> {
        if !self.row.role.may(Right::ReadAsAuthor) {
            return Ok(None);
        }
        let team = self.loaders.team(ctx, self.row.clone()).await?;
        cost::spend(ctx, team.len())?;
        Ok(Some(team.iter().cloned().map(Collaborator).collect()))
    }
    /// Where to fetch the course in a file, with a plain GET and no other token: an address below the server's own, good for five
    /// minutes and as long as the caller's session. Owner and editors, else null.
    async fn export_url(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What kind of file.")] format: ExportFormat,
    ) -> Result<Option<String>> {
        let address = exports::address(kurso(ctx), viewer(ctx)?, self.row(), format.into());
        address.map_err(wrap(ctx))
    }
    /// The caller's own enrollment; null when there is none.
    async fn enrollment(&self) -> Option<Enrollment> {
        Enrollment::of(self.clone())
    }
}

/// Who owns a course.
#[derive(SimpleObject)]
pub struct CourseOwner {
    /// A UUID, unlike that of any other.
    id: ID,
    /// Null when they gave none.
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
