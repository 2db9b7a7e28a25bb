//! Slow clients are disconnected and use bounded memory.

use std::time::Duration;

use futures_util::StreamExt as _;
use kurso_core::{both, learning};
use kurso_db::events::{Activity, Change, Event};
use kurso_db::sql;
use kurso_graphql::SocketConfig;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::activity::ACTIVITY;
use crate::support::{School, Server, token};

both! {
    async fn a_client_that_receives_nothing_is_disconnected(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let page = school.pages[0];
        let long = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "ж".repeat(200_000)}]}]});
        sql!("UPDATE page_contents SET content = $2 WHERE page_id = $1", page, long.to_string()).execute(&kurso.db).await.unwrap();
        let config = SocketConfig { send_timeout: Duration::from_millis(500), ..SocketConfig::default() };
        let server = Server::with(kurso.kurso.clone(), config).await;
        let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
        let query = "subscription($id: ID!) { pageChanged(pageId: $id) { page { content } } }";
        socket.watch(&kurso, query, json!({"id": page})).await;
        // 40 MB: more than all buffers hold.
        for version in 0..100 {
            let event = Event::Page { page, what: Change::Written, version, by: school.owner.id(), session: None, at: kurso.clock.now() };
            kurso.db.publish(event).await;
        }
        let dropped = tokio::time::timeout(Duration::from_secs(60), async {
            while server.sockets.open() > 0 || kurso.db.event_bus().subscribers() > 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        dropped.await.expect("the server drops it");
        let mut taken = 0;
        while let Some(Ok(frame)) = socket.stream.next().await {
            taken += usize::from(frame.is_text());
        }
        assert!(taken < 100, "{taken} were under way");
    }

    async fn missed_events_close_the_socket_with_1013(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let view = learning::my_progress(&kurso, &school.learner, school.course).await.unwrap();
        let enrollment = view.course.enrollment.unwrap().id;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        for _ in 0..5_000 {
            let what = Activity::Read { page: school.pages[0] };
            kurso.db.publish(Event::Activity { course: school.course, enrollment, what, at: kurso.clock.now() }).await;
        }
        let mut taken = 0;
        let end = loop {
            match socket.stream.next().await.unwrap().unwrap() {
                Message::Text(_) => taken += 1,
                Message::Close(frame) => break frame.unwrap(),
                _ => {}
            }
        };
        assert_eq!(u16::from(end.code), 1013, "{}", end.reason);
        assert!((1..5_000).contains(&taken), "{taken}");
    }
}
