//! Tests of the GraphQL API over HTTP on both databases, of its schema, and of its parity with REST.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod accounts;
mod announcements;
mod assignments;
mod authoring;
mod avatars;
mod banks;
mod calendar;
mod certificates;
mod comments;
mod content_search;
mod dates;
mod discussions;
mod gradebook;
mod grading;
mod groups;
mod http;
mod items;
mod limits;
mod notes;
mod notice_devices;
mod notice_preferences;
mod notices;
mod overrides;
mod page_drafts;
mod parity;
mod people;
mod persisted;
mod prerequisites;
mod preview;
mod public_pages;
mod quiz;
mod regrades;
mod reread;
mod rights;
mod rubrics;
mod schema;
#[path = "../schema_walk/mod.rs"]
mod schema_walk;
mod snapshots;
mod support;
mod trash;
