//! Names of folders and files, and the order they say.

use std::cmp::Ordering;
use std::collections::HashSet;

/// Letters of a name that is made from a title.
const LONGEST: usize = 40;

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

/// The title in small Latin letters, digits and `-`: a name every file system and every archive keeps as it is.
pub fn slug(title: &str, nameless: &str) -> String {
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
        if slug.len() >= LONGEST {
            break;
        }
    }
    slug.truncate(LONGEST);
    match slug.trim_matches('-') {
        "" => nameless.to_owned(),
        slug => slug.to_owned(),
    }
}

/// `01-…`: as many digits as the longest number of its siblings has, two at least.
pub fn numbered(number: usize, of: usize, slug: &str) -> String {
    let digits = of.to_string().len().max(2);
    format!("{number:0digits$}-{slug}")
}

/// Names by their numbers, then by their letters: `2-b` before `10-a`.
pub fn in_order(a: &str, b: &str) -> Ordering {
    let number = |name: &str| {
        let digits: String = name.chars().take_while(char::is_ascii_digit).take(18).collect();
        digits.parse::<u64>().unwrap_or(u64::MAX)
    };
    number(a).cmp(&number(b)).then_with(|| a.cmp(b))
}

/// The title that a name without one would have: `02-first-steps.md` is `first steps`.
pub fn title_of(name: &str) -> String {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let words = stem.trim_start_matches(|c: char| c.is_ascii_digit());
    let words = words.trim_matches(['-', '_', '.', ' ']).replace(['-', '_'], " ");
    match words.is_empty() {
        true => stem.to_owned(),
        false => words,
    }
}

/// Names of files that every system takes, no two of them the same to any.
#[derive(Default)]
pub struct FileNames {
    taken: HashSet<String>,
}

impl FileNames {
    /// A name that is free, as near to this one as may be.
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

/// Without what some system forbids in a name, or an address reads as something else.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn titles_become_names_and_names_titles() {
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
        names.sort_by(|a, b| in_order(a, b));
        assert_eq!(names, ["02-a", "2-b", "10-a", "readme"]);
    }

    #[test]
    fn no_two_files_have_one_name_anywhere() {
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
        fn a_free_name_stays_as_it_is(name in ".{0,120}") {
            let first = FileNames::default().free(&name);
            prop_assert_eq!(FileNames::default().free(&first), first.clone());
            prop_assert!(first.chars().count() <= 101);
        }
    }
}
