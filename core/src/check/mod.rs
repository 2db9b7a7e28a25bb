//! Consistency check of the stored data (`kurso check`): whatever foreign keys and constraints cannot ensure, such as
//! positions, counters, derived data, the readability of texts, and the bytes of files.
//!
//! Reads one snapshot of a running server in chunks, so that memory does not grow with the database. Every finding
//! names its row; [`repair`] fixes what can be derived from other data.

mod announcements;
mod assessments;
mod banks;
mod certificates;
mod comments;
mod dates;
mod discussions;
mod draws;
mod feeds;
mod grades;
mod learning;
mod notes;
mod notice_preferences;
mod notices;
mod practice;
mod pushes;
mod regrades;
mod repair;
mod search;
mod shown_files;
mod snapshots;
mod stored;
mod structure;
mod texts;
mod trash;

use serde::Serialize;

use crate::Kurso;
use kurso_base::error::{Error, Result};
use kurso_db::sql;
use kurso_db::{Snapshot, Version};

pub use repair::repair;

/// Findings reported per rule; further ones are only counted.
const MAX_REPORTED: usize = 100;

/// The extent of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depth {
    /// Read the bytes of every file and compare hashes, instead of only sizes.
    pub bytes: bool,
}

/// A rule that the stored data must satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The database's own structure: pages, indexes, foreign keys.
    Database,
    /// Positions are 0, 1, 2, … within a parent.
    Positions,
    /// Keys are unique within a course and well-formed.
    Keys,
    ShareCodes,
    /// Page numbers used in progress bitmaps are unique and below the course's counter.
    MarkNumbers,
    /// Rows that belong together exist and agree: a page and its content, an attempt and its quiz, a visit and its
    /// course.
    Companions,
    /// Prerequisites have no cycles.
    Prerequisites,
    /// Dates are in order and in years that an author may write, time zones are known, penalties are percents, and overrides say something
    /// that their part has.
    Dates,
    /// Calendar feeds belong to somebody, and their addresses and revisions can be read.
    Feeds,
    /// Notice settings and notice choices are valid.
    NoticePreferences,
    /// Versions of pages, quizzes and questions of banks increase.
    Versions,
    /// Attempts at a quiz are numbered 1, 2, 3, …, and regraded ones are graded by the quiz of their last regrading.
    Attempts,
    /// The decisions on a grade are numbered 1, 2, 3, …, the last one holds, and thresholds are those of their scheme.
    Grades,
    /// The assessments of an answer are numbered 1, 2, 3, …, the last one holds, and attempts have the number of their waiting answers.
    Assessments,
    /// Badges of certificates have the state of their certificate, replaced ones lead to the one that replaces them, and keys can be read.
    Certificates,
    /// Progress bitmaps and attempt summaries match the visits and attempts.
    Marks,
    Completion,
    /// Stored texts parse as documents, quizzes and questions of banks.
    Texts,
    /// Every file that a page, an announcement or a question of a bank shows is recorded as used by it.
    PageFiles,
    /// The full-text index has the words that pages and questions of banks have.
    SearchIndex,
    /// What is in the trash can be read, and is nowhere else.
    Trash,
    /// Snapshots of courses can be read, and keep their files.
    Snapshots,
    /// Every file has its bytes.
    Files,
}

impl Rule {
    pub const ALL: [Rule; 23] = [
        Rule::Database,
        Rule::Positions,
        Rule::Keys,
        Rule::ShareCodes,
        Rule::MarkNumbers,
        Rule::Companions,
        Rule::Prerequisites,
        Rule::Dates,
        Rule::Feeds,
        Rule::NoticePreferences,
        Rule::Versions,
        Rule::Attempts,
        Rule::Grades,
        Rule::Assessments,
        Rule::Certificates,
        Rule::Marks,
        Rule::Completion,
        Rule::Texts,
        Rule::PageFiles,
        Rule::SearchIndex,
        Rule::Trash,
        Rule::Snapshots,
        Rule::Files,
    ];

