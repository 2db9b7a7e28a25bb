//! Grading: pure functions over exact fractions.
//!
//! The credit of a question is between 0 and 1 and is multiplied by its points:
//!
//! - single_choice: 1 for the correct option; with weights, the weight of the chosen option;
//! - multiple_choice: correct choices minus wrong ones, divided by the number of correct options, at least 0; with weights, the sum of the
//!   chosen weights divided by the sum of all positive weights; if all or nothing, 1 when exactly the correct options are chosen;
//! - short_text: 1 when the text is accepted or matches the pattern; numeric: 1 when the number is within the tolerance after
//!   conversion to the first unit;
//! - matching: correct pairs divided by all pairs; ordering: correct neighbours divided by all neighbours; fill_blank: correct
//!   blanks divided by all blanks;
//! - formula: like the numeric question that it becomes with the values of the attempt ([`Question::with_values`]); 0 without values;
//! - hotspot: 1 when the place is in a zone; if all zones are to be marked, zones with a place of their own divided by all zones;
//!   if all or nothing, 1 when all zones have one;
//! - essay, file_upload and hand_in: the points that a grader gives; 0 until then;
//! - any question that gives its points to everybody ([`Quiz::full_points`]): 1, also without an answer.
//!
//! Right sides of pairs that look the same are interchangeable, and so are items of an ordering.

use std::collections::{HashMap, VecDeque};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _, Zero as _};
use serde_json::Number;
use uuid::Uuid;

use super::answers::{Answer, FilledBlank, FilledWith, Given, Match, Quantity};
use super::choice::right_ones;
use super::model::{Blank, Filling, Item, Kind, Pair, Question, Quiz};
use super::number::{self, Points};
use super::text;
use super::units::{self, Unit};
use super::zones;

mod choices;

/// The result of grading a quiz.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    pub score: BigRational,
    pub max: BigRational,
    /// In the order of the quiz.
    pub questions: Vec<QuestionGrade>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct QuestionGrade {
    pub question_id: Uuid,
    pub points: BigRational,
    pub max_points: Points,
    /// Whether the answer got full credit.
    pub correct: bool,
    /// Whether it waits for a person to grade it; until then it has no points.
    pub is_waiting: bool,
}

impl Grade {
    /// The score in whole percent, rounded down: 100 only for full credit in every question.
    pub fn percent(&self) -> u8 {
        let percent = number::percent(&self.score, &self.max).floor().to_integer();
        percent.to_u8().unwrap_or(0)
    }

    /// The grade with the points that graders gave to answers, by question. Answers without such points keep waiting.
    #[must_use]
    pub fn with_given(mut self, given: &HashMap<Uuid, Points>) -> Self {
        for question in self.questions.iter_mut().filter(|question| question.is_waiting) {
            let Some(points) = given.get(&question.question_id) else {
                continue;
            };
            question.points = points.exact();
            question.correct = *points >= question.max_points;
            question.is_waiting = false;
            self.score += &question.points;
        }
        self
    }

    /// The number of answers that wait for a grader. Answers to questions without points are not counted, because they cannot change the score.
    pub fn waiting(&self) -> usize {
        let waits = |question: &&QuestionGrade| question.is_waiting && !question.max_points.is_zero();
        self.questions.iter().filter(waits).count()
    }

    /// The grade with a score that is less by this percentage. The points of the questions stay.
    #[must_use]
    pub fn reduced_by(self, percent: i64) -> Self {
        let kept = BigRational::new(BigInt::from(100 - percent.clamp(0, 100)), BigInt::from(100));
        Grade {
            score: self.score * kept,
            ..self
        }
    }

    /// Whether the exact score reaches the percentage: 69.99 % does not reach 70.
    pub fn passes(&self, pass_percent: u8) -> bool {
        number::percent(&self.score, &self.max) >= BigRational::from(BigInt::from(pass_percent))
    }
}

