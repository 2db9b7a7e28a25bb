//! The base of all Kurso crates: ids, clock, randomness, languages and messages, errors, mail addresses, pagination and
//! wire formats. It has no database and no async runtime; the feature `sqlx` adds the trait implementations that sqlx
//! needs for these types, because Rust allows them only in the crate of the type.

pub mod clock;
pub mod dates_entries;
pub mod email;
pub mod entries;
pub mod error;
pub mod expected_dates;
pub mod hex;
pub mod ids;
pub mod messages;
pub mod page_draft_entries;
pub mod pagination;
pub mod random;
pub mod schedule;
pub mod search;
pub mod signing;
pub mod sort;
pub mod text;
pub mod values;
pub mod wire;
