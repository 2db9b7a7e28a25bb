//! Embeds files as `data:` addresses: each file once, and all within a total.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use crate::course::FileDraft;

/// Bytes of an image.
const MAX_PICTURE: u64 = 32 * 1024 * 1024;
/// Bytes of another file: the document must open fast and fit into a mail.
const MAX_OTHER: u64 = 8 * 1024 * 1024;
/// Bytes of all files together: browsers fail on documents of half a gigabyte.
const MAX_TOTAL: u64 = 256 * 1024 * 1024;

/// The files that the document contains.
#[derive(Debug)]
pub struct Embedded {
    /// Whether the bytes of files are written. A report needs none, and its course may have none.
    has_bytes: bool,
    /// Numbers by key and content type.
    numbers: HashMap<(String, &'static str), usize>,
    size: u64,
}

/// Where the bytes of a file are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// To be written here.
    Here(usize),
    /// At the first use of the file with this number.
    Earlier(usize),
}

impl Embedded {
    pub fn new(has_bytes: bool) -> Self {
        Embedded {
            has_bytes,
            numbers: HashMap::new(),
            size: 0,
        }
    }

    /// The place of a file; `None` if it does not fit into the document.
    pub fn place(&mut self, file: &FileDraft) -> Option<Place> {
        let key = (file.key.clone(), file.content_type);
        if let Some(number) = self.numbers.get(&key) {
            return Some(Place::Earlier(*number));
        }
        let most = if file.content_type.starts_with("image/") {
            MAX_PICTURE
        } else {
            MAX_OTHER
        };
        let size = self.size.saturating_add(file.size);
        if file.size > most || size > MAX_TOTAL {
            return None;
        }
        self.size = size;
        let number = self.numbers.len() + 1;
        self.numbers.insert(key, number);
        Some(Place::Here(number))
    }

    /// Writes the attributes of an element that shows a file. The script of the document copies the address from the first
    /// use of the file to the others.
    pub fn write(&self, file: &FileDraft, attribute: &str, place: Place, out: &mut dyn Write) -> io::Result<()> {
        let (Place::Here(number) | Place::Earlier(number)) = place;
        if let Place::Here(_) = place
            && self.has_bytes
        {
            write!(out, " {attribute}=\"data:{};base64,", file.content_type)?;
            let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
            // The file must not exceed its recorded size, even if it grew.
            io::copy(&mut File::open(&file.path)?.take(file.size), &mut encoder)?;
            encoder.finish()?;
            drop(encoder);
            write!(out, "\"")?;
        }
        write!(out, " data-file=\"{number}\"")
    }
}
