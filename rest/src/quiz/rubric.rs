//! Schemas of rubrics, of the marks that graders choose in them, and of comments pinned to places of an answer.

use kurso_formats::quiz;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What graders judge an answer by. A grader chooses one level of each criterion; the points of the answer are their sum.
#[derive(Serialize, ToSchema)]
pub struct Rubric {
    /// Whether learners see it before they answer.
    is_shown: bool,
    criteria: Vec<RubricCriterion>,
}

/// What a rubric judges an answer by.
#[derive(Serialize, ToSchema)]
pub struct RubricCriterion {
    id: Uuid,
    name: String,
    /// Plain text with line breaks; may be empty.
    description: String,
    /// In the order in which graders see them.
    levels: Vec<RubricLevel>,
}

/// How well an answer may meet a criterion.
#[derive(Serialize, ToSchema)]
pub struct RubricLevel {
    id: Uuid,
    name: String,
    /// Plain text with line breaks; may be empty.
    description: String,
    #[schema(value_type = f64, minimum = 0, maximum = 1000)]
    points: quiz::Points,
}

/// The level that a grader chose for a criterion.
#[derive(Serialize, ToSchema)]
pub struct Mark {
    criterion_id: Uuid,
    level_id: Uuid,
    #[schema(required)]
    comment: Option<String>,
}

/// What a grader chose in the rubric, as the learner reads it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the JSON of the core")]
pub struct MarkResult {
    /// Name of the criterion.
    criterion: String,
    /// Name of the level.
    level: String,
    /// What the level says: plain text with line breaks; absent without one.
    #[schema(nullable = false)]
    description: Option<String>,
    points: f64,
    /// Points of the best level of the criterion.
    max_points: f64,
    /// The grader's comment on the criterion.
    #[schema(nullable = false)]
    comment: Option<String>,
}

/// A grader's comment at a place of an answer: either `start` and `end`, or `file_id`, `x` and `y`. The others are absent.
#[derive(Serialize, ToSchema)]
pub struct PinnedComment {
    /// Where the place in the text starts: offset in Unicode code points in the text nodes of the document in order, without separators.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    start: Option<u32>,
    /// Where it ends, exclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    end: Option<u32>,
    /// A picture among the files of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    file_id: Option<Uuid>,
    /// Percent of the width of the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 100)]
    x: Option<f64>,
    /// Percent of the height of the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 100)]
    y: Option<f64>,
    /// Plain text with line breaks.
    comment: String,
}

impl From<quiz::Rubric> for Rubric {
    fn from(rubric: quiz::Rubric) -> Self {
        let level = |level: quiz::Level| RubricLevel {
            id: level.id,
            name: level.name,
            description: level.description,
            points: level.points,
        };
        let criterion = |criterion: quiz::Criterion| RubricCriterion {
            id: criterion.id,
            name: criterion.name,
            description: criterion.description,
            levels: criterion.levels.into_iter().map(level).collect(),
        };
        Rubric {
            is_shown: rubric.is_shown,
            criteria: rubric.criteria.into_iter().map(criterion).collect(),
        }
    }
}

impl From<quiz::Mark> for Mark {
    fn from(mark: quiz::Mark) -> Self {
        Mark {
            criterion_id: mark.criterion_id,
            level_id: mark.level_id,
            comment: mark.comment,
        }
    }
}

impl From<quiz::PinnedComment> for PinnedComment {
    fn from(pin: quiz::PinnedComment) -> Self {
        let none = PinnedComment {
            start: None,
            end: None,
            file_id: None,
            x: None,
            y: None,
            comment: pin.comment,
        };
        match pin.place {
            quiz::Place::Text { start, end } => PinnedComment {
                start: Some(start),
                end: Some(end),
                ..none
            },
            quiz::Place::Picture { file_id, x, y } => PinnedComment {
                file_id: Some(file_id),
                x: Some(x),
                y: Some(y),
                ..none
            },
        }
    }
}
