//! Names of uploaded files: kept as given where possible, and short enough for an address.

use percent_encoding::utf8_percent_encode;

use super::SEGMENT;

/// Maximum bytes of the percent-encoded name, in which a Cyrillic letter takes six. An address may have 1024.
const MAX_ENCODED: usize = 900;

/// The name of a file without a usable name.
const FALLBACK: &str = "file";

/// Returns the name without folders, control characters and direction marks, shortened to fit an address. The extension
/// is kept.
pub fn clean(given: &str) -> String {
    let base = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String = base.chars().filter(|c| !is_hidden(*c)).collect();
    let name = visible.trim();
    if name.chars().all(|c| c == '.') {
        return FALLBACK.to_owned();
    }
    shorten(name)
}

/// Extensions that do not identify the author of a file.
const COMMON_EXTENSIONS: &[&str] = &[
    "7z", "c", "cpp", "cs", "css", "csv", "doc", "docx", "epub", "gif", "go", "gz", "heic", "html", "ipynb", "java",
    "jpeg", "jpg", "js", "json", "m4a", "md", "mkv", "mov", "mp3", "mp4", "odp", "ods", "odt", "ogg", "pdf", "png",
    "ppt", "pptx", "py", "rar", "rs", "rtf", "sql", "svg", "tar", "tex", "ts", "txt", "wav", "webm", "webp", "xls",
    "xlsx", "xml", "zip",
];

/// An anonymous name: the number, and the extension if it is a common one.
pub fn numbered(number: i64, filename: &str) -> String {
    let extension = filename.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    match extension.filter(|extension| COMMON_EXTENSIONS.contains(&extension.as_str())) {
        Some(extension) => format!("{number}.{extension}"),
        None => number.to_string(),
    }
}

/// Whether the character is invisible. Direction marks could disguise `exe.txt` as another type.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn shorten(name: &str) -> String {
    if encoded_length(name) <= MAX_ENCODED {
        return name.to_owned();
    }
    let (stem, extension) = match name.rfind('.').map(|dot| name.split_at(dot)) {
        Some((stem, extension)) if !stem.is_empty() && encoded_length(extension) <= 100 => (stem, extension),
        _ => (name, ""),
    };
    let mut room = MAX_ENCODED - encoded_length(extension);
    let mut short: String = stem
        .chars()
        .take_while(|c| {
            let takes = encoded_length(c.encode_utf8(&mut [0; 4]));
            let fits = takes <= room;
            room = room.saturating_sub(takes);
            fits
        })
        .collect();
    short.push_str(extension);
    short
}

fn encoded_length(text: &str) -> usize {
    utf8_percent_encode(text, SEGMENT).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurso_formats::content::FileAddress;

    #[test]
    fn numbered_names_say_nothing_of_the_author() {
        for (given, name) in [
            ("Петрова, курсовая.PDF", "7.pdf"),
            ("essay.petrova", "7"),
            ("petrova", "7"),
            (".docx", "7.docx"),
        ] {
            assert_eq!(numbered(7, given), name, "{given}");
        }
    }

    #[test]
    fn names_lose_only_harmful_parts() {
        for (given, name) in [
            ("Лекция 1.pdf", "Лекция 1.pdf"),
            ("a\"b'c<d>.png", "a\"b'c<d>.png"),
            ("C:\\Users\\ann\\photo.jpg", "photo.jpg"),
            ("../../etc/passwd", "passwd"),
            (" a\r\nb\0.png ", "ab.png"),
            ("invoice\u{202e}gpj.exe", "invoicegpj.exe"),
            ("", "file"),
            ("..", "file"),
            ("folder/", "file"),
            (" . ", "file"),
            (".gitignore", ".gitignore"),
        ] {
            assert_eq!(clean(given), name, "{given:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_extension_and_fits_an_address() {
        for given in [
            format!("{}.pdf", "я".repeat(5_000)),
            "😀".repeat(5_000),
            format!("a.{}", "b".repeat(5_000)),
        ] {
            let name = clean(&given);
            assert!(given.starts_with(name.trim_end_matches(".pdf")), "{name}");
            assert_eq!(given.ends_with(".pdf"), name.ends_with(".pdf"));
            let address = super::super::address(&"0".repeat(32), &name);
            assert!(
                FileAddress::parse(&address).is_some_and(|a| a.decoded_name() == name),
                "{address}"
            );
        }
    }
}
