//! Request bodies and response schemas for the import of grades.

use kurso_base::messages::Lang;
use kurso_base::values::{GradeReason, GradeTable as Table, decimal_text};
use kurso_core::gradebook::Cell;
use kurso_core::gradebook::csv::{self, ImportGrades};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shapes::{GradeCell, GradeDecisionKind};
use crate::fields::body;

body! {
    GradesImport -> ImportGrades {
        /// A CSV text.
        table: Table,
        /// The reason of all decisions.
        reason: GradeReason,
        /// That of the preview whose changes are to be made. Null: a preview.
        digest: Option<String>,
    }
}

/// What a table of grades changes, or has changed.
#[derive(Serialize, ToSchema)]
pub struct GradeTable {
    /// Names exactly these changes, for `digest`.
    pub digest: String,
    pub changes: Vec<GradeTableChange>,
    /// What is not read, at most 1,000.
    pub refusals: Vec<GradeTableRefusal>,
    /// Number of all refusals.
    pub refused: usize,
    /// Number of cells that are empty, repeat the grade, or are as they were exported.
    pub unchanged: usize,
    /// Whether the changes were made.
    pub is_applied: bool,
}

/// A decision that a table means.
#[derive(Serialize, ToSchema)]
pub struct GradeTableChange {
    /// Line of the table, from 1.
    pub line: u64,
    pub enrollment_id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
    pub email: String,
    pub page_id: Uuid,
    /// The cell before the change.
    #[schema(value_type = GradeCell)]
    pub before: Cell,
    #[schema(value_type = GradeDecisionKind, inline)]
    pub kind: &'static str,
    /// Of an override.
    #[schema(required)]
    pub points: Option<String>,
}

/// A line or a cell that is not read.
#[derive(Serialize, ToSchema)]
pub struct GradeTableRefusal {
    /// Line of the table, from 1.
    pub line: u64,
    /// Heading of the column; null for a whole line.
    #[schema(required)]
    pub column: Option<String>,
    /// The reason in the language of the request.
    pub message: String,
}

impl GradeTable {
    pub fn of(import: csv::Import, lang: Lang) -> Self {
        let change = |change: csv::TableChange| GradeTableChange {
            line: change.line,
            enrollment_id: change.enrollment_id.0,
            full_name: change.full_name,
            email: change.email,
            page_id: change.page_id.0,
            before: change.before,
            kind: change.kind.name(),
            points: change.points.map(decimal_text),
        };
        let refusal = |refusal: csv::Refusal| GradeTableRefusal {
            line: refusal.line,
            column: refusal.column,
            message: refusal.message.text(lang),
        };
        GradeTable {
            digest: import.digest,
            changes: import.changes.into_iter().map(change).collect(),
            refusals: import.refusals.into_iter().map(refusal).collect(),
            refused: import.refused,
            unchanged: import.unchanged,
            is_applied: import.is_applied,
        }
    }
}

/// The grades have changed since the preview. Nothing was changed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct GradeTableConflict {
    detail: String,
    import: GradeTable,
}
