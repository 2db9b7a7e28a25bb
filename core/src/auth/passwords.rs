//! Password hashing with argon2id (m=19456, t=2, p=1) in a bounded pool outside the async threads. Imported accounts
//! may have bcrypt hashes, which are replaced at the next login.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use tokio::sync::Semaphore;

use kurso_base::error::{Error, Result};
use kurso_base::ids::UserId;
use kurso_db::{Tx, sql};

const LANES: u32 = 1;

/// A higher cost takes four seconds or more; such a hash counts as unreadable.
const MAX_BCRYPT_COST: u32 = 15;

/// Maximum concurrent hashes (19 MiB each), and at most half of the processors, so that many logins leave capacity for
/// other requests.
const MAX_CONCURRENT: usize = 4;
/// Maximum hashes waiting; further ones fail with [`Error::Busy`].
const MAX_WAITING: usize = 200;

/// Verified when there is no user, so that an unknown address takes as long as a known one. It is the hash of 32 random
/// bytes. It is a constant because computing it at startup would keep 19 MiB in the process.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$2N+x1fFAT+d6nHD5KkRhVQ$7gT6J03EDU+nzWCE3WFCO+zt9mr9PfzS+DSbFwpvXEc";

/// The pool of hashing threads.
#[derive(Clone, Debug)]
pub struct Passwords {
    running: Arc<Semaphore>,
    admitted: Arc<Semaphore>,
    cost: Cost,
}

/// The parameters of new hashes. Hashes with other parameters verify as outdated.
#[derive(Clone, Copy, Debug)]
struct Cost {
    memory_kib: u32,
    passes: u32,
}

const COST: Cost = Cost {
    memory_kib: 19_456,
    passes: 2,
};

/// The result of a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Wrong,
    Right,
    /// Correct, but hashed with other parameters: hash it again.
    RightButOutdated,
}

impl Default for Passwords {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, NonZero::get);
        Passwords {
            running: Arc::new(Semaphore::new((processors / 2).clamp(1, MAX_CONCURRENT))),
            admitted: Arc::new(Semaphore::new(MAX_WAITING)),
            cost: COST,
        }
    }
}

impl Passwords {
    /// Uses minimal parameters, for tests only: the default ones took a third of the time of all tests.
    #[cfg(feature = "testing")]
    pub fn weak() -> Self {
        Passwords {
            cost: Cost {
                memory_kib: 8,
                passes: 1,
            },
            ..Passwords::default()
        }
    }

    pub async fn hash(&self, password: String) -> Result<String> {
        let cost = self.cost;
        self.run(move || cost.hash(&password)).await?
    }

    /// Verifies `password` against a stored hash. Without a hash it takes as long and returns `Wrong`.
    pub async fn verify(&self, password: String, stored: Option<String>) -> Result<Verdict> {
        let known = stored.is_some();
        let cost = self.cost;
        let stored = stored.unwrap_or_else(|| DECOY.to_owned());
        let verdict = self.run(move || cost.verify(&password, &stored)).await?;
        Ok(if known { verdict } else { Verdict::Wrong })
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let _admitted = self.admitted.try_acquire().map_err(|_| Error::Busy)?;
        let permit = self.running.clone().acquire_owned().await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(move || {
            let _permit = permit; // held until the hash is done, even if the request was cancelled
            work()
        })
        .await
        .map_err(Error::internal)
    }
}

impl Cost {
    fn hash(self, password: &str) -> Result<String> {
        let parameters = Params::new(self.memory_kib, self.passes, LANES, None);
        let parameters = parameters.map_err(|e| Error::internal(e.to_string()))?;
        let salt = kurso_base::random::salt();
        let hash: PasswordHash = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
            .hash_password_with_salt(password.as_bytes(), &salt)
            .map_err(|e| Error::internal(e.to_string()))?;
        Ok(hash.to_string())
    }

    /// An unreadable hash counts as wrong; it must not cause an error.
    fn verify(self, password: &str, stored: &str) -> Verdict {
        if is_bcrypt(stored) {
            return verify_bcrypt(password, stored);
        }
        let Ok(parsed) = PasswordHash::new(stored) else {
            return Verdict::Wrong;
        };
        if Argon2::default().verify_password(password.as_bytes(), &parsed).is_err() {
            return Verdict::Wrong;
        }
        let current = format!("$argon2id$v=19$m={},t={},p={LANES}$", self.memory_kib, self.passes);
        if stored.starts_with(&current) {
            Verdict::Right
        } else {
            Verdict::RightButOutdated
        }
    }
}

