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

/// A picture to take away.
#[derive(InputObject)]
pub struct RemoveModuleAvatarInput {
    /// Whose picture.
    module_id: ID,
}

/// The picture is gone.
#[derive(SimpleObject)]
pub struct RemoveModuleAvatarPayload {
    /// The module without it.
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
