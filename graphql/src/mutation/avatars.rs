//! Pictures of modules. They come in over REST (`upload_module_avatar`), as all files do.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_core::access::Right;
use kurso_core::courses::avatar;
use kurso_core::error::Error;
use kurso_core::ids::ModuleId;
use kurso_core::learning::view::CourseView;
use kurso_core::messages::Message;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{Module, View};

#[derive(Default)]
pub struct AvatarMutation;

#[derive(InputObject)]
pub struct RemoveModuleAvatarInput {
    module_id: ID,
}

#[derive(SimpleObject)]
pub struct RemoveModuleAvatarPayload {
    module: Module,
}

#[Object]
impl AvatarMutation {
    /// Takes the picture of a module away; fine when there is none. Owner and editors.
    async fn remove_module_avatar(
        &self,
        ctx: &Context<'_>,
        input: RemoveModuleAvatarInput,
    ) -> Result<RemoveModuleAvatarPayload> {
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let (kurso, viewer) = (kurso(ctx), viewer(ctx)?);
        let module = avatar::remove(kurso, viewer, id).await.map_err(wrap(ctx))?;
        let view = CourseView::load(kurso, viewer, module.course_id, Right::Edit)
            .await
            .map_err(wrap(ctx))?;
        let place = view.tree.modules.iter().position(|module| module.id == id);
        let place = place
            .ok_or(Error::NotFound(Message::ModuleNotFound))
            .map_err(wrap(ctx))?;
        Ok(RemoveModuleAvatarPayload {
            module: Module::alone(View::new(view), place),
        })
    }
}
