//! The client address of a request: the peer's, or the one reported by a trusted proxy.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;
use http::{Extensions, HeaderMap, header};
use kurso_core::auth::Origin;

use crate::{App, Options};

/// The trusted proxies.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Arc<[IpAddr]>);

impl Proxies {
    pub fn new(options: &Options) -> Self {
        Proxies(options.trusted_proxies.iter().map(IpAddr::to_canonical).collect())
    }

    /// Does the connection come from one of them?
    pub(crate) fn are_peer(&self, extensions: &Extensions) -> bool {
        peer(extensions).is_some_and(|peer| self.0.contains(&peer))
    }

    /// Returns the address of the client. A client can write the left end of `X-Forwarded-For` itself, so the header is read from
    /// the right, up to the first address that is not a trusted proxy. A hop that is no address ends the trust: whatever
    /// stands to its left may come from the client.
    pub fn address(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
        let peer = peer(extensions)?;
        if !self.0.contains(&peer) {
            return Some(peer);
        }
        let forwarded = headers.get_all("x-forwarded-for").iter().rev();
        // By bytes: a value with a byte beyond ASCII must not be skipped.
        let hops = forwarded.flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b','));
        let mut client = peer;
        for hop in hops {
            let Some(address) = address(hop) else { break };
            client = address;
            if !self.0.contains(&address) {
                break;
            }
        }
        Some(client)
    }
}

/// Parses `1.2.3.4`, `1.2.3.4:5678`, `::1` or `[::1]:5678`.
fn address(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop).ok()?.trim();
    let bare = hop.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(hop);
    let address = bare
        .parse::<IpAddr>()
        .or_else(|_| hop.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|a| a.to_canonical())
}

fn peer(extensions: &Extensions) -> Option<IpAddr> {
    let ConnectInfo(socket) = extensions.get::<ConnectInfo<SocketAddr>>()?;
    Some(socket.ip().to_canonical())
}

impl FromRequestParts<App> for Origin {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let device = parts.headers.get(header::USER_AGENT);
        Ok(Origin {
            address: app.proxies.address(&parts.extensions, &parts.headers),
            device: device.map_or_else(String::new, |name| {
                String::from_utf8_lossy(name.as_bytes()).into_owned()
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> String {
        client_of_bytes(peer, &forwarded.iter().map(|line| line.as_bytes()).collect::<Vec<_>>())
    }

    fn client_of_bytes(peer: &str, forwarded: &[&[u8]]) -> String {
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_bytes(value).unwrap());
        }
        let trusted_proxies = ["10.0.0.1", "10.0.0.2", "127.0.0.1"]
            .map(|a| a.parse().unwrap())
            .to_vec();
        let proxies = Proxies::new(&Options {
            trusted_proxies,
            ..Options::default()
        });
        proxies.address(&extensions, &headers).unwrap().to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(client("8.8.8.8", &["1.1.1.1"]), "8.8.8.8");
        assert_eq!(client("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(client("127.0.0.1", &["1.1.1.1"]), "1.1.1.1");
        assert_eq!(client("::ffff:127.0.0.1", &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(client("10.0.0.1", &["6.6.6.6, 1.1.1.1, 10.0.0.2"]), "1.1.1.1");
        assert_eq!(client("10.0.0.1", &["6.6.6.6", "1.1.1.1:99, 10.0.0.2"]), "1.1.1.1");
        assert_eq!(client("10.0.0.1", &["6.6.6.6, unknown, 10.0.0.2"]), "10.0.0.2");
    }

    #[test]
    fn a_broken_hop_ends_the_trust() {
        let forged: &[u8] = b"6.6.6.6";
        assert_eq!(client_of_bytes("10.0.0.1", &[forged, b"\xff, 1.1.1.1"]), "1.1.1.1");
        assert_eq!(client_of_bytes("10.0.0.1", &[forged, b"\xff"]), "10.0.0.1");
        assert_eq!(client_of_bytes("10.0.0.1", &[forged, b"\xff, 10.0.0.2"]), "10.0.0.2");
        assert_eq!(client_of_bytes("10.0.0.1", &[forged, b"1.1.1.1\xff"]), "10.0.0.1");
        assert_eq!(client_of_bytes("10.0.0.1", &[forged, b""]), "10.0.0.1");
    }
}
