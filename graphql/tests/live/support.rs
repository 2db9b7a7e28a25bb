//! A WebSocket client and a test server.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use kurso_base::ids::{CourseId, PageId};
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::testing::TestKurso;
use kurso_core::{courses, learning};
use kurso_graphql::{SocketConfig, Sockets};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A timeout that is long enough for a busy machine.
const SOON: Duration = Duration::from_secs(10);

/// Short timeouts, for tests that wait for them.
pub fn short_timeouts() -> SocketConfig {
    SocketConfig {
        origins: vec!["http://localhost:5173".to_owned()],
        init_timeout: Duration::from_millis(300),
        ping_interval: Duration::from_millis(200),
        session_check_interval: Duration::from_millis(200),
        send_timeout: Duration::from_secs(5),
        max_subscriptions: 3,
    }
}

/// A node: a server on a free port of this machine.
pub struct Server {
    pub address: String,
    pub sockets: Sockets,
}

impl Server {
    pub async fn start(kurso: Arc<Kurso>) -> Self {
        Self::with(kurso, SocketConfig::default()).await
    }

    pub async fn with(kurso: Arc<Kurso>, config: SocketConfig) -> Self {
        let sockets = Sockets::new(config);
        let http = kurso_graphql::Http {
            kurso,
            schema: kurso_graphql::schema(),
            checks: Arc::default(),
            sockets: sockets.clone(),
            address: Arc::new(|_, _| None),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, kurso_graphql::router(http)).await });
        Server { address, sockets }
    }

    /// Opens a socket without `connection_init`.
    pub async fn dial(&self) -> Socket {
        self.knock(&[("Sec-WebSocket-Protocol", "graphql-transport-ws")])
            .await
            .unwrap()
    }

    /// Opens a socket with these headers.
    pub async fn knock(&self, headers: &[(&'static str, &str)]) -> Result<Socket, Error> {
        let mut request = format!("ws://{}/graphql", self.address).into_client_request().unwrap();
        for (name, value) in headers {
            request
                .headers_mut()
                .insert(*name, HeaderValue::from_str(value).unwrap());
        }
        let (stream, _) = connect_async(request).await?;
        Ok(Socket { stream, last: 0 })
    }

    /// Opens a socket with a token.
    pub async fn connect(&self, token: &str) -> Socket {
        let mut socket = self.dial().await;
        socket
            .say(json!({"type": "connection_init", "payload": {"token": token}}))
            .await;
        assert_eq!(socket.hear().await, json!({"type": "connection_ack"}));
        socket
    }
}

pub struct Socket {
    pub stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u32,
}

impl Socket {
    pub async fn say(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.unwrap();
    }

    /// Subscribes and returns the ID. The protocol has no acknowledgement.
    pub async fn subscribe(&mut self, query: &str, variables: Value) -> String {
        self.last += 1;
        let id = format!("s{}", self.last);
        let payload = json!({"query": query, "variables": variables});
        self.say(json!({"id": id, "type": "subscribe", "payload": payload}))
            .await;
        id
    }

    /// Subscribes and waits until the subscription has started.
    pub async fn watch(&mut self, kurso: &Kurso, query: &str, variables: Value) -> String {
        let before = kurso.db.event_bus().subscribers();
        let id = self.subscribe(query, variables).await;
        tokio::time::timeout(SOON, async {
            while kurso.db.event_bus().subscribers() == before {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .expect("the subscription begins");
        // The rights are read once more before the first event.
        tokio::time::sleep(Duration::from_millis(100)).await;
        id
    }

    async fn frame(&mut self) -> Message {
        let next = tokio::time::timeout(SOON, async {
            loop {
                match self.stream.next().await.expect("the socket is open").expect("a frame") {
                    Message::Ping(_) | Message::Pong(_) => {}
                    frame => return frame,
                }
            }
        });
        next.await.expect("something comes")
    }

    /// The next message.
    pub async fn hear(&mut self) -> Value {
        match self.frame().await {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("{other:?} in place of a message"),
        }
    }

    /// The data of the next event of a subscription.
    pub async fn next(&mut self, id: &str) -> Value {
        let mut message = self.hear().await;
        assert_eq!(
            (&message["id"], &message["type"]),
            (&json!(id), &json!("next")),
            "{message}"
        );
        assert!(message["payload"]["errors"].is_null(), "{message}");
        let data = message["payload"]["data"].as_object_mut().unwrap();
        data.values_mut().next().unwrap().take()
    }

    /// The code and the text of the error that ends a subscription.
    pub async fn refusal(&mut self, id: &str) -> (String, String) {
        let message = self.hear().await;
        assert_eq!(
            (&message["id"], &message["type"]),
            (&json!(id), &json!("error")),
            "{message}"
        );
        let error = &message["payload"][0];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&error["extensions"]["code"]), text(&error["message"]))
    }

    /// The code and reason of the server's close frame.
    pub async fn end(&mut self) -> (u16, String) {
        loop {
            match self.frame().await {
                Message::Close(Some(frame)) => return (frame.code.into(), frame.reason.to_string()),
                Message::Close(None) => panic!("closed without a reason"),
                _ => {}
            }
        }
    }

    /// Asserts that no message arrives within the time that an event takes.
    pub async fn is_silent(&mut self) {
        let next = tokio::time::timeout(Duration::from_millis(400), async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => return other,
                }
            }
        });
        if let Ok(heard) = next.await {
            panic!("{heard:?}");
        }
    }
}

/// A course with users of all roles.
pub struct School {
    pub owner: Viewer,
    pub editor: Viewer,
    pub teacher: Viewer,
    pub learner: Viewer,
    pub stranger: Viewer,
    pub course: CourseId,
    pub code: String,
    /// A content page and a quiz, in one lesson.
    pub pages: Vec<PageId>,
}

impl School {
    pub async fn open(kurso: &TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
        let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        let view = learning::view::CourseView::load(kurso, &owner, course, kurso_core::access::Right::Edit).await;
        let pages: Vec<PageId> = view.unwrap().tree.pages.iter().map(|page| page.id).collect();
        kurso.set_quiz(pages[1], &quiz()).await;
        let school = School {
            editor: kurso.person("editor").await,
            teacher: kurso.person("teacher").await,
            learner: kurso.person("learner").await,
            stranger: kurso.person("stranger").await,
            owner,
            course,
            code: shared.share_code.unwrap(),
            pages,
        };
        for (person, role) in [(&school.editor, "editor"), (&school.teacher, "teacher")] {
            kurso.collaborator(course, person, role).await;
        }
        school
    }

    pub async fn enroll(&self, kurso: &Kurso, who: &Viewer) {
        let origin = Origin::default();
        learning::enroll(kurso, who, &origin, &self.code).await.unwrap();
    }
}

const QUESTION: &str = "0198f000-0000-7000-8000-000000000001";

/// A quiz of one question.
fn quiz() -> Value {
    let question = json!({"id": QUESTION, "type": "numeric", "prompt": "?", "value": 42});
    json!({"pass_percent": 50, "questions": [question]})
}

/// A submission to it.
pub fn answers(right: bool) -> Value {
    let number = if right { "42" } else { "41" };
    json!({"answers": [{"question_id": QUESTION, "number": number}]})
}

pub async fn token(kurso: &TestKurso, who: &Viewer) -> String {
    kurso.token(&who.user.email).await
}
