//! Notices ([decision 117](../../../docs/decisions/0117-notices.md)): each is recorded in the transaction of its event, and delivered as its recipient
//! has chosen ([decision 118](../../../docs/decisions/0118-notice-mails.md)). [`crate::inbox`] lists them, and [`crate::notice_mails`] mails them.
//!
//! A row belongs to one person, one kind and one subject; a repeated event renews it. Nobody is notified of their own actions.

pub mod choices;
mod cleanup;
mod kind;
mod record;
pub(crate) mod schedule;

pub use cleanup::{delete_old, retention};
pub use kind::Kind;
pub(crate) use record::{Notice, Receiver, record, record_new, withdraw, withdraw_from, withdrawn};
pub use schedule::{Hours, NoticeMail};
