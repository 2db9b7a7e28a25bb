//! One WebSocket connection, from `connection_init` to its close frame.
//!
//! Each subscription runs in a task of its own, so that a slow client does not stop one in the middle of a read of the database.
//! Answers reach the connection through a short queue. A client that receives none within the timeout is disconnected. The
//! events of a subscription wait in a bounded queue; when it overflows, the connection is closed with 1013.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Request, Response, ServerError};
use axum::extract::ws::{Message as Frame, WebSocket};
use futures_util::StreamExt as _;
use kurso_base::error::Error;
use kurso_base::messages::{Lang, Message};
use kurso_core::access::Viewer;
use kurso_core::auth::{self, Origin};
use kurso_core::metrics::Metrics;
use kurso_core::subscriptions::PersonWatch;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{Duration, Instant, sleep_until, timeout};

use super::messages::{self, ClientMessage, Close, InitPayload, MAX_LENGTH, ServerMessage};
use super::operation;
use crate::absent;
use crate::batching::Batches;
use crate::context::Caller;
use crate::cost::Budget;
use crate::language::MailLang;
use crate::server::Http;

/// Answers queued for the client.
const QUEUE: usize = 8;
/// The time for the client's close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The client, by the headers of the upgrade request.
#[derive(Clone)]
pub struct Client {
    pub lang: Lang,
    pub mail_lang: MailLang,
    pub origin: Origin,
}

pub struct Connection {
    http: Http,
    client: Client,
    socket: WebSocket,
    /// None before `connection_init`.
    session: Option<Session>,
    running: HashMap<Arc<str>, Running>,
    runs: u64,
    answers: mpsc::Receiver<Answer>,
    sender: mpsc::Sender<Answer>,
    last_received: Instant,
    /// The time of the next timeout, ping or session check.
    due: Instant,
}

struct Session {
    viewer: Viewer,
    watch: PersonWatch,
    check_at: Instant,
}

/// A subscription; dropping it ends it.
struct Running {
    run: u64,
    task: AbortHandle,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer of a subscription. A client may use an id again, so `run` identifies the subscription.
struct Answer {
    id: Arc<str>,
    run: u64,
    content: Content,
}

enum Content {
    Next(Box<Response>),
    Failed(Vec<ServerError>),
    Complete,
}

/// The end of the connection; None when the client is gone and gets no close frame.
type Ended = Option<Close>;

impl Connection {
    pub fn new(http: Http, client: Client, socket: WebSocket) -> Self {
        let (sender, answers) = mpsc::channel(QUEUE);
        let now = Instant::now();
        Connection {
            due: now + http.sockets.config().init_timeout,
            http,
            client,
            socket,
            session: None,
            running: HashMap::new(),
            runs: 0,
            answers,
            sender,
            last_received: now,
        }
    }

    /// `closing` turns true when the server shuts down; holding it counts this socket as open.
    pub async fn run(mut self, mut closing: watch::Receiver<bool>) {
        let ended = loop {
            if let Err(ended) = self.step(&mut closing).await {
                break ended;
            }
        };
        self.running.clear();
        self.session = None;
        let Some(close) = ended else { return };
        // Waits for the client's close frame: if it sends to a closed socket, it may lose our frame.
        let closed = async {
            if self.socket.send(close.into()).await.is_ok() {
                while let Some(Ok(_)) = self.socket.recv().await {}
            }
        };
        if timeout(CLOSE_TIMEOUT, closed).await.is_err() {
            tracing::debug!(code = close.code, "a WebSocket client did not answer the close frame");
        }
    }

