//! Writes a quiz for reading: questions, and collapsed answers at the end.

use std::io;

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::document::PageWriter;
use super::{escaped, zones};
use crate::content;
use crate::quiz::{Blank, Choice, Filling, Kind, Question, Quiz, Rubric};

pub fn write(writer: &mut PageWriter<'_, '_>, quiz: &Quiz) -> io::Result<()> {
    let labels = writer.site.labels;
    // Headings within questions have no anchors.
    let scope = writer.scope.take();
    writer.rank = 3;
    // All parts of a formula question show the same values.
    let questions: Vec<Question> = quiz.questions.iter().map(Question::with_sample).collect();
    for (number, question) in (1..).zip(&questions) {
        let title = match &question.kind {
            Kind::HandIn { .. } => labels.assignment.to_owned(),
            _ => format!("{} {number}", labels.question),
        };
        write!(
            writer.out,
            "<section class=\"question\"><h2>{title} <span>{}</span></h2>",
            labels.points(question.points.as_f64())
        )?;
        write_question(writer, question)?;
        write_hints(writer, question)?;
        write!(writer.out, "</section>")?;
    }
    if writer.site.options.answers && !quiz.questions.is_empty() {
        write!(
            writer.out,
            "<details class=\"answers\"><summary>{}</summary><ol>",
            labels.answers
        )?;
        for question in &questions {
            write!(writer.out, "<li>")?;
            write_answer(writer, question)?;
            write_feedback(writer, question)?;
            if let Some(explanation) = question
                .explanation
                .as_ref()
                .filter(|document| !content::is_empty(document))
            {
                write!(writer.out, "<p class=\"hint\">{}</p>", labels.explanation)?;
                document(writer, explanation)?;
            }
            write!(writer.out, "</li>")?;
        }
        write!(writer.out, "</ol></details>")?;
    }
    writer.scope = scope;
    Ok(())
}

/// Writes a separate document; its headings are below the question.
fn document(writer: &mut PageWriter<'_, '_>, document: &Value) -> io::Result<()> {
    writer.above.clear();
    writer.document(document)
}

fn write_question(writer: &mut PageWriter<'_, '_>, question: &Question) -> io::Result<()> {
    let labels = writer.site.labels;
    if !content::is_empty(&question.prompt) {
        document(writer, &question.prompt)?;
    }
    let hint = match &question.kind {
        Kind::SingleChoice { .. } => labels.one,
        Kind::MultipleChoice { .. } => labels.several,
        Kind::ShortText { .. } => labels.short,
        Kind::Numeric { units, .. } | Kind::Formula { units, .. } if !units.is_empty() => {
            let names: Vec<String> = units.iter().map(|unit| escaped(&unit.name)).collect();
            &format!("{} ({})", labels.number, names.join(", "))
        }
        Kind::Numeric { .. } | Kind::Formula { .. } => labels.number,
        Kind::Matching { .. } => labels.matching,
        Kind::Ordering { .. } => labels.ordering,
        Kind::FillBlank { .. } => labels.blanks,
        Kind::Essay { .. } => labels.essay,
        Kind::FileUpload { .. } => labels.files,
        Kind::Hotspot { .. } => match question.kind.max_places() {
            0 | 1 => labels.place,
            places => &format!("{} {places}", labels.places),
        },
        Kind::Draw { .. } => return Ok(()), // left out
        Kind::HandIn {
            takes_text,
            max_files,
            max_links,
            ..
        } => {
            let ways = [
                (*takes_text, labels.hand_in_text),
                (*max_files > 0, labels.hand_in_files),
                (*max_links > 0, labels.hand_in_links),
            ];
            let taken = ways.into_iter().filter(|(is_taken, _)| *is_taken).map(|(_, way)| way);
            &format!("{} {}", labels.hand_in, taken.collect::<Vec<_>>().join(", "))
        }
    };
    write!(writer.out, "<p class=\"hint\">{hint}</p>")?;
    if let Some(rubric) = question.kind.rubric().filter(|rubric| rubric.is_shown) {
        write_rubric(writer, rubric)?;
    }
    match &question.kind {
        Kind::SingleChoice { options } => choices(writer, options, "one"),
        Kind::MultipleChoice { options, .. } => choices(writer, options, "several"),
        Kind::ShortText { .. }
        | Kind::Numeric { .. }
        | Kind::Formula { .. }
        | Kind::Essay { .. }
        | Kind::FileUpload { .. } => {
            write!(writer.out, "<p class=\"answer-line\"></p>")
        }
        Kind::Matching { pairs } => {
            write!(writer.out, "<div class=\"pairs\">")?;
            documents(writer, "ul", pairs.iter().map(|pair| &pair.left))?;
            let right = shuffled(pairs.iter().map(|pair| (pair.id, &pair.right)), question.id);
            documents(writer, "ol type=\"a\"", right.into_iter())?;
            write!(writer.out, "</div>")
        }
        Kind::HandIn { .. } | Kind::Draw { .. } => Ok(()),
        Kind::Hotspot { picture, .. } => picture.iter().try_for_each(|picture| document(writer, picture)),
        Kind::Ordering { items } => {
            let items = shuffled(items.iter().map(|item| (item.id, &item.content)), question.id);
            documents(writer, "ul", items.into_iter())
        }
        Kind::FillBlank { text, blanks } => {
            document(writer, text)?;
            for (number, blank) in (1..).zip(in_order(text, blanks)) {
                let Filling::Options(options) = &blank.filling else {
                    continue;
                };
                write!(writer.out, "<p class=\"hint\">{} {number}</p>", labels.blank)?;
                choices(writer, options, "one")?;
            }
            Ok(())
        }
    }
}

