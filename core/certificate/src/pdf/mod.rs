//! The PDF of a certificate.

use crate::{Certificate, Design, Error};

/// Draws a certificate on one A4 page in landscape format.
pub fn pdf(certificate: &Certificate, design: &Design) -> Result<Vec<u8>, Error> {
    let _ = (certificate, design);
    Err(Error::Pdf("not written yet".into()))
}