    async fn step(&mut self, closing: &mut watch::Receiver<bool>) -> Result<(), Ended> {
        let session = &mut self.session;
        let changed = async {
            match session {
                Some(session) => session.watch.changed().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = is_true(closing) => Err(Some(Close::GOING_AWAY)),
            frame = self.socket.recv() => match frame {
                Some(Ok(frame)) => {
                    self.last_received = Instant::now();
                    self.receive(frame).await
                }
                Some(Err(_)) | None => Err(None),
            },
            Some(answer) = self.answers.recv() => self.answer(answer).await,
            is_complete = changed => match is_complete {
                true => self.check().await,
                false => Err(Some(Close::MISSED)),
            },
            () = sleep_until(self.due) => self.tick().await,
        }
    }

    async fn receive(&mut self, frame: Frame) -> Result<(), Ended> {
        let text = match frame {
            Frame::Text(text) => text,
            Frame::Ping(_) | Frame::Pong(_) => return Ok(()),
            Frame::Close(_) => return Err(None),
            Frame::Binary(bytes) if bytes.len() > MAX_LENGTH => return Err(Some(Close::TOO_LONG)),
            Frame::Binary(_) => return Err(Some(Close::BAD_MESSAGE)),
        };
        match messages::parse(&text)? {
            ClientMessage::ConnectionInit { payload } => self.init(payload.unwrap_or_default()).await,
            ClientMessage::Subscribe { id, payload } => self.subscribe(id.into(), *payload).await,
            ClientMessage::Complete { id } => {
                self.running.remove(id.as_str());
                Ok(())
            }
            ClientMessage::Ping { payload } => self.send(&ServerMessage::Pong { payload }).await,
            ClientMessage::Pong {} => Ok(()),
        }
    }

    async fn init(&mut self, payload: InitPayload) -> Result<(), Ended> {
        if self.session.is_some() {
            return Err(Some(Close::INITIALISED_TWICE));
        }
        let token = payload.token().ok_or(Close::NO_TOKEN)?;
        if let Some(accepted) = &payload.accept_language {
            self.client.lang = Lang::from_accept_language(accepted);
            self.client.mail_lang = MailLang(Lang::of_mail(accepted));
        }
        let kurso = &self.http.kurso;
        let viewer = auth::authenticate(kurso, token)
            .await
            .map_err(|error| close_for(&error, Close::BAD_TOKEN))?;
        let watch = PersonWatch::start(kurso, &viewer).await;
        let now = Instant::now();
        self.due = now + self.http.sockets.config().ping_interval;
        self.session = Some(Session {
            viewer,
            watch,
            check_at: now,
        });
        // The watch reports changes from here on; this check finds one since the authentication.
        self.check().await?;
        self.send(&ServerMessage::ConnectionAck).await
    }

    /// Checks that the session has not ended and that the rank is the same.
    async fn check(&mut self) -> Result<(), Ended> {
        let interval = self.http.sockets.config().session_check_interval;
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        let still = session.watch.still(&self.http.kurso).await;
        let (viewer, until) = still.map_err(|error| close_for(&error, Close::SESSION_ENDED))?;
        if viewer.user.is_superuser != session.viewer.user.is_superuser {
            return Err(Some(Close::RIGHTS));
        }
        let left = (until - self.http.kurso.clock.now()).to_std().unwrap_or_default();
        // After the end of the session: stored times are rounded down to microseconds.
        session.check_at = Instant::now() + interval.min(left + Duration::from_millis(1));
        self.due = self.due.min(session.check_at);
        Ok(())
    }

    async fn tick(&mut self) -> Result<(), Ended> {
        let config = self.http.sockets.config();
        let Some(session) = &self.session else {
            return Err(Some(Close::INIT_TIMEOUT));
        };
        if self.last_received.elapsed() > 2 * config.ping_interval + config.send_timeout {
            return Err(Some(Close::SILENT));
        }
        let (now, check_at) = (Instant::now(), session.check_at);
        self.due = (now + config.ping_interval).min(check_at);
        if now >= check_at {
            self.due = now + config.ping_interval;
            self.check().await?;
        }
        self.send_frame(Frame::Ping(Default::default())).await
    }

    async fn subscribe(&mut self, id: Arc<str>, request: Request) -> Result<(), Ended> {
        let Some(session) = &self.session else {
            return Err(Some(Close::NOT_INITIALISED));
        };
        if self.running.contains_key(&id) {
            return Err(Some(Close::DUPLICATE_ID));
        }
        let most = self.http.sockets.config().max_subscriptions;
        if self.running.len() >= most {
            return self
                .refuse(&id, "RATE_LIMITED", Message::TooManySubscriptions(most))
                .await;
        }
        let mut request = match self.admitted(request) {
            Ok(request) => request,
            Err(error) => {
                return self
                    .send(&ServerMessage::Error {
                        id: &id,
                        payload: &[error],
                    })
                    .await;
            }
        };
        let name = request.operation_name.clone();
        match request
            .parsed_query()
            .map(|document| operation::is_subscription(document, name.as_deref()))
        {
            Ok(Some(true)) => {}
            Ok(Some(false)) => return self.refuse(&id, "BAD_USER_INPUT", Message::OneFieldAtATime).await,
            Ok(None) => return self.refuse(&id, "BAD_USER_INPUT", Message::SubscriptionsOnly).await,
            Err(_) => {} // the schema reports the error
        }
        absent::omit(&mut request);
        let batches = Batches::default();
        let request = request
            .data(self.http.kurso.clone())
            .data(self.client.lang)
            .data(self.client.mail_lang)
            .data(self.client.origin.clone())
            .data(Budget::of(self.http.checks.limits()))
            .data(Caller(Some(session.viewer.clone())))
            .data(batches.clone());
        let mut responses = self.http.schema.execute_stream(request);
        self.runs += 1;
        let (run, sender, key) = (self.runs, self.sender.clone(), id.clone());
        let counted = Metrics::subscription(&self.http.kurso);
        let task = tokio::spawn(async move {
            let _counted = counted;
            let mut last = Content::Complete;
            while let Some(response) = batches.drive(responses.next()).await {
                if is_refusal(&response) {
                    last = Content::Failed(response.errors);
                    break;
                }
                let (id, content) = (id.clone(), Content::Next(Box::new(response)));
                if sender.send(Answer { id, run, content }).await.is_err() {
                    return;
                }
            }
            drop(responses);
            // It fails when the connection has ended.
            let _ = sender.send(Answer { id, run, content: last }).await;
        });
        let task = task.abort_handle();
        self.running.insert(key, Running { run, task });
        Ok(())
    }

    /// Applies the admission checks.
    fn admitted(&self, request: Request) -> Result<Request, ServerError> {
        let admitted = self.http.checks.admit(request, self.client.lang)?;
        Ok(admitted.into_request())
    }

    async fn refuse(&mut self, id: &str, code: &str, message: Message) -> Result<(), Ended> {
        let error = error(code, &message, self.client.lang);
        self.send(&ServerMessage::Error { id, payload: &[error] }).await
    }

    async fn answer(&mut self, answer: Answer) -> Result<(), Ended> {
        let Answer { id, run, content } = answer;
        // The client has completed the subscription meanwhile.
        if self.running.get(&id).is_none_or(|running| running.run != run) {
            return Ok(());
        }
        match content {
            Content::Next(payload) => {
                self.send(&ServerMessage::Next {
                    id: &id,
                    payload: &payload,
                })
                .await
            }
            Content::Complete => {
                self.running.remove(&id);
                self.send(&ServerMessage::Complete { id: &id }).await
            }
            Content::Failed(errors) => {
                self.running.remove(&id);
                match code(&errors) {
                    Some("UNAUTHENTICATED") => return Err(Some(Close::SESSION_ENDED)),
                    Some("UNAVAILABLE") => return Err(Some(Close::MISSED)),
                    _ => {}
                }
                let errors: Vec<ServerError> = errors.into_iter().map(coded).collect();
                self.send(&ServerMessage::Error {
                    id: &id,
                    payload: &errors,
                })
                .await
            }
        }
    }

    async fn send(&mut self, message: &ServerMessage<'_>) -> Result<(), Ended> {
        let text = message.to_json()?;
        self.send_frame(Frame::Text(text.into())).await
    }

    /// Sends a frame; ends the connection when the client does not receive it within the timeout.
    async fn send_frame(&mut self, frame: Frame) -> Result<(), Ended> {
        match timeout(self.http.sockets.config().send_timeout, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(None),
            Err(_) => {
                tracing::info!("a WebSocket client did not receive a message in time and was disconnected");
                Err(None)
            }
        }
    }
}

async fn is_true(closing: &mut watch::Receiver<bool>) {
    // It fails when the server has ended already.
    let _ = closing.wait_for(|closing| *closing).await;
}

/// The close code of a core error: `refused`, unless the server is at fault.
fn close_for(error: &Error, refused: Close) -> Close {
    match error {
        Error::Busy | Error::Unavailable(_) => Close::TRY_AGAIN,
        Error::Internal(cause) => {
            tracing::error!(%cause, "checking a session failed");
            Close::INTERNAL
        }
        _ => refused,
    }
}

/// Whether the response ends the subscription or says that it could not start. An error within an event has a longer path.
fn is_refusal(response: &Response) -> bool {
    !response.errors.is_empty() && response.errors.iter().all(|error| error.path.len() <= 1)
}

/// Gives an error of the library, of a document or variables that do not fit the schema, its code.
fn coded(mut error: ServerError) -> ServerError {
    let extensions = error.extensions.get_or_insert_default();
    if extensions.get("code").is_none() {
        extensions.set("code", "BAD_USER_INPUT");
        error.path.clear();
    }
    error
}

fn error(code: &str, message: &Message, lang: Lang) -> ServerError {
    let mut error = ServerError::new(message.text(lang), None);
    error.extensions.get_or_insert_default().set("code", code);
    error
}

fn code(errors: &[ServerError]) -> Option<&str> {
    let code = errors.first()?.extensions.as_ref()?.get("code")?;
    match code {
        async_graphql::Value::String(code) => Some(code),
        _ => None,
    }
}
