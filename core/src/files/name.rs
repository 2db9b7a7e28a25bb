//! Names of uploaded files: shown as they were given, and fit to be the last part of an address.

use percent_encoding::utf8_percent_encode;

use super::SEGMENT;

/// Bytes of a name in an address, where a Cyrillic letter takes six; an address may have 1024.
const LONGEST: usize = 900;

/// What a file without a usable name is called.
const NAMELESS: &str = "file";

/// The name without the folders some clients send with it, without what cannot be seen, and no longer than an address
/// may be; the ending stays.
pub fn clean(given: &str) -> String {
    let base = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String = base.chars().filter(|c| !is_hidden(*c)).collect();
    let name = visible.trim();
    if name.chars().all(|c| c == '.') {
        return NAMELESS.to_owned();
    }
    shortened(name)
}

/// Control characters, and those that turn the direction of writing: `exe.txt` may be anything with them.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn shortened(name: &str) -> String {
    if encoded(name) <= LONGEST {
        return name.to_owned();
    }
    let (stem, ending) = match name.rfind('.').map(|dot| name.split_at(dot)) {
        Some((stem, ending)) if !stem.is_empty() && encoded(ending) <= 100 => (stem, ending),
        _ => (name, ""),
    };
    let mut room = LONGEST - encoded(ending);
    let mut short: String = stem
        .chars()
        .take_while(|c| {
            let takes = encoded(c.encode_utf8(&mut [0; 4]));
            let fits = takes <= room;
            room = room.saturating_sub(takes);
            fits
        })
        .collect();
    short.push_str(ending);
    short
}

fn encoded(text: &str) -> usize {
    utf8_percent_encode(text, SEGMENT).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::FileAddress;

    #[test]
    fn names_are_kept_but_for_what_harms() {
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
    fn a_long_name_keeps_its_ending_and_fits_an_address() {
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
