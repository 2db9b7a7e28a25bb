//! Share codes: 8 characters of Crockford base32, shown as `XXXX-XXXX`.

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Generates a code in the stored form: 8 characters, 40 random bits.
pub fn new_code() -> String {
    let mut bits = kurso_base::random::bits();
    (0..8)
        .map(|_| {
            let digit = usize::try_from(bits & 31).unwrap_or_default();
            bits >>= 5;
            char::from(*ALPHABET.get(digit).unwrap_or(&b'0'))
        })
        .collect()
}

/// Formats `ABCD1234` for display: `ABCD-1234`.
pub fn shown(code: &str) -> String {
    match code.split_at_checked(4) {
        Some((a, b)) => format!("{a}-{b}"),
        None => code.to_owned(),
    }
}

/// Converts input to the stored form, ignoring case, dashes and spaces, and reading I and L as 1, O as 0. None if the input cannot
/// be a code.
pub fn parse(typed: &str) -> Option<String> {
    let mut code = String::with_capacity(8);
    for c in typed.chars() {
        let c = match c.to_ascii_uppercase() {
            '-' | '–' | '—' | '‑' => continue,
            c if c.is_whitespace() => continue,
            'I' | 'L' => '1',
            'O' => '0',
            c => c,
        };
        if code.len() == 8 || !c.is_ascii() || !ALPHABET.contains(&u8::try_from(c).ok()?) {
            return None;
        }
        code.push(c);
    }
    (code.len() == 8).then_some(code)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_what_people_type() {
        for typed in ["ABCD-1020", " abcd 1o2O ", "abcd–io2o", "ABCDL020"] {
            assert_eq!(parse(typed).as_deref(), Some("ABCD1020"), "{typed}");
        }
        for typed in ["", "ABCD", "ABCD-10203", "ABCD-102U", "ABCD-102é", "ＡBCD-1020"] {
            assert_eq!(parse(typed), None, "{typed}");
        }
    }

    proptest! {
        #[test]
        fn a_new_code_reads_back(_ in 0..50u8) {
            let code = new_code();
            prop_assert_eq!(parse(&shown(&code)), Some(code.clone()));
            prop_assert_eq!(parse(&shown(&code).to_lowercase()), Some(code));
        }

        #[test]
        fn never_panics(typed in ".*") {
            parse(&typed);
        }
    }
}
