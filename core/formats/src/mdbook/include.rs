//! Resolves `{{#include}}` and similar directives as mdBook does: before Markdown is parsed, also inside code blocks.

use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::note::Note;
use kurso_base::text::one_line;

/// Bytes of a page including its includes.
const MAX_PAGE: usize = 4 * 1024 * 1024;
/// Bytes of a directive's arguments.
const MAX_ARGS: usize = 2048;
/// Nesting of includes.
const MAX_DEPTH: usize = 10;

/// A page with resolved includes.
#[derive(Debug, Default)]
pub struct Expanded {
    pub text: String,
    /// The offset of each line in `text`, and the corresponding line of the page.
    lines: Vec<(usize, usize)>,
    /// Number of resolved includes.
    pub includes: usize,
    /// Notes with file and line.
    pub notes: Vec<(String, usize, Note)>,
    /// Included files.
    pub used: Vec<PathBuf>,
    /// Quiz files of the page, without duplicates.
    pub quizzes: Vec<PathBuf>,
}

impl Expanded {
    /// The line of the page for an offset in `text`.
    pub fn line_of(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|&(start, _)| start <= offset);
        after
            .checked_sub(1)
            .and_then(|at| self.lines.get(at))
            .map_or(1, |&(_, line)| line)
    }

    /// Appends text. Its lines count from `line`, or all count as `line` if included.
    fn push(&mut self, text: &str, line: usize, included: bool) {
        for (index, part) in text.split_inclusive('\n').enumerate() {
            if self.text.is_empty() || self.text.ends_with('\n') {
                self.lines
                    .push((self.text.len(), if included { line } else { line + index }));
            }
            self.text.push_str(part);
        }
    }
}

/// Bytes that includes of a book may read; otherwise small includes of large files could take minutes.
#[derive(Debug)]
pub struct Budget(u64);

impl Budget {
    pub fn new() -> Self {
        Self(512 * 1024 * 1024)
    }

    fn spend(&mut self, bytes: usize) -> bool {
        // Opening a file costs time, too.
        let left = self.0.checked_sub(bytes as u64 + 4096);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// Resolves the includes of the page at `path` with the content `text`.
pub fn expand(folder: &Folder, path: &Path, text: &str, budget: &mut Budget) -> Expanded {
    let mut expander = Expander {
        folder,
        out: Expanded::default(),
        open: Vec::new(),
        budget,
    };
    expander.file(path, text, None);
    expander.out
}

struct Expander<'a> {
    folder: &'a Folder,
    out: Expanded,
    /// The open includes, to detect loops.
    open: Vec<(PathBuf, Option<Part>)>,
    budget: &'a mut Budget,
}

impl Expander<'_> {
    /// `line` is the line of the directive if the text is included.
    fn file(&mut self, path: &Path, text: &str, line: Option<usize>) {
        let dir = path.parent().unwrap_or(path);
        let name = self.folder.name_of(path);
        let mut here = 1;
        for token in tokens(text) {
            let (raw, directive) = match token {
                Token::Text(text) => (text, None),
                Token::Directive(raw, directive) => (raw, Some(directive)),
            };
            let at = line.unwrap_or(here);
            let result = match directive {
                Some(directive) => self.directive(dir, &directive, at),
                None => Err(None),
            };
            if let Err(note) = result {
                // An escaped directive is shown without its backslash.
                let shown = raw
                    .strip_prefix('\\')
                    .filter(|_| raw.starts_with("\\{{#"))
                    .unwrap_or(raw);
                self.out.push(shown, at, line.is_some());
                if let Some(note) = note {
                    self.out.notes.push((name.clone(), here, note));
                }
            }
            here += raw.matches('\n').count();
        }
    }

