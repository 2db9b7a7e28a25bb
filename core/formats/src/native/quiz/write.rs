//! Writes questions as text.

use std::collections::HashMap;

use kurso_base::values::QuestionTags;
use serde_json::{Number, Value};
use uuid::Uuid;

use super::{Fences, TAG, formula, is_question, marker, rubric, unit, zones};
use crate::content;
use crate::course::TaggedQuestion;
use crate::native::document::{self, Attrs, MAX_BLANK_BYTES, quoted};
use crate::quiz::{Blank, Choice, Filling, Kind, Points, Question, Quiz, Rubric};

/// All questions with a final line break, or an empty string.
pub fn write(quiz: &Quiz) -> String {
    joined(quiz.questions.iter().map(|one| question(one, &QuestionTags::default())))
}

/// The same for the questions of a bank.
pub fn write_bank(questions: &[TaggedQuestion]) -> String {
    joined(
        questions
            .iter()
            .map(|one| question(one.question.as_question(), &one.tags)),
    )
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        String::new()
    } else {
        texts.join("\n\n") + "\n"
    }
}

fn question(question: &Question, tags: &QuestionTags) -> String {
    let mut attrs = Attrs::default();
    let mut lines: Vec<String> = Vec::new();
    let mut body = document::write(&question.prompt);
    let name = match &question.kind {
        Kind::SingleChoice { options } => {
            lines.extend(options.iter().flat_map(|option| choice_with_feedback("()", option)));
            "single_choice"
        }
        Kind::MultipleChoice {
            options,
            all_or_nothing,
        } => {
            if *all_or_nothing {
                attrs.flag("all_or_nothing");
            }
            lines.extend(options.iter().flat_map(|option| choice_with_feedback("[]", option)));
            "multiple_choice"
        }
        Kind::ShortText {
            accepted,
            case_sensitive,
            regex,
        } => {
            if *case_sensitive {
                attrs.flag("case_sensitive");
            }
            lines.extend(accepted.iter().map(|text| answer(text)));
            lines.extend(regex.iter().map(|regex| pattern(regex)));
            "short_text"
        }
        Kind::Numeric {
            value,
            tolerance,
            tolerance_percent,
            units,
        } => {
            lines.extend(number(value.as_ref(), tolerance, tolerance_percent.as_ref()));
            lines.extend(units.iter().map(unit::write));
            "numeric"
        }
        Kind::Formula {
            parameters,
            expression,
            tolerance,
            tolerance_percent,
            units,
        } => {
            lines.extend(parameters.iter().map(formula::parameter));
            lines.extend(formula::answer(expression, tolerance, tolerance_percent.as_ref()));
            lines.extend(units.iter().map(unit::write));
            "formula"
        }
        Kind::Matching { pairs } => {
            lines.extend(
                pairs
                    .iter()
                    .flat_map(|pair| [part("<-", &pair.left), part("->", &pair.right)]),
            );
            "matching"
        }
        Kind::Ordering { items } => {
            lines.extend(
                (1..)
                    .zip(items)
                    .map(|(number, item)| part(&format!("{number})"), &item.content)),
            );
            "ordering"
        }
        Kind::Hotspot {
            picture,
            zones,
            mark_all,
            all_or_nothing,
        } => {
            for (name, is_set) in [("mark_all", mark_all), ("all_or_nothing", all_or_nothing)] {
                if *is_set {
                    attrs.flag(name);
                }
            }
            lines.extend(picture.iter().map(|picture| part("^", picture)));
            lines.extend(zones.iter().map(zones::write));
            "hotspot"
        }
        Kind::Essay {
            min_words,
            max_words,
            guide,
            rubric,
        } => {
            words(&mut attrs, *min_words, *max_words);
            lines.extend(guide.iter().map(|guide| part("~", guide)));
            lines.extend(rubric_lines(&mut attrs, rubric.as_ref()));
            "essay"
        }
        Kind::FileUpload {
            max_files,
            extensions,
            guide,
            rubric,
        } => {
            if *max_files > 1 {
                attrs.set("max_files", max_files);
            }
            if !extensions.is_empty() {
                attrs.set("extensions", extensions.join(" "));
            }
            lines.extend(guide.iter().map(|guide| part("~", guide)));
            lines.extend(rubric_lines(&mut attrs, rubric.as_ref()));
            "file_upload"
        }
        Kind::HandIn {
            takes_text,
            min_words,
            max_words,
            max_files,
            extensions,
            max_links,
            guide,
            rubric,
        } => {
            if *takes_text {
                attrs.flag("takes_text");
            }
            words(&mut attrs, *min_words, *max_words);
            for (name, most) in [("max_files", max_files), ("max_links", max_links)] {
                if *most > 0 {
                    attrs.set(name, most);
                }
            }
            if !extensions.is_empty() {
                attrs.set("extensions", extensions.join(" "));
            }
            lines.extend(guide.iter().map(|guide| part("~", guide)));
            lines.extend(rubric_lines(&mut attrs, rubric.as_ref()));
            "hand_in"
        }
        Kind::Draw {
            bank_id, tags, count, ..
        } => {
            attrs.set("bank", bank_id);
            attrs.set("count", count);
            lines.extend(tags.iter().map(|tag| answer(tag)));
            "draw"
        }
        Kind::FillBlank { text, blanks } => {
            let (text, defined) = named_blanks(text, blanks);
            lines.extend(defined);
            body = if content::is_empty(&question.prompt) && body.is_empty() {
                text
            } else {
                format!("{body}\n\n___\n\n{text}")
            };
            "fill_blank"
        }
    };
    if question.points != Points::ONE
        && let Ok(points) = serde_json::to_string(&question.points)
    {
        attrs.set("points", points);
    }
    if let Some(source) = question.source {
        attrs.set("source", format!("{}/{}", source.question_id, source.version));
    }
    for tag in tags.iter() {
        attrs.set(TAG, tag.as_str());
    }
    lines.extend(question.hints.iter().map(|hint| part("?", hint)));
    lines.extend(question.explanation.iter().map(|text| part("!", text)));

    let mut out = format!("??? {name} {}", attrs.spaced()).trim_end().to_owned();
    let body = body.trim_end_matches('\n');
    if !body.is_empty() {
        out.push_str("\n\n");
        // Indentation keeps lines that look like answers part of the prompt.
        let mut fences = Fences::default();
        let mut answers = |line: &str| !fences.holds(line) && (is_question(line) || marker(name, line).is_some());
        let plain = !body.starts_with(' ') && !body.lines().any(&mut answers);
        out.push_str(&if plain { body.to_owned() } else { indented(body, "    ") });
    }
    if !lines.is_empty() {
        out.push_str("\n\n");
        out.push_str(&lines.join("\n"));
    }
    out
}

