//! Signed tokens (JWT, HS256). An access token is valid for 8 days, that of a guest for a year, and names the person (`sub`) and the session
//! (`sid`). A link token names the person and the state it depends on. The claim `purpose` distinguishes them.

use std::sync::Once;

use chrono::{DateTime, Duration, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error as JwtError, ErrorKind};
use jsonwebtoken::signature::{Error as SignatureError, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{SessionId, UserId};

/// The lifetime of an access token and its session.
pub const LIFETIME: Duration = Duration::days(8);

/// Tolerated clock skew of a token's issue time, such as another node's clock.
const MAX_CLOCK_SKEW: Duration = Duration::seconds(60);

/// The purpose of a link that works without logging in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkPurpose {
    /// Set a password without the current one.
    Recovery,
    /// Restore the previous mail address.
    UndoEmailChange,
    /// Join the team of a course: `user` is the inviting person, `state` the invitation.
    Invitation,
    /// Download an export: `state` names the session, the course and the format.
    Export,
    /// Unsubscribe from notice mails: `state` names the address, the kinds and the course of the mail.
    NoticeMails,
}

impl LinkPurpose {
    fn claim(self) -> &'static str {
        match self {
            LinkPurpose::Recovery => "recovery",
            LinkPurpose::UndoEmailChange => "undo_email_change",
            LinkPurpose::Invitation => "invitation",
            LinkPurpose::Export => "export",
            LinkPurpose::NoticeMails => "notice_mails",
        }
    }
}

/// The content of a link token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub user: UserId,
    /// The state that must still hold for the link to be valid; its format depends on the purpose.
    pub state: String,
}

/// Signs and verifies tokens.
#[derive(Clone)]
pub struct Tokens {
    signing: EncodingKey,
    reading: DecodingKey,
    rules: Validation,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tokens(…)")
    }
}

#[derive(Serialize)]
struct Claims {
    exp: i64,
    iat: i64,
    sub: UserId,
    sid: SessionId,
    purpose: &'static str,
}

#[derive(Serialize)]
struct LinkClaims<'a> {
    exp: i64,
    iat: i64,
    sub: UserId,
    state: &'a str,
    purpose: &'static str,
}

/// The claims of a token of any purpose.
#[derive(Deserialize)]
struct Read {
    exp: i64,
    iat: Option<i64>,
    nbf: Option<i64>,
    sub: Option<UserId>,
    sid: Option<SessionId>,
    state: Option<String>,
    purpose: Option<String>,
}

const PURPOSE: &str = "access";

impl Tokens {
    /// `secret` is the value of `KURSO_SECRET_KEY`.
    pub fn new(secret: &[u8]) -> Self {
        static PROVIDER: CryptoProvider = CryptoProvider {
            signer_factory: signer,
            verifier_factory: verifier,
            key_utils: KeyUtils::new_unimplemented(),
        };
        static INSTALL: Once = Once::new();
        INSTALL.call_once(|| {
            // Fails only if a provider is installed already.
            let _ = PROVIDER.install_default();
        });
        let mut rules = Validation::new(Algorithm::HS256);
        // Times are checked against the injected clock, below.
        rules.validate_exp = false;
        rules.required_spec_claims.clear();
        Tokens {
            signing: EncodingKey::from_secret(secret),
            reading: DecodingKey::from_secret(secret),
            rules,
        }
    }

    /// Issues an access token that is valid for [`LIFETIME`].
    pub fn issue(&self, user: UserId, session: SessionId, now: DateTime<Utc>) -> Result<String> {
        self.issue_for(LIFETIME, user, session, now)
    }

    /// Issues an access token that is valid for `lifetime`.
    pub(crate) fn issue_for(
        &self,
        lifetime: Duration,
        user: UserId,
        session: SessionId,
        now: DateTime<Utc>,
    ) -> Result<String> {
        let claims = Claims {
            exp: (now + lifetime).timestamp(),
            iat: now.timestamp(),
            sub: user,
            sid: session,
            purpose: PURPOSE,
        };
        jsonwebtoken::encode(&Header::default(), &claims, &self.signing).map_err(Error::internal)
    }

    /// Verifies an access token. Fails with [`Error::BadCredentials`] if it is malformed, forged, expired, or of
    /// another purpose.
    pub fn read(&self, token: &str, now: DateTime<Utc>) -> Result<(UserId, SessionId)> {
        let claims = self.claims(token, PURPOSE, now).ok_or(Error::BadCredentials)?;
        claims.sub.zip(claims.sid).ok_or(Error::BadCredentials)
    }

