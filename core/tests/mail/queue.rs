//! The mail queue on both databases: retries, several nodes, and limits.

use std::time::Duration;

use chrono::Duration as Span;
use kurso_base::email::Email;
use kurso_base::error::Error;
use kurso_base::messages::Lang;
use kurso_base::values::Password;
use kurso_core::access::{CollaboratorRole, Viewer};
use kurso_core::auth::{Origin, recovery};
use kurso_core::courses::team::{self, InviteCollaborator, NewOwner};
use kurso_core::mail::{self, queue};
use kurso_core::testing::{PASSWORD, Received, TestKurso, command};
use kurso_core::users::{self, CreateUser, UpdateMe};
use kurso_core::{Kurso, both, mailer};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

use super::server::{Behaviour, ReceivedMail, Server, mail_by, nowhere};

async fn waiting(kurso: &Kurso) -> i64 {
    let counted = sql!("SELECT COUNT(*) FROM mails").fetch_one::<(i64,)>(&kurso.db);
    counted.await.unwrap().0
}

async fn ask(kurso: &Kurso, email: &str) {
    recovery::request(kurso, &Origin::default(), Lang::En, email)
        .await
        .unwrap();
}

fn message_id(taken: &ReceivedMail) -> String {
    let head = String::from_utf8(taken.data.clone()).unwrap();
    let line = head.lines().find(|line| line.starts_with("Message-ID: "));
    line.unwrap().to_owned()
}

/// Triggers every kind of mail except recovery. Returns the recipients.
async fn everything(kurso: &TestKurso, root: &Viewer, ann: &Viewer) -> [&'static str; 5] {
    let password = Password::parse(PASSWORD).unwrap();
    let new = |name: &str| CreateUser::ordinary(Email::parse(name).unwrap(), password.clone(), None);
    users::add(kurso, root, Lang::En, new("new@example.com")).await.unwrap();
    let changes = UpdateMe {
        email: Some(Email::parse("ann@example.org").unwrap()),
        ..UpdateMe::default()
    };
    users::update_me(kurso, ann, Lang::En, changes).await.unwrap();
    let course = kurso.course(ann, &[]).await;
    let member = InviteCollaborator {
        email: Email::parse("guest@example.com").unwrap(),
        role: CollaboratorRole::Editor,
    };
    team::invite(kurso, ann, &Origin::default(), Lang::Ru, course, member)
        .await
        .unwrap();
    let heir = NewOwner::Email(Email::parse("new@example.com").unwrap());
    team::hand_over(kurso, ann, &Origin::default(), Lang::En, course, heir)
        .await
        .unwrap();
    let to = Email::parse("operator@example.com").unwrap();
    mail::send_test(kurso, root, Lang::En, &to).await.unwrap();
    [
        "ann@example.com",
        "guest@example.com",
        "new@example.com",
        "new@example.com",
        "operator@example.com",
    ]
}

/// Inserts pending mails, 500 per statement.
async fn fill(kurso: &TestKurso, kind: &'static str, count: i64) {
    let (now, mut left) = (kurso.clock.now(), count);
    while left > 0 {
        let rows = 0..left.min(500);
        left -= rows.end;
        sql!("INSERT INTO mails (id, kind, about, lang, free_at, created_at) VALUES ")
            .push_values(rows, |sql, _| {
                let sql = sql
                    .push_bind(Uuid::now_v7())
                    .push(", ")
                    .push_bind(kind)
                    .push(", '{}', 'en', ");
                sql.push_bind(now).push(", ").push_bind(now)
            })
            .execute(&kurso.db)
            .await
            .unwrap();
    }
}

