//! One client's connection, from its greeting to its end.
//!
//! Each subscription runs in a task of its own: one that reads the database must not stand still while the client takes its
//! time with an answer. Answers come here through a short queue. A client that takes none for too long is dropped; behind the
//! queue, events of a subscription wait in one of bounded length, and when that is full the client is told that it missed some.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::{Request, Response, ServerError};
use axum::extract::ws::{Message as Frame, WebSocket};
use futures_util::StreamExt as _;
use kurso_core::access::Viewer;
use kurso_core::auth::{self, Origin};
use kurso_core::error::Error;
use kurso_core::events::PersonWatch;
use kurso_core::messages::{Lang, Message};
use kurso_core::signals::Signals;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;
use tokio::time::{Duration, Instant, sleep_until, timeout};

use super::words::{End, Greeting, Heard, LONGEST, Said, heard};
use crate::context::{Asker, MailLang};
use crate::cost::Budget;
use crate::http::Http;
use crate::{absent, single};

/// Answers that wait for the client.
const QUEUE: usize = 8;
/// How long a client may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// What the request for the connection said of the client.
#[derive(Clone)]
pub struct Face {
    pub lang: Lang,
    pub mail_lang: MailLang,
    pub origin: Origin,
}

pub struct Connection {
    http: Http,
    face: Face,
    socket: WebSocket,
    person: Option<Person>,
    running: HashMap<Arc<str>, Running>,
    runs: u64,
    answers: mpsc::Receiver<Answer>,
    sender: mpsc::Sender<Answer>,
    last_heard: Instant,
    /// When there is something to do even if nothing happens.
    due: Instant,
}

/// Who is signed in.
struct Person {
    viewer: Viewer,
    watch: PersonWatch,
    check_at: Instant,
}

/// A subscription; over when dropped.
struct Running {
    run: u64,
    task: AbortHandle,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What a subscription has to say. A client may use an id again, so the run tells them apart.
struct Answer {
    id: Arc<str>,
    run: u64,
    what: What,
}

enum What {
    Next(Box<Response>),
    Failed(Vec<ServerError>),
    Complete,
}

/// None: the client has gone, there is nobody to tell.
type Over = Option<End>;

impl Connection {
    pub fn new(http: Http, face: Face, socket: WebSocket) -> Self {
        let (sender, answers) = mpsc::channel(QUEUE);
        let now = Instant::now();
        Connection {
            due: now + http.sockets.rules.greeting,
            http,
            face,
            socket,
            person: None,
            running: HashMap::new(),
            runs: 0,
            answers,
            sender,
            last_heard: now,
        }
    }

    /// `closing` turns true when the server ends; it is held to the end.
    pub async fn run(mut self, mut closing: watch::Receiver<bool>) {
        let over = loop {
            if let Err(over) = self.step(&mut closing).await {
                break over;
            }
        };
        self.running.clear();
        self.person = None;
        let Some(end) = over else { return };
        // The client's own goodbye is waited for: what it still sends must not meet a closed door, or ours is lost.
        let goodbye = async {
            if self.socket.send(end.into()).await.is_ok() {
                while let Some(Ok(_)) = self.socket.recv().await {}
            }
        };
        if timeout(GOODBYE, goodbye).await.is_err() {
            tracing::debug!(code = end.code, "a client of subscriptions did not say goodbye");
        }
    }

