//! Mail delivery: builds MIME messages with a text and an HTML part, and sends them by SMTP or writes them to a folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor, transport};

use super::templates::RenderedMail;
use kurso_base::email::Email;

type Smtp = AsyncSmtpTransport<Tokio1Executor>;

/// Why a mail was not delivered.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    #[error("no message can be made of it: {0}")]
    Unfit(Box<dyn std::error::Error + Send + Sync>),
    #[error("{}", with_causes(.0))]
    Smtp(transport::smtp::Error),
    #[error("the outbox folder: {0}")]
    Outbox(std::io::Error),
    #[error("the mail server takes too long")]
    TooSlow,
}

impl Undelivered {
    /// Whether a retry is pointless.
    pub fn is_final(&self) -> bool {
        match self {
            Undelivered::Unfit(_) => true,
            Undelivered::Smtp(error) => error.is_permanent(),
            Undelivered::Outbox(_) | Undelivered::TooSlow => false,
        }
    }
}

/// The error with all its causes (`connection error: Connection refused`); the library's own text omits them.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

/// Replaces mail addresses in a server's answer, so that logs contain none.
pub fn redact_addresses(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(|word| if word.contains('@') { "(address) " } else { word })
        .collect()
}

pub enum Transport {
    Smtp(Smtp),
    Outbox(PathBuf),
}

impl Transport {
    /// Whether mails reach people, instead of a folder.
    pub fn is_mailed(&self) -> bool {
        matches!(self, Transport::Smtp(_))
    }

    pub fn smtp(url: &str) -> Result<Self, transport::smtp::Error> {
        // Applies to connecting and to each command.
        let timeout = Some(Duration::from_secs(20));
        Ok(Transport::Smtp(Smtp::from_url(url)?.timeout(timeout).build()))
    }

    pub fn outbox(folder: PathBuf) -> std::io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        Ok(Transport::Outbox(folder))
    }

    pub async fn deliver(&self, mail: &RenderedMail, message: Message) -> Result<(), Undelivered> {
        match self {
            Transport::Smtp(smtp) => {
                smtp.send(message).await.map_err(Undelivered::Smtp)?;
                tracing::debug!(id = %mail.id, "a mail was sent");
            }
            Transport::Outbox(folder) => {
                let file = folder.join(format!("{}.eml", mail.id));
                write(&file, &message.formatted()).await.map_err(Undelivered::Outbox)?;
                tracing::info!(file = %file.display(), "a mail is in the outbox: no SMTP server is set");
            }
        }
        Ok(())
    }
}

/// Writes the file atomically and readable by its owner only, because a mail may contain a login link.
async fn write(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use tokio::io::AsyncWriteExt as _;
    let unfinished = file.with_extension("part");
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    options.mode(0o600);
    let mut open = options.open(&unfinished).await?;
    open.write_all(bytes).await?;
    open.flush().await?;
    drop(open);
    tokio::fs::rename(&unfinished, file).await
}

/// Builds the MIME message.
pub fn message(from: &Mailbox, mail: &RenderedMail) -> Result<Message, Undelivered> {
    let to = Mailbox::new(None, address(&mail.to)?);
    let domain = from.email.domain();
    let mut builder = Message::builder();
    for (name, value) in automatic(mail) {
        // Encoding would fold a long address, and mail programs would no longer recognise it.
        builder = builder.raw_header(HeaderValue::dangerous_new_pre_encoded(name, value.clone(), value));
    }
    builder
        .from(from.clone())
        .to(to)
        .subject(&mail.subject)
        .date(SystemTime::from(mail.written_at))
        .message_id(Some(format!("<{}@{domain}>", mail.id)))
        .multipart(MultiPart::alternative_plain_html(mail.text.clone(), mail.html.clone()))
        .map_err(|error| Undelivered::Unfit(error.into()))
}

/// The headers of an automatic mail with one-click unsubscribing (RFC 3834, RFC 8058).
fn automatic(mail: &RenderedMail) -> Vec<(HeaderName, String)> {
    let Some(address) = &mail.unsubscribe else {
        return vec![];
    };
    vec![
        (
            HeaderName::new_from_ascii_str("List-Unsubscribe"),
            format!("<{address}>"),
        ),
        (
            HeaderName::new_from_ascii_str("List-Unsubscribe-Post"),
            "List-Unsubscribe=One-Click".to_owned(),
        ),
        (
            HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        ),
    ]
}

/// Parses an address; converts a Unicode domain to its ASCII form, which every server accepts.
fn address(text: &str) -> Result<Address, Undelivered> {
    let unfit = |error: String| Undelivered::Unfit(error.into());
    let email = Email::parse(text).map_err(|problem| unfit(format!("{problem:?}")))?;
    let (local, domain) = email.shown().rsplit_once('@').unwrap_or_default();
    let domain = url::Host::parse(domain).map_err(|error| unfit(error.to_string()))?;
    // Validated by this crate's own rules, which allow a longer local part than the library does.
    Ok(Address::new_dangerous(local, domain.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logged_errors_contain_no_addresses() {
        let said = "permanent error (550): <ann@example.com>: no such user here";
        assert_eq!(
            redact_addresses(said),
            "permanent error (550): (address) no such user here"
        );
    }

    #[test]
    fn unicode_domains_become_ascii() {
        let servers = |text: &str| address(text).unwrap().to_string();
        assert_eq!(servers("ann@example.com"), "ann@example.com");
        assert_eq!(servers("ivan@почта.рф"), "ivan@xn--80a1acny.xn--p1ai");
        let long = format!("{}@example.com", "a".repeat(100));
        assert_eq!(servers(&long), long);
        assert!(address("no address").is_err());
    }
}
