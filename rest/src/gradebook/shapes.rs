//! Request bodies and response schemas for gradebooks.

use chrono::{DateTime, Utc};
use kurso_base::ids::{GradeCategoryId, PageId};
use kurso_base::values::{
    CellVersion, Change, DropLowest, Few, GivenPoints, GradeReason, ItemPoints, Position, Several, Threshold, Title,
    Weight, decimal_text,
};
use kurso_base::wire;
use kurso_core::gradebook::{
    self as core, Cell, CellRead, CreateCategory, Decide, DecisionKind, SetItems, Setup, UpdateCategory, UpdateSettings,
};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::fields::{Field, Given, Nullable, body};
use crate::grading::shapes::PersonName;
use crate::person::Person;
use crate::students::shapes::StudentGroup;

body! {
    /// Fields that are absent keep their values.
    GradeSettingsUpdate -> UpdateSettings {
        scheme: Given<core::Scheme>,
        /// The least percent of each label of the scheme but the last, the best one first, each lower than the one before. Null: the
        /// defaults of the scheme.
        thresholds: Change<Few<Threshold>>,
        /// Whether a quiz counts as 0 that was due and not taken.
        missing_counts_as_zero: Given<bool>,
        /// Whether graders do not see whose answers they grade.
        is_blind: Given<bool>,
    }

    GradeCategoryCreate -> CreateCategory {
        title: Title,
        /// Index among its siblings, from 0. Absent or beyond the end: the end.
        position: Option<Position>,
        /// By default 100. Weights count in proportion to each other.
        weight: Option<Weight>,
        /// How many of the lowest results do not count. By default 0.
        drop_lowest: Option<DropLowest>,
    }

    /// Fields that are absent keep their values.
    GradeCategoryUpdate -> UpdateCategory {
        title: Given<Title>,
        /// New index among its siblings, from 0. Beyond the end: the end.
        position: Option<Position>,
        weight: Given<Weight>,
        /// How many of the lowest results do not count.
        drop_lowest: Given<DropLowest>,
    }

    /// Fields that are absent keep their values.
    GradeItemsSet -> SetItems {
        /// Quizzes of the course.
        page_ids: Several<PageId>,
        /// A category of the course. Null: no category.
        category_id: Change<GradeCategoryId>,
        /// What each of them is worth.
        points: Given<ItemPoints>,
        /// Whether its points add to what was earned only, and not to what could be earned.
        extra_credit: Given<bool>,
        /// Whether it counts for nobody.
        is_excluded: Given<bool>,
    }

    GradeDecide -> Decide {
        /// A page of the gradebook. Null: the grade of the course.
        page_id: Nullable<PageId>,
        /// The version of the cell that the decision is based on; 0 before the first decision.
        version: CellVersion,
        /// `override`: give these points; `excused`: the cell does not count; `removed`: withdraw the last decision.
        kind: DecisionKind,
        /// Of an override: points, at most ten times those of the page; of the course: percent, at most 1000.
        points: Option<GivenPoints>,
        /// Required for `override` and `excused`.
        reason: Option<GradeReason>,
    }
}

/// How the percent of a course becomes a label.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum GradeScheme {
    Percent,
    FivePoint,
    Letters,
    PassFail,
}

impl Field for core::Scheme {
    fn schema() -> RefOr<Schema> {
        <GradeScheme as PartialSchema>::schema()
    }
}

/// What a teacher decided of a grade.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum GradeDecisionKind {
    Override,
    Excused,
    Removed,
}

impl Field for DecisionKind {
    fn schema() -> RefOr<Schema> {
        <GradeDecisionKind as PartialSchema>::schema()
    }
}

/// Where a grade comes from: `none`: there is nothing yet; `automatic`: the best attempt, of the course: the grades; `override` and `excused`:
/// a teacher; `missing`: it was due and not taken; `waiting`: answers of an attempt wait for a grader, or for the release of their points.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "describes names of the core")]
pub enum GradeSource {
    None,
    Automatic,
    Override,
    Excused,
    Missing,
    Waiting,
}

