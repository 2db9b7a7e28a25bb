//! Reads stored notices, except those whose recipient has lost the right to read them, or whose subject no longer exists.

use chrono::{DateTime, Utc};
use kurso_base::ids::{CourseId, NoticeId, PageId, UserId};
use kurso_db::{Sql, sql};
use uuid::Uuid;

use crate::discussions::is_on;
use crate::notices::Kind;

#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Row {
    pub id: NoticeId,
    pub kind: Kind,
    pub subject: Uuid,
    pub happened_at: DateTime<Utc>,
    pub read_at: Option<DateTime<Utc>>,
    pub course_id: Option<CourseId>,
    pub course_title: Option<String>,
    /// Whether the person teaches or learns in the course.
    pub is_related: bool,
    pub page_id: Option<PageId>,
    pub page_title: Option<String>,
    pub actor_id: Option<UserId>,
    pub actor_name: Option<String>,
    pub learner_id: Option<UserId>,
    pub learner_name: Option<String>,
    /// The title of an announcement, or the text of a nudge.
    pub text: Option<String>,
}

/// A query of a person's notices, to which conditions on `notices n` can be added. It checks all rights that do not depend on the schedule.
pub(super) fn rows(user: UserId, now: DateTime<Utc>) -> Sql<'static> {
    sql!(
        concat!("SELECT n.id, n.kind, n.subject, n.happened_at, n.read_at, n.course_id, c.title AS course_title,
           (c.owner_id = n.user_id OR k.role IS NOT NULL OR e.id IS NOT NULL) IS TRUE AS is_related,
           n.page_id, p.title AS page_title, a.id AS actor_id, a.full_name AS actor_name, l.id AS learner_id, l.full_name AS learner_name,
           COALESCE(t.title, d.text) AS text
         FROM notices n JOIN users u ON u.id = n.user_id
         LEFT JOIN courses c ON c.id = n.course_id
         LEFT JOIN pages p ON p.id = n.page_id
         LEFT JOIN users a ON a.id = n.actor_id
         LEFT JOIN collaborators k ON k.course_id = n.course_id AND k.user_id = n.user_id
         LEFT JOIN enrollments e ON e.course_id = n.course_id AND e.user_id = n.user_id
         LEFT JOIN enrollments s ON n.kind = 'course_completed' AND s.id = n.subject AND s.course_id = n.course_id
         LEFT JOIN users l ON l.id = s.user_id
         LEFT JOIN announcements t ON n.kind = 'announcement' AND t.id = n.subject AND t.course_id = n.course_id
         LEFT JOIN nudges d ON n.kind = 'nudge' AND d.id = n.subject AND d.course_id = n.course_id AND d.user_id = n.user_id
         WHERE n.user_id = $1 AND CASE
           WHEN n.kind IN ('graded', 'returned', 'result_changed') THEN p.published
             AND EXISTS (SELECT 1 FROM attempts x WHERE x.id = n.subject AND x.enrollment_id = e.id)
           WHEN n.kind = 'attempt_given' THEN p.published
             AND EXISTS (SELECT 1 FROM extra_attempts x WHERE x.enrollment_id = e.id AND x.page_id = n.page_id)
           WHEN n.kind = 'deadline_near' THEN p.published AND e.id IS NOT NULL
           WHEN n.kind = 'important_change' THEN p.published AND e.id IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM visits x WHERE x.enrollment_id = e.id AND x.page_id = n.page_id AND x.read_version >= p.important_version)
           WHEN n.kind = 'mention' THEN (c.owner_id = n.user_id OR k.role IS NOT NULL)
             AND EXISTS (SELECT 1 FROM comment_mentions x WHERE x.comment_id = n.subject AND x.user_id = n.user_id)
           WHEN n.kind = 'comment' THEN (c.owner_id = n.user_id OR k.role IS NOT NULL)
             AND EXISTS (SELECT 1 FROM page_comments x WHERE x.id = n.subject)
           WHEN n.kind = 'invited' THEN
             EXISTS (SELECT 1 FROM invitations x WHERE x.course_id = n.course_id AND x.email_key = u.email_key AND x.expires_at > $2)
           WHEN n.kind = 'import_done' THEN EXISTS (SELECT 1 FROM jobs x WHERE x.id = n.subject AND x.owner_id = n.user_id)
           WHEN n.kind = 'answered' THEN EXISTS (SELECT 1 FROM discussion_posts x JOIN discussions d ON d.id = x.discussion_id
             JOIN discussion_posts o ON o.discussion_id = d.id AND o.is_opening
             WHERE x.id = n.subject AND x.hidden_at IS NULL AND x.deleted_at IS NULL AND CASE
               WHEN c.owner_id = n.user_id OR k.role = 'teacher' THEN TRUE
               WHEN k.role = 'editor' THEN d.audience <> 'teachers' OR o.author_id = n.user_id
               WHEN k.role IS NOT NULL OR e.id IS NULL OR NOT p.published THEN FALSE
               ELSE ", is_on!(), " AND (o.author_id = n.user_id OR (o.hidden_at IS NULL
                 AND (d.audience = 'course' OR (d.audience = 'group' AND d.group_id = e.group_id)))) END)
           WHEN n.kind IN ('asked', 'reported') THEN (c.owner_id = n.user_id OR k.role = 'teacher')
             AND EXISTS (SELECT 1 FROM discussion_posts x WHERE x.id = n.subject AND x.hidden_at IS NULL AND x.deleted_at IS NULL)
           WHEN n.kind = 'course_completed' THEN s.id IS NOT NULL AND (c.owner_id = n.user_id OR k.role IN ('editor', 'teacher'))
           WHEN n.kind = 'announcement' THEN t.published_at IS NOT NULL AND e.id IS NOT NULL
             AND (t.group_id IS NULL OR t.group_id = e.group_id)
             AND (n.read_at IS NOT NULL OR NOT EXISTS (
               SELECT 1 FROM announcement_reads x WHERE x.announcement_id = t.id AND x.user_id = n.user_id))
           WHEN n.kind = 'nudge' THEN d.id IS NOT NULL AND e.id IS NOT NULL
           ELSE FALSE END"),
        user,
        now
    )
}
