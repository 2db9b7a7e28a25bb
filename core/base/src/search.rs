//! Text search in lists. It runs in memory and not in SQL, because SQLite folds only ASCII letters and PostgreSQL
//! depends on its locale; so both databases find Cyrillic texts alike.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// The terms of a search. A row matches if it contains every term, ignoring case and the difference between ё and е.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    terms: Vec<String>,
}

impl Search {
    /// Maximum length of a search, in characters.
    pub const MAX: usize = 255;

    /// Matches everything.
    pub const ALL: Self = Search { terms: Vec::new() };

    /// Splits the input into terms; blank input matches everything.
    pub fn of(typed: &str) -> Self {
        Search {
            terms: typed.split_whitespace().map(fold).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms in the form in which they are compared, see [`fold`].
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Whether each term occurs in one of the texts.
    pub fn matches(&self, texts: &[&str]) -> bool {
        if self.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts.iter().map(|text| fold(text)).collect();
        self.terms
            .iter()
            .all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// Folds a text for comparison: lower case, ё as е, accented letters composed.
pub fn fold(text: &str) -> String {
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
    fn matches_parts_of_words_in_any_case_and_order() {
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
            assert!(Search::of(typed).matches(&row), "{typed}");
        }
        for typed in ["петя", "иванов сидор", "%", "_"] {
            assert!(!Search::of(typed).matches(&row), "{typed}");
        }
    }
}
