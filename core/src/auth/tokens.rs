//! JWT HS256 (contract 8, rest-facts 0 and 3). Access tokens: 8 days, with the person (`sub`) and the session (`sid`). Tokens
//! of the links in mails: with the person and the state of things they are good for. A claim `purpose` keeps them apart.

use std::sync::Once;

use chrono::{DateTime, Duration, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error as JwtError, ErrorKind};
use jsonwebtoken::signature::{Error as SignatureError, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::error::{Error, Result};
use crate::ids::{SessionId, UserId};

/// How long a token is good, and with it its session.
pub const LIFETIME: Duration = Duration::days(8);

/// How far ahead the clock of whoever issued a token may be: of another node, or this one's before it was put right.
const AHEAD: Duration = Duration::seconds(60);

/// What a link is for that works without signing in: of a mail, or to a download.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkPurpose {
    /// To set a password without knowing the old one.
    Recovery,
    /// To bring back the e-mail address that a person gave up.
    UndoEmailChange,
    /// To join the team of a course: `user` is who invites, the state the invitation.
    Invitation,
    /// To fetch a course that goes out: the state names the session, the course and the format.
    Export,
}

impl LinkPurpose {
    fn claim(self) -> &'static str {
        match self {
            LinkPurpose::Recovery => "recovery",
            LinkPurpose::UndoEmailChange => "undo_email_change",
            LinkPurpose::Invitation => "invitation",
            LinkPurpose::Export => "export",
        }
    }
}

/// What the link of a mail says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub user: UserId,
    /// What must still be so for the link to be good; the purpose says how it is read.
    pub state: String,
}

/// Signs and reads tokens.
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

/// As read: of any purpose.
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
    /// `secret`: the bytes of `KURSO_SECRET_KEY`.
    pub fn new(secret: &[u8]) -> Self {
        static PROVIDER: CryptoProvider = CryptoProvider {
            signer_factory: signer,
            verifier_factory: verifier,
            key_utils: KeyUtils::new_unimplemented(),
        };
        static INSTALL: Once = Once::new();
        INSTALL.call_once(|| {
            // An error would only say that it is installed already.
            let _ = PROVIDER.install_default();
        });
        let mut rules = Validation::new(Algorithm::HS256);
        // Times are checked against the clock passed in, below.
        rules.validate_exp = false;
        rules.required_spec_claims.clear();
        Tokens {
            signing: EncodingKey::from_secret(secret),
            reading: DecodingKey::from_secret(secret),
            rules,
        }
    }

    pub fn issue(&self, user: UserId, session: SessionId, now: DateTime<Utc>) -> Result<String> {
        let claims = Claims {
            exp: (now + LIFETIME).timestamp(),
            iat: now.timestamp(),
            sub: user,
            sid: session,
            purpose: PURPOSE,
        };
        jsonwebtoken::encode(&Header::default(), &claims, &self.signing).map_err(Error::internal)
    }

    /// Whose token it is; [`Error::BadCredentials`] for anything malformed, forged, ended, or of another purpose.
    pub fn read(&self, token: &str, now: DateTime<Utc>) -> Result<(UserId, SessionId)> {
        let claims = self.claims(token, PURPOSE, now).ok_or(Error::BadCredentials)?;
        claims.sub.zip(claims.sid).ok_or(Error::BadCredentials)
    }

    /// The token of a link that is good until `until` at the latest.
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

    /// What a link says; None for anything malformed, forged, ended, or of another purpose.
    pub fn read_link(&self, purpose: LinkPurpose, token: &str, now: DateTime<Utc>) -> Option<Link> {
        let claims = self.claims(token, purpose.claim(), now)?;
        Some(Link {
            user: claims.sub?,
            state: claims.state?,
        })
    }

    /// The claims of a token of ours that is of this purpose and good now.
    fn claims(&self, token: &str, purpose: &str, now: DateTime<Utc>) -> Option<Read> {
        let claims = jsonwebtoken::decode::<Read>(token, &self.reading, &self.rules)
            .ok()?
            .claims;
        let latest = (now + AHEAD).timestamp();
        let started = |at: Option<i64>| at.is_none_or(|at| at <= latest);
        let now = now.timestamp();
        let good = claims.purpose.as_deref() == Some(purpose)
            && claims.exp > now
            && started(claims.iat)
            && started(claims.nbf);
        good.then_some(claims)
    }
}

/// HMAC-SHA-256 for the JWT library: its own providers bring RSA and elliptic curves that no token of ours uses.
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
    fn reads_what_it_issued_until_it_ends() {
        let tokens = Tokens::new(b"0123456789abcdef0123456789abcdef");
        let (user, session) = (UserId::new(), SessionId::new());
        let token = tokens.issue(user, session, now()).unwrap();
        assert_eq!(tokens.read(&token, now()).unwrap(), (user, session));
        let last = now() + LIFETIME - Duration::seconds(1);
        assert!(tokens.read(&token, last).is_ok());
        assert!(tokens.read(&token, now() + LIFETIME).is_err());
        assert!(
            tokens.read(&token, now() - AHEAD).is_ok(),
            "by a clock that is a little ahead"
        );
        assert!(
            tokens.read(&token, now() - AHEAD - Duration::seconds(1)).is_err(),
            "issued in the future"
        );
    }

    #[test]
    fn tokens_of_one_purpose_are_nothing_for_another() {
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
    fn refuses_forged_tokens() {
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
