//! The keys of this server that sign badges. A private key is stored encrypted, so that it travels with backups and moves and is useless
//! without the secret of the server. With another secret a new key is made, and the old ones go on verifying what they have signed.

use aes_gcm::aead::{Aead as _, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use kurso_base::error::{Error, Result};
use kurso_base::random;
use kurso_certificate::badge::{PublicJwk, SigningKey};
use kurso_db::sql;

use crate::Kurso;

/// The bytes of a nonce, which precede the encrypted key.
const NONCE: usize = 12;

/// Attempts to make a key, while other nodes do the same.
const ATTEMPTS: usize = 5;

#[derive(sqlx::FromRow)]
struct Row {
    number: i64,
    id: String,
    sealed: Vec<u8>,
}

/// The key that signs now: the newest one that the secret of this server opens. Without one, a new key is made; of several nodes that do so at the
/// same time, all use the same.
pub(super) async fn current(kurso: &Kurso) -> Result<SigningKey> {
    for _ in 0..ATTEMPTS {
        let rows = sql!("SELECT number, id, sealed FROM signing_keys ORDER BY number DESC");
        let rows = rows.fetch_all::<Row>(&kurso.db).await?;
        if let Some(key) = rows.iter().find_map(|row| opened(kurso, row)) {
            return Ok(key);
        }
        let number = rows.first().map_or(1, |row| row.number + 1);
        let Some((bytes, key)) = made() else { continue };
        let insert = sql!(
            "INSERT INTO signing_keys (number, id, public_jwk, sealed, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
            number,
            key.id().to_owned(),
            serde_json::to_string(key.public()).map_err(Error::internal)?,
            sealed(kurso, key.id(), &bytes)?,
            kurso.clock.now()
        );
        if insert.execute(&kurso.db).await? == 1 {
            return Ok(key);
        }
    }
    Err(Error::Busy)
}

/// All keys, which verify what they have signed, the newest first.
pub(super) async fn public(kurso: &Kurso) -> Result<Vec<PublicJwk>> {
    let rows = sql!("SELECT public_jwk FROM signing_keys ORDER BY number DESC");
    let rows = rows.fetch_all::<(String,)>(&kurso.db).await?;
    let keys = rows
        .into_iter()
        .map(|(json,)| PublicJwk::from_json(&json).map_err(Error::internal));
    keys.collect()
}

/// Random bytes that are a private key: almost all are.
fn made() -> Option<([u8; 32], SigningKey)> {
    let bytes = random::private_key();
    let key = SigningKey::from_bytes(&bytes).ok()?;
    Some((bytes, key))
}

fn sealed(kurso: &Kurso, id: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let nonce = random::nonce();
    let text = Payload {
        msg: bytes,
        aad: id.as_bytes(),
    };
    let cipher = Aes256Gcm::new(&kurso.certificates.seal.into());
    let encrypted = cipher.encrypt(&Nonce::from(nonce), text);
    let encrypted = encrypted.map_err(|_| Error::internal("a key cannot be encrypted"))?;
    Ok([&nonce[..], &encrypted].concat())
}

/// None if another secret has sealed it.
fn opened(kurso: &Kurso, row: &Row) -> Option<SigningKey> {
    let (nonce, encrypted) = row.sealed.split_at_checked(NONCE)?;
    let nonce: [u8; NONCE] = nonce.try_into().ok()?;
    let text = Payload {
        msg: encrypted,
        aad: row.id.as_bytes(),
    };
    let cipher = Aes256Gcm::new(&kurso.certificates.seal.into());
    let bytes = cipher.decrypt(&Nonce::from(nonce), text).ok()?;
    SigningKey::from_bytes(&bytes).ok().filter(|key| key.id() == row.id)
}
