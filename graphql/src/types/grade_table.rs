use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_base::messages::Lang;
use kurso_core::gradebook::csv::{Import, Refusal, TableChange};

use super::gradebook::{Decimal, GradeCells, GradeDecisionKind};
use super::{id_of, int};
use crate::cost;

pub struct GradeTable {
    pub import: Import,
    pub lang: Lang,
}

/// What a table of grades changes, or has changed.
#[Object]
impl GradeTable {
    /// Names exactly these changes.
    async fn digest(&self) -> &str {
        &self.import.digest
    }
    /// In the order of the table, at most 5,000.
    #[graphql(complexity = "cost::list(cost::GRADED, child_complexity)")]
    async fn changes(&self, ctx: &Context<'_>) -> Result<Vec<GradeTableChange>> {
        cost::spend(ctx, self.import.changes.len())?;
        Ok(self.import.changes.iter().map(GradeTableChange::from).collect())
    }
    /// What is not read, at most 1,000.
    #[graphql(complexity = "cost::list(cost::GRADED, child_complexity)")]
    async fn refusals(&self, ctx: &Context<'_>) -> Result<Vec<GradeTableRefusal>> {
        cost::spend(ctx, self.import.refusals.len())?;
        let refusal = |refusal: &Refusal| GradeTableRefusal {
            line: int(refusal.line),
            column: refusal.column.clone(),
            message: refusal.message.text(self.lang),
        };
        Ok(self.import.refusals.iter().map(refusal).collect())
    }
    /// Number of all refusals.
    async fn refused(&self) -> i32 {
        int(self.import.refused)
    }
    /// Number of cells that are empty, repeat the grade, or are as they were exported.
    async fn unchanged(&self) -> i32 {
        int(self.import.unchanged)
    }
    /// Whether the changes were made.
    async fn is_applied(&self) -> bool {
        self.import.is_applied
    }
}

/// A decision that a table means.
#[derive(SimpleObject)]
pub struct GradeTableChange {
    /// Line of the table, from 1.
    line: i32,
    /// The `id` of the `Student`.
    enrollment_id: ID,
    /// Null when the user has not given a name.
    full_name: Option<String>,
    /// Email address of the account.
    email: String,
    /// ID of the page.
    page_id: ID,
    /// The cell before the change.
    before: GradeCells,
    /// What is decided.
    kind: GradeDecisionKind,
    /// Of an override.
    points: Option<Decimal>,
}

/// A line or a cell that is not read.
#[derive(SimpleObject)]
pub struct GradeTableRefusal {
    /// Line of the table, from 1.
    line: i32,
    /// Heading of the column; null for a whole line.
    column: Option<String>,
    /// The reason in the language of the request.
    message: String,
}

impl From<&TableChange> for GradeTableChange {
    fn from(change: &TableChange) -> Self {
        GradeTableChange {
            line: int(change.line),
            enrollment_id: id_of(change.enrollment_id),
            full_name: change.full_name.clone(),
            email: change.email.clone(),
            page_id: id_of(change.page_id),
            before: GradeCells::of(&change.before),
            kind: change.kind.into(),
            points: Decimal::optional(change.points),
        }
    }
}
