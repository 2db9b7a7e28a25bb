//! Helpers for converters that write LaTeX.

/// Characters per formula, as in the content model.
pub const MAX_LATEX_CHARS: usize = 10_000;

/// Function names with LaTeX commands.
pub const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln", "lg",
    "exp", "lim", "max", "min", "sup", "inf", "det", "dim", "gcd", "ker", "arg", "deg",
];

/// Escapes text for LaTeX and drops invisible operators.
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
