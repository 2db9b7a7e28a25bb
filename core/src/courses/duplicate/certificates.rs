//! The design of the certificates of a copied course. The certificates stay behind: they are of the original.

use super::Copies;
use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_db::{Tx, sql};

impl Copies {
    /// Gives a copied course the design of the original.
    pub(super) async fn write_certificate_design(&self, tx: &mut Tx, from: CourseId) -> Result<()> {
        if self.course != from {
            sql!(
                "INSERT INTO certificate_designs (course_id, is_on, basis, min_percent, valid_months, has_grade, language, heading, text, accent,
                   background, signer, logo_file_id, signature_file_id, updated_at)
                 SELECT $1, is_on, basis, min_percent, valid_months, has_grade, language, heading, text, accent, background, signer, logo_file_id,
                   signature_file_id, updated_at FROM certificate_designs WHERE course_id = $2",
                self.course,
                from
            )
            .execute(tx)
            .await?;
        }
        Ok(())
    }
}
