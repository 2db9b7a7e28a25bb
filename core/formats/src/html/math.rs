//! Finds math between MathJax delimiters.

#[derive(PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    Text(&'a str),
    Inline(&'a str),
    Display(&'a str),
}

const MARKS: [(&str, &str, bool); 3] = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true)];

/// Splits text at its formulas. An unclosed delimiter is text.
pub fn split(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut marks = MARKS.to_vec();
    // Text from `start` is not yet in a piece; the next delimiter opens at `from` or later.
    let (mut start, mut from) = (0, 0);
    while let Some(at) = text
        .get(from..)
        .and_then(|rest| rest.find(['\\', '$']))
        .map(|at| from + at)
    {
        from = at + 1;
        let here = text.get(at..).unwrap_or_default();
        let Some((open, close, display)) = marks.iter().copied().find(|mark| here.starts_with(mark.0)) else {
            continue;
        };
        let Some((latex, _)) = here.get(open.len()..).and_then(|inside| inside.split_once(close)) else {
            // It has no closing delimiter; searching again would take quadratic time.
            marks.retain(|mark| mark.0 != open);
            continue;
        };
        if start < at {
            pieces.push(Piece::Text(text.get(start..at).unwrap_or_default()));
        }
        start = at + open.len() + latex.len() + close.len();
        from = start;
        let latex = latex.trim();
        if !latex.is_empty() {
            pieces.push(if display {
                Piece::Display(latex)
            } else {
                Piece::Inline(latex)
            });
        }
    }
    if start < text.len() {
        pieces.push(Piece::Text(text.get(start..).unwrap_or_default()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_split_from_text() {
        assert_eq!(
            split("Площадь \\(\\pi r^2\\), а $$ x $$ и \\[ y\nz \\]."),
            [
                Piece::Text("Площадь "),
                Piece::Inline("\\pi r^2"),
                Piece::Text(", а "),
                Piece::Display("x"),
                Piece::Text(" и "),
                Piece::Display("y\nz"),
                Piece::Text("."),
            ]
        );
        assert_eq!(split("цена \\( и $$ без пары"), [Piece::Text("цена \\( и $$ без пары")]);
        assert_eq!(split(""), []);
        assert_eq!(split(&"\\(".repeat(100_000)).len(), 1);
    }
}