    /// Issues a link token that expires at `until`.
    pub fn issue_link(
        &self,
        purpose: LinkPurpose,
        link: &Link,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<String> {
        let claims = LinkClaims {
            exp: until.timestamp(),
            iat: now.timestamp(),
            sub: link.user,
            state: &link.state,
            purpose: purpose.claim(),
        };
        jsonwebtoken::encode(&Header::default(), &claims, &self.signing).map_err(Error::internal)
    }

    /// Verifies a link token; None if it is malformed, forged, expired, or of another purpose.
    pub fn read_link(&self, purpose: LinkPurpose, token: &str, now: DateTime<Utc>) -> Option<Link> {
        let claims = self.claims(token, purpose.claim(), now)?;
        Some(Link {
            user: claims.sub?,
            state: claims.state?,
        })
    }

    /// The claims of a valid token with this purpose.
    fn claims(&self, token: &str, purpose: &str, now: DateTime<Utc>) -> Option<Read> {
        let claims = jsonwebtoken::decode::<Read>(token, &self.reading, &self.rules)
            .ok()?
            .claims;
        let latest = (now + MAX_CLOCK_SKEW).timestamp();
        let started = |at: Option<i64>| at.is_none_or(|at| at <= latest);
        let now = now.timestamp();
        let good = claims.purpose.as_deref() == Some(purpose)
            && claims.exp > now
            && started(claims.iat)
            && started(claims.nbf);
        good.then_some(claims)
    }
}

/// HMAC-SHA-256 for the JWT library, whose own providers include unused RSA and elliptic curves.
struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(algorithm: &Algorithm, secret: &[u8]) -> Result<Self, JwtError> {
        if *algorithm != Algorithm::HS256 {
            return Err(ErrorKind::InvalidAlgorithm.into());
        }
        let mac = Hmac::new_from_slice(secret).map_err(|_| JwtError::from(ErrorKind::InvalidKeyFormat))?;
        Ok(Hs256(mac))
    }
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, JwtError> {
    Ok(Box::new(Hs256::new(algorithm, key.as_bytes())?))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, JwtError> {
    Ok(Box::new(Hs256::new(algorithm, key.try_get_as_bytes()?)?))
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}
impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}
impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        // Compared in constant time.
        self.0
            .clone()
            .chain_update(message)
            .verify_slice(signature)
            .map_err(SignatureError::from_source)
    }
}
impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone as _;

    use super::*;

    fn now() -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 11, 21, 12, 0, 0).unwrap()
    }

    #[test]
    fn tokens_are_valid_until_they_expire() {
        let tokens = Tokens::new(b"0123456789abcdef0123456789abcdef");
        let (user, session) = (UserId::new(), SessionId::new());
        let token = tokens.issue(user, session, now()).unwrap();
        assert_eq!(tokens.read(&token, now()).unwrap(), (user, session));
        let last = now() + LIFETIME - Duration::seconds(1);
        assert!(tokens.read(&token, last).is_ok());
        assert!(tokens.read(&token, now() + LIFETIME).is_err());
        assert!(
            tokens.read(&token, now() - MAX_CLOCK_SKEW).is_ok(),
            "by a clock that is a little ahead"
        );
        assert!(
            tokens
                .read(&token, now() - MAX_CLOCK_SKEW - Duration::seconds(1))
                .is_err(),
            "issued in the future"
        );
    }

    #[test]
    fn tokens_are_rejected_for_other_purposes() {
        let tokens = Tokens::new(b"0123456789abcdef0123456789abcdef");
        let link = Link {
            user: UserId::new(),
            state: "as it was".to_owned(),
        };
        let hour = now() + Duration::hours(1);
        let recovery = tokens.issue_link(LinkPurpose::Recovery, &link, now(), hour).unwrap();
        let read = |purpose, token: &str, at| tokens.read_link(purpose, token, at);
        assert_eq!(read(LinkPurpose::Recovery, &recovery, now()), Some(link.clone()));
        assert_eq!(read(LinkPurpose::Recovery, &recovery, hour), None);
        assert_eq!(read(LinkPurpose::UndoEmailChange, &recovery, now()), None);
        assert!(matches!(tokens.read(&recovery, now()), Err(Error::BadCredentials)));
        let access = tokens.issue(link.user, SessionId::new(), now()).unwrap();
        assert_eq!(read(LinkPurpose::Recovery, &access, now()), None);
    }

    #[test]
    fn forged_tokens_are_rejected() {
        let tokens = Tokens::new(b"0123456789abcdef0123456789abcdef");
        let other = Tokens::new(b"another key another key another!");
        let token = other.issue(UserId::new(), SessionId::new(), now()).unwrap();
        // {"alg":"none","typ":"JWT"} and {"alg":"HS512","typ":"JWT"}
        let payload = token.split('.').nth(1).unwrap();
        let none = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
        let hs512 = format!("eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.{payload}.AAAA");
        for bad in [token.as_str(), "", "x", "a.b.c", &none, &hs512, &"a".repeat(100_000)] {
            assert!(
                matches!(tokens.read(bad, now()), Err(Error::BadCredentials)),
                "{bad:.40}"
            );
        }
    }
}
