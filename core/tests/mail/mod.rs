//! Mail delivery over real SMTP, and into the outbox folder.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod queue;
pub mod server;

use std::time::Duration;

use chrono::{TimeZone as _, Utc};
use kurso_base::messages::Lang;
use kurso_core::mail::templates::{self, RenderedMail, Template};
use kurso_core::mail::{Destination, Mail, SettingError};
use kurso_core::testing::Received;
use server::{Behaviour, Server, nowhere};

fn sample(lang: Lang, to: &str) -> RenderedMail {
    let template = Template::Recovery {
        email: to,
        link: "https://kurso.example/reset-password?token=a.b.c",
    };
    templates::render(
        &template,
        lang,
        to,
        Utc.with_ymd_and_hms(2026, 11, 21, 9, 0, 0).unwrap(),
    )
}

#[tokio::test]
async fn a_mail_arrives_as_text_and_html() {
    let server = Server::start(Behaviour::Takes).await;
    let mail = server.mail("school:s%40fe@");
    mail.deliver(&sample(Lang::Ru, "ivan@почта.рф")).await.unwrap();
    let taken = server.received();
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
async fn a_rejection_is_final_and_a_busy_server_is_retried() {
    for (mood, is_final, says) in [
        (Behaviour::Refuses, true, "no such mailbox"),
        (Behaviour::IsBusy, false, "not now"),
    ] {
        let server = Server::start(mood).await;
        let error = server
            .mail("")
            .deliver(&sample(Lang::En, "ann@example.com"))
            .await
            .unwrap_err();
        assert_eq!(error.is_final(), is_final, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(server.received().is_empty());
    }
}

#[tokio::test]
async fn an_unreachable_or_plaintext_server_fails_only_the_delivery() {
    let nowhere = nowhere().await;
    let plain = Server::start(Behaviour::Takes).await;
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
        let sample = sample(Lang::En, "ann@example.com");
        let sent = tokio::time::timeout(Duration::from_secs(30), mail.deliver(&sample)).await;
        let error = sent.expect("an answer in time").unwrap_err();
        assert!(!error.is_final(), "{url}: {error}");
    }
    assert!(
        plain.received().is_empty(),
        "nothing goes unencrypted when encryption is asked for"
    );
}

#[tokio::test]
async fn the_outbox_holds_files_readable_by_the_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    let outbox = folder.path().join("data/outbox");
    let mail = Mail::new(
        Destination::Outbox(outbox.clone()),
        "school@example.com",
        "https://kurso.example",
    )
    .unwrap();
    let sample = sample(Lang::En, "ann@example.com");
    mail.deliver(&sample).await.unwrap();
    let files: Vec<_> = std::fs::read_dir(&outbox)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files, [outbox.join(format!("{}.eml", sample.id))]);
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
async fn invalid_settings_are_reported() {
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
