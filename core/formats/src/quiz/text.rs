//! Equality of text answers: trimming, Unicode composition, case and white space folding.

use regex::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization as _;

use super::limits::MAX_REGEX;

/// Bytes of a compiled pattern: enough for `\w{3,12}`, not for `\w{900}{900}`. Compiling takes some milliseconds, and a quiz
/// has few patterns.
const MAX_COMPILED: usize = 1024 * 1024;

/// Whether a text is empty or has only white space.
pub fn is_blank(text: &str) -> bool {
    folded(text, true).is_empty()
}

/// The form in which answers are compared: trimmed and in Unicode composition; unless `case_sensitive`, also in lower case,
/// with single spaces and е for ё.
pub fn folded(text: &str, case_sensitive: bool) -> String {
    let composed: String = text.nfc().collect();
    if case_sensitive {
        return composed.trim().to_owned();
    }
    let words: Vec<String> = composed.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").replace('ё', "е")
}

/// Whether the answer is one of `accepted`; a blank answer never is.
pub fn is_accepted(answer: &str, accepted: &[String], case_sensitive: bool) -> bool {
    let answer = folded(answer, case_sensitive);
    !answer.is_empty() && accepted.iter().any(|text| folded(text, case_sensitive) == answer)
}

/// Whether the whole answer matches the author's pattern; a blank answer never does.
pub fn matches(answer: &str, pattern: &str, case_sensitive: bool) -> bool {
    let answer = folded(answer, case_sensitive);
    !answer.is_empty() && compiled(pattern, case_sensitive).is_ok_and(|regex| regex.is_match(&answer))
}

/// Compiles the author's pattern, anchored at both ends and folded like the answers.
pub fn compiled(pattern: &str, case_sensitive: bool) -> Result<Regex, regex::Error> {
    let pattern = if case_sensitive {
        pattern.nfc().collect()
    } else {
        pattern.nfc().collect::<String>().replace('ё', "е").replace('Ё', "Е")
    };
    if pattern.chars().count() > MAX_REGEX {
        return Err(regex::Error::CompiledTooBig(MAX_REGEX));
    }
    let build = |pattern: &str, size: usize| {
        RegexBuilder::new(pattern)
            .case_insensitive(!case_sensitive)
            .size_limit(size)
            .dfa_size_limit(MAX_COMPILED)
            .nest_limit(50)
            .build()
    };
    // Parsed alone first: `a)|(b` would be valid only inside the group below.
    match build(&pattern, 0) {
        Ok(_) | Err(regex::Error::CompiledTooBig(_)) => build(&format!(r"\A(?:{pattern})\z"), MAX_COMPILED),
        refused => refused,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comparison_ignores_spaces_case_and_yo() {
        let accepted = ["Ёлка  зелёная".to_owned()];
        for answer in ["елка зеленая", "  ЁЛКА\u{a0}ЗЕЛЁНАЯ ", "е\u{308}лка\nзеленая"]
        {
            assert!(is_accepted(answer, &accepted, false), "{answer}");
        }
        for answer in ["", " ", "елказеленая", "елка", "елка зеленая!"] {
            assert!(!is_accepted(answer, &accepted, false), "{answer}");
        }
    }

    #[test]
    fn case_sensitive_answers_are_compared_as_written() {
        let accepted = ["Ёж".to_owned()];
        assert!(is_accepted(" Ёж ", &accepted, true) && is_accepted("Е\u{308}ж", &accepted, true));
        for answer in ["ёж", "Еж", "Ё ж"] {
            assert!(!is_accepted(answer, &accepted, true), "{answer}");
        }
    }

    #[test]
    fn a_blank_answer_is_never_accepted() {
        assert!(!is_accepted(" ", &["".to_owned(), " ".to_owned()], false));
        assert!(!matches(" ", ".*", false) && !matches("", "", true));
    }

    #[test]
    fn patterns_match_the_whole_answer() {
        assert!(matches("ab", "a|ab", true) && !matches("abc", "a|ab", true));
        assert!(!matches("xa", "a", true) && !matches("a\nb", "a", true));
        assert!(matches("ЁЖ", "ёж", false) && matches("еж", "[её]ж", false));
        assert!(matches("Ёж", "Ёж", true) && !matches("ёж", "Ёж", true));
    }

    #[test]
    fn patterns_that_break_out_or_grow_are_refused() {
        for bad in [
            "a)|(b",
            "(",
            "(?x)a #",
            r"\w{900}{900}",
            &"(".repeat(400),
            &"я".repeat(MAX_REGEX + 1),
            r"(?=a)",
        ] {
            assert!(compiled(bad, false).is_err(), "{bad:.20}");
        }
        for good in [
            r"\w+\s\w+",
            r"\d{1,3}([.,]\d+)?",
            "(красный|синий) (шар|куб)ы?",
            r"[а-яё\- ]{1,40}",
        ] {
            assert!(compiled(good, false).is_ok(), "{good}");
        }
    }

    proptest! {
        #[test]
        fn any_accepted_text_is_accepted(text in ".{0,20}", case_sensitive in any::<bool>()) {
            prop_assume!(!folded(&text, case_sensitive).is_empty());
            prop_assert!(is_accepted(&text, std::slice::from_ref(&text), case_sensitive));
            prop_assert!(matches(&text, &regex::escape(&text.nfc().collect::<String>()), true) || folded(&text, true) != text);
        }
    }
}
