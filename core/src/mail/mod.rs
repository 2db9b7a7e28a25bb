//! Outgoing mail: `queue` stores pending mails, `templates` renders them, and `delivery` passes them to a mail server or
//! writes them to a folder. A request only queues a mail; the worker `crate::mailer` sends it.

mod composition;
mod delivery;
pub mod queue;
pub(crate) mod summary;
pub mod templates;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use tokio::sync::Notify;

pub(crate) use composition::cut;
use delivery::Transport;
pub use delivery::Undelivered;
pub(crate) use delivery::redact_addresses;
use queue::PendingMail;
use templates::RenderedMail;

use crate::Kurso;
use crate::access::Viewer;
use crate::metrics::MailMetrics;
use kurso_base::email::Email;
use kurso_base::messages::Lang;

/// The transport of mails.
#[derive(Clone)]
pub enum Destination {
    /// `smtp://user:pass@host:port`, with `?tls=required` for STARTTLS, or `smtps://…` for implicit TLS.
    Smtp(String),
    /// A folder for `.eml` files, created if missing.
    Outbox(PathBuf),
}

/// Mail settings: transport, sender, and the base address of links.
#[derive(Clone)]
pub struct Mail {
    inner: Arc<Inner>,
}

struct Inner {
    transport: Transport,
    from: Mailbox,
    public_url: String,
    /// The queue may contain a mail to send.
    wake: Notify,
    metrics: Arc<MailMetrics>,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mail(…)")
    }
}

/// An invalid mail setting.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("the SMTP address makes no sense: {0}")]
    Smtp(lettre::transport::smtp::Error),
    #[error("the sender is no e-mail address: {0}")]
    From(lettre::address::AddressError),
    #[error("the outbox folder: {0}")]
    Outbox(std::io::Error),
}

/// Limits the delivery of one mail.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(60);

/// The sender's name if the setting contains only an address.
const DEFAULT_NAME: &str = "Kurso";

impl Mail {
    /// `from` is `school@example.com` or `School <school@example.com>`; `public_url` is the address of the web app.
    pub fn new(destination: Destination, from: &str, public_url: &str) -> Result<Self, SettingError> {
        let transport = match destination {
            Destination::Smtp(url) => Transport::smtp(&url).map_err(SettingError::Smtp)?,
            Destination::Outbox(folder) => Transport::outbox(folder).map_err(SettingError::Outbox)?,
        };
        let mut from: Mailbox = from.parse().map_err(SettingError::From)?;
        from.name.get_or_insert_with(|| DEFAULT_NAME.to_owned());
        Ok(Mail {
            inner: Arc::new(Inner {
                transport,
                from,
                public_url: public_url.trim_end_matches('/').to_owned(),
                wake: Notify::new(),
                metrics: Arc::default(),
            }),
        })
    }

    pub(crate) fn metrics(&self) -> Arc<MailMetrics> {
        self.inner.metrics.clone()
    }

    /// How the administrators of another service reach those of this server: a URL.
    pub(crate) fn contact(&self) -> String {
        if self.inner.public_url.starts_with("https://") {
            self.inner.public_url.clone()
        } else {
            format!("mailto:{}", self.inner.from.email)
        }
    }

    /// The address of a page of the web app.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.inner.public_url)
    }

    /// The address of a page of the web app with a token.
    pub(crate) fn link(&self, path: &str, token: &str) -> String {
        // Tokens consist of letters, digits, `-`, `_` and `.`, so they need no URL encoding.
        format!("{}{path}?token={token}", self.inner.public_url)
    }

    /// Whether mails are sent. Without an SMTP server they are written to a folder.
    pub(crate) fn is_sent(&self) -> bool {
        self.inner.transport.is_mailed()
    }

    /// Wakes the worker after a mail was queued.
    pub(crate) fn wake(&self) {
        self.inner.wake.notify_one();
    }

    /// Completes after [`Self::wake`].
    pub(crate) async fn woken(&self) {
        self.inner.wake.notified().await;
    }

    /// Delivers a mail now. [`Undelivered::is_final`] tells whether a retry can help.
    pub async fn deliver(&self, mail: &RenderedMail) -> Result<(), Undelivered> {
        let message = delivery::message(&self.inner.from, mail)?;
        tokio::time::timeout(DELIVERY_TIMEOUT, self.inner.transport.deliver(mail, message))
            .await
            .unwrap_or(Err(Undelivered::TooSlow))
    }
}

/// Sends a test mail; superusers only.
pub async fn send_test(kurso: &Kurso, viewer: &Viewer, lang: Lang, to: &Email) -> kurso_base::error::Result<()> {
    viewer.require_superuser()?;
    let to = to.shown().to_owned();
    queue::enqueue(&kurso.db, &PendingMail::Test { to }, lang, kurso.clock.now()).await?;
    kurso.mail.wake();
    Ok(())
}
