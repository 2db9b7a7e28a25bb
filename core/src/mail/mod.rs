//! Mails (contract 8): `letters` writes them, `delivery` takes them to an SMTP server or into the outbox folder. A call that
//! has something to mail leaves word in the `queue` and answers; a `worker` writes the letter and sends it.

mod delivery;
pub mod letters;
pub mod queue;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use tokio::sync::Notify;

pub use delivery::Undelivered;
use delivery::Way;
use letters::Letter;
use queue::About;
pub use worker::{send_due, work};

use crate::Kurso;
use crate::access::Viewer;
use crate::email::Email;
use crate::messages::Lang;
use crate::signals::MailSignals;

/// Where mails go.
#[derive(Clone)]
pub enum Destination {
    /// `smtp://user:pass@host:port`; with `?tls=required` over STARTTLS, as `smtps://…` over TLS from the start.
    Smtp(String),
    /// A folder of `.eml` files, made when absent.
    Outbox(PathBuf),
}

/// Where mails go, in whose name, and what their links begin with.
#[derive(Clone)]
pub struct Mail {
    inner: Arc<Inner>,
}

struct Inner {
    way: Way,
    from: Mailbox,
    public_url: String,
    /// There is something to send.
    wake: Notify,
    signals: Arc<MailSignals>,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mail(…)")
    }
}

/// Why the settings make no sense.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    #[error("the SMTP address makes no sense: {0}")]
    Smtp(lettre::transport::smtp::Error),
    #[error("the sender is no e-mail address: {0}")]
    From(lettre::address::AddressError),
    #[error("the outbox folder: {0}")]
    Outbox(std::io::Error),
}

/// How long a letter may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The sender's name when the setting has none.
const NAME: &str = "Kurso";

impl Mail {
    /// `from`: `school@example.com` or `School <school@example.com>`. `public_url`: where people find the web app.
    pub fn new(destination: Destination, from: &str, public_url: &str) -> Result<Self, SettingError> {
        let way = match destination {
            Destination::Smtp(url) => Way::smtp(&url).map_err(SettingError::Smtp)?,
            Destination::Outbox(folder) => Way::outbox(folder).map_err(SettingError::Outbox)?,
        };
        let mut from: Mailbox = from.parse().map_err(SettingError::From)?;
        from.name.get_or_insert_with(|| NAME.to_owned());
        Ok(Mail {
            inner: Arc::new(Inner {
                way,
                from,
                public_url: public_url.trim_end_matches('/').to_owned(),
                wake: Notify::new(),
                signals: Arc::default(),
            }),
        })
    }

    pub(crate) fn signals(&self) -> Arc<MailSignals> {
        self.inner.signals.clone()
    }

    /// The address of a screen of the web app.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}{path}", self.inner.public_url)
    }

    /// The address of a screen of the web app that takes a token.
    pub(crate) fn link(&self, path: &str, token: &str) -> String {
        // A token's letters, digits, `-`, `_` and `.` stand in an address as they are.
        format!("{}{path}?token={token}", self.inner.public_url)
    }

    /// A letter was put into the queue: it need not wait for the next round.
    pub(crate) fn wake(&self) {
        self.inner.wake.notify_one();
    }

    async fn woken(&self) {
        self.inner.wake.notified().await;
    }

    /// Sends a letter now. [`Undelivered::is_final`] says whether trying again can help.
    pub async fn deliver(&self, letter: &Letter) -> Result<(), Undelivered> {
        let message = delivery::message(&self.inner.from, letter)?;
        tokio::time::timeout(PATIENCE, self.inner.way.take(letter, message))
            .await
            .unwrap_or(Err(Undelivered::TooSlow))
    }
}

/// Tries out the settings with a mail to an address; superusers only.
pub async fn send_test(kurso: &Kurso, viewer: &Viewer, lang: Lang, to: &Email) -> crate::error::Result<()> {
    viewer.require_superuser()?;
    let to = to.shown().to_owned();
    queue::add(&kurso.db, &About::Test { to }, lang, kurso.clock.now()).await?;
    kurso.mail.wake();
    Ok(())
}
