//! Keys of ES256 and their JSON Web Keys.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use p256::ecdsa::signature::{Signer as _, Verifier as _};
use p256::ecdsa::{Signature, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Error;

/// A private key of P-256. Its memory is wiped when it is dropped.
pub struct SigningKey {
    key: p256::ecdsa::SigningKey,
    public: PublicJwk,
}

impl SigningKey {
    /// Takes the 32 bytes of a private key. Almost all random bytes are one.
    ///
    /// # Errors
    /// [`Error::Key`] for another length, and for numbers that are zero or not below the order of the curve.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        // The library would take fewer bytes, too.
        let bytes: &[u8; 32] = bytes.try_into().map_err(|_| Error::Key)?;
        let key = p256::ecdsa::SigningKey::from_slice(bytes).map_err(|_| Error::Key)?;
        let public = PublicJwk::new(*key.verifying_key())?;
        Ok(SigningKey { key, public })
    }

    /// The thumbprint of the public key (RFC 7638), 43 characters of base64url.
    pub fn id(&self) -> &str {
        &self.public.id
    }

    pub fn public(&self) -> &PublicJwk {
        &self.public
    }

    /// The signature of RFC 7518: two numbers of 32 bytes. The same text always gets the same one (RFC 6979).
    pub(super) fn sign(&self, text: &str) -> Vec<u8> {
        let signature: Signature = self.key.sign(text.as_bytes());
        signature.to_bytes().to_vec()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public.id)
    }
}

/// A public key. As JSON it is a JSON Web Key whose `kid` is the thumbprint; this is the form to store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Members", try_from = "Members")]
pub struct PublicJwk {
    id: String,
    key: VerifyingKey,
    x: String,
    y: String,
}

impl PublicJwk {
    fn new(key: VerifyingKey) -> Result<Self, Error> {
        let point = key.to_sec1_point(false);
        let (x, y) = point
            .as_bytes()
            .get(1..)
            .and_then(|both| both.split_at_checked(32))
            .ok_or(Error::Key)?;
        let (x, y) = (BASE64.encode(x), BASE64.encode(y));
        // RFC 7638: the required members in alphabetical order, without spaces.
        let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        let id = BASE64.encode(Sha256::digest(canonical));
        Ok(PublicJwk { id, key, x, y })
    }

    /// Reads a JSON Web Key. Its `kid` is ignored: the thumbprint is computed anew.
    ///
    /// # Errors
    /// [`Error::Key`] if it is not a key of P-256.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|_| Error::Key)
    }

    /// The thumbprint, as [`SigningKey::id`].
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn verify(&self, text: &str, signature: &[u8]) -> Result<(), Error> {
        let signature = Signature::from_slice(signature).map_err(|_| Error::Signature)?;
        self.key
            .verify(text.as_bytes(), &signature)
            .map_err(|_| Error::Signature)
    }
}

/// The members of a JSON Web Key.
#[derive(Serialize, Deserialize)]
struct Members {
    kty: String,
    crv: String,
    x: String,
    y: String,
    #[serde(default)]
    kid: String,
    #[serde(default)]
    alg: Option<String>,
    #[serde(default, rename = "use")]
    purpose: Option<String>,
}

impl From<PublicJwk> for Members {
    fn from(key: PublicJwk) -> Self {
        Members {
            kty: "EC".to_owned(),
            crv: "P-256".to_owned(),
            x: key.x,
            y: key.y,
            kid: key.id,
            alg: Some("ES256".to_owned()),
            purpose: Some("sig".to_owned()),
        }
    }
}

impl TryFrom<Members> for PublicJwk {
    type Error = Error;

    fn try_from(members: Members) -> Result<Self, Error> {
        let fits = |value: Option<&str>, expected| value.is_none_or(|value| value == expected);
        if members.kty != "EC"
            || members.crv != "P-256"
            || !fits(members.alg.as_deref(), "ES256")
            || !fits(members.purpose.as_deref(), "sig")
        {
            return Err(Error::Key);
        }
        let coordinate = |text: &str| {
            BASE64
                .decode(text)
                .ok()
                .filter(|bytes| bytes.len() == 32)
                .ok_or(Error::Key)
        };
        let point = [vec![4], coordinate(&members.x)?, coordinate(&members.y)?].concat();
        PublicJwk::new(VerifyingKey::from_sec1_bytes(&point).map_err(|_| Error::Key)?)
    }
}

/// The address of one key: what the `kid` of a JWT says and what the JSON Web Key there repeats. `keys` is [`super::Issuer::keys`].
pub(super) fn address(keys: &str, id: &str) -> String {
    format!("{keys}/{id}")
}

/// One key as its address `{keys}/{id}` answers. `keys` is [`super::Issuer::keys`].
pub fn jwk(keys: &str, key: &PublicJwk) -> Value {
    let PublicJwk { id, x, y, .. } = key;
    json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": address(keys, id), "alg": "ES256", "use": "sig" })
}

/// All keys that ever signed, as [`super::Issuer::keys`] answers: a JSON Web Key Set.
pub fn jwks<'a>(keys: &str, all: impl IntoIterator<Item = &'a PublicJwk>) -> Value {
    let all: Vec<Value> = all.into_iter().map(|key| jwk(keys, key)).collect();
    json!({ "keys": all })
}
