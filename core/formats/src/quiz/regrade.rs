//! Merges a taken quiz with its changed version, for regrading attempts
//! ([decision 112](../../../../docs/decisions/0112-consequences-and-regrading.md)).

use std::collections::BTreeSet;
use std::mem::discriminant;

use super::model::{Kind, Question, Quiz};
use super::number::Points;

/// How regrading treats a question that was removed from the quiz.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RemovedQuestions {
    /// Its points are excluded from the total.
    #[default]
    Exclude,
    /// Every attempt that has the question gets its full points.
    FullPoints,
}

kurso_base::values::choices! {
    RemovedQuestions: "exclude" => RemovedQuestions::Exclude, "full_points" => RemovedQuestions::FullPoints;
}

impl Quiz {
    /// Merges this quiz, by which attempts were taken, with the quiz `new` that replaced it: the questions of the attempts, with the keys and points
    /// of `new`. A draw keeps the drawn questions and a question graded by a person keeps its rubric and guide; both get the new points.
    /// Questions that only `new` has are left out, because nobody was asked them. A question whose type changed, or a formula whose parameters
    /// changed, counts as removed even if its id is the same. A removed question stays in the quiz; an earlier decision about it is kept.
    #[must_use]
    pub fn regraded_by(&self, new: &Quiz, removed: RemovedQuestions) -> Quiz {
        let mut full_points = self.full_points.clone();
        let questions = self.questions.iter().map(|question| {
            let kept = new.question(question.id).filter(|new| question.is_still(new));
            match kept {
                Some(new) => {
                    full_points.retain(|id| *id != question.id);
                    match question.kind.is_open() || question.kind.is_draw() {
                        true => Question {
                            points: new.points,
                            ..question.clone()
                        },
                        false => new.clone(),
                    }
                }
                None if question.points.is_zero() || full_points.contains(&question.id) => question.clone(),
                None if removed == RemovedQuestions::FullPoints => {
                    full_points.push(question.id);
                    question.clone()
                }
                None => Question {
                    points: Points::ZERO,
                    ..question.clone()
                },
            }
        });
        let questions = questions.collect();
        Quiz {
            pass_percent: new.pass_percent,
            questions,
            full_points,
            ..*self
        }
    }
}

impl Question {
    /// Whether answers to this question are answers to the other one.
    fn is_still(&self, other: &Question) -> bool {
        discriminant(&self.kind) == discriminant(&other.kind) && parameters(&self.kind) == parameters(&other.kind)
    }
}

/// The names of the parameters of a formula question; none for other questions.
fn parameters(kind: &Kind) -> BTreeSet<&str> {
    let parameters = match kind {
        Kind::Formula { parameters, .. } => parameters.as_slice(),
        _ => &[],
    };
    parameters.iter().map(|parameter| parameter.name.as_str()).collect()
}

#[cfg(test)]
mod tests;
