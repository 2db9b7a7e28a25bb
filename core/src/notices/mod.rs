//! What happened to whom ([decision 117](../../../docs/decisions/0117-notices.md)): notices are recorded in the transaction of what they are
//! about, and each person chooses how to be told ([decision 118](../../../docs/decisions/0118-notice-mails.md)). [`crate::inbox`] shows them, and
//! [`crate::notice_mails`] mails them.
//!
//! A row belongs to one person, one kind and one subject: what happens again renews it. Nobody is told of what they did themselves.

pub mod choices;
mod cleanup;
mod kind;
mod record;
pub(crate) mod schedule;

pub use cleanup::{delete_old, retention};
pub use kind::Kind;
pub(crate) use record::{Notice, Receiver, record, record_new, withdraw, withdraw_from, withdrawn};
pub use schedule::{Hours, NoticeMail};