    /// Inserts what a directive stands for, or returns why that fails.
    fn directive(&mut self, dir: &Path, directive: &Directive<'_>, line: usize) -> Result<(), Option<Note>> {
        let shown = || one_line(directive.raw);
        let (target, part) = match directive.name {
            "include" | "rustdoc_include" => parse_target(directive.args),
            "playground" | "playpen" => (directive.args.split_whitespace().next().unwrap_or_default(), None),
            // The title of the browser window; pages have their own titles.
            "title" => return Ok(()),
            // mdbook-quiz: becomes a separate page after this one.
            "quiz" => {
                let target = directive.args.split_whitespace().next().unwrap_or_default();
                let found = self.folder.find(&dir.join(target));
                let path = found.map_err(|trouble| {
                    Some(Note::Include {
                        directive: shown(),
                        trouble,
                    })
                })?;
                if !self.out.quizzes.contains(&path) {
                    self.out.quizzes.push(path);
                }
                return Ok(());
            }
            _ => return Err(Some(Note::UnknownDirective(shown()))),
        };
        let trouble = |trouble| {
            Some(Note::Include {
                directive: shown(),
                trouble,
            })
        };
        let path = self.folder.find(&dir.join(target)).map_err(trouble)?;
        let key = (path.clone(), part.clone());
        if self.open.contains(&key) {
            return Err(Some(Note::IncludeLoop(shown())));
        }
        if !self.budget.spend(0) {
            return Err(Some(Note::IncludeTooMuch(shown())));
        }
        let text = self.folder.read_text(&path).map_err(trouble)?;
        self.budget.spend(text.len());
        let text = match &part {
            None => without_anchor_lines(text.lines()),
            Some(part) => take(&text, part).ok_or_else(|| Some(Note::IncludeEmpty(shown())))?,
        };
        if self.open.len() >= MAX_DEPTH || self.out.text.len() + text.len() > MAX_PAGE {
            return Err(Some(Note::IncludeTooMuch(shown())));
        }
        self.out.includes += 1;
        self.out.used.push(path.clone());
        let text = match directive.name {
            "playground" | "playpen" => code_block_of(&text, directive.args),
            _ => text,
        };
        self.open.push(key);
        self.file(&path, &text, Some(line));
        self.open.pop();
        Ok(())
    }
}

/// `{{#playground}}` includes its own code block.
fn code_block_of(code: &str, args: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let flags: String = args.split_whitespace().skip(1).map(|flag| format!(",{flag}")).collect();
    format!("{fence}rust{flags}\n{code}\n{fence}\n")
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    Text(&'a str),
    Directive(&'a str, Directive<'a>),
}

#[derive(Debug, PartialEq, Eq)]
struct Directive<'a> {
    raw: &'a str,
    name: &'a str,
    args: &'a str,
}

/// Splits text at its directives. Escaped ones are text.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("{{")).map(|at| from + at) {
        from = at + 2;
        let Some(directive) = text.get(at..).and_then(read_directive) else {
            continue;
        };
        let escaped = text.get(..at).is_some_and(|before| before.ends_with('\\')) && at > start;
        let begin = if escaped { at - 1 } else { at };
        if start < begin {
            tokens.push(Token::Text(text.get(start..begin).unwrap_or_default()));
        }
        start = at + directive.raw.len();
        from = start;
        tokens.push(if escaped {
            Token::Text(text.get(begin..start).unwrap_or_default())
        } else {
            Token::Directive(directive.raw, directive)
        });
    }
    if start < text.len() {
        tokens.push(Token::Text(text.get(start..).unwrap_or_default()));
    }
    tokens
}

/// Parses `{{ #name args }}` at the start of the text.
fn read_directive(text: &str) -> Option<Directive<'_>> {
    let inside = text.strip_prefix("{{")?.trim_start().strip_prefix('#')?;
    let name_end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = inside.split_at_checked(name_end)?;
    // Limit the search, or unclosed directives would take quadratic time.
    let args_end = rest.get(..rest.floor_char_boundary(MAX_ARGS))?.find('}')?;
    let (args, closing) = rest.split_at_checked(args_end)?;
    let good = !name.is_empty()
        && args.starts_with(char::is_whitespace)
        && !args.trim().is_empty()
        && closing.starts_with("}}");
    let length = text.len() - closing.len() + 2;
    good.then_some(Directive {
        raw: text.get(..length)?,
        name,
        args: args.trim(),
    })
}

/// A selection of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// From the first index, inclusive, to the second, exclusive.
    Lines(usize, Option<usize>),
    Anchor(String),
}

/// Parses `path`, `path:anchor`, `path:2`, `path:2:`, `path::5` and `path:2:5`.
fn parse_target(args: &str) -> (&str, Option<Part>) {
    let Some((path, part)) = args.split_once(':') else {
        return (args, None);
    };
    let mut parts = part.splitn(3, ':').map(str::trim);
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let start = first.parse::<usize>().ok();
    if start.is_none() && !first.is_empty() {
        return (path.trim(), Some(Part::Anchor(first.to_owned())));
    }
    let end = second.map(|end| end.parse::<usize>().ok());
    let from = start.map_or(0, |line| line.saturating_sub(1));
    let part = match (start, end) {
        (_, Some(Some(end))) => Some(Part::Lines(from, Some(end))),
        (Some(_), Some(None)) => Some(Part::Lines(from, None)),
        (Some(_), None) => Some(Part::Lines(from, Some(from + 1))),
        (None, _) => None,
    };
    (path.trim(), part)
}

