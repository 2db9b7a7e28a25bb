//! The cover of a copied course. Its visibility stays behind: a copy is private.

use super::Copies;
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::{Tx, sql};

impl Copies {
    /// Gives a copied course the cover of the original.
    pub(super) async fn write_cover(&self, tx: &mut Tx, from: CourseId) -> Result<()> {
        if self.course != from {
            sql!(
                "INSERT INTO public_pages (course_id, visibility, cover_file_id)
                 SELECT $1, 'private', cover_file_id FROM public_pages WHERE course_id = $2 AND cover_file_id IS NOT NULL",
                self.course,
                from
            )
            .execute(tx)
            .await?;
        }
        Ok(())
    }
}
