//! Rubrics: what graders judge an answer to an open question by. A criterion has levels with points; a grader chooses one level of each
//! criterion, and the points of the answer are their sum.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::json::{Expected, Given, List, Text, object};
use super::number::Points;
use super::problem::Problem;
use super::read::PartId;
use kurso_base::values;

pub const MAX_CRITERIA: usize = 20;
pub const MAX_LEVELS: usize = 10;
/// Characters of the name of a criterion or a level.
pub const MAX_NAME: usize = 200;
/// Characters of the description of a criterion or a level, and of a grader's comment on a criterion.
pub const MAX_DESCRIPTION: usize = 2000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rubric {
    /// Whether learners see it before they answer. With their grade they always see it.
    pub is_shown: bool,
    pub criteria: Vec<Criterion>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    pub id: Uuid,
    pub name: String,
    /// Plain text with line breaks; empty without one.
    pub description: String,
    pub levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    pub id: Uuid,
    pub name: String,
    /// As that of a criterion.
    pub description: String,
    pub points: Points,
}

/// The level that a grader chose for a criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub criterion_id: Uuid,
    pub level_id: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// A mark as the learner sees it, with the names that the rubric had when the answer was graded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkResult {
    pub criterion: String,
    pub level: String,
    /// What the level says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    pub points: Points,
    /// Of the best level of the criterion.
    pub max_points: Points,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl Rubric {
    /// Marks as their learner reads them, in the order of the criteria.
    pub fn results(&self, marks: &[Mark]) -> Vec<MarkResult> {
        let result = |criterion: &Criterion| {
            let mark = marks.iter().find(|mark| mark.criterion_id == criterion.id)?;
            let level = criterion.levels.iter().find(|level| level.id == mark.level_id)?;
            Some(MarkResult {
                criterion: criterion.name.clone(),
                level: level.name.clone(),
                description: level.description.clone(),
                points: level.points,
                max_points: criterion.max_points(),
                comment: mark.comment.clone(),
            })
        };
        self.criteria.iter().filter_map(result).collect()
    }

    /// The points of an answer that has the best level of each criterion, as far as a question can have them.
    pub fn max_points(&self) -> Points {
        Points::of_parts(self.best_parts())
    }

    /// Whether a question with these points can have the rubric.
    pub fn sums_up_to(&self, points: Points) -> bool {
        self.best_parts() == points.parts()
    }

    fn best_parts(&self) -> i64 {
        let best = self.criteria.iter().map(|criterion| criterion.max_points().parts());
        best.sum()
    }

    /// The points of marks. Fails unless they name one level of each criterion.
    pub fn points(&self, marks: &[Mark]) -> Result<Points, Problem> {
        let mut sum = 0;
        for criterion in &self.criteria {
            let mut own = marks.iter().filter(|mark| mark.criterion_id == criterion.id);
            let (Some(mark), None) = (own.next(), own.next()) else {
                return Err(Problem::MarksIncomplete);
            };
            let level = criterion.levels.iter().find(|level| level.id == mark.level_id);
            sum += level.ok_or(Problem::UnknownChoice)?.points.parts();
        }
        match marks.len() == self.criteria.len() {
            true => Ok(Points::of_parts(sum)),
            false => Err(Problem::UnknownChoice),
        }
    }

    /// Checks a rubric that was not read from JSON.
    pub fn check(&self) -> Result<(), values::Problem> {
        super::check::check_count(self.criteria.len(), MAX_CRITERIA)?;
        let mut ids = HashSet::new();
        for criterion in &self.criteria {
            super::check::check_count(criterion.levels.len(), MAX_LEVELS)?;
            super::check::check_text(&criterion.name, MAX_NAME)?;
            super::check::check_text(&criterion.description, MAX_DESCRIPTION)?;
            if !ids.insert(criterion.id) {
                return Err(Problem::RepeatedId.value_error());
            }
            for level in &criterion.levels {
                super::check::check_text(&level.name, MAX_NAME)?;
                super::check::check_text(&level.description, MAX_DESCRIPTION)?;
                if !ids.insert(level.id) {
                    return Err(Problem::RepeatedId.value_error());
                }
            }
        }
        Ok(())
    }
}