/// The bounds of a text in words.
fn words(attrs: &mut Attrs, least: Option<u32>, most: Option<u32>) {
    for (name, words) in [("min_words", least), ("max_words", most)] {
        if let Some(words) = words {
            attrs.set(name, words);
        }
    }
}

/// The lines of a rubric, and its attribute.
fn rubric_lines(attrs: &mut Attrs, rubric: Option<&Rubric>) -> Vec<String> {
    let Some(rubric) = rubric else { return vec![] };
    attrs.set(rubric::ATTRIBUTE, if rubric.is_shown { "shown" } else { "hidden" });
    rubric::write(rubric)
}

/// A marker followed by the document, with its further lines indented.
fn part(sign: &str, document: &Value) -> String {
    let text = document::write(document);
    let text = indented(&text, "    ");
    format!("{sign} {}", text.trim_start_matches(' '))
        .trim_end_matches(' ')
        .to_owned()
}

pub(super) fn indented(text: &str, by: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if !line.is_empty() {
            out.push_str(by);
        }
        out.push_str(line);
    }
    out
}

fn choice(brackets: &str, option: &Choice) -> String {
    let tick = if option.correct { "x" } else { " " };
    let (open, close) = brackets.split_at(1);
    let inside = match option.weight {
        None => tick.to_owned(),
        Some(weight) if option.correct => format!("{tick} {weight}%"),
        Some(weight) => format!(" {weight}%"),
    };
    part(&format!("{open}{inside}{close}"), &option.content)
}

