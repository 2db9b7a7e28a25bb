//! Converts Office math (OMML) to LaTeX.

use roxmltree::Node;

use super::parts::{attr, child, value};
use crate::latex::{FUNCTIONS, escaped};
use kurso_base::text::one_line;

/// The LaTeX, of any length, and whether the whole formula could be expressed.
pub fn latex(node: Node<'_, '_>) -> (String, bool) {
    let mut complete = true;
    let text = one_line(&content(node, &mut complete));
    (text, complete)
}

fn content(node: Node<'_, '_>, complete: &mut bool) -> String {
    let mut out = String::new();
    for child in node.children().filter(Node::is_element) {
        out.push_str(&element(child, complete));
    }
    out
}

/// The content of a child element in braces.
fn group(node: Node<'_, '_>, name: &str, complete: &mut bool) -> String {
    format!(
        "{{{}}}",
        child(node, name)
            .map(|part| content(part, complete))
            .unwrap_or_default()
    )
}

fn bare(node: Node<'_, '_>, name: &str, complete: &mut bool) -> String {
    child(node, name)
        .map(|part| content(part, complete))
        .unwrap_or_default()
}

/// Reads a property such as `<m:naryPr><m:chr m:val="∑"/></m:naryPr>`.
fn property<'a>(node: Node<'a, '_>, group: &str, name: &str) -> Option<&'a str> {
    value(child(node, group)?, name)
}

fn element(node: Node<'_, '_>, complete: &mut bool) -> String {
    match node.tag_name().name() {
        "r" => run(node),
        "t" => escaped(node.text().unwrap_or_default()),
        "f" => {
            let (num, den) = (group(node, "num", complete), group(node, "den", complete));
            match property(node, "fPr", "type") {
                Some("lin") => format!("{num}/{den}"),
                Some("noBar") => format!("\\binom{num}{den}"),
                _ => format!("\\frac{num}{den}"),
            }
        }
        "sSup" => format!("{}^{}", group(node, "e", complete), group(node, "sup", complete)),
        "sSub" => format!("{}_{}", group(node, "e", complete), group(node, "sub", complete)),
        "sSubSup" => format!(
            "{}_{}^{}",
            group(node, "e", complete),
            group(node, "sub", complete),
            group(node, "sup", complete)
        ),
        "sPre" => format!(
            "{{}}_{}^{}{}",
            group(node, "sub", complete),
            group(node, "sup", complete),
            group(node, "e", complete)
        ),
        "rad" => {
            let degree = bare(node, "deg", complete);
            if degree.trim().is_empty() {
                format!("\\sqrt{}", group(node, "e", complete))
            } else {
                format!("\\sqrt[{degree}]{}", group(node, "e", complete))
            }
        }
        "nary" => {
            let sign = property(node, "naryPr", "chr").unwrap_or("∫");
            let symbol = match sign {
                "∑" => "\\sum",
                "∏" => "\\prod",
                "∐" => "\\coprod",
                "∫" => "\\int",
                "∬" => "\\iint",
                "∭" => "\\iiint",
                "∮" => "\\oint",
                "⋃" => "\\bigcup",
                "⋂" => "\\bigcap",
                "⋁" => "\\bigvee",
                "⋀" => "\\bigwedge",
                "⨁" => "\\bigoplus",
                "⨂" => "\\bigotimes",
                "∯" => "\\oiint",
                "∰" => "\\oiiint",
                _ => "",
            };
            let mut out = match symbol {
                "" => format!("\\mathop{{{}}}", escaped(sign)),
                symbol => symbol.to_owned(),
            };
            for (name, mark) in [("sub", '_'), ("sup", '^')] {
                let limit = bare(node, name, complete);
                if !limit.trim().is_empty() {
                    out.push_str(&format!("{mark}{{{limit}}}"));
                }
            }
            out + &group(node, "e", complete)
        }
        "d" => {
            let symbol = |name: &str, usual: &str| match property(node, "dPr", name) {
                Some("") => ".".to_owned(),
                Some("{") => "\\{".to_owned(),
                Some("}") => "\\}".to_owned(),
                Some("|") => "|".to_owned(),
                Some("‖") => "\\|".to_owned(),
                Some("⌊") => "\\lfloor ".to_owned(),
                Some("⌋") => "\\rfloor ".to_owned(),
                Some("⌈") => "\\lceil ".to_owned(),
                Some("⌉") => "\\rceil ".to_owned(),
                Some("〈" | "⟨") => "\\langle ".to_owned(),
                Some("〉" | "⟩") => "\\rangle ".to_owned(),
                Some(other) if other.len() == 1 => other.to_owned(),
                _ => usual.to_owned(),
            };
            let (open, close) = (symbol("begChr", "("), symbol("endChr", ")"));
            let parts = node.children().filter(|part| part.tag_name().name() == "e");
            let parts: Vec<String> = parts.map(|part| content(part, complete)).collect();
            let between = property(node, "dPr", "sepChr").unwrap_or("|");
            format!("\\left{open}{}\\right{close}", parts.join(between))
        }
        "func" => format!("{}{}", bare(node, "fName", complete), group(node, "e", complete)),
        "limLow" => format!("{}_{}", bare(node, "e", complete), group(node, "lim", complete)),
        "limUpp" => format!("{}^{}", bare(node, "e", complete), group(node, "lim", complete)),
        "m" => format!("\\begin{{matrix}}{}\\end{{matrix}}", rows(node, complete)),
        "eqArr" => {
            let lines = node.children().filter(|part| part.tag_name().name() == "e");
            let lines: Vec<String> = lines.map(|line| content(line, complete)).collect();
            format!("\\begin{{aligned}}{}\\end{{aligned}}", lines.join(" \\\\ "))
        }
        "acc" => {
            let symbol = match property(node, "accPr", "chr").unwrap_or("\u{302}") {
                "\u{302}" => "\\hat",
                "\u{303}" => "\\tilde",
                "\u{304}" | "\u{305}" | "¯" => "\\bar",
                "\u{307}" => "\\dot",
                "\u{308}" => "\\ddot",
                "\u{20d7}" => "\\vec",
                "\u{30c}" => "\\check",
                _ => {
                    *complete = false;
                    ""
                }
            };
            format!("{symbol}{}", group(node, "e", complete))
        }
        "bar" => match property(node, "barPr", "pos") {
            Some("top") => format!("\\overline{}", group(node, "e", complete)),
            _ => format!("\\underline{}", group(node, "e", complete)),
        },
        "groupChr" => match property(node, "groupChrPr", "chr").unwrap_or("⏟") {
            "⏞" => format!("\\overbrace{}", group(node, "e", complete)),
            "⏟" => format!("\\underbrace{}", group(node, "e", complete)),
            _ => group(node, "e", complete),
        },
        "borderBox" => format!("\\boxed{}", group(node, "e", complete)),
        "box" | "phant" | "e" | "oMath" | "oMathPara" | "num" | "den" | "ins" | "smartTag" | "sdt" | "sdtContent" => {
            content(node, complete)
        }
        name if name.ends_with("Pr") => String::new(),
        "del" | "moveFrom" => String::new(),
        _ => {
            *complete = false;
            content(node, complete)
        }
    }
}

