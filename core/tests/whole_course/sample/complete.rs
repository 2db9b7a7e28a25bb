//! Says what the sample lacks.

use std::collections::{BTreeMap, BTreeSet};

use kurso_formats::content::schema::{MARKS, NODES};
use kurso_formats::quiz::{Kind, Quiz};
use serde_json::Value;

use super::quiz::{assignment, quiz};
use crate::whole_course::rows::{NOT_CARRIED, Rows, listed};

/// Fails if a compared column, a quiz setting, a type of question, a node or a mark is not in the sample.
pub fn assert_complete(rows: &Rows) {
    let mut values: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (column, value) in rows.values().flatten() {
        let (count, seen) = values.entry(column).or_default();
        *count += 1;
        seen.insert(value);
    }
    for name in listed(NOT_CARRIED) {
        assert!(
            values.contains_key(name),
            "there is no column {name}: remove the exception"
        );
    }
    let carried = values.iter().filter(|(name, _)| !listed(NOT_CARRIED).contains(*name));
    for (name, (count, seen)) in carried {
        assert!(
            seen.iter().any(|value| *value != "Null") && (*count == 1 || seen.len() > 1 || name.ends_with("course_id")),
            "{name} has no value or only one in the sample: {seen:?}"
        );
    }

    let text = |column: &str| -> String { rows.values().filter_map(|row| row.get(column)).cloned().collect() };
    let contents = text("page_contents.content") + &text("page_contents.quiz");
    let attrs = NODES.iter().map(|node| (node.name, node.attrs));
    for (kind, attrs) in attrs.chain(MARKS.iter().map(|mark| (mark.name, mark.attrs))) {
        assert!(
            contents.contains(&format!("\"type\": \"{kind}\"")),
            "no {kind} in the sample"
        );
        let unread = ["target", "rel", "class"];
        for attr in attrs.iter().filter(|attr| !unread.contains(&attr.name)) {
            assert!(
                contents.contains(&format!("\"{}\": ", attr.name)),
                "no {} of {kind} in the sample",
                attr.name
            );
        }
    }

    let quizzes = rows.values().filter_map(|row| row.get("page_contents.quiz"));
    let settings = |quiz: &Quiz| {
        serde_json::to_value(Quiz {
            questions: vec![],
            ..quiz.clone()
        })
        .unwrap()
    };
    let (sample, default) = (settings(&quiz("")), settings(&Quiz::default()));
    for (name, value) in sample
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| *name != "questions")
    {
        assert_ne!(*value, default[name], "the sample has the default for {name} of a quiz");
    }
    let questions: Vec<Value> = quizzes
        .filter_map(|text| serde_json::from_str::<Value>(text).ok())
        .flat_map(|quiz| quiz["questions"].as_array().unwrap().clone())
        .collect();
    let samples = [quiz(""), assignment()];
    for kind in samples
        .iter()
        .flat_map(|quiz| &quiz.questions)
        .map(|question| &question.kind)
    {
        // All fields are named, so that a new type or field fails to compile until it is listed here.
        let fields: &[&str] = match kind {
            Kind::SingleChoice { options: _ } => &["options"],
            Kind::MultipleChoice {
                options: _,
                all_or_nothing: _,
            } => &["options", "all_or_nothing"],
            Kind::ShortText {
                accepted: _,
                case_sensitive: _,
                regex: _,
            } => &["accepted", "case_sensitive", "regex"],
            Kind::Numeric {
                value: _,
                tolerance: _,
                tolerance_percent: _,
                units: _,
            } => &["value", "tolerance", "tolerance_percent", "units"],
            Kind::Formula {
                parameters: _,
                expression: _,
                tolerance: _,
                tolerance_percent: _,
                units: _,
            } => &["parameters", "expression", "tolerance", "tolerance_percent", "units"],
            Kind::Matching { pairs: _ } => &["pairs"],
            Kind::Ordering { items: _ } => &["items"],
            Kind::FillBlank { text: _, blanks: _ } => &["text", "blanks"],
            Kind::Hotspot {
                picture: _,
                zones: _,
                mark_all: _,
                all_or_nothing: _,
            } => &["picture", "zones", "mark_all", "all_or_nothing"],
            Kind::Essay {
                min_words: _,
                max_words: _,
                guide: _,
                rubric: _,
            } => &["min_words", "max_words", "guide", "rubric"],
            Kind::FileUpload {
                max_files: _,
                extensions: _,
                guide: _,
                rubric: _,
            } => &["max_files", "extensions", "guide", "rubric"],
            Kind::HandIn {
                takes_text: _,
                min_words: _,
                max_words: _,
                max_files: _,
                extensions: _,
                max_links: _,
                guide: _,
                rubric: _,
            } => &[
                "takes_text",
                "min_words",
                "max_words",
                "max_files",
                "extensions",
                "max_links",
                "guide",
                "rubric",
            ],
            // `draws` tests copies of draws: a cartridge has none.
            Kind::Draw { .. } => continue,
        };
        let name = serde_json::to_value(kind).unwrap()["type"].clone();
        for field in fields
            .iter()
            .chain(&["prompt", "points", "explanation", "hints", "source"])
        {
            assert!(
                questions
                    .iter()
                    .any(|question| question["type"] == name && question.get(field).is_some()),
                "no {name} with {field} in the sample"
            );
        }
        if let Kind::SingleChoice { .. } | Kind::MultipleChoice { .. } = kind {
            let of_kind = questions.iter().filter(|question| question["type"] == name);
            let options = of_kind.flat_map(|question| question["options"].as_array().into_iter().flatten());
            let options: Vec<&Value> = options.collect();
            for field in ["feedback", "weight"] {
                assert!(
                    options.iter().any(|option| option.get(field).is_some()),
                    "no {name} with {field} of an option in the sample"
                );
            }
        }
    }
}
