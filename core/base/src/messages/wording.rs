//! Parts of texts that depend on their values: sizes, lists of words, Russian plurals, dates.

use chrono::{Datelike as _, NaiveDate};

use super::Lang;

/// Formats a size: `200 MB` from 1 MiB, rounded down; smaller sizes as `64 KB`, rounded up.
pub(super) fn bytes(n: u64, mega: &str, kilo: &str) -> String {
    match n >> 20 {
        0 => format!("{} {kilo}", n.div_ceil(1024)),
        n => format!("{n} {mega}"),
    }
}

/// Lists quoted words, with `or` before the last: `'a', 'b' or 'c'`.
pub fn choice(words: &[&str], or: &str) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {or} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// The Russian form of a noun after the number `n`: 1 символ, 2 символа, 5 символов.
pub fn plural<'a>(n: usize, one: &'a str, few: &'a str, many: &'a str) -> &'a str {
    match (n % 10, n % 100) {
        (1, r) if r != 11 => one,
        (2..=4, r) if !(12..=14).contains(&r) => few,
        _ => many,
    }
}

const MONTHS: [(&str, &str); 12] = [
    ("января", "January"),
    ("февраля", "February"),
    ("марта", "March"),
    ("апреля", "April"),
    ("мая", "May"),
    ("июня", "June"),
    ("июля", "July"),
    ("августа", "August"),
    ("сентября", "September"),
    ("октября", "October"),
    ("ноября", "November"),
    ("декабря", "December"),
];

/// A day in words: `1 января 2027 г.`, `1 January 2027`.
pub fn day(day: NaiveDate, lang: Lang) -> String {
    let month = usize::try_from(day.month0()).ok().and_then(|month| MONTHS.get(month));
    let (russian, english) = month.copied().unwrap_or_default();
    match lang {
        Lang::Ru => format!("{} {russian} {} г.", day.day(), day.year()),
        Lang::En => format!("{} {english} {}", day.day(), day.year()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_plurals() {
        let form = |n| plural(n, "символ", "символа", "символов");
        assert_eq!([1, 21].map(form), ["символ"; 2]);
        assert_eq!([2, 22].map(form), ["символа"; 2]);
        assert_eq!([5, 11, 14, 111].map(form), ["символов"; 4]);
    }
}
