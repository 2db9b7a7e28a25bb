//! Mails (contract 8): `letters` writes them, `delivery` takes them to an SMTP server or into the outbox folder. A call that
//! has something to mail answers first: the letter is written and sent behind its back, and a failure is only logged.

mod delivery;
pub mod letters;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lettre::message::Mailbox;
use tokio::sync::Semaphore;

pub use delivery::Undelivered;
use delivery::Way;
use letters::{Letter, Occasion};

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
    waiting: Arc<Semaphore>,
    sending: Semaphore,
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

/// So many letters may be under way; one more is refused, so that a mail server that hangs costs no memory.
const WAITING: usize = 1_000;
/// So many are sent at once.
const SENDING: usize = 4;
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
                waiting: Arc::new(Semaphore::new(WAITING)),
                sending: Semaphore::new(SENDING),
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

    /// Writes and sends a letter after the answer. `write` answers with None when there is nothing to send: then nobody can
    /// tell by the time of the answer whether there was.
    pub fn post(&self, write: impl FnOnce() -> Option<Letter> + Send + 'static) {
        let inner = self.inner.clone();
        let Ok(place) = inner.waiting.clone().try_acquire_owned() else {
            inner.signals.failed.inc();
            tracing::error!("too many mails are under way, one more was dropped");
            return;
        };
        tokio::spawn(async move {
            let _place = place;
            let Some(letter) = write() else { return };
            let Ok(_turn) = inner.sending.acquire().await else {
                return;
            };
            if let Err(error) = inner.deliver(&letter).await {
                let error = delivery::without_addresses(&error.to_string());
                tracing::error!(id = %letter.id, %error, "a mail was not sent");
            }
        });
    }

    /// Sends a letter now. [`Undelivered::is_final`] says whether trying again can help.
    pub async fn deliver(&self, letter: &Letter) -> Result<(), Undelivered> {
        self.inner.deliver(letter).await
    }

    /// Waits until every letter has gone, or could not.
    pub async fn rest(&self) {
        let all = u32::try_from(WAITING).unwrap_or(u32::MAX);
        let _ = self.inner.waiting.acquire_many(all).await; // it is never closed
    }
}

/// Tries out the settings with a mail to an address; superusers only.
pub fn send_test(kurso: &Kurso, viewer: &Viewer, lang: Lang, to: &Email) -> crate::error::Result<()> {
    viewer.require_superuser()?;
    let (to, now) = (to.shown().to_owned(), kurso.clock.now());
    kurso
        .mail
        .post(move || Some(letters::write(&Occasion::Test, lang, &to, now)));
    Ok(())
}

impl Inner {
    async fn deliver(&self, letter: &Letter) -> Result<(), Undelivered> {
        let message = delivery::message(&self.from, letter)?;
        let done = tokio::time::timeout(PATIENCE, self.way.take(letter, message))
            .await
            .unwrap_or(Err(Undelivered::TooSlow));
        match done {
            Ok(()) => self.signals.sent.inc(),
            Err(_) => self.signals.failed.inc(),
        };
        done
    }
}
