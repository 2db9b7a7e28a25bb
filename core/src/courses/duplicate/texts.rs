//! The texts of the copies: their links, and their documents in the full-text index.

use std::collections::HashMap;

use super::{Copies, ROWS};
use crate::courses::page::references::with_links_mapped;
use crate::search_index;
use kurso_base::error::Result;
use kurso_base::ids::PageId;
use kurso_db::{Tx, args, sql};

/// The number of texts, of at most 2 MiB each, that are read at once to redirect links to the copies.
const TEXTS: usize = 20;

impl Copies {
    /// Indexes the copied pages.
    pub(super) async fn index(&self, tx: &mut Tx) -> Result<()> {
        let pages: Vec<PageId> = self.pages.iter().map(|pair| pair.new).collect();
        search_index::index_pages(tx, &pages).await
    }

    /// Leads links inside the copied part to the copies.
    pub(super) async fn lead_links_to_copies(&self, tx: &mut Tx) -> Result<()> {
        let copy_of: HashMap<PageId, PageId> = self.pages.iter().map(|p| (p.old, p.new)).collect();
        let tables = ["page_contents", "page_drafts"];
        for table in tables.into_iter().take(1 + usize::from(self.has_drafts)) {
            let mut linking = Vec::new();
            for chunk in self.pages.chunks(ROWS) {
                let found = sql!("SELECT page_id FROM ")
                    .push(table)
                    .push(r#" WHERE (content LIKE '%"page:%' OR quiz LIKE '%"page:%') AND page_id IN "#)
                    .push_in(chunk.iter().map(|pair| pair.new))
                    .fetch_all::<(PageId,)>(&mut *tx)
                    .await?;
                linking.extend(found.into_iter().map(|(page,)| page));
            }
            for chunk in linking.chunks(TEXTS) {
                lead_links(tx, table, chunk, &copy_of).await?;
            }
        }
        Ok(())
    }
}

async fn lead_links(
    tx: &mut Tx,
    table: &'static str,
    pages: &[PageId],
    copy_of: &HashMap<PageId, PageId>,
) -> Result<()> {
    let texts = sql!("SELECT page_id, content, quiz FROM ")
        .push(table)
        .push(" WHERE page_id IN ")
        .push_in(pages.iter().copied())
        .fetch_all::<(PageId, String, Option<String>)>(&mut *tx)
        .await?;
    let copy_of = |page: PageId| copy_of.get(&page).copied();
    let mapped = texts.into_iter().map(|(page, content, quiz)| {
        let content = with_links_mapped(&content, &copy_of).unwrap_or(content);
        let quiz = quiz.map(|quiz| with_links_mapped(&quiz, &copy_of).unwrap_or(quiz));
        (page, content, quiz)
    });
    sql!("UPDATE ")
        .push(table)
        .push(" SET content = m.column2, quiz = m.column3 FROM (VALUES ")
        .push_rows(mapped, |(page, content, quiz)| args![page, content, quiz])
        .push(") AS m WHERE ")
        .push(table)
        .push(".page_id = m.column1")
        .execute(tx)
        .await?;
    Ok(())
}