/// Grades answers that were read for this quiz. A question without an answer scores 0.
pub fn grade(quiz: &Quiz, answers: &[Answer]) -> Grade {
    let answers: HashMap<Uuid, &Given> = answers.iter().map(|a| (a.question_id, &a.given)).collect();
    let mut grade = Grade {
        score: BigRational::zero(),
        max: BigRational::zero(),
        questions: Vec::with_capacity(quiz.questions.len()),
    };
    for question in quiz.asked() {
        let given = answers.get(&question.id);
        let is_full = quiz.full_points.contains(&question.id);
        let credit = match (is_full, given) {
            (true, _) => BigRational::one(),
            (false, Some(given)) => credit(&question.kind, given),
            (false, None) => BigRational::zero(),
        };
        let max = question.points.exact();
        let points = &credit * &max;
        grade.score += &points;
        grade.max += max;
        grade.questions.push(QuestionGrade {
            question_id: question.id,
            points,
            max_points: question.points,
            correct: credit.is_one(),
            is_waiting: question.kind.is_open() && given.is_some() && !is_full,
        });
    }
    grade
}

fn credit(kind: &Kind, given: &Given) -> BigRational {
    let all_or_nothing = |right: bool| share(usize::from(right), 1);
    match (kind, given) {
        (Kind::SingleChoice { options }, Given::Options(chosen)) => choices::one(options, chosen),
        (
            Kind::MultipleChoice {
                options,
                all_or_nothing: true,
            },
            Given::Options(chosen),
        ) => all_or_nothing(choices::are_exact(options, chosen)),
        (Kind::MultipleChoice { options, .. }, Given::Options(chosen)) => choices::several(options, chosen),
        (
            Kind::ShortText {
                accepted,
                case_sensitive,
                regex,
            },
            Given::Text(answer),
        ) => all_or_nothing(
            text::is_accepted(answer, accepted, *case_sensitive)
                || regex
                    .as_ref()
                    .is_some_and(|pattern| text::matches(answer, pattern, *case_sensitive)),
        ),
        (
            Kind::Numeric {
                value,
                tolerance,
                tolerance_percent,
                units,
            },
            Given::Number(answer),
        ) => {
            let tolerances = (tolerance, tolerance_percent.as_ref());
            all_or_nothing(numeric(value.as_ref(), tolerances, units, answer).unwrap_or(false))
        }
        (Kind::Matching { pairs }, Given::Pairs(_)) => share(right_parts(kind, given).len(), pairs.len()),
        (Kind::Ordering { items }, Given::Order(order)) => ordering(items, order),
        (Kind::FillBlank { blanks, .. }, Given::Blanks(_)) => share(right_parts(kind, given).len(), blanks.len()),
        (
            Kind::Hotspot {
                zones,
                mark_all,
                all_or_nothing,
                ..
            },
            Given::Places(places),
        ) => zones::credit(zones, places, *mark_all, *all_or_nothing),
        // Answers of another type are refused when they are read.
        _ => BigRational::zero(),
    }
}

/// `part` divided by `whole`; 0 when `whole` is 0.
pub fn share(part: usize, whole: usize) -> BigRational {
    if whole == 0 {
        return BigRational::zero();
    }
    BigRational::new(part.into(), whole.into())
}

fn numeric(
    value: Option<&Number>,
    (tolerance, percent): (&Number, Option<&Number>),
    units: &[Unit],
    answer: &Quantity,
) -> Option<bool> {
    let percent = percent.map(number::exact);
    let written = number::decimal(&answer.number)?;
    Some(number::is_close(
        &units::in_first_unit(written, answer.unit.as_deref(), units)?,
        &number::exact(value?)?,
        &number::exact(tolerance)?,
        match &percent {
            Some(percent) => Some(percent.as_ref()?),
            None => None,
        },
    ))
}

