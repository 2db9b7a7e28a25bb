//! `kurso serve`: the REST and GraphQL APIs, the files and the web app on one address, with graceful shutdown.

mod listen;
mod write_timeout;

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use kurso_core::audit::{Act, Entry};
use kurso_core::{Kurso, announcements, attempts, inbox, jobs, mailer, notice_mails, push, search_index};
use kurso_db::events;
use kurso_graphql as graphql;
use kurso_rest as rest;
use listen::{Limits, Shutdown};
use tokio::net::TcpListener;

use crate::config::Settings;
use crate::{cleanup, config, demo, scheduled_backups, start, web};

/// How long a shutdown waits for the close handshakes of subscription sockets.
const SOCKET_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a shutdown waits for mails that are being sent.
const MAIL_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves until SIGTERM or Ctrl+C, then finishes the requests in progress and closes the database.
pub async fn run(settings: &Settings) -> Result<(), String> {
    let started = Instant::now();
    // Before the start is announced: a client may stop the server right after it.
    let signals = StopSignals::new();
    for (variable, near) in config::unknown_variables() {
        tracing::warn!("unknown setting {variable}, did you mean {near}?");
    }
    let kurso = start::open(settings).await?;
    // Before the superuser is created: the generated password is printed only once, so a busy port must fail first.
    let listener = TcpListener::bind(settings.address)
        .await
        .map_err(|error| format!("KURSO_ADDRESS {}: {error}", settings.address))?;
    let superuser = start::first_superuser(&kurso, settings).await?;
    let sockets = graphql::Sockets::new(graphql::SocketConfig {
        origins: origins(settings),
        ..graphql::SocketConfig::default()
    });
    let monitoring = rest::Monitoring::new(kurso.clone(), settings.metrics_token.as_deref(), {
        let sockets = sockets.clone();
        move || sockets.open()
    });
    let app = app(kurso.clone(), settings, sockets.clone()).merge(rest::monitoring_router(monitoring.clone()));
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!(
        "Kurso is at http://{address} (started in {} ms)",
        started.elapsed().as_millis()
    );

    let entry = Entry::new(Act::ServerStarted).detail(env!("CARGO_PKG_VERSION"));
    if let Err(error) = entry.write(&kurso.db, kurso.clock.now()).await {
        tracing::warn!(%error, "the start could not be written to the audit log");
    }
    // In the background: the superuser can sign in while the demo course is imported.
    let demo = superuser.filter(|_| settings.demo.is_on()).map(|owner| {
        let settings = settings.clone();
        tokio::spawn(async move {
            match demo::import(&settings, &owner.email).await {
                Ok(code) => println!("The demo course is imported; its share code is {code}."),
                Err(error) => tracing::error!(%error, "the demo course could not be imported"),
            }
        })
    });
    let cleanup = tokio::spawn(cleanup::run(kurso.clone(), settings.audit_keep.0));
    let backups = settings
        .backups()
        .map(|schedule| tokio::spawn(scheduled_backups::run(kurso.clone(), schedule)));
    let relay = tokio::spawn(events::relay(kurso.db.clone()));
    let (stop, stopping) = tokio::sync::watch::channel(false);
    let worker = tokio::spawn(jobs::work(kurso.clone(), stopping.clone()));
    let indexing = tokio::spawn(search_index::work(kurso.clone(), stopping.clone()));
    let ending = tokio::spawn(attempts::running::work(kurso.clone(), stopping.clone()));
    let reminding = tokio::spawn(inbox::work(kurso.clone(), stopping.clone()));
    let announcing = tokio::spawn(announcements::publish::work(kurso.clone(), stopping.clone()));
    let noticing = tokio::spawn(notice_mails::digest::work(kurso.clone(), stopping.clone()));
    let pushing = tokio::spawn(push::sending::work(kurso.clone(), stopping));
    let (post, closing) = tokio::sync::watch::channel(false);
    let mut sending = tokio::spawn(mailer::work(kurso.clone(), closing));
    let limits = Limits {
        header_timeout: settings.header_timeout,
        write_timeout: settings.write_timeout,
        connections: settings.max_connections as usize,
        stop_timeout: settings.stop_timeout,
    };
    let shutdown = Shutdown::default();
    let stopped = {
        let (sockets, stop, shutdown, drain) = (sockets.clone(), stop.clone(), shutdown.clone(), settings.drain.0);
        async move {
            signals.received().await;
            // Stops the background jobs first: other nodes take them over during the drain.
            let _ = stop.send(true);
            shutdown.begin_to_drain();
            monitoring.stop();
            if let Some(drain) = drain {
                tracing::info!("draining: /readyz returns 503, requests are still served");
                tokio::time::sleep(drain).await;
            }
            sockets.begin_to_close();
        }
    };
    if !listen::serve(listener, app, limits, shutdown, stopped).await {
        tracing::warn!("the stop timeout is over: requests in progress were aborted");
    }
    if tokio::time::timeout(SOCKET_TIMEOUT, sockets.close()).await.is_err() {
        tracing::warn!("some subscription sockets were not closed in time");
    }
    let _ = stop.send(true);
    let _ = worker.await; // a panic in it was logged
    let _ = ending.await;
    let _ = reminding.await;
    let _ = indexing.await;
    let _ = announcing.await;
    let _ = noticing.await;
    let _ = pushing.await;
    cleanup.abort();
    if let Some(backups) = backups {
        backups.abort();
    }
    relay.abort();
    events::announce_stop(&kurso.db).await;
    if let Some(demo) = demo {
        let _ = demo.await; // a panic in it was logged
    }
    // Sends the mails of the last requests. The time is limited because a mail server may hang; another node or the next start
    // sends the rest.
    let _ = post.send(true);
    if tokio::time::timeout(MAIL_TIMEOUT, &mut sending).await.is_err() {
        tracing::warn!("some mails were not sent before the shutdown; they are sent later");
        sending.abort();
    }
    kurso.db.close().await;
    Ok(())
}

