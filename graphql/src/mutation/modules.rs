//! Mutations of modules. Payloads include the course, because a change may move the siblings of the module.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_base::ids::{CourseId, ModuleId};
use kurso_base::messages::Message;
use kurso_core::courses::duplicate;
use kurso_core::courses::module::{self, CreateModule, UpdateModule};

use crate::context::{self, kurso, say, viewer};
use crate::error::wrap;
use crate::input::command;
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
    /// From 0; at the end when left out, and so is what is beyond it.
    position: MaybeUndefined<i32>,
}

/// The module was created.
#[derive(SimpleObject)]
pub struct CreateModulePayload {
    /// The new module.
    module: Module,
    /// Its course, with the new positions of its siblings.
    course: Course,
}

/// What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdateModuleInput {
    /// Which module.
    module_id: ID,
    /// 1 to 255 characters; may not be null.
    title: MaybeUndefined<String>,
    /// At most 10,000 characters; null clears it.
    description: MaybeUndefined<String>,
    /// Where among its siblings the module goes, from 0; beyond the end is the end.
    position: MaybeUndefined<i32>,
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
    /// Which module.
    module_id: ID,
}

/// The module was deleted.
#[derive(SimpleObject)]
pub struct DeleteModulePayload {
    /// The deleted module.
    module_id: ID,
    /// What it was in; null when that was deleted in the same moment.
    course: Option<Course>,
    /// What was done, in the language of the request.
    message: String,
}

/// A module to copy.
#[derive(InputObject)]
pub struct DuplicateModuleInput {
    /// Which module.
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
            }
        );
        let made = module::create(kurso(ctx), viewer, id, new).await.map_err(wrap(ctx))?;
        let module = Module::load(ctx, made.id).await?;
        Ok(CreateModulePayload {
            course: module.in_course(),
            module,
        })
    }

    /// Changes the fields that are given, and moves the module. Owner and editors.
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
