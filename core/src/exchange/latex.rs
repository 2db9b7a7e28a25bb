//! What the readers of formulas share: they write LaTeX as pages keep it.

/// Characters of one formula, as the schema of pages has it.
pub const LONGEST: usize = 10_000;

/// Names that LaTeX sets upright.
pub const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln", "lg",
    "exp", "lim", "max", "min", "sup", "inf", "det", "dim", "gcd", "ker", "arg", "deg",
];

/// Text that is to be seen as it is, without the signs nobody sees: what is applied, multiplied, left apart.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\backslash "),
            '^' => out.push_str("\\hat{}"),
            '~' => out.push_str("\\sim "),
            '\u{2061}'..='\u{2064}' | '\u{200b}' => {}
            '−' => out.push('-'),
            c => out.push(c),
        }
    }
    out
}
