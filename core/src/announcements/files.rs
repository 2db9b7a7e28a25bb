//! The files that an announcement shows, and the pages that it links to.

use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{AnnouncementId, CourseId};
use kurso_base::messages::Message;
use kurso_db::{Tx, sql};
use kurso_formats::content::Document;
use serde_json::Value;

use super::MAX_CONTENT;
use crate::access::Viewer;
use crate::courses::page::references::References;

/// Serializes the content. Fails with 422 if it is too long, or if it adds files that the viewer may not use, or links to pages of other courses.
pub(super) async fn checked(
    tx: &mut Tx,
    viewer: &Viewer,
    course: CourseId,
    content: &Document,
    stored: Option<&str>,
) -> Result<String> {
    let text = content.as_json().to_string();
    if text.len() > MAX_CONTENT {
        let message = Message::AnnouncementTooLong(MAX_CONTENT / 1000);
        return Err(Error::invalid(FieldError::body(
            "value_error",
            "content",
            message,
            Value::Null,
        )));
    }
    let mut references = References::of(Some(content.as_json()), None);
    if let Some(stored) = stored {
        references = references.without_files_of(&References::of_texts(stored, None));
    }
    references
        .check(tx, viewer, course, stored.map(|stored| (stored, None)))
        .await?;
    Ok(text)
}

/// Records the files of the content, so that the cleanup job keeps them, and releases those that only the earlier content had.
pub(super) async fn keep(tx: &mut Tx, id: AnnouncementId, content: &Document) -> Result<()> {
    sql!("DELETE FROM announcement_files WHERE announcement_id = $1", id)
        .execute(&mut *tx)
        .await?;
    let references = References::of(Some(content.as_json()), None);
    let keys = references.file_keys();
    if keys.is_empty() {
        return Ok(());
    }
    sql!(
        "INSERT INTO announcement_files (announcement_id, file_id) SELECT $1, f.id FROM files f WHERE f.key IN ",
        id
    )
    .push_in(keys)
    .execute(tx)
    .await?;
    Ok(())
}
