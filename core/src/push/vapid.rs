//! The key by which push services recognise this server (VAPID, RFC 8292).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use chrono::{DateTime, Duration, Utc};
use hkdf::Hkdf;
use kurso_base::error::{Error, Result};
use p256::SecretKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;
use sha2::Sha256;
use url::Url;

/// How long a token is valid; at most 24 hours.
const LIFETIME: Duration = Duration::hours(12);

/// Distinguishes this key from others that are derived from the secret.
const LABEL: &[u8] = b"kurso web push server key 1";

/// A P-256 key that is derived from the secret of the server, so that all nodes have the same one and nothing more is configured or stored.
pub(super) struct ServerKey {
    signing: SigningKey,
    public: String,
}

impl ServerKey {
    /// `secret` is the value of `KURSO_SECRET_KEY`.
    pub fn derive(secret: &[u8]) -> Result<Self> {
        let derived = Hkdf::<Sha256>::new(None, secret);
        // Of 2^32 numbers of this length one is no private key; the next is taken then.
        let key = (0..=u8::MAX).find_map(|number| {
            let mut bytes = [0; 32];
            derived.expand_multi_info(&[LABEL, &[number]], &mut bytes).ok()?;
            SecretKey::from_slice(&bytes).ok()
        });
        let key = key.ok_or_else(|| Error::internal("no push key can be derived"))?;
        Ok(ServerKey {
            public: BASE64.encode(key.public_key().to_sec1_bytes()),
            signing: SigningKey::from(&key),
        })
    }

    /// The public key as browsers take it.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` of a request to this endpoint.
    pub fn authorization(&self, endpoint: &Url, contact: &str, now: DateTime<Utc>) -> String {
        let header = BASE64.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let claims = json!({
            "aud": endpoint.origin().ascii_serialization(),
            "exp": (now + LIFETIME).timestamp(),
            "sub": contact,
        });
        let signed = format!("{header}.{}", BASE64.encode(claims.to_string()));
        let signature: Signature = self.signing.sign(signed.as_bytes());
        let signature = BASE64.encode(signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_depends_on_the_secret_only() {
        let [one, again, other] = [
            b"0123456789abcdef0123456789abcdef",
            b"0123456789abcdef0123456789abcdef",
            b"0123456789abcdef0123456789abcdeg",
        ]
        .map(|secret| ServerKey::derive(secret).unwrap().public().to_owned());
        assert_eq!(one, again);
        assert_ne!(one, other);
        let bytes = BASE64.decode(&one).unwrap();
        assert_eq!((bytes.len(), bytes[0]), (65, 4), "an uncompressed point");
        // Devices have subscribed with it: another label or derivation would lose them all.
        assert_eq!(
            one,
            "BC1HLkFwcgVFQxq_gW694ZMXqOaWuL8QFDRf-JRGrZJF-JvkckSCUrKZSLVwZrPLTy5n_J3SVC-KMOlHKODhlGc"
        );
    }
}
