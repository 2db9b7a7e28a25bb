//! How the certificates of a course look.

pub use crate::color::Rgb;
use crate::picture::Picture;

/// How the certificates of a course look.
#[derive(Clone, Debug)]
pub struct Design {
    /// The heading, e.g. «Сертификат».
    pub heading: String,
    /// The text below the name. `{course}`, `{name}`, `{date}`, `{grade}` and `{number}` stand for values of the certificate; the
    /// title of the course is emphasised. Line breaks are kept. A line with `{grade}` is left out of a certificate without grade, unless it
    /// is the only one. A course that the text does not mention is written below the name.
    pub text: String,
    /// Color of the heading and of the ornaments.
    pub accent: Rgb,
    pub background: Rgb,
    pub logo: Option<Picture>,
    pub signature: Option<Picture>,
    /// Who signs, e.g. «Анна Петрова, ректор». What follows the first comma or line break is written below in small letters. May be
    /// empty.
    pub signer: String,
}
