//! Converts response types to questions with their accepted answers.

use serde_json::Number;

use super::image;
use super::readable::without;
use crate::note::olx::Note;
use crate::numbers::{number, range, rounded};
use crate::quiz::Kind;
use crate::xml::Element;

/// A question converted from a response. Its prompt is not included.
#[derive(Debug)]
pub struct ParsedResponse {
    /// A choice has no options yet.
    pub kind: Kind,
    /// Options of a choice.
    pub options: Vec<ParsedOption>,
    /// The picture of a hotspot question as HTML; empty for others.
    pub picture: String,
    /// Feedback for single answers: the answer and the feedback as HTML.
    pub feedback: Vec<(String, String)>,
    pub shuffle: bool,
    pub notes: Vec<Note>,
}

/// An option whose texts are still HTML.
#[derive(Debug, PartialEq)]
pub struct ParsedOption {
    pub content: String,
    pub correct: bool,
    /// Empty without any.
    pub feedback: String,
}

impl ParsedResponse {
    pub fn of(kind: Kind) -> Self {
        ParsedResponse {
            kind,
            options: vec![],
            picture: String::new(),
            feedback: vec![],
            shuffle: false,
            notes: vec![],
        }
    }

    fn add_feedback(&mut self, definitions: &str, html: String) {
        if !html.trim().is_empty() {
            self.feedback.push((label(definitions), html));
        }
    }
}

/// Characters of an answer that label its feedback.
const MAX_LABEL_CHARS: usize = 300;

/// The start of an answer, enough to distinguish it: one answer may have many feedbacks.
fn label(answer: &str) -> String {
    let mut said = String::new();
    for (number, word) in answer.split_whitespace().take(MAX_LABEL_CHARS).enumerate() {
        if number > 0 {
            said.push(' ');
        }
        said.extend(word.chars().take(MAX_LABEL_CHARS));
        if said.len() > 4 * MAX_LABEL_CHARS {
            break;
        }
    }
    said.chars().take(MAX_LABEL_CHARS).collect()
}

/// The questions of a response: several if it has several inputs. Fails for types that cannot be graded.
pub fn read(response: &Element) -> Result<Vec<ParsedResponse>, Note> {
    let mut parsed = match response.name.as_str() {
        "multiplechoiceresponse" => vec![choices(response, false)],
        "truefalseresponse" | "choiceresponse" => vec![choices(response, true)],
        "optionresponse" => menus(response),
        "numericalresponse" => vec![numeric(response)?],
        "stringresponse" => vec![text(response)],
        "imageresponse" => {
            let inputs = descendants_named(response, "imageinput");
            inputs.into_iter().map(image::read).collect::<Result<_, _>>()?
        }
        other => return Err(Note::Response(other.to_owned())),
    };
    if response.attr_text("partial_credit").is_some()
        && let Some(first) = parsed.first_mut()
    {
        first.notes.push(Note::PartialCredit);
    } else if response.is("choiceresponse")
        && let Some(first) = parsed.first_mut()
        && first.notes.iter().all(|note| *note != Note::PartialCredit)
        && let Kind::MultipleChoice { all_or_nothing, .. } = &mut first.kind
    {
        *all_or_nothing = true;
    }
    if parsed.is_empty() {
        Err(Note::Response(response.name.clone()))
    } else {
        Ok(parsed)
    }
}

/// Collects the outermost descendants of this name.
fn collect_descendants<'e>(element: &'e Element, name: &str, found: &mut Vec<&'e Element>) {
    for child in element.elements() {
        if child.is(name) {
            found.push(child);
        } else {
            collect_descendants(child, name, found);
        }
    }
}

fn descendants_named<'e>(element: &'e Element, name: &str) -> Vec<&'e Element> {
    let mut found = Vec::new();
    collect_descendants(element, name, &mut found);
    found
}

fn is_true(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("true")
}

