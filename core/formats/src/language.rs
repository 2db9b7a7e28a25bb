//! Guesses the language of a course.

use kurso_base::messages::Lang;

/// Letters that are looked at.
const MAX_CHARS: usize = 1_000_000;

/// Russian if at least a fifth of the letters outside of tags are Cyrillic: code and names in Latin letters are common in
/// Russian texts, and a few Cyrillic letters occur in English ones.
pub fn guess(text: &str) -> Lang {
    let (mut cyrillic, mut latin, mut in_tag) = (0_usize, 0_usize, false);
    for c in text.chars().take(MAX_CHARS) {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            'а'..='я' | 'А'..='Я' | 'ё' | 'Ё' => cyrillic += 1,
            c if c.is_ascii_alphabetic() && !in_tag => latin += 1,
            _ => {}
        }
    }
    if cyrillic > 0 && cyrillic * 4 >= latin {
        Lang::Ru
    } else {
        Lang::En
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_letters_do_not_decide() {
        for (text, lang) in [
            ("Введение", Lang::Ru),
            ("Язык Rust и Cargo", Lang::Ru),
            ("<p class=\"lead paragraph\">Да</p>", Lang::Ru),
            ("Introduction to the Cyrillic letter Ж", Lang::En),
            ("Course 1", Lang::En),
            ("", Lang::En),
        ] {
            assert_eq!(guess(text), lang, "{text}");
        }
    }
}
