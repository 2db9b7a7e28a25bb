//! Questions in the text of a page (docs/markdown-format.md).

mod answers;
mod block;
mod formula;
mod read;
mod rubric;
mod unit;
mod write;
mod zones;

use crate::numbers::number;
use crate::quiz::Points;

pub use read::{Parsed, TAG, read};
pub use write::{write, write_bank};

/// The marker at the start of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Marker {
    /// `(x)`, `( )`, `[x]`, `[ ]`; with the text of a weight `[x 50%]`, `[ -50%]`
    Option(bool, Option<String>),
    /// `->` below an option
    Feedback,
    /// `=`
    Answer,
    /// `:`
    Parameter,
    /// `@`
    Unit,
    /// `^`
    Picture,
    /// `%`
    Zone,
    /// `/…/`
    Pattern,
    /// `<-`
    Left,
    /// `->` below a left side
    Right,
    /// `1)`
    Item,
    /// `[[1]]`; true if it declares an empty list of options
    Blank(String, bool),
    /// `~`
    Guide,
    /// `==`
    Criterion,
    /// `(5)`
    Level(Points),
    /// `?`
    Hint,
    /// `!`
    Explanation,
}

/// The marker of a line and the text after it. Which markers exist depends on the question type.
fn marker<'a>(kind: &str, line: &'a str) -> Option<(Marker, &'a str)> {
    let after = |sign: &str| text_after_sign(line.strip_prefix(sign)?);
    if let Some(rest) = after("!") {
        return Some((Marker::Explanation, rest));
    }
    if let Some(rest) = after("?") {
        return Some((Marker::Hint, rest));
    }
    let option = || {
        let ticks = [
            ("(x)", true),
            ("(X)", true),
            ("(х)", true),
            ("(Х)", true),
            ("( )", false),
            ("()", false),
        ];
        let boxes = [
            ("[x]", true),
            ("[X]", true),
            ("[х]", true),
            ("[Х]", true),
            ("[ ]", false),
            ("[]", false),
        ];
        ticks
            .iter()
            .chain(&boxes)
            .find_map(|(sign, right)| Some((Marker::Option(*right, None), after(sign)?)))
    };
    match kind {
        "single_choice" | "multiple_choice" => option()
            .or_else(|| weighted_option(line))
            .or_else(|| Some((Marker::Feedback, after("->")?))),
        "short_text" => match line.strip_prefix('/') {
            Some(rest) => Some((Marker::Pattern, rest.trim_end().strip_suffix('/')?)),
            None => Some((Marker::Answer, after("=")?)),
        },
        "draw" => Some((Marker::Answer, after("=")?)),
        "numeric" | "formula" => {
            let parameter = after(":").filter(|_| kind == "formula");
            let unit = || Some((Marker::Unit, after("@")?));
            let answer = || Some((Marker::Answer, after("=")?));
            parameter
                .map(|rest| (Marker::Parameter, rest))
                .or_else(unit)
                .or_else(answer)
        }
        "essay" | "file_upload" | "hand_in" => {
            let level = || {
                let (points, _) = line.strip_prefix('(')?.split_once(')')?;
                let level = Marker::Level(Points::new(&number(points)?)?);
                Some((level, after(&format!("({points})"))?))
            };
            let criterion = || Some((Marker::Criterion, after("==")?));
            let guide = || Some((Marker::Guide, after("~")?));
            guide().or_else(criterion).or_else(level)
        }
        "matching" => after("<-")
            .map(|rest| (Marker::Left, rest))
            .or_else(|| Some((Marker::Right, after("->")?))),
        "hotspot" => after("^")
            .map(|rest| (Marker::Picture, rest))
            .or_else(|| Some((Marker::Zone, after("%")?))),
        "ordering" => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let (number, _) = line.split_at_checked(digits).filter(|(number, _)| !number.is_empty())?;
            Some((Marker::Item, after(&format!("{number})"))?))
        }
        "fill_blank" => {
            let blank = || {
                let (name, rest) = line.strip_prefix("[[")?.split_once("]]")?;
                let known = name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty();
                match rest.trim() {
                    "" if known => Some((Marker::Blank(name.to_owned(), false), "")),
                    "options" if known => Some((Marker::Blank(name.to_owned(), true), "")),
                    _ => None,
                }
            };
            let answer = || Some((Marker::Answer, after("=")?));
            blank().or_else(option).or_else(answer)
        }
        _ => None,
    }
}

/// The marker of an option with a weight, and the text after it.
fn weighted_option(line: &str) -> Option<(Marker, &str)> {
    let (inside, rest) = match line.strip_prefix('(') {
        Some(line) => line.split_once(')')?,
        None => line.strip_prefix('[')?.split_once(']')?,
    };
    // Without a tick or a space, brackets around a percentage are text.
    let (correct, weight) = match inside.strip_prefix(['x', 'X', 'х', 'Х']) {
        Some(weight) => (true, weight),
        None => (false, inside.strip_prefix(' ')?),
    };
    let weight = weight.trim().strip_suffix('%')?;
    number(weight)?;
    Some((Marker::Option(correct, Some(weight.to_owned())), text_after_sign(rest)?))
}

/// The text of a line after its sign, from which white space separates it. None if the sign goes on.
fn text_after_sign(rest: &str) -> Option<&str> {
    match rest.strip_prefix([' ', '\t']) {
        Some(text) => Some(text),
        None => rest.is_empty().then_some(rest),
    }
}

/// Tracks code fences: markers inside them are text.
#[derive(Default)]
pub(super) struct Fences {
    open: Option<(char, usize)>,
}

impl Fences {
    /// Whether the line is part of a fenced block without indentation.
    pub fn holds(&mut self, line: &str) -> bool {
        let sign = match line.chars().next() {
            Some(sign @ ('`' | '~')) => sign,
            _ => return self.open.is_some(),
        };
        let len = line.chars().take_while(|c| *c == sign).count();
        let rest = line.trim_start_matches(sign);
        match self.open {
            None if len >= 3 && !(sign == '`' && rest.contains('`')) => {
                self.open = Some((sign, len));
                true
            }
            None => false,
            Some((open, length)) => {
                if open == sign && len >= length && rest.trim().is_empty() {
                    self.open = None;
                }
                true
            }
        }
    }
}

/// The byte offset of the first question in the text of a page.
pub fn start(text: &str) -> usize {
    let mut fences = Fences::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if !fences.holds(line.trim_end()) && is_question(line) {
            return at;
        }
        at += line.len();
    }
    at
}

fn is_question(line: &str) -> bool {
    line.strip_prefix("???")
        .is_some_and(|rest| rest.trim_end().is_empty() || rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests;
