//! Open Badges 3.0: credentials of certificates, signed as JWT, and the status lists that revoke them.
//!
//! The standards are [Open Badges 3.0](https://www.imsglobal.org/spec/ob/v3p0/), its
//! [JWT proof](https://www.imsglobal.org/spec/ob/v3p0/#jwt-proof), and
//! [Bitstring Status List 1.0](https://www.w3.org/TR/vc-bitstring-status-list/). Open Badges requires verifiers to know RS256 and permits
//! other algorithms. These badges are signed with ES256, so a verifier that knows only RS256 cannot check them.
//!
//! Addresses that the server has to answer:
//!
//! | address | answer |
//! |---|---|
//! | [`Issuer::id`] | [`issuer`] |
//! | [`Issuer::keys`] | [`jwks`] |
//! | [`Issuer::keys`]`/{key id}` | [`jwk`], at which the `kid` of every JWT points |
//! | [`Achievement::id`] | [`achievement`] |
//! | [`Status::list`] | [`sign_status_list`] |

mod credential;
mod key;
mod status;
#[cfg(test)]
mod tests;
mod token;

pub use credential::{
    Achievement, Badge, Issuer, Recipient, RecipientEmail, Status, achievement, credential, identity_hash, issuer,
};
pub use key::{PublicJwk, SigningKey, jwk, jwks};
pub use status::{STATUS_LIST_LENGTH, StatusList, is_revoked, sign_status_list, status_list};
pub use token::{sign, verify};
