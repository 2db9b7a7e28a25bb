//! Certificates as PDF documents and as Open Badges 3.0.
//!
//! Every function is pure: no database, no clock, no randomness. Equal input gives equal bytes.
//!
//! - [`pdf::pdf`] draws a [`Certificate`] in a [`Design`] on one A4 page.
//! - [`qr::svg`] draws the address of a certificate for a web page.
//! - [`badge`] makes Open Badges 3.0 credentials and status lists, signs them as JWT (ES256), and verifies them.

use chrono::{DateTime, Utc};

pub mod badge;
mod color;
pub mod design;
mod error;
pub mod pdf;
mod picture;
pub mod qr;

pub use color::Rgb;
pub use design::Design;
pub use error::Error;
pub use pdf::is_blank;
pub use picture::Picture;

/// What one certificate says. All texts are written in the language of the certificate.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The name of the holder.
    pub name: String,
    /// The title of the course.
    pub course: String,
    /// The date of issue as the certificate shows it, e.g. «30 ноября 2026 г.».
    pub date: String,
    /// The date until which the certificate is valid, as it shows it.
    pub expires: Option<String>,
    pub number: String,
    /// The address of its public page, which the QR code contains.
    pub url: String,
    /// The grade as the certificate shows it, e.g. «92 %».
    pub grade: Option<String>,
    pub labels: Labels,
    /// The name of the school or server, as author of the document.
    pub issuer: String,
    /// A BCP 47 language tag, e.g. `ru`.
    pub language: String,
    /// The time of issue, as creation date of the document.
    pub issued_at: DateTime<Utc>,
}

/// The words beside the facts of a certificate, in its language.
#[derive(Clone, Debug)]
pub struct Labels {
    /// «Дата выдачи»
    pub date: String,
    /// «Действителен до»
    pub expires: String,
    /// «Номер»
    pub number: String,
    /// «Оценка»
    pub grade: String,
    /// «Проверить», above the address and beside the QR code.
    pub verify: String,
    /// «Подпись», which screen readers say for a picture of a signature.
    pub signature: String,
}
