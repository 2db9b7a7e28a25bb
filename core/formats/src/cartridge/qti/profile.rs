//! Writes items within the Common Cartridge profile.

use super::write::{FULL, OUTCOMES, Writer, all_correct, fields, id_name, labels, points};
use crate::cartridge::html::escaped;
use crate::content;
use crate::quiz::{Choice, Filling, Kind, Question};

/// The name of the question type if the profile has no item for it.
pub fn unsupported_kind(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::SingleChoice { options } if has_one_correct(options) => None,
        Kind::SingleChoice { .. } => Some("single_choice"),
        Kind::MultipleChoice { options, .. } if !options.is_empty() => None,
        Kind::MultipleChoice { .. } => Some("multiple_choice"),
        Kind::ShortText { accepted, regex, .. } if regex.is_none() && !accepted.is_empty() => None,
        Kind::ShortText { .. } => Some("short_text"),
        Kind::Numeric { .. } if exact_number(kind).is_some() => None,
        Kind::Numeric { .. } => Some("numeric"),
        Kind::Formula { .. } => Some("formula"),
        Kind::Matching { .. } => Some("matching"),
        Kind::Ordering { .. } => Some("ordering"),
        Kind::FillBlank { .. } => Some("fill_blank"),
        Kind::Hotspot { .. } => Some("hotspot"),
        Kind::FileUpload { .. } => Some("file_upload"),
        Kind::HandIn { .. } => Some("hand_in"),
        Kind::Essay { .. } | Kind::Draw { .. } => None,
    }
}

fn has_one_correct(options: &[Choice]) -> bool {
    options.iter().filter(|option| option.correct).count() == 1
}

/// The number, if it must be met exactly.
fn exact_number(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Numeric {
            value: Some(value),
            tolerance,
            tolerance_percent: None,
            ..
        } if tolerance.as_f64() == Some(0.0) => Some(value.to_string()),
        _ => None,
    }
}

pub fn item(question: &Question, writer: &Writer<'_>) -> String {
    let question = &question.with_sample();
    let holds = unsupported_kind(&question.kind).is_none();
    let mut prompt = writer.prompt(question);
    let (condition, feedback) = writer.feedback(question, holds);
    let choice = |options: &[Choice], cardinality: &str| {
        format!(
            "          <response_lid ident=\"response1\" rcardinality=\"{cardinality}\"><render_choice>\n{}</render_choice></response_lid>\n",
            labels(options, writer)
        )
    };
    let text = "          <response_str ident=\"response1\" rcardinality=\"Single\"><render_fib><response_label ident=\"answer1\" \
                rshuffle=\"No\"/></render_fib></response_str>\n";
    let equal = |texts: &[String], case: bool| -> String {
        let case = if case { "Yes" } else { "No" };
        let each = |text: &String| {
            format!(
                "<varequal respident=\"response1\" case=\"{case}\">{}</varequal>",
                escaped(text)
            )
        };
        texts.iter().map(each).collect()
    };
    let (profile, response, right) = match &question.kind {
        Kind::SingleChoice { options } if holds => {
            let right = options.iter().find(|option| option.correct);
            let right = right.map(|option| id_name('o', option.id)).unwrap_or_default();
            let right = format!("<varequal respident=\"response1\">{right}</varequal>");
            ("cc.multiple_choice.v0p1", choice(options, "Single"), right)
        }
        Kind::MultipleChoice { options, .. } if holds => (
            "cc.multiple_response.v0p1",
            choice(options, "Multiple"),
            all_correct(options, "response1"),
        ),
        Kind::ShortText {
            accepted,
            case_sensitive,
            ..
        } if holds => ("cc.fib.v0p1", text.to_owned(), equal(accepted, *case_sensitive)),
        Kind::Essay { .. } => ("cc.essay.v0p1", text.to_owned(), String::new()),
        kind => match exact_number(kind) {
            Some(number) => ("cc.fib.v0p1", text.to_owned(), equal(&[number], false)),
            None => {
                prompt.push_str(&options_html(kind, writer));
                ("cc.essay.v0p1", text.to_owned(), String::new())
            }
        },
    };
    let right = if right.is_empty() {
        "          <respcondition continue=\"No\"><conditionvar><other/></conditionvar></respcondition>\n".to_owned()
    } else {
        format!("          <respcondition continue=\"No\"><conditionvar>{right}</conditionvar>{FULL}</respcondition>\n")
    };
    let weight = points(question.points);
    let mut said = vec![("cc_profile", profile)];
    // Weights in the profile are whole numbers.
    if weight != "1" && weight.bytes().all(|b| b.is_ascii_digit()) && weight != "0" {
        said.push(("cc_weighting", weight.as_str()));
    }
    if profile == "cc.essay.v0p1" {
        said.push(("qmd_computerscored", "No"));
    }
    format!(
        "      <item ident=\"{}\" title=\"Question\">\n        <itemmetadata>\n{}        </itemmetadata>\n        <presentation>\n          \
         {}\n{response}        </presentation>\n        <resprocessing>\n{OUTCOMES}{condition}{right}        </resprocessing>\n{feedback}      \
         </item>\n",
        id_name('q', question.id),
        fields(&said),
        super::write::material(&prompt, true),
    )
}

/// The options as HTML lists, sorted so that their order reveals nothing.
fn options_html(kind: &Kind, writer: &Writer<'_>) -> String {
    let list = |mut parts: Vec<String>| -> String {
        parts.sort();
        let items: String = parts.iter().map(|part| format!("<li>{part}</li>")).collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!("<ul>{items}</ul>")
        }
    };
    match kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => {
            list(options.iter().map(|option| writer.html(&option.content)).collect())
        }
        Kind::Matching { pairs } => {
            let left = list(pairs.iter().map(|pair| writer.html(&pair.left)).collect());
            left + &list(pairs.iter().map(|pair| writer.html(&pair.right)).collect())
        }
        Kind::Ordering { items } => list(items.iter().map(|item| writer.html(&item.content)).collect()),
        Kind::FillBlank { blanks, .. } => {
            let each = (1..).zip(blanks).filter_map(|(number, blank)| match &blank.filling {
                Filling::Options(options) => {
                    let mut words: Vec<String> = options.iter().map(|o| content::text(&o.content)).collect();
                    words.sort();
                    Some(format!("<p>[b{number}]: {}</p>", escaped(&words.join(" / "))))
                }
                Filling::Accepted(_) => None,
            });
            each.collect()
        }
        Kind::ShortText { .. }
        | Kind::Numeric { .. }
        | Kind::Formula { .. }
        | Kind::Essay { .. }
        | Kind::Hotspot { .. }
        | Kind::FileUpload { .. }
        | Kind::HandIn { .. }
        | Kind::Draw { .. } => String::new(),
    }
}
