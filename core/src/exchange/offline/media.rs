//! Files inside of the file: addresses that are the bytes themselves.

use std::fs::File;
use std::io::{self, Read as _, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use crate::exchange::course::FileDraft;

/// Bytes of the largest picture; larger ones no page would show well either.
const MAX_PICTURE: u64 = 32 * 1024 * 1024;
/// Bytes of the largest video, sound or attachment. One file is to open at once and to fit into a mail.
const MAX_OTHER: u64 = 8 * 1024 * 1024;

/// Whether the file goes in; where it does not, the page says so, and the report too.
pub fn fits(file: &FileDraft) -> bool {
    let most = match file.content_type.starts_with("image/") {
        true => MAX_PICTURE,
        false => MAX_OTHER,
    };
    file.size <= most
}

/// Writes the address, with the bytes as they are read.
pub fn address(file: &FileDraft, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "data:{};base64,", file.content_type)?;
    let mut encoder = EncoderWriter::new(out, &STANDARD);
    // Not more than was described, should it grow meanwhile.
    io::copy(&mut File::open(&file.path)?.take(file.size), &mut encoder)?;
    encoder.finish()?;
    Ok(())
}
