//! How a letter leaves: as a MIME message with a text and an HTML part, by SMTP or into a folder.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor, transport};

use super::letters::Letter;
use crate::email::Email;

type Smtp = AsyncSmtpTransport<Tokio1Executor>;

/// Why a letter did not go.
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
    /// Is there no point in trying again?
    pub fn is_final(&self) -> bool {
        match self {
            Undelivered::Unfit(_) => true,
            Undelivered::Smtp(error) => error.is_permanent(),
            Undelivered::Outbox(_) | Undelivered::TooSlow => false,
        }
    }
}

/// `connection error: Connection refused`: the library's own text stops at the first half.
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

/// What a mail server says often names whom it does not take; a log is no place for that.
pub fn without_addresses(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(|word| if word.contains('@') { "(address) " } else { word })
        .collect()
}

pub enum Way {
    Smtp(Smtp),
    Outbox(PathBuf),
}

impl Way {
    pub fn smtp(url: &str) -> Result<Self, transport::smtp::Error> {
        // For a connection and for each command.
        let timeout = Some(Duration::from_secs(20));
        Ok(Way::Smtp(Smtp::from_url(url)?.timeout(timeout).build()))
    }

    pub fn outbox(folder: PathBuf) -> std::io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        Ok(Way::Outbox(folder))
    }

    pub async fn take(&self, letter: &Letter, message: Message) -> Result<(), Undelivered> {
        match self {
            Way::Smtp(smtp) => {
                smtp.send(message).await.map_err(Undelivered::Smtp)?;
                tracing::debug!(id = %letter.id, "a mail was sent");
            }
            Way::Outbox(folder) => {
                let file = folder.join(format!("{}.eml", letter.id));
                write(&file, &message.formatted()).await.map_err(Undelivered::Outbox)?;
                tracing::info!(file = %file.display(), "a mail is in the outbox: no SMTP server is set");
            }
        }
        Ok(())
    }
}

/// Only for the owner's eyes, as it may hold a link that opens an account; and whole or not at all.
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

/// A letter as a message.
pub fn message(from: &Mailbox, letter: &Letter) -> Result<Message, Undelivered> {
    let to = Mailbox::new(None, address(&letter.to)?);
    let domain = from.email.domain();
    Message::builder()
        .from(from.clone())
        .to(to)
        .subject(&letter.subject)
        .date(SystemTime::from(letter.written_at))
        .message_id(Some(format!("<{}@{domain}>", letter.id)))
        .multipart(MultiPart::alternative_plain_html(
            letter.text.clone(),
            letter.html.clone(),
        ))
        .map_err(|error| Undelivered::Unfit(error.into()))
}

/// The address as servers know it: a domain in Unicode as its ASCII form, which every server takes.
fn address(text: &str) -> Result<Address, Undelivered> {
    let unfit = |error: String| Undelivered::Unfit(error.into());
    let email = Email::parse(text).map_err(|problem| unfit(format!("{problem:?}")))?;
    let (local, domain) = email.shown().rsplit_once('@').unwrap_or_default();
    let domain = url::Host::parse(domain).map_err(|error| unfit(error.to_string()))?;
    // Checked by our own rules, which take a local part longer than the library does.
    Ok(Address::new_dangerous(local, domain.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_to_the_log_names_nobody() {
        let said = "permanent error (550): <ann@example.com>: no such user here";
        assert_eq!(
            without_addresses(said),
            "permanent error (550): (address) no such user here"
        );
    }

    #[test]
    fn addresses_are_those_servers_know() {
        let servers = |text: &str| address(text).unwrap().to_string();
        assert_eq!(servers("ann@example.com"), "ann@example.com");
        assert_eq!(servers("ivan@почта.рф"), "ivan@xn--80a1acny.xn--p1ai");
        let long = format!("{}@example.com", "a".repeat(100));
        assert_eq!(servers(&long), long);
        assert!(address("no address").is_err());
    }
}
