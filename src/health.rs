//! `kurso health`: readiness check of the server on this machine, for containers and scripts without an HTTP client.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::Args;
use tokio::time::Instant;

use crate::config::{Settings, duration};
use crate::print;

#[derive(Args)]
pub struct Arguments {
    /// How long to wait until the server is ready: `30s`
    #[arg(long, value_parser = duration)]
    wait: Option<Duration>,
}

/// The interval between two checks while waiting.
const PAUSE: Duration = Duration::from_millis(250);

/// The timeout of a check. `/readyz` responds within two seconds even when its dependencies hang.
const TIMEOUT: Duration = Duration::from_secs(5);

pub async fn run(settings: &Settings, arguments: &Arguments) -> Result<(), String> {
    // An error means that a provider is already installed, for example by the file store.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .timeout(TIMEOUT)
        .no_proxy()
        .build()
        .map_err(|error| error.to_string())?;
    let url = format!("http://{}/readyz", reachable(settings.address));
    let end = Instant::now() + arguments.wait.unwrap_or_default();
    loop {
        match ask(&client, &url).await {
            Ok(text) => return print(&text),
            Err(why) if Instant::now() + PAUSE > end => return Err(why),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn ask(client: &reqwest::Client, url: &str) -> Result<String, String> {
    let unreachable = |error: reqwest::Error| {
        let cause = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source()).last();
        format!(
            "{url}: no response: {}",
            cause.map(ToString::to_string).unwrap_or_default()
        )
    };
    let response = client.get(url).send().await.map_err(unreachable)?;
    let status = response.status();
    let text = response.text().await.map_err(unreachable)?;
    if status.is_success() {
        Ok(text)
    } else {
        Err(format!("{url}: {status}: {}", text.trim()))
    }
}

/// The address to connect to: loopback when the server listens on all addresses.
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
    fn an_unspecified_address_becomes_loopback() {
        let shown = |text: &str| reachable(text.parse().unwrap()).to_string();
        assert_eq!(shown("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(shown("[::]:8000"), "[::1]:8000");
        assert_eq!(shown("192.0.2.1:8000"), "192.0.2.1:8000");
    }
}