fn choice_with_feedback(brackets: &str, option: &Choice) -> impl Iterator<Item = String> {
    let feedback = option.feedback.as_ref().map(|document| part("->", document));
    [choice(brackets, option)].into_iter().chain(feedback)
}

pub(super) fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.starts_with('"') && !text.chars().any(char::is_control)
}

fn answer(text: &str) -> String {
    if is_plain(text) {
        format!("= {text}")
    } else {
        format!("= {}", quoted(text))
    }
}

fn pattern(regex: &str) -> String {
    if is_plain(regex) {
        format!("/{regex}/")
    } else {
        format!("/{}/", quoted(regex))
    }
}

/// The tolerance as it stands after a number, with a space before it; empty without one.
pub(super) fn tolerance_text(tolerance: &Number, percent: Option<&Number>) -> String {
    match percent {
        Some(percent) => format!(" +- {percent}%"),
        None if tolerance.as_f64() == Some(0.0) => String::new(),
        None => format!(" +- {tolerance}"),
    }
}

fn number(value: Option<&Number>, tolerance: &Number, percent: Option<&Number>) -> Option<String> {
    let off = tolerance_text(tolerance, percent);
    match value {
        None if off.is_empty() => None,
        None => Some(format!("= ?{off}")),
        Some(value) => Some(format!("= {value}{off}")),
    }
}

/// The text with named blanks, and the definitions of the blanks that cannot be written inline.
fn named_blanks(text: &Value, blanks: &[Blank]) -> (String, Vec<String>) {
    let in_text = content::blanks(text);
    let inline: Option<Vec<String>> = blanks.iter().map(inline_answers).collect();
    let by_number = in_text.iter().eq(blanks.iter().map(|blank| &blank.id));
    let mut names: HashMap<Uuid, String> = HashMap::new();
    let mut lines = Vec::new();
    match inline.filter(|_| by_number) {
        Some(answers) => names.extend(in_text.into_iter().zip(answers)),
        None => {
            for (number, blank) in (1..).zip(blanks) {
                names.insert(blank.id, number.to_string());
                lines.push(match &blank.filling {
                    Filling::Options(options) if options.is_empty() => format!("[[{number}]] options"),
                    _ => format!("[[{number}]]"),
                });
                match &blank.filling {
                    Filling::Accepted(accepted) => lines.extend(accepted.iter().map(|text| answer(text))),
                    Filling::Options(options) => lines.extend(options.iter().map(|option| choice("()", option))),
                }
            }
            for id in in_text {
                let next = names.len() + 1;
                names.entry(id).or_insert_with(|| next.to_string());
            }
        }
    }
    let mut text = text.clone();
    name_blanks(&mut text, &names);
    (document::write(&text), lines)
}

/// An inline definition such as `=Paris|Lutetia`, if it needs no escapes.
fn inline_answers(blank: &Blank) -> Option<String> {
    let Filling::Accepted(accepted) = &blank.filling else {
        return None;
    };
    let simple = |text: &String| {
        is_plain(text)
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || c.is_whitespace() && c == ' ' || ",.:+'-".contains(c))
    };
    let short = accepted.iter().map(|text| text.len() + 1).sum::<usize>() < MAX_BLANK_BYTES;
    (!accepted.is_empty() && short && accepted.iter().all(simple)).then(|| format!("={}", accepted.join("|")))
}

fn name_blanks(node: &mut Value, names: &HashMap<Uuid, String>) {
    if node.get("type").is_some_and(|kind| kind == "blank")
        && let Some(Value::String(id)) = node.pointer_mut("/attrs/blank_id")
        && let Some(name) = Uuid::parse_str(id).ok().and_then(|id| names.get(&id))
    {
        id.clone_from(name);
    }
    for child in node
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        name_blanks(child, names);
    }
}
