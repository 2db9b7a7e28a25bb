//! Encrypts a push for a browser (RFC 8291), so that the push service cannot read it: `aes128gcm` (RFC 8188) in one record.

use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes128Gcm, KeyInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hkdf::Hkdf;
use kurso_base::error::{Error, Result};
use kurso_base::random;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;

/// The size of a record, and the largest body that push services must accept.
const RECORD: u32 = 4096;
/// The largest message: the record without the header, the delimiter and the tag.
pub(super) const MAX_MESSAGE: usize = RECORD as usize - 86 - 1 - 16;

/// The keys of a browser.
#[derive(Clone, Debug)]
pub(super) struct BrowserKeys {
    public: PublicKey,
    auth: [u8; 16],
}

/// Which key of a browser is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadKey {
    P256dh,
    Auth,
}

impl BrowserKeys {
    /// Reads the keys, in base64url with or without padding.
    pub fn read(p256dh: &str, auth: &str) -> std::result::Result<Self, BadKey> {
        let bytes = |text: &str| BASE64.decode(text.trim_end_matches('=')).ok();
        let public = bytes(p256dh).filter(|bytes| bytes.len() == 65);
        let public = public.and_then(|bytes| PublicKey::from_sec1_bytes(&bytes).ok());
        let auth = bytes(auth).and_then(|bytes| bytes.try_into().ok());
        Ok(BrowserKeys {
            public: public.ok_or(BadKey::P256dh)?,
            auth: auth.ok_or(BadKey::Auth)?,
        })
    }
}

/// Encrypts a message of at most [`MAX_MESSAGE`] bytes with a new key.
pub(super) fn encrypt(message: &[u8], browser: &BrowserKeys) -> Result<Vec<u8>> {
    // Of 2^32 numbers one is no private key.
    let key = (0..8).find_map(|_| SecretKey::from_slice(&random::private_key()).ok());
    let key = key.ok_or_else(|| Error::internal("no random number is a private key"))?;
    encrypt_with(message, browser, &key, random::salt())
}

fn encrypt_with(message: &[u8], browser: &BrowserKeys, key: &SecretKey, salt: [u8; 16]) -> Result<Vec<u8>> {
    if message.len() > MAX_MESSAGE {
        return Err(Error::internal("the message of a push is too long"));
    }
    let (own, theirs) = (key.public_key().to_sec1_bytes(), browser.public.to_sec1_bytes());
    let shared = key.diffie_hellman(&browser.public);
    let derived = |salt: &[u8], from: &[u8], info: &[&[u8]], to: &mut [u8]| {
        let expanded = Hkdf::<Sha256>::new(Some(salt), from).expand_multi_info(info, to);
        expanded.map_err(|_| Error::internal("a key of a push is too long"))
    };
    let mut secret = [0; 32];
    let info: [&[u8]; 3] = [b"WebPush: info\0", &theirs, &own];
    derived(&browser.auth, shared.raw_secret_bytes(), &info, &mut secret)?;
    let (mut content_key, mut nonce) = ([0; 16], [0; 12]);
    derived(&salt, &secret, &[b"Content-Encoding: aes128gcm\0"], &mut content_key)?;
    derived(&salt, &secret, &[b"Content-Encoding: nonce\0"], &mut nonce)?;
    // The delimiter of the last record.
    let padded = [message, &[2]].concat();
    let cipher = Aes128Gcm::new(&content_key.into());
    let encrypted = cipher.encrypt(&nonce.into(), padded.as_slice());
    let encrypted = encrypted.map_err(|_| Error::internal("a push cannot be encrypted"))?;
    let own_length = u8::try_from(own.len()).map_err(Error::internal)?;
    Ok([&salt[..], &RECORD.to_be_bytes(), &[own_length], &own, &encrypted].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64.decode(text).unwrap()
    }

    /// Appendix A of RFC 8291.
    #[test]
    fn the_example_of_the_standard_is_reproduced() {
        let browser = BrowserKeys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg==",
        );
        let key = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).unwrap();
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let message = b"When I grow up, I want to be a watermelon";
        let encrypted = encrypt_with(message, &browser.unwrap(), &key, salt).unwrap();
        assert_eq!(
            BASE64.encode(encrypted),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn the_largest_message_fits_and_a_larger_one_is_refused() {
        let browser = BrowserKeys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        );
        let browser = browser.unwrap();
        let encrypted = encrypt(&[b'x'; MAX_MESSAGE], &browser).unwrap();
        assert_eq!(encrypted.len(), RECORD as usize);
        assert!(encrypt(&[b'x'; MAX_MESSAGE + 1], &browser).is_err());
    }

    #[test]
    fn invalid_keys_are_refused() {
        let good = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let off_the_curve = BASE64.encode([&[4; 1][..], &[1; 64]].concat());
        let compressed = BASE64.encode([2; 33]);
        for bad in ["", "AA", "not base64!", &off_the_curve, &compressed] {
            let refused = BrowserKeys::read(bad, "BTBZMqHH6r4Tts7J_aSIgg").unwrap_err();
            assert_eq!(refused, BadKey::P256dh, "{bad}");
        }
        for bad in ["", "AA", "BTBZMqHH6r4Tts7J_aSIggAA"] {
            assert_eq!(BrowserKeys::read(good, bad).unwrap_err(), BadKey::Auth, "{bad}");
        }
    }
}
