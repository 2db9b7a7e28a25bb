//! A mail server for tests, on a free port of this machine.

use std::sync::{Arc, Mutex};

use kurso_core::mail::{Destination, Mail};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

/// How the server answers a message.
#[derive(Clone, Copy)]
pub enum Behaviour {
    Takes,
    /// 550: the mailbox does not exist.
    Refuses,
    /// 451: try again later.
    IsBusy,
}

/// A message as received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedMail {
    /// The base64 of `\0user\0password`.
    pub credentials: String,
    pub envelope: Vec<String>,
    pub data: Vec<u8>,
}

/// A running mail server.
pub struct Server {
    pub address: String,
    taken: Arc<Mutex<Vec<ReceivedMail>>>,
}

impl Server {
    pub async fn start(behaviour: Behaviour) -> Self {
        Self::start_at("127.0.0.1:0", behaviour).await
    }

    pub async fn start_at(address: &str, behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let taken: Arc<Mutex<Vec<ReceivedMail>>> = Arc::default();
        let received = taken.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let received = received.clone();
                // Clients may disconnect at any time.
                tokio::spawn(async move { serve(stream, behaviour, &received).await.ok() });
            }
        });
        Server { address, taken }
    }

    pub fn mail(&self, credentials: &str) -> Mail {
        mail_by(&format!("{credentials}{}", self.address))
    }

    pub fn received(&self) -> Vec<ReceivedMail> {
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

/// An address on which nothing listens.
pub async fn nowhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Implements the part of RFC 5321 that a sending client needs.
async fn serve(
    stream: impl AsyncRead + AsyncWrite,
    behaviour: Behaviour,
    received: &Mutex<Vec<ReceivedMail>>,
) -> std::io::Result<()> {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut reader = BufReader::new(reader);
    let mut message = ReceivedMail::default();
    writer.write_all(b"220 test ESMTP\r\n").await?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match (verb.as_str(), behaviour) {
            ("EHLO", _) => "250-test\r\n250-8BITMIME\r\n250 AUTH PLAIN",
            ("AUTH", _) => {
                message.credentials = line.rsplit(' ').next().unwrap_or_default().to_owned();
                "235 welcome"
            }
            ("RCPT", Behaviour::Refuses) => "550 there is no such mailbox",
            ("RCPT", Behaviour::IsBusy) => "451 not now",
            ("MAIL" | "RCPT", _) => {
                message.envelope.push(line.to_owned());
                "250 fine"
            }
            ("DATA", _) => {
                writer.write_all(b"354 go on\r\n").await?;
                message.data = body(&mut reader).await?;
                received.lock().unwrap().push(std::mem::take(&mut message));
                "250 taken"
            }
            ("QUIT", _) => "221 bye",
            _ => "502 what?",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
}

/// Reads up to the line with a single dot; undoes the doubling of leading dots.
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