/// The settings of a gradebook. Points, percents and weights are decimal numbers as texts, with at most two places.
#[derive(Serialize, ToSchema)]
pub struct GradeSettings {
    pub course_id: Uuid,
    #[schema(value_type = GradeScheme, inline)]
    pub scheme: &'static str,
    /// The labels of the scheme, the best one first; none of `percent`.
    pub labels: Vec<&'static str>,
    /// The least percent of each label but the last.
    pub thresholds: Vec<String>,
    /// Whether a quiz counts as 0 that was due and not taken.
    pub missing_counts_as_zero: bool,
    /// Whether graders do not see whose answers they grade.
    pub is_blind: bool,
    /// In order. Without categories all items form one; with them, an item without a category counts nowhere.
    pub categories: Vec<GradeCategory>,
    /// All quizzes in the order of the course. The published ones are the columns of the gradebook.
    pub items: Vec<GradeItem>,
}

/// A category of a gradebook.
#[derive(Serialize, ToSchema)]
pub struct GradeCategory {
    pub id: Uuid,
    pub title: String,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// Weights count in proportion to each other, over the categories in which the learner has something that counts.
    pub weight: String,
    /// How many of the lowest results do not count.
    pub drop_lowest: i64,
}

/// How a quiz counts.
#[derive(Serialize, ToSchema)]
pub struct GradeItem {
    pub page_id: Uuid,
    /// Null when the page is shown by its number.
    #[schema(required)]
    pub title: Option<String>,
    pub lesson_id: Uuid,
    pub lesson_title: String,
    pub published: bool,
    #[schema(required)]
    pub category_id: Option<Uuid>,
    pub points: String,
    /// Whether its points add to what was earned only.
    pub extra_credit: bool,
    /// Whether it counts for nobody.
    pub is_excluded: bool,
}

impl From<Setup> for GradeSettings {
    fn from(setup: Setup) -> Self {
        let category = |category: core::Category| GradeCategory {
            id: category.id.0,
            title: category.title,
            position: category.position,
            weight: decimal_text(category.weight),
            drop_lowest: category.drop_lowest,
        };
        let item = |item: core::Item| GradeItem {
            page_id: item.page_id.0,
            title: item.title,
            lesson_id: item.lesson_id.0,
            lesson_title: item.lesson_title,
            published: item.published,
            category_id: item.category_id.map(|id| id.0),
            points: decimal_text(item.points),
            extra_credit: item.extra_credit,
            is_excluded: item.is_excluded,
        };
        GradeSettings {
            course_id: setup.course_id.0,
            scheme: setup.scheme.name(),
            labels: setup.scheme.labels().to_vec(),
            thresholds: setup.thresholds.into_iter().map(decimal_text).collect(),
            missing_counts_as_zero: setup.missing_counts_as_zero,
            is_blind: setup.is_blind,
            categories: setup.categories.into_iter().map(category).collect(),
            items: setup.items.into_iter().map(item).collect(),
        }
    }
}

/// A page of a gradebook.
#[derive(Serialize, ToSchema)]
pub struct Gradebook {
    pub settings: GradeSettings,
    pub data: Vec<GradebookRow>,
    /// Number of all rows, without regard to `skip` and `limit`.
    pub count: i64,
}

/// A learner's row of a gradebook.
#[derive(Serialize, ToSchema)]
pub struct GradebookRow {
    pub enrollment_id: Uuid,
    pub user: Person,
    /// Null for a student without a group.
    #[schema(required)]
    pub group: Option<StudentGroup>,
    /// One for each published item, in their order.
    #[schema(value_type = Vec<GradeCell>)]
    pub cells: core::Cells,
    /// The percent of each category, in their order; null where nothing counts.
    pub categories: Vec<Option<String>>,
    pub total: CourseGrade,
}

/// A cell of a gradebook. Absent fields are null, 0 or false. Percents and points are rounded half up to two places.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the core writes")]
pub struct GradeCell {
    #[schema(inline)]
    source: GradeSource,
    /// What counts, in percent of the item.
    percent: Option<String>,
    /// What counts, in points.
    points: Option<String>,
    /// Percent of the best attempt; given only when a teacher has set or excused the grade, or answers wait for grading.
    automatic: Option<String>,
    /// The number of decisions so far.
    version: Option<i64>,
    /// Whether it is among the lowest results, which do not count.
    dropped: Option<bool>,
}

