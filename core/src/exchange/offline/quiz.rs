//! A quiz to read: its questions, and at the end of the page the answers, folded away.

use std::io;

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::document::Sheet;
use super::escaped;
use crate::content;
use crate::quiz::{Blank, Choice, Filling, Kind, Question, Quiz};

pub fn write(sheet: &mut Sheet<'_, '_>, quiz: &Quiz) -> io::Result<()> {
    let words = sheet.site.words;
    // Headings in questions are not among those of the page.
    let scope = sheet.scope.take();
    sheet.rank = 3;
    for (number, question) in (1..).zip(&quiz.questions) {
        write!(
            sheet.out,
            "<section class=\"question\"><h2>{} {number} <span>{}</span></h2>",
            words.question,
            words.points(question.points.as_f64())
        )?;
        asked(sheet, question)?;
        write!(sheet.out, "</section>")?;
    }
    if sheet.site.options.answers && !quiz.questions.is_empty() {
        write!(
            sheet.out,
            "<details class=\"answers\"><summary>{}</summary><ol>",
            words.answers
        )?;
        for question in &quiz.questions {
            write!(sheet.out, "<li>")?;
            answered(sheet, question)?;
            if let Some(explanation) = question
                .explanation
                .as_ref()
                .filter(|document| !content::is_empty(document))
            {
                write!(sheet.out, "<p class=\"hint\">{}</p>", words.explanation)?;
                document(sheet, explanation)?;
            }
            write!(sheet.out, "</li>")?;
        }
        write!(sheet.out, "</ol></details>")?;
    }
    sheet.scope = scope;
    Ok(())
}

/// A document of its own: its headings stand under the question.
fn document(sheet: &mut Sheet<'_, '_>, document: &Value) -> io::Result<()> {
    sheet.above.clear();
    sheet.document(document)
}

fn asked(sheet: &mut Sheet<'_, '_>, question: &Question) -> io::Result<()> {
    let words = sheet.site.words;
    if !content::is_empty(&question.prompt) {
        document(sheet, &question.prompt)?;
    }
    let hint = match &question.kind {
        Kind::SingleChoice { .. } => words.one,
        Kind::MultipleChoice { .. } => words.several,
        Kind::ShortText { .. } => words.short,
        Kind::Numeric { .. } => words.number,
        Kind::Matching { .. } => words.matching,
        Kind::Ordering { .. } => words.ordering,
        Kind::FillBlank { .. } => words.blanks,
    };
    write!(sheet.out, "<p class=\"hint\">{hint}</p>")?;
    match &question.kind {
        Kind::SingleChoice { options } => choices(sheet, options, "one"),
        Kind::MultipleChoice { options } => choices(sheet, options, "several"),
        Kind::ShortText { .. } | Kind::Numeric { .. } => write!(sheet.out, "<p class=\"answer-line\"></p>"),
        Kind::Matching { pairs } => {
            write!(sheet.out, "<div class=\"pairs\">")?;
            documents(sheet, "ul", pairs.iter().map(|pair| &pair.left))?;
            let right = mixed(pairs.iter().map(|pair| (pair.id, &pair.right)), question.id);
            documents(sheet, "ol type=\"a\"", right.into_iter())?;
            write!(sheet.out, "</div>")
        }
        Kind::Ordering { items } => {
            let items = mixed(items.iter().map(|item| (item.id, &item.content)), question.id);
            documents(sheet, "ul", items.into_iter())
        }
        Kind::FillBlank { text, blanks } => {
            document(sheet, text)?;
            for (number, blank) in (1..).zip(in_order(text, blanks)) {
                let Filling::Options(options) = &blank.filling else {
                    continue;
                };
                write!(sheet.out, "<p class=\"hint\">{} {number}</p>", words.blank)?;
                choices(sheet, options, "one")?;
            }
            Ok(())
        }
    }
}

