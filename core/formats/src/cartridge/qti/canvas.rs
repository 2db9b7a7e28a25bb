//! Writes items in Canvas's own format (`non_cc_assessments`).

use super::write::{FULL, OUTCOMES, Writer, all_correct, fields, id_name, labels, points};
use crate::cartridge::html::escaped;
use crate::content;
use crate::numbers::rounded;
use crate::quiz::{Choice, Filling, Kind, MAX_DECIMALS, Pair, Parameter, Question, result, sample_values};
use serde_json::Number;

/// The parts of an item that depend on the question type.
#[derive(Default)]
struct Parts {
    kind: &'static str,
    response: String,
    conditions: String,
    /// The elements after `resprocessing`.
    extension: String,
}

/// Writes an item; `more` is an additional metadata field.
pub fn item(question: &Question, writer: &Writer<'_>, more: Option<(&str, &str)>) -> String {
    let parts = parts(question, writer);
    let (condition, feedback) = writer.feedback(question, true);
    let points = points(question.points);
    let mut said = vec![("question_type", parts.kind), ("points_possible", points.as_str())];
    said.extend(more);
    let prompt = match &question.kind {
        Kind::FillBlank { .. } | Kind::Hotspot { .. } => super::write::material(&writer.prompt(question), true),
        Kind::Formula { .. } => writer.material(&question.bracketed_prompt()),
        _ => writer.material(&question.prompt),
    };
    format!(
        "      <item ident=\"{}\" title=\"Question\">\n        <itemmetadata>\n{}        </itemmetadata>\n        <presentation>\n          \
         {prompt}\n{}        </presentation>\n        <resprocessing>\n{OUTCOMES}{condition}{}        </resprocessing>\n{}{feedback}      </item>\n",
        id_name('q', question.id),
        fields(&said),
        parts.response,
        parts.conditions,
        parts.extension,
    )
}

fn condition(right: &str) -> String {
    format!("          <respcondition continue=\"No\"><conditionvar>{right}</conditionvar>{FULL}</respcondition>\n")
}

fn parts(question: &Question, writer: &Writer<'_>) -> Parts {
    let choice = |options: &[Choice], cardinality: &str| {
        format!(
            "          <response_lid ident=\"response1\" rcardinality=\"{cardinality}\"><render_choice>\n{}</render_choice></response_lid>\n",
            labels(options, writer)
        )
    };
    let text = |fib: &str| {
        format!(
            "          <response_str ident=\"response1\" rcardinality=\"Single\"><render_fib{fib}><response_label ident=\"answer1\" \
             rshuffle=\"No\"/></render_fib></response_str>\n"
        )
    };
    match &question.kind {
        Kind::SingleChoice { options } => {
            let right = options.iter().filter(|option| option.correct);
            let equal = right.map(|option| {
                condition(&format!(
                    "<varequal respident=\"response1\">{}</varequal>",
                    id_name('o', option.id)
                ))
            });
            Parts {
                kind: "multiple_choice_question",
                response: choice(options, "Single"),
                conditions: equal.collect(),
                ..Parts::default()
            }
        }
        Kind::MultipleChoice { options, .. } => Parts {
            kind: "multiple_answers_question",
            response: choice(options, "Multiple"),
            conditions: condition(&all_correct(options, "response1")),
            ..Parts::default()
        },
        Kind::ShortText { accepted, .. } => {
            let each = |text: &String| format!("<varequal respident=\"response1\">{}</varequal>", escaped(text));
            let equal: String = accepted.iter().map(each).collect();
            Parts {
                kind: "short_answer_question",
                response: text(""),
                conditions: condition(&equal),
                ..Parts::default()
            }
        }
        Kind::Numeric {
            value,
            tolerance,
            tolerance_percent,
            ..
        } => {
            let said = value.as_ref().map(ToString::to_string).unwrap_or_default();
            let middle = value.as_ref().and_then(|value| value.as_f64()).unwrap_or_default();
            let off = match tolerance_percent.as_ref().and_then(|percent| percent.as_f64()) {
                Some(percent) => middle.abs() * percent / 100.0,
                None => tolerance.as_f64().unwrap_or_default(),
            };
            let bound = |number: f64| rounded(number).map(|number| number.to_string()).unwrap_or_default();
            let range = if off > 0.0 {
                format!(
                    "<and><vargte respident=\"response1\">{}</vargte><varlte respident=\"response1\">{}</varlte></and>",
                    bound(middle - off),
                    bound(middle + off)
                )
            } else {
                String::new()
            };
            Parts {
                kind: "numerical_question",
                response: text(" fibtype=\"Decimal\""),
                conditions: condition(&format!(
                    "<or><varequal respident=\"response1\">{said}</varequal>{range}</or>"
                )),
                ..Parts::default()
            }
        }
        Kind::Formula {
            parameters,
            expression,
            tolerance,
            tolerance_percent,
            ..
        } => Parts {
            kind: "calculated_question",
            response: text(" fibtype=\"Decimal\""),
            conditions: condition("<other/>"),
            extension: calculated(
                parameters,
                expression,
                &match tolerance_percent {
                    Some(percent) => format!("{percent}%"),
                    None => tolerance.to_string(),
                },
            ),
        },
        // Canvas has no hotspot questions in its own format.
        Kind::Essay { .. } | Kind::Hotspot { .. } => Parts {
            kind: "essay_question",
            response: text(""),
            conditions:
                "          <respcondition continue=\"No\"><conditionvar><other/></conditionvar></respcondition>\n"
                    .to_owned(),
            ..Parts::default()
        },
        Kind::FileUpload { .. } | Kind::HandIn { .. } | Kind::Draw { .. } => Parts {
            kind: "file_upload_question",
            response: String::new(),
            conditions: String::new(),
            ..Parts::default()
        },
        Kind::Matching { pairs } => matching(
            &pairs
                .iter()
                .map(|pair| (pair, writer.material(&pair.left)))
                .collect::<Vec<_>>(),
            writer,
        ),
        Kind::Ordering { items } => {
            // Canvas has no ordering questions: each position is matched with its item.
            let pairs: Vec<(Pair, String)> = (1..)
                .zip(items)
                .map(|(number, item)| {
                    let place = super::write::material(&format!("{number}"), false);
                    let pair = Pair {
                        id: item.id,
                        left: content::empty(),
                        right: item.content.clone(),
                    };
                    (pair, place)
                })
                .collect();
            matching(
                &pairs
                    .iter()
                    .map(|(pair, left)| (pair, left.clone()))
                    .collect::<Vec<_>>(),
                writer,
            )
        }
        Kind::FillBlank { blanks, .. } => {
            let all_options = blanks.iter().all(|blank| matches!(blank.filling, Filling::Options(_)));
            let share = share(blanks.len());
            let (mut response, mut conditions) = (String::new(), String::new());
            for (number, blank) in (1..).zip(blanks) {
                let name = format!("response_b{number}");
                let (labels, right): (String, Vec<String>) = match &blank.filling {
                    Filling::Options(options) => {
                        let right = options.iter().filter(|option| option.correct);
                        (
                            labels(options, writer),
                            right.map(|option| id_name('o', option.id)).collect(),
                        )
                    }
                    Filling::Accepted(accepted) => {
                        let named = (1..).zip(accepted).map(|(n, text)| (format!("a{number}_{n}"), text));
                        let label = named.clone().map(|(id, text)| {
                            let text = super::write::material(text, false);
                            format!("<response_label ident=\"{id}\">{text}</response_label>\n")
                        });
                        (label.collect(), named.map(|(id, _)| id).collect())
                    }
                };
                response.push_str(&format!(
                    "          <response_lid ident=\"{name}\"><material><mattext>b{number}</mattext></material><render_choice>\n{labels}\
                     </render_choice></response_lid>\n"
                ));
                for right in right {
                    conditions.push_str(&format!(
                        "          <respcondition><conditionvar><varequal respident=\"{name}\">{right}</varequal></conditionvar>\
                         <setvar varname=\"SCORE\" action=\"Add\">{share}</setvar></respcondition>\n"
                    ));
                }
            }
            Parts {
                kind: if all_options {
                    "multiple_dropdowns_question"
                } else {
                    "fill_in_multiple_blanks_question"
                },
                response,
                conditions,
                ..Parts::default()
            }
        }
    }
}

