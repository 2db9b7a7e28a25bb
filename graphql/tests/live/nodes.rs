//! Two nodes on one PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use kurso_base::values::EditorSession;
use kurso_core::courses::page;
use kurso_core::subscriptions;
use kurso_core::testing::{Backend, TestKurso, command};
use kurso_core::{Kurso, auth, learning};
use kurso_db::events;
use kurso_db::sql;
use serde_json::json;
use tokio::task::JoinHandle;

use crate::activity::ACTIVITY;
use crate::pages::{CHANGED, EDITORS, cursor};
use crate::support::{School, Server, token};

/// Two nodes with their event listeners.
struct Nodes {
    kurso: TestKurso,
    other: Arc<Kurso>,
    relays: Vec<JoinHandle<()>>,
    one: Server,
    two: Server,
}

impl Nodes {
    async fn start() -> Self {
        let kurso = TestKurso::new(Backend::Postgres).await;
        let other = kurso.another_node().await;
        let relays = [&kurso.kurso, &other].map(|kurso| tokio::spawn(events::relay(kurso.db.clone())));
        let (one, two) = (
            Server::start(kurso.kurso.clone()).await,
            Server::start(other.clone()).await,
        );
        let nodes = Nodes {
            relays: relays.into(),
            kurso,
            other,
            one,
            two,
        };
        nodes.both_listen().await;
        nodes
    }

    /// The processes of the listening connections of this test. Tests share the server, but each has its own database.
    async fn listeners(&self) -> Vec<i32> {
        let listening =
            sql!("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'");
        let pids = listening.fetch_all::<(i32,)>(&self.kurso.db).await;
        pids.unwrap().into_iter().map(|(pid,)| pid).collect()
    }

