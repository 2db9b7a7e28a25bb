//! The rows of a chunk of the trash: deflated lines of JSON, in the row format of backups.

use std::io::{self, Read as _};

use flate2::read::DeflateDecoder;
use serde_json::Value as Json;

/// Returns the lines of a chunk. Fails if it is damaged.
pub(crate) fn inflate(rows: &[u8]) -> io::Result<Vec<u8>> {
    let mut lines = vec![];
    DeflateDecoder::new(rows).read_to_end(&mut lines)?;
    Ok(lines)
}

/// Parses the fields of each line.
pub(crate) fn parse(lines: &[u8]) -> impl Iterator<Item = serde_json::Result<Vec<Json>>> {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(serde_json::from_slice)
}
