//! The fields of the type `Course`.

use async_graphql::{Context, ID, Object, Result};
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::announcements::MAX_LISTED;
use kurso_core::comments::ThreadQuery;
use kurso_core::discussions::Reader;
use kurso_core::exports;
use kurso_core::students::{self, Order, ProgressFilter};

use super::{Course, CourseOwner, CourseRole};
use crate::context::{id, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::lists::{self, List, list, window};
use crate::types::import::date_form;
use crate::types::loaders::{
    AnnouncementsOf, CommentersOf, CourseDiscussionsOf, CourseThreadsOf, DiscussionSettingsOf, GroupsOf,
    MatchingStudents, PublicPageOf, RegradesOf, RosterOf, SnapshotsOf, TeamOf, TrashOf, UnpublishedOf,
};
use crate::types::{
    AnnouncementList, Collaborator, CommentThread, Commenter, CourseSnapshot, DateTime, Discussion, DiscussionFilter,
    DiscussionSettings, Enrollment, ExportFormat, Group, Module, Page, Progress, PublicPage, Regrade, Student,
    StudentSort, StudentState, TableSeparator, ThreadState, Timeline, TrashEntry, id_of, int,
};

/// The default number of announcements.
const ANNOUNCEMENTS: usize = 20;

/// A course, as the caller may see it.
#[Object]
impl Course {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.row().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.row().title
    }
    /// Plain text, at most 10,000 characters; null when there is none.
    async fn description(&self) -> Option<&str> {
        self.row().description.as_deref()
    }
    /// The owner.
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
    /// Code for enrollment, `XXXX-XXXX`. For the owner and editors, else null; null when there is none.
    async fn share_code(&self) -> Option<&str> {
        self.row().share_code.as_deref()
    }
    /// Number of modules.
    async fn modules_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.modules))
    }
    /// Number of lessons.
    async fn lessons_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.lessons))
    }
    /// Number of pages; for learners, of published pages.
    async fn pages_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.pages))
    }
    /// Number of enrolled learners.
    async fn students_count(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.counts(ctx).await?.students))
    }
    /// Creation time.
    async fn created_at(&self) -> DateTime {
        DateTime(self.row().created_at)
    }
    /// Time of the last change to the course or its content.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.row().updated_at)
    }
    /// Start of the course; null without one.
    async fn starts_at(&self) -> Option<DateTime> {
        self.row().dates.starts_at.map(DateTime)
    }
    /// When the course ends; null if it has no end.
    async fn ends_at(&self) -> Option<DateTime> {
        self.row().dates.ends_at.map(DateTime)
    }
    /// End of enrollment by share code; null without one.
    async fn enroll_until(&self) -> Option<DateTime> {
        self.row().dates.enroll_until.map(DateTime)
    }
    /// IANA name of the zone of local times; null means UTC.
    async fn time_zone(&self) -> Option<&str> {
        self.row().dates.time_zone.as_deref()
    }
    /// Whether learners see no titles of what is locked for them: then the title of a locked module or lesson is `…`.
    async fn hide_locked_titles(&self) -> bool {
        self.row().dates.hide_locked_titles
    }
    /// Whether each lesson opens for a learner when the one before it is complete.
    async fn sequential(&self) -> bool {
        self.row().dates.sequential
    }
    /// When the course is open for the caller.
    async fn timeline(&self, ctx: &Context<'_>) -> Result<Timeline> {
        Ok(self.view(ctx).await?.timeline().course().into())
    }
    /// Modules in order. Learners get published pages only.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<Module>> {
        let view = self.view(ctx).await?;
        let modules = 0..view.tree.modules.len();
        cost::spend(ctx, modules.len())?;
        Ok(modules.map(|index| Module::at(&view, index)).collect())
    }
    /// Pages with changes that learners do not see yet, in the order of the outline. For the owner, editors and reviewers; empty for others.
    #[graphql(complexity = "cost::list(cost::UNPUBLISHED, child_complexity)")]
    async fn unpublished_changes(&self, ctx: &Context<'_>) -> Result<Vec<Page>> {
        if !self.row().role.may(Right::ReadDrafts) {
            return Ok(vec![]);
        }
        let pages = self.loaders.load(ctx, UnpublishedOf(self.row().id)).await?;
        let Some(pages) = pages else { return Ok(vec![]) };
        cost::spend(ctx, pages.len())?;
        let view = self.view(ctx).await?;
        let mut places: Vec<usize> = pages.iter().filter_map(|page| view.tree.place(*page)).collect();
        places.sort_unstable();
        Ok(places.into_iter().map(|place| Page::at(&view, place)).collect())
    }
    /// The regradings of the last 30 days, newest first. Empty for callers who may not edit the course.
    #[graphql(complexity = "cost::list(cost::REGRADES, child_complexity)")]
    async fn regrades(&self, ctx: &Context<'_>) -> Result<Vec<Regrade>> {
        if !self.row().role.may(Right::Edit) {
            return Ok(vec![]);
        }
        let regrades = self.loaders.load(ctx, RegradesOf(self.row().id)).await?;
        let Some(regrades) = regrades else { return Ok(vec![]) };
        cost::spend(ctx, regrades.len())?;
        let view = self.view(ctx).await?;
        Ok(regrades
            .iter()
            .map(|regrade| Regrade::of(regrade.clone(), &view))
            .collect())
    }
    /// The caller's progress; all zero for staff without an enrollment.
    async fn progress(&self, ctx: &Context<'_>) -> Result<Progress> {
        Ok(Progress(self.view(ctx).await?))
    }
    /// Learners of the course with their progress, ties by ascending ID; null for learners.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of the schema")]
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn students(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words to find in the name or the email address, all of them; at most 255 characters.")]
        search: Option<String>,
        #[graphql(
            desc = "ID of a group: only its students; nobody when the course has no such group. `none`: only students without a group."
        )]
        group_id: Option<ID>,
        #[graphql(desc = "Only students in this state.")] state: Option<StudentState>,
        #[graphql(
            desc = "ID of a page: only students who have stopped there, as `PageHeat.stopped` counts them; nobody when the course has no such page."
        )]
        stopped_at: Option<ID>,
        #[graphql(desc = "FULL_NAME by default.")] sort: Option<StudentSort>,
        #[graphql(desc = "Reverses the order.")] descending: Option<bool>,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<Option<List<Student>>> {
        let page = window(ctx, first, after)?;
        let search = lists::search(ctx, search)?;
        let group = lists::group(ctx, group_id)?;
        if !self.row.role.may(Right::SeeStudents) {
            return Ok(None);
        }
        let Some(roster) = self.loaders.load(ctx, RosterOf(self.row.clone())).await? else {
            return Ok(None);
        };
        let order = Order {
            by: sort.unwrap_or_default().into(),
            descending: descending.unwrap_or_default(),
        };
        let progress = ProgressFilter {
            state: state.map(students::StudentState::from),
            stopped_at: stopped_at.map(|page| id(ctx, "stopped_at", &page)).transpose()?,
        };
        let selected = match progress.is_all() {
            true => None,
            false => {
                self.loaders
                    .load(ctx, MatchingStudents(self.row.clone(), progress))
                    .await?
            }
        };
        let query = students::Query {
            search,
            group,
            progress,
            order,
        };
        let found = roster.page(&query, selected.as_deref(), page);
        let nodes = found.data.into_iter().map(Student).collect();
        Ok(Some(list(page, found.count, nodes)))
    }
    /// Groups of learners in order; null for learners.
    #[graphql(complexity = "cost::list(cost::GROUPS, child_complexity)")]
    async fn groups(&self, ctx: &Context<'_>) -> Result<Option<Vec<Group>>> {
        if !self.row.role.may(Right::SeeStudents) {
            return Ok(None);
        }
        let groups = self
            .loaders
            .load(ctx, GroupsOf(self.row.clone()))
            .await?
            .unwrap_or_default();
        cost::spend(ctx, groups.len())?;
        Ok(Some(groups.iter().map(Group::from).collect()))
    }
    /// Editors, teachers and reviewers, then invitations, each in order of time; null for learners. Invitations are shown
    /// to the owner and superusers only.
    #[graphql(complexity = "cost::list(cost::COLLABORATORS, child_complexity)")]
    async fn collaborators(&self, ctx: &Context<'_>) -> Result<Option<Vec<Collaborator>>> {
        if !self.row.role.may(Right::ReadAsAuthor) {
            return Ok(None);
        }
        let team = self
            .loaders
            .load(ctx, TeamOf(self.row.clone()))
            .await?
            .unwrap_or_default();
        cost::spend(ctx, team.len())?;
        Ok(Some(team.iter().cloned().map(Collaborator).collect()))
    }
    /// Author comments on all pages, newest activity first. For the owner, editors, teachers and reviewers; empty for others.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn comment_threads(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only threads of this state.")] state: Option<ThreadState>,
        #[graphql(
            desc = "True: only threads with a comment that mentions the caller.",
            default = false
        )]
        mentioning_me: bool,
        #[graphql(desc = "Rows, at most 1000.", default = 100)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<CommentThread>> {
        let page = window(ctx, first, after)?;
        let role = self.row().role;
        if !role.may(Right::Comment) {
            return Ok(list(page, 0, vec![]));
        }
        let query = ThreadQuery {
            state: state.map(Into::into),
            mentioning_me,
        };
        let drafts = role.may(Right::ReadDrafts);
        let key = CourseThreadsOf(self.row().id, viewer(ctx)?.id(), drafts, query, (page.skip, page.limit));
        let Some(found) = self.loaders.load(ctx, key).await? else {
            return Ok(list(page, 0, vec![]));
        };
        let view = self.view(ctx).await?;
        let threads = found.data.iter().cloned();
        let threads = threads.filter_map(|thread| CommentThread::of(thread, &view));
        Ok(list(page, found.count, threads.collect()))
    }
    /// Learners see the published announcements of the course and of their group, staff all published ones, and the owner and teachers also scheduled
    /// ones. In a preview, those that the learner may read.
    #[graphql(complexity = "cost::list(lists::size(first, ANNOUNCEMENTS, MAX_LISTED), child_complexity)")]
    async fn announcements(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Rows, at most 50.", default = 20)] first: Option<i32>,
        #[graphql(desc = "The `next` of the announcements already read.")] after: Option<String>,
    ) -> Result<AnnouncementList> {
        let after = lists::read_cursor(ctx, after)?;
        let key = AnnouncementsOf(
            self.row.clone(),
            viewer(ctx)?.id(),
            lists::size(first, ANNOUNCEMENTS, MAX_LISTED),
            after,
        );
        let list = self.loaders.load(ctx, key).await?;
        let missing = || wrap(ctx)(Error::NotFound(Message::CourseNotFound));
        Ok(AnnouncementList {
            list: list.ok_or_else(missing)?,
            loaders: self.loaders.clone(),
        })
    }
    /// Users who may comment on the pages and be mentioned: the owner, then the others by name. For the owner, editors, teachers and reviewers;
    /// empty for others.
    #[graphql(complexity = "cost::list(cost::COLLABORATORS, child_complexity)")]
    async fn commenters(&self, ctx: &Context<'_>) -> Result<Vec<Commenter>> {
        if !self.row().role.may(Right::Comment) {
            return Ok(vec![]);
        }
        let found = self.loaders.load(ctx, CommentersOf(self.row().id)).await?;
        let found = found.unwrap_or_default();
        cost::spend(ctx, found.len())?;
        Ok(found.iter().map(Commenter::from).collect())
    }
    /// Questions under all pages, as `Page.discussions`. For the owner, editors and teachers; empty for others.
    #[graphql(complexity = "cost::connection(first, child_complexity)")]
    async fn discussions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which ones.", default_with = "DiscussionFilter::All")] filter: DiscussionFilter,
        #[graphql(desc = "Rows, at most 100.", default = 20)] first: Option<i32>,
        #[graphql(desc = "Cursor of the last row already read.")] after: Option<String>,
    ) -> Result<List<Discussion>> {
        let page = window(ctx, first, after)?;
        let reader = Reader::of(self.row(), viewer(ctx)?.id()).filter(Reader::is_staff);
        let Some(reader) = reader else {
            return Ok(list(page, 0, vec![]));
        };
        let key = CourseDiscussionsOf(self.row().id, (reader, filter.into(), (page.skip, page.limit)));
        let Some(found) = self.loaders.load(ctx, key).await? else {
            return Ok(list(page, 0, vec![]));
        };
        let view = self.view(ctx).await?;
        let rows = found.data.iter().cloned();
        let rows = rows.filter_map(|discussion| Discussion::of(discussion, &view));
        Ok(list(page, found.count, rows.collect()))
    }
    /// Settings of questions under the pages. For the owner, editors and teachers; null for others.
    #[graphql(complexity = "cost::FORBIDDEN_WORDS + child_complexity")]
    async fn discussion_settings(&self, ctx: &Context<'_>) -> Result<Option<DiscussionSettings>> {
        let reader = Reader::of(self.row(), viewer(ctx)?.id());
        if !reader.is_some_and(|reader| reader.is_staff()) {
            return Ok(None);
        }
        let found = self.loaders.load(ctx, DiscussionSettingsOf(self.row().id)).await?;
        let settings = found.map(|settings| settings.as_ref().clone()).unwrap_or_default();
        cost::spend_values(ctx, settings.words.len())?;
        Ok(Some(settings.into()))
    }
    /// Settings of the public page of the course. For the owner, editors, teachers, reviewers and superusers; null for others.
    async fn public_page(&self, ctx: &Context<'_>) -> Result<Option<PublicPage>> {
        if !self.row.role.is_staff() {
            return Ok(None);
        }
        let found = self.loaders.load(ctx, PublicPageOf(self.row().id)).await?;
        let settings = found.map(|settings| settings.as_ref().clone()).unwrap_or_default();
        Ok(Some(settings.into()))
    }
    /// Deleted parts of the course that can be restored, last deleted first, at most 500. For the owner and editors; empty for others.
    #[graphql(complexity = "cost::list(cost::TRASH, child_complexity)")]
    async fn trash(&self, ctx: &Context<'_>) -> Result<Vec<TrashEntry>> {
        if !self.row.role.may(Right::Edit) {
            return Ok(vec![]);
        }
        let entries = self
            .loaders
            .load(ctx, TrashOf(self.row.clone()))
            .await?
            .unwrap_or_default();
        cost::spend(ctx, entries.len())?;
        Ok(entries.iter().map(TrashEntry::from).collect())
    }
    /// Snapshots of the course, newest first, at most 80. For the owner and editors; empty for others.
    #[graphql(complexity = "cost::list(cost::SNAPSHOTS, child_complexity)")]
    async fn snapshots(&self, ctx: &Context<'_>) -> Result<Vec<CourseSnapshot>> {
        if !self.row.role.may(Right::Edit) {
            return Ok(vec![]);
        }
        let snapshots = self.loaders.load(ctx, SnapshotsOf(self.row().id)).await?;
        let snapshots = snapshots.unwrap_or_default();
        cost::spend(ctx, snapshots.len())?;
        Ok(snapshots.iter().map(CourseSnapshot::from).collect())
    }
    /// Path for downloading the course with a GET request, without another token. Valid for five
    /// minutes and not longer than the caller's session. For the owner and editors, else null.
    async fn export_url(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "File format.")] format: ExportFormat,
        #[graphql(
            desc = "ID of a group: only the results of its learners. `none`: only those of learners without a group. Other formats than CSV and GRADES ignore it."
        )]
        group_id: Option<ID>,
        #[graphql(
            desc = "True: Kurso Markdown has its dates in days from the start of the course. Other formats ignore it.",
            default = false
        )]
        relative_dates: bool,
        #[graphql(
            desc = "True: pages with unpublished changes have these in place of what learners see. CSV and GRADES ignore it.",
            default = false
        )]
        drafts: bool,
        #[graphql(desc = "Of GRADES; by default that of the language of the download.")] separator: Option<
            TableSeparator,
        >,
    ) -> Result<Option<String>> {
        let group = lists::group(ctx, group_id)?;
        let request = exports::Request {
            course: self.row().id,
            format: format.into(),
            group,
            dates: date_form(relative_dates),
            drafts,
            separator: separator.map(Into::into),
        };
        exports::address(kurso(ctx), viewer(ctx)?, self.row(), request).map_err(wrap(ctx))
    }
    /// The caller's own enrollment; null when there is none.
    async fn enrollment(&self) -> Option<Enrollment> {
        Enrollment::of(self.clone())
    }
}