/// The ids of the pairs that an answer matches correctly, or of the blanks that it fills correctly. Empty for questions of other types.
pub fn right_parts(kind: &Kind, given: &Given) -> Vec<Uuid> {
    match (kind, given) {
        (Kind::Matching { pairs }, Given::Pairs(matches)) => right_pairs(pairs, matches),
        (Kind::FillBlank { blanks, .. }, Given::Blanks(filled)) => {
            let right = filled.iter().filter(|filled| fills(blanks, filled));
            right.map(|filled| filled.blank_id).collect()
        }
        _ => vec![],
    }
}

fn right_pairs(pairs: &[Pair], matches: &[Match]) -> Vec<Uuid> {
    let by_id: HashMap<Uuid, &Pair> = pairs.iter().map(|pair| (pair.id, pair)).collect();
    let right = matches.iter().filter(|matched| {
        let sides = by_id.get(&matched.left_id).zip(by_id.get(&matched.right_id));
        sides.is_some_and(|(left, right)| left.right == right.right)
    });
    right.map(|matched| matched.left_id).collect()
}

fn ordering(items: &[Item], order: &[Uuid]) -> BigRational {
    // The first given of several equal items takes the first of their places in the correct order.
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut contents: HashMap<Uuid, String> = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        let content = item.content.to_string();
        places.entry(content.clone()).or_default().push_back(place);
        contents.insert(item.id, content);
    }
    let given: Vec<Option<usize>> = order
        .iter()
        .map(|id| places.get_mut(contents.get(id)?)?.pop_front())
        .collect();
    let neighbours = given.windows(2).filter(|pair| match pair {
        [Some(a), Some(b)] => a + 1 == *b,
        _ => false,
    });
    share(neighbours.count(), items.len().saturating_sub(1))
}

fn fills(blanks: &[Blank], filled: &FilledBlank) -> bool {
    let Some(blank) = blanks.iter().find(|blank| blank.id == filled.blank_id) else {
        return false;
    };
    match (&blank.filling, &filled.with) {
        (Filling::Accepted(accepted), FilledWith::Text(answer)) => text::is_accepted(answer, accepted, false),
        (Filling::Options(options), FilledWith::OptionId(id)) => right_ones(options).any(|option| option.id == *id),
        _ => false,
    }
}

/// An answer that gets full credit. None when only a pattern, a person or the values of an attempt decide what is correct.
pub fn right_answer(question: &Question) -> Option<Given> {
    let says_something = |text: &&String| !text::is_blank(text);
    match &question.kind {
        Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => {
            Some(Given::Options(right_ones(options).map(|option| option.id).collect()))
        }
        Kind::ShortText { accepted, .. } => accepted.iter().find(says_something).cloned().map(Given::Text),
        Kind::Essay { .. }
        | Kind::FileUpload { .. }
        | Kind::HandIn { .. }
        | Kind::Draw { .. }
        | Kind::Formula { .. } => None,
        Kind::Numeric { value, units, .. } => value.as_ref().map(|value| {
            Given::Number(Quantity {
                number: value.to_string(),
                unit: units.first().map(|unit| unit.name.clone()),
            })
        }),
        Kind::Matching { pairs } => {
            let pair = |pair: &Pair| Match {
                left_id: pair.id,
                right_id: pair.id,
            };
            Some(Given::Pairs(pairs.iter().map(pair).collect()))
        }
        Kind::Ordering { items } => Some(Given::Order(items.iter().map(|item| item.id).collect())),
        Kind::Hotspot { zones, mark_all, .. } => {
            (!zones.is_empty()).then(|| Given::Places(zones::sample_places(zones, *mark_all)))
        }
        Kind::FillBlank { blanks, .. } => {
            let filled = blanks.iter().filter_map(|blank| {
                let with = match &blank.filling {
                    Filling::Accepted(accepted) => FilledWith::Text(accepted.iter().find(says_something)?.clone()),
                    Filling::Options(options) => FilledWith::OptionId(right_ones(options).next()?.id),
                };
                Some(FilledBlank {
                    blank_id: blank.id,
                    with,
                })
            });
            Some(Given::Blanks(filled.collect()))
        }
    }
}

#[cfg(test)]
mod tests;
