//! Mutations of the devices that receive pushes.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use kurso_base::ids::DeviceId;
use kurso_base::messages::Message;
use kurso_core::push::devices::{self, AddDevice};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::input::command;
use crate::language::say;
use crate::types::NoticeDevice;

#[derive(Default)]
pub struct NoticeDevicesMutation;

/// What `PushManager.subscribe` has returned.
#[derive(InputObject)]
pub struct AddNoticeDeviceInput {
    /// URL at the push service.
    endpoint: String,
    /// Public key of the browser, in base64url.
    #[graphql(name = "p256dh")]
    p256dh: String,
    /// Secret of the browser, in base64url.
    auth: String,
}

/// Pushes are on.
#[derive(SimpleObject)]
pub struct AddNoticeDevicePayload {
    /// The device.
    device: NoticeDevice,
}

/// A device to remove.
#[derive(InputObject)]
pub struct RemoveNoticeDeviceInput {
    /// ID of the device.
    device_id: ID,
}

/// The device was removed.
#[derive(SimpleObject)]
pub struct RemoveNoticeDevicePayload {
    /// ID of the device.
    device_id: ID,
    /// A message in the language of the request.
    message: String,
}

/// A device to test.
#[derive(InputObject)]
pub struct TestNoticeDeviceInput {
    /// ID of the device.
    device_id: ID,
}

/// The test is on its way.
#[derive(SimpleObject)]
pub struct TestNoticeDevicePayload {
    /// A message in the language of the request.
    message: String,
}

#[Object]
impl NoticeDevicesMutation {
    /// Turns pushes on for a device. Repeating the call renews the keys of the device. A device that another user has added with the same endpoint
    /// moves to the caller. The device belongs to the session: ending it removes the device. A 21st device replaces the one that was not used for longest.
    async fn add_notice_device(
        &self,
        ctx: &Context<'_>,
        input: AddNoticeDeviceInput,
    ) -> Result<AddNoticeDevicePayload> {
        let viewer = viewer(ctx)?;
        let new = command!(
            ctx,
            AddDevice {
                endpoint: required(input.endpoint),
                p256dh: required(input.p256dh),
                auth: required(input.auth),
            }
        );
        let device = devices::add(kurso(ctx), viewer, &new).await.map_err(wrap(ctx))?;
        Ok(AddNoticeDevicePayload { device: device.into() })
    }

    /// Turns pushes off for a device of the caller. NOT_FOUND for another one.
    async fn remove_notice_device(
        &self,
        ctx: &Context<'_>,
        input: RemoveNoticeDeviceInput,
    ) -> Result<RemoveNoticeDevicePayload> {
        let viewer = viewer(ctx)?;
        let id: DeviceId = context::id(ctx, "device_id", &input.device_id)?;
        devices::remove(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(RemoveNoticeDevicePayload {
            device_id: ID(id.to_string()),
            message: say(ctx, Message::DeviceRemoved),
        })
    }

    /// Sends a test push to a device of the caller. NOT_FOUND for another one; RATE_LIMITED after 20 in an hour.
    async fn test_notice_device(
        &self,
        ctx: &Context<'_>,
        input: TestNoticeDeviceInput,
    ) -> Result<TestNoticeDevicePayload> {
        let viewer = viewer(ctx)?;
        let id: DeviceId = context::id(ctx, "device_id", &input.device_id)?;
        devices::test(kurso(ctx), viewer, id).await.map_err(wrap(ctx))?;
        Ok(TestNoticeDevicePayload {
            message: say(ctx, Message::TestPushSent),
        })
    }
}