impl Criterion {
    /// The points of its best level.
    pub fn max_points(&self) -> Points {
        let points = self.levels.iter().map(|level| level.points.parts());
        Points::of_parts(points.max().unwrap_or_default())
    }
}

object! {
    /// What graders judge the answer by. The points of the question are the sum of the best levels.
    RubricWrite -> Rubric {
        /// Whether learners see it before they answer.
        is_shown: Given<bool> = false,
        criteria: List<CriterionWrite, MAX_CRITERIA>,
    } => |_reader, _at| Some(Rubric { is_shown, criteria: criteria.unwrap_or_default() });

    CriterionWrite -> Criterion {
        id: Given<PartId>,
        name: Expected<Text<MAX_NAME>>,
        description: Given<Text<MAX_DESCRIPTION>> = String::new(),
        /// In the order in which graders see them, usually the best one first.
        levels: List<LevelWrite, MAX_LEVELS>,
    } => |_reader, _at| Some(Criterion {
        id: id.unwrap_or_else(Uuid::now_v7),
        name: name.unwrap_or_default(),
        description,
        levels: levels.unwrap_or_default(),
    });

    LevelWrite -> Level {
        id: Given<PartId>,
        name: Expected<Text<MAX_NAME>>,
        description: Given<Text<MAX_DESCRIPTION>> = String::new(),
        points: Points,
    } => |_reader, _at| Some(Level {
        id: id.unwrap_or_else(Uuid::now_v7),
        name: name.unwrap_or_default(),
        description,
        points: points?,
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::quiz::samples;

    /// Criteria with levels of these points. Their ids count from 1, each criterion before its levels.
    fn rubric(points: &[&[f64]]) -> Rubric {
        let mut next = 0;
        let mut id = || {
            next += 1;
            Uuid::from_u128(next)
        };
        let criteria = points.iter().enumerate().map(|(number, levels)| Criterion {
            id: id(),
            name: format!("Criterion {number}"),
            description: String::new(),
            levels: levels
                .iter()
                .map(|points| Level {
                    id: id(),
                    name: format!("{points}"),
                    description: "Why".into(),
                    points: Points::nearest(*points),
                })
                .collect(),
        });
        Rubric {
            is_shown: false,
            criteria: criteria.collect(),
        }
    }

    fn mark(criterion: u128, level: u128) -> Mark {
        Mark {
            criterion_id: Uuid::from_u128(criterion),
            level_id: Uuid::from_u128(level),
            comment: None,
        }
    }

    #[test]
    fn marks_name_exactly_one_level_of_each_criterion() {
        let rubric = rubric(&[&[0.0, 1.5], &[2.0]]);
        assert_eq!(rubric.max_points(), Points::nearest(3.5));
        for (marks, points) in [
            (vec![mark(1, 3), mark(4, 5)], Ok(Points::nearest(3.5))),
            (vec![mark(4, 5), mark(1, 2)], Ok(Points::nearest(2.0))),
            (vec![], Err(Problem::MarksIncomplete)),
            (vec![mark(1, 2)], Err(Problem::MarksIncomplete)),
            (vec![mark(1, 2), mark(1, 3), mark(4, 5)], Err(Problem::MarksIncomplete)),
            (vec![mark(1, 5), mark(4, 5)], Err(Problem::UnknownChoice)),
            (vec![mark(1, 2), mark(4, 5), mark(9, 9)], Err(Problem::UnknownChoice)),
        ] {
            assert_eq!(rubric.points(&marks), points, "{marks:?}");
        }
    }

    #[test]
    fn results_have_the_names_of_the_rubric_in_its_order() {
        let rubric = rubric(&[&[0.0, 1.5], &[2.0]]);
        let commented = Mark {
            comment: Some("Well".into()),
            ..mark(4, 5)
        };
        let results = rubric.results(&[commented, mark(1, 2)]);
        assert_eq!(
            serde_json::to_value(&results).unwrap(),
            json!([
                {"criterion": "Criterion 0", "level": "0", "description": "Why", "points": 0, "max_points": 1.5},
                {"criterion": "Criterion 1", "level": "2", "description": "Why", "points": 2, "max_points": 2, "comment": "Well"},
            ])
        );
    }

    #[test]
    fn a_rubric_is_read_with_and_without_ids() {
        let id = Uuid::from_u128(7);
        let read = |rubric: serde_json::Value| {
            let quiz = crate::quiz::read(&json!({"questions": [{"type": "essay", "prompt": "?", "rubric": rubric}]}));
            quiz.map(|quiz| quiz.questions[0].kind.rubric().cloned())
        };
        assert_eq!(read(json!(null)).unwrap(), None);
        let level = json!({"name": "Yes", "points": 1});
        let rubric = read(json!({"criteria": [{"id": id, "name": "Clear", "levels": [level]}]}))
            .unwrap()
            .unwrap();
        assert_eq!(
            (rubric.is_shown, rubric.criteria[0].id, rubric.criteria[0].levels.len()),
            (false, id, 1)
        );
        assert_eq!(rubric.check(), Ok(()));
        for (broken, at) in [
            (json!(1), vec!["rubric"]),
            (json!({}), vec!["rubric", "criteria"]),
            (
                json!({"criteria": [{"id": id, "levels": [{"points": 1001}]}]}),
                vec!["rubric", "criteria", "0", "levels", "0", "points"],
            ),
            (
                json!({"criteria": [{"id": id, "levels": []}, {"id": id, "levels": []}]}),
                vec!["rubric", "criteria", "1", "id"],
            ),
            (
                json!({"criteria": [{"levels": [{"id": id, "points": 1}, {"id": id, "points": 1}]}]}),
                vec!["rubric", "criteria", "0", "levels", "1", "id"],
            ),
            (
                json!({"criteria": [{"name": "x".repeat(MAX_NAME + 1), "levels": []}]}),
                vec!["rubric", "criteria", "0", "name"],
            ),
            (
                json!({"criteria": vec![json!({"levels": []}); MAX_CRITERIA + 1]}),
                vec!["rubric", "criteria"],
            ),
            (
                json!({"criteria": [{"levels": vec![level; MAX_LEVELS + 1]}]}),
                vec!["rubric", "criteria", "0", "levels"],
            ),
        ] {
            let kurso_base::error::Error::Invalid(errors) = read(broken.clone()).unwrap_err() else {
                panic!()
            };
            let loc = serde_json::to_value(&errors[0].loc).unwrap();
            let steps: Vec<_> = loc.as_array().unwrap()[4..]
                .iter()
                .map(|step| step.to_string().replace('"', ""))
                .collect();
            assert_eq!(steps, at, "{broken}");
        }
    }

    fn any_rubric() -> impl Strategy<Value = Rubric> {
        samples::quiz().prop_filter_map("no question has a rubric", |quiz| {
            quiz.questions
                .into_iter()
                .find_map(|question| question.kind.rubric().cloned())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { max_global_rejects: 10_000, ..ProptestConfig::default() })]

        /// The points of any choice are the sum of its levels, at most those of the best levels, and do not depend on the order of the marks.
        #[test]
        fn points_are_the_sum_of_the_levels(rubric in any_rubric(), bits in any::<u64>()) {
            let mut marks = vec![];
            let mut sum = 0;
            for (shift, criterion) in rubric.criteria.iter().enumerate() {
                let level = &criterion.levels[(bits >> shift) as usize % criterion.levels.len()];
                sum += level.points.parts();
                marks.push(Mark { criterion_id: criterion.id, level_id: level.id, comment: None });
            }
            let points = rubric.points(&marks).unwrap();
            prop_assert_eq!(points.parts(), sum);
            prop_assert!(points <= rubric.max_points());
            let results = rubric.results(&marks);
            prop_assert_eq!(results.iter().map(|mark| mark.points.parts()).sum::<i64>(), sum);
            prop_assert_eq!(results.iter().map(|mark| mark.max_points.parts()).sum::<i64>(), rubric.max_points().parts());
            marks.reverse();
            prop_assert_eq!(rubric.points(&marks).unwrap(), points);
            marks.pop();
            prop_assert_eq!(rubric.points(&marks), Err(Problem::MarksIncomplete));
        }

        #[test]
        fn a_rubric_is_read_as_it_was_written(rubric in any_rubric()) {
            prop_assert_eq!(rubric.check(), Ok(()));
            let question = json!({"type": "essay", "prompt": "?", "rubric": rubric});
            let quiz = crate::quiz::read(&json!({"questions": [question]})).unwrap();
            prop_assert_eq!(quiz.questions[0].kind.rubric(), Some(&rubric));
        }
    }
}