fn rows(matrix: Node<'_, '_>, complete: &mut bool) -> String {
    let rows = matrix.children().filter(|part| part.tag_name().name() == "mr");
    let rows: Vec<String> = rows
        .map(|row| {
            let cells = row.children().filter(|part| part.tag_name().name() == "e");
            let cells: Vec<String> = cells.map(|cell| content(cell, complete)).collect();
            cells.join(" & ")
        })
        .collect();
    rows.join(" \\\\ ")
}

/// Letters of a formula; upright words become text.
fn run(node: Node<'_, '_>) -> String {
    let texts = node.children().filter(|part| part.tag_name().name() == "t");
    let text: String = texts.filter_map(|part| part.text()).collect();
    let properties = child(node, "rPr");
    let upright = properties.is_some_and(|properties| {
        child(properties, "nor").is_some() || child(properties, "sty").and_then(|sty| attr(sty, "val")) == Some("p")
    });
    let name = text.trim();
    if FUNCTIONS.contains(&name) {
        return format!("\\{name} ");
    }
    let is_word = name.chars().filter(|c| c.is_alphabetic()).count() > 1;
    if upright && is_word {
        format!("\\text{{{}}}", escaped(&text))
    } else {
        escaped(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn read(inner: &str) -> (String, bool) {
        let text = format!("<m:oMath xmlns:m=\"m\">{inner}</m:oMath>");
        xml::with_document(&text, |document| latex(document.root_element())).expect("XML")
    }

    #[test]
    fn omml_is_converted_to_latex() {
        let r = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
        let e = |text: &str| format!("<m:e>{}</m:e>", r(text));
        for (omml, expected) in [
            (
                format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", r("a"), r("b")),
                "\\frac{a}{b}",
            ),
            (
                format!("<m:sSup>{}<m:sup>{}</m:sup></m:sSup>", e("x"), r("2")),
                "{x}^{2}",
            ),
            (format!("<m:rad><m:deg/>{}</m:rad>", e("x")), "\\sqrt{x}"),
            (
                format!("<m:rad><m:deg>{}</m:deg>{}</m:rad>", r("3"), e("x")),
                "\\sqrt[3]{x}",
            ),
            (
                format!(
                    "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup>{}</m:nary>",
                    r("i=1"),
                    r("n"),
                    e("i")
                ),
                "\\sum_{i=1}^{n}{i}",
            ),
            (format!("<m:d>{}</m:d>", e("x+1")), "\\left(x+1\\right)"),
            (
                format!("<m:func><m:fName>{}</m:fName>{}</m:func>", r("sin"), e("x")),
                "\\sin {x}",
            ),
            (r("50% & α"), "50\\% \\& α"),
        ] {
            let omml = omml.replace('&', "&amp;").replace("&amp;amp;", "&amp;");
            assert_eq!(read(&omml), (expected.to_owned(), true), "{omml}");
        }
        assert_eq!(
            read("<m:strange><m:r><m:t>x</m:t></m:r></m:strange>"),
            ("x".to_owned(), false)
        );
    }
}
