//! Mails about notices: what people choose, when their due notices become a mail, its text, and unsubscribing by its links
//! ([decision 118](../../../docs/decisions/0118-notice-mails.md)).

pub mod digest;
pub(crate) mod mail;
pub mod preferences;
pub mod unsubscribe;
mod words;
