//! Addresses of private files and certificates: signed by the server, valid for one to two hours, and not stored anywhere.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Duration, TimeDelta, Utc};
use hmac::Mac as _;
use kurso_base::error::Result;
use kurso_base::signing::{self, Hasher};
use kurso_formats::quiz::{Answer, AnswerFile, FileLocation};

use super::address;

/// Addresses made within one period are equal, so that browsers can cache the files.
const PERIOD: TimeDelta = Duration::hours(1);

/// The key that signs addresses, derived from the server's secret.
#[derive(Clone)]
pub struct FileSigner(Hasher);

impl std::fmt::Debug for FileSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileSigner(…)")
    }
}

/// Makes the addresses of one response.
#[derive(Clone, Debug)]
pub struct FileUrls {
    signer: FileSigner,
    /// The Unix time in seconds at which the addresses expire.
    expires: i64,
}

/// The expiry and the signature of an address.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    pub expires: i64,
    pub signature: &'a str,
}

impl FileSigner {
    pub fn new(secret: &[u8]) -> Result<Self> {
        signing::derived(secret, b"kurso file").map(FileSigner)
    }

    /// Addresses for a response at `now`.
    pub fn urls(&self, now: DateTime<Utc>) -> FileUrls {
        let period = PERIOD.num_seconds();
        FileUrls {
            signer: self.clone(),
            expires: (now.timestamp().div_euclid(period) + 2) * period,
        }
    }

    /// A path of this server with a signature that is valid for one to two hours: `{path}?expires={seconds}&signature={base64url}`.
    pub fn signed_path(&self, path: &str, now: DateTime<Utc>) -> String {
        let expires = self.urls(now).expires;
        // A path begins with `/`, so it is never taken for a key.
        let signature = self.hash(path, "", expires).finalize().into_bytes();
        format!(
            "{path}?expires={expires}&signature={}",
            URL_SAFE_NO_PAD.encode(signature)
        )
    }

    /// Whether the server signed this path, and the signature is still valid.
    pub fn is_path_signed(&self, path: &str, signature: Signature<'_>, now: DateTime<Utc>) -> bool {
        signature.expires > now.timestamp() && self.is_signed(path, "", signature)
    }

    /// Whether the server signed this address. Compares in constant time.
    pub fn is_signed(&self, key: &str, filename: &str, signature: Signature<'_>) -> bool {
        let Ok(sent) = URL_SAFE_NO_PAD.decode(signature.signature) else {
            return false;
        };
        self.hash(key, filename, signature.expires).verify_slice(&sent).is_ok()
    }

    fn hash(&self, key: &str, filename: &str, expires: i64) -> Hasher {
        // The time and the key have fixed lengths, so different addresses never hash the same bytes.
        let hasher = self.0.clone().chain_update(expires.to_be_bytes());
        hasher.chain_update(key).chain_update(filename)
    }
}

impl FileUrls {
    /// The file with an address, under its own name.
    pub fn of(&self, file: AnswerFile) -> AnswerFile {
        let name = file.filename.clone();
        self.renamed(file, name)
    }

    /// The file with an address, under another name.
    pub fn renamed(&self, file: AnswerFile, filename: String) -> AnswerFile {
        let location = match file.location {
            FileLocation::Key(key) => FileLocation::Url(self.url(&key, &filename)),
            url => url,
        };
        AnswerFile {
            filename,
            location,
            ..file
        }
    }

    /// Replaces the keys of the files in answers by addresses.
    pub fn in_answers(&self, answers: &mut [Answer]) {
        for answer in answers {
            self.in_files(answer.given.files_mut());
        }
    }

    /// Replaces the keys of files by addresses.
    pub fn in_files(&self, files: &mut [AnswerFile]) {
        for file in files {
            *file = self.of(file.clone());
        }
    }

    /// Returns `/files/{key}/{filename}?expires={seconds}&signature={base64url}`. `filename` may differ from the stored name.
    fn url(&self, key: &str, filename: &str) -> String {
        let signature = self.signer.hash(key, filename, self.expires).finalize().into_bytes();
        let (path, expires) = (address(key, filename), self.expires);
        format!(
            "{path}?expires={expires}&signature={}",
            URL_SAFE_NO_PAD.encode(signature)
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    fn parts(url: &str) -> (i64, String) {
        let (_, query) = url.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        (expires.parse().unwrap(), signature.to_owned())
    }

    proptest! {
        #[test]
        fn an_address_is_valid_for_one_to_two_hours(seconds in -4_000_000_000_i64..4_000_000_000, name in "[a-zа-я .]{1,9}") {
            let signer = FileSigner::new(&[7; 32]).unwrap();
            let now = DateTime::from_timestamp(seconds, 0).unwrap();
            let (expires, signature) = parts(&signer.urls(now).url(KEY, &name));
            prop_assert!((3600..=7200).contains(&(expires - seconds)));
            let signature = |expires| Signature { expires, signature: &signature };
            prop_assert!(signer.is_signed(KEY, &name, signature(expires)));
            prop_assert!(!signer.is_signed(KEY, &name, signature(expires + 1)));
            let other = format!("{name}x");
            prop_assert!(!signer.is_signed(KEY, &other, signature(expires)));
            prop_assert!(!signer.is_signed("0123456789abcdef0123456789abcdee", &name, signature(expires)));
            prop_assert!(!FileSigner::new(&[8; 32]).unwrap().is_signed(KEY, &name, signature(expires)));
        }
    }

    #[test]
    fn a_path_is_signed_for_a_while_and_for_nothing_else() {
        let signer = FileSigner::new(&[7; 32]).unwrap();
        let now = DateTime::from_timestamp(1_000_000, 0).unwrap();
        let (expires, signature) = parts(&signer.signed_path("/c/1/certificate.pdf", now));
        let signature = Signature {
            expires,
            signature: &signature,
        };
        assert!(signer.is_path_signed("/c/1/certificate.pdf", signature, now));
        assert!(!signer.is_path_signed("/c/2/certificate.pdf", signature, now));
        assert!(!signer.is_path_signed("/c/1/certificate.pdf", signature, now + Duration::hours(3)));
        assert!(!signer.is_signed(KEY, "a", signature));
        let (expires, signature) = parts(&signer.urls(now).url(KEY, ""));
        let of_file = Signature {
            expires,
            signature: &signature,
        };
        assert!(signer.is_signed(KEY, "", of_file) && !signer.is_path_signed("/c/1/certificate.pdf", of_file, now));
    }

    #[test]
    fn damaged_signatures_are_refused() {
        let signer = FileSigner::new(&[7; 32]).unwrap();
        for signature in ["", "00", "x", "ж", &"0".repeat(64), &"0".repeat(1000)] {
            assert!(
                !signer.is_signed(KEY, "a", Signature { expires: 0, signature }),
                "{signature}"
            );
        }
    }
}
