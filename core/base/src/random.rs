//! Randomness from the operating system; the only module that uses it.
#![expect(clippy::disallowed_methods, reason = "this is the one place")]

/// 128 random bits as 32 hexadecimal digits: the key in a file's address.
pub fn key() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// A UUID of version 4: 122 random bits.
pub fn unguessable_id() -> uuid::Uuid {
    uuid::Builder::from_random_bytes(rand::random()).into_uuid()
}

/// The nonce of an encrypted text.
pub fn nonce() -> [u8; 12] {
    rand::random()
}

/// The salt of a password hash.
pub fn salt() -> [u8; 16] {
    rand::random()
}

/// The bytes of a private key.
pub fn private_key() -> [u8; 32] {
    rand::random()
}

/// 64 random bits.
pub fn bits() -> u64 {
    rand::random()
}

/// 256 random bits as 64 hexadecimal digits: the secret key of a server, or the secret of an address.
pub fn secret() -> String {
    key() + &key()
}