/// Writes each hint of a question collapsed.
fn write_hints(writer: &mut PageWriter<'_, '_>, question: &Question) -> io::Result<()> {
    let labels = writer.site.labels;
    for (number, hint) in (1..).zip(&question.hints) {
        write!(writer.out, "<details><summary>{} {number}</summary>", labels.hint)?;
        document(writer, hint)?;
        write!(writer.out, "</details>")?;
    }
    Ok(())
}

fn write_answer(writer: &mut PageWriter<'_, '_>, question: &Question) -> io::Result<()> {
    match &question.kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => write_correct(writer, options),
        Kind::ShortText { accepted, regex, .. } => {
            let mut said: Vec<String> = accepted.iter().map(|text| code(text)).collect();
            said.extend(
                regex
                    .iter()
                    .map(|regex| format!("{} {}", writer.site.labels.pattern, code(regex))),
            );
            write_alternatives(writer, &said)
        }
        Kind::Formula { .. } => Ok(()), // with its values it has become a numeric question
        Kind::Numeric {
            value,
            tolerance,
            tolerance_percent,
            units,
        } => {
            let zero = |number: &&Number| number.as_f64() != Some(0.0);
            let said = value.as_ref().map(|value| {
                let off = match tolerance_percent {
                    Some(percent) => Some(format!(" ± {percent}\u{a0}%")),
                    None => Some(tolerance).filter(zero).map(|tolerance| format!(" ± {tolerance}")),
                };
                let text = format!("{value}{}", off.unwrap_or_default());
                let text = text.replace('.', &writer.site.labels.point.to_string());
                match units.first() {
                    Some(unit) => escaped(&format!("{text}\u{a0}{}", unit.name)),
                    None => escaped(&text),
                }
            });
            write_alternatives(writer, said.as_slice())
        }
        Kind::Matching { pairs } => {
            write!(writer.out, "<ul class=\"plain\">")?;
            for pair in pairs {
                write!(writer.out, "<li class=\"pair\"><div>")?;
                document(writer, &pair.left)?;
                write!(writer.out, "</div><span>→</span><div>")?;
                document(writer, &pair.right)?;
                write!(writer.out, "</div></li>")?;
            }
            write!(writer.out, "</ul>")
        }
        Kind::Draw { .. } => Ok(()),
        Kind::Hotspot { picture, zones, .. } => zones::write(writer, picture.as_ref(), zones),
        Kind::Ordering { items } => documents(writer, "ol", items.iter().map(|item| &item.content)),
        Kind::Essay { guide, rubric, .. }
        | Kind::FileUpload { guide, rubric, .. }
        | Kind::HandIn { guide, rubric, .. } => {
            match guide {
                Some(guide) => document(writer, guide)?,
                None => write!(writer.out, "<p>{}</p>", writer.site.labels.graded_by_person)?,
            }
            match rubric {
                Some(rubric) if !rubric.is_shown => write_rubric(writer, rubric),
                _ => Ok(()),
            }
        }
        Kind::FillBlank { text, blanks } => {
            write!(writer.out, "<ol>")?;
            for blank in in_order(text, blanks) {
                write!(writer.out, "<li>")?;
                match &blank.filling {
                    Filling::Options(options) => write_correct(writer, options)?,
                    Filling::Accepted(accepted) => {
                        let said: Vec<String> = accepted.iter().map(|text| code(text)).collect();
                        write_alternatives(writer, &said)?;
                    }
                }
                write!(writer.out, "</li>")?;
            }
            write!(writer.out, "</ol>")
        }
    }
}