    async fn both_listen(&self) {
        for _ in 0..200 {
            if self.listeners().await.len() == 2 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("two nodes listen");
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        self.relays.iter().for_each(JoinHandle::abort);
    }
}

#[tokio::test]
async fn events_reach_the_other_node_exactly_once() {
    let nodes = Nodes::start().await;
    let (kurso, other) = (&nodes.kurso, &nodes.other);
    let school = School::open(kurso).await;
    let mut here = nodes.one.connect(&token(kurso, &school.owner).await).await;
    let mut there = nodes.two.connect(&token(kurso, &school.teacher).await).await;
    let a = here.watch(kurso, ACTIVITY, json!({"id": school.course})).await;
    let b = there.watch(other, ACTIVITY, json!({"id": school.course})).await;
    // A node delivers its own events immediately and those of the other node a moment later, so wait for this event before causing the next one.
    school.enroll(kurso, &school.learner).await;
    assert_eq!(here.next(&a).await["__typename"], "StudentEnrolled");
    assert_eq!(there.next(&b).await["__typename"], "StudentEnrolled");
    learning::mark_page_visited(other, &school.learner, school.pages[0])
        .await
        .unwrap();
    assert_eq!(here.next(&a).await["__typename"], "StudentReadPage");
    assert_eq!(there.next(&b).await["__typename"], "StudentReadPage");
    here.is_silent().await;
    there.is_silent().await;

    let c = there.subscribe(EDITORS, json!({"id": school.pages[0]})).await;
    assert_eq!(there.refusal(&c).await.0, "FORBIDDEN");
    let c = here.watch(kurso, CHANGED, json!({"id": school.pages[0]})).await;
    page::update(
        other,
        &school.editor,
        school.pages[0],
        Some(EditorSession::parse("tab").unwrap()),
        command(json!({"title": "там"})),
    )
    .await
    .unwrap();
    assert_eq!(here.next(&c).await["userSessionId"], "tab");

    // The session ends on one node, its socket is on the other.
    let viewer = auth::authenticate(kurso, &token(kurso, &school.teacher).await)
        .await
        .unwrap();
    for session in auth::sessions::list(kurso, &viewer, kurso_base::pagination::Page::new(0, 10))
        .await
        .unwrap()
        .data
    {
        auth::sessions::end(kurso, &viewer, session.id).await.unwrap();
    }
    assert_eq!(there.end().await.0, 4403);
}

#[tokio::test]
async fn open_editors_are_known_on_every_node() {
    let nodes = Nodes::start().await;
    let school = School::open(&nodes.kurso).await;
    let of = json!({"id": school.pages[0]});
    let mut here = nodes.one.connect(&token(&nodes.kurso, &school.owner).await).await;
    let mut there = nodes.two.connect(&token(&nodes.kurso, &school.editor).await).await;
    let a = here.subscribe(EDITORS, of.clone()).await;
    assert_eq!(here.next(&a).await.as_array().unwrap().len(), 1);
    let b = there
        .subscribe(EDITORS, json!({"id": school.pages[0], "session": "b"}))
        .await;
    // The message may arrive before or after the other node has checked.
    let mut seen = there.next(&b).await;
    if seen.as_array().unwrap().len() == 1 {
        seen = there.next(&b).await;
    }
    assert_eq!(seen.as_array().unwrap().len(), 2);
    assert_eq!(here.next(&a).await.as_array().unwrap().len(), 2);
    // The request may reach another node than that of the subscription.
    subscriptions::move_editor(&nodes.kurso, &school.editor, school.pages[0], cursor("b", Some(3)))
        .await
        .unwrap();
    assert_eq!(there.next(&b).await[1]["block"], 3);
    assert_eq!(here.next(&a).await[1]["block"], 3);
    drop(there);
    assert_eq!(here.next(&a).await.as_array().unwrap().len(), 1);

    // A new node asks for the state, and a node that stops announces it.
    let third = nodes.kurso.another_node().await;
    let relay = tokio::spawn(events::relay(third.db.clone()));
    let server = Server::start(third.clone()).await;
    let mut late = server.connect(&token(&nodes.kurso, &school.editor).await).await;
    let c = late.subscribe(EDITORS, json!({"id": school.pages[0]})).await;
    let mut seen = late.next(&c).await;
    if seen.as_array().unwrap().len() == 1 {
        seen = late.next(&c).await;
    }
    assert_eq!(seen.as_array().unwrap().len(), 2);
    assert_eq!(here.next(&a).await.as_array().unwrap().len(), 2);
    relay.abort();
    events::announce_stop(&third.db).await;
    assert_eq!(here.next(&a).await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn unwatched_and_rolled_back_changes_are_not_sent() {
    let nodes = Nodes::start().await;
    let (kurso, other) = (&nodes.kurso, &nodes.other);
    let school = School::open(kurso).await;
    let event = || events::Event::Removed { course: school.course };
    let cost = async || {
        let before = kurso.db.statements();
        let mut tx = kurso.db.begin().await.unwrap();
        tx.publish(event());
        tx.commit().await.unwrap();
        kurso.db.statements() - before
    };
    // Until all nodes have reported, everything counts as watched, including the node's own reports.
    let silence = tokio::time::timeout(Duration::from_secs(60), async {
        while cost().await > 0 {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    silence.await.expect("nobody watches it");
    let mut watching = other
        .db
        .event_bus()
        .subscribe(&[events::Topic::Removed(school.course)])
        .await;
    // PostgreSQL notifies this node slightly later than the other.
    let known = tokio::time::timeout(Duration::from_secs(5), async {
        while cost().await == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    known.await.expect("who watches there becomes known here");
    let heard = tokio::time::timeout(Duration::from_secs(5), watching.next())
        .await
        .unwrap();
    assert_eq!(*heard.unwrap(), event());

    let mut tx = kurso.db.begin().await.unwrap();
    tx.publish(event());
    drop(tx);
    let silence = tokio::time::timeout(Duration::from_millis(500), watching.next()).await;
    assert!(silence.is_err(), "it was rolled back");
}

#[tokio::test]
async fn a_lost_listener_connection_ends_watches_and_reconnects() {
    let nodes = Nodes::start().await;
    let (kurso, other) = (&nodes.kurso, &nodes.other);
    let school = School::open(kurso).await;
    let mut there = nodes.two.connect(&token(kurso, &school.teacher).await).await;
    there.watch(other, ACTIVITY, json!({"id": school.course})).await;
    let before = nodes.listeners().await;
    for pid in &before {
        sql!("SELECT pg_terminate_backend($1)", *pid)
            .execute(&kurso.db)
            .await
            .unwrap();
    }
    assert_eq!(there.end().await.0, 1013, "something may have been missed");
    for _ in 0..200 {
        let now = nodes.listeners().await;
        if now.len() == 2 && now.iter().all(|pid| !before.contains(pid)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut there = nodes.two.connect(&token(kurso, &school.teacher).await).await;
    let id = there.watch(other, ACTIVITY, json!({"id": school.course})).await;
    school.enroll(kurso, &school.learner).await;
    assert_eq!(there.next(&id).await["__typename"], "StudentEnrolled");
}