fn choices(response: &Element, several: bool) -> ParsedResponse {
    let mut parsed = ParsedResponse::of(Kind::choice(several, vec![]));
    let groups = ["choicegroup", "checkboxgroup", "radiogroup"];
    parsed.shuffle = groups
        .iter()
        .flat_map(|name| descendants_named(response, name))
        .any(|group| group.attr("shuffle").is_some_and(is_true));
    let mut right = 0;
    for choice in descendants_named(response, "choice") {
        let words = without(choice, &["choicehint"]);
        let correct = choice.attr("correct").unwrap_or_default();
        if correct.trim().eq_ignore_ascii_case("partial") || choice.attr_text("point_value").is_some() {
            parsed.notes.push(Note::PartialCredit);
        }
        right += usize::from(is_true(correct));
        let mut feedback = String::new();
        for hint in choice.elements().filter(|child| child.is("choicehint")) {
            // A checkbox may also have a hint for those who leave it empty.
            match hint.attr("selected").is_none_or(is_true) {
                true => feedback.push_str(&hint.inner_html()),
                false => parsed.add_feedback(&words.text(), hint.inner_html()),
            }
        }
        parsed.options.push(ParsedOption {
            content: words.inner_html(),
            correct: is_true(correct),
            feedback,
        });
    }
    for hint in descendants_named(response, "compoundhint") {
        parsed.add_feedback(hint.attr("value").unwrap_or_default(), hint.inner_html());
    }
    if !several && right > 1 {
        parsed.kind = Kind::choice(true, vec![]);
        parsed.notes.push(Note::SeveralRight);
    }
    parsed
}

fn menus(response: &Element) -> Vec<ParsedResponse> {
    let menus = descendants_named(response, "optioninput");
    let read = menus.into_iter().map(|menu| {
        let mut parsed = ParsedResponse::of(Kind::choice(false, vec![]));
        parsed.shuffle = menu.attr("shuffle").is_some_and(is_true);
        for option in menu.elements().filter(|child| child.is("option")) {
            let words = without(option, &["optionhint"]);
            let correct = option.attr("correct").is_some_and(is_true);
            let hints = option.elements().filter(|child| child.is("optionhint"));
            parsed.options.push(ParsedOption {
                content: words.inner_html(),
                correct,
                feedback: hints.map(Element::inner_html).collect(),
            });
        }
        if parsed.options.is_empty() {
            let right = menu.attr("correct").unwrap_or_default().trim();
            let options = quoted_list(menu.attr("options").unwrap_or_default());
            parsed.options = options
                .into_iter()
                .map(|option| ParsedOption {
                    content: crate::xml::escaped(&option),
                    correct: option == right,
                    feedback: String::new(),
                })
                .collect();
        }
        parsed
    });
    read.collect()
}

/// Parses a Python tuple or list: `('Earth', "Mars")`.
pub fn quoted_list(text: &str) -> Vec<String> {
    let text = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let mut list = Vec::new();
    let (mut item, mut quote, mut was_quoted) = (String::new(), None, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => item.extend(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => item.push(c),
            (None, '\'' | '"') if item.trim().is_empty() => {
                item.clear();
                (quote, was_quoted) = (Some(c), true);
            }
            (None, ',') => {
                list.push(std::mem::take(&mut item));
                was_quoted = false;
            }
            (None, c) if was_quoted && c.is_whitespace() => {}
            (None, c) => item.push(c),
        }
    }
    if was_quoted || !item.trim().is_empty() {
        list.push(item);
    }
    let items = list.into_iter().map(|item| item.trim().to_owned());
    items.filter(|item| !item.is_empty()).collect()
}

