//! Embeds files as `data:` addresses.

use std::fs::File;
use std::io::{self, Read as _, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use crate::course::FileDraft;

/// Bytes of an image.
const MAX_PICTURE: u64 = 32 * 1024 * 1024;
/// Bytes of another file: the document must open fast and fit into a mail.
const MAX_OTHER: u64 = 8 * 1024 * 1024;

/// Whether the file is small enough to be embedded.
pub fn fits(file: &FileDraft) -> bool {
    let most = if file.content_type.starts_with("image/") {
        MAX_PICTURE
    } else {
        MAX_OTHER
    };
    file.size <= most
}

/// Writes the address while reading the file.
pub fn address(file: &FileDraft, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "data:{};base64,", file.content_type)?;
    let mut encoder = EncoderWriter::new(out, &STANDARD);
    // The file must not exceed its recorded size, even if it grew.
    io::copy(&mut File::open(&file.path)?.take(file.size), &mut encoder)?;
    encoder.finish()?;
    Ok(())
}
