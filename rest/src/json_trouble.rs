//! Where a text stops being JSON, and why, in the words that clients of the family know, which are Python's (rest-facts 9).

/// The place, in characters from 0, and the reason; None for a text that Python would take.
pub fn find(text: &str) -> Option<(usize, &'static str)> {
    let mut scanner = Scanner {
        text: text.chars().collect(),
        at: 0,
    };
    scanner.whole().err()
}

type Scanned = Result<(), (usize, &'static str)>;

struct Scanner {
    text: Vec<char>,
    at: usize,
}

/// What is open: how far its next comma is away decides what may come.
#[derive(Clone, Copy)]
enum Open {
    Object,
    Array,
}

impl Scanner {
    fn whole(&mut self) -> Scanned {
        self.space();
        // A list instead of recursion: how deep a text goes is the client's to say.
        let mut open: Vec<Open> = Vec::new();
        'value: loop {
            match self.next() {
                Some('{') => {
                    self.at += 1;
                    self.space();
                    if self.next() != Some('}') {
                        self.name()?;
                        open.push(Open::Object);
                        continue 'value;
                    }
                    self.at += 1;
                }
                Some('[') => {
                    self.at += 1;
                    self.space();
                    if self.next() != Some(']') {
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
                    (Some(Open::Object), Some('}')) | (Some(Open::Array), Some(']')) => {
                        self.at += 1;
                        open.pop();
                    }
                    (Some(inside), Some(',')) => {
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
        if self.next() != Some('"') {
            return self.trouble("Expecting property name enclosed in double quotes");
        }
        self.string()?;
        self.space();
        if self.next() != Some(':') {
            return self.trouble("Expecting ':' delimiter");
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// A value that holds no other.
    fn plain(&mut self) -> Scanned {
        if self.next() == Some('"') {
            return self.string();
        }
        for word in ["null", "true", "false", "NaN", "Infinity", "-Infinity"] {
            if word.chars().enumerate().all(|(i, c)| self.after(i) == Some(c)) {
                self.at += word.len();
                return Ok(());
            }
        }
        let sign = usize::from(self.next() == Some('-'));
        let whole = match self.after(sign) {
            Some('0') => 1,
            _ => self.digits(sign),
        };
        if whole == 0 {
            return self.trouble("Expecting value");
        }
        let mut length = sign + whole;
        if self.after(length) == Some('.') {
            let digits = self.digits(length + 1);
            length += if digits > 0 { 1 + digits } else { 0 };
        }
        if matches!(self.after(length), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.after(length + 1), Some('+' | '-')));
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
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(c) if c < ' ' => return self.trouble("Invalid control character at"),
                Some('\\') => match self.after(1) {
                    None => return Err((begin, "Unterminated string starting at")),
                    Some('u') => {
                        let digits = (2..6).all(|i| self.after(i).is_some_and(|c| c.is_ascii_hexdigit()));
                        // Python's scanner wants one character more than the four digits.
                        if !digits || self.after(6).is_none() {
                            return Err((self.at + 1, "Invalid \\uXXXX escape"));
                        }
                        self.at += 6;
                    }
                    Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => self.at += 2,
                    Some(_) => return self.trouble("Invalid \\escape"),
                },
                Some(_) => self.at += 1,
            }
        }
    }

    fn next(&self) -> Option<char> {
        self.after(0)
    }

    fn after(&self, count: usize) -> Option<char> {
        self.text.get(self.at + count).copied()
    }

    fn digits(&self, after: usize) -> usize {
        (after..)
            .take_while(|&i| self.after(i).is_some_and(|c| c.is_ascii_digit()))
            .count()
    }

    fn space(&mut self) {
        while matches!(self.next(), Some(' ' | '\t' | '\n' | '\r')) {
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
