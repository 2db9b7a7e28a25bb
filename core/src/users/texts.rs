//! What a person has written to others and in private notes, so that it can be kept.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::pagination::{Listed, Page};
use kurso_base::wire;
use kurso_db::sql;
use serde_json::Value;

use crate::Kurso;
use crate::access::Viewer;

/// The most texts that are read at once.
pub const MAX_TEXTS: i64 = 100;

/// Where a text is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum TextKind {
    /// A question under a page.
    Question,
    /// An answer to a question under a page.
    Answer,
    /// Why somebody else's question or answer was reported.
    Report,
    /// A comment for the authors of a page.
    Comment,
    /// An announcement to a class.
    Announcement,
    /// A comment on an answer that was graded.
    Feedback,
    /// Why a post was hidden, a grade was set or a certificate was revoked.
    Reason,
    /// A private note on a page.
    Note,
}

impl TextKind {
    pub fn name(self) -> &'static str {
        match self {
            TextKind::Question => "question",
            TextKind::Answer => "answer",
            TextKind::Report => "report",
            TextKind::Comment => "comment",
            TextKind::Announcement => "announcement",
            TextKind::Feedback => "feedback",
            TextKind::Reason => "reason",
            TextKind::Note => "note",
        }
    }

    /// Whether the text is stored as a document.
    fn is_document(self) -> bool {
        matches!(self, TextKind::Question | TextKind::Answer | TextKind::Announcement)
    }
}

/// A text that a person has written.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenText {
    pub kind: TextKind,
    /// The title of the course; None for whoever takes no part in it any more.
    pub course: Option<String>,
    /// The title of the page; None where the course is, without a page or a title, and if the page is not published.
    pub page: Option<String>,
    pub written_at: DateTime<Utc>,
    /// The title of an announcement.
    pub title: Option<String>,
    /// None for a document.
    pub text: Option<String>,
    pub document: Option<Value>,
}

#[derive(sqlx::FromRow)]
struct Row {
    kind: TextKind,
    course: Option<String>,
    page: Option<String>,
    written_at: DateTime<Utc>,
    title: Option<String>,
    body: String,
}

/// All texts of the person `$1`.
macro_rules! texts {
    () => {
        "WITH texts AS (
           SELECT r.id, CASE WHEN r.is_opening THEN 'question' ELSE 'answer' END AS kind, p.course_id, p.id AS page_id, r.created_at AS written_at,
             CAST(NULL AS TEXT) AS title, r.body
             FROM discussion_posts r JOIN discussions d ON d.id = r.discussion_id JOIN pages p ON p.id = d.page_id
             WHERE r.author_id = $1 AND r.deleted_at IS NULL
           UNION ALL SELECT e.post_id, 'report', p.course_id, p.id, e.reported_at, NULL, e.reason
             FROM discussion_reports e JOIN discussion_posts r ON r.id = e.post_id JOIN discussions d ON d.id = r.discussion_id
             JOIN pages p ON p.id = d.page_id WHERE e.user_id = $1
           UNION ALL SELECT m.id, 'comment', p.course_id, p.id, m.created_at, NULL, m.text
             FROM page_comments m JOIN comment_threads t ON t.id = m.thread_id JOIN pages p ON p.id = t.page_id WHERE m.author_id = $1
           UNION ALL SELECT a.id, 'announcement', a.course_id, NULL, a.created_at, a.title, a.content FROM announcements a WHERE a.author_id = $1
           UNION ALL SELECT s.attempt_id, 'feedback', o.course_id, o.page_id, s.assessed_at, NULL, s.comment
             FROM assessments s JOIN open_answers o ON o.attempt_id = s.attempt_id AND o.question_id = s.question_id
             WHERE s.assessed_by = $1 AND s.comment IS NOT NULL
           UNION ALL SELECT r.id, 'reason', p.course_id, p.id, r.hidden_at, NULL, r.hidden_reason
             FROM discussion_posts r JOIN discussions d ON d.id = r.discussion_id JOIN pages p ON p.id = d.page_id WHERE r.hidden_by = $1
           UNION ALL SELECT g.id, 'reason', g.course_id, g.page_id, g.decided_at, NULL, g.reason
             FROM grade_decisions g WHERE g.decided_by = $1 AND g.reason IS NOT NULL
           UNION ALL SELECT x.id, 'reason', x.course_id, NULL, x.revoked_at, NULL, x.revoke_reason
             FROM certificates x WHERE x.revoked_by = $1
           UNION ALL SELECT n.id, 'note', p.course_id, p.id, n.created_at, NULL, n.body
             FROM notes n JOIN pages p ON p.id = n.page_id WHERE n.user_id = $1 AND n.body <> ''
         ) "
    };
}

/// The texts of the viewer, oldest first, at most [`MAX_TEXTS`]. They stay the person's own when the course is out of reach.
pub async fn texts(kurso: &Kurso, viewer: &Viewer, page: Page) -> Result<Listed<WrittenText>> {
    let count = sql!(concat!(texts!(), "SELECT COUNT(*) FROM texts"), viewer.id());
    let (count,) = count.fetch_one::<(i64,)>(&kurso.db).await?;
    let rows = sql!(
        concat!(
            texts!(),
            "SELECT t.kind, c.title AS course, CASE WHEN c.id IS NOT NULL AND p.published THEN p.title END AS page, t.written_at, t.title, t.body
             FROM texts t LEFT JOIN courses c ON c.id = t.course_id AND (c.owner_id = $1
               OR EXISTS (SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = $1)
               OR EXISTS (SELECT 1 FROM enrollments e WHERE e.course_id = c.id AND e.user_id = $1))
             LEFT JOIN pages p ON p.id = t.page_id
             ORDER BY t.written_at, t.id, t.body LIMIT $2 OFFSET $3"
        ),
        viewer.id(),
        page.limit.min(MAX_TEXTS),
        page.skip
    );
    let rows = rows.fetch_all::<Row>(&kurso.db).await?.into_iter();
    let data = rows.map(|row| {
        let document = row.kind.is_document().then(|| wire::read_stored::<Value>(&row.body));
        Ok(WrittenText {
            kind: row.kind,
            course: row.course,
            page: row.page,
            written_at: row.written_at,
            title: row.title,
            text: (!row.kind.is_document()).then_some(row.body),
            document: document.transpose().map_err(Error::internal)?,
        })
    });
    let data = data.collect::<Result<_>>()?;
    Ok(Listed { data, count })
}
