//! The quotes of comments in notice mails.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{ThreadId, UserId};
use kurso_db::sql;
use uuid::Uuid;

use super::mentions;
use crate::Kurso;

/// The text of a comment, and its thread.
#[derive(Clone, Debug)]
pub(crate) struct Quote {
    /// The thread of comments, or the discussion.
    pub thread: Uuid,
    pub text: String,
}

/// Reads the texts of comments by comment ID: `mentioning` only if they mention the person, and `others`. At most two statements.
pub(crate) async fn quotes(
    kurso: &Kurso,
    user: UserId,
    mentioning: &[Uuid],
    others: &[Uuid],
) -> Result<HashMap<Uuid, Quote>> {
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
            let thread = thread.0;
            (comment, Quote { thread, text })
        })
        .collect())
}