fn numeric(response: &Element) -> Result<ParsedResponse, Note> {
    let not_a_number = || Note::Answer(response.name.clone());
    let answer = response.attr_text("answer").ok_or_else(not_a_number)?;
    let mut notes = Vec::new();
    let (mut tolerance, mut tolerance_percent) = (None, None);
    let open = answer.starts_with('(') || answer.ends_with(')');
    let right = if answer.starts_with(['[', '(']) && answer.ends_with([']', ')']) {
        let inner = answer.trim_matches(['[', '(', ']', ')']);
        let (low, high) = inner.split_once([',', ';']).ok_or_else(not_a_number)?;
        let (low, high) = (value(low), value(high));
        let (low, high) = (low.ok_or_else(not_a_number)?, high.ok_or_else(not_a_number)?);
        let (middle, off) = range(as_f64(&low), as_f64(&high)).ok_or_else(not_a_number)?;
        tolerance = Some(off);
        if open {
            notes.push(Note::OpenRange);
        }
        middle
    } else {
        let off = descendants_named(response, "responseparam")
            .into_iter()
            .find(|param| param.attr("type").is_some_and(|kind| kind == "tolerance"))
            .and_then(|param| param.attr_text("default"));
        if let Some(off) = off {
            let (place, number) = match off.strip_suffix('%') {
                Some(percent) => (&mut tolerance_percent, value(percent)),
                None => (&mut tolerance, value(off)),
            };
            *place = number.filter(|number| as_f64(number) >= 0.0);
            if place.is_none() {
                notes.push(Note::Answer(response.name.clone()));
            }
        }
        value(answer).ok_or_else(not_a_number)?
    };
    let mut parsed = ParsedResponse::of(Kind::Numeric {
        value: Some(right),
        tolerance: tolerance.unwrap_or_else(|| Number::from(0)),
        tolerance_percent,
        units: vec![],
    });
    parsed.notes = notes;
    let others = descendants_named(response, "additional_answer").len();
    if others > 0 {
        parsed.notes.push(Note::OtherAnswers(others));
    }
    hints(response, &mut parsed, answer);
    Ok(parsed)
}

