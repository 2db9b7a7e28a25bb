//! Keyed hashes.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::error::{Error, Result};

pub type Hasher = Hmac<Sha256>;

/// A hasher with a key of its own for one purpose, derived from the server's secret: the secret itself signs tokens.
pub fn derived(secret: &[u8], purpose: &[u8]) -> Result<Hasher> {
    let hasher = |key: &[u8]| Hasher::new_from_slice(key).map_err(Error::internal);
    let own = hasher(secret)?.chain_update(purpose).finalize().into_bytes();
    hasher(&own)
}
