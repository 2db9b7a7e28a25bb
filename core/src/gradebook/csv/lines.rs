//! The text of a table: its separator, its lines, and the apostrophes before formulas.

use crate::students::cell_text;

/// What separates the cells of a text: of semicolons, tabs and commas, the one that its first line has most outside of quotes.
pub(super) fn separator_of(text: &str) -> u8 {
    let mut counts = [(b';', 0usize), (b'\t', 0), (b',', 0)];
    let mut is_quoted = false;
    for byte in text.bytes().take_while(|byte| *byte != b'\n') {
        is_quoted ^= byte == b'"';
        for (separator, count) in &mut counts {
            *count += usize::from(!is_quoted && byte == *separator);
        }
    }
    // Of equal counts, the first.
    counts
        .iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map_or(b';', |(separator, _)| *separator)
}

/// Counts the lines of a text. The reader of CSV counts a record from the empty lines before it.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub fn of(text: &'a str) -> Self {
        Lines {
            bytes: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// The number, from 1, of the first line that is not empty from `byte` on. Bytes come in order.
    pub fn at(&mut self, byte: u64) -> u64 {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(next) = self.bytes.get(self.at) {
            if self.at >= byte && !matches!(next, b'\r' | b'\n') {
                break;
            }
            self.line += u64::from(*next == b'\n');
            self.at += 1;
        }
        self.line
    }
}

/// The text without the apostrophe that an export puts before a formula. Another apostrophe is part of the text.
pub(super) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let bare = text.strip_prefix('\'').filter(|bare| cell_text(bare) != *bare);
    bare.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_that_of_the_first_line() {
        for (text, separator) in [
            ("Имя;Email;Тест, баллов из 100", b';'),
            ("\"a;b;c\",Email,x\n;;;;", b','),
            ("Имя\tEmail\tx, y", b'\t'),
            ("Email", b';'),
            ("", b';'),
        ] {
            assert_eq!(separator_of(text), separator, "{text}");
        }
    }

    #[test]
    fn only_the_apostrophe_of_an_export_is_undone() {
        for (text, bare) in [
            (" '+ann@x.ru ", "+ann@x.ru"),
            ("'=1", "=1"),
            ("'ann@x.ru", "'ann@x.ru"),
            ("''=1", "''=1"),
            ("'", "'"),
            ("ann@x.ru", "ann@x.ru"),
        ] {
            assert_eq!(unquoted(text), bare, "{text}");
        }
    }
}