fn as_f64(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Parses `5`, `-0,5`, `1e3`, `2*10^3` and `1/3`.
fn value(text: &str) -> Option<Number> {
    let text = text.trim();
    if let Some(number) = number(text) {
        return Some(number);
    }
    let parts = |separator: &str| -> Option<(f64, f64)> {
        let (left, right) = text.split_once(separator)?;
        Some((as_f64(&number(left.trim())?), as_f64(&number(right.trim())?)))
    };
    if let Some((mantissa, exponent)) = parts("*10^").or_else(|| parts("x10^")) {
        return rounded(mantissa * 10_f64.powf(exponent));
    }
    parts("/")
        .filter(|(_, below)| *below != 0.0)
        .and_then(|(above, below)| rounded(above / below))
}

fn text(response: &Element) -> ParsedResponse {
    let mut feedback = Vec::new();
    let kind = response.attr("type").unwrap_or_default();
    let mut answers: Vec<String> = Vec::new();
    let answer = response.attr("answer").unwrap_or_default();
    // Older courses list alternative answers in one attribute.
    answers.extend(answer.split("_or_").map(|answer| answer.trim().to_owned()));
    for other in descendants_named(response, "additional_answer") {
        let said = other
            .attr_text("answer")
            .map_or_else(|| without(other, &["correcthint"]).text(), str::to_owned);
        answers.push(said.trim().to_owned());
        for hint in other.elements().filter(|child| child.is("correcthint")) {
            feedback.push((said.clone(), hint.inner_html()));
        }
    }
    answers.retain(|answer| !answer.is_empty());
    let mut regex = None;
    if kind.split_whitespace().any(|word| word == "regexp") {
        // Open edX matches patterns at the start of the answer.
        let patterns: Vec<&str> = answers
            .iter()
            .map(|pattern| pattern.trim_start_matches('^').trim_end_matches('$'))
            .collect();
        let pattern = match patterns.as_slice() {
            [one] => (*one).to_owned(),
            several => several
                .iter()
                .map(|one| format!("(?:{one})"))
                .collect::<Vec<_>>()
                .join("|"),
        };
        regex = Some(pattern).filter(|pattern| !pattern.is_empty());
        answers.clear();
    }
    let mut parsed = ParsedResponse::of(Kind::ShortText {
        accepted: answers,
        case_sensitive: !kind.split_whitespace().any(|word| word == "ci"),
        regex,
    });
    for (said, html) in feedback {
        parsed.add_feedback(&said, html);
    }
    for hint in descendants_named(response, "stringequalhint")
        .into_iter()
        .chain(descendants_named(response, "regexphint"))
    {
        parsed.add_feedback(hint.attr("answer").unwrap_or_default(), hint.inner_html());
    }
    hints(response, &mut parsed, answer);
    parsed
}

/// Feedback for the correct answer.
fn hints(response: &Element, parsed: &mut ParsedResponse, answer: &str) {
    for hint in response.elements().filter(|child| child.is("correcthint")) {
        parsed.add_feedback(answer, hint.inner_html());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml;

    fn parse(text: &str) -> Vec<ParsedResponse> {
        read(&xml::read(text).expect("XML")).expect("a question")
    }

    #[test]
    fn python_lists_are_parsed() {
        for (text, list) in [
            ("('Earth','Mars')", vec!["Earth", "Mars"]),
            ("(\"it's\", 'a,b')", vec!["it's", "a,b"]),
            ("('it\\'s','б')", vec!["it's", "б"]),
            ("a, b", vec!["a", "b"]),
            ("", vec![]),
        ] {
            assert_eq!(quoted_list(text), list, "{text}");
        }
    }

    #[test]
    fn numeric_answers_have_a_tolerance_or_a_range() {
        let fields = |answer: &str, tolerance: &str| {
            let xml = format!(
                "<numericalresponse answer=\"{answer}\"><responseparam type=\"tolerance\" default=\"{tolerance}\"/>\
                 <formulaequationinput/></numericalresponse>"
            );
            let parsed = parse(&xml).remove(0);
            let Kind::Numeric {
                value,
                tolerance,
                tolerance_percent,
                ..
            } = parsed.kind
            else {
                panic!("{:?}", parsed.kind)
            };
            let text = |number: Option<Number>| number.map(|number| number.to_string()).unwrap_or_default();
            (
                text(value),
                tolerance.to_string(),
                text(tolerance_percent),
                parsed.notes,
            )
        };
        let got = |value: &str, tolerance: &str, percent: &str| {
            (value.to_owned(), tolerance.to_owned(), percent.to_owned(), vec![])
        };
        assert_eq!(fields("3.14", "0.01"), got("3.14", "0.01", ""));
        assert_eq!(fields("100", "5%"), got("100", "0", "5"));
        assert_eq!(fields("[1, 5]", ""), got("3", "2", ""));
        assert_eq!(fields("2*10^3", ""), got("2000", "0", ""));
        assert_eq!(fields("1/4", ""), got("0.25", "0", ""));
        assert_eq!(fields("[1,5)", "").3, [Note::OpenRange]);
        for formula in ["$x", "sqrt(2)", "", "[a,b]"] {
            let xml = format!("<numericalresponse answer=\"{formula}\"/>");
            assert!(
                matches!(read(&xml::read(&xml).expect("XML")), Err(Note::Answer(_))),
                "{formula}"
            );
        }
    }

    #[test]
    fn text_responses_have_alternatives_and_patterns() {
        let parsed = parse(
            "<stringresponse answer=\"Париж\" type=\"ci\"><additional_answer answer=\"Paris\"><correcthint>Oui</correcthint>\
             </additional_answer><textline size=\"20\"/></stringresponse>",
        )
        .remove(0);
        let kind = |accepted: &[&str], regex: Option<&str>| Kind::ShortText {
            accepted: accepted.iter().map(|text| (*text).to_owned()).collect(),
            case_sensitive: false,
            regex: regex.map(str::to_owned),
        };
        assert_eq!(parsed.kind, kind(&["Париж", "Paris"], None));
        assert_eq!(parsed.feedback, [("Paris".to_owned(), "Oui".to_owned())]);
        let pattern = parse(
            "<stringresponse answer=\"^a+$\" type=\"ci regexp\"><additional_answer answer=\"b\"/></stringresponse>",
        );
        assert_eq!(pattern[0].kind, kind(&[], Some("(?:a+)|(?:b)")));
    }
}
