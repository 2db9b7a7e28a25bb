//! The quotes of posts in notice mails.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::DiscussionId;
use kurso_base::wire;
use kurso_db::sql;
use kurso_formats::content;
use uuid::Uuid;

use crate::Kurso;
use crate::comments::mail::Quote;

/// Reads the texts of posts by post. The caller has checked that the person may read them. One statement.
pub(crate) async fn quotes(kurso: &Kurso, posts: &[Uuid]) -> Result<HashMap<Uuid, Quote>> {
    if posts.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sql!("SELECT id, discussion_id, body FROM discussion_posts WHERE id IN ").push_in(posts.iter().copied());
    let rows = rows.fetch_all::<(Uuid, DiscussionId, String)>(&kurso.db).await?;
    let quotes = rows.into_iter().map(|(post, discussion, body)| {
        let body = wire::read_stored(&body).map_err(Error::internal)?;
        let quote = Quote {
            thread: discussion.0,
            text: content::text(&body),
        };
        Ok((post, quote))
    });
    quotes.collect()
}
