//! A push service for tests, on a free port of this machine, and browsers that subscribe at it. It verifies the signature of each request and
//! decrypts the message, with code of its own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes128Gcm, KeyInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use chrono::{DateTime, Utc};
use hkdf::Hkdf;
use kurso_base::random;
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_core::push::devices::AddDevice;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::{PublicKey, SecretKey};
use serde_json::Value;
use sha2::Sha256;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A browser with its keys.
pub struct Browser {
    pub endpoint: String,
    key: SecretKey,
    auth: [u8; 16],
}

/// A request as received.
#[derive(Clone, Debug)]
pub struct Request {
    pub path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(of, _)| of == name);
        found.map_or("", |(_, value)| value)
    }
}

#[derive(Default)]
struct State {
    requests: Vec<Request>,
    /// What to answer next: status, and more headers; 201 when empty.
    answers: VecDeque<(u16, String)>,
}

pub struct Service {
    pub address: String,
    state: Arc<Mutex<State>>,
}

impl Service {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = shared.clone();
                // Clients may disconnect at any time.
                tokio::spawn(async move { serve(stream, &state).await.ok() });
            }
        });
        Service { address, state }
    }

    /// Answers the next request so, with lines of headers.
    pub fn answer(&self, status: u16, headers: &str) {
        self.state
            .lock()
            .unwrap()
            .answers
            .push_back((status, headers.to_owned()));
    }

    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().unwrap().requests.clone()
    }

    /// A new browser that has subscribed.
    pub fn browser(&self, name: &str) -> Browser {
        Browser {
            endpoint: format!("http://{}/{name}", self.address),
            key: SecretKey::from_slice(&random::private_key()).unwrap(),
            auth: random::salt(),
        }
    }

    /// The messages that a browser has received.
    pub fn received(&self, browser: &Browser) -> Vec<Value> {
        let requests = self.requests().into_iter();
        let own = requests.filter(|request| browser.endpoint.ends_with(&request.path));
        own.map(|request| browser.decrypt(&request.body)).collect()
    }
}

async fn serve(stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut lines = vec![];
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let path = lines[0].split(' ').nth(1).unwrap().to_owned();
        let headers: Vec<(String, String)> = lines[1..]
            .iter()
            .map(|line| line.split_once(": ").unwrap())
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let mut request = Request {
            path,
            headers,
            body: vec![],
        };
        request.body = vec![0; request.header("content-length").parse().unwrap()];
        stream.read_exact(&mut request.body).await?;
        let (status, more) = {
            let mut state = state.lock().unwrap();
            state.requests.push(request);
            state.answers.pop_front().unwrap_or((201, String::new()))
        };
        let answer = format!("HTTP/1.1 {status} Answer\r\nContent-Length: 2\r\n{more}\r\nok");
        stream.write_all(answer.as_bytes()).await?;
    }
}

impl Browser {
    pub fn subscription(&self) -> AddDevice {
        let key = |bytes: &[u8]| PushKey::parse(BASE64.encode(bytes)).unwrap();
        AddDevice {
            endpoint: PushEndpoint::parse(&self.endpoint).unwrap(),
            p256dh: key(&self.key.public_key().to_sec1_bytes()),
            auth: key(&self.auth),
        }
    }

    /// Decrypts a body in one record (RFC 8291).
    fn decrypt(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        assert_eq!((&rest[..4], rest[4]), (&4096_u32.to_be_bytes()[..], 65));
        let (server, encrypted) = rest[5..].split_at(65);
        let shared = self.key.diffie_hellman(&PublicKey::from_sec1_bytes(server).unwrap());
        let own = self.key.public_key().to_sec1_bytes();
        let info = [b"WebPush: info\0", &own[..], server].concat();
        let mut secret = [0; 32];
        let from = Hkdf::<Sha256>::new(Some(&self.auth), shared.raw_secret_bytes());
        from.expand(&info, &mut secret).unwrap();
        let from = Hkdf::<Sha256>::new(Some(salt), &secret);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        from.expand(b"Content-Encoding: aes128gcm\0", &mut key).unwrap();
        from.expand(b"Content-Encoding: nonce\0", &mut nonce).unwrap();
        let mut message = Aes128Gcm::new(&key.into()).decrypt(&nonce.into(), encrypted).unwrap();
        assert_eq!(message.pop(), Some(2), "the delimiter of the last record");
        serde_json::from_slice(&message).unwrap()
    }
}

/// Verifies the header `Authorization` of a request (RFC 8292), and returns its claims.
pub fn verified(request: &Request, public_key: &str) -> Value {
    let given = request.header("authorization").strip_prefix("vapid t=").unwrap();
    let (token, key) = given.split_once(", k=").unwrap();
    assert_eq!(key, public_key);
    let bytes = |text: &str| BASE64.decode(text).unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let key = VerifyingKey::from_sec1_bytes(&bytes(key)).unwrap();
    let signature = Signature::from_slice(&bytes(signature)).unwrap();
    key.verify(signed.as_bytes(), &signature).unwrap();
    let (header, claims) = signed.split_once('.').unwrap();
    let header: Value = serde_json::from_slice(&bytes(header)).unwrap();
    assert_eq!(header["alg"], "ES256");
    serde_json::from_slice(&bytes(claims)).unwrap()
}

/// The time of a claim.
pub fn time(claim: &Value) -> DateTime<Utc> {
    DateTime::from_timestamp(claim.as_i64().unwrap(), 0).unwrap()
}
