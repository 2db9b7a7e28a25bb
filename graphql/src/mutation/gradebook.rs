//! Settings of gradebooks, and decisions on grades.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, EnrollmentId, GradeCategoryId};
use kurso_base::messages::Message;
use kurso_core::gradebook::csv::{self, ImportGrades, Imported};
use kurso_core::gradebook::{self, CreateCategory, Decide, Decided, SetItems, UpdateCategory, UpdateSettings};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::{command, ids};
use crate::language::{lang, say};
use crate::types::{
    Decimal, GradeCategory, GradeDecisionKind, GradeDetail, GradeScheme, GradeSettings, GradeTable, id_of,
};

#[derive(Default)]
pub struct GradebookMutation;

/// A change of the settings of a gradebook. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct UpdateGradeSettingsInput {
    /// ID of the course.
    course_id: ID,
    /// Another scheme has its default thresholds, unless they are given.
    scheme: Option<GradeScheme>,
    /// The least percent of each label of the scheme but the last, the best one first, each lower than the one before. Null: the defaults of
    /// the scheme.
    thresholds: MaybeUndefined<Vec<Decimal>>,
    /// Whether a quiz counts as 0 that was due and not taken.
    missing_counts_as_zero: MaybeUndefined<bool>,
    /// Whether graders do not see whose answers they grade.
    is_blind: MaybeUndefined<bool>,
}

/// A new category of a gradebook.
#[derive(InputObject)]
pub struct CreateGradeCategoryInput {
    /// ID of the course.
    course_id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Index among its siblings, from 0; left out or beyond the end: the end.
    position: MaybeUndefined<i32>,
    /// 0 to 100, by default 100. Weights count in proportion to each other.
    weight: MaybeUndefined<Decimal>,
    /// How many of the lowest results do not count: 0 to 50, by default 0.
    drop_lowest: MaybeUndefined<i32>,
}

/// A change of a category. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct UpdateGradeCategoryInput {
    /// ID of the category.
    category_id: ID,
    /// 1 to 255 characters.
    title: MaybeUndefined<String>,
    /// New index among its siblings, from 0; beyond the end: the end.
    position: MaybeUndefined<i32>,
    /// 0 to 100.
    weight: MaybeUndefined<Decimal>,
    /// 0 to 50.
    drop_lowest: MaybeUndefined<i32>,
}

/// A category.
#[derive(InputObject)]
pub struct GradeCategoryInput {
    /// ID of the category.
    category_id: ID,
}

/// A change of how quizzes count. Fields that are left out stay as they are.
#[derive(InputObject)]
pub struct SetGradeItemsInput {
    /// ID of the course.
    course_id: ID,
    /// Quizzes of the course, 1 to 1,000.
    page_ids: Vec<ID>,
    /// A category of the course; null: no category.
    category_id: MaybeUndefined<ID>,
    /// What each of them is worth, 0.01 to 10,000.
    points: MaybeUndefined<Decimal>,
    /// Whether its points add to what was earned only, and not to what could be earned.
    extra_credit: MaybeUndefined<bool>,
    /// Whether it counts for nobody.
    is_excluded: MaybeUndefined<bool>,
}

/// A decision on a grade of a student.
#[derive(InputObject)]
pub struct DecideGradeInput {
    /// The `id` of a `Student`.
    enrollment_id: ID,
    /// A page of the gradebook; null: the grade of the course. It cannot be left out.
    page_id: MaybeUndefined<ID>,
    /// The version of the cell that the decision is based on; 0 before the first decision.
    version: i32,
    /// What is decided.
    kind: GradeDecisionKind,
    /// Of an override: points, at most ten times those of the page; of the course: percent, at most 1000.
    points: MaybeUndefined<Decimal>,
    /// 1 to 500 characters. Required except to take a decision back.
    reason: MaybeUndefined<String>,
}

/// The settings in their new state.
#[derive(SimpleObject)]
pub struct GradeSettingsPayload {
    /// The settings.
    settings: GradeSettings,
}

/// The category was created.
#[derive(SimpleObject)]
pub struct CreateGradeCategoryPayload {
    /// The new category; null when it was deleted at the same time.
    category: Option<GradeCategory>,
    /// The settings with all categories.
    settings: GradeSettings,
}

