//! Variants of a word with one typo: a letter that is missing, superfluous or wrong, or two neighbours that are swapped.

use std::collections::BTreeSet;

use crate::stem::stem;

/// The shortest word, in letters, in which typos are looked for. Short words have too many neighbours.
const MIN_LETTERS: usize = 4;

const LATIN: &str = "abcdefghijklmnopqrstuvwxyz";
const CYRILLIC: &str = "абвгдежзийклмнопрстуфхцчшщъыьэюя";

/// The stems that a folded word may have meant, if one letter is wrong. Empty for short words and for those of other scripts.
pub fn variants(folded: &str) -> BTreeSet<String> {
    let letters: Vec<char> = folded.chars().collect();
    let alphabet = if letters.iter().all(char::is_ascii_lowercase) {
        LATIN
    } else if letters.iter().all(|c| CYRILLIC.contains(*c)) {
        CYRILLIC
    } else {
        return BTreeSet::new();
    };
    if !(MIN_LETTERS..=40).contains(&letters.len()) {
        return BTreeSet::new();
    }
    // A typo may hide the ending, so the words near the typed one are stemmed, and those near its stem are taken as they are.
    let mut found: BTreeSet<String> = neighbours(&letters, alphabet).iter().map(|word| stem(word)).collect();
    let own = stem(folded);
    let stemmed: Vec<char> = own.chars().collect();
    if stemmed.len() >= MIN_LETTERS {
        found.extend(neighbours(&stemmed, alphabet));
    }
    found.remove(&own);
    found
}

fn neighbours(letters: &[char], alphabet: &str) -> Vec<String> {
    let mut found = Vec::with_capacity((letters.len() * 2 + 1) * alphabet.len());
    for at in 0..=letters.len() {
        let (head, tail) = letters.split_at(at);
        let with = |middle: &[char], tail: &[char]| head.iter().chain(middle).chain(tail).collect::<String>();
        for c in alphabet.chars() {
            found.push(with(&[c], tail));
        }
        if let [first, rest @ ..] = tail {
            found.push(with(&[], rest));
            for c in alphabet.chars().filter(|c| c != first) {
                found.push(with(&[c], rest));
            }
            if let [second, rest @ ..] = rest
                && first != second
            {
                found.push(with(&[*second, *first], rest));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn variants_include_the_stem_of_the_intended_word() {
        for (typed, meant) in [
            ("владеине", "владение"),
            ("влдение", "владение"),
            ("вллдение", "владение"),
            ("замыкниями", "замыканиями"),
            ("borow", "borrow"),
            ("lifetmie", "lifetime"),
            ("closuer", "closure"),
        ] {
            assert!(variants(typed).contains(&stem(meant)), "{typed}");
        }
    }

    #[test]
    fn short_words_and_identifiers_have_no_variants() {
        for typed in ["a", "кот", "read_line", "utf8", ""] {
            assert!(variants(typed).is_empty(), "{typed}");
        }
    }

    proptest! {
        #[test]
        fn any_word_with_one_letter_removed_is_found(word in "[а-я]{5,12}", at in 0_usize..5) {
            let mut typed: Vec<char> = word.chars().collect();
            typed.remove(at);
            let typed: String = typed.into_iter().collect();
            prop_assert!(stem(&typed) == stem(&word) || variants(&typed).contains(&stem(&word)));
        }
    }
}
