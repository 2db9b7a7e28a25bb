//! Status lists: one bit for each badge, set when it is revoked.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use chrono::{DateTime, Utc};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::credential::{Issuer, insert, time};
use super::key::SigningKey;
use super::token::encode;
use crate::Error;

/// How many badges one list has, revoked or not: the smallest length that the standard allows, so that a request for a list does not
/// tell which badge is being checked.
pub const STATUS_LIST_LENGTH: u32 = 131_072;

/// What a status list says beside its bits.
#[derive(Clone, Debug)]
pub struct StatusList {
    /// The address of the list, as in [`super::Status::list`].
    pub id: String,
    pub issuer: Issuer,
    pub valid_from: DateTime<Utc>,
    /// When verifiers have to fetch the list anew.
    pub valid_until: Option<DateTime<Utc>>,
}

/// The credential of a status list, unsigned: a `BitstringStatusListCredential` for revocation.
///
/// # Errors
/// [`Error::StatusIndex`] for a number that is not below [`STATUS_LIST_LENGTH`].
pub fn status_list(list: &StatusList, revoked: impl IntoIterator<Item = u32>) -> Result<Value, Error> {
    let mut bits = vec![0u8; STATUS_LIST_LENGTH as usize / 8];
    for index in revoked {
        let byte = bits.get_mut(index as usize / 8).ok_or(Error::StatusIndex(index))?;
        // The first number is the leftmost bit.
        *byte |= 0x80 >> (index % 8);
    }
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    let packed = gzip
        .write_all(&bits)
        .and_then(|()| gzip.finish())
        .map_err(|_| Error::StatusList)?;
    let mut credential = json!({
        "@context": ["https://www.w3.org/ns/credentials/v2"],
        "id": list.id,
        "type": ["VerifiableCredential", "BitstringStatusListCredential"],
        "issuer": list.issuer.id,
        "validFrom": time(list.valid_from),
        "credentialSubject": {
            "id": format!("{}#list", list.id),
            "type": "BitstringStatusList",
            "statusPurpose": "revocation",
            // `u` is the multibase prefix of base64url.
            "encodedList": format!("u{}", BASE64.encode(packed)),
        },
    });
    if let Some(until) = list.valid_until {
        insert(&mut credential, "validUntil", time(until).into());
    }
    Ok(credential)
}

/// Signs a status list: a compact JWS, media type `application/vc+jwt`.
///
/// # Errors
/// As [`status_list`].
pub fn sign_status_list(
    list: &StatusList,
    revoked: impl IntoIterator<Item = u32>,
    key: &SigningKey,
) -> Result<String, Error> {
    encode(status_list(list, revoked)?, "vc+jwt", &list.issuer.keys, key)
}

/// Whether a [verified](super::verify) status list says that a badge is revoked.
///
/// # Errors
/// [`Error::StatusList`] if it is no status list, [`Error::StatusIndex`] if it has no such number.
pub fn is_revoked(list: &Value, index: u32) -> Result<bool, Error> {
    let packed = list
        .pointer("/credentialSubject/encodedList")
        .and_then(Value::as_str)
        .and_then(|text| text.strip_prefix('u'));
    let packed = packed
        .and_then(|text| BASE64.decode(text).ok())
        .ok_or(Error::StatusList)?;
    let mut bits = Vec::new();
    let unpacked = GzDecoder::new(packed.as_slice())
        .take(u64::from(STATUS_LIST_LENGTH) / 8)
        .read_to_end(&mut bits);
    unpacked.map_err(|_| Error::StatusList)?;
    let byte = bits.get(index as usize / 8).ok_or(Error::StatusIndex(index))?;
    Ok(byte & (0x80 >> (index % 8)) != 0)
}
