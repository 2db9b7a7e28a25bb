//! Letters that wait in the database: sent when there is a server that takes them, by whichever node is there.

use std::time::Duration;

use chrono::Duration as Span;
use kurso_core::access::{CollaboratorRole, Viewer};
use kurso_core::auth::{Origin, recovery};
use kurso_core::courses::team::{self, Heir, NewMember};
use kurso_core::email::Email;
use kurso_core::error::Error;
use kurso_core::mail::{self, queue};
use kurso_core::messages::Lang;
use kurso_core::testing::{PASSWORD, Received, TestKurso};
use kurso_core::users::{self, Changes, NewUser};
use kurso_core::{Kurso, both, sql};
use uuid::Uuid;

use super::server::{Mood, Server, Taken, mail_by, nowhere};

async fn waiting(kurso: &Kurso) -> i64 {
    let counted = sql!("SELECT COUNT(*) FROM mails").fetch_one::<(i64,)>(&kurso.db);
    counted.await.unwrap().0
}

async fn ask(kurso: &Kurso, email: &str) {
    recovery::ask(kurso, Lang::En, email).await.unwrap();
}

fn message_id(taken: &Taken) -> String {
    let head = String::from_utf8(taken.data.clone()).unwrap();
    let line = head.lines().find(|line| line.starts_with("Message-ID: "));
    line.unwrap().to_owned()
}

