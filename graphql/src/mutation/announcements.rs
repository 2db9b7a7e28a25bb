//! Mutations of announcements.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{AnnouncementId, CourseId};
use kurso_core::announcements::{self, CreateAnnouncement, MarkRead, UpdateAnnouncement};
use kurso_core::students::{self, NudgeStudents};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::{command, ids};
use crate::types::{Announcement, Document, id_of, int};

#[derive(Default)]
pub struct AnnouncementsMutation;

/// A new announcement.
#[derive(InputObject)]
pub struct CreateAnnouncementInput {
    /// ID of the course.
    course_id: ID,
    /// ID of a group of the course: only its learners receive the announcement. By default, all learners of the course do.
    group_id: Option<ID>,
    /// Title, 1 to 255 characters.
    title: String,
    /// Document to read, at most 100 KB. It may contain files that the caller may use in pages, and links to pages of the course.
    content: Document,
    /// When to publish it: RFC 3339, or a local time of the course. By default, or if that time has passed, it is published at once.
    publish_at: Option<String>,
    /// Whether it is pinned to the top. Default: false.
    is_pinned: Option<bool>,
}

/// A change of an announcement. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct UpdateAnnouncementInput {
    /// ID of the announcement.
    announcement_id: ID,
    /// The version that was shown.
    version: i32,
    /// Title, 1 to 255 characters.
    title: MaybeUndefined<String>,
    /// As in `createAnnouncement`.
    content: MaybeUndefined<Document>,
    /// As in `createAnnouncement`; null publishes it at once. Only for announcements that are not published.
    publish_at: MaybeUndefined<String>,
    /// Whether it is pinned to the top.
    is_pinned: MaybeUndefined<bool>,
}

/// An announcement to delete.
#[derive(InputObject)]
pub struct DeleteAnnouncementInput {
    /// ID of the announcement.
    announcement_id: ID,
}

/// Marks these announcements as read.
#[derive(InputObject)]
pub struct MarkAnnouncementsReadInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 100 announcements of the course. Those that the caller may not read are ignored.
    announcement_ids: Vec<ID>,
}

/// Students to nudge.
#[derive(InputObject)]
pub struct NudgeStudentsInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 1000 enrollments: each the `id` of a `Student`.
    enrollment_ids: Vec<ID>,
    /// Plain text, 1 to 2000 characters.
    text: String,
}

/// The announcement was created or changed.
#[derive(SimpleObject)]
pub struct AnnouncementPayload {
    /// The announcement.
    announcement: Announcement,
}

/// The announcement was deleted.
#[derive(SimpleObject)]
pub struct DeleteAnnouncementPayload {
    /// ID of the deleted announcement.
    announcement_id: ID,
    /// ID of its course.
    course_id: ID,
}

/// The announcements were marked as read.
#[derive(SimpleObject)]
pub struct MarkAnnouncementsReadPayload {
    /// ID of the course.
    course_id: ID,
    /// Number of announcements of the course that the caller has neither read nor written.
    unread: i32,
}

/// The students were nudged.
#[derive(SimpleObject)]
pub struct NudgeStudentsPayload {
    /// The enrollments of those who were nudged.
    nudged: Vec<ID>,
    /// The enrollments of the others, who were nudged in this course within the last 24 hours or are not learners of it.
    skipped: Vec<ID>,
}

#[Object]
impl AnnouncementsMutation {
    /// Creates an announcement for the learners of a course or of a group. They get notices when it is published. CONFLICT if the course has 1000
    /// announcements, RATE_LIMITED after 50 within a day. Owner and teachers.
    async fn create_announcement(
        &self,
        ctx: &Context<'_>,
        input: CreateAnnouncementInput,
    ) -> Result<AnnouncementPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = command!(
            ctx,
            CreateAnnouncement {
                group_id: optional(input.group_id),
                title: required(input.title),
                content: required(input.content),
                publish_at: optional(input.publish_at),
                is_pinned: known(input.is_pinned),
            }
        );
        let created = Box::pin(announcements::create(kurso(ctx), viewer, course, new)).await;
        Ok(AnnouncementPayload {
            announcement: created.map_err(wrap(ctx))?.into(),
        })
    }

    /// Changes an announcement. CONFLICT if another version is stored, and if a published announcement gets a time. Owner and teachers.
    async fn update_announcement(
        &self,
        ctx: &Context<'_>,
        input: UpdateAnnouncementInput,
    ) -> Result<AnnouncementPayload> {
        let viewer = viewer(ctx)?;
        let id: AnnouncementId = context::id(ctx, "announcement_id", &input.announcement_id)?;
        let update = command!(
            ctx,
            UpdateAnnouncement {
                version: required(input.version),
                title: given(input.title),
                content: given(input.content),
                publish_at: change(input.publish_at),
                is_pinned: given(input.is_pinned),
            }
        );
        let updated = Box::pin(announcements::update(kurso(ctx), viewer, id, update)).await;
        Ok(AnnouncementPayload {
            announcement: updated.map_err(wrap(ctx))?.into(),
        })
    }

    /// Deletes an announcement, and withdraws its notices. Owner and teachers.
    async fn delete_announcement(
        &self,
        ctx: &Context<'_>,
        input: DeleteAnnouncementInput,
    ) -> Result<DeleteAnnouncementPayload> {
        let viewer = viewer(ctx)?;
        let id: AnnouncementId = context::id(ctx, "announcement_id", &input.announcement_id)?;
        let course = announcements::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteAnnouncementPayload {
            announcement_id: id_of(id),
            course_id: id_of(course),
        })
    }

    /// Marks announcements of a course as read by the caller, with their notices.
    async fn mark_announcements_read(
        &self,
        ctx: &Context<'_>,
        input: MarkAnnouncementsReadInput,
    ) -> Result<MarkAnnouncementsReadPayload> {
        let viewer = viewer(ctx)?;
        let course_id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let marked = command!(
            ctx,
            MarkRead {
                announcement_ids: required(ids(input.announcement_ids)),
            }
        );
        let unread = announcements::mark_read(kurso(ctx), viewer, course_id, marked).await;
        Ok(MarkAnnouncementsReadPayload {
            course_id: id_of(course_id),
            unread: int(unread.map_err(wrap(ctx))?),
        })
    }

    /// Nudges students of a course: each gets a notice with the text, at most once in 24 hours. Owner and teachers.
    async fn nudge_students(&self, ctx: &Context<'_>, input: NudgeStudentsInput) -> Result<NudgeStudentsPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let command = command!(
            ctx,
            NudgeStudents {
                enrollment_ids: required(ids(input.enrollment_ids)),
                text: required(input.text),
            }
        );
        let done = students::nudge(kurso(ctx), viewer, course, command).await;
        let done = done.map_err(wrap(ctx))?;
        Ok(NudgeStudentsPayload {
            nudged: done.nudged.into_iter().map(id_of).collect(),
            skipped: done.skipped.into_iter().map(id_of).collect(),
        })
    }
}
