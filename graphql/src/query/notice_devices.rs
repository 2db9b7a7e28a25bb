//! The query of the devices that receive pushes.

use async_graphql::{Context, Object, Result};
use kurso_core::push::devices;

use crate::context::{kurso, viewer};
use crate::cost;
use crate::error::wrap;
use crate::types::NoticeDevices;

#[derive(Default)]
pub struct NoticeDevicesQuery;

#[Object]
impl NoticeDevicesQuery {
    /// The devices of the caller that receive pushes about notices.
    async fn notice_devices(&self, ctx: &Context<'_>) -> Result<NoticeDevices> {
        let viewer = viewer(ctx)?;
        let found = devices::get(kurso(ctx), viewer).await.map_err(wrap(ctx))?;
        let found = NoticeDevices::from(found);
        cost::spend(ctx, found.rows())?;
        Ok(found)
    }
}
