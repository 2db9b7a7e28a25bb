//! Kurso's core: every rule, right, message and SQL statement of the product, and no HTTP.
//! The faces (`rest`, `graphql`) call its functions with a [`Kurso`] and, mostly, a [`access::Viewer`].

pub mod access;
pub mod audit;
pub mod auth;
pub mod check;
pub mod clock;
pub mod content;
pub mod copies;
pub mod courses;
pub mod db;
pub mod email;
pub mod error;
pub mod events;
pub mod exchange;
pub mod exports;
pub mod files;
pub mod health;
pub mod ids;
pub mod imports;
pub mod input;
pub mod items;
pub mod jobs;
pub mod learning;
pub mod mail;
pub mod messages;
pub mod page;
pub mod quiz;
pub mod random;
pub mod search;
pub mod signals;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod together;
pub mod users;
pub mod wire;

use auth::limits::Limits;
use auth::passwords::Passwords;
use auth::tokens::Tokens;
use clock::Clock;
use courses::AskedCourses;
use courses::tree::Trees;
use db::Db;
use error::{Error, Result};
use exports::Exports;
use files::{FileStore, Rules, Uploads};
use jobs::Jobs;
use learning::Visits;
use mail::Mail;
use quiz::QuizKey;
use signals::Signals;

/// What every function of the product works with: the database, the files and the means passed in.
#[derive(Debug)]
pub struct Kurso {
    pub db: Db,
    pub files: FileStore,
    pub uploads: Uploads,
    pub mail: Mail,
    pub clock: Clock,
    pub passwords: Passwords,
    pub tokens: Tokens,
    pub limits: Limits,
    pub trees: Trees,
    pub quiz_key: QuizKey,
    pub visits: Visits,
    pub asked_courses: AskedCourses,
    pub signals: Signals,
    pub jobs: Jobs,
    pub exports: Exports,
}

impl Kurso {
    /// `secret`: at least 32 bytes, the key of all tokens.
    pub fn new(db: Db, files: FileStore, mail: Mail, clock: Clock, secret: &[u8], rate_limit: bool) -> Result<Self> {
        if secret.len() < 32 {
            return Err(Error::internal("the secret key is shorter than 32 bytes"));
        }
        let jobs = Jobs::default();
        let signals = Signals::new(db.signals(), mail.signals(), &jobs.signals, clock.now());
        Ok(Kurso {
            signals,
            db,
            files,
            uploads: Uploads::new(Rules::default()),
            mail,
            clock,
            passwords: Passwords::default(),
            tokens: Tokens::new(secret),
            limits: Limits::new(rate_limit),
            trees: Trees::default(),
            quiz_key: QuizKey::new(secret)?,
            visits: Visits::default(),
            asked_courses: AskedCourses::default(),
            jobs,
            exports: Exports::default(),
        })
    }
    /// With limits of files that are not the usual ones.
    pub fn with_file_rules(mut self, rules: Rules) -> Self {
        self.uploads = Uploads::new(rules);
        self
    }
}
