//! The protocol `graphql-transport-ws` and its close codes.

use kurso_core::testing::TestKurso;
use kurso_core::{both, learning};
use kurso_graphql::SocketConfig;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::activity::ACTIVITY;
use crate::support::{School, Server, Socket, short_timeouts, token};

const PROTOCOL: (&str, &str) = ("Sec-WebSocket-Protocol", "graphql-transport-ws");

/// The status and error code of a refused upgrade.
fn refusal(opened: Result<Socket, Error>) -> (u16, String) {
    let Err(Error::Http(response)) = opened else {
        panic!("it was opened")
    };
    let body: Value = serde_json::from_slice(response.body().as_ref().unwrap()).unwrap();
    let code = body["errors"][0]["extensions"]["code"].as_str().unwrap().to_owned();
    (response.status().as_u16(), code)
}

async fn ended_after(server: &Server, message: Value) -> u16 {
    let mut socket = server.dial().await;
    socket.say(message).await;
    socket.end().await.0
}

both! {
    async fn a_client_authenticates_by_connection_init(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let token = token(&kurso, &school.owner).await;
        for payload in [
            json!({"token": token}), json!({"authorization": format!("Bearer {token}")}),
            json!({"Authorization": format!("bearer  {token}"), "other": [1]}), json!({"token": token, "acceptLanguage": "ru"}),
        ] {
            let mut socket = server.dial().await;
            socket.say(json!({"type": "connection_init", "payload": payload})).await;
            assert_eq!(socket.hear().await, json!({"type": "connection_ack"}));
            socket.say(json!({"type": "ping"})).await;
            assert_eq!(socket.hear().await, json!({"type": "pong"}));
            socket.say(json!({"type": "ping", "payload": {"at": 1}})).await;
            assert_eq!(socket.hear().await, json!({"type": "pong", "payload": {"at": 1}}));
            socket.say(json!({"type": "pong"})).await;
            let id = socket.subscribe("{ me { id } }", json!({})).await;
            let said = socket.refusal(&id).await.1;
            assert_eq!(said.contains("подписки"), payload["acceptLanguage"] == "ru", "{said}");
        }
    }

    async fn protocol_errors_close_the_socket_with_their_code(kurso: TestKurso) {
        let server = Server::start(kurso.kurso.clone()).await;
        let init = |payload: Value| json!({"type": "connection_init", "payload": payload});
        for payload in [json!(null), json!({}), json!({"token": ""}), json!({"token": "x"}), json!({"authorization": "Basic x"})] {
            assert_eq!(ended_after(&server, init(payload)).await, 4403);
        }
        for message in [
            json!({"type": "connection_init", "payload": {"token": 5}}), json!({"type": "start"}), json!({"no": "type"}),
            json!([]), json!({"type": "subscribe", "id": "1"}), json!({"type": "subscribe", "payload": {"query": "{ me }"}}),
        ] {
            assert_eq!(ended_after(&server, message).await, 4400);
        }
        let early = json!({"type": "subscribe", "id": "1", "payload": {"query": "subscription { x }"}});
        assert_eq!(ended_after(&server, early).await, 4401);
        let ann = kurso.person("ann").await;
        let token = token(&kurso, &ann).await;
        let mut socket = server.connect(&token).await;
        socket.say(init(json!({"token": token}))).await;
        assert_eq!(socket.end().await.0, 4429);
        for (frame, code) in [
            (Message::text("x".repeat(65 << 10)), 1009), (Message::binary(vec![1, 2]), 4400), (Message::text("{"), 4400),
        ] {
            let mut socket = server.connect(&token).await;
            futures_util::SinkExt::send(&mut socket.stream, frame).await.unwrap();
            assert_eq!(socket.end().await.0, code);
        }
    }
}

#[tokio::test]
async fn only_allowed_origins_and_the_subprotocol_are_upgraded() {
    let kurso = TestKurso::new(kurso_core::testing::Backend::Sqlite).await;
    let server = Server::with(kurso.kurso.clone(), short_timeouts()).await;
    let own = format!("http://{}", server.address);
    for origin in [own.as_str(), "http://localhost:5173"] {
        assert!(server.knock(&[PROTOCOL, ("Origin", origin)]).await.is_ok(), "{origin}");
    }
    assert!(
        server
            .knock(&[("Sec-WebSocket-Protocol", "graphql-ws, graphql-transport-ws")])
            .await
            .is_ok()
    );
    for origin in ["http://evil.example", "null", "http://localhost:51730"] {
        let refused = refusal(server.knock(&[PROTOCOL, ("Origin", origin)]).await);
        assert_eq!(refused, (403, "FORBIDDEN".to_owned()), "{origin}");
    }
    for protocol in [&[][..], &[("Sec-WebSocket-Protocol", "graphql-ws")]] {
        assert_eq!(
            refusal(server.knock(protocol).await),
            (400, "BAD_USER_INPUT".to_owned())
        );
    }
}

