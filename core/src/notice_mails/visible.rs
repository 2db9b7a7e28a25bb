//! Notices that may be mailed: those that exist, are unread, and that their person may still read.

use uuid::Uuid;

use crate::Kurso;
use crate::notices::Kind;
use crate::subscriptions::PersonName;
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, NoticeId, PageId, UserId};
use kurso_db::sql;

/// A notice as a person sees it.
#[derive(Clone, Debug)]
pub struct Notice {
    pub kind: Kind,
    pub subject: Uuid,
    pub course: Option<Place<CourseId>>,
    pub page: Option<Place<PageId>>,
    pub actor: Option<PersonName>,
    pub learner: Option<PersonName>,
}

/// A course or a page.
#[derive(Clone, Debug)]
pub struct Place<Id> {
    pub id: Id,
    /// None: the page has none.
    pub title: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    kind: Kind,
    subject: Uuid,
    course_id: Option<CourseId>,
    course_title: Option<String>,
    page_id: Option<PageId>,
    page_title: Option<String>,
    actor_id: Option<UserId>,
    actor_name: Option<String>,
}

/// Those of the notices of a person that may be mailed, oldest first. One statement.
pub(super) async fn visible(kurso: &Kurso, user: UserId, ids: &[NoticeId]) -> Result<Vec<Notice>> {
    let rows = sql!(
        "SELECT n.kind, n.subject, n.course_id, c.title AS course_title, n.page_id, p.title AS page_title,
           n.actor_id, a.full_name AS actor_name
         FROM notices n LEFT JOIN courses c ON c.id = n.course_id LEFT JOIN pages p ON p.id = n.page_id
         LEFT JOIN users a ON a.id = n.actor_id
         WHERE n.user_id = $1 AND n.read_at IS NULL AND (n.course_id IS NULL OR c.owner_id = $1
           OR EXISTS (SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = $1)
           OR EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = c.id AND e.user_id = $1))
           AND n.id IN ",
        user
    )
    .push_in(ids.iter().copied())
    .push(" ORDER BY n.happened_at, n.id")
    .fetch_all::<Row>(&kurso.db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let actor = row.actor_id.map(|id| PersonName {
                id,
                full_name: row.actor_name,
            });
            Notice {
                kind: row.kind,
                subject: row.subject,
                course: place(row.course_id, row.course_title),
                page: place(row.page_id, row.page_title),
                learner: actor.clone().filter(|_| row.kind == Kind::CourseCompleted),
                actor,
            }
        })
        .collect())
}

fn place<Id>(id: Option<Id>, title: Option<String>) -> Option<Place<Id>> {
    id.map(|id| Place { id, title })
}
