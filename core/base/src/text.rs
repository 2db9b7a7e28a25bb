//! Plain text.

/// The words of a text with one space between them and none around them: runs of white space and line breaks are collapsed.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_collapsed() {
        assert_eq!(one_line("\n a\t b\u{a0}\r\n\nв  "), "a b в");
        assert_eq!(one_line(" \n"), "");
    }
}
