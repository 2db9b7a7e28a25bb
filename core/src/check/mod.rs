//! Is everything that is stored as the product left it? What foreign keys and constraints do not hold: orders, counters, what
//! is kept beside the truth it was made from, texts that must be readable, bytes of files.
//!
//! Reads one snapshot beside a running server, a part at a time, so memory does not grow with the school. What is found is
//! told with the row it was found at; [`repair`] puts right what can be derived.

mod learning;
mod repair;
mod stored;
mod structure;
mod texts;

use serde::Serialize;

use crate::Kurso;
use crate::db::{Snapshot, Version};
use crate::error::{Error, Result};
use crate::sql;

pub use repair::repair;

/// Findings of one rule that are told one by one; of more the number is.
const SHOWN: usize = 100;

/// What is to be looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depth {
    /// Read the bytes of every file and compare their hashes, not their sizes alone.
    pub bytes: bool,
}

/// A rule that the stored data must keep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The database's own structure: pages, indexes, foreign keys.
    Database,
    /// Positions count 0, 1, 2, … within a parent.
    Positions,
    /// A key names one thing in a course and has the form of a key.
    Keys,
    ShareCodes,
    /// Numbers of pages in marks: given once, counted by the course.
    MarkNumbers,
    /// What stands together: a page and its content, an attempt and the quiz it answers, a visit and its course.
    Companions,
    /// Versions of pages and quizzes count up.
    Versions,
    /// Attempts at a quiz count 1, 2, 3, …
    Attempts,
    /// Kept marks and tries say what visits and attempts say.
    Marks,
    Completion,
    /// Stored texts can be read as documents and quizzes.
    Texts,
    /// Every file that a page shows is kept for it.
    PageFiles,
    /// Every file has its bytes.
    Files,
}

impl Rule {
    pub const ALL: [Rule; 13] = [
        Rule::Database,
        Rule::Positions,
        Rule::Keys,
        Rule::ShareCodes,
        Rule::MarkNumbers,
        Rule::Companions,
        Rule::Versions,
        Rule::Attempts,
        Rule::Marks,
        Rule::Completion,
        Rule::Texts,
        Rule::PageFiles,
        Rule::Files,
    ];

    /// For people: what was checked.
    pub fn text(self) -> &'static str {
        match self {
            Rule::Database => "the database itself",
            Rule::Positions => "the order of modules, lessons and pages",
            Rule::Keys => "keys of modules, lessons and pages",
            Rule::ShareCodes => "share codes",
            Rule::MarkNumbers => "the numbers of pages in learners' marks",
            Rule::Companions => "rows that belong together",
            Rule::Versions => "versions of pages and quizzes",
            Rule::Attempts => "the numbers of attempts",
            Rule::Marks => "learners' marks against visits and attempts",
            Rule::Completion => "when courses were completed",
            Rule::Texts => "documents and quizzes",
            Rule::PageFiles => "the files that pages show",
            Rule::Files => "files and their bytes",
        }
    }
}

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    pub rule: Rule,
    /// The row, as its table and id: `pages 0198…`.
    pub at: String,
    /// What is wrong with it, in English.
    pub problem: String,
    /// Can [`repair`] put it right?
    pub repairable: bool,
    #[serde(skip)]
    pub(crate) remedy: Option<repair::Remedy>,
}

/// What a check came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// How many rows or files each rule was held against.
    pub checked: Vec<(Rule, u64)>,
    /// At most a hundred of each rule.
    pub findings: Vec<Finding>,
    /// All of them.
    pub problems: u64,
    /// Files whose bytes could not be compared because no hash was taken when they were stored.
    pub without_hash: u64,
}

impl Report {
    fn checked(&mut self, rule: Rule, rows: u64) {
        match self.checked.iter_mut().find(|(checked, _)| *checked == rule) {
            Some((_, count)) => *count += rows,
            None => self.checked.push((rule, rows)),
        }
    }

    fn found(&mut self, rule: Rule, at: String, problem: String, remedy: Option<repair::Remedy>) {
        self.problems += 1;
        if self.findings.iter().filter(|finding| finding.rule == rule).count() < SHOWN {
            self.findings.push(Finding {
                rule,
                at,
                problem,
                repairable: remedy.is_some(),
                remedy,
            });
        }
    }

    pub fn is_clean(&self) -> bool {
        self.problems == 0
    }
}

/// Checks everything. Fails when the database is of another version than this binary, or when it or the store cannot be
/// read at all.
pub async fn check(kurso: &Kurso, depth: Depth) -> Result<Report> {
    match kurso.db.version().await? {
        Version::Current(_) => {}
        other => {
            return Err(Error::internal(format!(
                "the tables are not those of this binary: {other:?}"
            )));
        }
    }
    let mut report = Report::default();
    let mut snapshot = kurso.db.snapshot().await?;
    database(kurso, &mut snapshot, &mut report).await?;
    structure::check(&mut snapshot, &mut report).await?;
    learning::check(&mut snapshot, &mut report).await?;
    texts::check(&mut snapshot, &mut report).await?;
    stored::check(kurso, &mut snapshot, depth, &mut report).await?;
    snapshot.close().await?;
    report
        .findings
        .sort_by_key(|finding| Rule::ALL.iter().position(|rule| *rule == finding.rule));
    Ok(report)
}

/// SQLite can be asked whether its file is sound; a PostgreSQL that is not says so itself.
async fn database(kurso: &Kurso, on: &mut Snapshot, report: &mut Report) -> Result<()> {
    if kurso.db.name() != "sqlite" {
        return Ok(());
    }
    let lines = sql!("SELECT quick_check FROM pragma_quick_check")
        .fetch_all::<(String,)>(&mut *on)
        .await?;
    for (line,) in lines.into_iter().filter(|(line,)| line != "ok") {
        report.found(Rule::Database, "the database file".to_owned(), line, None);
    }
    let orphans = sql!(
        "SELECT \"table\", \"parent\", CAST(COUNT(*) AS BIGINT) FROM pragma_foreign_key_check GROUP BY \"table\", \"parent\""
    )
    .fetch_all::<(String, String, i64)>(on)
    .await?;
    for (table, parent, count) in orphans {
        report.found(
            Rule::Database,
            table,
            format!("{count} rows refer to rows of {parent} that are not there"),
            None,
        );
    }
    report.checked(Rule::Database, 1);
    Ok(())
}
