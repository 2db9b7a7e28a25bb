//! Tokenizes HTML tags, comments and text.

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    Open(Tag),
    Close(String),
    Comment(&'a str),
    Text(&'a str),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// In lower case.
    pub name: String,
    attrs: Vec<(String, String)>,
}

impl Tag {
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attrs
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.attr(name)?.parse().ok()
    }
}

/// Bytes of a tag inside a block; bounds the time for texts with many `<`.
const MAX_TAG_BYTES: usize = 1000;

/// The tokens of a text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest.get(from..).and_then(|tail| tail.find('<')).map(|at| at + from) {
        let (before, tail) = rest.split_at(at);
        if tail.starts_with("<!--") && !tail.contains("-->") {
            found.push(Piece::Text(before));
            return found;
        }
        let near = if tail.starts_with("<!--") {
            tail
        } else {
            tail.split_at(tail.floor_char_boundary(MAX_TAG_BYTES)).0
        };
        match piece(near) {
            Some((piece, len)) => {
                if !before.is_empty() {
                    found.push(Piece::Text(before));
                }
                found.push(piece);
                rest = tail.split_at(len).1;
                from = 0;
            }
            None => from = at + 1,
        }
    }
    if !rest.is_empty() {
        found.push(Piece::Text(rest));
    }
    found
}

/// The token at the start of a text, and its length in bytes.
pub fn piece(text: &str) -> Option<(Piece<'_>, usize)> {
    if let Some(rest) = text.strip_prefix("<!--") {
        let end = rest.find("-->")?;
        return Some((Piece::Comment(rest.split_at(end).0), end + 7));
    }
    if let Some(rest) = text.strip_prefix("</") {
        let end = rest.find('>')?;
        let name = rest.split_at(end).0.trim().to_ascii_lowercase();
        return is_name(&name).then_some((Piece::Close(name), end + 3));
    }
    let inner = text.strip_prefix('<')?;
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))?;
    let (name, mut rest) = inner.split_at(end);
    if !is_name(name) {
        return None;
    }
    let mut attrs = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r', '/']);
        if let Some(after) = rest.strip_prefix('>') {
            let name = name.to_ascii_lowercase();
            return Some((Piece::Open(Tag { name, attrs }), text.len() - after.len()));
        }
        let end = rest.find(['=', '>', ' ', '\t', '\n', '\r', '/', '<', '"'])?;
        let (name, after) = rest.split_at(end);
        if name.is_empty() {
            return None;
        }
        let (value, after) = match after.strip_prefix('=') {
            None => (String::new(), after),
            Some(after) => attr_value(after)?,
        };
        attrs.push((name.to_ascii_lowercase(), value));
        rest = after;
    }
}

fn attr_value(text: &str) -> Option<(String, &str)> {
    for quote in ['"', '\''] {
        if let Some(rest) = text.strip_prefix(quote) {
            let (value, after) = rest.split_once(quote)?;
            return Some((unescaped(value), after));
        }
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '>')?;
    let (value, after) = text.split_at(end);
    Some((unescaped(value), after))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Escapes a value for double quotes on a single line.
pub fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Decodes character references in attribute values.
pub fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let decoded = after
            .split_once(';')
            .and_then(|(name, after)| Some((entity(name)?, after)));
        match decoded {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')
        }
    }
}
