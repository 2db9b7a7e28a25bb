//! Web Push ([decision 121](../../../docs/decisions/0121-web-push.md)): notices on the devices of a person, also while the app is closed.
//!
//! [`queue`] collects due notices into pushes, one for each device, and [`sending`] encrypts and sends them.

pub mod devices;
mod encryption;
mod failing;
mod hosts;
mod message;
pub mod queue;
pub mod sending;
mod vapid;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use kurso_base::error::{Error, Result};
use tokio::sync::Notify;

use crate::metrics::PushMetrics;
use failing::Failing;
pub use hosts::Hosts;
use vapid::ServerKey;

/// Limits connecting to a push service, and a whole request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// Push settings: the key of this server, and the allowed push services.
pub struct Push {
    key: ServerKey,
    hosts: Hosts,
    client: OnceLock<reqwest::Client>,
    /// The queue may contain a push to send.
    wake: Notify,
    failing: Failing,
    metrics: Arc<PushMetrics>,
}

impl std::fmt::Debug for Push {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Push(…)")
    }
}

/// Whether these are the keys of a browser.
pub(crate) fn are_keys(p256dh: &str, auth: &str) -> bool {
    encryption::BrowserKeys::read(p256dh, auth).is_ok()
}

impl Push {
    pub(crate) fn new(secret: &[u8]) -> Result<Self> {
        Ok(Push {
            key: ServerKey::derive(secret)?,
            hosts: Hosts::default(),
            client: OnceLock::new(),
            wake: Notify::new(),
            failing: Failing::default(),
            metrics: Arc::default(),
        })
    }

    /// Whether the server sends pushes at all.
    pub(crate) fn is_on(&self) -> bool {
        !self.hosts.is_empty()
    }

    pub(crate) fn set_hosts(&mut self, hosts: Hosts) {
        self.hosts = hosts;
    }

    pub(crate) fn metrics(&self) -> Arc<PushMetrics> {
        self.metrics.clone()
    }

    /// The HTTP client, created at the first use: a server without root certificates starts, too.
    fn client(&self) -> Result<&reqwest::Client> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // Fails harmlessly if the file store installed it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(REQUEST_TIMEOUT)
            .build()
            .map_err(Error::internal)?;
        Ok(self.client.get_or_init(|| client))
    }
}
