//! The HTTP/1.1 listener: limits the number of connections and the time for request headers, and shuts down gracefully: every
//! received request is answered before its connection is closed.

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

use super::write_timeout::WriteTimeout;

/// The limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum time for the headers of a request, and for an idle connection.
    pub header_timeout: Duration,
    /// How long a client may accept no byte before its connection is closed.
    pub write_timeout: Duration,
    /// The maximum number of open connections.
    pub connections: usize,
    /// How long a shutdown waits for requests in progress before it closes their connections.
    pub stop_timeout: Duration,
}

/// How long a shutdown drains the accept backlog. Bounded, because under load new connections keep arriving.
const BACKLOG_DRAIN: Duration = Duration::from_millis(50);
/// How long a shutdown waits for the first request of a connection that has sent none yet.
const FIRST_REQUEST: Duration = Duration::from_secs(1);
/// The pause after a failed accept, for example when the process has no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    Open,
    /// Responses have `Connection: close`.
    Draining,
    /// Requests in progress are finished; no further ones are read.
    Closing,
    /// The remaining connections are aborted.
    Aborting,
}

/// The phase of the shutdown, shared with all connections.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Sender<Phase>);

impl Default for Shutdown {
    fn default() -> Self {
        Shutdown(watch::Sender::new(Phase::Open))
    }
}

impl Shutdown {
    /// Adds `Connection: close` to the responses from now on, so that clients reconnect, to another node where there is one.
    pub fn begin_to_drain(&self) {
        self.0.send_replace(Phase::Draining);
    }
}

/// Serves until `stop` completes, then shuts down gracefully. Returns true when no connection had to be aborted.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    shutdown: Shutdown,
    stop: impl Future<Output = ()>,
) -> bool {
    let permits = Arc::new(Semaphore::new(limits.connections));
    let mut stop = pin!(stop);
    loop {
        let permit = tokio::select! {
            () = &mut stop => break,
            permit = permits.clone().acquire_owned() => permit,
        };
        let Ok(permit) = permit else { break }; // the semaphore is never closed
        tokio::select! {
            () = &mut stop => break,
            (stream, peer) = accept(&listener) => spawn_connection(stream, peer, &app, limits, &shutdown, permit),
        }
    }
    // Closing the listener resets the connections in the accept backlog, whose requests may already be on the way.
    let drained = tokio::time::Instant::now() + BACKLOG_DRAIN;
    while let Ok((stream, peer)) = tokio::time::timeout_at(drained, accept(&listener)).await {
        let Ok(permit) = permits.clone().try_acquire_owned() else {
            break;
        };
        spawn_connection(stream, peer, &app, limits, &shutdown, permit);
    }
    drop(listener);
    shutdown.0.send_replace(Phase::Closing);
    if tokio::time::timeout(limits.stop_timeout, shutdown.0.closed())
        .await
        .is_ok()
    {
        return true;
    }
    shutdown.0.send_replace(Phase::Aborting);
    shutdown.0.closed().await;
    false
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // The client has already closed the connection.
            Err(error) if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) => {}
            Err(error) => {
                tracing::error!(%error, "accepting a connection failed");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn spawn_connection(
    stream: TcpStream,
    peer: SocketAddr,
    app: &Router,
    limits: Limits,
    shutdown: &Shutdown,
    permit: OwnedSemaphorePermit,
) {
    // With Nagle's algorithm a body sent in parts waits for the delayed acknowledgement of the headers, 40 ms on most systems.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY could not be set");
    }
    let (app, phase) = (app.clone(), shutdown.0.subscribe());
    tokio::spawn(async move {
        connection(stream, peer, app, limits, phase).await;
        drop(permit);
    });
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    limits: Limits,
    mut phase: watch::Receiver<Phase>,
) {
    let has_request = Arc::new(AtomicBool::new(false));
    let service = service_fn({
        let (has_request, phase) = (has_request.clone(), phase.clone());
        move |request: Request<Incoming>| {
            has_request.store(true, Ordering::Relaxed);
            respond(app.clone(), request, peer, phase.clone())
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, limits.write_timeout)), service)
        .with_upgrades();
    let mut served = pin!(served);
    let closing = async {
        let _ = phase.wait_for(|phase| *phase >= Phase::Closing).await; // an error means that the server is gone
    };
    tokio::select! {
        _ = served.as_mut() => return, // errors of a client's connection are not logged
        () = closing => {}
    }
    served.as_mut().graceful_shutdown();
    let aborted = async {
        if !has_request.load(Ordering::Relaxed) {
            tokio::time::sleep(FIRST_REQUEST).await;
            if !has_request.load(Ordering::Relaxed) {
                return;
            }
        }
        let _ = phase.wait_for(|phase| *phase == Phase::Aborting).await;
    };
    tokio::select! {
        _ = served.as_mut() => {}
        () = aborted => {}
    }
}

async fn respond(
    app: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
    phase: watch::Receiver<Phase>,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    let mut response = app.oneshot(request).await?;
    // Without it a client could send its next request on a connection that is about to be closed.
    if *phase.borrow() == Phase::Draining && !response.status().is_informational() {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}
