//! The devices of the caller that receive pushes about notices.

use async_graphql::{ID, SimpleObject};
use kurso_core::push::devices as core;

use super::{DateTime, id_of};
use crate::cost;

/// A browser in which the caller has turned pushes on.
#[derive(SimpleObject)]
pub struct NoticeDevice {
    /// Its ID.
    id: ID,
    /// Its URL at the push service, by which a browser recognises its own device.
    endpoint: String,
    /// User-Agent of the session in which it was added.
    user_agent: String,
    /// When it was added.
    created_at: DateTime,
}

/// The devices of the caller, and what a browser needs to become one.
#[derive(SimpleObject)]
pub struct NoticeDevices {
    /// The key of the server for `PushManager.subscribe` (VAPID), in base64url. Null: the server sends no pushes.
    public_key: Option<String>,
    /// Newest first; at most 20.
    #[graphql(complexity = "cost::list(cost::DEVICES, child_complexity)")]
    devices: Vec<NoticeDevice>,
}

impl From<core::Device> for NoticeDevice {
    fn from(device: core::Device) -> Self {
        NoticeDevice {
            id: id_of(device.id),
            endpoint: device.endpoint,
            user_agent: device.user_agent,
            created_at: DateTime(device.created_at),
        }
    }
}

impl From<core::Pushes> for NoticeDevices {
    fn from(found: core::Pushes) -> Self {
        NoticeDevices {
            public_key: found.public_key,
            devices: found.devices.into_iter().map(Into::into).collect(),
        }
    }
}

impl NoticeDevices {
    /// The rows of the list.
    pub fn rows(&self) -> usize {
        self.devices.len()
    }
}
