//! A mail server on a free port of this machine.

use std::sync::{Arc, Mutex};

use kurso_core::mail::{Destination, Mail};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

/// What the server does with a message.
#[derive(Clone, Copy)]
pub enum Mood {
    Takes,
    /// 550: there is no such mailbox.
    Refuses,
    /// 451: not now.
    IsBusy,
}

/// One message as it came over the wire.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// The base64 of `\0user\0password`.
    pub credentials: String,
    pub envelope: Vec<String>,
    pub data: Vec<u8>,
}

/// A mail server on a free port of this machine.
pub struct Server {
    pub address: String,
    taken: Arc<Mutex<Vec<Taken>>>,
}

impl Server {
    pub async fn start(mood: Mood) -> Self {
        Self::start_at("127.0.0.1:0", mood).await
    }

    pub async fn start_at(address: &str, mood: Mood) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let taken: Arc<Mutex<Vec<Taken>>> = Arc::default();
        let kept = taken.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = kept.clone();
                // A client may hang up whenever it likes.
                tokio::spawn(async move { talk(stream, mood, &kept).await.ok() });
            }
        });
        Server { address, taken }
    }

    pub fn mail(&self, credentials: &str) -> Mail {
        mail_by(&format!("{credentials}{}", self.address))
    }

    pub fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap().clone()
    }
}

pub fn mail_by(server: &str) -> Mail {
    let url = format!("smtp://{server}");
    Mail::new(
        Destination::Smtp(url),
        "Школа <school@example.com>",
        "https://kurso.example/",
    )
    .unwrap()
}

/// An address where nobody listens.
pub async fn nowhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap().to_string()
}

/// The server's part of RFC 5321, as far as a client that sends needs it.
async fn talk(stream: impl AsyncRead + AsyncWrite, mood: Mood, kept: &Mutex<Vec<Taken>>) -> std::io::Result<()> {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut reader = BufReader::new(reader);
    let mut message = Taken::default();
    writer.write_all(b"220 test ESMTP\r\n").await?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match (verb.as_str(), mood) {
            ("EHLO", _) => "250-test\r\n250-8BITMIME\r\n250 AUTH PLAIN",
            ("AUTH", _) => {
                message.credentials = line.rsplit(' ').next().unwrap_or_default().to_owned();
                "235 welcome"
            }
            ("RCPT", Mood::Refuses) => "550 there is no such mailbox",
            ("RCPT", Mood::IsBusy) => "451 not now",
            ("MAIL" | "RCPT", _) => {
                message.envelope.push(line.to_owned());
                "250 fine"
            }
            ("DATA", _) => {
                writer.write_all(b"354 go on\r\n").await?;
                message.data = body(&mut reader).await?;
                kept.lock().unwrap().push(std::mem::take(&mut message));
                "250 taken"
            }
            ("QUIT", _) => "221 bye",
            _ => "502 what?",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
}

/// Up to the line with a single dot; a dot at the start of a line came doubled.
async fn body(reader: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Vec<u8>> {
    let mut data = Vec::new();
    loop {
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).await?;
        if line == b".\r\n" || line.is_empty() {
            return Ok(data);
        }
        data.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
    }
}