    /// What was checked, for operators.
    pub fn text(self) -> &'static str {
        match self {
            Rule::Database => "the database itself",
            Rule::Positions => "the order of modules, lessons, pages and groups",
            Rule::Keys => "keys of modules, lessons and pages",
            Rule::ShareCodes => "share codes",
            Rule::MarkNumbers => "the page numbers used in learners' progress",
            Rule::Companions => "rows that belong together",
            Rule::Prerequisites => "what modules and lessons need",
            Rule::Dates => "dates, time zones, penalties and overrides",
            Rule::Feeds => "calendar feeds",
            Rule::NoticePreferences => "notice preferences and devices",
            Rule::Versions => "versions of pages, quizzes and questions of banks",
            Rule::Attempts => "the numbers of attempts, and regradings",
            Rule::Grades => "decisions of teachers on grades, and thresholds",
            Rule::Assessments => "answers to open questions and their assessments",
            Rule::Certificates => "certificates, the states of their badges, and signing keys",
            Rule::Marks => "learners' progress against visits and attempts",
            Rule::Completion => "when courses were completed",
            Rule::Texts => "documents, quizzes and questions of banks",
            Rule::PageFiles => "the files that pages and questions of banks show and attempts have",
            Rule::SearchIndex => "the index of the full-text search",
            Rule::Trash => "the trash",
            Rule::Snapshots => "snapshots of courses",
            Rule::Files => "files and their bytes",
        }
    }
}

/// A violation of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    pub rule: Rule,
    /// The row, as table and id: `pages 0198…`.
    pub at: String,
    /// The problem, in English.
    pub problem: String,
    /// Whether [`repair`] can fix it.
    pub repairable: bool,
    #[serde(skip)]
    pub(crate) remedy: Option<repair::Remedy>,
}

/// The result of a check.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The number of rows or files checked per rule.
    pub checked: Vec<(Rule, u64)>,
    /// At most 100 per rule.
    pub findings: Vec<Finding>,
    /// The number of all findings.
    pub problems: u64,
    /// Files stored without a hash, whose bytes could not be compared.
    pub without_hash: u64,
    /// Pages and questions of banks that the search does not find yet: the server indexes them while it runs.
    pub unindexed: u64,
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
        if self.findings.iter().filter(|finding| finding.rule == rule).count() < MAX_REPORTED {
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

/// Checks everything. Fails if the database has another version than this binary, or if the database or the store
/// cannot be read.
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
    dates::check(&mut snapshot, &mut report).await?;
    feeds::check(&mut snapshot, &mut report).await?;
    notice_preferences::check(&mut snapshot, &mut report).await?;
    pushes::check(&mut snapshot, &mut report).await?;
    learning::check(&mut snapshot, &mut report).await?;
    grades::check(&mut snapshot, &mut report).await?;
    assessments::check(&mut snapshot, &mut report).await?;
    regrades::check(&mut snapshot, &mut report).await?;
    texts::check(&mut snapshot, &mut report).await?;
    comments::check(&mut snapshot, &mut report).await?;
    announcements::check(&mut snapshot, &mut report).await?;
    notices::check(&mut snapshot, &mut report).await?;
    discussions::check(&mut snapshot, &mut report).await?;
    notes::check(&mut snapshot, &mut report).await?;
    practice::check(&mut snapshot, &mut report).await?;
    banks::check(&mut snapshot, &mut report).await?;
    certificates::check(&mut snapshot, &mut report).await?;
    search::check(&mut snapshot, &mut report).await?;
    trash::check(&mut snapshot, &mut report).await?;
    snapshots::check(&mut snapshot, &mut report).await?;
    stored::check(kurso, &mut snapshot, depth, &mut report).await?;
    snapshot.close().await?;
    report
        .findings
        .sort_by_key(|finding| Rule::ALL.iter().position(|rule| *rule == finding.rule));
    Ok(report)
}

/// SQLite can verify its file; PostgreSQL reports damage by itself.
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
            format!("{count} rows refer to missing rows of {parent}"),
            None,
        );
    }
    report.checked(Rule::Database, 1);
    Ok(())
}
