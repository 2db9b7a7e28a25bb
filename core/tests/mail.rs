//! Mails over real SMTP, and into the outbox folder when there is no server (contract 8).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{TimeZone as _, Utc};
use kurso_core::mail::letters::{self, Letter, Occasion};
use kurso_core::mail::{Destination, Mail, SettingError};
use kurso_core::messages::Lang;
use kurso_core::testing::Received;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

/// What the server does with a message.
#[derive(Clone, Copy)]
enum Mood {
    Takes,
    /// 550: there is no such mailbox.
    Refuses,
    /// 451: not now.
    IsBusy,
}

/// One message as it came over the wire.
#[derive(Clone, Debug, Default)]
struct Taken {
    /// The base64 of `\0user\0password`.
    credentials: String,
    envelope: Vec<String>,
    data: Vec<u8>,
}

/// A mail server on a free port of this machine.
struct Server {
    address: String,
    taken: Arc<Mutex<Vec<Taken>>>,
}

impl Server {
    async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
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

    fn mail(&self, credentials: &str) -> Mail {
        let url = format!("smtp://{credentials}{}", self.address);
        Mail::new(
            Destination::Smtp(url),
            "Школа <school@example.com>",
            "https://kurso.example/",
        )
        .unwrap()
    }

    fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap().clone()
    }
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

fn letter(lang: Lang, to: &str) -> Letter {
    let occasion = Occasion::Recovery {
        email: to,
        link: "https://kurso.example/reset-password?token=a.b.c",
    };
    letters::write(
        &occasion,
        lang,
        to,
        Utc.with_ymd_and_hms(2026, 11, 21, 9, 0, 0).unwrap(),
    )
}

#[tokio::test]
async fn a_letter_arrives_in_both_forms() {
    let server = Server::start(Mood::Takes).await;
    let mail = server.mail("school:s%40fe@");
    mail.deliver(&letter(Lang::Ru, "ivan@почта.рф")).await.unwrap();
    let taken = server.taken();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].credentials, "AHNjaG9vbABzQGZl", "\\0school\\0s@fe");
    assert!(
        taken[0].envelope[0].starts_with("MAIL FROM:<school@example.com>"),
        "{taken:?}"
    );
    assert!(
        taken[0].envelope[1].starts_with("RCPT TO:<ivan@xn--80a1acny.xn--p1ai>"),
        "{taken:?}"
    );
    assert!(taken[0].data.is_ascii(), "any server takes it");
    let received = Received::read(&taken[0].data);
    assert_eq!(received.from, "Школа <school@example.com>");
    assert_eq!(received.subject, "Kurso — восстановление пароля для ivan@почта.рф");
    assert!(received.text.contains("Ссылка действует один раз"));
    assert!(received.html.contains(r#"<html lang="ru">"#));
    assert_eq!(received.token(), "a.b.c");
    let head = String::from_utf8(taken[0].data.clone()).unwrap();
    assert!(head.contains("Date: Sat, 21 Nov 2026 09:00:00 +0000"), "{head}");
    assert!(
        head.contains("@example.com>\r\n") && head.contains("Message-ID: <"),
        "{head}"
    );
}

#[tokio::test]
async fn letters_go_behind_the_back_of_a_call_and_in_any_number() {
    let server = Server::start(Mood::Takes).await;
    let mail = server.mail("");
    for n in 0..50 {
        let letter = letter(Lang::En, &format!("ann{n}@example.com"));
        mail.post(move || (n % 2 == 0).then_some(letter));
    }
    mail.rest().await;
    assert_eq!(server.taken().len(), 25);
}

#[tokio::test]
async fn a_server_that_hangs_holds_a_thousand_letters_and_no_more() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", silent.local_addr().unwrap());
    let mail = Mail::new(Destination::Smtp(url), "school@example.com", "https://kurso.example").unwrap();
    let written = Arc::new(AtomicUsize::new(0));
    for _ in 0..1100 {
        let written = written.clone();
        mail.post(move || {
            written.fetch_add(1, Ordering::SeqCst);
            Some(letter(Lang::En, "ann@example.com"))
        });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(written.load(Ordering::SeqCst), 1000);
}

#[tokio::test]
async fn a_refusal_is_final_and_a_busy_server_is_not() {
    for (mood, is_final, says) in [
        (Mood::Refuses, true, "no such mailbox"),
        (Mood::IsBusy, false, "not now"),
    ] {
        let server = Server::start(mood).await;
        let error = server
            .mail("")
            .deliver(&letter(Lang::En, "ann@example.com"))
            .await
            .unwrap_err();
        assert_eq!(error.is_final(), is_final, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(server.taken().is_empty());
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_or_speaks_no_tls_fails_the_letter_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = listener.local_addr().unwrap();
    drop(listener);
    let plain = Server::start(Mood::Takes).await;
    for url in [
        format!("smtp://{nowhere}"),
        format!("smtps://{}", plain.address),
        format!("smtp://{}?tls=required", plain.address),
    ] {
        let mail = Mail::new(
            Destination::Smtp(url.clone()),
            "school@example.com",
            "https://kurso.example",
        )
        .unwrap();
        let letter = letter(Lang::En, "ann@example.com");
        let sent = tokio::time::timeout(Duration::from_secs(30), mail.deliver(&letter)).await;
        let error = sent.expect("an answer in time").unwrap_err();
        assert!(!error.is_final(), "{url}: {error}");
    }
    assert!(
        plain.taken().is_empty(),
        "nothing goes unencrypted when encryption is asked for"
    );
}

#[tokio::test]
async fn without_a_server_mails_are_files_for_the_owners_eyes() {
    let folder = tempfile::tempdir().unwrap();
    let outbox = folder.path().join("data/outbox");
    let mail = Mail::new(
        Destination::Outbox(outbox.clone()),
        "school@example.com",
        "https://kurso.example",
    )
    .unwrap();
    let letter = letter(Lang::En, "ann@example.com");
    mail.deliver(&letter).await.unwrap();
    let files: Vec<_> = std::fs::read_dir(&outbox)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files, [outbox.join(format!("{}.eml", letter.id))]);
    let received = Received::read(&std::fs::read(&files[0]).unwrap());
    assert_eq!(
        (received.from.as_str(), received.to.as_str()),
        ("Kurso <school@example.com>", "ann@example.com")
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&files[0]).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

#[tokio::test]
async fn settings_that_make_no_sense_are_named() {
    let new = |url: &str, from: &str| Mail::new(Destination::Smtp(url.to_owned()), from, "https://kurso.example");
    for url in ["", "localhost:25", "http://localhost", "smtp://localhost?tls=perhaps"] {
        assert!(
            matches!(new(url, "school@example.com"), Err(SettingError::Smtp(_))),
            "{url}"
        );
    }
    for from in ["", "school", "School <school>"] {
        assert!(
            matches!(new("smtp://localhost", from), Err(SettingError::From(_))),
            "{from}"
        );
    }
}
