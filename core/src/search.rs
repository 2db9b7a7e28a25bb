//! Searching lists by what people type. It is done here and not in SQL, because SQLite folds ASCII letters only and
//! PostgreSQL what its locale knows: here Cyrillic is found on both, and in the same order.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// The words of a search: a row is found when each of them is somewhere in it, whatever the case, ё as е.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    words: Vec<String>,
}

impl Search {
    /// Characters of a search.
    pub const MAX: usize = 255;

    /// Finds everything.
    pub const ALL: Self = Search { words: Vec::new() };

    /// Nothing but white space finds everything.
    pub fn of(typed: &str) -> Self {
        Search {
            words: typed.split_whitespace().map(folded).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// As they are compared: see [`folded`].
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Is each word in one of the texts?
    pub fn finds(&self, texts: &[&str]) -> bool {
        if self.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        self.words
            .iter()
            .all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// A text as it is compared: small letters, ё as е, an accent and its letter as one.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed: Cow<'_, str> = if unicode_normalization::is_nfc(text) {
        text.into()
    } else {
        text.nfc().collect()
    };
    composed.to_lowercase().replace('ё', "е")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_parts_of_words_in_any_case_and_order() {
        let row = ["Пётр Алексеевич Иванов", "P.Ivanov@example.com"];
        for typed in [
            "",
            "  ",
            "пет",
            "ПЁТР",
            "иванов петр",
            "ivan",
            "EXAMPLE алексеевич",
            "Пе\u{308}тр",
        ] {
            assert!(Search::of(typed).finds(&row), "{typed}");
        }
        for typed in ["петя", "иванов сидор", "%", "_"] {
            assert!(!Search::of(typed).finds(&row), "{typed}");
        }
    }
}
