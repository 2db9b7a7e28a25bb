//! Types of responses as questions: what each asks and which answers it takes.

use serde_json::{Map, Number, Value, json};

use crate::exchange::native::number;
use crate::exchange::xml::{self, Element, Node};

use super::super::note::Note;

/// What a response became: the fields of a question but for its prompt, whose text is HTML still.
#[derive(Debug, Default)]
pub struct Asked {
    pub fields: Map<String, Value>,
    /// Options, whose content is HTML still, each with whether it is right.
    pub options: Vec<(String, bool)>,
    /// What is said of single answers: which one, and what, as HTML.
    pub feedback: Vec<(String, String)>,
    pub shuffle: bool,
    pub notes: Vec<Note>,
}

impl Asked {
    fn of(kind: &str) -> Self {
        let mut asked = Self::default();
        asked.set("type", kind);
        asked
    }

    fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    fn say(&mut self, of: &str, html: String) {
        if !html.trim().is_empty() {
            self.feedback.push((beginning(of), html));
        }
    }
}

/// Characters of an answer in front of what is said of it.
const MAX_NAMED: usize = 300;

/// The words of an answer, and no more of them than tell it from others: many things may be said of one.
fn beginning(answer: &str) -> String {
    let mut said = String::new();
    for (number, word) in answer.split_whitespace().take(MAX_NAMED).enumerate() {
        if number > 0 {
            said.push(' ');
        }
        said.extend(word.chars().take(MAX_NAMED));
        if said.len() > 4 * MAX_NAMED {
            break;
        }
    }
    said.chars().take(MAX_NAMED).collect()
}

/// Elements by which an answer is given, and what is said of answers: everything else in a response is to be read.
pub fn is_machinery(name: &str) -> bool {
    name.ends_with("input")
        || name.ends_with("group")
        || matches!(
            name,
            "textline"
                | "textbox"
                | "choice"
                | "option"
                | "additional_answer"
                | "responseparam"
                | "correcthint"
                | "stringequalhint"
                | "regexphint"
                | "numericalhint"
                | "compoundhint"
                | "choicehint"
                | "optionhint"
                | "answer"
                | "grader_payload"
                | "codeparam"
                | "initial_display"
                | "answer_display"
                | "editamolecule"
                | "drag_and_drop"
                | "annotationinput"
        )
}

/// What is to be seen of a part that is not graded here: pictures, what there was to choose from, a program to begin with.
/// Which of it is right is not told.
pub fn readable(part: &Element) -> String {
    let mut html = String::new();
    see(part, &mut html);
    html
}

fn see(part: &Element, html: &mut String) {
    let said = |name: &str| part.said(name).map(xml::escaped).unwrap_or_default();
    match part.name.as_str() {
        "imageinput" | "drag_and_drop_input" => {
            let src = part.said("src").or_else(|| part.said("img")).map(xml::escaped);
            if let Some(src) = src {
                html.push_str(&format!("<p><img src=\"{src}\" alt=\"{}\"></p>", said("alt")));
            }
        }
        "draggable" => html.push_str(&format!("<ul><li>{}</li></ul>", said("label"))),
        "initial_display" => html.push_str(&format!("<pre>{}</pre>", xml::escaped(&part.text()))),
        "choice" | "option" => {
            let words = without(part, &["choicehint", "optionhint"]);
            html.push_str(&format!("<ul><li>{}</li></ul>", with_gaps(&words)));
        }
        "optioninput" if part.child("option").is_none() => {
            for option in quoted_list(part.attr("options").unwrap_or_default()) {
                html.push_str(&format!("<ul><li>{}</li></ul>", xml::escaped(&option)));
            }
        }
        "answer" | "answer_display" | "grader_payload" => return,
        _ => {}
    }
    if !matches!(part.name.as_str(), "choice" | "option") {
        part.elements().for_each(|child| see(child, html));
    }
}

/// The words of a choice in which something is to be filled in.
fn with_gaps(choice: &Element) -> String {
    let mut html = String::new();
    for child in &choice.children {
        match child {
            Node::Element(element) if element.name.ends_with("_input") || element.is("textline") => {
                html.push_str("_____")
            }
            child => child.write_html(&mut html),
        }
    }
    html
}

/// The questions of a response; several where it holds several places to answer. None of a type that is not graded here.
pub fn read(response: &Element) -> Result<Vec<Asked>, Note> {
    let mut asked = match response.name.as_str() {
        "multiplechoiceresponse" => vec![choices(response, "single_choice")],
        "truefalseresponse" | "choiceresponse" => vec![choices(response, "multiple_choice")],
        "optionresponse" => menus(response),
        "numericalresponse" => vec![numeric(response)?],
        "stringresponse" => vec![text(response)],
        other => return Err(Note::Response(other.to_owned())),
    };
    if response.said("partial_credit").is_some()
        && let Some(first) = asked.first_mut()
    {
        first.notes.push(Note::PartialCredit);
    }
    match asked.is_empty() {
        true => Err(Note::Response(response.name.clone())),
        false => Ok(asked),
    }
}

