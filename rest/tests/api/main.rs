//! Tests of the REST API over HTTP, on both databases, with the roles of different users.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod answer_key;
mod authoring;
mod bad_input;
mod calendar;
mod courses;
mod dates;
mod files;
mod gradebook;
mod groups;
mod hostile_imports;
mod http;
mod imports;
mod items;
mod learning;
mod locked;
mod login;
mod me;
mod monitoring;
mod openapi;
mod overrides;
mod people;
mod prerequisites;
mod preview;
mod quiz;
mod quiz_schemas;
mod recovery;
mod rights;
mod sessions;
mod students;
mod support;
mod team;
mod uploads;
mod users;
mod walk;
mod writers;
