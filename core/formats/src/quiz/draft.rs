//! A quiz as its author sends it.

use serde_json::Value;

use super::{Quiz, read};
use kurso_base::error::Error;
use kurso_base::values::{Checked, Problem};

/// A quiz whose values are within their bounds, read from the author's form (docs/quizzes.md). It need not be complete.
#[derive(Clone, Debug, PartialEq)]
pub struct QuizDraft(Quiz);

impl QuizDraft {
    pub fn as_quiz(&self) -> &Quiz {
        &self.0
    }
}

impl Checked for QuizDraft {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, Problem> {
        // Without the body and the name of the field, which the reader of the field adds.
        read(&plain).map(QuizDraft).map_err(|error| problem_of(error, 2))
    }

    fn wrong_type() -> Problem {
        Problem::missing()
    }
}

/// The problem of a value that [`read`] has refused, with its other problems. Leaves out the first `outside` parts of each location.
pub(super) fn problem_of(error: Error, outside: usize) -> Problem {
    let errors = match error {
        Error::Invalid(errors) => errors,
        other => return Problem::new("value_error", other.message()),
    };
    let mut problems = errors.into_iter().map(|error| Problem {
        ctx: error.ctx,
        inside: error.loc.into_iter().skip(outside).collect(),
        shown: Some(error.input),
        ..Problem::new(error.kind, error.message)
    });
    let first = problems.next().unwrap_or_else(Problem::missing);
    Problem {
        others: problems.collect(),
        ..first
    }
}

#[cfg(any(test, feature = "testing"))]
impl<'de> serde::Deserialize<'de> for QuizDraft {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        QuizDraft::check(value).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}
