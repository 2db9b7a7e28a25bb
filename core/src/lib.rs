//! The product's core: access rights, courses, learning, quizzes, files, imports, mail, and all SQL statements; no
//! HTTP. The APIs (`rest`, `graphql`) call its functions with a [`Kurso`] and usually an [`access::Viewer`].

pub mod access;
pub mod announcements;
pub mod assessments;
pub mod attempts;
pub mod audit;
pub mod auth;
pub mod backup;
pub mod banks;
mod batching;
pub mod calendar;
mod capture;
pub mod certificates;
pub mod check;
pub mod comments;
pub mod content_search;
pub mod courses;
mod deletion;
pub mod discussions;
pub mod drafts;
mod draws;
pub mod exports;
pub mod files;
pub mod finding;
pub mod gradebook;
pub mod guests;
pub mod health;
pub mod imports;
pub mod inbox;
pub mod items;
pub mod jobs;
pub mod learning;
pub mod mail;
pub mod mailer;
pub mod metrics;
pub mod notes;
pub mod notice_mails;
pub mod notices;
pub mod preview;
pub mod public_page;
pub mod push;
pub mod regrades;
mod scan;
pub mod schedule;
pub mod search_index;
pub mod snapshots;
pub mod students;
pub mod subscriptions;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trash;
pub mod users;

use announcements::Publishing;
use attempts::running::TicketSigner;
use auth::limits::Limits;
use auth::passwords::Passwords;
use auth::tokens::Tokens;
use certificates::Certificates;
use courses::CoursesByToken;
use courses::quota::ContentQuota;
use courses::tree::Trees;
use exports::Exports;
use files::{FileLimits, FileSigner, FileStore, FileUrls, Uploads};
use jobs::{Handlers, Jobs};
use kurso_base::clock::Clock;
use kurso_base::error::{Error, Result};
use kurso_db::Db;
use kurso_formats::quiz::QuizKey;
use learning::Visits;
use mail::Mail;
use metrics::Metrics;
use push::{Hosts, Push};
use subscriptions::WatchQueue;

/// The services that core functions work with, one instance per process.
#[derive(Debug)]
pub struct Kurso {
    pub db: Db,
    pub files: FileStore,
    pub uploads: Uploads,
    pub content: ContentQuota,
    pub mail: Mail,
    pub clock: Clock,
    pub passwords: Passwords,
    pub tokens: Tokens,
    pub limits: Limits,
    pub trees: Trees,
    pub quiz_key: QuizKey,
    pub file_signer: FileSigner,
    pub tickets: TicketSigner,
    pub visits: Visits,
    pub courses_by_token: CoursesByToken,
    pub metrics: Metrics,
    pub jobs: Jobs,
    pub exports: Exports,
    pub announcements: Publishing,
    pub watch_queue: WatchQueue,
    pub push: Push,
    pub certificates: Certificates,
}

impl Kurso {
    /// Fails if `secret`, the key of all tokens, has less than 32 bytes.
    pub fn new(db: Db, files: FileStore, mail: Mail, clock: Clock, secret: &[u8], rate_limit: bool) -> Result<Self> {
        if secret.len() < 32 {
            return Err(Error::internal("the secret key is shorter than 32 bytes"));
        }
        let push = Push::new(secret)?;
        let jobs = Jobs::new(Handlers { import: imports::run });
        let metrics = Metrics::new(db.metrics(), mail.metrics(), push.metrics(), &jobs.metrics, clock.now());
        Ok(Kurso {
            metrics,
            db,
            files,
            uploads: Uploads::new(FileLimits::default()),
            content: ContentQuota::default(),
            mail,
            clock,
            passwords: Passwords::default(),
            tokens: Tokens::new(secret),
            limits: Limits::new(rate_limit),
            trees: Trees::default(),
            quiz_key: QuizKey::new(secret)?,
            file_signer: FileSigner::new(secret)?,
            tickets: TicketSigner::new(secret)?,
            visits: Visits::default(),
            courses_by_token: CoursesByToken::default(),
            jobs,
            exports: Exports::default(),
            announcements: Publishing::default(),
            watch_queue: WatchQueue::default(),
            push,
            certificates: Certificates::new(secret)?,
        })
    }
    /// Makes the addresses of private files in a response.
    pub fn file_urls(&self) -> FileUrls {
        self.file_signer.urls(self.clock.now())
    }

    /// Replaces the default quota of stored content, in bytes.
    pub fn with_content_quota(mut self, bytes: u64) -> Self {
        self.content = ContentQuota::new(bytes);
        self
    }

    /// Replaces the allowed push services.
    pub fn with_push_hosts(mut self, hosts: Hosts) -> Self {
        self.push.set_hosts(hosts);
        self
    }

    /// Replaces the pool of password hashes.
    #[cfg(feature = "testing")]
    pub fn with_passwords(mut self, passwords: Passwords) -> Self {
        self.passwords = passwords;
        self
    }

    /// Replaces the default limits on files.
    pub fn with_file_limits(mut self, limits: FileLimits) -> Self {
        self.uploads = Uploads::new(limits);
        self
    }
}
