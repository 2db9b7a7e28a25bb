//! Attribute lists such as `{width=300 caption="two words" open}`. A value is a bare word or a JSON string.

use serde_json::Value;

/// Attributes in source order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attrs(Vec<(String, Option<String>)>);

impl Attrs {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name)?.1.as_deref()
    }

    /// The values of an attribute that may be repeated.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.0.iter().filter(move |(known, _)| known == name);
        named.filter_map(|(_, value)| value.as_deref())
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.parse().ok()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    pub fn flag(&mut self, name: &str) {
        self.0.push((name.to_owned(), None));
    }

    pub fn set(&mut self, name: &str, value: impl ToString) {
        self.0.push((name.to_owned(), Some(value.to_string())));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The list in braces; empty if there are no attributes.
    pub fn braced(&self) -> String {
        if self.is_empty() {
            String::new()
        } else {
            format!("{{{}}}", self.spaced())
        }
    }

    /// The list without braces.
    pub fn spaced(&self) -> String {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| match value {
                None => name.clone(),
                Some(value) if is_word(value) => format!("{name}={value}"),
                Some(value) => format!("{name}={}", quoted(value)),
            })
            .collect();
        parts.join(" ")
    }

    /// Parses a list at the start of `text`; also returns its length in bytes.
    pub fn parse_braced(text: &str) -> Option<(Self, usize)> {
        let inner = text.strip_prefix('{')?;
        let (attrs, rest) = Self::parse(inner, true)?;
        let rest = rest.strip_prefix('}')?;
        Some((attrs, text.len() - rest.len()))
    }

    /// Parses a whole line without braces.
    pub fn parse_line(text: &str) -> Option<Self> {
        let (attrs, rest) = Self::parse(text, false)?;
        rest.is_empty().then_some(attrs)
    }

    fn parse(text: &str, braced: bool) -> Option<(Self, &str)> {
        let mut attrs = Self::default();
        let mut rest = text.trim_start_matches(' ');
        while !(rest.is_empty() || braced && rest.starts_with('}')) {
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
                .unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if name.is_empty() {
                return None;
            }
            let (value, after) = match after.strip_prefix('=') {
                None => (None, after),
                Some(after) => {
                    let (value, after) = value(after)?;
                    (Some(value), after)
                }
            };
            attrs.0.push((name.to_owned(), value));
            rest = after.trim_start_matches([' ', ',']);
            // A separator between attributes is required.
            if rest.len() == after.len() && !rest.is_empty() && !(braced && rest.starts_with('}')) {
                return None;
            }
        }
        Some((attrs, rest))
    }
}

fn value(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        let end = string_end(text)?;
        let (string, rest) = text.split_at(end);
        return Some((serde_json::from_str(string).ok()?, rest));
    }
    let end = text.find([' ', ',', '}', '"', '\n']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty()).then(|| (word.to_owned(), rest))
}

/// The end of the JSON string at the start of `text`.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '%')
}

/// A single-line string literal that is valid in both JSON and TOML.
pub fn quoted(text: &str) -> String {
    let json = Value::from(text).to_string();
    // TOML requires escapes for these; some are line breaks in text files.
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                safe.push_str(&format!("\\u{:04x}", u32::from(c)))
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn attribute_lists_are_parsed() {
        let (attrs, taken) = Attrs::parse_braced(r#"{width=300 caption="a \"b\"\n}" open} rest"#).unwrap();
        assert_eq!(
            (attrs.number("width"), attrs.get("caption"), attrs.has("open")),
            (Some(300), Some("a \"b\"\n}"), true)
        );
        assert_eq!(taken, r#"{width=300 caption="a \"b\"\n}" open}"#.len());
        for bad in ["", "{", "{a=}", "{a=\"}", "{=b}", "{a=1b=\"c\"d=1", "{a\nb}"] {
            assert_eq!(Attrs::parse_braced(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn attribute_values_round_trip(values in proptest::collection::vec(".{0,12}", 0..4)) {
            let mut attrs = Attrs::default();
            values.iter().enumerate().for_each(|(i, value)| attrs.set(&format!("a{i}"), value));
            prop_assert_eq!(Attrs::parse_line(&attrs.spaced()), Some(attrs.clone()));
            if !attrs.is_empty() {
                let text = attrs.braced();
                prop_assert_eq!(Attrs::parse_braced(&text), Some((attrs, text.len())));
            }
        }

        #[test]
        fn quoted_strings_are_valid_toml(value in "\\PC{0,8}|[\\x01-\\x9f]{0,8}") {
            let table: toml::Table = toml::from_str(&format!("a = {}", quoted(&value))).unwrap();
            prop_assert_eq!(table["a"].as_str(), Some(value.as_str()));
        }
    }
}
