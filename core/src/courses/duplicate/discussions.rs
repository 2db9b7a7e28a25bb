//! The settings of questions under copied pages. The questions themselves stay behind.

use super::{Copies, ROWS, pairs};
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::{Tx, sql};

impl Copies {
    /// Copies whether pages have questions, and the settings of the course if it is copied as a whole.
    pub(super) async fn write_discussion_settings(&self, tx: &mut Tx, from: CourseId) -> Result<()> {
        for chunk in self.pages.chunks(ROWS) {
            let insert = sql!("INSERT INTO discussion_pages_off (page_id) SELECT m.column2");
            let copies = pairs(insert, chunk).push(" JOIN discussion_pages_off s ON s.page_id = m.column1");
            copies.execute(&mut *tx).await?;
        }
        if self.course != from {
            sql!(
                "INSERT INTO discussion_settings (course_id, is_on, allows_anonymous, is_per_group, words)
                 SELECT $1, is_on, allows_anonymous, is_per_group, words FROM discussion_settings WHERE course_id = $2",
                self.course,
                from
            )
            .execute(tx)
            .await?;
        }
        Ok(())
    }
}
