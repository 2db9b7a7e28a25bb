//! The drafts of copied pages. A copy has no history but that which every page with a draft has: the text of the page and that of the draft.

use super::{Copies, ROWS, copied, pairs};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, PageId};
use kurso_db::{Tx, sql};

/// The version of a copied draft. The copy of its page has version 1, and the draft begins from that, also if it was behind.
const VERSION: i64 = 2;

impl Copies {
    /// Copies the drafts and what they refer to.
    pub(super) async fn write_drafts(&mut self, tx: &mut Tx, from: CourseId) -> Result<()> {
        let any = sql!(
            "SELECT d.page_id FROM page_drafts d JOIN pages p ON p.id = d.page_id WHERE p.course_id = $1 LIMIT 1",
            from
        );
        self.has_drafts = any.fetch_optional::<(PageId,)>(&mut *tx).await?.is_some();
        if !self.has_drafts {
            return Ok(());
        }
        for chunk in self.pages.chunks(ROWS) {
            let insert = sql!(
                "INSERT INTO page_drafts (page_id, title, content, quiz, base_version, version, editor_id, created_at, saved_at)
                 SELECT m.column2, s.title, s.content, s.quiz, 1, "
            );
            let insert = insert.push_bind(VERSION).push(", ").push_bind(self.by);
            let insert = insert.push(", ").push_bind(self.now).push(", ").push_bind(self.now);
            let copies = pairs(insert, chunk).push(" JOIN page_drafts s ON s.page_id = m.column1");
            if copies.execute(&mut *tx).await? == 0 {
                continue;
            }
            let insert = sql!("INSERT INTO page_files (page_id, file_id) SELECT m.column2, s.file_id");
            pairs(insert, chunk)
                .push(
                    " JOIN page_files s ON s.page_id = m.column1 JOIN files f ON f.id = s.file_id
                     JOIN page_drafts d ON d.page_id = m.column1
                     WHERE d.content LIKE '%' || f.key || '%' OR d.quiz LIKE '%' || f.key || '%'
                     ON CONFLICT (page_id, file_id) DO NOTHING",
                )
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }

    /// Writes the history of the copies with drafts, when their texts are final.
    pub(super) async fn enter_drafts(&self, tx: &mut Tx) -> Result<()> {
        if !self.has_drafts {
            return Ok(());
        }
        for chunk in self.pages.chunks(ROWS) {
            sql!(
                "INSERT INTO page_versions
                 (page_id, version, title, content, quiz, editor_id, started_at, saved_at, published_at)
                 SELECT p.id, p.version, p.title, c.content, c.quiz, c.editor_id, $1, $1, $1
                 FROM page_drafts d JOIN pages p ON p.id = d.page_id JOIN page_contents c ON c.page_id = p.id WHERE p.id IN ",
                self.now
            )
            .push_in(chunk.iter().map(|pair| pair.new))
            .execute(&mut *tx)
            .await?;
            sql!(
                "INSERT INTO page_versions (page_id, version, title, content, quiz, editor_id, started_at, saved_at)
                 SELECT page_id, version, title, content, quiz, editor_id, $1, $1 FROM page_drafts WHERE page_id IN ",
                self.now
            )
            .push_in(chunk.iter().map(|pair| pair.new))
            .execute(&mut *tx)
            .await?;
        }
        Ok(())
    }

    /// Marks the title of a copied draft as that of its page.
    pub(super) async fn mark_draft(&self, tx: &mut Tx, copy: PageId) -> Result<()> {
        let title = sql!(
            "SELECT title FROM page_drafts WHERE page_id = $1 AND title IS NOT NULL",
            copy
        );
        let Some((title,)) = title.fetch_optional::<(String,)>(&mut *tx).await? else {
            return Ok(());
        };
        sql!(
            "UPDATE page_drafts SET title = $2 WHERE page_id = $1",
            copy,
            copied(&title)
        )
        .execute(tx)
        .await?;
        Ok(())
    }
}
