//! What mails about notices say of comments.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{ThreadId, UserId};
use kurso_db::sql;
use uuid::Uuid;

use super::mentions;
use crate::Kurso;

/// The words of a comment, and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub thread: ThreadId,
    pub text: String,
}

/// The words of comments: those that mention the person, and others, by comment. At most two statements.
pub(crate) async fn said(
    kurso: &Kurso,
    user: UserId,
    mentioning: &[Uuid],
    others: &[Uuid],
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
    if !others.is_empty() {
        let found = sql!("SELECT id, thread_id, text FROM page_comments WHERE id IN ").push_in(others.iter().copied());
        rows.extend(found.fetch_all::<(Uuid, ThreadId, String)>(&kurso.db).await?);
    }
    Ok(rows
        .into_iter()
        .map(|(comment, thread, text)| {
            let text = mentions::readable(&text);
            (comment, Said { thread, text })
        })
        .collect())
}
