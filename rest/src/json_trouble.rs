//! Position and reason of a JSON syntax error, in the words of Python's parser, which existing clients know.

/// The place, in characters from 0, and the reason; None for a text that Python would take.
pub fn find(text: &str) -> Option<(usize, &'static str)> {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        at: 0,
    };
    let (at, why) = scanner.whole().err()?;
    // Of a character of several bytes all but the first say that they go on.
    let before = text.bytes().take(at).filter(|byte| byte & 0xc0 != 0x80).count();
    Some((before, why))
}

type Scanned = Result<(), (usize, &'static str)>;

/// Goes by bytes: all that has a meaning in JSON is of one.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

/// What is open: how far its next comma is away decides what may come.
#[derive(Clone, Copy)]
enum Open {
    Object,
    Array,
}

impl Scanner<'_> {
    fn whole(&mut self) -> Scanned {
        self.space();
        // A list instead of recursion: how deep a text goes is the client's to say.
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
                _ => self.plain()?,
            }
            // A value has ended.
            loop {
                self.space();
                match (open.last(), self.next()) {
                    (None, None) => return Ok(()),
                    (None, Some(_)) => return self.trouble("Extra data"),
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
                    _ => return self.trouble("Expecting ',' delimiter"),
                }
            }
        }
    }

    /// The name of a member, its colon, and the space to its value.
    fn name(&mut self) -> Scanned {
        if self.next() != Some(b'"') {
            return self.trouble("Expecting property name enclosed in double quotes");
        }
        self.string()?;
        self.space();
        if self.next() != Some(b':') {
            return self.trouble("Expecting ':' delimiter");
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// A value that holds no other.
    fn plain(&mut self) -> Scanned {
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
        let whole = match self.after(sign) {
            Some(b'0') => 1,
            _ => self.digits(sign),
        };
        if whole == 0 {
            return self.trouble("Expecting value");
        }
        let mut length = sign + whole;
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

    /// From its opening quote to behind its closing one.
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
                Some(c) if c < b' ' => return self.trouble("Invalid control character at"),
                Some(b'\\') => match self.after(1) {
                    None => return Err((begin, "Unterminated string starting at")),
                    Some(b'u') => {
                        let digits = (2..6).all(|i| self.after(i).is_some_and(|c| c.is_ascii_hexdigit()));
                        // Python's scanner wants one character more than the four digits.
                        if !digits || self.after(6).is_none() {
                            return Err((self.at + 1, "Invalid \\uXXXX escape"));
                        }
                        self.at += 6;
                    }
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                    Some(_) => return self.trouble("Invalid \\escape"),
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

    fn trouble(&self, why: &'static str) -> Scanned {
        Err((self.at, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_python_says() {
        for (text, place, why) in [
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
            assert_eq!(find(text), Some((place, why)), "{text}");
        }
        for text in [
            "{}",
            " [ ] ",
            "[{\"a\": [1, -0.5e+3, \"\\u00e9\\n\"]}, null]",
            "1e999",
            "NaN",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
        assert_eq!(find(&"[".repeat(1_000_000)), Some((1_000_000, "Expecting value")));
    }
}
