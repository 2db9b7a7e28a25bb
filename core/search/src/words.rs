//! Splits a text into words. Identifiers of code keep their underscores, and how words are joined is noted: `HashMap::new`, `Cargo.toml`.

use crate::stem::is_mark;

/// What joins a word to the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joint {
    /// Anything else.
    None,
    /// `::`
    Path,
    /// A dot without spaces.
    Dot,
}

impl Joint {
    pub(crate) fn text(self) -> Option<&'static str> {
        match self {
            Joint::None => None,
            Joint::Path => Some("::"),
            Joint::Dot => Some("."),
        }
    }
}

/// A word of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<'a> {
    /// The word as written.
    pub text: &'a str,
    /// Its offset in the text in bytes.
    pub start: usize,
    pub joint: Joint,
}

impl Word<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The words of a text, in order.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    let mut last_end: Option<usize> = None;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let start = at + rest.find(is_word)?;
            let word = text.get(start..).map(run)?;
            let end = start + word.len();
            at = end;
            let core = word.trim_matches(|c: char| c == '_' || c == '\'' || c == '’' || is_mark(c));
            if core.is_empty() {
                continue;
            }
            let skipped = word.find(core).unwrap_or(0);
            let between = last_end.and_then(|last| text.get(last..start));
            let joint = match between {
                Some("::") => Joint::Path,
                Some(".") => Joint::Dot,
                _ => Joint::None,
            };
            last_end = Some(end);
            return Some(Word {
                text: core,
                start: start + skipped,
                joint,
            });
        }
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || is_mark(c)
}

/// The word at the start of the text. `C++`, `C#` and `F#` are words.
fn run(text: &str) -> &str {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_inner = matches!(c, '\'' | '’') && at > 0 && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !is_word(c) && !is_inner {
            break;
        }
        end = at + c.len_utf8();
    }
    if end == 1 && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let tail = text.get(1..).unwrap_or_default();
        if tail.starts_with("++") {
            end = 3;
        } else if tail.starts_with('#') {
            end = 2;
        }
    }
    text.get(..end).unwrap_or(text)
}

/// The parts of an identifier: `read_line`, `HashMap`, `HTMLParser`. Empty for a word without such parts.
pub(crate) fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split('_').filter(|piece| !piece.is_empty()) {
        let mut start = 0;
        let chars: Vec<(usize, char)> = piece.char_indices().collect();
        for window in 1..chars.len() {
            let (Some((_, before)), Some((at, c))) = (chars.get(window - 1), chars.get(window)) else {
                continue;
            };
            let next_is_lower = chars.get(window + 1).is_some_and(|(_, next)| next.is_lowercase());
            let begins = c.is_uppercase() && (before.is_lowercase() || before.is_numeric() || next_is_lower);
            if begins && before.is_alphanumeric() {
                parts.extend(piece.get(start..*at));
                start = *at;
            }
        }
        parts.extend(piece.get(start..));
    }
    if parts.len() < 2 { Vec::new() } else { parts }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        words(text).map(|word| word.text).collect()
    }

    #[test]
    fn words_are_letters_digits_and_underscores() {
        assert_eq!(texts("«Ёлка» — 2 шт., don't!"), ["Ёлка", "2", "шт", "don't"]);
        assert_eq!(texts("C++ и C#, _x_ __ 'a'"), ["C++", "и", "C#", "x", "a"]);
        assert_eq!(texts("за\u{301}мок веб-сервер"), ["за\u{301}мок", "веб", "сервер"]);
    }

    #[test]
    fn joints_of_identifiers_are_kept() {
        let joints: Vec<Joint> = words("std::HashMap::new() Cargo.toml. End")
            .map(|word| word.joint)
            .collect();
        use Joint::{Dot, None, Path};
        assert_eq!(joints, [None, Path, Path, None, Dot, None]);
    }

    #[test]
    fn identifiers_have_parts() {
        assert_eq!(parts("read_line"), ["read", "line"]);
        assert_eq!(parts("HashMap"), ["Hash", "Map"]);
        assert_eq!(parts("HTMLParser"), ["HTML", "Parser"]);
        assert_eq!(parts("utf8Text"), ["utf8", "Text"]);
        for whole in ["hashmap", "HTML", "Слово", "_", ""] {
            assert!(parts(whole).is_empty(), "{whole}");
        }
    }

    proptest! {
        #[test]
        fn words_lie_in_the_text_in_order(text in "\\PC{0,60}") {
            let mut last = 0;
            for word in words(&text) {
                prop_assert!(word.start >= last && text.get(word.start..word.end()) == Some(word.text));
                prop_assert!(!word.text.is_empty());
                last = word.end();
            }
        }
    }
}
