//! Parts of texts that depend on their values: sizes, lists of words, Russian plurals.

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
