use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::gradebook::{OwnGrade, OwnGrades};

use super::gradebook::{CourseGrade, Decimal, GradeScheme, GradeSource};
use super::{DateTime, id_of, int};
use crate::cost;

pub struct MyGrades(pub OwnGrades);

/// The grades of the caller in a course.
#[Object]
impl MyGrades {
    /// ID of the course.
    async fn course_id(&self) -> ID {
        id_of(self.0.setup.course_id)
    }
    /// How the percent of the course becomes a label.
    async fn scheme(&self) -> GradeScheme {
        self.0.setup.scheme.into()
    }
    /// The labels of the scheme, the best one first; none of `PERCENT`.
    async fn labels(&self) -> &'static [&'static str] {
        self.0.setup.scheme.labels()
    }
    /// The least percent of each label but the last.
    async fn thresholds(&self) -> Vec<Decimal> {
        self.0.setup.thresholds.iter().copied().map(Decimal::of).collect()
    }
    /// Whether a quiz counts as 0 that was due and not taken.
    async fn missing_counts_as_zero(&self) -> bool {
        self.0.setup.missing_counts_as_zero
    }
    /// The categories with the caller's results.
    #[graphql(complexity = "cost::list(cost::GRADE_CATEGORIES, child_complexity)")]
    async fn categories(&self, ctx: &Context<'_>) -> Result<Vec<MyGradeCategory>> {
        let categories = self.0.setup.categories.iter();
        cost::spend(ctx, categories.len())?;
        let with_results = categories.zip(&self.0.graded.categories);
        Ok(with_results
            .map(|(category, percent)| MyGradeCategory {
                category_id: id_of(category.id),
                title: category.title.clone(),
                weight: Decimal::of(category.weight),
                drop_lowest: int(category.drop_lowest),
                percent: Decimal::optional(*percent),
            })
            .collect())
    }
    /// The published quizzes in the order of the course.
    #[graphql(complexity = "cost::list(cost::GRADED, child_complexity)")]
    async fn grades(&self, ctx: &Context<'_>) -> Result<Vec<MyGrade>> {
        cost::spend(ctx, self.0.grades.len())?;
        Ok(self.0.grades.iter().map(|grade| self.grade(grade)).collect())
    }
    /// The grade of the course.
    async fn total(&self) -> CourseGrade {
        self.0.graded.total.into()
    }
    /// Why a teacher decided the grade of the course; null without a decision.
    async fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }
    /// When a teacher decided the grade of the course.
    async fn decided_at(&self) -> Option<DateTime> {
        self.0.decided_at.map(DateTime)
    }
}

impl MyGrades {
    fn grade(&self, own: &OwnGrade) -> MyGrade {
        let category = own.category.and_then(|at| self.0.setup.categories.get(at));
        MyGrade {
            page_id: id_of(own.page_id),
            title: own.title.clone(),
            lesson_title: own.lesson_title.clone(),
            category_id: category.map(|category| id_of(category.id)),
            max_points: Decimal::of(own.points),
            extra_credit: own.extra_credit,
            is_excluded: own.is_excluded,
            due_at: own.due_at.map(DateTime),
            source: own.cell.source.into(),
            percent: Decimal::optional(own.cell.percent),
            points: Decimal::optional(own.cell.points),
            automatic: Decimal::optional(own.cell.automatic),
            is_dropped: own.cell.is_dropped,
            penalty_percent: own.penalty_percent.map(int),
            reason: own.reason.clone(),
            decided_at: own.decided_at.map(DateTime),
        }
    }
}

/// A category with the caller's result.
#[derive(SimpleObject)]
pub struct MyGradeCategory {
    /// ID of the category.
    category_id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Weights count in proportion to each other, over the categories in which something counts.
    weight: Decimal,
    /// How many of the lowest results do not count.
    drop_lowest: i32,
    /// Null where nothing counts.
    percent: Option<Decimal>,
}

/// A grade of the caller.
#[derive(SimpleObject)]
pub struct MyGrade {
    /// ID of the page.
    page_id: ID,
    /// Null when the page is shown by its number, or its title is hidden.
    title: Option<String>,
    /// Title of its lesson.
    lesson_title: String,
    /// ID of its category; null without one.
    category_id: Option<ID>,
    /// What the quiz is worth.
    max_points: Decimal,
    /// Whether its points add to what was earned only.
    extra_credit: bool,
    /// Whether it counts for nobody.
    is_excluded: bool,
    /// When it is due for the caller.
    due_at: Option<DateTime>,
    /// Where the grade comes from.
    source: GradeSource,
    /// What counts, in percent; null when nothing does. Rounded half up to two places, as all numbers here.
    percent: Option<Decimal>,
    /// What counts, in points.
    points: Option<Decimal>,
    /// The percent of the best attempt, whatever a teacher decided.
    automatic: Option<Decimal>,
    /// Whether it is among the lowest results, which do not count.
    is_dropped: bool,
    /// Percent of the score that the best attempt lost because it was late; null without an attempt.
    penalty_percent: Option<i32>,
    /// Why a teacher decided; null without a decision.
    reason: Option<String>,
    /// When a teacher decided.
    decided_at: Option<DateTime>,
}
