//! Connections: taken, served, and ended in order. No client may take for ever over the head of a request, no more connections than
//! the settings say are open at once, and at the end every request that has come is answered before its connection is closed.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::{HeaderValue, Request, Response, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt as _;

/// What connections are given.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head: Duration,
    /// Connections at once.
    pub connections: usize,
    /// How long running requests are waited for at the end.
    pub patience: Duration,
}

/// Connections that the system took before the door was closed are served, too: it is looked for them so long, and no longer,
/// for in a crowd there is always one more.
const LAST_CALL: Duration = Duration::from_millis(50);
/// A connection on which nothing was asked yet is given so long at the end.
const FIRST_WORD: Duration = Duration::from_secs(1);
/// How long nothing is accepted when the system has no room for more connections.
const NO_ROOM: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    Open,
    /// Answers say that the connection closes after them.
    Leaving,
    /// What was asked is answered, nothing more is heard.
    Closing,
    /// Whoever is still there is cut off.
    Cut,
}

/// Where the end has got to.
#[derive(Clone, Debug)]
pub struct Door(watch::Sender<Phase>);

impl Default for Door {
    fn default() -> Self {
        Door(watch::Sender::new(Phase::Open))
    }
}

impl Door {
    /// From now on clients are asked to connect anew, elsewhere if there is an elsewhere.
    pub fn leave(&self) {
        self.0.send_replace(Phase::Leaving);
    }
}

/// Serves until `stop` comes, then ends in order: true when nobody had to be cut off.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    rules: Rules,
    door: Door,
    stop: impl Future<Output = ()>,
) -> bool {
    let places = Arc::new(Semaphore::new(rules.connections));
    let mut stop = pin!(stop);
    loop {
        let place = tokio::select! {
            () = &mut stop => break,
            place = places.clone().acquire_owned() => place,
        };
        let Ok(place) = place else { break }; // it is never closed
        tokio::select! {
            () = &mut stop => break,
            (stream, peer) = accept(&listener) => begin(stream, peer, &app, rules, &door, place),
        }
    }
    // Who was let in by the system before the door is closed has asked, or is about to.
    let last_call = tokio::time::Instant::now() + LAST_CALL;
    while let Ok((stream, peer)) = tokio::time::timeout_at(last_call, accept(&listener)).await {
        let Ok(place) = places.clone().try_acquire_owned() else {
            break;
        };
        begin(stream, peer, &app, rules, &door, place);
    }
    drop(listener);
    door.0.send_replace(Phase::Closing);
    if tokio::time::timeout(rules.patience, door.0.closed()).await.is_ok() {
        return true;
    }
    door.0.send_replace(Phase::Cut);
    door.0.closed().await;
    false
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // The client has gone again.
            Err(error) if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
    }
}

fn begin(stream: TcpStream, peer: SocketAddr, app: &Router, rules: Rules, door: &Door, place: OwnedSemaphorePermit) {
    // A body that comes in parts would wait for the acknowledgement of its head, 40 ms on most systems.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY could not be set");
    }
    let (app, phase) = (app.clone(), door.0.subscribe());
    tokio::spawn(async move {
        connection(stream, peer, app, rules, phase).await;
        drop(place);
    });
}

async fn connection(stream: TcpStream, peer: SocketAddr, app: Router, rules: Rules, mut phase: watch::Receiver<Phase>) {
    let asked = Arc::new(AtomicBool::new(false));
    let service = service_fn({
        let (asked, phase) = (asked.clone(), phase.clone());
        move |request: Request<Incoming>| {
            asked.store(true, Ordering::Relaxed);
            answer(app.clone(), request, peer, phase.clone())
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(rules.head)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut served = pin!(served);
    let closing = async {
        let _ = phase.wait_for(|phase| *phase >= Phase::Closing).await; // an error would say that the server has gone
    };
    tokio::select! {
        _ = served.as_mut() => return, // how a client goes is its own affair
        () = closing => {}
    }
    served.as_mut().graceful_shutdown();
    let cut = async {
        if !asked.load(Ordering::Relaxed) {
            tokio::time::sleep(FIRST_WORD).await;
            if !asked.load(Ordering::Relaxed) {
                return;
            }
        }
        let _ = phase.wait_for(|phase| *phase == Phase::Cut).await;
    };
    tokio::select! {
        _ = served.as_mut() => {}
        () = cut => {}
    }
}

async fn answer(
    app: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    phase: watch::Receiver<Phase>,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    let mut response = app.oneshot(request).await?;
    // A client that has another connection to go to does not lose a request with this one.
    if *phase.borrow() == Phase::Leaving && !response.status().is_informational() {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}
