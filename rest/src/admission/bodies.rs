//! Receives request bodies before admission, so that slow clients hold no place in the admission queue. The number of bodies that are
//! still arriving is bounded per client network and in total: a new one evicts the oldest, which gets 408.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::{HeaderValue, StatusCode, header};
use http_body_util::BodyExt as _;
use kurso_base::messages::Message;
use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::time::{Instant, timeout_at};

use crate::drain::DrainSwitch;
use crate::error::Error;

/// Bytes that are received of a body. Longer bodies are refused by the calls, which have limits of their own.
const MAX_BUFFER: u64 = 4 << 20;
/// Bodies that arrive from one client network at the same time. Bodies that came together with their headers do not count, so a
/// school behind one address has room.
const MAX_PER_NETWORK: usize = 64;
/// How long every body may take.
const GRACE: Duration = Duration::from_secs(20);
/// The bytes per second that a longer body must reach. A slow phone does; a client that only holds connections does not.
const MIN_SPEED: u64 = 4096;

pub struct ArrivingBodies {
    /// The most bodies of all clients.
    limit: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next_number: u64,
    /// The oldest is first. Dropping the sender evicts the body.
    bodies: BTreeMap<u64, (IpAddr, Sender<()>)>,
    per_network: HashMap<IpAddr, usize>,
}

/// A body that is counted until it is dropped.
struct Arriving<'a> {
    bodies: &'a ArrivingBodies,
    number: u64,
    evicted: Receiver<()>,
}

/// The body did not arrive in time, or was evicted.
struct TooSlow;

impl ArrivingBodies {
    pub fn new(limit: usize) -> Self {
        ArrivingBodies {
            limit,
            state: Mutex::default(),
        }
    }

    /// Returns the request with its body in memory, or the response to a body that is too slow. A body that fails or is longer than
    /// the buffer is passed on as it is.
    pub async fn receive(&self, request: Request, client: Option<IpAddr>) -> Result<Request, Response> {
        if request.body().is_end_stream() || announced_length(&request) > MAX_BUFFER {
            return Ok(request);
        }
        let (parts, body) = request.into_parts();
        let switch = parts.extensions.get::<DrainSwitch>().cloned();
        let mut reading = pin!(read(body));
        let received = match futures_util::poll!(reading.as_mut()) {
            Poll::Ready(received) => received,
            Poll::Pending => {
                let mut arriving = self.enter(network(client));
                tokio::select! {
                    received = reading => received,
                    _ = &mut arriving.evicted => Err(TooSlow),
                }
            }
        };
        match received {
            Ok(body) => Ok(Request::from_parts(parts, body)),
            Err(TooSlow) => {
                if let Some(switch) = switch {
                    switch.turn_off();
                }
                Err(too_slow())
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a body, and evicts the oldest one where there are too many.
    fn enter(&self, network: IpAddr) -> Arriving<'_> {
        let mut state = self.state();
        if state
            .per_network
            .get(&network)
            .is_some_and(|count| *count >= MAX_PER_NETWORK)
        {
            state.evict_oldest(|of| of == network);
        } else if state.bodies.len() >= self.limit {
            state.evict_oldest(|_| true);
        }
        let number = state.next_number;
        state.next_number += 1;
        let (sender, evicted) = oneshot::channel();
        state.bodies.insert(number, (network, sender));
        *state.per_network.entry(network).or_default() += 1;
        Arriving {
            bodies: self,
            number,
            evicted,
        }
    }
}

impl State {
    fn evict_oldest(&mut self, is_candidate: impl Fn(IpAddr) -> bool) {
        let oldest = self.bodies.iter().find(|(_, (network, _))| is_candidate(*network));
        if let Some(number) = oldest.map(|(number, _)| *number) {
            self.remove(number);
        }
    }

    fn remove(&mut self, number: u64) {
        let Some((network, _)) = self.bodies.remove(&number) else {
            return;
        };
        if let Some(count) = self.per_network.get_mut(&network) {
            *count -= 1;
            if *count == 0 {
                self.per_network.remove(&network);
            }
        }
    }
}

impl Drop for Arriving<'_> {
    fn drop(&mut self) {
        self.bodies.state().remove(self.number);
    }
}

/// Reads the body to its end, or as far as the buffer goes.
async fn read(mut body: Body) -> Result<Body, TooSlow> {
    let started = Instant::now();
    let (mut parts, mut size): (Vec<Bytes>, u64) = (Vec::new(), 0);
    loop {
        let deadline = started + GRACE + Duration::from_secs(size / MIN_SPEED);
        match timeout_at(deadline, body.frame()).await {
            Err(_) => return Err(TooSlow),
            Ok(None) => break,
            Ok(Some(Err(error))) => {
                let parts = parts.into_iter().map(Ok).chain([Err(error)]);
                return Ok(Body::from_stream(stream::iter(parts)));
            }
            Ok(Some(Ok(frame))) => {
                let Ok(bytes) = frame.into_data() else { continue };
                size += bytes.len() as u64;
                parts.push(bytes);
            }
        }
        if size > MAX_BUFFER {
            let received = stream::iter(parts).map(Ok);
            return Ok(Body::from_stream(received.chain(body.into_data_stream())));
        }
    }
    // A body of one part needs no copy.
    let whole = match parts.as_slice() {
        [only] => only.clone(),
        parts => parts.concat().into(),
    };
    Ok(Body::from(whole))
}

fn announced_length(request: &Request) -> u64 {
    let length = request.headers().get(header::CONTENT_LENGTH);
    length
        .and_then(|length| length.to_str().ok()?.parse().ok())
        .unwrap_or(0)
}

/// The network of a client. IPv6 counts per /64, the smallest that a connection is given.
pub fn network(client: Option<IpAddr>) -> IpAddr {
    match client.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)) {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

/// 408. The connection ends with it, because the rest of the body will not be read.
fn too_slow() -> Response {
    let mut response = Error::Http(StatusCode::REQUEST_TIMEOUT, Message::BodyTooSlow).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
