//! Schemas of a learner's own grades.

use chrono::{DateTime, Utc};
use kurso_base::values::decimal_text;
use kurso_base::wire;
use kurso_core::gradebook::{OwnGrade, OwnGrades};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::{CourseGrade, GradeScheme, GradeSource};

/// The grades of the caller in a course. Points and percents are decimal numbers as texts, rounded half up to two places.
#[derive(Serialize, ToSchema)]
pub struct MyGrades {
    pub course_id: Uuid,
    #[schema(value_type = GradeScheme, inline)]
    pub scheme: &'static str,
    /// The labels of the scheme, the best one first; none of `percent`.
    pub labels: Vec<&'static str>,
    /// The least percent of each label but the last.
    pub thresholds: Vec<String>,
    /// Whether a quiz counts as 0 that was due and not taken.
    pub missing_counts_as_zero: bool,
    pub categories: Vec<MyGradeCategory>,
    /// The published quizzes in the order of the course.
    pub grades: Vec<MyGrade>,
    pub total: CourseGrade,
    /// Why a teacher decided the grade of the course; null without a decision.
    #[schema(required)]
    pub reason: Option<String>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub decided_at: Option<DateTime<Utc>>,
}

/// A category with the caller's result.
#[derive(Serialize, ToSchema)]
pub struct MyGradeCategory {
    pub id: Uuid,
    pub title: String,
    pub weight: String,
    /// How many of the lowest results do not count.
    pub drop_lowest: i64,
    /// Null where nothing counts.
    #[schema(required)]
    pub percent: Option<String>,
}

/// A grade of the caller.
#[derive(Serialize, ToSchema)]
pub struct MyGrade {
    pub page_id: Uuid,
    /// Null when the page is shown by its number, or its title is hidden.
    #[schema(required)]
    pub title: Option<String>,
    pub lesson_title: String,
    #[schema(required)]
    pub category_id: Option<Uuid>,
    /// What the quiz is worth.
    pub max_points: String,
    pub extra_credit: bool,
    /// Whether it counts for nobody.
    pub is_excluded: bool,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub due_at: Option<DateTime<Utc>>,
    #[schema(value_type = GradeSource, inline)]
    pub source: &'static str,
    /// What counts; null when nothing does.
    #[schema(required)]
    pub percent: Option<String>,
    #[schema(required)]
    pub points: Option<String>,
    /// The percent of the best attempt, whatever a teacher decided.
    #[schema(required)]
    pub automatic: Option<String>,
    /// Whether it is among the lowest results, which do not count.
    pub is_dropped: bool,
    /// Percent of the score that the best attempt lost because it was late; null without an attempt.
    #[schema(required)]
    pub penalty_percent: Option<i64>,
    /// Why a teacher decided; null without a decision.
    #[schema(required)]
    pub reason: Option<String>,
    #[serde(serialize_with = "wire::optional_time")]
    #[schema(required)]
    pub decided_at: Option<DateTime<Utc>>,
}

impl From<OwnGrades> for MyGrades {
    fn from(own: OwnGrades) -> Self {
        let OwnGrades { setup, graded, .. } = own;
        let categories: Vec<Uuid> = setup.categories.iter().map(|category| category.id.0).collect();
        let grade = |own: OwnGrade| MyGrade {
            page_id: own.page_id.0,
            title: own.title,
            lesson_title: own.lesson_title,
            category_id: own.category.and_then(|at| categories.get(at).copied()),
            max_points: decimal_text(own.points),
            extra_credit: own.extra_credit,
            is_excluded: own.is_excluded,
            due_at: own.due_at,
            source: own.cell.source.name(),
            percent: own.cell.percent.map(decimal_text),
            points: own.cell.points.map(decimal_text),
            automatic: own.cell.automatic.map(decimal_text),
            is_dropped: own.cell.is_dropped,
            penalty_percent: own.penalty_percent,
            reason: own.reason,
            decided_at: own.decided_at,
        };
        MyGrades {
            course_id: setup.course_id.0,
            scheme: setup.scheme.name(),
            labels: setup.scheme.labels().to_vec(),
            thresholds: setup.thresholds.into_iter().map(decimal_text).collect(),
            missing_counts_as_zero: setup.missing_counts_as_zero,
            grades: own.grades.into_iter().map(grade).collect(),
            categories: setup
                .categories
                .into_iter()
                .zip(graded.categories)
                .map(|(category, percent)| MyGradeCategory {
                    id: category.id.0,
                    title: category.title,
                    weight: decimal_text(category.weight),
                    drop_lowest: category.drop_lowest,
                    percent: percent.map(decimal_text),
                })
                .collect(),
            total: graded.total.into(),
            reason: own.reason,
            decided_at: own.decided_at,
        }
    }
}
