use async_graphql::{
    Context, Enum, ID, InputValueError, InputValueResult, Object, Result, Scalar, ScalarType, SimpleObject, Value,
};
use kurso_base::values::decimal_text;
use kurso_core::gradebook::{self, CellRead, Order, Setup, SortKey};

use super::scalars::raw_json;
use super::student::Person;
use super::{DateTime, PersonName, StudentGroup, id_of, int};
use crate::cost;
use crate::lists::List;

/// The text of a decimal number.
pub struct Decimal(String);

/// A decimal number with at most two places as a text, such as `"12.5"`: no client rounds it.
#[Scalar]
impl ScalarType for Decimal {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            // The core checks it.
            Value::String(text) => Ok(Decimal(text)),
            other => Err(InputValueError::expected_type(other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl Decimal {
    pub fn of(hundredths: i64) -> Self {
        Decimal(decimal_text(hundredths))
    }

    pub fn optional(hundredths: Option<i64>) -> Option<Self> {
        hundredths.map(Self::of)
    }
}

impl From<Decimal> for String {
    fn from(decimal: Decimal) -> String {
        decimal.0
    }
}

/// Cells as JSON text.
pub struct GradeCells(String);

/// Cells of a gradebook as JSON: a list of objects, or one such object. The fields of a cell are `source` (`none`, `automatic`, `override`,
/// `excused`, `missing` or `waiting` for a grader), `percent` and `points` (decimal texts of what counts), `automatic` (the percent of the best
/// attempt; given only when a teacher has set or excused the grade, or answers wait for grading), `version` (the number of decisions) and
/// `dropped` (whether it is among the lowest results, which do not count). Absent fields are null, 0 or false.
#[Scalar]
impl ScalarType for GradeCells {
    fn parse(value: Value) -> InputValueResult<Self> {
        Err(InputValueError::expected_type(value))
    }

    fn to_value(&self) -> Value {
        raw_json(self.0.clone())
    }
}

impl GradeCells {
    /// Anything of cells that serializes as JSON.
    pub fn of(cells: &impl serde::Serialize) -> Self {
        // Cells are texts and numbers, which always serialize.
        GradeCells(serde_json::to_string(cells).unwrap_or_else(|_| "null".to_owned()))
    }
}

/// How the percent of a course becomes a label.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "gradebook::Scheme")]
pub enum GradeScheme {
    /// The percent alone.
    Percent,
    /// 5, 4, 3 and 2.
    FivePoint,
    /// A, B, C, D and F.
    Letters,
    /// Passed or failed.
    PassFail,
}

/// Where a grade comes from.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "gradebook::Source")]
pub enum GradeSource {
    /// There is nothing yet.
    None,
    /// The best attempt; of the course: the grades.
    Automatic,
    /// A teacher gave it.
    Override,
    /// A teacher excused the learner.
    Excused,
    /// It was due, and there is no attempt.
    Missing,
    /// Answers of an attempt wait for a grader, or for the release of their points.
    Waiting,
}

/// What a teacher decides of a grade.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "gradebook::DecisionKind")]
pub enum GradeDecisionKind {
    /// It has the given points.
    Override,
    /// It does not count.
    Excused,
    /// The last decision is withdrawn.
    Removed,
}

/// Sort key of a gradebook.
#[derive(Clone, Copy, PartialEq, Eq, Default, Enum)]
pub enum GradebookSort {
    /// Name, or the email address of a user without a name; case-insensitive.
    #[default]
    FullName,
    /// Email address, case-insensitive.
    Email,
    /// The grade of the course; learners without one come last in both orders.
    Total,
}

impl GradebookSort {
    pub fn order(self, descending: bool) -> Order {
        let by = match self {
            GradebookSort::FullName => SortKey::FullName,
            GradebookSort::Email => SortKey::Email,
            GradebookSort::Total => SortKey::Total,
        };
        Order { by, descending }
    }
}

pub struct GradeSettings(pub Setup);

/// The settings of a gradebook.
#[Object]
impl GradeSettings {
    /// ID of the course.
    async fn course_id(&self) -> ID {
        id_of(self.0.course_id)
    }
    /// How the percent of the course becomes a label.
    async fn scheme(&self) -> GradeScheme {
        self.0.scheme.into()
    }
    /// The labels of the scheme, the best one first; none of `PERCENT`.
    async fn labels(&self) -> &'static [&'static str] {
        self.0.scheme.labels()
    }
    /// The least percent of each label but the last.
    async fn thresholds(&self) -> Vec<Decimal> {
        self.0.thresholds.iter().copied().map(Decimal::of).collect()
    }
    /// Whether a quiz counts as 0 that was due and not taken.
    async fn missing_counts_as_zero(&self) -> bool {
        self.0.missing_counts_as_zero
    }
    /// Whether graders do not see whose answers they grade.
    async fn is_blind(&self) -> bool {
        self.0.is_blind
    }
    /// In order. Without categories all items form one; with them, an item without a category counts nowhere.
    #[graphql(complexity = "cost::list(cost::GRADE_CATEGORIES, child_complexity)")]
    async fn categories(&self, ctx: &Context<'_>) -> Result<Vec<GradeCategory>> {
        cost::spend(ctx, self.0.categories.len())?;
        Ok(self.0.categories.iter().map(GradeCategory::from).collect())
    }
    /// All quizzes in the order of the course. The published ones are the columns of the gradebook.
    #[graphql(complexity = "cost::list(cost::GRADED, child_complexity)")]
    async fn items(&self, ctx: &Context<'_>) -> Result<Vec<GradeItem>> {
        cost::spend(ctx, self.0.items.len())?;
        Ok(self.0.items.iter().map(GradeItem::from).collect())
    }
}

/// A category of a gradebook.
#[derive(SimpleObject)]
pub struct GradeCategory {
    /// Unique ID.
    id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Index among its siblings, from 0.
    position: i32,
    /// Weights count in proportion to each other, over the categories in which the learner has something that counts.
    weight: Decimal,
    /// How many of the lowest results do not count.
    drop_lowest: i32,
}

/// How a quiz counts.
#[derive(SimpleObject)]
pub struct GradeItem {
    /// ID of the page.
    page_id: ID,
    /// Null when the page is shown by its number.
    title: Option<String>,
    /// ID of its lesson.
    lesson_id: ID,
    /// Title of its lesson.
    lesson_title: String,
    /// Whether it is in the gradebook.
    published: bool,
    /// ID of its category; null without one.
    category_id: Option<ID>,
    /// What it is worth.
    points: Decimal,
    /// Whether its points add to what was earned only.
    extra_credit: bool,
    /// Whether it counts for nobody.
    is_excluded: bool,
}

impl From<&gradebook::Category> for GradeCategory {
    fn from(category: &gradebook::Category) -> Self {
        GradeCategory {
            id: id_of(category.id),
            title: category.title.clone(),
            position: int(category.position),
            weight: Decimal::of(category.weight),
            drop_lowest: int(category.drop_lowest),
        }
    }
}

impl From<&gradebook::Item> for GradeItem {
    fn from(item: &gradebook::Item) -> Self {
        GradeItem {
            page_id: id_of(item.page_id),
            title: item.title.clone(),
            lesson_id: id_of(item.lesson_id),
            lesson_title: item.lesson_title.clone(),
            published: item.published,
            category_id: item.category_id.map(id_of),
            points: Decimal::of(item.points),
            extra_credit: item.extra_credit,
            is_excluded: item.is_excluded,
        }
    }
}

impl From<Setup> for GradeSettings {
    fn from(setup: Setup) -> Self {
        GradeSettings(setup)
    }
}

pub struct Gradebook {
    pub settings: Setup,
    pub rows: List<GradebookRow>,
}

/// A part of a gradebook.
#[Object]
impl Gradebook {
    /// The settings, whose published items are the columns.
    // The field of the gradebook multiplies its costs by the rows: the settings, of which there is one, count as one value for each row. What they
    // hold is counted when they are answered.
    #[graphql(complexity = "1")]
    async fn settings(&self) -> GradeSettings {
        GradeSettings(self.settings.clone())
    }
    /// Learners with their grades.
    async fn rows(&self) -> &List<GradebookRow> {
        &self.rows
    }
}

pub struct GradebookRow(pub gradebook::Row);

/// A learner's row of a gradebook.
#[Object]
impl GradebookRow {
    /// The `id` of the `Student`.
    async fn enrollment_id(&self) -> ID {
        id_of(self.0.learner.enrollment_id)
    }
    /// The user.
    async fn user(&self) -> Person {
        Person {
            id: id_of(self.0.learner.user_id),
            full_name: self.0.full_name.clone(),
            email: self.0.email.clone(),
        }
    }
    /// The group; null for a student without a group.
    async fn group(&self) -> Option<StudentGroup> {
        self.0.group.as_ref().map(StudentGroup::from)
    }
    /// One for each published item, in their order.
    async fn cells(&self, ctx: &Context<'_>) -> Result<GradeCells> {
        cost::spend_values(ctx, self.0.grades.cells.0.len())?;
        Ok(GradeCells::of(&self.0.grades.cells))
    }
    /// The percent of each category, in their order; null where nothing counts.
    async fn categories(&self) -> Vec<Option<Decimal>> {
        self.0
            .grades
            .categories
            .iter()
            .copied()
            .map(Decimal::optional)
            .collect()
    }
    /// The grade of the course.
    async fn total(&self) -> CourseGrade {
        self.0.grades.total.into()
    }
}

/// The grade of a course.
#[derive(SimpleObject)]
pub struct CourseGrade {
    /// `AUTOMATIC`, `OVERRIDE`, or `NONE` when nothing counts.
    source: GradeSource,
    /// The percent that holds, rounded half up to two places.
    percent: Option<Decimal>,
    /// The derived percent, whatever a teacher decided.
    automatic: Option<Decimal>,
    /// The label of the percent: `5`, `A`, `pass`; null without one.
    label: Option<&'static str>,
    /// The number of decisions so far.
    version: i32,
}

impl From<gradebook::Final> for CourseGrade {
    fn from(total: gradebook::Final) -> Self {
        CourseGrade {
            source: total.source.into(),
            percent: Decimal::optional(total.percent),
            automatic: Decimal::optional(total.automatic),
            label: total.label,
            version: int(total.version),
        }
    }
}

pub struct GradeDetail(pub CellRead);

/// A grade of a student: a cell of the gradebook, or the grade of the course.
#[Object]
impl GradeDetail {
    /// The row that it is in.
    async fn row(&self) -> GradebookRow {
        GradebookRow(self.0.row.clone())
    }
    /// ID of the page; null for the grade of the course.
    async fn page_id(&self) -> Option<ID> {
        self.0.page_id.map(id_of)
    }
    /// The cell; null for the grade of the course, which is the `total` of the row.
    async fn cell(&self) -> Option<GradeCells> {
        self.0.cell.as_ref().map(GradeCells::of)
    }
    /// Percent of the score that the best attempt lost because it was late; null without an attempt.
    async fn penalty_percent(&self) -> Option<i32> {
        self.0.penalty_percent.map(int)
    }
    /// All decisions, the latest one first. Only the latest one counts.
    #[graphql(complexity = "cost::list(cost::DECISIONS, child_complexity)")]
    async fn history(&self, ctx: &Context<'_>) -> Result<Vec<GradeDecision>> {
        cost::spend(ctx, self.0.history.len())?;
        Ok(self.0.history.iter().map(GradeDecision::from).collect())
    }
}

/// A decision of a teacher on a grade.
#[derive(SimpleObject)]
pub struct GradeDecision {
    /// 1 for the first decision.
    version: i32,
    /// What was decided.
    kind: GradeDecisionKind,
    /// Of an override: points; of the course: percent.
    points: Option<Decimal>,
    /// Why.
    reason: Option<String>,
    /// Who decided; null when the account is deleted.
    by: Option<PersonName>,
    /// When.
    at: DateTime,
}

impl From<&gradebook::Decision> for GradeDecision {
    fn from(decision: &gradebook::Decision) -> Self {
        GradeDecision {
            version: int(decision.version),
            kind: decision.kind.into(),
            points: Decimal::optional(decision.points),
            reason: decision.reason.clone(),
            by: decision.by.as_ref().map(PersonName::from),
            at: DateTime(decision.at),
        }
    }
}

impl From<CellRead> for GradeDetail {
    fn from(read: CellRead) -> Self {
        GradeDetail(read)
    }
}
