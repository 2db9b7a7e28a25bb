//! Clients that do not keep up: they are dropped, and nothing heaps up for them.

use std::time::Duration;

use futures_util::StreamExt as _;
use kurso_core::events::{Activity, Change, Event};
use kurso_core::{both, learning, sql};
use kurso_graphql::Rules;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::activity::ACTIVITY;
use crate::support::{School, Server, token};

both! {
    async fn who_takes_nothing_is_dropped(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let page = school.pages[0];
        let long = json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "ж".repeat(200_000)}]}]});
        sql!("UPDATE page_contents SET content = $2 WHERE page_id = $1", page, long.to_string()).execute(&kurso.db).await.unwrap();
        let rules = Rules { patience: Duration::from_millis(500), ..Rules::default() };
        let server = Server::with(kurso.kurso.clone(), rules).await;
        let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
        let query = "subscription($id: ID!) { pageChanged(pageId: $id) { page { content } } }";
        socket.watch(&kurso, query, json!({"id": page})).await;
        // More than any buffer on the way holds: 40 MB.
        for version in 0..100 {
            let event = Event::Page { page, what: Change::Written, version, by: school.owner.id(), session: None, at: kurso.clock.now() };
            kurso.db.tell(event).await;
        }
        let dropped = tokio::time::timeout(Duration::from_secs(60), async {
            while server.sockets.open() > 0 || kurso.db.live().watchers() > 0 {
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

    async fn who_falls_behind_is_told_that_something_was_missed(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let view = learning::my_progress(&kurso, &school.learner, school.course).await.unwrap();
        let enrollment = view.course.enrollment.unwrap().id;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        for _ in 0..5_000 {
            let what = Activity::Read { page: school.pages[0] };
            kurso.db.tell(Event::Activity { course: school.course, enrollment, what, at: kurso.clock.now() }).await;
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