both! {
    async fn a_mail_is_sent_once_its_server_is_reachable(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let address = nowhere().await;
        let node = kurso.node_with(mail_by(&address)).await;
        ask(&node, "ann@example.com").await;
        mailer::send_due(&node).await.unwrap();
        assert_eq!(waiting(&kurso).await, 1);
        assert!(node.metrics.text(&node.db).contains("kurso_job_retries_total{kind=\"mail\"} 1"));
        // Not retried immediately: an unreachable server is not contacted constantly.
        let server = Server::start_at(&address, Behaviour::Takes).await;
        mailer::send_due(&node).await.unwrap();
        assert!(server.received().is_empty());
        kurso.clock.advance(Span::seconds(10));
        mailer::send_due(&node).await.unwrap();
        assert_eq!((server.received().len(), waiting(&kurso).await), (1, 0));
        // The link's lifetime starts when the mail is sent.
        let token = Received::read(&server.received()[0].data).token();
        kurso.clock.advance(Span::minutes(59));
        let reset = command(json!({"token": token, "new_password": "another password"}));
        recovery::reset(&kurso, reset).await.unwrap();
    }

    async fn another_node_sends_an_abandoned_mail_with_the_same_id(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let server = Server::start(Behaviour::Takes).await;
        let (one, other) = (kurso.node_with(server.mail("")).await, kurso.node_with(server.mail("")).await);
        ask(&one, "ann@example.com").await;
        let claim = queue::claim_next(&one).await.unwrap().unwrap();
        let id = claim.id();
        drop(claim); // simulates the death of its node
        kurso.clock.advance(queue::LEASE - Span::seconds(1));
        mailer::send_due(&other).await.unwrap();
        assert!(server.received().is_empty(), "it is the first one's as long as its lease lasts");
        kurso.clock.advance(Span::seconds(1));
        mailer::send_due(&other).await.unwrap();
        let ids: Vec<_> = server.received().iter().map(message_id).collect();
        assert_eq!((ids, waiting(&kurso).await), (vec![format!("Message-ID: <{id}@example.com>")], 0));
    }

    async fn two_nodes_send_each_mail_once(kurso: TestKurso) {
        let server = Server::start(Behaviour::Takes).await;
        let (one, other) = (kurso.node_with(server.mail("")).await, kurso.node_with(server.mail("")).await);
        let root = kurso.superuser("root").await;
        for n in 0..30 {
            let to = Email::parse(&format!("ann{n}@example.com")).unwrap();
            mail::send_test(&one, &root, Lang::En, &to).await.unwrap();
        }
        let (stop, stopping) = tokio::sync::watch::channel(false);
        let nodes = [&one, &other].map(|node| tokio::spawn(mailer::work(node.clone(), stopping.clone())));
        stop.send(true).unwrap();
        for node in nodes {
            tokio::time::timeout(Duration::from_secs(30), node).await.unwrap().unwrap();
        }
        let mut ids: Vec<_> = server.received().iter().map(message_id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), server.received().len(), waiting(&kurso).await), (30, 30, 0));
    }

    async fn a_rejected_mail_is_given_up(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let refusing = Server::start(Behaviour::Refuses).await;
        let node = kurso.node_with(refusing.mail("")).await;
        ask(&node, "ann@example.com").await;
        mailer::send_due(&node).await.unwrap();
        assert_eq!(waiting(&kurso).await, 0, "a refusal for good is the end");
        assert!(node.metrics.text(&node.db).contains("kurso_mails_failed_total 1"));

        let busy = Server::start(Behaviour::IsBusy).await;
        let node = kurso.node_with(busy.mail("")).await;
        ask(&node, "ann@example.com").await;
        for _ in 0..70 {
            mailer::send_due(&node).await.unwrap();
            kurso.clock.advance(Span::minutes(1));
        }
        assert_eq!(waiting(&kurso).await, 0, "who asked an hour ago asks again");
        let text = node.metrics.text(&node.db);
        assert!(text.contains("kurso_mails_failed_total 1") && text.contains("kurso_mails_sent_total 0"), "{text}");
        assert!(text.contains("kurso_job_retries_total{kind=\"mail\"} 1"), "of about ten: {text}");
    }

    async fn pending_rows_hold_no_tokens_and_are_deleted_after_sending(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        let mut to = everything(&kurso, &root, &ann).await.to_vec();
        ask(&kurso, "root@example.com").await;
        to.push("root@example.com");
        let kept = sql!("SELECT kind, about FROM mails").fetch_all::<(String, String)>(&kurso.db).await.unwrap();
        assert_eq!(kept.len(), to.len());
        for (kind, about) in &kept {
            // Prefixes of all tokens and links.
            assert!(!about.contains("eyJ") && !about.contains("http"), "{kind}: {about}");
            let has_address = about.contains('@');
            assert_eq!(has_address, ["recovery", "test"].contains(&kind.as_str()), "{kind}: {about}");
        }
        let mut sent: Vec<_> = kurso.mails().await.into_iter().map(|mail| mail.to).collect();
        sent.sort();
        to.sort_unstable();
        assert_eq!((sent, waiting(&kurso).await), (to.iter().map(|&to| to.to_owned()).collect(), 0));
    }

    async fn an_obsolete_mail_is_not_sent(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        everything(&kurso, &root, &ann).await;
        let new = users::by_email(&kurso.db, &Email::parse("new@example.com").unwrap()).await.unwrap().unwrap();
        users::delete(&kurso, &root, new.id).await.unwrap();
        users::delete(&kurso, &root, ann.id()).await.unwrap();
        let sent: Vec<_> = kurso.mails().await.into_iter().map(|mail| mail.to).collect();
        assert_eq!((sent, waiting(&kurso).await), (vec!["operator@example.com".to_owned()], 0));
    }

    /// The account is not even looked up before the response.
    async fn an_address_without_an_account_costs_the_same_statements(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let mut cost = Vec::new();
        for address in ["ann@example.com", "nobody@example.com"] {
            let before = kurso.db.statements();
            ask(&kurso, address).await;
            cost.push(kurso.db.statements() - before);
        }
        assert_eq!(cost, [1, 1]);
        assert_eq!(waiting(&kurso).await, 2);
        assert_eq!((kurso.mails().await.len(), waiting(&kurso).await), (1, 0));
    }

    async fn the_queue_is_bounded(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        fill(&kurso, "recovery", queue::MAX_PENDING_RECOVERIES).await;
        // The response is the same for every address.
        ask(&kurso, "root@example.com").await;
        assert_eq!(waiting(&kurso).await, queue::MAX_PENDING_RECOVERIES);
        // Mails that only people with an account can cause have room left.
        let to = Email::parse("operator@example.com").unwrap();
        mail::send_test(&kurso, &root, Lang::En, &to).await.unwrap();
        assert_eq!(waiting(&kurso).await, queue::MAX_PENDING_RECOVERIES + 1);
        fill(&kurso, "test", queue::MAX_PENDING - queue::MAX_PENDING_RECOVERIES - 1).await;
        assert!(matches!(mail::send_test(&kurso, &root, Lang::En, &to).await, Err(Error::Busy)));
    }
}
