//! Credentials as JWT (ES256): the credential is the payload, and the registered claims repeat some of its members.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use chrono::DateTime;
use serde_json::{Value, json};

use super::credential::{Badge, credential, insert};
use super::key::{PublicJwk, SigningKey, address};
use crate::Error;

/// The claims that a JWT adds to its credential.
const CLAIMS: [&str; 5] = ["iss", "jti", "sub", "nbf", "exp"];

/// Signs a badge: a compact JWS, media type `application/vc+jwt`.
///
/// # Errors
/// [`Error::StatusIndex`] if the number in the status list is too large.
pub fn sign(badge: &Badge, key: &SigningKey) -> Result<String, Error> {
    if badge.status.index >= super::STATUS_LIST_LENGTH {
        return Err(Error::StatusIndex(badge.status.index));
    }
    // Open Badges allows no other type than this one, and no further headers.
    encode(credential(badge), "JWT", &badge.issuer.keys, key)
}

/// Verifies a JWT of a badge or of a status list: that one of the keys signed it and that its claims repeat its credential. Returns the
/// credential without the claims. Dates and revocation are not checked: see `validFrom`, `validUntil` and [`super::is_revoked`].
///
/// # Errors
/// [`Error::Token`] if it is not such a JWT, [`Error::UnknownKey`], [`Error::Signature`].
pub fn verify(jwt: &str, keys: &[PublicJwk]) -> Result<Value, Error> {
    let (signed, signature) = jwt.rsplit_once('.').ok_or(Error::Token("no signature"))?;
    let (header, payload) = signed.split_once('.').ok_or(Error::Token("no payload"))?;
    let header = decode(header)?;
    let member = |name| header.get(name).and_then(Value::as_str);
    if member("alg") != Some("ES256") {
        return Err(Error::Token("the algorithm is not ES256"));
    }
    let kid = member("kid").ok_or(Error::Token("no key id"))?;
    let id = kid.rsplit(['/', '#']).next().unwrap_or(kid);
    let key = keys.iter().find(|key| key.id() == id).ok_or(Error::UnknownKey)?;
    let signature = BASE64.decode(signature).map_err(|_| Error::Token("not base64url"))?;
    key.verify(signed, &signature)?;

    let mut credential = decode(payload)?;
    let claims = claims(&credential)?;
    let Value::Object(members) = &mut credential else {
        return Err(Error::Token("not an object"));
    };
    for name in CLAIMS {
        if members.remove(name) != claims.get(name).cloned() {
            return Err(Error::Token("the claims differ from the credential"));
        }
    }
    Ok(credential)
}

/// A credential as signed JWT. `keys` is [`super::Issuer::keys`].
pub(super) fn encode(mut credential: Value, kind: &str, keys: &str, key: &SigningKey) -> Result<String, Error> {
    let claims = claims(&credential)?;
    for name in CLAIMS {
        if let Some(value) = claims.get(name) {
            insert(&mut credential, name, value.clone());
        }
    }
    let header = json!({ "alg": "ES256", "kid": address(keys, key.id()), "typ": kind });
    let signed = format!(
        "{}.{}",
        BASE64.encode(header.to_string()),
        BASE64.encode(credential.to_string())
    );
    let signature = BASE64.encode(key.sign(&signed));
    Ok(format!("{signed}.{signature}"))
}

/// The claims that belong to a credential.
fn claims(credential: &Value) -> Result<Value, Error> {
    let text = |path| credential.pointer(path).and_then(Value::as_str);
    let seconds = |path| {
        let time = DateTime::parse_from_rfc3339(text(path)?).ok()?;
        Some(time.timestamp())
    };
    let issuer = text("/issuer").or_else(|| text("/issuer/id"));
    let mut claims = json!({
        "iss": issuer.ok_or(Error::Token("no issuer"))?,
        "jti": text("/id").ok_or(Error::Token("no id"))?,
        "sub": text("/credentialSubject/id").ok_or(Error::Token("no subject"))?,
        "nbf": seconds("/validFrom").ok_or(Error::Token("no time"))?,
    });
    if credential.get("validUntil").is_some() {
        let until = seconds("/validUntil").ok_or(Error::Token("not a time"))?;
        insert(&mut claims, "exp", until.into());
    }
    Ok(claims)
}

fn decode(part: &str) -> Result<Value, Error> {
    let bytes = BASE64.decode(part).map_err(|_| Error::Token("not base64url"))?;
    serde_json::from_slice(&bytes).map_err(|_| Error::Token("not JSON"))
}