fn take(text: &str, part: &Part) -> Option<String> {
    match part {
        Part::Lines(from, to) => {
            let count = to.map_or(usize::MAX, |to| to.saturating_sub(*from));
            let mut lines = text.lines().skip(*from).take(count).peekable();
            lines.peek()?;
            Some(without_anchor_lines(lines))
        }
        Part::Anchor(name) => {
            let starts = |line: &&str| anchor(line, "ANCHOR:") == Some(name);
            text.lines().find(starts)?;
            // Like mdBook: every section of this name; an unclosed one extends to the end of the file.
            let mut inside = false;
            Some(without_anchor_lines(text.lines().filter(|line| {
                if anchor(line, "ANCHOR_END:") == Some(name) {
                    inside = false;
                } else if starts(line) {
                    inside = true;
                }
                inside
            })))
        }
    }
}

fn without_anchor_lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let kept = lines.filter(|line| anchor(line, "ANCHOR:").is_none() && anchor(line, "ANCHOR_END:").is_none());
    kept.collect::<Vec<_>>().join("\n")
}

/// The anchor name on a line with this keyword.
fn anchor<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(keyword)?;
    let name = rest.trim_start();
    let end = name
        .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .unwrap_or(name.len());
    name.get(..end).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_target_forms_are_parsed() {
        let lines = |from, to| Some(Part::Lines(from, to));
        for (args, path, part) in [
            ("a.rs", "a.rs", None),
            ("a.rs:here", "a.rs", Some(Part::Anchor("here".into()))),
            ("a.rs:2", "a.rs", lines(1, Some(2))),
            ("a.rs:2:", "a.rs", lines(1, None)),
            ("a.rs::5", "a.rs", lines(0, Some(5))),
            ("a.rs:2:5", "a.rs", lines(1, Some(5))),
            ("a.rs:0:1", "a.rs", lines(0, Some(1))),
            ("a.rs::", "a.rs", None),
            ("a.rs:", "a.rs", None),
            ("a.rs:5:2", "a.rs", lines(4, Some(2))),
        ] {
            assert_eq!(parse_target(args), (path, part), "{args}");
        }
    }

    #[test]
    fn anchors_may_nest_and_stay_open() {
        let text =
            "// ANCHOR: all\n// ANCHOR: here\na\n// ANCHOR: inner\nb\n// ANCHOR_END: inner\nc\n// ANCHOR_END: here\nd";
        let take = |name: &str| take(text, &Part::Anchor(name.into()));
        assert_eq!(take("here").as_deref(), Some("a\nb\nc"));
        assert_eq!(take("inner").as_deref(), Some("b"));
        assert_eq!(take("all").as_deref(), Some("a\nb\nc\nd"));
        assert_eq!(take("none"), None);
        assert_eq!(take("her"), None);
    }

    #[test]
    fn all_sections_of_an_anchor_are_taken() {
        let text =
            "use a;\n// ANCHOR: here\n1\n// ANCHOR_END: here\nleft out\n// ANCHOR: here\n2\n// ANCHOR_END: here\n3";
        assert_eq!(take(text, &Part::Anchor("here".into())).as_deref(), Some("1\n2"));
    }

    #[test]
    fn line_ranges_count_anchor_lines_but_omit_them() {
        let text = "1\n// ANCHOR: a\n3\n4";
        assert_eq!(take(text, &Part::Lines(0, Some(3))).as_deref(), Some("1\n3"));
        assert_eq!(take(text, &Part::Lines(3, None)).as_deref(), Some("4"));
        assert_eq!(take(text, &Part::Lines(4, None)), None);
        assert_eq!(take(text, &Part::Lines(4, Some(2))), None);
    }

    #[test]
    fn only_valid_directives_are_recognized() {
        let count = |text: &str| {
            tokens(text)
                .iter()
                .filter(|token| matches!(token, Token::Directive(..)))
                .count()
        };
        assert_eq!(count("{{#include a.rs}} {{ #include b.rs }}"), 2);
        for text in [
            "{{include a}}",
            "{{#include}}",
            "{{#include }}",
            "{{# include a}}",
            "{{#include a}",
            "{#include a}",
            "\\{{#include a}}",
        ] {
            assert_eq!(count(text), 0, "{text}");
        }
        let whole: String = tokens("a \\{{#include b}} {{#include c}} d")
            .iter()
            .map(|token| match token {
                Token::Text(text) | Token::Directive(text, _) => *text,
            })
            .collect();
        assert_eq!(whole, "a \\{{#include b}} {{#include c}} d");
    }
}
