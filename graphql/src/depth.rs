//! How deep a document is nested, told without recursion before the parser follows it with some.

/// Braces and brackets open at once, those in strings and comments left out.
pub fn of(document: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    let mut rest = document.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
                after
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                after
            }
            b'#' => after_line(after),
            b'"' => match after.strip_prefix(br#""""#) {
                Some(block) => after_block(block),
                None => after_string(after),
            },
            _ => after,
        };
    }
    deepest
}

fn after_line(rest: &[u8]) -> &[u8] {
    let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.and_then(|end| rest.get(end..)).unwrap_or_default()
}

/// A string ends with its line, closed or not.
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
        for (document, depth) in [
            ("{ a { b(c: [1]) } }", 3),
            ("{ a } { b }", 1),
            ("# \" {\n{ a }", 1),
            (r#"{ a(b: "{[\"{[") { c } }"#, 2),
            ("{ a(b: \"\"\"{ \" \\\"\"\" {\"\"\", c: {d: 1}) }", 2),
            ("\"{\n{{", 2),
            ("}}}{", 1),
            ("", 0),
        ] {
            assert_eq!(of(document), depth, "{document}");
        }
    }
}
