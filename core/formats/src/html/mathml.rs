//! Converts MathML to LaTeX.

use scraper::ElementRef;
use scraper::node::Node;

use super::blocks::Converter;
use super::flow::{Flow, Mark};
use crate::latex::{FUNCTIONS, MAX_LATEX_CHARS, escaped};
use kurso_base::text::one_line;

/// Nesting of elements.
const MAX_DEPTH: usize = 60;

impl Converter<'_> {
    /// Converts a formula; one beyond the limits becomes text.
    pub(super) fn formula(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        let Some(latex) = latex(element) else {
            return self.other_element(element, marks, flow, depth);
        };
        self.resolve_ids();
        let display = element.attr("display").is_some_and(|kind| kind == "block");
        self.math(&latex, display, marks, flow);
    }
}

/// The TeX annotation of a formula if it has one, or else the converted elements.
fn latex(math: ElementRef<'_>) -> Option<String> {
    let annotation = math
        .descendent_elements()
        .find(|element| element.value().name() == "annotation" && element.attr("encoding").is_some_and(is_tex));
    let said = annotation.map(|annotation| annotation.text().collect::<String>());
    let latex = said.unwrap_or_else(|| {
        let mut latex = String::new();
        row(math, &mut latex, 0);
        latex
    });
    let latex = latex.trim();
    (!latex.is_empty() && latex.chars().count() <= MAX_LATEX_CHARS).then(|| latex.to_owned())
}

fn is_tex(encoding: &str) -> bool {
    matches!(
        encoding.to_ascii_lowercase().as_str(),
        "application/x-tex" | "tex" | "latex" | "text/latex"
    )
}

/// All children in order.
fn row(element: ElementRef<'_>, to: &mut String, depth: usize) {
    if depth > MAX_DEPTH || to.len() > 4 * MAX_LATEX_CHARS {
        return;
    }
    element.child_elements().for_each(|child| write(child, to, depth + 1));
}

fn write(element: ElementRef<'_>, to: &mut String, depth: usize) {
    let name = element.value().name();
    let parts: Vec<ElementRef<'_>> = element.child_elements().collect();
    let part = |number: usize| {
        let mut latex = String::new();
        if let Some(child) = parts.get(number).filter(|_| depth <= MAX_DEPTH) {
            write(*child, &mut latex, depth + 1);
        }
        latex
    };
    let all = || {
        let mut latex = String::new();
        row(element, &mut latex, depth);
        latex
    };
    match name {
        "annotation" | "annotation-xml" | "mphantom" => {}
        "mi" | "mn" | "mo" | "ms" => token(&words(element), name, to),
        "mtext" => {
            let words = words(element);
            if !words.is_empty() {
                to.push_str(&format!("\\text{{{}}}", escaped(&words)));
            }
        }
        "mspace" => to.push_str("\\ "),
        "mfrac" => to.push_str(&format!("\\frac{{{}}}{{{}}}", part(0), part(1))),
        "msqrt" => to.push_str(&format!("\\sqrt{{{}}}", all())),
        "mroot" => to.push_str(&format!("\\sqrt[{}]{{{}}}", part(1), part(0))),
        "msup" => to.push_str(&format!("{{{}}}^{{{}}}", part(0), part(1))),
        "msub" => to.push_str(&format!("{{{}}}_{{{}}}", part(0), part(1))),
        "msubsup" | "munderover" => {
            to.push_str(&format!("{}_{{{}}}^{{{}}}", base(&part(0)), part(1), part(2)));
        }
        "munder" | "mover" => {
            // Evaluate each part once, or nested accents would take exponential time.
            let (below, sign) = (part(0), part(1));
            let (mark, set) = if name == "mover" {
                ('^', "overset")
            } else {
                ('_', "underset")
            };
            let accent = match sign.trim() {
                "¯" | "‾" | "―" | "-" | "\\_" => Some("overline"),
                "→" => Some("vec"),
                "\\hat{}" | "ˆ" => Some("hat"),
                "\\sim" | "˜" => Some("tilde"),
                "." | "˙" => Some("dot"),
                _ => None,
            };
            to.push_str(&match accent.filter(|_| name == "mover") {
                _ if is_large(&below) => format!("{below}{mark}{{{sign}}}"),
                Some(accent) => format!("\\{accent}{{{below}}}"),
                None => format!("\\{set}{{{sign}}}{{{below}}}"),
            });
        }
        "mfenced" => {
            let open = element.attr("open").unwrap_or("(");
            let close = element.attr("close").unwrap_or(")");
            let separator = element.attr("separators").unwrap_or(",").trim().chars().next();
            let inner: Vec<String> = (0..parts.len()).map(part).collect();
            let separator = separator.map(String::from).unwrap_or_default();
            to.push_str(&format!("{}{}{}", fence(open), inner.join(&separator), fence(close)));
        }
        "mtable" => {
            let content = |cell: ElementRef<'_>| {
                let mut latex = String::new();
                self::row(cell, &mut latex, depth + 1);
                latex
            };
            let rows: Vec<String> = (0..)
                .zip(&parts)
                .map(|(at, row)| {
                    let mut cells: Vec<String> = match row.value().name() {
                        "mtr" | "mlabeledtr" => row.child_elements().map(content).collect(),
                        "mtd" => vec![content(*row)],
                        // Not a row, but browsers show it as one.
                        _ => vec![part(at)],
                    };
                    // The label is the first child and stands behind the row.
                    if row.value().name() == "mlabeledtr" && !cells.is_empty() {
                        cells.rotate_left(1);
                    }
                    cells.join(" & ")
                })
                .collect();
            to.push_str(&format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ ")));
        }
        _ => row(element, to, depth),
    }
}

