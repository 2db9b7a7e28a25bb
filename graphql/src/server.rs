//! What requests and sockets work with: the core, the schema, the limits, and the registry of open sockets.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, header};
use kurso_core::Kurso;
use tokio::sync::watch;

use crate::Schema;
use crate::admission::AdmissionChecks;

/// What the endpoint `/graphql` works with.
#[derive(Clone)]
pub struct Http {
    pub kurso: Arc<Kurso>,
    pub schema: Schema,
    pub checks: Arc<AdmissionChecks>,
    /// The open sockets of subscriptions.
    pub sockets: Sockets,
    /// The client's address, as the server sees it through its proxies.
    pub address: Arc<AddressOf>,
}

/// Reads the client's address from a request's extensions and headers.
pub type AddressOf = dyn Fn(&http::Extensions, &HeaderMap) -> Option<IpAddr> + Send + Sync;

/// Timeouts and limits of sockets.
#[derive(Clone, Debug)]
pub struct SocketConfig {
    /// Other origins whose scripts may connect, such as `http://localhost:5173`. The server's own origin always may.
    pub origins: Vec<String>,
    /// The time for `connection_init`.
    pub init_timeout: Duration,
    /// The interval of pings.
    pub ping_interval: Duration,
    /// The interval of session checks, besides those at each event and each change.
    pub session_check_interval: Duration,
    /// The time a client may take to receive one message.
    pub send_timeout: Duration,
    /// Subscriptions at the same time on one connection.
    pub max_subscriptions: usize,
}

impl Default for SocketConfig {
    fn default() -> Self {
        SocketConfig {
            origins: vec![],
            init_timeout: Duration::from_secs(10),
            // Proxies close a connection that is silent for a minute.
            ping_interval: Duration::from_secs(25),
            session_check_interval: Duration::from_secs(60),
            send_timeout: Duration::from_secs(10),
            max_subscriptions: 20,
        }
    }
}

/// The open sockets of a server.
#[derive(Clone, Debug)]
pub struct Sockets {
    config: Arc<SocketConfig>,
    /// Each connection holds a receiver.
    closing: watch::Sender<bool>,
}

impl Default for Sockets {
    fn default() -> Self {
        Sockets::new(SocketConfig::default())
    }
}

impl Sockets {
    pub fn new(config: SocketConfig) -> Self {
        let config = Arc::new(config);
        let closing = watch::Sender::new(false);
        Sockets { config, closing }
    }

    pub(crate) fn config(&self) -> &SocketConfig {
        &self.config
    }

    /// Counts a socket until the receiver is dropped, which becomes true when the socket must close.
    pub(crate) fn enter(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// The number of open sockets.
    pub fn open(&self) -> usize {
        self.closing.receiver_count()
    }

    /// Starts closing all sockets with code 1001.
    pub fn begin_to_close(&self) {
        self.closing.send_replace(true);
    }

    /// The same; returns when all are closed.
    pub async fn close(&self) {
        self.begin_to_close();
        self.closing.closed().await;
    }
}

/// The text of a header; empty when it is missing or is not ASCII.
pub(crate) fn header_text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}
