//! Position and reason of a JSON syntax error, in the words of Python's parser, which existing clients know.

/// Returns the position, in characters from 0, and the reason; None for a text that Python accepts.
pub fn locate(text: &str) -> Option<(usize, &'static str)> {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        at: 0,
    };
    let (at, why) = scanner.document().err()?;
    // Counts characters: all bytes of a character but the first are continuation bytes.
    let before = text.bytes().take(at).filter(|byte| byte & 0xc0 != 0x80).count();
    Some((before, why))
}

type Scanned = Result<(), (usize, &'static str)>;

/// Scans bytes: every character with a meaning in JSON is a single byte.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

/// An open container. It decides what may follow a comma.
#[derive(Clone, Copy)]
enum Open {
    Object,
    Array,
}

impl Scanner<'_> {
    fn document(&mut self) -> Scanned {
        self.space();
        // A stack on the heap, because the client decides how deep the text is nested.
        let mut open: Vec<Open> = Vec::new();
        'value: loop {
            match self.next() {
                Some(b'{') => {
                    self.at += 1;
                    self.space();
                    if self.next() != Some(b'}') {
                        self.name()?;
                        open.push(Open::Object);
                        continue 'value;
                    }
                    self.at += 1;
                }
                Some(b'[') => {
                    self.at += 1;
                    self.space();
                    if self.next() != Some(b']') {
                        open.push(Open::Array);
                        continue 'value;
                    }
                    self.at += 1;
                }
                _ => self.scalar()?,
            }
            // A value has ended.
            loop {
                self.space();
                match (open.last(), self.next()) {
                    (None, None) => return Ok(()),
                    (None, Some(_)) => return self.error("Extra data"),
                    (Some(Open::Object), Some(b'}')) | (Some(Open::Array), Some(b']')) => {
                        self.at += 1;
                        open.pop();
                    }
                    (Some(inside), Some(b',')) => {
                        let inside = *inside;
                        self.at += 1;
                        self.space();
                        if matches!(inside, Open::Object) {
                            self.name()?;
                        }
                        continue 'value;
                    }
                    _ => return self.error("Expecting ',' delimiter"),
                }
            }
        }
    }

    /// Reads the name of a member, its colon, and the space before its value.
    fn name(&mut self) -> Scanned {
        if self.next() != Some(b'"') {
            return self.error("Expecting property name enclosed in double quotes");
        }
        self.string()?;
        self.space();
        if self.next() != Some(b':') {
            return self.error("Expecting ':' delimiter");
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// Reads a value that is not a container.
    fn scalar(&mut self) -> Scanned {
        if self.next() == Some(b'"') {
            return self.string();
        }
        for word in ["null", "true", "false", "NaN", "Infinity", "-Infinity"] {
            if self
                .text
                .get(self.at..)
                .is_some_and(|rest| rest.starts_with(word.as_bytes()))
            {
                self.at += word.len();
                return Ok(());
            }
        }
        let sign = usize::from(self.next() == Some(b'-'));
        let integer = match self.after(sign) {
            Some(b'0') => 1,
            _ => self.digits(sign),
        };
        if integer == 0 {
            return self.error("Expecting value");
        }
        let mut length = sign + integer;
        if self.after(length) == Some(b'.') {
            let digits = self.digits(length + 1);
            length += if digits > 0 { 1 + digits } else { 0 };
        }
        if matches!(self.after(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.after(length + 1), Some(b'+' | b'-')));
            let digits = self.digits(length + 1 + sign);
            length += if digits > 0 { 1 + sign + digits } else { 0 };
        }
        self.at += length;
        Ok(())
    }

    /// Reads a string from its opening to its closing quote.
    fn string(&mut self) -> Scanned {
        let begin = self.at;
        self.at += 1;
        loop {
            match self.next() {
                None => return Err((begin, "Unterminated string starting at")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(c) if c < b' ' => return self.error("Invalid control character at"),
                Some(b'\\') => match self.after(1) {
                    None => return Err((begin, "Unterminated string starting at")),
                    Some(b'u') => {
                        let digits = (2..6).all(|i| self.after(i).is_some_and(|c| c.is_ascii_hexdigit()));
                        // Python's scanner requires one character after the four digits.
                        if !digits || self.after(6).is_none() {
                            return Err((self.at + 1, "Invalid \\uXXXX escape"));
                        }
                        self.at += 6;
                    }
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                    Some(_) => return self.error("Invalid \\escape"),
                },
                Some(_) => self.at += 1,
            }
        }
    }

    fn next(&self) -> Option<u8> {
        self.after(0)
    }

    fn after(&self, count: usize) -> Option<u8> {
        self.text.get(self.at + count).copied()
    }

    fn digits(&self, after: usize) -> usize {
        (after..)
            .take_while(|&i| self.after(i).is_some_and(|c| c.is_ascii_digit()))
            .count()
    }

    fn space(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, why: &'static str) -> Scanned {
        Err((self.at, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_reasons_are_those_of_python() {
        for (text, position, why) in [
            ("", 0, "Expecting value"),
            ("{", 1, "Expecting property name enclosed in double quotes"),
            ("[", 1, "Expecting value"),
            ("{\"a\"", 4, "Expecting ':' delimiter"),
            ("{\"a\":1", 6, "Expecting ',' delimiter"),
            ("{\"a\":1,", 7, "Expecting property name enclosed in double quotes"),
            ("{\"a\":1,}", 7, "Expecting property name enclosed in double quotes"),
            ("[1,]", 3, "Expecting value"),
            ("[{\"", 2, "Unterminated string starting at"),
            ("\"a\nb\"", 2, "Invalid control character at"),
            ("\"a\\x\"", 2, "Invalid \\escape"),
            ("\"\\u12G4\"", 2, "Invalid \\uXXXX escape"),
            ("\"\\u12", 2, "Invalid \\uXXXX escape"),
            ("\"\\", 0, "Unterminated string starting at"),
            ("-", 0, "Expecting value"),
            ("t", 0, "Expecting value"),
            ("{\"a\":1.}", 6, "Expecting ',' delimiter"),
            ("{\"a\":01}", 6, "Expecting ',' delimiter"),
            ("[1e]", 2, "Expecting ',' delimiter"),
            ("[1 2]", 3, "Expecting ',' delimiter"),
            ("{} x", 3, "Extra data"),
            ("[\"ж\", ж]", 6, "Expecting value"),
            ("[\"\u{1f600}я\" 1]", 6, "Expecting ',' delimiter"),
        ] {
            assert_eq!(locate(text), Some((position, why)), "{text}");
        }
        for text in [
            "{}",
            " [ ] ",
            "[{\"a\": [1, -0.5e+3, \"\\u00e9\\n\"]}, null]",
            "1e999",
            "NaN",
        ] {
            assert_eq!(locate(text), None, "{text}");
        }
        assert_eq!(locate(&"[".repeat(1_000_000)), Some((1_000_000, "Expecting value")));
    }
}
