//! What mails say of comments: the words in a mail about notices, and the mail to a person whom a comment mentions, which earlier releases
//! queued.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{CommentId, PageId, ThreadId, UserId};
use kurso_base::messages::Lang;
use kurso_db::sql;
use uuid::Uuid;

use super::mentions;
use crate::Kurso;
use crate::access::shown_name;
use crate::mail::templates::{self, RenderedMail, Template};

#[derive(sqlx::FromRow)]
struct Row {
    thread_id: ThreadId,
    page_id: PageId,
    text: String,
    course_title: String,
    /// That of the lesson, if the page has none.
    page_title: String,
    author_name: Option<String>,
    author_email: Option<String>,
    to_email: String,
}

/// Renders the mail. None if the comment is gone or mentions the person no longer, or the person may not comment on the course any more.
pub(crate) async fn render(
    kurso: &Kurso,
    lang: Lang,
    comment: CommentId,
    user: UserId,
) -> Result<Option<RenderedMail>> {
    let found = sql!(
        "SELECT t.id AS thread_id, p.id AS page_id, c.text, o.title AS course_title, COALESCE(p.title, l.title) AS page_title,
           a.full_name AS author_name, a.email AS author_email, u.email AS to_email
         FROM comment_mentions m JOIN page_comments c ON c.id = m.comment_id JOIN comment_threads t ON t.id = c.thread_id
         JOIN pages p ON p.id = t.page_id JOIN lessons l ON l.id = p.lesson_id JOIN courses o ON o.id = p.course_id
         JOIN users u ON u.id = m.user_id LEFT JOIN users a ON a.id = c.author_id
         WHERE m.comment_id = $1 AND m.user_id = $2 AND u.is_active AND (o.owner_id = $2 OR EXISTS (
           SELECT 1 FROM collaborators k WHERE k.course_id = o.id AND k.user_id = $2))",
        comment,
        user
    );
    let Some(row) = found.fetch_optional::<Row>(&kurso.db).await? else {
        return Ok(None);
    };
    let link = format!("/edit-page/{}?thread={}", row.page_id, row.thread_id);
    let link = kurso.mail.page(&link);
    let text = mentions::readable(&row.text);
    let author = row.author_email.as_deref().unwrap_or_default();
    let template = Template::Mention {
        author: shown_name(row.author_name.as_deref(), author),
        course: &row.course_title,
        page: &row.page_title,
        text: &text,
        link: &link,
    };
    Ok(Some(templates::render(
        &template,
        lang,
        &row.to_email,
        kurso.clock.now(),
    )))
}

/// The words of a comment, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub thread: ThreadId,
    pub text: String,
}

/// The words of comments that mention the person, by comment, and of the newest comments of threads, by thread. At most two statements.
pub(crate) async fn said(
    kurso: &Kurso,
    user: UserId,
    mentioning: &[Uuid],
    threads: &[Uuid],
) -> Result<HashMap<Uuid, Said>> {
    let mut rows = Vec::new();
    if !mentioning.is_empty() {
        let found = sql!(
            "SELECT c.id, c.thread_id, c.text FROM page_comments c JOIN comment_mentions m ON m.comment_id = c.id
             WHERE m.user_id = $1 AND c.id IN ",
            user
        );
        let found = found.push_in(mentioning.iter().copied());
        rows = found.fetch_all::<(Uuid, ThreadId, String)>(&kurso.db).await?;
    }
    if !threads.is_empty() {
        let newest = sql!(
            "SELECT c.thread_id, c.thread_id, c.text FROM page_comments c
             WHERE NOT EXISTS (SELECT 1 FROM page_comments d WHERE d.thread_id = c.thread_id AND d.id > c.id) AND c.thread_id IN "
        );
        let newest = newest.push_in(threads.iter().copied());
        rows.extend(newest.fetch_all::<(Uuid, ThreadId, String)>(&kurso.db).await?);
    }
    Ok(rows
        .into_iter()
        .map(|(subject, thread, text)| {
            let text = mentions::readable(&text);
            (subject, Said { thread, text })
        })
        .collect())
}