fn answered(sheet: &mut Sheet<'_, '_>, question: &Question) -> io::Result<()> {
    match &question.kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options } => right(sheet, options),
        Kind::ShortText { accepted, regex, .. } => {
            let mut said: Vec<String> = accepted.iter().map(|text| code(text)).collect();
            said.extend(
                regex
                    .iter()
                    .map(|regex| format!("{} {}", sheet.site.words.pattern, code(regex))),
            );
            any_of(sheet, &said)
        }
        Kind::Numeric {
            value,
            tolerance,
            tolerance_percent,
        } => {
            let zero = |number: &&Number| number.as_f64() != Some(0.0);
            let said = value.as_ref().map(|value| {
                let off = match tolerance_percent {
                    Some(percent) => Some(format!(" ± {percent}\u{a0}%")),
                    None => Some(tolerance).filter(zero).map(|tolerance| format!(" ± {tolerance}")),
                };
                let text = format!("{value}{}", off.unwrap_or_default());
                escaped(&text.replace('.', &sheet.site.words.point.to_string()))
            });
            any_of(sheet, said.as_slice())
        }
        Kind::Matching { pairs } => {
            write!(sheet.out, "<ul class=\"plain\">")?;
            for pair in pairs {
                write!(sheet.out, "<li class=\"pair\"><div>")?;
                document(sheet, &pair.left)?;
                write!(sheet.out, "</div><span>→</span><div>")?;
                document(sheet, &pair.right)?;
                write!(sheet.out, "</div></li>")?;
            }
            write!(sheet.out, "</ul>")
        }
        Kind::Ordering { items } => documents(sheet, "ol", items.iter().map(|item| &item.content)),
        Kind::FillBlank { text, blanks } => {
            write!(sheet.out, "<ol>")?;
            for blank in in_order(text, blanks) {
                write!(sheet.out, "<li>")?;
                match &blank.filling {
                    Filling::Options(options) => right(sheet, options)?,
                    Filling::Accepted(accepted) => {
                        let said: Vec<String> = accepted.iter().map(|text| code(text)).collect();
                        any_of(sheet, &said)?;
                    }
                }
                write!(sheet.out, "</li>")?;
            }
            write!(sheet.out, "</ol>")
        }
    }
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

fn any_of(sheet: &mut Sheet<'_, '_>, said: &[String]) -> io::Result<()> {
    let words = sheet.site.words;
    match said {
        [] => write!(sheet.out, "<p>{}</p>", words.no_answer),
        said => write!(sheet.out, "<p>{}</p>", said.join(&format!(" {} ", words.or))),
    }
}

fn right(sheet: &mut Sheet<'_, '_>, options: &[Choice]) -> io::Result<()> {
    let mut found = options.iter().filter(|option| option.correct).peekable();
    if found.peek().is_none() {
        return any_of(sheet, &[]);
    }
    documents(sheet, "ul class=\"plain\"", found.map(|option| &option.content))
}

fn choices(sheet: &mut Sheet<'_, '_>, options: &[Choice], class: &str) -> io::Result<()> {
    documents(
        sheet,
        &format!("ul class=\"choices {class}\""),
        options.iter().map(|option| &option.content),
    )
}

/// Each in an entry of a list.
fn documents<'a>(sheet: &mut Sheet<'_, '_>, list: &str, all: impl Iterator<Item = &'a Value>) -> io::Result<()> {
    write!(sheet.out, "<{list}>")?;
    for one in all {
        write!(sheet.out, "<li>")?;
        document(sheet, one)?;
        write!(sheet.out, "</li>")?;
    }
    write!(sheet.out, "</{}>", list.split(' ').next().unwrap_or(list))
}

/// In an order that tells nothing and is the same each time: by hashes.
fn mixed<'a>(all: impl Iterator<Item = (Uuid, &'a Value)>, question: Uuid) -> Vec<&'a Value> {
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

/// As they stand in the text.
fn in_order<'a>(text: &Value, blanks: &'a [Blank]) -> Vec<&'a Blank> {
    let places = content::blanks(text);
    places
        .iter()
        .filter_map(|id| blanks.iter().find(|blank| blank.id == *id))
        .collect()
}
