//! Mutations of modules. Payloads include the course, because a change may move the siblings of the module.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, ModuleId};
use kurso_base::messages::Message;
use kurso_core::courses::duplicate;
use kurso_core::courses::module::{self, CreateModule, UpdateModule};

use super::expected_dates::ExpectedDatesInput;
use crate::context::{self, kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::input::{command, ids};
use crate::language::say;
use crate::types::{Course, Module};

#[derive(Default)]
pub struct ModulesMutation;

/// A new module.
#[derive(InputObject)]
pub struct CreateModuleInput {
    /// The course of the new module.
    course_id: ID,
    /// 1 to 255 characters.
    title: String,
    /// At most 10,000 characters.
    description: MaybeUndefined<String>,
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

/// The module was created.
#[derive(SimpleObject)]
pub struct CreateModulePayload {
    /// The new module.
    module: Module,
    /// Its course, with the new positions of its siblings.
    course: Course,
}

/// Absent fields keep their values.
#[derive(InputObject)]
pub struct UpdateModuleInput {
    /// ID of the module.
    module_id: ID,
    /// 1 to 255 characters; may not be null.
    title: MaybeUndefined<String>,
    /// At most 10,000 characters; null clears it.
    description: MaybeUndefined<String>,
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

/// The module was changed.
#[derive(SimpleObject)]
pub struct UpdateModulePayload {
    /// The module as it is now.
    module: Module,
    /// Its course, with the new positions of its siblings.
    course: Course,
}

/// A module to delete.
#[derive(InputObject)]
pub struct DeleteModuleInput {
    /// ID of the module.
    module_id: ID,
}

/// The module was deleted.
#[derive(SimpleObject)]
pub struct DeleteModulePayload {
    /// The deleted module.
    module_id: ID,
    /// The course it was in; null when that was deleted at the same time.
    course: Option<Course>,
    /// The result in words, in the language of the request.
    message: String,
}

/// A module to copy.
#[derive(InputObject)]
pub struct DuplicateModuleInput {
    /// ID of the module.
    module_id: ID,
}

/// The module was copied.
#[derive(SimpleObject)]
pub struct DuplicateModulePayload {
    /// The copy.
    module: Module,
    /// Its course, with the new positions of its siblings.
    course: Course,
}

#[Object]
impl ModulesMutation {
    /// Creates an empty module. Owner and editors.
    async fn create_module(&self, ctx: &Context<'_>, input: CreateModuleInput) -> Result<CreateModulePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let new = command!(
            ctx,
            CreateModule {
                title: required(input.title),
                description: optional(input.description.take()),
                position: optional(input.position.take()),
                available_from: optional(input.available_from.take()),
                available_until: optional(input.available_until.take()),
                due_at: optional(input.due_at.take()),
            }
        );
        let made = module::create(kurso(ctx), viewer, id, new).await.map_err(wrap(ctx))?;
        let module = Module::load(ctx, made.id).await?;
        Ok(CreateModulePayload {
            course: module.in_course(),
            module,
        })
    }

    /// Changes the fields that are present, and moves the module. Owner and editors.
    async fn update_module(&self, ctx: &Context<'_>, input: UpdateModuleInput) -> Result<UpdateModulePayload> {
        let viewer = viewer(ctx)?;
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let update = command!(
            ctx,
            UpdateModule {
                title: given(input.title),
                description: change(input.description),
                position: optional(input.position.take()),
                remove_avatar: known(false),
                available_from: change(input.available_from),
                available_until: change(input.available_until),
                due_at: change(input.due_at),
                prerequisites: given(input.prerequisites.map_value(ids)),
                expected_prerequisites: given(input.expected_prerequisites.map_value(ids)),
                expected_dates: optional(input.expected_dates),
            }
        );
        module::update(kurso(ctx), viewer, id, update)
            .await
            .map_err(wrap(ctx))?;
        let module = Module::load(ctx, id).await?;
        Ok(UpdateModulePayload {
            course: module.in_course(),
            module,
        })
    }

    /// Deletes a module with everything in it. Owner and editors.
    async fn delete_module(&self, ctx: &Context<'_>, input: DeleteModuleInput) -> Result<DeleteModulePayload> {
        let viewer = viewer(ctx)?;
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let course = module::delete(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(DeleteModulePayload {
            module_id: ID(id.to_string()),
            course: Course::load_left(ctx, course).await?,
            message: say(ctx, Message::ModuleDeleted),
        })
    }

    /// Makes a deep copy right after the original; ` (копия)` is added to its title. Owner and editors.
    #[graphql(complexity = "cost::COPY_OF_MODULE + child_complexity")]
    async fn duplicate_module(&self, ctx: &Context<'_>, input: DuplicateModuleInput) -> Result<DuplicateModulePayload> {
        let viewer = viewer(ctx)?;
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let copy = duplicate::module(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        let module = Module::load(ctx, copy.id).await?;
        Ok(DuplicateModulePayload {
            course: module.in_course(),
            module,
        })
    }
}
