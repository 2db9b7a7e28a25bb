//! Counts the tokens of a document without recursion or allocation, before the recursive parser reads it.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    pub count: u64,
    /// Bytes of the longest name.
    pub longest_name: u64,
    /// Braces and brackets open at once, outside strings and comments.
    pub nesting: u64,
}

impl Tokens {
    pub fn of(document: &str) -> Self {
        let mut found = Tokens::default();
        let mut open = 0u64;
        let mut rest = document.as_bytes();
        while let Some((byte, after)) = rest.split_first() {
            rest = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b',' => after,
                b'#' => after_line(after),
                b'"' => {
                    found.count += 1;
                    match after.strip_prefix(br#""""#) {
                        Some(block) => after_block(block),
                        None => after_string(after),
                    }
                }
                b'.' => {
                    found.count += 1;
                    after.strip_prefix(b"..").unwrap_or(after)
                }
                byte if is_name_byte(byte) => {
                    let length = rest.iter().position(|byte| !is_name_byte(byte)).unwrap_or(rest.len());
                    found.count += 1;
                    found.longest_name = found.longest_name.max(length as u64);
                    rest.get(length..).unwrap_or_default()
                }
                _ => {
                    match byte {
                        b'{' | b'[' => open += 1,
                        b'}' | b']' => open = open.saturating_sub(1),
                        _ => {}
                    }
                    found.nesting = found.nesting.max(open);
                    found.count += 1;
                    after
                }
            };
        }
        found
    }
}

/// A byte of a name, or of a number without its sign.
fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

fn after_line(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.and_then(|end| rest.get(end..)).unwrap_or_default()
}

/// An unterminated string ends with its line.
fn after_string(mut rest: &[u8]) -> &[u8] {
    while let Some((byte, after)) = rest.split_first() {
        rest = match byte {
            b'"' | b'\n' | b'\r' => return after,
            b'\\' => after.get(1..).unwrap_or_default(),
            _ => after,
        };
    }
    rest
}

fn after_block(mut rest: &[u8]) -> &[u8] {
    while let Some((_, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(br#"""""#) {
            return after;
        }
        rest = rest.strip_prefix(br#"\""""#).unwrap_or(after);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_do_not_count() {
        for (document, nesting) in [
            ("{ a { b(c: [1]) } }", 3),
            ("{ a } { b }", 1),
            ("# \" {\n{ a }", 1),
            (r#"{ a(b: "{[\"{[") { c } }"#, 2),
            ("{ a(b: \"\"\"{ \" \\\"\"\" {\"\"\", c: {d: 1}) }", 2),
            ("\"{\n{{", 2),
            ("}}}{", 1),
            ("", 0),
        ] {
            assert_eq!(Tokens::of(document).nesting, nesting, "{document}");
        }
    }

    #[test]
    fn names_numbers_strings_and_punctuators_are_tokens() {
        for (document, count) in [
            ("{ a { b(c: [1]) } }", 13),
            ("query Q($id: ID!) { ...F @skip(if: true) }", 20),
            (r#"{ a(b: "one two") }"#, 8),
            ("{ a(b: \"\"\"one \" two\"\"\") # three four\n }", 8),
            ("  ,\n", 0),
        ] {
            assert_eq!(Tokens::of(document).count, count, "{document}");
        }
        assert_eq!(Tokens::of("{ four _five5 }").longest_name, 6);
    }
}
