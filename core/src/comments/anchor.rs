//! The texts of pages in which anchors are found again.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::PageId;
use kurso_base::wire;
use kurso_db::{Executor, sql};
use kurso_formats::content::anchor::AnchorTexts;
use serde_json::Value;

/// The text of a page and of its draft.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct PageTexts {
    pub page_id: PageId,
    pub version: i64,
    pub content: String,
    pub draft_version: Option<i64>,
    pub draft_content: Option<String>,
}

impl PageTexts {
    /// The number and the document of the text that people see who read drafts, or who do not.
    pub fn seen(&self, with_draft: bool) -> (i64, &str) {
        match (&self.draft_content, self.draft_version) {
            (Some(content), Some(version)) if with_draft => (version, content),
            _ => (self.version, &self.content),
        }
    }
}

/// Reads the texts of pages. One statement.
pub(crate) async fn texts(on: impl Executor, pages: &[PageId]) -> Result<Vec<PageTexts>> {
    let texts = sql!(
        "SELECT p.id AS page_id, p.version, c.content, d.version AS draft_version, d.content AS draft_content
         FROM pages p JOIN page_contents c ON c.page_id = p.id LEFT JOIN page_drafts d ON d.page_id = p.id WHERE p.id IN "
    );
    Ok(texts.push_in(pages.iter().copied()).fetch_all(on).await?)
}

/// The top-level blocks of a stored document.
pub(crate) fn blocks(content: &str) -> Result<Vec<Value>> {
    let mut document: Value = wire::read_stored(content).map_err(Error::internal)?;
    match document.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => Ok(blocks),
        _ => Ok(vec![]),
    }
}

/// Where threads find their blocks in one page.
pub(crate) struct Places {
    seen: AnchorTexts,
    /// The blocks that editors see, in which suggestions are made.
    edited: Vec<Value>,
}

impl Places {
    fn of(texts: &PageTexts, with_draft: bool) -> Result<Self> {
        let seen: Value = wire::read_stored(texts.seen(with_draft).1).map_err(Error::internal)?;
        Ok(Places {
            seen: AnchorTexts::of(&seen),
            edited: blocks(texts.seen(true).1)?,
        })
    }

    /// The index of the block that had this index and text.
    pub fn find(&self, block: i64, text: &str) -> Option<usize> {
        self.seen.find(usize::try_from(block).unwrap_or(usize::MAX), text)
    }

    /// Whether the block that a change was suggested for is still there.
    pub fn has(&self, before: &[Value]) -> bool {
        matches!(before, [block] if self.edited.contains(block))
    }
}

/// Parses the texts of pages on a blocking thread, because they may be megabytes long.
pub(crate) async fn places(texts: Vec<PageTexts>, with_draft: bool) -> Result<HashMap<PageId, Places>> {
    let parsing = tokio::task::spawn_blocking(move || {
        let places = texts
            .iter()
            .map(|texts| Ok((texts.page_id, Places::of(texts, with_draft)?)));
        places.collect::<Result<HashMap<_, _>>>()
    });
    parsing.await.map_err(Error::internal)?
}
