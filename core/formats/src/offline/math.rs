//! Converts formulas to MathML, which browsers render and screen readers read.

use std::thread;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

use super::escaped;

/// Characters of a formula.
const MAX_FORMULA_CHARS: usize = 4_000;
/// Nesting of braces.
const MAX_NESTING: usize = 60;
/// The converter recurses for each nested part, up to once per two characters.
const STACK_BYTES: usize = 128 * 1024 * 1024;

pub struct Formulas {
    converter: Option<LatexToMathML>,
}

impl Formulas {
    pub fn new() -> Self {
        Formulas {
            converter: LatexToMathML::new(MathCoreConfig::default()).ok(),
        }
    }

    /// The formula as MathML, or as code if it cannot be converted.
    pub fn html(&self, latex: &str, display: MathDisplay) -> String {
        match self.convert(latex, display) {
            Some(mathml) => mathml,
            None => format!("<code class=\"formula\">{}</code>", escaped(latex)),
        }
    }

    /// Runs on a thread with a large stack, because the formula determines the recursion depth.
    fn convert(&self, latex: &str, display: MathDisplay) -> Option<String> {
        let converter = self.converter.as_ref()?;
        if latex.len() > MAX_FORMULA_CHARS || depth(latex) > MAX_NESTING {
            return None;
        }
        thread::scope(|scope| {
            let convert = || {
                let converted = converter.convert_with_local_state(latex, display);
                converted.ok().map(|converted| converted.mathml)
            };
            let running = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, convert);
            running.ok()?.join().ok().flatten()
        })
    }
}

fn depth(latex: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for byte in latex.bytes() {
        match byte {
            b'{' => open += 1,
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invalid_formulas_stay_as_written() {
        let formulas = Formulas::new();
        let html = |latex: &str| formulas.html(latex, MathDisplay::Inline);
        assert!(html("\\frac{a}{b}").starts_with("<math"), "{}", html("\\frac{a}{b}"));
        assert!(html("\\text{где } x \\ge 0").contains("где"));
        assert_eq!(html("\\frac{<"), "<code class=\"formula\">\\frac{&lt;</code>");
        for deep in [
            "{".repeat(5000),
            "\\sqrt".repeat(790) + "x",
            "x^".repeat(1990) + "y",
            "\\frac a".repeat(500),
        ] {
            let html = html(&deep);
            assert!(html.starts_with("<math") || html.starts_with("<code"), "{}", html.len());
        }
        let hostile = html("\\text{<script>alert(1)</script>}");
        assert!(!hostile.contains("<script"), "{hostile}");
        let link = html("\\href{javascript:alert(1)}{x}");
        assert!(!link.contains("href="), "{link}");
    }

    proptest! {
        #[test]
        fn formulas_cannot_inject_html(latex in r#"([a-z<>&"'^_{}\\ ]|\\frac|\\text\{|\\left\(|\\right\)|\\begin\{matrix\}|\\end\{matrix\}|я){0,30}"#) {
            let html = Formulas::new().html(&latex, MathDisplay::Block);
            prop_assert!(html.starts_with("<math") || html.starts_with("<code"));
            prop_assert!(!html.contains("<script") && !html.contains("javascript:"));
        }
    }
}
