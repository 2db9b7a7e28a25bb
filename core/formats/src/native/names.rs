//! Generates file and folder names, and sorts them; finds titles.

use std::cmp::Ordering;
use std::collections::HashSet;

use serde_json::{Value, json};

use crate::content;

/// Characters of a name derived from a title.
const MAX_SLUG_CHARS: usize = 40;

const CYRILLIC: &[(char, &str)] = &[
    ('а', "a"),
    ('б', "b"),
    ('в', "v"),
    ('г', "g"),
    ('д', "d"),
    ('е', "e"),
    ('ё', "e"),
    ('ж', "zh"),
    ('з', "z"),
    ('и', "i"),
    ('й', "y"),
    ('к', "k"),
    ('л', "l"),
    ('м', "m"),
    ('н', "n"),
    ('о', "o"),
    ('п', "p"),
    ('р', "r"),
    ('с', "s"),
    ('т', "t"),
    ('у', "u"),
    ('ф', "f"),
    ('х', "kh"),
    ('ц', "ts"),
    ('ч', "ch"),
    ('ш', "sh"),
    ('щ', "shch"),
    ('ъ', ""),
    ('ы', "y"),
    ('ь', ""),
    ('э', "e"),
    ('ю', "yu"),
    ('я', "ya"),
];

/// The title in lower-case Latin letters, digits and `-`, which every file system and archive preserves.
pub fn slug(title: &str, fallback: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            c => match CYRILLIC.iter().find(|(letter, _)| *letter == c) {
                Some((_, latin)) => slug.push_str(latin),
                None if slug.ends_with('-') || slug.is_empty() => {}
                None => slug.push('-'),
            },
        }
        if slug.len() >= MAX_SLUG_CHARS {
            break;
        }
    }
    slug.truncate(MAX_SLUG_CHARS);
    match slug.trim_matches('-') {
        "" => fallback.to_owned(),
        slug => slug.to_owned(),
    }
}

/// A name such as `01-…`, with as many digits as the largest sibling number has, at least two.
pub fn numbered(number: usize, of: usize, slug: &str) -> String {
    let digits = of.to_string().len().max(2);
    format!("{number:0digits$}-{slug}")
}

/// Compares names by number, then alphabetically: `2-b` before `10-a`.
pub fn by_number(a: &str, b: &str) -> Ordering {
    let number = |name: &str| {
        let digits: String = name.chars().take_while(char::is_ascii_digit).take(18).collect();
        digits.parse::<u64>().unwrap_or(u64::MAX)
    };
    number(a).cmp(&number(b)).then_with(|| a.cmp(b))
}

/// A title derived from a name: `02-first-steps.md` becomes `first steps`.
pub fn title_of(name: &str) -> String {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let words = stem.trim_start_matches(|c: char| c.is_ascii_digit());
    let words = words.trim_matches(['-', '_', '.', ' ']).replace(['-', '_'], " ");
    if words.is_empty() { stem.to_owned() } else { words }
}

/// Generates unique file names that are valid on every system.
#[derive(Default)]
pub struct FileNames {
    taken: HashSet<String>,
}

impl FileNames {
    /// An unused name close to `name`.
    pub fn free(&mut self, name: &str) -> String {
        let clean = clean(name);
        let (stem, ending) = match clean.rfind('.').filter(|dot| *dot > 0 && clean.len() - dot <= 11) {
            Some(dot) => clean.split_at(dot),
            None => (clean.as_str(), ""),
        };
        for number in 1.. {
            let name = match number {
                1 => clean.clone(),
                number => {
                    let number = format!("-{number}");
                    let room = 100usize.saturating_sub(number.len() + ending.chars().count());
                    let stem: String = stem.chars().take(room).collect();
                    format!("{stem}{number}{ending}")
                }
            };
            if self.taken.insert(name.to_lowercase()) {
                return name;
            }
        }
        clean
    }
}

/// Replaces characters that are invalid on some system or special in addresses.
fn clean(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| match c {
            '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' | '#' | '%' => '-',
            c if c.is_control() || c.is_whitespace() => ' ',
            c => c,
        })
        .take(100)
        .collect();
    let name = name.trim_matches(['.', ' ']);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let reserved = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (stem.len() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")));
    match (name.is_empty(), reserved) {
        (true, _) => "file".to_owned(),
        (_, true) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// Removes the level 1 heading at the start and returns its text.
pub fn take_title(document: &mut Value) -> Option<String> {
    let blocks = document.get_mut("content")?.as_array_mut()?;
    let first = blocks.first()?;
    let is_title = first.get("type")? == "heading" && first.pointer("/attrs/level")? == 1;
    let words = content::heading_text(first).trim().to_owned();
    if !is_title || words.is_empty() {
        return None;
    }
    blocks.remove(0);
    if blocks.is_empty() {
        blocks.push(json!({ "type": "paragraph" }));
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_derive_from_titles_and_back() {
        assert_eq!(
            slug("Понимание владения: Rust & C++!", "page"),
            "ponimanie-vladeniya-rust-c"
        );
        assert_eq!(slug("???", "page"), "page");
        assert_eq!(
            (numbered(7, 9, "a"), numbered(7, 120, "a")),
            ("07-a".into(), "007-a".into())
        );
        assert_eq!(title_of("02-first_steps.md"), "first steps");
        assert_eq!(title_of("1999.md"), "1999");
        let mut names = ["10-a", "2-b", "readme", "02-a"];
        names.sort_by(|a, b| by_number(a, b));
        assert_eq!(names, ["02-a", "2-b", "10-a", "readme"]);
    }

    #[test]
    fn file_names_are_unique_ignoring_case() {
        let mut names = FileNames::default();
        let names: Vec<_> = ["a.PNG", "A.png", "a/b#c?.png", "..", "con.txt", "схема 1.png"]
            .iter()
            .map(|name| names.free(name))
            .collect();
        assert_eq!(
            names,
            ["a.PNG", "A-2.png", "a-b-c-.png", "file", "_con.txt", "схема 1.png"]
        );
    }

    proptest! {
        #[test]
        fn unused_valid_names_are_kept(name in ".{0,120}") {
            let first = FileNames::default().free(&name);
            prop_assert_eq!(FileNames::default().free(&first), first.clone());
            prop_assert!(first.chars().count() <= 101);
        }
    }
}
