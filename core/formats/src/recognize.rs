//! Recognises files and packages that no reader takes, by their content.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use zip::ZipArchive;

use crate::encoding;
use crate::sniff::{self, HEAD};
use crate::unsupported::Unsupported;

/// Bytes of an old Office file in which its parts are looked for.
const MAX_OFFICE: u64 = 64 * 1024 * 1024;
/// Entries of a zip whose names are looked at.
const MAX_NAMES: usize = 1000;
/// Extensions of files that readers take as texts.
const TEXTS: [&str; 7] = ["md", "markdown", "html", "htm", "xhtml", "txt", "gift"];
/// Bytes of a manifest that are looked at.
const MAX_MANIFEST: u64 = 16 * 1024 * 1024;

/// The kind of a file, by its content; None for files that a reader may take. Reads at most 64 MB.
pub fn unsupported_file(path: &Path) -> Option<Unsupported> {
    let mut file = File::open(path).ok()?;
    let mut head = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).ok()?;
    let starts = |magic: &[u8]| head.starts_with(magic);
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    if starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        let mut bytes = head;
        file.take(MAX_OFFICE).read_to_end(&mut bytes).ok()?;
        return Some(of_old_office(&bytes));
    }
    if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") {
        return of_zip(path, extension.as_ref().is_some_and(|extension| *extension == "docx"));
    }
    // Any words may begin a text, also those that begin a picture or a sound.
    let is_text = extension
        .is_some_and(|extension| TEXTS.iter().any(|text| extension == *text) && encoding::decode(&head).is_some());
    match sniff::content_type(&head) {
        "application/pdf" => Some(Unsupported::Pdf),
        _ if starts(b"AT&TFORM") => Some(Unsupported::DjVu),
        _ if starts(b"{\\rtf") => Some(Unsupported::Rtf),
        _ if starts(b"Rar!\x1a\x07") => Some(Unsupported::Rar),
        _ if starts(b"7z\xbc\xaf\x27\x1c") => Some(Unsupported::SevenZip),
        _ if is_text => of_text(&head),
        kind if kind.starts_with("image/") => Some(Unsupported::Image),
        kind if kind.starts_with("video/") || kind.starts_with("audio/") => Some(Unsupported::Media),
        _ => of_text(&head),
    }
}

/// The kind of an unpacked archive, by the files in its root folder.
pub fn unsupported_folder(folder: &Path) -> Option<Unsupported> {
    let has = |name: &str| folder.join(name).is_file();
    if has("moodle_backup.xml") {
        return Some(Unsupported::MoodleBackup);
    }
    if has("h5p.json") {
        return Some(Unsupported::H5p);
    }
    let mut manifest = Vec::new();
    let file = File::open(folder.join(crate::cartridge::MANIFEST)).ok()?;
    file.take(MAX_MANIFEST).read_to_end(&mut manifest).ok()?;
    of_manifest(&encoding::decode_lossy(&manifest).0.text)
}

/// Old Office files and encrypted new ones are containers of parts with names in UTF-16.
fn of_old_office(bytes: &[u8]) -> Unsupported {
    let has = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memchr::memmem::find(bytes, &name).is_some()
    };
    if has("EncryptedPackage") {
        Unsupported::LockedOffice
    } else if has("PowerPoint Document") {
        Unsupported::PowerPoint
    } else if has("Workbook") {
        Unsupported::Excel
    } else {
        Unsupported::Doc
    }
}

fn of_zip(path: &Path, is_docx: bool) -> Option<Unsupported> {
    let file = File::open(path).ok()?;
    if crate::archive::count_names(&file).ok()? > crate::unpack::MAX_ENTRIES {
        return None;
    }
    let mut archive = ZipArchive::new(BufReader::new(file)).ok()?;
    let has = |name: &str| archive.index_for_name(name).is_some();
    match () {
        () if has("word/document.xml") => return (!is_docx).then_some(Unsupported::UnnamedDocx),
        () if has("ppt/presentation.xml") => return Some(Unsupported::PowerPoint),
        () if has("xl/workbook.xml") || has("xl/workbook.bin") => return Some(Unsupported::Excel),
        () if has("h5p.json") => return Some(Unsupported::H5p),
        () if has("moodle_backup.xml") => return Some(Unsupported::MoodleBackup),
        () => {}
    }
    let mut kind = String::new();
    if let Ok(mimetype) = archive.by_name("mimetype") {
        let _ = mimetype.take(100).read_to_string(&mut kind);
    }
    match kind.trim().strip_prefix("application/vnd.oasis.opendocument.") {
        Some(kind) if kind.starts_with("text") => return Some(Unsupported::OpenDocumentText),
        Some(_) => return Some(Unsupported::OpenDocument),
        None => {}
    }
    let mut files = 0;
    for index in 0..archive.len().min(MAX_NAMES) {
        let entry = archive.by_index_raw(index).ok()?;
        if entry.is_dir() {
            continue;
        }
        if !entry.encrypted() {
            return None;
        }
        files += 1;
    }
    (files > 0).then_some(Unsupported::LockedZip)
}

fn of_text(head: &[u8]) -> Option<Unsupported> {
    let text = encoding::decode_lossy(head).0.text;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') && (text.contains("\"nbformat\"") || text.contains("\"cell_type\"")) {
        return Some(Unsupported::Notebook);
    }
    if !text.starts_with("<?xml") && !text.starts_with("<quiz") {
        return None;
    }
    let root = sniff::first_element(text);
    match root.rsplit(':').next().unwrap_or(root) {
        "quiz" => Some(Unsupported::MoodleXml),
        "FictionBook" => Some(Unsupported::FictionBook),
        "assessmentItem" | "assessmentTest" | "qti-assessment-item" | "qti-assessment-test" => Some(Unsupported::Qti),
        _ => None,
    }
}

/// SCORM and QTI packages have a manifest like Common Cartridges have.
fn of_manifest(text: &str) -> Option<Unsupported> {
    let has = |words: &str| text.contains(words);
    // Resources of other kinds make it a course that the reader of cartridges takes.
    if has("imscc_") || has("imswl_") || has("imsdt_") || has("imsqti_xmlv1p2") || has("d2l_") {
        return None;
    }
    if has("scormtype=") || has("scormType=") || has("ADL SCORM") {
        return Some(Unsupported::Scorm);
    }
    let is_qti = ["imsqti_item_xmlv", "imsqti_test_xmlv", "imsqti_assessment_xmlv"]
        .iter()
        .any(|kind| has(kind));
    (is_qti && !has("<item ")).then_some(Unsupported::Qti)
}
