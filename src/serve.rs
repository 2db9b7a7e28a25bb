//! Serving: both faces, the files and the web app on one address.

mod listen;

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use kurso_core::audit::{Act, Entry};
use kurso_core::{Kurso, events, jobs, mail};
use kurso_graphql as graphql;
use kurso_rest as rest;
use listen::{Door, Rules};
use tokio::net::TcpListener;

use crate::config::Settings;
use crate::{backups, config, demo, start, sweep, web};

/// How long the end waits until clients of subscriptions have been told of it.
const SOCKET_PATIENCE: Duration = Duration::from_secs(5);
/// How long the end waits for mails that are under way.
const MAIL_PATIENCE: Duration = Duration::from_secs(10);

/// Serves until SIGTERM or Ctrl+C, then lets running requests finish.
pub async fn run(settings: &Settings) -> Result<(), String> {
    let started = Instant::now();
    // Whoever reads that it is there may stop it in the same moment.
    let ends = Ends::new();
    for (variable, near) in config::unknown_variables() {
        tracing::warn!("{variable} is no setting; {near} is");
    }
    let kurso = start::open(settings).await?;
    // Before anything is said that is said only once.
    let listener = TcpListener::bind(settings.address)
        .await
        .map_err(|error| format!("KURSO_ADDRESS {}: {error}", settings.address))?;
    let superuser = start::first_superuser(&kurso, settings).await?;
    let sockets = graphql::Sockets::new(graphql::Rules {
        origins: origins(settings),
        ..graphql::Rules::default()
    });
    let watched = rest::Watched::new(kurso.clone(), settings.metrics_token.as_deref(), {
        let sockets = sockets.clone();
        move || sockets.open()
    });
    let app = app(kurso.clone(), settings, sockets.clone()).merge(rest::signals(watched.clone()));
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!(
        "Kurso is at http://{address} (started in {} ms)",
        started.elapsed().as_millis()
    );

    let entry = Entry::new(Act::ServerStarted).detail(env!("CARGO_PKG_VERSION"));
    if let Err(error) = entry.write(&kurso.db, kurso.clock.now()).await {
        tracing::warn!(%error, "the start is not in the audit log");
    }
    // The demo course comes in while the first person is already signing in.
    let demo = superuser.filter(|_| settings.demo.is_on()).map(|owner| {
        let settings = settings.clone();
        tokio::spawn(async move {
            match demo::import(&settings, &owner.email).await {
                Ok(code) => println!("The demo course is there; its share code is {code}."),
                Err(error) => tracing::error!(%error, "the demo course could not be imported"),
            }
        })
    });
    let sweeper = tokio::spawn(sweep::forever(kurso.clone(), settings.audit_keep.0));
    let backups = settings
        .backups()
        .map(|schedule| tokio::spawn(backups::forever(kurso.clone(), schedule)));
    let relay = tokio::spawn(events::relay(kurso.db.clone()));
    let (stop, stopping) = tokio::sync::watch::channel(false);
    let worker = tokio::spawn(jobs::work(kurso.clone(), stopping));
    let (post, closing) = tokio::sync::watch::channel(false);
    let mut sending = tokio::spawn(mail::work(kurso.clone(), closing));
    let rules = Rules {
        head: settings.header_timeout,
        connections: settings.max_connections as usize,
        patience: settings.stop_timeout,
    };
    let door = Door::default();
    let stopped = {
        let (sockets, stop, door, drain) = (sockets.clone(), stop.clone(), door.clone(), settings.drain.0);
        async move {
            ends.come().await;
            // What is under way in the background goes back to the other nodes meanwhile.
            let _ = stop.send(true);
            door.leave();
            watched.stop();
            if let Some(drain) = drain {
                tracing::info!("stopping; load balancers have a while to notice");
                tokio::time::sleep(drain).await;
            }
            sockets.begin_to_close();
        }
    };
    if !listen::serve(listener, app, rules, door, stopped).await {
        tracing::warn!("some requests took too long and were cut off");
    }
    if tokio::time::timeout(SOCKET_PATIENCE, sockets.close()).await.is_err() {
        tracing::warn!("some clients of subscriptions did not take the goodbye");
    }
    let _ = stop.send(true);
    let _ = worker.await; // a panic in it was logged
    sweeper.abort();
    if let Some(backups) = backups {
        backups.abort();
    }
    relay.abort();
    events::farewell(&kurso.db).await;
    if let Some(demo) = demo {
        let _ = demo.await; // a panic in it was logged
    }
    // Mails of the last requests; a mail server that hangs must not keep this one alive. What is left is another node's, or
    // the next start's.
    let _ = post.send(true);
    if tokio::time::timeout(MAIL_PATIENCE, &mut sending).await.is_err() {
        tracing::warn!("some mails were not sent before the end; they are sent later");
        sending.abort();
    }
    kurso.db.close().await;
    Ok(())
}

/// Whose pages may open a WebSocket: those that may call, and the web app where people find it.
fn origins(settings: &Settings) -> Vec<String> {
    let own = url::Url::parse(&settings.public_url()).map(|url| url.origin().ascii_serialization());
    settings.cors_origins().into_iter().chain(own).collect()
}

fn app(kurso: Arc<Kurso>, settings: &Settings, sockets: graphql::Sockets) -> axum::Router {
    let options = rest::Options {
        cors_origins: settings.cors_origins(),
        trusted_proxies: settings.trusted_proxies.clone(),
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
        gate: Arc::default(),
        sockets,
        address: Arc::new(move |extensions, headers| proxies.address(extensions, headers)),
    });
    let app = rest::router(kurso.clone(), &options)
        .merge(graphql)
        .merge(web::router());
    rest::around(app, &kurso, &options)
}

/// The signals that end the server, heard from the moment this is made.
struct Ends {
    #[cfg(unix)]
    heard: Vec<tokio::signal::unix::Signal>,
}

impl Ends {
    fn new() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let heard = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
            if let Some(Err(error)) = heard.iter().find(|heard| heard.is_err()) {
                tracing::warn!(%error, "not every signal to stop will be noticed");
            }
            Ends {
                heard: heard.into_iter().flatten().collect(),
            }
        }
        #[cfg(not(unix))]
        Ends {}
    }

    /// Comes back when one is heard.
    #[cfg(unix)]
    async fn come(mut self) {
        let any = std::future::poll_fn(|context| {
            let heard = self.heard.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if heard { Poll::Ready(()) } else { Poll::Pending }
        });
        any.await;
    }

    #[cfg(not(unix))]
    async fn come(self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await; // without the signal there is nothing to wait for
        }
    }
}
