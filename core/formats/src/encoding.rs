//! Decodes text in UTF-8, UTF-16 and legacy encodings, as found in Russian files and old zips.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, IBM866, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251};

/// Decoded text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// Without byte order mark; line ends are unchanged.
    pub text: String,
    /// The name of the encoding if it was not UTF-8, for example `windows-1251`.
    pub from: Option<&'static str>,
    /// Invalid bytes that became U+FFFD.
    pub damaged: usize,
}

/// Bytes at the start in which an encoding declaration is searched, as in HTML.
const DECLARED_WITHIN: usize = 1024;

/// Decodes a text file; `None` if it is binary. Tries in this order: byte order mark, valid UTF-8, declaration in XML
/// or HTML, detection by content.
pub fn decode(bytes: &[u8]) -> Option<Decoded> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return decode_as(encoding, bytes.get(length..).unwrap_or_default());
    }
    if !bytes.contains(&0)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Some(Decoded {
            text: text.to_owned(),
            from: None,
            damaged: 0,
        });
    }
    if let Some(encoding) = utf_16(bytes) {
        return decode_as(encoding, bytes);
    }
    if bytes.iter().any(is_binary) {
        return None;
    }
    if let Some(decoded) = damaged_utf_8(bytes) {
        return Some(decoded);
    }
    if let Some(decoded) = declared(bytes).and_then(|encoding| decode_as(encoding, bytes)) {
        return Some(decoded);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    // Prefer Russian if a few letters fit several alphabets.
    decode_as(detector.guess(Some(b"ru"), Utf8Detection::Deny), bytes)
}

/// Decodes a file that must be text. True if invalid bytes were replaced by U+FFFD.
pub fn decode_lossy(bytes: &[u8]) -> (Decoded, bool) {
    if let Some(decoded) = decode(bytes) {
        return (decoded, false);
    }
    let (encoding, length) = Encoding::for_bom(bytes).unwrap_or_else(|| {
        let told = utf_16(bytes).or_else(|| declared(bytes));
        (told.unwrap_or(UTF_8), 0)
    });
    let (text, broken) = encoding.decode_without_bom_handling(bytes.get(length..).unwrap_or_default());
    let decoded = Decoded {
        text: text.into_owned(),
        from: (encoding != UTF_8).then(|| encoding.name()),
        damaged: 0,
    };
    (decoded, broken)
}

/// Control characters that do not occur in text, except form feed and escape.
fn is_binary(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

fn decode_as(encoding: &'static Encoding, bytes: &[u8]) -> Option<Decoded> {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    if had_errors || text.contains('\0') {
        return None;
    }
    Some(Decoded {
        text: text.into_owned(),
        from: (encoding != UTF_8).then(|| encoding.name()),
        damaged: 0,
    })
}

/// UTF-8 with a few invalid bytes, such as a letter cut in two. Other encodings hardly ever form a valid sequence.
fn damaged_utf_8(bytes: &[u8]) -> Option<Decoded> {
    let (mut letters, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    (letters > damaged * 8).then(|| Decoded {
        text: String::from_utf8_lossy(bytes).into_owned(),
        from: None,
        damaged,
    })
}

/// Detects UTF-16 without a byte order mark: by a leading tag, or because every second byte is one of few values.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.len() < 4 || !bytes.len().is_multiple_of(2) {
        return None;
    }
    match bytes {
        [b'<', 0, ..] => return Some(UTF_16LE),
        [0, b'<', ..] => return Some(UTF_16BE),
        _ => {}
    }
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or(bytes);
    let of_text = |at: usize| {
        let high = head.iter().skip(at).step_by(2);
        // Latin, Cyrillic, punctuation.
        high.filter(|byte| matches!(byte, 0 | 4 | 0x20)).count() * 20 >= head.len() / 2 * 19
    };
    // Low bytes are never 0.
    let low_is_text = |at: usize| head.iter().skip(at).step_by(2).all(|byte| *byte != 0);
    match (of_text(1) && low_is_text(0), of_text(0) && low_is_text(1)) {
        (true, false) => Some(UTF_16LE),
        (false, true) => Some(UTF_16BE),
        _ => None,
    }
}