/// Everything that leads to a mail but a recovery, and the mails to whom it leads.
async fn everything(kurso: &TestKurso, root: &Viewer, ann: &Viewer) -> [&'static str; 5] {
    let new = |name: &str| NewUser {
        email: Email::parse(name).unwrap(),
        password: PASSWORD.to_owned(),
        full_name: None,
        is_active: true,
        is_superuser: false,
    };
    users::add(kurso, root, Lang::En, new("new@example.com")).await.unwrap();
    let changes = Changes {
        email: Some(Email::parse("ann@example.org").unwrap()),
        ..Changes::default()
    };
    users::update_me(kurso, ann, Lang::En, changes).await.unwrap();
    let course = kurso.course(ann, &[]).await;
    let member = NewMember {
        email: Email::parse("guest@example.com").unwrap(),
        role: CollaboratorRole::Editor,
    };
    team::invite(kurso, ann, Lang::Ru, course, member).await.unwrap();
    let heir = Heir::Email(Email::parse("new@example.com").unwrap());
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

/// Letters that wait, in statements of five hundred.
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
    async fn a_mail_waits_for_its_server_and_is_sent_when_that_is_there(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let address = nowhere().await;
        let node = kurso.node_with(mail_by(&address)).await;
        ask(&node, "ann@example.com").await;
        mail::send_due(&node).await.unwrap();
        assert_eq!(waiting(&kurso).await, 1);
        assert!(node.signals.text(&node.db).contains("kurso_job_retries_total{kind=\"mail\"} 1"));
        // Not at once again: a server that is down is not knocked at all the time.
        let server = Server::start_at(&address, Mood::Takes).await;
        mail::send_due(&node).await.unwrap();
        assert!(server.taken().is_empty());
        kurso.clock.advance(Span::seconds(10));
        mail::send_due(&node).await.unwrap();
        assert_eq!((server.taken().len(), waiting(&kurso).await), (1, 0));
        // The link is good from when it was sent.
        let token = Received::read(&server.taken()[0].data).token();
        kurso.clock.advance(Span::minutes(59));
        let reset = recovery::Reset { token, new_password: "another password".to_owned() };
        recovery::reset(&kurso, reset).await.unwrap();
    }

    async fn what_a_node_did_not_come_to_send_another_sends_under_the_same_id(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let server = Server::start(Mood::Takes).await;
        let (one, other) = (kurso.node_with(server.mail("")).await, kurso.node_with(server.mail("")).await);
        ask(&one, "ann@example.com").await;
        let claim = queue::take(&one).await.unwrap().unwrap();
        let id = claim.id();
        drop(claim); // and the node with it
        kurso.clock.advance(queue::LEASE - Span::seconds(1));
        mail::send_due(&other).await.unwrap();
        assert!(server.taken().is_empty(), "it is the first one's as long as its lease lasts");
        kurso.clock.advance(Span::seconds(1));
        mail::send_due(&other).await.unwrap();
        let ids: Vec<_> = server.taken().iter().map(message_id).collect();
        assert_eq!((ids, waiting(&kurso).await), (vec![format!("Message-ID: <{id}@example.com>")], 0));
    }

    async fn two_nodes_send_each_letter_once(kurso: TestKurso) {
        let server = Server::start(Mood::Takes).await;
        let (one, other) = (kurso.node_with(server.mail("")).await, kurso.node_with(server.mail("")).await);
        let root = kurso.superuser("root").await;
        for n in 0..30 {
            let to = Email::parse(&format!("ann{n}@example.com")).unwrap();
            mail::send_test(&one, &root, Lang::En, &to).await.unwrap();
        }
        let (stop, stopping) = tokio::sync::watch::channel(false);
        let nodes = [&one, &other].map(|node| tokio::spawn(mail::work(node.clone(), stopping.clone())));
        stop.send(true).unwrap();
        for node in nodes {
            tokio::time::timeout(Duration::from_secs(30), node).await.unwrap().unwrap();
        }
        let mut ids: Vec<_> = server.taken().iter().map(message_id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), server.taken().len(), waiting(&kurso).await), (30, 30, 0));
    }

    async fn a_mail_that_nobody_takes_is_given_up(kurso: TestKurso) {
        kurso.account("ann", false).await;
        let refusing = Server::start(Mood::Refuses).await;
        let node = kurso.node_with(refusing.mail("")).await;
        ask(&node, "ann@example.com").await;
        mail::send_due(&node).await.unwrap();
        assert_eq!(waiting(&kurso).await, 0, "a refusal for good is the end");
        assert!(node.signals.text(&node.db).contains("kurso_mails_failed_total 1"));

        let busy = Server::start(Mood::IsBusy).await;
        let node = kurso.node_with(busy.mail("")).await;
        ask(&node, "ann@example.com").await;
        for _ in 0..70 {
            mail::send_due(&node).await.unwrap();
            kurso.clock.advance(Span::minutes(1));
        }
        assert_eq!(waiting(&kurso).await, 0, "who asked an hour ago asks again");
        let text = node.signals.text(&node.db);
        assert!(text.contains("kurso_mails_failed_total 1") && text.contains("kurso_mails_sent_total 0"), "{text}");
        assert!(text.contains("kurso_job_retries_total{kind=\"mail\"} 1"), "of about ten: {text}");
    }

    async fn what_waits_holds_no_token_and_goes_with_its_letter(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        let mut to = everything(&kurso, &root, &ann).await.to_vec();
        ask(&kurso, "root@example.com").await;
        to.push("root@example.com");
        let kept = sql!("SELECT kind, about FROM mails").fetch_all::<(String, String)>(&kurso.db).await.unwrap();
        assert_eq!(kept.len(), to.len());
        for (kind, about) in &kept {
            // As every token of ours begins, and every link.
            assert!(!about.contains("eyJ") && !about.contains("http"), "{kind}: {about}");
            let has_address = about.contains('@');
            assert_eq!(has_address, ["recovery", "test"].contains(&kind.as_str()), "{kind}: {about}");
        }
        let mut sent: Vec<_> = kurso.mails().await.into_iter().map(|mail| mail.to).collect();
        sent.sort();
        to.sort_unstable();
        assert_eq!((sent, waiting(&kurso).await), (to.iter().map(|&to| to.to_owned()).collect(), 0));
    }

    async fn a_mail_whose_matter_has_gone_is_not_sent(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        let ann = kurso.person("ann").await;
        everything(&kurso, &root, &ann).await;
        let new = users::by_email(&kurso.db, &Email::parse("new@example.com").unwrap()).await.unwrap().unwrap();
        users::delete(&kurso, &root, new.id).await.unwrap();
        users::delete(&kurso, &root, ann.id()).await.unwrap();
        let sent: Vec<_> = kurso.mails().await.into_iter().map(|mail| mail.to).collect();
        assert_eq!((sent, waiting(&kurso).await), (vec!["operator@example.com".to_owned()], 0));
    }

    /// What is known of an address is not even looked at before the answer.
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

    async fn the_queue_has_an_end(kurso: TestKurso) {
        let root = kurso.superuser("root").await;
        fill(&kurso, "recovery", queue::RECOVERIES).await;
        // The answer is as ever, for any address.
        ask(&kurso, "root@example.com").await;
        assert_eq!(waiting(&kurso).await, queue::RECOVERIES);
        // What nobody can ask for without an account has room left.
        let to = Email::parse("operator@example.com").unwrap();
        mail::send_test(&kurso, &root, Lang::En, &to).await.unwrap();
        assert_eq!(waiting(&kurso).await, queue::RECOVERIES + 1);
        fill(&kurso, "test", queue::MOST - queue::RECOVERIES - 1).await;
        assert!(matches!(mail::send_test(&kurso, &root, Lang::En, &to).await, Err(Error::Busy)));
    }
}