#[tokio::test]
async fn a_silent_client_is_closed_and_one_that_answers_pings_stays() {
    let kurso = TestKurso::new(kurso_core::testing::Backend::Sqlite).await;
    let server = Server::with(
        kurso.kurso.clone(),
        SocketConfig {
            send_timeout: std::time::Duration::ZERO,
            ..short_timeouts()
        },
    )
    .await;
    assert_eq!(server.dial().await.end().await.0, 4408);
    // It reads frames, so the library answers pings.
    let server = Server::with(kurso.kurso.clone(), short_timeouts()).await;
    let mut alive = server
        .connect(&kurso.token(&kurso.account("ann", false).await.email).await)
        .await;
    let silence = tokio::time::timeout(std::time::Duration::from_secs(2), alive.end());
    assert!(silence.await.is_err(), "a client that answers pings stays");
}

#[tokio::test]
async fn an_invalid_operation_is_refused_and_the_socket_stays_open() {
    let kurso = TestKurso::new(kurso_core::testing::Backend::Sqlite).await;
    let school = School::open(&kurso).await;
    let server = Server::with(
        kurso.kurso.clone(),
        SocketConfig {
            max_subscriptions: 3,
            ..SocketConfig::default()
        },
    )
    .await;
    let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
    let of = json!({"id": school.course});
    let deep = format!("subscription {}", "{ a ".repeat(300));
    let two =
        "subscription($id: ID!) { a: courseActivity(courseId: $id) { at } b: courseActivity(courseId: $id) { at } }";
    let spread = "subscription($id: ID!) { ...f } fragment f on Subscription { courseActivity(courseId: $id) { at } }";
    for query in [
        "{ me { id } }",
        "mutation { logout { message } }",
        "query { __schema { types { name } } }",
        two,
        spread,
        "subscription { nonsense }",
        "subscription {",
        "",
        "subscription { courseActivity(courseId: 5) { nonsense } }",
        "subscription { courseActivity { at } }",
    ] {
        let id = socket.subscribe(query, of.clone()).await;
        assert_eq!(socket.refusal(&id).await.0, "BAD_USER_INPUT", "{query:.60}");
    }
    let id = socket.subscribe(&deep, of.clone()).await;
    assert_eq!(socket.refusal(&id).await.0, "LIMIT_EXCEEDED");

    let id = socket.watch(&kurso, ACTIVITY, of.clone()).await;
    for _ in 0..2 {
        socket.watch(&kurso, ACTIVITY, of.clone()).await;
    }
    let beyond = socket.subscribe(ACTIVITY, of.clone()).await;
    assert_eq!(socket.refusal(&beyond).await.0, "RATE_LIMITED");
    socket.say(json!({"id": id, "type": "complete"})).await;
    socket.say(json!({"id": "unknown", "type": "complete"})).await;
    let id = socket.watch(&kurso, ACTIVITY, of.clone()).await;
    school.enroll(&kurso, &school.learner).await;
    for _ in 0..3 {
        assert_eq!(socket.hear().await["type"], "next", "three are there again");
    }
    socket
        .say(json!({"id": id, "type": "subscribe", "payload": {"query": ACTIVITY, "variables": of}}))
        .await;
    assert_eq!(socket.end().await.0, 4409);
}

#[tokio::test]
async fn a_completed_subscription_sends_nothing_and_is_freed() {
    let kurso = TestKurso::new(kurso_core::testing::Backend::Sqlite).await;
    let school = School::open(&kurso).await;
    let server = Server::start(kurso.kurso.clone()).await;
    let mut socket = server.connect(&token(&kurso, &school.owner).await).await;
    let id = socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
    assert_eq!(
        kurso.db.event_bus().subscribers(),
        2,
        "the connection itself and its subscription"
    );
    socket.say(json!({"id": id, "type": "complete"})).await;
    socket.say(json!({"type": "ping"})).await;
    assert_eq!(socket.hear().await, json!({"type": "pong"}));
    school.enroll(&kurso, &school.learner).await;
    learning::mark_page_visited(&kurso, &school.learner, school.pages[0])
        .await
        .unwrap();
    socket.is_silent().await;
    assert_eq!((kurso.db.event_bus().subscribers(), server.sockets.open()), (1, 1));
    drop(socket);
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        if server.sockets.open() == 0 {
            break;
        }
    }
    assert_eq!((kurso.db.event_bus().subscribers(), server.sockets.open()), (0, 0));
}

#[tokio::test]
async fn shutdown_closes_sockets_with_1001() {
    let kurso = TestKurso::new(kurso_core::testing::Backend::Sqlite).await;
    let school = School::open(&kurso).await;
    let server = Server::start(kurso.kurso.clone()).await;
    let mut quiet = server.dial().await;
    let mut busy = server.connect(&token(&kurso, &school.owner).await).await;
    busy.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
    let closing = tokio::spawn({
        let sockets = server.sockets.clone();
        async move { sockets.close().await }
    });
    assert_eq!((quiet.end().await.0, busy.end().await.0), (1001, 1001));
    drop((quiet, busy));
    tokio::time::timeout(std::time::Duration::from_secs(5), closing)
        .await
        .unwrap()
        .unwrap();
}
