//! Start tickets: proof that this server started an attempt of a learner.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac as _;
use kurso_base::error::Result;
use kurso_base::ids::{AttemptId, UserId};
use kurso_base::signing::{self, Hasher};
use uuid::Uuid;

/// Bytes of an id.
const ID: usize = 16;

/// Signs start tickets.
#[derive(Clone)]
pub struct TicketSigner(Hasher);

impl std::fmt::Debug for TicketSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TicketSigner(…)")
    }
}

impl TicketSigner {
    pub fn new(secret: &[u8]) -> Result<Self> {
        signing::derived(secret, b"kurso start ticket").map(TicketSigner)
    }

    /// A signed ticket with the id of the attempt, valid for one learner.
    pub(super) fn ticket(&self, attempt: AttemptId, learner: UserId) -> String {
        let mut bytes = attempt.0.as_bytes().to_vec();
        bytes.extend(self.hash(attempt, learner).finalize().into_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The attempt of a ticket; None unless this server gave it to the learner. Compares in constant time.
    pub(super) fn attempt(&self, ticket: &str, learner: UserId) -> Option<AttemptId> {
        let bytes = URL_SAFE_NO_PAD.decode(ticket).ok()?;
        let (id, signature) = bytes.split_at_checked(ID)?;
        let attempt = AttemptId(Uuid::from_slice(id).ok()?);
        let is_signed = self.hash(attempt, learner).verify_slice(signature).is_ok();
        is_signed.then_some(attempt)
    }

    fn hash(&self, attempt: AttemptId, learner: UserId) -> Hasher {
        let hasher = self.0.clone();
        hasher
            .chain_update(attempt.0.as_bytes())
            .chain_update(learner.0.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_valid_for_its_learner_alone() {
        let signer = TicketSigner::new(&[7; 32]).unwrap();
        let (attempt, learner) = (AttemptId::new(), UserId::new());
        let ticket = signer.ticket(attempt, learner);
        assert_eq!(signer.attempt(&ticket, learner), Some(attempt));
        assert_eq!(signer.attempt(&ticket, UserId::new()), None);
        assert_eq!(TicketSigner::new(&[8; 32]).unwrap().attempt(&ticket, learner), None);
    }

    #[test]
    fn a_changed_ticket_is_refused() {
        let signer = TicketSigner::new(&[7; 32]).unwrap();
        let (attempt, learner) = (AttemptId::new(), UserId::new());
        let ticket = signer.ticket(attempt, learner);
        let bytes = URL_SAFE_NO_PAD.decode(&ticket).unwrap();
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            assert_eq!(
                signer.attempt(&URL_SAFE_NO_PAD.encode(forged), learner),
                None,
                "byte {at}"
            );
        }
        for text in ["", "AAAA", "ы", &ticket[1..]] {
            assert_eq!(signer.attempt(text, learner), None, "{text}");
        }
    }
}