/// The category was deleted.
#[derive(SimpleObject)]
pub struct DeleteGradeCategoryPayload {
    /// ID of the deleted category.
    category_id: ID,
    /// The settings with the categories that are left.
    settings: GradeSettings,
    /// The result in words, in the language of the request.
    message: String,
}

/// A conflict is an expected outcome: nothing was changed, `grade` is null and `conflict` holds what is stored.
#[derive(SimpleObject)]
pub struct DecideGradePayload {
    /// The grade with the decision.
    grade: Option<GradeDetail>,
    /// Why nothing was changed; null when the decision was stored.
    conflict: Option<GradeConflict>,
}

/// Somebody else has decided on the grade meanwhile.
#[derive(SimpleObject)]
pub struct GradeConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The stored grade.
    grade: GradeDetail,
}

/// A table of grades.
#[derive(InputObject)]
pub struct ImportGradesInput {
    /// ID of the course.
    course_id: ID,
    /// A CSV text, at most 4,000,000 characters.
    table: String,
    /// The reason of all decisions, 1 to 500 characters.
    reason: String,
    /// That of the preview whose changes are to be made; null: a preview.
    digest: MaybeUndefined<String>,
}

/// Outdated changes are an expected outcome: nothing was changed, `import` is null and `conflict` holds the changes that the table means now.
#[derive(SimpleObject)]
pub struct ImportGradesPayload {
    /// The changes.
    import: Option<GradeTable>,
    /// Why nothing was changed; null for a preview, and when the changes were made.
    conflict: Option<GradeTableConflict>,
}

/// The grades have changed since the preview.
#[derive(SimpleObject)]
pub struct GradeTableConflict {
    /// Why nothing was changed, in the language of the request.
    message: String,
    /// The changes that the table means now.
    import: GradeTable,
}

