//! Modules, as authors make, move and copy them. Answers hold the course too: what was changed may have moved its siblings.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use kurso_core::access::Right;
use kurso_core::courses::{self, duplicate, module};
use kurso_core::error::Error;
use kurso_core::ids::{CourseId, ModuleId};
use kurso_core::messages::Message;

use crate::context::{self, kurso, say, viewer};
use crate::error::wrap;
use crate::input::Body;
use crate::types::{Course, Module};

#[derive(Default)]
pub struct ModulesMutation;

#[derive(InputObject)]
pub struct CreateModuleInput {
    course_id: ID,
    /// 1 to 255 characters.
    title: String,
    /// At most 10,000 characters.
    description: MaybeUndefined<String>,
    /// From 0; at the end when left out, and so is what is beyond it.
    position: MaybeUndefined<i32>,
}

#[derive(SimpleObject)]
pub struct CreateModulePayload {
    module: Module,
    course: Course,
}

/// What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdateModuleInput {
    module_id: ID,
    /// 1 to 255 characters; may not be null.
    title: MaybeUndefined<String>,
    /// At most 10,000 characters; null clears it.
    description: MaybeUndefined<String>,
    /// Where among its siblings the module goes, from 0; beyond the end is the end.
    position: MaybeUndefined<i32>,
}

#[derive(SimpleObject)]
pub struct UpdateModulePayload {
    module: Module,
    course: Course,
}

#[derive(InputObject)]
pub struct DeleteModuleInput {
    module_id: ID,
}

#[derive(SimpleObject)]
pub struct DeleteModulePayload {
    module_id: ID,
    /// What it was in; null when that was deleted in the same moment.
    course: Option<Course>,
    message: String,
}

#[derive(InputObject)]
pub struct DuplicateModuleInput {
    module_id: ID,
}

#[derive(SimpleObject)]
pub struct DuplicateModulePayload {
    /// The copy.
    module: Module,
    course: Course,
}

#[Object]
impl ModulesMutation {
    /// Makes an empty module. Owner and editors.
    async fn create_module(&self, ctx: &Context<'_>, input: CreateModuleInput) -> Result<CreateModulePayload> {
        let viewer = viewer(ctx)?;
        let id: CourseId = context::id(ctx, "course_id", &input.course_id)?;
        let body = Body::default()
            .with("title", input.title)
            .given("description", input.description)
            .given("position", input.position);
        let made = module::create(kurso(ctx), viewer, id, &body.json())
            .await
            .map_err(wrap(ctx))?;
        let module = Module::load(ctx, made.id).await?;
        Ok(CreateModulePayload {
            course: module.in_course(),
            module,
        })
    }

    /// Changes what is given, and moves the module. Owner and editors.
    async fn update_module(&self, ctx: &Context<'_>, input: UpdateModuleInput) -> Result<UpdateModulePayload> {
        let viewer = viewer(ctx)?;
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let body = Body::default()
            .given("title", input.title)
            .given("description", input.description)
            .given("position", input.position);
        module::update(kurso(ctx), viewer, id, &body.json())
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
        let left = match courses::find(&kurso(ctx).db, viewer, course, Right::Read).await {
            Ok(row) => Some(Course::from_row(row)),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(wrap(ctx)(error)),
        };
        Ok(DeleteModulePayload {
            module_id: ID(id.to_string()),
            course: left,
            message: say(ctx, Message::ModuleDeleted),
        })
    }

    /// Makes a deep copy right after the original, its title followed by ` (копия)`. Owner and editors.
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