/// Elements of this name, however deep they are.
fn all<'e>(element: &'e Element, name: &str, found: &mut Vec<&'e Element>) {
    for child in element.elements() {
        if child.is(name) {
            found.push(child);
        } else {
            all(child, name, found);
        }
    }
}

fn every<'e>(element: &'e Element, name: &str) -> Vec<&'e Element> {
    let mut found = Vec::new();
    all(element, name, &mut found);
    found
}

/// The element without its children of these names.
fn without(element: &Element, names: &[&str]) -> Element {
    let mut rest = element.clone();
    rest.children
        .retain(|child| !matches!(child, Node::Element(element) if names.contains(&element.name.as_str())));
    rest
}

fn is_yes(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("true")
}

fn choices(response: &Element, kind: &str) -> Asked {
    let mut asked = Asked::of(kind);
    let groups = ["choicegroup", "checkboxgroup", "radiogroup"];
    asked.shuffle = groups
        .iter()
        .flat_map(|name| every(response, name))
        .any(|group| group.attr("shuffle").is_some_and(is_yes));
    let mut right = 0;
    for choice in every(response, "choice") {
        let words = without(choice, &["choicehint"]);
        let correct = choice.attr("correct").unwrap_or_default();
        if correct.trim().eq_ignore_ascii_case("partial") || choice.said("point_value").is_some() {
            asked.notes.push(Note::PartialCredit);
        }
        right += usize::from(is_yes(correct));
        asked.options.push((words.inner_html(), is_yes(correct)));
        let named = beginning(&words.text());
        for hint in choice.elements().filter(|child| child.is("choicehint")) {
            asked.say(&named, hint.inner_html());
        }
    }
    for hint in every(response, "compoundhint") {
        asked.say(hint.attr("value").unwrap_or_default(), hint.inner_html());
    }
    if kind == "single_choice" && right > 1 {
        asked.set("type", "multiple_choice");
        asked.notes.push(Note::SeveralRight);
    }
    asked
}

fn menus(response: &Element) -> Vec<Asked> {
    let menus = every(response, "optioninput");
    let read = menus.into_iter().map(|menu| {
        let mut asked = Asked::of("single_choice");
        asked.shuffle = menu.attr("shuffle").is_some_and(is_yes);
        for option in menu.elements().filter(|child| child.is("option")) {
            let words = without(option, &["optionhint"]);
            let correct = option.attr("correct").is_some_and(is_yes);
            asked.options.push((words.inner_html(), correct));
            let named = beginning(&words.text());
            for hint in option.elements().filter(|child| child.is("optionhint")) {
                asked.say(&named, hint.inner_html());
            }
        }
        if asked.options.is_empty() {
            let right = menu.attr("correct").unwrap_or_default().trim();
            let options = quoted_list(menu.attr("options").unwrap_or_default());
            asked.options = options
                .into_iter()
                .map(|option| (crate::exchange::xml::escaped(&option), option == right))
                .collect();
        }
        asked
    });
    read.collect()
}

/// `('Earth', "Mars")`, as Python writes it.
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

fn numeric(response: &Element) -> Result<Asked, Note> {
    let not_a_number = || Note::Answer(response.name.clone());
    let answer = response.said("answer").ok_or_else(not_a_number)?;
    let mut asked = Asked::of("numeric");
    let open = answer.starts_with('(') || answer.ends_with(')');
    if answer.starts_with(['[', '(']) && answer.ends_with([']', ')']) {
        let inner = answer.trim_matches(['[', '(', ']', ')']);
        let (low, high) = inner.split_once([',', ';']).ok_or_else(not_a_number)?;
        let (low, high) = (value(low), value(high));
        let (low, high) = (low.ok_or_else(not_a_number)?, high.ok_or_else(not_a_number)?);
        let (low, high) = (as_f64(&low), as_f64(&high));
        asked.set("value", tidy((low + high) / 2.0).ok_or_else(not_a_number)?);
        asked.set("tolerance", tidy((high - low).abs() / 2.0).ok_or_else(not_a_number)?);
        if open {
            asked.notes.push(Note::OpenRange);
        }
    } else {
        asked.set("value", value(answer).ok_or_else(not_a_number)?);
        let tolerance = every(response, "responseparam")
            .into_iter()
            .find(|param| param.attr("type").is_some_and(|kind| kind == "tolerance"))
            .and_then(|param| param.said("default"));
        if let Some(tolerance) = tolerance {
            let (name, number) = match tolerance.strip_suffix('%') {
                Some(percent) => ("tolerance_percent", value(percent)),
                None => ("tolerance", value(tolerance)),
            };
            match number.filter(|number| as_f64(number) >= 0.0) {
                Some(number) => asked.set(name, number),
                None => asked.notes.push(Note::Answer(response.name.clone())),
            }
        }
    }
    let others = every(response, "additional_answer").len();
    if others > 0 {
        asked.notes.push(Note::OtherAnswers(others));
    }
    hints(response, &mut asked, answer);
    Ok(asked)
}

