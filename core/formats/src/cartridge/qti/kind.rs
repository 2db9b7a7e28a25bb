//! Determines the question type, the correct answers and the points of a QTI item.

use std::collections::HashMap;

use super::item::{Condition, Item, Response, ResponseKind};
use crate::quiz::Points;

/// Limit of the answers of a response: more than a question may have options or accepted texts.
const MAX_ANSWERS: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Single,
    Multiple,
    Dropdowns,
    Blanks,
    Matching,
    Ordering,
    Numeric,
    Calculated,
    Short,
    Essay,
    Upload,
    Text,
    /// Each response is a category, its labels are the members.
    Categories,
}

pub(super) fn kind(item: &Item) -> Option<Kind> {
    let said = item
        .fields
        .get("question_type")
        .or_else(|| item.fields.get("cc_profile"));
    let said = said.map(|name| {
        let name = name.strip_suffix("_question").unwrap_or(name);
        let name = name.strip_prefix("cc.").unwrap_or(name);
        name.split('.').next().unwrap_or_default().to_ascii_lowercase()
    });
    let known = match said.as_deref() {
        Some("multiple_choice" | "true_false") => Kind::Single,
        Some("multiple_answers" | "multiple_response") => Kind::Multiple,
        Some("multiple_dropdowns") => Kind::Dropdowns,
        Some("fill_in_multiple_blanks") => Kind::Blanks,
        Some("matching") => Kind::Matching,
        Some("numerical") => Kind::Numeric,
        Some("calculated") => Kind::Calculated,
        Some("essay") => Kind::Essay,
        Some("file_upload") => Kind::Upload,
        Some("text_only") => Kind::Text,
        Some("short_answer" | "fib" | "pattern_match") => Kind::Short,
        Some("categorization") => Kind::Categories,
        Some("hot_spot") => return None,
        _ => return brightspace_kind(item).unwrap_or_else(|| inferred(item)),
    };
    Some(known)
}

/// The type that Brightspace names. `Some(None)` is a type that Kurso does not support.
fn brightspace_kind(item: &Item) -> Option<Option<Kind>> {
    let said = item.fields.get("qmd_questiontype")?;
    let known = match said.trim().to_ascii_lowercase().as_str() {
        // Brightspace marks questions with one answer as multiple, too.
        "multiple choice" | "true/false" => Kind::Single,
        "multi-select" => Kind::Multiple,
        "short answer" | "multi-short answer" => Kind::Short,
        "long answer" => Kind::Essay,
        "matching" => Kind::Matching,
        "ordering" => Kind::Ordering,
        "fill in the blanks" => Kind::Blanks,
        "text" | "image" => Kind::Text,
        // Their answers are formulas.
        "arithmetic" | "significant figures" | "likert" => return Some(None),
        _ => return None,
    };
    Some(Some(known))
}

/// Infers the type from the responses if the item does not name it.
pub(super) fn inferred(item: &Item) -> Option<Kind> {
    let Some(first) = item.responses.first() else {
        return Some(Kind::Text);
    };
    // For example hot spots: there are no labels with text.
    let nothing = |response: &Response| response.labels.iter().all(|(_, said)| said.is_empty());
    if !matches!(first.kind, ResponseKind::Text | ResponseKind::Number) && item.responses.iter().all(nothing) {
        return None;
    }
    let asks = |condition: &Condition, ops: &[&str]| condition.tests.iter().any(|test| ops.contains(&test.op.as_str()));
    let any = |ops: &[&str]| item.conditions.iter().any(|condition| asks(condition, ops));
    let kind = match (first.kind, item.responses.len()) {
        (ResponseKind::Order, 1) => Kind::Ordering,
        (ResponseKind::Many, 1) => Kind::Multiple,
        (ResponseKind::One, 1) => Kind::Single,
        (ResponseKind::Number, 1) => Kind::Numeric,
        (ResponseKind::Text, 1) if any(&["vargte", "varlte", "vargt", "varlt"]) => Kind::Numeric,
        (ResponseKind::Text, 1) if item.conditions.iter().any(|c| c.scores() && !c.tests.is_empty()) => Kind::Short,
        (ResponseKind::Text, 1) => Kind::Essay,
        (ResponseKind::Text | ResponseKind::Number, _) => Kind::Blanks,
        (ResponseKind::One, _) => {
            let words =
                |response: &Response| -> Vec<String> { response.labels.iter().map(|(_, said)| said.plain()).collect() };
            let expected = words(first);
            let same = |response: &Response| !response.name.is_empty() && words(response) == expected;
            if item.responses.iter().all(same) {
                Kind::Matching
            } else {
                Kind::Dropdowns
            }
        }
        _ => return None,
    };
    Some(kind)
}

/// The answers that conditions compare with a response, in order, and the best score of each.
#[derive(Default)]
pub(super) struct Scores<'i> {
    answers: Vec<&'i str>,
    best: HashMap<&'i str, f64>,
}

impl<'i> Scores<'i> {
    fn add(&mut self, answer: &'i str, score: f64) {
        if !self.best.contains_key(answer) {
            if self.answers.len() >= MAX_ANSWERS {
                return;
            }
            self.answers.push(answer);
        }
        let known = self.best.entry(answer).or_insert(score);
        *known = known.max(score);
    }

    /// The score of an answer; `None` if no condition names it.
    pub fn of(&self, answer: &str) -> Option<f64> {
        self.best.get(answer).copied()
    }

    pub fn is_right(&self, answer: &str) -> bool {
        self.of(answer).is_some_and(|score| score > 0.0)
    }

    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.best.values().copied()
    }

    /// The answers that earn points.
    pub fn accepted(&self) -> impl Iterator<Item = &'i str> {
        self.answers.iter().copied().filter(|answer| self.is_right(answer))
    }
}

/// Each answer that a condition compares, with its response and its score.
fn compared(item: &Item) -> impl Iterator<Item = (&str, &str, f64)> {
    let scored = item
        .conditions
        .iter()
        .filter_map(|condition| Some((condition.score?, &condition.tests)));
    scored.flat_map(|(score, tests)| {
        let tests = tests.iter().filter(|test| !test.not && test.op == "varequal");
        tests.map(move |test| (test.response.as_str(), test.value.as_str(), score))
    })
}

/// The scores of all responses together.
pub(super) fn scores(item: &Item) -> Scores<'_> {
    let mut scores = Scores::default();
    for (_, answer, score) in compared(item) {
        scores.add(answer, score);
    }
    scores
}

/// The scores of each response. One pass for all of them: an item may have hundreds of responses and conditions.
pub(super) fn scores_by_response(item: &Item) -> HashMap<&str, Scores<'_>> {
    let mut scores: HashMap<&str, Scores<'_>> = HashMap::new();
    for (response, answer, score) in compared(item) {
        scores.entry(response).or_default().add(answer, score);
    }
    scores
}

pub(super) fn points(item: &Item) -> Option<Points> {
    let said = item
        .fields
        .get("points_possible")
        .or_else(|| item.fields.get("cc_weighting"))
        .or_else(|| item.fields.get("qmd_weighting"))?;
    said.trim()
        .parse()
        .ok()
        .filter(|points: &f64| !points.is_nan())
        .map(Points::nearest)
}
