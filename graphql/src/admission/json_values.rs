//! Counts the values of a JSON text without parsing it: a parsed value takes a hundred times the memory of a byte.

use kurso_base::wire::outside_strings;

/// An upper bound: an empty list or object counts as one with a member.
pub fn count(json: &str) -> u64 {
    let starts = outside_strings(json).filter(|byte| matches!(byte, b'{' | b'[' | b','));
    starts.fold(1, |values, _| values + 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn members_of_nested_values_are_counted_once() {
        for (json, values) in [
            ("1", 1),
            ("[1, 2, 3]", 4),
            (r#"{"a": [1, "x,[{", "\",\""], "b": {"c": null}}"#, 7),
            ("[]", 2),
        ] {
            assert_eq!(super::count(json), values, "{json}");
        }
    }
}
