//! Notice mails: preferences, collecting due notices, rendering, and unsubscribing by link
//! ([decision 118](../../../docs/decisions/0118-notice-mails.md)).

pub mod digest;
pub(crate) mod mail;
pub mod preferences;
pub(crate) mod tellable;
pub(crate) mod texts;
pub mod unsubscribe;
