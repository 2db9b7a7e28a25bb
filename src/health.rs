//! `kurso health`: what the server on this machine says of itself, for containers and scripts that have no other client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::Args;
use tokio::time::Instant;

use crate::config::{Settings, duration};
use crate::print;

#[derive(Args)]
pub struct Arguments {
    /// How long to wait for it to become ready: `30s`
    #[arg(long, value_parser = duration)]
    wait: Option<Duration>,
}

/// How often a server that is waited for is asked.
const PAUSE: Duration = Duration::from_millis(250);

/// `/readyz` answers within two seconds, whatever hangs.
const PATIENCE: Duration = Duration::from_secs(5);

pub async fn run(settings: &Settings, arguments: &Arguments) -> Result<(), String> {
    // As the store of the files does: again is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .timeout(PATIENCE)
        .no_proxy()
        .build()
        .map_err(|error| error.to_string())?;
    let url = format!("http://{}/readyz", reachable(settings.address));
    let end = Instant::now() + arguments.wait.unwrap_or_default();
    loop {
        match ask(&client, &url).await {
            Ok(said) => return print(&said),
            Err(why) if Instant::now() + PAUSE > end => return Err(why),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn ask(client: &reqwest::Client, url: &str) -> Result<String, String> {
    let unreachable = |error: reqwest::Error| {
        let cause = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source()).last();
        format!(
            "{url}: no answer: {}",
            cause.map(ToString::to_string).unwrap_or_default()
        )
    };
    let answer = client.get(url).send().await.map_err(unreachable)?;
    let status = answer.status();
    let said = answer.text().await.map_err(unreachable)?;
    if status.is_success() {
        Ok(said)
    } else {
        Err(format!("{url}: {status}: {}", said.trim()))
    }
}

/// Who listens on every address is asked on this machine's own.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_asked_on_this_machine() {
        let shown = |text: &str| reachable(text.parse().unwrap()).to_string();
        assert_eq!(shown("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(shown("[::]:8000"), "[::1]:8000");
        assert_eq!(shown("192.0.2.1:8000"), "192.0.2.1:8000");
    }
}