/// The number of variable sets of an exported formula question. Canvas takes the values of an attempt from one of these sets.
const SETS: u32 = 50;

/// The element from which Canvas takes the values and the answer of a formula question.
fn calculated(parameters: &[Parameter], expression: &str, tolerance: &str) -> String {
    let bound = |number: &Option<Number>| number.as_ref().map(ToString::to_string).unwrap_or_default();
    let vars: String = parameters
        .iter()
        .map(|one| {
            format!(
                "<var name=\"{}\" scale=\"{}\"><min>{}</min><max>{}</max></var>\n",
                escaped(&one.name),
                one.decimals,
                bound(&one.min),
                bound(&one.max)
            )
        })
        .collect();
    let sets: String = sample_values(parameters, SETS)
        .into_iter()
        .zip(1000..)
        .filter_map(|(values, number)| {
            let answer = result(parameters, expression, &values).ok()?;
            let vars: String = values
                .iter()
                .map(|(name, value)| format!("<var name=\"{}\">{value}</var>", escaped(name)))
                .collect();
            Some(format!(
                "<var_set ident=\"{number}\">{vars}<answer>{answer}</answer></var_set>\n"
            ))
        })
        .collect();
    let places = MAX_DECIMALS;
    let expression = escaped(expression);
    format!(
        "        <itemproc_extension><calculated><answer_tolerance>{tolerance}</answer_tolerance>\n\
         <formulas decimal_places=\"{places}\"><formula>{expression}</formula></formulas>\n<vars>\n{vars}</vars>\n\
         <var_sets>\n{sets}</var_sets></calculated></itemproc_extension>\n"
    )
}

fn matching(pairs: &[(&Pair, String)], writer: &Writer<'_>) -> Parts {
    let share = share(pairs.len());
    // Sorted by content, so that positions do not reveal the matches.
    let mut sides: Vec<(String, String)> = pairs
        .iter()
        .map(|(pair, _)| (id_name('r', pair.id), writer.material(&pair.right)))
        .collect();
    sides.sort_by(|a, b| a.1.cmp(&b.1));
    let labels: String = sides
        .iter()
        .map(|(id, said)| format!("<response_label ident=\"{id}\">{said}</response_label>\n"))
        .collect();
    let (mut response, mut conditions) = (String::new(), String::new());
    for (pair, left) in pairs {
        let name = format!("response_{}", id_name('p', pair.id));
        response.push_str(&format!(
            "          <response_lid ident=\"{name}\">{left}<render_choice>\n{labels}</render_choice></response_lid>\n"
        ));
        conditions.push_str(&format!(
            "          <respcondition><conditionvar><varequal respident=\"{name}\">{}</varequal></conditionvar>\
             <setvar varname=\"SCORE\" action=\"Add\">{share}</setvar></respcondition>\n",
            id_name('r', pair.id)
        ));
    }
    Parts {
        kind: "matching_question",
        response,
        conditions,
        ..Parts::default()
    }
}

/// The percentage of one of `parts`, with two decimals as Canvas writes it.
fn share(parts: usize) -> String {
    format!("{:.2}", 100.0 / f64::from(u32::try_from(parts.max(1)).unwrap_or(1)))
}
