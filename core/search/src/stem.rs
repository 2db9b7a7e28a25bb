//! Folding and stemming of single words.

use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;

/// The maximum length of a term in characters. Longer words, such as hashes, are cut.
const MAX_TERM: usize = 40;

/// The form in which a word is compared: composed, in lower case, ё as е, without stress marks and soft hyphens.
pub fn fold_word(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return match word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => word.to_ascii_lowercase().into(),
            false => word.into(),
        };
    }
    let composed: String = word.nfc().collect();
    let kept = composed.chars().filter(|c| !is_mark(*c));
    let lower = kept.flat_map(char::to_lowercase).filter(|c| !is_mark(*c));
    let folded = lower.map(|c| match c {
        'ё' => 'е',
        '’' => '\'',
        other => other,
    });
    Cow::Owned(folded.collect())
}

/// Whether the character belongs to a word without changing it: a combining accent or a soft hyphen.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}')
}

/// The stem of a folded word: Russian for Cyrillic words, English for Latin ones. Words with other characters stay as they are.
pub fn stem(folded: &str) -> String {
    let is_latin = |c: char| c.is_ascii_lowercase() || c == '\'';
    let algorithm = if folded.chars().all(is_latin) {
        Some(Algorithm::English)
    } else if folded.chars().all(|c| matches!(c, 'а'..='я')) {
        Some(Algorithm::Russian)
    } else {
        None
    };
    let stemmed = match algorithm {
        Some(algorithm) => Stemmer::new(algorithm).stem(folded),
        None => Cow::Borrowed(folded),
    };
    let kept = stemmed.chars().filter(|c| *c != '\'').take(MAX_TERM);
    kept.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn term(word: &str) -> String {
        stem(&fold_word(word))
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["владение", "владения", "Владением", "ВЛАДЕНИЙ"][..],
            &["ёлка", "елки", "Ёлками", "е\u{308}лку"],
            &["за\u{301}мок", "замок"],
            &["connection", "Connections", "connected", "connecting"],
            &["rust's", "Rust’s", "rust"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| term(form)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn words_that_are_not_of_one_script_stay_as_they_are() {
        for word in ["utf8", "read_line", "c++", "日本語", "x1ы"] {
            assert_eq!(term(word), word);
        }
    }

    proptest! {
        #[test]
        fn a_term_is_short_and_contains_no_white_space(word in "\\PC{0,80}") {
            let folded: String = word.split_whitespace().collect();
            let term = term(&folded);
            prop_assert!(term.chars().count() <= MAX_TERM && !term.contains(char::is_whitespace));
        }

        #[test]
        fn folding_is_idempotent(word in "\\PC{0,20}") {
            let once = fold_word(&word).into_owned();
            prop_assert_eq!(fold_word(&once).into_owned(), once.clone());
        }
    }
}
