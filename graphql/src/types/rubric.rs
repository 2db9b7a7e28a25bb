//! Rubrics, the marks that graders choose in them, and comments pinned to places of an answer.

use async_graphql::{ID, SimpleObject};
use kurso_core::assessments;
use kurso_formats::quiz::{self, Place};

use super::{id_of, int};
use crate::cost;

/// What graders judge an answer by. A grader chooses one level of each criterion; the points of the answer are their sum.
#[derive(SimpleObject)]
pub struct Rubric {
    /// Whether students see it before they answer.
    is_shown: bool,
    /// In display order.
    #[graphql(complexity = "cost::list(cost::CRITERIA, child_complexity)")]
    criteria: Vec<RubricCriterion>,
}

/// What a rubric judges an answer by.
#[derive(SimpleObject)]
pub struct RubricCriterion {
    /// Unique ID.
    id: ID,
    /// Name.
    name: String,
    /// Plain text with line breaks; may be empty.
    description: String,
    /// Points of its best level.
    max_points: f64,
    /// In display order.
    #[graphql(complexity = "cost::list(cost::LEVELS, child_complexity)")]
    levels: Vec<RubricLevel>,
}

/// How well an answer may meet a criterion.
#[derive(SimpleObject)]
pub struct RubricLevel {
    /// Unique ID.
    id: ID,
    /// Name.
    name: String,
    /// Plain text with line breaks; may be empty.
    description: String,
    /// Points of this level.
    points: f64,
}

/// The level that a grader chose for a criterion.
#[derive(SimpleObject)]
pub struct Mark {
    /// ID of the criterion.
    criterion_id: ID,
    /// ID of the level.
    level_id: ID,
    /// Comment on the criterion.
    comment: Option<String>,
}

/// What a grader chose in the rubric, as the student reads it.
#[derive(SimpleObject)]
pub struct MarkResult {
    /// Name of the criterion.
    criterion: String,
    /// Name of the level.
    level: String,
    /// What the level says: plain text with line breaks; may be empty.
    description: String,
    /// Points of the level.
    points: f64,
    /// Points of the best level of the criterion.
    max_points: f64,
    /// The grader's comment on the criterion.
    comment: Option<String>,
}

/// A grader's comment at a place of an answer: either `start` and `end`, or `fileId`, `x` and `y`. The others are null.
#[derive(SimpleObject)]
pub struct PinnedComment {
    /// Where the place in the text starts: offset in Unicode code points in the text nodes of the document in order, without separators.
    start: Option<i32>,
    /// Where it ends, exclusive.
    end: Option<i32>,
    /// ID of a picture among the files of the answer.
    file_id: Option<ID>,
    /// Percent of the width of the picture.
    x: Option<f64>,
    /// Percent of the height of the picture.
    y: Option<f64>,
    /// Plain text with line breaks.
    comment: String,
}

/// The rubric of a question of the course.
#[derive(SimpleObject)]
pub struct UsedRubric {
    /// ID of the quiz page.
    page_id: ID,
    /// Null when the page is shown by its number.
    page_title: Option<String>,
    /// Number of the question, from 1.
    number: i32,
    /// Prompt as plain text on one line, cut at 200 characters.
    prompt: String,
    /// Its rubric.
    rubric: Rubric,
}

impl From<&quiz::Rubric> for Rubric {
    fn from(rubric: &quiz::Rubric) -> Self {
        Rubric {
            is_shown: rubric.is_shown,
            criteria: rubric.criteria.iter().map(RubricCriterion::from).collect(),
        }
    }
}

impl From<&quiz::Criterion> for RubricCriterion {
    fn from(criterion: &quiz::Criterion) -> Self {
        let level = |level: &quiz::Level| RubricLevel {
            id: id_of(level.id),
            name: level.name.clone(),
            description: level.description.clone(),
            points: level.points.as_f64(),
        };
        RubricCriterion {
            id: id_of(criterion.id),
            name: criterion.name.clone(),
            description: criterion.description.clone(),
            max_points: criterion.max_points().as_f64(),
            levels: criterion.levels.iter().map(level).collect(),
        }
    }
}

impl From<&quiz::Mark> for Mark {
    fn from(mark: &quiz::Mark) -> Self {
        Mark {
            criterion_id: id_of(mark.criterion_id),
            level_id: id_of(mark.level_id),
            comment: mark.comment.clone(),
        }
    }
}

impl From<&quiz::MarkResult> for MarkResult {
    fn from(mark: &quiz::MarkResult) -> Self {
        MarkResult {
            criterion: mark.criterion.clone(),
            level: mark.level.clone(),
            description: mark.description.clone(),
            points: mark.points.as_f64(),
            max_points: mark.max_points.as_f64(),
            comment: mark.comment.clone(),
        }
    }
}

impl From<&quiz::PinnedComment> for PinnedComment {
    fn from(pin: &quiz::PinnedComment) -> Self {
        let none = PinnedComment {
            start: None,
            end: None,
            file_id: None,
            x: None,
            y: None,
            comment: pin.comment.clone(),
        };
        match pin.place {
            Place::Text { start, end } => PinnedComment {
                start: Some(int(start)),
                end: Some(int(end)),
                ..none
            },
            Place::Picture { file_id, x, y } => PinnedComment {
                file_id: Some(id_of(file_id)),
                x: Some(x),
                y: Some(y),
                ..none
            },
        }
    }
}

impl From<assessments::UsedRubric> for UsedRubric {
    fn from(used: assessments::UsedRubric) -> Self {
        UsedRubric {
            page_id: id_of(used.page_id),
            page_title: used.page_title,
            number: int(used.number),
            prompt: used.prompt,
            rubric: Rubric::from(&used.rubric),
        }
    }
}
