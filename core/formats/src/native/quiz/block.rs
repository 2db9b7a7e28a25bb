//! Cuts the lines of a question into its text and its answers.

use super::{Fences, Marker, marker, weighted_option};

/// The lines of a question.
pub(super) struct Block<'a> {
    pub line: usize,
    pub head: &'a str,
    /// Each with whether it is inside a code fence.
    pub lines: Vec<(&'a str, bool)>,
}

/// An answer: its marker and its lines without indentation.
pub(super) struct Part {
    pub line: usize,
    pub marker: Marker,
    pub text: String,
}

/// Infers the question type from the answers.
pub(super) fn infer_kind(block: &Block<'_>) -> &'static str {
    let lines = || block.lines.iter().filter(|(_, code)| !code).map(|(line, _)| *line);
    let any = |signs: &[&str]| lines().any(|line| signs.iter().any(|sign| line.starts_with(sign)));
    let weighted = |bracket: char| lines().any(|line| line.starts_with(bracket) && weighted_option(line).is_some());
    if any(&["(x)", "( )", "()", "(X)", "(х)", "(Х)"]) || weighted('(') {
        "single_choice"
    } else if any(&["[x]", "[ ]", "[]", "[X]", "[х]", "[Х]"]) || weighted('[') {
        "multiple_choice"
    } else if any(&["<-"]) {
        "matching"
    } else if lines().any(|line| line.contains("[[")) {
        "fill_blank"
    } else if lines().any(|line| marker("ordering", line).is_some_and(|(marker, _)| marker == Marker::Item)) {
        "ordering"
    } else {
        "short_text"
    }
}

/// Splits the prompt from the answers. Without a rubric, lines that look like its criteria and levels are text, and so are levels above the
/// first criterion: texts were written so before there were rubrics.
pub(super) fn split(kind: &str, block: &Block<'_>, has_rubric: bool) -> (String, Vec<Part>) {
    let is_indented = |line: &str| line.starts_with("    ") || line.starts_with('\t');
    let first = block.lines.iter().find(|(line, _)| !line.trim().is_empty());
    let indented = first.is_some_and(|(line, _)| is_indented(line));
    let mut body: Vec<&str> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut is_after_blank = true;
    for (at, (line, code)) in block.lines.iter().enumerate() {
        let found = if indented || !code { marker(kind, line) } else { None };
        let found = found.filter(|(marker, _)| match marker {
            Marker::Criterion => has_rubric,
            // Elsewhere it is text, as it was before options had feedback.
            Marker::Feedback => parts
                .last()
                .is_some_and(|part| matches!(part.marker, Marker::Option(..))),
            // Within a paragraph of the prompt it is text, as it was before there were hints and units.
            Marker::Hint | Marker::Unit => indented || is_after_blank || !parts.is_empty(),
            Marker::Level(_) => parts.iter().any(|part| part.marker == Marker::Criterion),
            _ => true,
        });
        match (found, parts.last_mut()) {
            (Some((marker, rest)), _) => parts.push(Part {
                line: block.line + at + 1,
                marker,
                text: rest.to_owned(),
            }),
            (None, Some(part)) => {
                part.text.push('\n');
                part.text.push_str(dedent(line));
            }
            (None, None) if indented => body.push(dedent(line)),
            (None, None) => body.push(line),
        }
        is_after_blank = line.trim().is_empty();
    }
    for part in &mut parts {
        part.text.truncate(part.text.trim_end_matches('\n').len());
    }
    (body.join("\n").trim_matches('\n').to_owned(), parts)
}

fn dedent(line: &str) -> &str {
    line.strip_prefix("    ")
        .or_else(|| line.strip_prefix('\t'))
        .unwrap_or_else(|| if line.trim().is_empty() { "" } else { line })
}

/// The prompt before `___`, and the text with blanks after it.
pub(super) fn split_at_rule(body: &str) -> Option<(&str, &str)> {
    let mut fences = Fences::default();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let next = at + line.len();
        if !fences.holds(line.trim_end()) && line.trim_end() == "___" {
            return Some((body.get(..at)?, body.get(next..)?));
        }
        at = next;
    }
    None
}