/// The grade of a course.
#[derive(Serialize, ToSchema)]
pub struct CourseGrade {
    #[schema(value_type = GradeSource, inline)]
    pub source: &'static str,
    /// The percent that holds, rounded half up to two places; null when nothing counts.
    #[schema(required)]
    pub percent: Option<String>,
    /// The derived percent, whatever a teacher decided.
    #[schema(required)]
    pub automatic: Option<String>,
    /// The label of the percent: `5`, `A`, `pass`; null without one.
    #[schema(required)]
    pub label: Option<&'static str>,
    /// The number of decisions so far.
    pub version: i64,
}

impl From<core::Final> for CourseGrade {
    fn from(total: core::Final) -> Self {
        CourseGrade {
            source: total.source.name(),
            percent: total.percent.map(decimal_text),
            automatic: total.automatic.map(decimal_text),
            label: total.label,
            version: total.version,
        }
    }
}

pub fn percents(categories: Vec<Option<i64>>) -> Vec<Option<String>> {
    categories
        .into_iter()
        .map(|percent| percent.map(decimal_text))
        .collect()
}

impl From<core::Row> for GradebookRow {
    fn from(row: core::Row) -> Self {
        GradebookRow {
            enrollment_id: row.learner.enrollment_id.0,
            user: Person {
                id: row.learner.user_id.0,
                full_name: row.full_name,
                email: row.email,
            },
            group: row.group.map(StudentGroup::from),
            cells: row.grades.cells,
            categories: percents(row.grades.categories),
            total: row.grades.total.into(),
        }
    }
}

impl From<core::Gradebook> for Gradebook {
    fn from(book: core::Gradebook) -> Self {
        Gradebook {
            settings: book.setup.into(),
            data: book.rows.data.into_iter().map(GradebookRow::from).collect(),
            count: book.rows.count,
        }
    }
}

/// A grade of a student: a cell of the gradebook, or the grade of the course.
#[derive(Serialize, ToSchema)]
pub struct GradeDetail {
    pub row: GradebookRow,
    /// Null: the grade of the course.
    #[schema(required)]
    pub page_id: Option<Uuid>,
    /// The cell; null for the grade of the course, which is the `total` of the row.
    #[schema(value_type = Option<GradeCell>, required)]
    pub cell: Option<Cell>,
    /// Percent of the score that the best attempt lost because it was late; null without an attempt.
    #[schema(required)]
    pub penalty_percent: Option<i64>,
    /// All decisions, the latest one first. Only the latest one counts.
    pub history: Vec<GradeDecision>,
}

/// A decision of a teacher on a grade.
#[derive(Serialize, ToSchema)]
pub struct GradeDecision {
    pub version: i64,
    #[schema(value_type = GradeDecisionKind, inline)]
    pub kind: &'static str,
    /// Of an override: points; of the course: percent.
    #[schema(required)]
    pub points: Option<String>,
    #[schema(required)]
    pub reason: Option<String>,
    /// Null when the account is deleted.
    #[schema(required)]
    pub by: Option<PersonName>,
    #[serde(serialize_with = "wire::time")]
    pub at: DateTime<Utc>,
}

impl From<CellRead> for GradeDetail {
    fn from(read: CellRead) -> Self {
        let decision = |decision: core::Decision| GradeDecision {
            version: decision.version,
            kind: decision.kind.name(),
            points: decision.points.map(decimal_text),
            reason: decision.reason,
            by: decision.by.map(PersonName::from),
            at: decision.at,
        };
        GradeDetail {
            row: read.row.into(),
            page_id: read.page_id.map(|id| id.0),
            cell: read.cell,
            penalty_percent: read.penalty_percent,
            history: read.history.into_iter().map(decision).collect(),
        }
    }
}

/// Nothing was changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct GradeConflict {
    detail: String,
    /// What is stored, when somebody else has decided meanwhile.
    grade: Option<GradeDetail>,
}