/// `$2a$`, `$2b$` and `$2y$` are equivalent except for bugs of old libraries; `$2x$` marks hashes of such a bug.
fn is_bcrypt(stored: &str) -> bool {
    ["$2a$", "$2b$", "$2y$"].iter().any(|kind| stored.starts_with(kind))
}

/// bcrypt used only the first 72 bytes of the password, so only these are compared.
fn verify_bcrypt(password: &str, stored: &str) -> Verdict {
    let cost = stored.get(4..6).and_then(|cost| cost.parse::<u32>().ok());
    if cost.is_none_or(|cost| cost > MAX_BCRYPT_COST) {
        return Verdict::Wrong;
    }
    match bcrypt::verify(password, stored) {
        Ok(true) => Verdict::RightButOutdated,
        Ok(false) | Err(_) => Verdict::Wrong,
    }
}

/// Replaces the hash `old`. Returns false when the account has another hash by now, or is inactive. Locks the account
/// until the transaction ends.
pub(crate) async fn replace_hash(tx: &mut Tx, id: UserId, old: &str, new: &str) -> kurso_db::Result<bool> {
    let changed = sql!(
        "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2 AND is_active",
        id,
        old,
        new
    )
    .execute(tx)
    .await?;
    Ok(changed == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_verifies_its_password() {
        let passwords = Passwords::default();
        let stored = passwords.hash("пароль из букв".into()).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let check = async |password: &str, stored: Option<&str>| {
            passwords.verify(password.into(), stored.map(Into::into)).await.unwrap()
        };
        assert_eq!(check("пароль из букв", Some(&stored)).await, Verdict::Right);
        assert_eq!(check("пароль", Some(&stored)).await, Verdict::Wrong);
        assert_eq!(check("пароль из букв", None).await, Verdict::Wrong);
        assert_eq!(check("x", Some("$unknown$kind")).await, Verdict::Wrong);
    }

    #[test]
    fn the_decoy_has_the_current_parameters() {
        let strength = |hash: &str| hash.rsplitn(3, '$').last().map(str::to_owned);
        assert_eq!(strength(DECOY), strength(&COST.hash("any").unwrap()));
        assert!(PasswordHash::new(DECOY).is_ok());
    }

    #[tokio::test]
    async fn hashes_with_other_parameters_verify_as_outdated() {
        let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(8, 1, 1, None).unwrap());
        let stored: PasswordHash = weak.hash_password_with_salt(b"secret-1", b"0123456789abcdef").unwrap();
        let passwords = Passwords::default();
        let verdict = passwords
            .verify("secret-1".into(), Some(stored.to_string()))
            .await
            .unwrap();
        assert_eq!(verdict, Verdict::RightButOutdated);
    }

    #[test]
    fn bcrypt_hashes_verify_as_outdated() {
        // perl -e 'print crypt("secret-1", q($2y$04$abcdefghijklmnopqrstuu))', and so on
        let salted = |kind: &str, hash: &str| format!("${kind}$04$abcdefghijklmnopqrstuu{hash}");
        let secret = "gZ4cCtXYvT3AWc2gHnp4bhaIZgm6TGC";
        for (password, stored, verdict) in [
            ("secret-1", salted("2y", secret), Verdict::RightButOutdated),
            ("secret-1", salted("2b", secret), Verdict::RightButOutdated),
            ("secret-2", salted("2y", secret), Verdict::Wrong),
            ("secret-1", salted("2x", secret), Verdict::Wrong),
            ("secret-1", salted("2b", "short"), Verdict::Wrong),
            ("secret-1", salted("2y", secret).replace("$04$", "$31$"), Verdict::Wrong),
            (
                "пароль из прежней системы",
                "$2b$10$abcdefghijklmnopqrstuuzIl/axAZivwhMdqYJ1ROS.TWwm/GYou".to_owned(),
                Verdict::RightButOutdated,
            ),
            (
                "x".repeat(100).as_str(),
                salted("2a", "bzadhGtS2zEF.gu0yd0opP6cVzb.e0i"),
                Verdict::RightButOutdated,
            ),
        ] {
            assert_eq!(COST.verify(password, &stored), verdict, "{stored}");
        }
    }
}