fn as_f64(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// `5`, `-0,5`, `1e3`, `2*10^3`, `1/3`.
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
        return tidy(mantissa * 10_f64.powf(exponent));
    }
    parts("/")
        .filter(|(_, below)| *below != 0.0)
        .and_then(|(above, below)| tidy(above / below))
}

/// Without what binary fractions leave behind the twelfth place.
fn tidy(number: f64) -> Option<Number> {
    let rounded: f64 = format!("{number:.12}").parse().ok()?;
    match rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        true => format!("{rounded:.0}").parse::<i64>().ok().map(Number::from),
        false => Number::from_f64(rounded),
    }
}

fn text(response: &Element) -> Asked {
    let mut asked = Asked::of("short_text");
    let kind = response.attr("type").unwrap_or_default();
    let mut answers: Vec<String> = Vec::new();
    let answer = response.attr("answer").unwrap_or_default();
    // Before there were additional answers they stood in one attribute.
    answers.extend(answer.split("_or_").map(|answer| answer.trim().to_owned()));
    for other in every(response, "additional_answer") {
        let said = other
            .said("answer")
            .map_or_else(|| without(other, &["correcthint"]).text(), str::to_owned);
        answers.push(said.trim().to_owned());
        for hint in other.elements().filter(|child| child.is("correcthint")) {
            asked.say(&said, hint.inner_html());
        }
    }
    answers.retain(|answer| !answer.is_empty());
    asked.set("case_sensitive", !kind.split_whitespace().any(|word| word == "ci"));
    if kind.split_whitespace().any(|word| word == "regexp") {
        // Open edX wants the beginning of the answer to match, and patterns say the rest themselves.
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
        asked.set("regex", pattern);
    } else {
        asked.set("accepted", json!(answers));
    }
    for hint in every(response, "stringequalhint")
        .into_iter()
        .chain(every(response, "regexphint"))
    {
        asked.say(hint.attr("answer").unwrap_or_default(), hint.inner_html());
    }
    hints(response, &mut asked, answer);
    asked
}

/// What is said of the right answer.
fn hints(response: &Element, asked: &mut Asked, answer: &str) {
    for hint in response.elements().filter(|child| child.is("correcthint")) {
        asked.say(answer, hint.inner_html());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Vec<Asked> {
        read(&xml::read(text).expect("XML")).expect("a question")
    }

    #[test]
    fn lists_are_read_as_python_writes_them() {
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
    fn numbers_come_with_their_tolerance_or_as_ranges() {
        let fields = |answer: &str, tolerance: &str| {
            let xml = format!(
                "<numericalresponse answer=\"{answer}\"><responseparam type=\"tolerance\" default=\"{tolerance}\"/>\
                 <formulaequationinput/></numericalresponse>"
            );
            let asked = asked(&xml).remove(0);
            let field = |name: &str| asked.fields.get(name).map(ToString::to_string).unwrap_or_default();
            (
                field("value"),
                field("tolerance"),
                field("tolerance_percent"),
                asked.notes,
            )
        };
        let got = |value: &str, tolerance: &str, percent: &str| {
            (value.to_owned(), tolerance.to_owned(), percent.to_owned(), vec![])
        };
        assert_eq!(fields("3.14", "0.01"), got("3.14", "0.01", ""));
        assert_eq!(fields("100", "5%"), got("100", "", "5"));
        assert_eq!(fields("[1, 5]", ""), got("3", "2", ""));
        assert_eq!(fields("2*10^3", ""), got("2000", "", ""));
        assert_eq!(fields("1/4", ""), got("0.25", "", ""));
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
    fn texts_have_further_answers_and_patterns() {
        let asked = asked(
            "<stringresponse answer=\"Париж\" type=\"ci\"><additional_answer answer=\"Paris\"><correcthint>Oui</correcthint>\
             </additional_answer><textline size=\"20\"/></stringresponse>",
        )
        .remove(0);
        assert_eq!(asked.fields.get("accepted"), Some(&json!(["Париж", "Paris"])));
        assert_eq!(asked.fields.get("case_sensitive"), Some(&json!(false)));
        assert_eq!(asked.feedback, [("Paris".to_owned(), "Oui".to_owned())]);
        let pattern = |text: &str| {
            let fields = read(&xml::read(text).expect("XML"))
                .expect("a question")
                .remove(0)
                .fields;
            fields.get("regex").cloned()
        };
        assert_eq!(
            pattern(
                "<stringresponse answer=\"^a+$\" type=\"ci regexp\"><additional_answer answer=\"b\"/></stringresponse>"
            ),
            Some("(?:a+)|(?:b)".into())
        );
    }
}
