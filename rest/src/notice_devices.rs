//! The devices of the caller that receive pushes about notices.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::DeviceId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::push::devices::{self, AddDevice, Device};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::fields::{Command, body};
use crate::message::Message;
use crate::openapi_parts::{HTTPError, SignedInRefusals};

/// A browser in which the caller has turned pushes on.
#[derive(Serialize, ToSchema)]
pub struct NoticeDevice {
    pub id: Uuid,
    /// Its URL at the push service, by which a browser recognises its own device.
    pub endpoint: String,
    /// User-Agent of the session in which it was added.
    pub user_agent: String,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
}

/// The devices of the caller, and what a browser needs to become one.
#[derive(Serialize, ToSchema)]
pub struct NoticeDevices {
    /// The key of the server for `PushManager.subscribe` (VAPID), in base64url. Null: the server sends no pushes.
    #[schema(required)]
    pub public_key: Option<String>,
    /// Newest first; at most 20.
    pub devices: Vec<NoticeDevice>,
}

body! {
    /// What `PushManager.subscribe` has returned.
    NoticeDeviceAdded -> AddDevice {
        /// URL at the push service.
        endpoint: PushEndpoint,
        /// Public key of the browser, in base64url.
        p256dh: PushKey,
        /// Secret of the browser, in base64url.
        auth: PushKey,
    }
}

/// List the devices that receive pushes
///
/// Order: newest first.
#[utoipa::path(
    get, path = "/api/v1/notices/devices", operation_id = "notices-read_devices", tag = "notices",
    responses(SignedInRefusals, (status = 200, description = "The devices, and the key of the server", body = NoticeDevices))
)]
pub async fn list(State(kurso): KursoState, viewer: Viewer) -> Result<Json<NoticeDevices>> {
    let found = devices::get(&kurso, &viewer).await?;
    Ok(Json(NoticeDevices {
        public_key: found.public_key,
        devices: found.devices.into_iter().map(Into::into).collect(),
    }))
}

/// Turn pushes on for a device
///
/// Repeating the call renews the keys of the device. A device that another user has added with the same endpoint and keys moves to the caller.
/// The device belongs to the session: ending it removes the device. A 21st device replaces the one that was not used for longest.
#[utoipa::path(
    post, path = "/api/v1/notices/devices", operation_id = "notices-add_device", tag = "notices",
    request_body = NoticeDeviceAdded,
    responses(
        SignedInRefusals,
        (status = 200, description = "The device", body = NoticeDevice),
        (status = 409, description = "Another user has added the endpoint with other keys", body = HTTPError),
    )
)]
pub async fn add(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(new): Command<NoticeDeviceAdded>,
) -> Result<Json<NoticeDevice>> {
    Ok(Json(devices::add(&kurso, &viewer, &new).await?.into()))
}

/// Turn pushes off for a device
#[utoipa::path(
    delete, path = "/api/v1/notices/devices/{device_id}", operation_id = "notices-remove_device", tag = "notices",
    responses(
        SignedInRefusals,
        (status = 200, description = "Removed", body = Message),
        (status = 404, description = "The caller has no such device, or the user is deleted", body = HTTPError),
    )
)]
pub async fn remove(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<DeviceId>,
    lang: Lang,
) -> Result<Json<Message>> {
    devices::remove(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::DeviceRemoved, lang))
}

/// Send a test push to a device
///
/// At most 20 in an hour.
#[utoipa::path(
    post, path = "/api/v1/notices/devices/{device_id}/test", operation_id = "notices-test_device", tag = "notices",
    responses(
        SignedInRefusals,
        (status = 200, description = "It is on its way", body = Message),
        (status = 409, description = "The server sends no pushes", body = HTTPError),
        (status = 404, description = "The caller has no such device, or the user is deleted", body = HTTPError),
        (status = 429, description = "Too many tests; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn test(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<DeviceId>,
    lang: Lang,
) -> Result<Json<Message>> {
    devices::test(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::TestPushSent, lang))
}

impl From<Device> for NoticeDevice {
    fn from(device: Device) -> Self {
        NoticeDevice {
            id: device.id.0,
            endpoint: device.endpoint,
            user_agent: device.user_agent,
            created_at: device.created_at,
        }
    }
}