    async fn step(&mut self, closing: &mut watch::Receiver<bool>) -> Result<(), Over> {
        let person = &mut self.person;
        let changed = async {
            match person {
                Some(person) => person.watch.changed().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = turned(closing) => Err(Some(End::GOING_AWAY)),
            frame = self.socket.recv() => match frame {
                Some(Ok(frame)) => {
                    self.last_heard = Instant::now();
                    self.hear(frame).await
                }
                Some(Err(_)) | None => Err(None),
            },
            Some(answer) = self.answers.recv() => self.answer(answer).await,
            nothing_missed = changed => match nothing_missed {
                true => self.check().await,
                false => Err(Some(End::MISSED)),
            },
            () = sleep_until(self.due) => self.tick().await,
        }
    }

    async fn hear(&mut self, frame: Frame) -> Result<(), Over> {
        let text = match frame {
            Frame::Text(text) => text,
            Frame::Ping(_) | Frame::Pong(_) => return Ok(()),
            Frame::Close(_) => return Err(None),
            Frame::Binary(bytes) if bytes.len() > LONGEST => return Err(Some(End::TOO_LONG)),
            Frame::Binary(_) => return Err(Some(End::BAD_MESSAGE)),
        };
        match heard(&text)? {
            Heard::ConnectionInit { payload } => self.greet(payload.unwrap_or_default()).await,
            Heard::Subscribe { id, payload } => self.subscribe(id.into(), *payload).await,
            Heard::Complete { id } => {
                self.running.remove(id.as_str());
                Ok(())
            }
            Heard::Ping { payload } => self.say(&Said::Pong { payload }).await,
            Heard::Pong {} => Ok(()),
        }
    }

    async fn greet(&mut self, greeting: Greeting) -> Result<(), Over> {
        if self.person.is_some() {
            return Err(Some(End::GREETED_TWICE));
        }
        let token = greeting.token().ok_or(End::NO_TOKEN)?;
        if let Some(accepted) = &greeting.accept_language {
            self.face.lang = Lang::from_accept_language(accepted);
            self.face.mail_lang = MailLang(Lang::of_mail(accepted));
        }
        let kurso = &self.http.kurso;
        let viewer = auth::authenticate(kurso, token)
            .await
            .map_err(|error| ended(&error, End::BAD_TOKEN))?;
        let watch = PersonWatch::start(kurso, &viewer).await;
        let now = Instant::now();
        self.due = now + self.http.sockets.rules.beat;
        self.person = Some(Person {
            viewer,
            watch,
            check_at: now,
        });
        // From here on a change is noticed; one just before it is seen now.
        self.check().await?;
        self.say(&Said::ConnectionAck).await
    }

    /// Is the person still signed in, and may what they might?
    async fn check(&mut self) -> Result<(), Over> {
        let every = self.http.sockets.rules.check;
        let Some(person) = &mut self.person else { return Ok(()) };
        let still = person.watch.still(&self.http.kurso).await;
        let (viewer, until) = still.map_err(|error| ended(&error, End::SIGNED_OUT))?;
        if viewer.user.is_superuser != person.viewer.user.is_superuser {
            return Err(Some(End::RIGHTS));
        }
        let left = (until - self.http.kurso.clock.now()).to_std().unwrap_or_default();
        // A little later than the session ends, for clocks are cut to microseconds.
        person.check_at = Instant::now() + every.min(left + Duration::from_millis(1));
        self.due = self.due.min(person.check_at);
        Ok(())
    }

    async fn tick(&mut self) -> Result<(), Over> {
        let rules = &self.http.sockets.rules;
        let Some(person) = &self.person else {
            return Err(Some(End::NO_GREETING));
        };
        if self.last_heard.elapsed() > 2 * rules.beat + rules.patience {
            return Err(Some(End::SILENT));
        }
        let (now, check_at) = (Instant::now(), person.check_at);
        self.due = (now + rules.beat).min(check_at);
        if now >= check_at {
            self.due = now + rules.beat;
            self.check().await?;
        }
        self.send(Frame::Ping(Default::default())).await
    }

    async fn subscribe(&mut self, id: Arc<str>, request: Request) -> Result<(), Over> {
        let Some(person) = &self.person else {
            return Err(Some(End::NOT_GREETED));
        };
        if self.running.contains_key(&id) {
            return Err(Some(End::SAME_ID));
        }
        let most = self.http.sockets.rules.subscriptions;
        if self.running.len() >= most {
            return self
                .refuse(&id, "RATE_LIMITED", Message::TooManySubscriptions(most))
                .await;
        }
        let mut request = match self.admitted(request) {
            Ok(request) => request,
            Err(error) => {
                return self
                    .say(&Said::Error {
                        id: &id,
                        payload: &[error],
                    })
                    .await;
            }
        };
        let name = request.operation_name.clone();
        match request
            .parsed_query()
            .map(|document| single::is_subscription(document, name.as_deref()))
        {
            Ok(Some(true)) => {}
            Ok(Some(false)) => return self.refuse(&id, "BAD_USER_INPUT", Message::OneFieldAtATime).await,
            Ok(None) => return self.refuse(&id, "BAD_USER_INPUT", Message::SubscriptionsOnly).await,
            Err(_) => {} // the schema says what is wrong with it
        }
        absent::leave_out(&mut request);
        let request = request
            .data(self.http.kurso.clone())
            .data(self.face.lang)
            .data(self.face.mail_lang)
            .data(self.face.origin.clone())
            .data(Budget::of(self.http.gate.limits()))
            .data(Asker(Some(person.viewer.clone())));
        let mut responses = self.http.schema.execute_stream(request);
        self.runs += 1;
        let (run, sender, key) = (self.runs, self.sender.clone(), id.clone());
        let counted = Signals::subscription(&self.http.kurso);
        let task = tokio::spawn(async move {
            let _counted = counted;
            let mut last = What::Complete;
            while let Some(response) = responses.next().await {
                if is_refusal(&response) {
                    last = What::Failed(response.errors);
                    break;
                }
                let (id, what) = (id.clone(), What::Next(Box::new(response)));
                if sender.send(Answer { id, run, what }).await.is_err() {
                    return;
                }
            }
            drop(responses);
            // An error says that the connection has ended.
            let _ = sender.send(Answer { id, run, what: last }).await;
        });
        let task = task.abort_handle();
        self.running.insert(key, Running { run, task });
        Ok(())
    }

    /// Within the limits of every request.
    fn admitted(&self, request: Request) -> Result<Request, ServerError> {
        let admitted = self.http.gate.admit(request, self.face.lang)?;
        Ok(admitted.into_request())
    }

    async fn refuse(&mut self, id: &str, code: &str, message: Message) -> Result<(), Over> {
        let error = error(code, &message, self.face.lang);
        self.say(&Said::Error { id, payload: &[error] }).await
    }

    async fn answer(&mut self, answer: Answer) -> Result<(), Over> {
        let Answer { id, run, what } = answer;
        // What comes after the client has ended it is not for anybody.
        if self.running.get(&id).is_none_or(|running| running.run != run) {
            return Ok(());
        }
        match what {
            What::Next(payload) => {
                self.say(&Said::Next {
                    id: &id,
                    payload: &payload,
                })
                .await
            }
            What::Complete => {
                self.running.remove(&id);
                self.say(&Said::Complete { id: &id }).await
            }
            What::Failed(errors) => {
                self.running.remove(&id);
                match code(&errors) {
                    Some("UNAUTHENTICATED") => return Err(Some(End::SIGNED_OUT)),
                    Some("UNAVAILABLE") => return Err(Some(End::MISSED)),
                    _ => {}
                }
                let errors: Vec<ServerError> = errors.into_iter().map(coded).collect();
                self.say(&Said::Error {
                    id: &id,
                    payload: &errors,
                })
                .await
            }
        }
    }

    async fn say(&mut self, said: &Said<'_>) -> Result<(), Over> {
        let text = said.text()?;
        self.send(Frame::Text(text.into())).await
    }

    /// A client that does not take it in time has gone, as far as we can tell.
    async fn send(&mut self, frame: Frame) -> Result<(), Over> {
        match timeout(self.http.sockets.rules.patience, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(None),
            Err(_) => {
                tracing::info!("a client of subscriptions took too long and was dropped");
                Err(None)
            }
        }
    }
}

async fn turned(closing: &mut watch::Receiver<bool>) {
    // An error would say that the server has ended already.
    let _ = closing.wait_for(|closing| *closing).await;
}

/// Why a connection ends by a refusal of the core's: `refused`, unless the fault is ours.
fn ended(error: &Error, refused: End) -> End {
    match error {
        Error::Busy | Error::Unavailable(_) => End::TRY_AGAIN,
        Error::Internal(cause) => {
            tracing::error!(%cause, "a session could not be looked at");
            End::INTERNAL
        }
        _ => refused,
    }
}

/// Is it the end of a subscription, or that it could not begin? What fails within an event has a longer path.
fn is_refusal(response: &Response) -> bool {
    !response.errors.is_empty() && response.errors.iter().all(|error| error.path.len() <= 1)
}

/// What has no code was said by the library of a document or variables that do not fit.
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
