//! Pictures of modules. They come in over REST (`upload_module_avatar`), as all files do.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::error::Error;
use kurso_base::ids::ModuleId;
use kurso_base::messages::Message;
use kurso_core::access::Right;
use kurso_core::courses::avatar;
use kurso_core::learning::view::CourseView;

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{Module, View};

#[derive(Default)]
pub struct AvatarMutation;

/// An avatar to remove.
#[derive(InputObject)]
pub struct RemoveModuleAvatarInput {
    /// ID of the module.
    module_id: ID,
}

/// The avatar was removed.
#[derive(SimpleObject)]
pub struct RemoveModuleAvatarPayload {
    /// The module without an avatar.
    module: Module,
}

#[Object]
impl AvatarMutation {
    /// Removes the avatar of a module, if it has one. Owner and editors.
    async fn remove_module_avatar(
        &self,
        ctx: &Context<'_>,
        input: RemoveModuleAvatarInput,
    ) -> Result<RemoveModuleAvatarPayload> {
        let (kurso, viewer) = (kurso(ctx), viewer(ctx)?);
        let id: ModuleId = context::id(ctx, "module_id", &input.module_id)?;
        let module = avatar::remove(kurso, viewer, id).await.map_err(wrap(ctx))?;
        let view = CourseView::load(kurso, viewer, module.course_id, Right::Edit)
            .await
            .map_err(wrap(ctx))?;
        let place = view.tree.modules.iter().position(|module| module.id == id);
        let place = place
            .ok_or(Error::NotFound(Message::ModuleNotFound))
            .map_err(wrap(ctx))?;
        Ok(RemoveModuleAvatarPayload {
            module: Module::at(&View::new(view), place),
        })
    }
}