/// The text directly in an element.
fn words(element: ElementRef<'_>) -> String {
    let own = element.children().filter_map(|child| match child.value() {
        Node::Text(text) => Some(text.to_string()),
        _ => None,
    });
    one_line(&own.collect::<String>())
}

/// Functions and operators with LaTeX names.
fn token(words: &str, name: &str, to: &mut String) {
    match words {
        "∑" => to.push_str("\\sum"),
        "∏" => to.push_str("\\prod"),
        "∫" => to.push_str("\\int"),
        known if FUNCTIONS.contains(&known) => to.push_str(&format!("\\{known} ")),
        long if name == "mi" && long.chars().count() > 1 => to.push_str(&format!("\\mathrm{{{}}}", escaped(long))),
        short => to.push_str(&escaped(short)),
    }
}

fn is_large(latex: &str) -> bool {
    matches!(latex.trim(), "\\sum" | "\\prod" | "\\int" | "\\lim" | "\\max" | "\\min")
}

fn base(latex: &str) -> String {
    if is_large(latex) {
        latex.to_owned()
    } else {
        format!("{{{latex}}}")
    }
}

fn fence(sign: &str) -> String {
    escaped(sign.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathml_is_converted_to_latex() {
        for (mathml, expected) in [
            ("<mfrac><mn>1</mn><mi>x</mi></mfrac>", "\\frac{1}{x}"),
            (
                "<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mi>y</mi></msqrt>",
                "{x}^{2}+\\sqrt{y}",
            ),
            (
                "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub>",
                "\\sum_{i}^{n}{a}_{i}",
            ),
            ("<mi>sin</mi><mo>&#8289;</mo><mfenced><mi>α</mi></mfenced>", "\\sin (α)"),
            ("<mtext>if {a}</mtext><mo>{</mo>", "\\text{if \\{a\\}}\\{"),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
                "\\begin{matrix}1 & 2 \\\\ 3\\end{matrix}",
            ),
            (
                "<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>x</mi></mtd></mlabeledtr><mtd><mi>y</mi></mtd><mi>z</mi></mtable>",
                "\\begin{matrix}x & \\text{(1)} \\\\ y \\\\ z\\end{matrix}",
            ),
            ("<mover><mi>v</mi><mo>→</mo></mover>", "\\vec{v}"),
            ("<mover><mi>x</mi><mo>^</mo></mover>", "\\hat{x}"),
            ("<mover><mi>x</mi><mo>~</mo></mover>", "\\tilde{x}"),
            ("<mi>x</mi><mo>~</mo><mi>y</mi>", "x\\sim y"),
            (
                "<mi>y</mi><mo>−</mo><mi>sec</mi><mo>&#8290;</mo><mi>x</mi>",
                "y-\\sec x",
            ),
            (
                "<semantics><mrow><mi>x</mi></mrow><annotation encoding=\"application/x-tex\">x_1</annotation></semantics>",
                "x_1",
            ),
        ] {
            let html = scraper::Html::parse_fragment(&format!("<math>{mathml}</math>"));
            let math = html
                .root_element()
                .descendent_elements()
                .find(|element| element.value().name() == "math");
            assert_eq!(latex(math.unwrap()).as_deref(), Some(expected), "{mathml}");
        }
        let deep = format!("<math>{}<mi>x</mi></math>", "<mrow>".repeat(1000));
        let html = scraper::Html::parse_fragment(&deep);
        let math = html
            .root_element()
            .descendent_elements()
            .find(|element| element.value().name() == "math");
        assert_eq!(latex(math.unwrap()), None);
    }
}
