//! How many values a JSON text holds, told without making them: each takes a hundred times the memory of a byte.

use kurso_core::content::outside_strings;

/// Never fewer than there are; an empty list or object counts as one with a member.
pub fn of(json: &str) -> u64 {
    let starts = outside_strings(json).filter(|byte| matches!(byte, b'{' | b'[' | b','));
    starts.fold(1, |values, _| values + 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_member_is_one() {
        for (json, values) in [
            ("1", 1),
            ("[1, 2, 3]", 4),
            (r#"{"a": [1, "x,[{", "\",\""], "b": {"c": null}}"#, 7),
            ("[]", 2),
        ] {
            assert_eq!(super::of(json), values, "{json}");
        }
    }
}