/// Writes the criteria as a list, each with its levels.
fn write_rubric(writer: &mut PageWriter<'_, '_>, rubric: &Rubric) -> io::Result<()> {
    write!(writer.out, "<ul class=\"rubric\">")?;
    for criterion in &rubric.criteria {
        let (name, points) = (
            &criterion.name,
            writer.site.labels.points(criterion.max_points().as_f64()),
        );
        write!(writer.out, "<li><p><strong>{}</strong> ({points})</p>", escaped(name))?;
        write_lines(writer, &criterion.description)?;
        write!(writer.out, "<ul>")?;
        for level in &criterion.levels {
            let points = writer.site.labels.points(level.points.as_f64());
            write!(writer.out, "<li><p>{} ({points})</p>", escaped(&level.name))?;
            write_lines(writer, &level.description)?;
            write!(writer.out, "</li>")?;
        }
        write!(writer.out, "</ul></li>")?;
    }
    write!(writer.out, "</ul>")
}

/// Writes each line of a text as a paragraph.
fn write_lines(writer: &mut PageWriter<'_, '_>, text: &str) -> io::Result<()> {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        write!(writer.out, "<p>{}</p>", escaped(line))?;
    }
    Ok(())
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

fn write_alternatives(writer: &mut PageWriter<'_, '_>, said: &[String]) -> io::Result<()> {
    let labels = writer.site.labels;
    match said {
        [] => write!(writer.out, "<p>{}</p>", labels.no_answer),
        said => write!(writer.out, "<p>{}</p>", said.join(&format!(" {} ", labels.or))),
    }
}

fn write_correct(writer: &mut PageWriter<'_, '_>, options: &[Choice]) -> io::Result<()> {
    let mut found = options.iter().filter(|option| option.correct).peekable();
    if found.peek().is_none() {
        return write_alternatives(writer, &[]);
    }
    documents(writer, "ul class=\"plain\"", found.map(|option| &option.content))
}

/// Writes the feedback of the options of a choice, each below its option.
fn write_feedback(writer: &mut PageWriter<'_, '_>, question: &Question) -> io::Result<()> {
    let Some(options) = question.kind.options() else {
        return Ok(());
    };
    let mut said = options
        .iter()
        .filter_map(|option| Some((option, option.feedback.as_ref()?)))
        .peekable();
    if said.peek().is_none() {
        return Ok(());
    }
    write!(
        writer.out,
        "<p class=\"hint\">{}</p><ul class=\"plain\">",
        writer.site.labels.option_feedback
    )?;
    for (option, feedback) in said {
        write!(writer.out, "<li>")?;
        document(writer, &option.content)?;
        write!(writer.out, "<div class=\"feedback\">")?;
        document(writer, feedback)?;
        write!(writer.out, "</div></li>")?;
    }
    write!(writer.out, "</ul>")
}

fn choices(writer: &mut PageWriter<'_, '_>, options: &[Choice], class: &str) -> io::Result<()> {
    documents(
        writer,
        &format!("ul class=\"choices {class}\""),
        options.iter().map(|option| &option.content),
    )
}

/// Writes each document as a list item.
fn documents<'a>(writer: &mut PageWriter<'_, '_>, list: &str, all: impl Iterator<Item = &'a Value>) -> io::Result<()> {
    write!(writer.out, "<{list}>")?;
    for one in all {
        write!(writer.out, "<li>")?;
        document(writer, one)?;
        write!(writer.out, "</li>")?;
    }
    write!(writer.out, "</{}>", list.split(' ').next().unwrap_or(list))
}

/// Shuffles by hash: the order reveals nothing and is deterministic.
fn shuffled<'a>(all: impl Iterator<Item = (Uuid, &'a Value)>, question: Uuid) -> Vec<&'a Value> {
    let mut all: Vec<_> = all
        .map(|(id, document)| {
            let mut hash = Sha256::new_with_prefix(question.as_bytes());
            hash.update(id.as_bytes());
            (hash.finalize(), document)
        })
        .collect();
    all.sort_by_key(|(hash, _)| *hash);
    all.into_iter().map(|(_, document)| document).collect()
}

/// The blanks in text order.
fn in_order<'a>(text: &Value, blanks: &'a [Blank]) -> Vec<&'a Blank> {
    let places = content::blanks(text);
    places
        .iter()
        .filter_map(|id| blanks.iter().find(|blank| blank.id == *id))
        .collect()
}