#[Object]
impl GradebookMutation {
    /// Changes the settings of a gradebook. Owner and teachers.
    async fn update_grade_settings(
        &self,
        ctx: &Context<'_>,
        input: UpdateGradeSettingsInput,
    ) -> Result<GradeSettingsPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let texts = |list: Vec<Decimal>| serde_json::Value::from_iter(list.into_iter().map(String::from));
        let update = command!(
            ctx,
            UpdateSettings {
                scheme: known(input.scheme.map(Into::into)),
                thresholds: change(input.thresholds.map_value(texts)),
                missing_counts_as_zero: given(input.missing_counts_as_zero),
                is_blind: given(input.is_blind),
            }
        );
        let setup = gradebook::update_settings(kurso(ctx), viewer, course, update)
            .await
            .map_err(wrap(ctx))?;
        Ok(GradeSettingsPayload { settings: setup.into() })
    }

    /// Creates a category; CONFLICT when the course has 50. As soon as there is a category, quizzes without one count nowhere. Owner and
    /// teachers.
    async fn create_grade_category(
        &self,
        ctx: &Context<'_>,
        input: CreateGradeCategoryInput,
    ) -> Result<CreateGradeCategoryPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = command!(
            ctx,
            CreateCategory {
                title: required(input.title),
                position: optional(input.position.take()),
                weight: optional(input.weight.take()),
                drop_lowest: optional(input.drop_lowest.take()),
            }
        );
        let (id, setup) = gradebook::create_category(kurso(ctx), viewer, course, new)
            .await
            .map_err(wrap(ctx))?;
        let made = setup.categories.iter().find(|category| category.id == id);
        Ok(CreateGradeCategoryPayload {
            category: made.map(GradeCategory::from),
            settings: setup.into(),
        })
    }

    /// Changes or moves a category. Owner and teachers.
    async fn update_grade_category(
        &self,
        ctx: &Context<'_>,
        input: UpdateGradeCategoryInput,
    ) -> Result<GradeSettingsPayload> {
        let viewer = viewer(ctx)?;
        let id: GradeCategoryId = context::id(ctx, "category_id", &input.category_id)?;
        let update = command!(
            ctx,
            UpdateCategory {
                title: given(input.title),
                position: optional(input.position.take()),
                weight: given(input.weight),
                drop_lowest: given(input.drop_lowest),
            }
        );
        let setup = gradebook::update_category(kurso(ctx), viewer, id, update)
            .await
            .map_err(wrap(ctx))?;
        Ok(GradeSettingsPayload { settings: setup.into() })
    }

    /// Deletes a category. Its quizzes stay in the gradebook, without a category. Owner and teachers.
    async fn delete_grade_category(
        &self,
        ctx: &Context<'_>,
        input: GradeCategoryInput,
    ) -> Result<DeleteGradeCategoryPayload> {
        let viewer = viewer(ctx)?;
        let id: GradeCategoryId = context::id(ctx, "category_id", &input.category_id)?;
        let setup = gradebook::delete_category(kurso(ctx), viewer, id)
            .await
            .map_err(wrap(ctx))?;
        Ok(DeleteGradeCategoryPayload {
            category_id: id_of(id),
            settings: setup.into(),
            message: say(ctx, Message::GradeCategoryDeleted),
        })
    }

    /// Changes how quizzes count, all given ones alike. Owner and teachers.
    async fn set_grade_items(&self, ctx: &Context<'_>, input: SetGradeItemsInput) -> Result<GradeSettingsPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let set = command!(
            ctx,
            SetItems {
                page_ids: required(ids(input.page_ids)),
                category_id: change(input.category_id.map_value(String::from)),
                points: given(input.points),
                extra_credit: given(input.extra_credit),
                is_excluded: given(input.is_excluded),
            }
        );
        let setup = gradebook::set_items(kurso(ctx), viewer, course, set)
            .await
            .map_err(wrap(ctx))?;
        Ok(GradeSettingsPayload { settings: setup.into() })
    }

    /// Overrides a grade, excuses the student from it, or withdraws the last decision; CONFLICT after 500 decisions. A decision that was made
    /// on an older version is a `conflict`. Owner and teachers.
    async fn decide_grade(&self, ctx: &Context<'_>, input: DecideGradeInput) -> Result<DecideGradePayload> {
        let viewer = viewer(ctx)?;
        let enrollment: EnrollmentId = context::id(ctx, "enrollment_id", &input.enrollment_id)?;
        let decide = command!(
            ctx,
            Decide {
                page_id: nullable(input.page_id.map_value(String::from)),
                version: required(input.version),
                kind: known(input.kind.into()),
                points: optional(input.points.take()),
                reason: optional(input.reason.take()),
            }
        );
        let decided = gradebook::decide(kurso(ctx), viewer, enrollment, decide)
            .await
            .map_err(wrap(ctx))?;
        Ok(match decided {
            Decided::Stored(read) => DecideGradePayload {
                grade: Some(read.into()),
                conflict: None,
            },
            Decided::Stale(read) => DecideGradePayload {
                grade: None,
                conflict: Some(GradeConflict {
                    message: say(ctx, Message::GradeChanged),
                    grade: read.into(),
                }),
            },
        })
    }

    /// Reads a table as the export `GRADES` writes it, and any with its headings `Email` and codes of pages in brackets, separated by
    /// semicolons, tabs or commas. Another number than the grade of the student is an override, `excused` excuses, `auto` takes a decision
    /// back, an empty cell changes nothing. Without `digest`, nothing is changed; with that of a preview, exactly its changes are made. Owner
    /// and teachers.
    async fn import_grades(&self, ctx: &Context<'_>, input: ImportGradesInput) -> Result<ImportGradesPayload> {
        let viewer = viewer(ctx)?;
        let course: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let command = command!(
            ctx,
            ImportGrades {
                table: required(input.table),
                reason: required(input.reason),
                digest: optional(input.digest.take()),
            }
        );
        let imported = csv::import(kurso(ctx), viewer, course, command)
            .await
            .map_err(wrap(ctx))?;
        let lang = lang(ctx);
        Ok(match imported {
            Imported::Read(import) => ImportGradesPayload {
                import: Some(GradeTable { import, lang }),
                conflict: None,
            },
            Imported::Outdated(import) => ImportGradesPayload {
                import: None,
                conflict: Some(GradeTableConflict {
                    message: say(ctx, Message::GradeTableOutdated),
                    import: GradeTable { import, lang },
                }),
            },
        })
    }
}