/// The encoding declared by `<?xml encoding="…"?>`, `<meta charset="…">` or `<meta content="text/html; charset=…">`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(DECLARED_WITHIN)).unwrap_or_default();
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let after = match head.trim_start().strip_prefix("<?xml") {
        Some(rest) => rest.split("?>").next()?.split_once("encoding")?.1,
        None => head.split("<meta").skip(1).find_map(|tag| {
            let tag = tag.split('>').next()?;
            Some(tag.split_once("charset")?.1)
        })?,
    };
    let value = after.trim_start().strip_prefix('=')?;
    let label = value.trim_start().trim_start_matches(['"', '\'']);
    let label = label.split(['"', '\'', ' ', ';', '/', '?']).next()?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // UTF-8 and UTF-16 were already ruled out.
    (encoding != UTF_8 && encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

/// Decodes a file name in an archive. Old Windows archivers used the DOS or Windows encoding without marking it. Also
/// returns the name of that encoding.
pub fn name(bytes: &[u8]) -> (Cow<'_, str>, Option<&'static str>) {
    if let Ok(name) = std::str::from_utf8(bytes) {
        return (name.into(), None);
    }
    let as_dos = IBM866.decode_without_bom_handling(bytes).0;
    let as_windows = WINDOWS_1251.decode_without_bom_handling(bytes).0;
    if russian_score(&as_windows) > russian_score(&as_dos) {
        (as_windows, Some(WINDOWS_1251.name()))
    } else {
        (as_dos, Some(IBM866.name()))
    }
}

/// Scores how much a name looks like Russian, by letter frequency and by implausible letters.
fn russian_score(name: &str) -> i32 {
    let mut score = 0;
    let mut after_small = false;
    for c in name.chars() {
        score += match c {
            '\0'..='\u{7f}' | '№' | '«' | '»' | '—' => 0,
            'о' | 'е' | 'а' | 'и' | 'н' | 'т' | 'с' | 'р' | 'в' | 'л' | 'к' | 'м' | 'д' | 'п' | 'у' => 3,
            'а'..='я' | 'ё' => 1,
            'А'..='Я' | 'Ё' if !after_small => 1,
            'А'..='Я' | 'Ё' => -2,
            _ => -3,
        };
        after_small = c.is_lowercase();
    }
    score
}

#[cfg(test)]
mod tests {
    use encoding_rs::KOI8_R;
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "Переменные и изменяемость: съешь же ещё этих мягких французских булок.";

    fn read(bytes: &[u8]) -> Option<(String, Option<&'static str>)> {
        decode(bytes).map(|decoded| (decoded.text, decoded.from))
    }

    #[test]
    fn russian_legacy_encodings_are_detected() {
        for (encoding, name) in [(WINDOWS_1251, "windows-1251"), (IBM866, "IBM866")] {
            let (bytes, _, _) = encoding.encode(TEXT);
            assert_eq!(read(&bytes), Some((TEXT.to_owned(), Some(name))));
        }
        // KOI8-U extends KOI8-R by four letters; the detector may name either.
        let (bytes, _, _) = KOI8_R.encode(TEXT);
        let (text, name) = read(&bytes).expect("text");
        assert_eq!(text, TEXT);
        assert!(name.expect("named").starts_with("KOI8-"));
        assert_eq!(read(TEXT.as_bytes()), Some((TEXT.to_owned(), None)));
        for word in ["Урок", "Глава первая", "привет"] {
            let (bytes, _, _) = WINDOWS_1251.encode(word);
            assert_eq!(read(&bytes), Some((word.to_owned(), Some("windows-1251"))));
        }
    }

    #[test]
    fn utf_16_is_detected_with_and_without_a_mark() {
        for mark in [true, false] {
            let text = if mark {
                format!("\u{feff}{TEXT}")
            } else {
                TEXT.to_owned()
            };
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!(read(&little), Some((TEXT.to_owned(), Some("UTF-16LE"))), "{mark}");
            assert_eq!(read(&big), Some((TEXT.to_owned(), Some("UTF-16BE"))), "{mark}");
        }
        assert_eq!(read(b"\xef\xbb\xbfa"), Some(("a".into(), None)));
    }

    #[test]
    fn declared_encodings_win_over_detection() {
        // As Russian, these bytes would be words as well.
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode("Größe, Übung, schön");
        for head in [
            "<?xml version=\"1.0\" encoding=\"windows-1252\"?>",
            "<html><head><meta charset='windows-1252'>",
            "<META http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1252\">",
        ] {
            let whole = [head.as_bytes(), &bytes].concat();
            assert_eq!(
                read(&whole),
                Some((format!("{head}Größe, Übung, schön"), Some("windows-1252")))
            );
        }
        // A wrong declaration is ignored.
        let (bytes, _, _) = WINDOWS_1251.encode(TEXT);
        let whole = [b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>".as_slice(), &bytes].concat();
        assert!(read(&whole).is_some_and(|(text, from)| text.ends_with(TEXT) && from == Some("windows-1251")));
    }

    #[test]
    fn damaged_texts_are_decoded_lossily() {
        for (encoding, label) in [(WINDOWS_1251, "windows-1251"), (KOI8_R, "koi8-r"), (UTF_8, "utf-8")] {
            let text = format!("<?xml version=\"1.0\" encoding=\"{label}\"?><a>{TEXT}</a>");
            let (good, ..) = encoding.encode(&text);
            assert_eq!(decode_lossy(&good).0.text, text, "{label}");
            // No encoding defines this byte; the rest is still decoded.
            let bad = [&good, b"\x01\x98\xff".as_slice()].concat();
            let (read, _) = decode_lossy(&bad);
            assert!(read.text.starts_with(&text), "{label}: {}", read.text);
        }
        assert!(decode_lossy(b"<a>\xff\x01").1);
        assert!(!decode_lossy("<a>\u{1}я".as_bytes()).1);
        // UTF-16 text with many different high bytes is recognized by its tag.
        let wide: Vec<u8> = "<a>漢字仮名</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide), Some(("<a>漢字仮名</a>".to_owned(), Some("UTF-16LE"))));
    }

    #[test]
    fn a_few_bad_bytes_leave_the_rest_of_a_text_in_utf_8() {
        let good = TEXT.repeat(3);
        let cut = good.as_bytes().get(..good.len() - 3).expect("a part");
        for bytes in [
            [good.as_bytes(), b"\xff"].concat(),
            cut.strip_suffix(b"\xd0").unwrap_or(cut).to_vec(),
        ] {
            let bytes = [bytes.as_slice(), b"\xd0"].concat();
            let read = decode(&bytes).expect("text");
            assert_eq!(read.from, None);
            assert!(read.damaged > 0 && read.text.starts_with(TEXT), "{read:?}");
        }
    }

    #[test]
    fn binary_files_are_rejected() {
        for bytes in [
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(),
            b"a\0b",
            b"\x01\xff\xfe",
            b"PK\x03\x04\xd0\xd1",
        ] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn legacy_archive_names_are_decoded() {
        for expected in [
            "Лекция 1.docx",
            "картинки/схема.png",
            "ОГЛАВЛЕНИЕ.html",
            "Съёмка.txt", // «Ёжик» in CP866 happens to be UTF-8, too
            "Урок №1.txt",
        ] {
            for encoding in [IBM866, WINDOWS_1251] {
                let (bytes, _, lost) = encoding.encode(expected);
                if !lost {
                    assert_eq!(name(&bytes), (expected.into(), Some(encoding.name())));
                }
            }
            assert_eq!(name(expected.as_bytes()), (expected.into(), None));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded_or_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = (decode(&bytes), decode_lossy(&bytes));
            let _ = name(&bytes);
        }

        #[test]
        fn valid_utf_8_is_always_utf_8(text in "[а-яё a-z<>=\"]{0,60}") {
            prop_assert_eq!(read(text.as_bytes()), Some((text, None)));
        }
    }
}
