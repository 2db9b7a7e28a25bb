//! Mutations of lessons. Payloads include the module, because a change may move the siblings of the lesson.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{LessonId, ModuleId};
use kurso_base::messages::Message;
use kurso_core::courses::duplicate;
use kurso_core::courses::lesson::{self, CreateLesson, UpdateLesson};

use super::expected_dates::ExpectedDatesInput;
use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::{command, ids};
use crate::language::say;
use crate::types::{Lesson, Module};

#[derive(Default)]
pub struct LessonsMutation;

/// A new lesson.
#[derive(InputObject)]
pub struct CreateLessonInput {
    /// The module of the new lesson.
    module_id: ID,
    /// 1 to 255 characters.
    title: String,
    /// Index among its siblings, from 0; the end when it is absent or beyond the end.
    position: MaybeUndefined<i32>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which begins at 00:00.
    available_from: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which ends at 23:59.
    available_until: MaybeUndefined<String>,
    /// As `availableUntil`.
    due_at: MaybeUndefined<String>,
}

/// The lesson was created.
#[derive(SimpleObject)]
pub struct CreateLessonPayload {
    /// The new lesson.
    lesson: Lesson,
    /// Its module, with the new positions of its siblings.
    module: Module,
}

/// Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdateLessonInput {
    /// ID of the lesson.
    lesson_id: ID,
    /// 1 to 255 characters; may not be null.
    title: MaybeUndefined<String>,
    /// Target module in the same course; without `position`, the lesson moves to its end.
    module_id: MaybeUndefined<ID>,
    /// New index among its siblings, from 0; the end when it is beyond the end.
    position: MaybeUndefined<i32>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which begins at 00:00. Null clears it.
    available_from: MaybeUndefined<String>,
    /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a
    /// day, which ends at 23:59. Null clears it.
    available_until: MaybeUndefined<String>,
    /// As `availableUntil`.
    due_at: MaybeUndefined<String>,
    /// IDs of the modules and lessons of the course that must be complete before it, at most 100. Replaces the list; may not be null.
    prerequisites: MaybeUndefined<Vec<ID>>,
    /// The prerequisites that the change of them is based on. If others are stored, nothing is changed (CONFLICT).
    expected_prerequisites: MaybeUndefined<Vec<ID>>,
    /// The dates that the change is based on; CONFLICT if others are stored. Without it, the change of dates never conflicts.
    expected_dates: Option<ExpectedDatesInput>,
}

/// The lesson was changed.
#[derive(SimpleObject)]
pub struct UpdateLessonPayload {
    /// The lesson as it is now.
    lesson: Lesson,
    /// The module it is in now.
    module: Module,
    /// The module it was in; null unless it moved to another one.
    previous_module: Option<Module>,
}

/// A lesson to delete.
#[derive(InputObject)]
pub struct DeleteLessonInput {
    /// ID of the lesson.
    lesson_id: ID,
}

/// The lesson was deleted.
#[derive(SimpleObject)]
pub struct DeleteLessonPayload {
    /// The deleted lesson.
    lesson_id: ID,
    /// The module it was in; null when that was deleted at the same time.
    module: Option<Module>,
    /// The result in words, in the language of the request.
    message: String,
}

/// A lesson to copy.
#[derive(InputObject)]
pub struct DuplicateLessonInput {
    /// ID of the lesson.
    lesson_id: ID,
}

/// The lesson was copied.
#[derive(SimpleObject)]
pub struct DuplicateLessonPayload {
    /// The copy.
    lesson: Lesson,
    /// Its module, with the new positions of its siblings.
    module: Module,
}

#[Object]
impl LessonsMutation {
    /// Creates an empty lesson. Owner and editors.
    async fn create_lesson(&self, ctx: &Context<'_>, input: CreateLessonInput) -> Result<CreateLessonPayload> {
        let viewer = viewer(ctx)?;
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let new = command!(
            ctx,
            CreateLesson {
                title: required(input.title),
                position: optional(input.position.take()),
                available_from: optional(input.available_from.take()),
                available_until: optional(input.available_until.take()),
                due_at: optional(input.due_at.take()),
            }
        );
        let made = lesson::create(kurso(ctx), viewer, id, new).await.map_err(wrap(ctx))?;
        let lesson = Lesson::load(ctx, made.id).await?;
        Ok(CreateLessonPayload {
            module: lesson.in_module(),
            lesson,
        })
    }

    /// Changes the fields that are present, and moves the lesson. Owner and editors.
    async fn update_lesson(&self, ctx: &Context<'_>, input: UpdateLessonInput) -> Result<UpdateLessonPayload> {
        let viewer = viewer(ctx)?;
        let id: LessonId = context::id(ctx, "lesson_id", &input.lesson_id)?;
        // A failure of this read is ignored: the update fails for the same reason.
        let before = match input.module_id.is_value() {
            true => Lesson::load(ctx, id).await.ok().map(|lesson| lesson.in_module().key()),
            false => None,
        };
        let update = command!(
            ctx,
            UpdateLesson {
                title: given(input.title),
                module_id: optional(input.module_id.take()),
                position: optional(input.position.take()),
                available_from: change(input.available_from),
                available_until: change(input.available_until),
                due_at: change(input.due_at),
                prerequisites: given(input.prerequisites.map_value(ids)),
                expected_prerequisites: given(input.expected_prerequisites.map_value(ids)),
                expected_dates: optional(input.expected_dates),
            }
        );
        lesson::update(kurso(ctx), viewer, id, update)
            .await
            .map_err(wrap(ctx))?;
        let lesson = Lesson::load(ctx, id).await?;
        let module = lesson.in_module();
        Ok(UpdateLessonPayload {
            previous_module: before.filter(|id| *id != module.key()).and_then(|id| module.beside(id)),
            module,
            lesson,
        })
    }

    /// Deletes a lesson with everything in it. Owner and editors.
    async fn delete_lesson(&self, ctx: &Context<'_>, input: DeleteLessonInput) -> Result<DeleteLessonPayload> {
        let viewer = viewer(ctx)?;
        let id: LessonId = context::id(ctx, "lesson_id", &input.lesson_id)?;
        let module = lesson::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteLessonPayload {
            lesson_id: ID(id.to_string()),
            module: Module::load_left(ctx, module).await?,
            message: say(ctx, Message::LessonDeleted),
        })
    }

    /// Makes a deep copy right after the original; ` (копия)` is added to its title. Owner and editors.
    #[graphql(complexity = "cost::COPY_OF_LESSON + child_complexity")]
    async fn duplicate_lesson(&self, ctx: &Context<'_>, input: DuplicateLessonInput) -> Result<DuplicateLessonPayload> {
        let viewer = viewer(ctx)?;
        let id: LessonId = context::id(ctx, "lesson_id", &input.lesson_id)?;
        let copy = duplicate::lesson(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        let lesson = Lesson::load(ctx, copy.id).await?;
        Ok(DuplicateLessonPayload {
            module: lesson.in_module(),
            lesson,
        })
    }
}