/// The origins that may open a WebSocket: the CORS origins and that of the public URL.
fn origins(settings: &Settings) -> Vec<String> {
    let own = origin(&settings.public_url());
    settings.cors_origins().into_iter().chain(own).collect()
}

fn origin(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    Some(url.origin().ascii_serialization())
}

fn app(kurso: Arc<Kurso>, settings: &Settings, sockets: graphql::Sockets) -> axum::Router {
    let options = rest::Options {
        cors_origins: settings.cors_origins(),
        trusted_proxies: settings.trusted_proxies.clone(),
        public_origin: settings.public_url.as_deref().and_then(origin),
        development: settings.dev.is_on(),
        https: settings.public_url().starts_with("https://"),
        access_log: settings.access_log.is_on(),
        slow_request: settings.slow_request.0,
        max_requests: settings.max_requests as usize,
        request_timeout: settings.request_timeout,
    };
    let proxies = rest::Proxies::new(&options);
    let graphql = graphql::router(graphql::Http {
        kurso: kurso.clone(),
        schema: graphql::schema(),
        checks: Arc::default(),
        sockets,
        address: Arc::new(move |extensions, headers| proxies.address(extensions, headers)),
    });
    let app = rest::router(kurso.clone(), &options)
        .merge(graphql)
        .merge(web::router());
    rest::with_layers(app, &kurso, &options)
}

/// SIGINT and SIGTERM; `new` installs the handlers, so that no later signal is lost.
struct StopSignals {
    #[cfg(unix)]
    signals: Vec<tokio::signal::unix::Signal>,
}

impl StopSignals {
    fn new() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
            if let Some(Err(error)) = signals.iter().find(|signal| signal.is_err()) {
                tracing::warn!(%error, "a handler for SIGINT or SIGTERM could not be installed");
            }
            StopSignals {
                signals: signals.into_iter().flatten().collect(),
            }
        }
        #[cfg(not(unix))]
        StopSignals {}
    }

    /// Returns when the first signal is received.
    #[cfg(unix)]
    async fn received(mut self) {
        let any = std::future::poll_fn(|context| {
            let signals = &mut self.signals;
            let is_received = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if is_received { Poll::Ready(()) } else { Poll::Pending }
        });
        any.await;
    }

    #[cfg(not(unix))]
    async fn received(self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await; // no handler, so the server runs until it is killed
        }
    }
}
