//! Consistency checks of texts: pages, versions, quizzes and attempts must be readable, and the files that pages show
//! must exist.

use std::collections::HashSet;

use uuid::Uuid;

use super::repair::Remedy;
use super::{Report, Rule, draws, shown_files};
use crate::attempts::{is_running_result, kept_times, running_answer_from_text, work_from_text};
use crate::courses::page::references::References;
use kurso_base::error::Result;
use kurso_base::ids::PageId;
use kurso_db::Snapshot;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::quiz::{Quiz, answers_from_text, files_of};

/// Texts per statement; one may have two megabytes.
const CHUNK: i64 = 50;

/// A row with texts, from any of [`PLACES`].
#[derive(sqlx::FromRow)]
struct TextRow {
    page_id: PageId,
    version: i64,
    content: Option<String>,
    quiz: Option<String>,
    /// From the page's row; None for old versions.
    max_attempts: Option<i64>,
    is_current: i64,
}

/// The places of texts: what a row is called, and a query for the rows after a page and version.
const PLACES: [(&str, &str); 4] = [
    (
        "page_contents",
        "SELECT c.page_id, CAST(0 AS BIGINT) AS version, c.content, c.quiz, p.max_attempts, CAST(1 AS BIGINT) AS is_current
         FROM page_contents c JOIN pages p ON p.id = c.page_id WHERE c.page_id > $1 AND $2 = $2
         ORDER BY c.page_id LIMIT $3",
    ),
    (
        "page_versions",
        "SELECT page_id, version, content, quiz, CAST(NULL AS BIGINT) AS max_attempts, CAST(0 AS BIGINT) AS is_current
         FROM page_versions WHERE (page_id, version) > ($1, $2) ORDER BY page_id, version LIMIT $3",
    ),
    (
        "page_drafts",
        "SELECT page_id, version, content, quiz, CAST(NULL AS BIGINT) AS max_attempts, CAST(0 AS BIGINT) AS is_current
         FROM page_drafts WHERE page_id > $1 AND $2 = $2 ORDER BY page_id LIMIT $3",
    ),
    (
        "taken_quizzes",
        "SELECT page_id, version, CAST(NULL AS TEXT) AS content, quiz, CAST(NULL AS BIGINT) AS max_attempts,
         CAST(0 AS BIGINT) AS is_current
         FROM taken_quizzes WHERE (page_id, version) > ($1, $2) ORDER BY page_id, version LIMIT $3",
    ),
];

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    for (place, text) in PLACES {
        let mut last = (PageId(Uuid::nil()), i64::MIN);
        loop {
            let rows = sql!(text, last.0, last.1, CHUNK).fetch_all::<TextRow>(&mut *on).await?;
            let Some(end) = rows.last() else { break };
            last = (end.page_id, end.version);
            let mut shown: Vec<(Uuid, String)> = Vec::new();
            for row in &rows {
                check_readable(place, row, report);
                let references = References::of_texts(row.content.as_deref().unwrap_or("null"), row.quiz.as_deref());
                shown.extend(
                    references
                        .file_keys()
                        .into_iter()
                        .map(|key| (row.page_id.0, key.to_owned())),
                );
            }
            let texts = shown_files::Texts {
                place,
                recorded: "SELECT page_id, file_id FROM page_files WHERE page_id IN ",
                remedy: |page, file| Remedy::PageFile(PageId(page), file),
            };
            shown_files::check(on, report, &texts, &shown).await?;
        }
    }
    attempt_answers(on, report).await?;
    answer_drafts(on, report).await?;
    running_answers(on, report).await?;
    draws::check(on, report).await?;
    drafted_files(on, report).await
}

fn check_readable(place: &str, row: &TextRow, report: &mut Report) {
    report.checked(Rule::Texts, 1);
    let at = match row.is_current {
        1 => format!("{place} {}", row.page_id),
        _ => format!("{place} {}, version {}", row.page_id, row.version),
    };
    if let Some(content) = &row.content {
        let read = content::parse(content).and_then(|document| content::validate(&document));
        if let Err(error) = read {
            report.found(
                Rule::Texts,
                at.clone(),
                format!("its content cannot be read: {error}"),
                None,
            );
        }
    }
    let Some(text) = &row.quiz else { return };
    match Quiz::from_text(text) {
        Err(error) => report.found(Rule::Texts, at, format!("its quiz cannot be read: {error}"), None),
        Ok(quiz) => {
            if let Err(problem) = quiz.check() {
                report.found(
                    Rule::Texts,
                    at,
                    format!("its quiz is invalid: {}", problem.message),
                    None,
                );
            } else if row.is_current == 1 && quiz.max_attempts.map(i64::from) != row.max_attempts {
                let problem = format!(
                    "its quiz allows {} attempts, its page says {}",
                    format_limit(quiz.max_attempts.map(i64::from)),
                    format_limit(row.max_attempts)
                );
                let remedy = Remedy::MaxAttempts(row.page_id, quiz.max_attempts.map(i64::from));
                report.found(Rule::Texts, at, problem, Some(remedy));
            }
        }
    }
}

fn format_limit(limit: Option<i64>) -> String {
    limit.map_or_else(|| "any number of".to_owned(), |limit| limit.to_string())
}

/// The answers of attempts and their results.
async fn attempt_answers(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = Uuid::nil();
    loop {
        let rows = sql!(
            "SELECT id, answers, results, times FROM (SELECT id, answers, results, times FROM attempts
               UNION ALL SELECT id, answers, results, times FROM ended_attempts) a WHERE id > $1 ORDER BY id LIMIT $2",
            last,
            CHUNK
        )
        .fetch_all::<(Uuid, String, String, Option<String>)>(&mut *on)
        .await?;
        let Some((end, ..)) = rows.last() else { return Ok(()) };
        last = *end;
        let mut files: Vec<(Uuid, Uuid)> = Vec::new();
        for (id, answers, results, times) in &rows {
            report.checked(Rule::Texts, 1);
            let mut unreadable = |what: &str, error: String| {
                let problem = format!("its {what} cannot be read: {error}");
                report.found(Rule::Texts, format!("attempts {id}"), problem, None);
            };
            match answers_from_text(answers) {
                Ok(answers) => files.extend(files_of(&answers).map(|file| (*id, file.id))),
                Err(error) => unreadable("answers", error.to_string()),
            }
            if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(results) {
                unreadable("results", error.to_string());
            }
            if let Err(error) = kept_times(times.as_deref()) {
                unreadable("times", error.to_string());
            }
        }
        let is_kept = "submitted_at IS NOT NULL";
        kept_files(on, report, ("attempts", is_kept), &files).await?;
    }
}

/// The drafts of the work for assignments, by their page.
async fn answer_drafts(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = (Uuid::nil(), Uuid::nil());
    loop {
        let rows = sql!(
            "SELECT page_id, user_id, answer FROM answer_drafts WHERE answer IS NOT NULL AND (page_id > $1 OR (page_id = $1 AND user_id > $2))
             ORDER BY page_id, user_id LIMIT $3",
            last.0,
            last.1,
            CHUNK
        )
        .fetch_all::<(Uuid, Uuid, String)>(&mut *on)
        .await?;
        let Some((page, user, _)) = rows.last() else {
            return Ok(());
        };
        last = (*page, *user);
        let mut files: Vec<(Uuid, Uuid)> = Vec::new();
        for (page, _, answer) in &rows {
            report.checked(Rule::Texts, 1);
            match work_from_text(answer) {
                Ok(kept) => files.extend(kept.work.files.iter().map(|file| (*page, file.id))),
                Err(error) => {
                    let problem = format!("its answer cannot be read: {error}");
                    report.found(Rule::Texts, format!("answer_drafts of the page {page}"), problem, None);
                }
            }
        }
        kept_files(on, report, ("answer_drafts of the page", "is_drafted"), &files).await?;
    }
}

/// Checks the saved answers of running attempts, and that their quizzes exist.
async fn running_answers(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = (Uuid::nil(), Uuid::nil());
    loop {
        let rows = sql!(
            "SELECT running_id, question_id, answer, result FROM running_answers WHERE running_id > $1 OR (running_id = $1 AND question_id > $2)
             ORDER BY running_id, question_id LIMIT $3",
            last.0,
            last.1,
            CHUNK
        )
        .fetch_all::<(Uuid, Uuid, Option<String>, Option<String>)>(&mut *on)
        .await?;
        let Some((running, question, ..)) = rows.last() else {
            break;
        };
        last = (*running, *question);
        let mut files: Vec<(Uuid, Uuid)> = Vec::new();
        for (running, question, answer, result) in &rows {
            report.checked(Rule::Texts, 1);
            match answer.as_deref().map(running_answer_from_text) {
                Some(Ok(answer)) => files.extend(answer.given.files().iter().map(|file| (*running, file.id))),
                Some(Err(error)) => {
                    let problem = format!("the answer to {question} cannot be read: {error}");
                    report.found(Rule::Texts, format!("running_answers of {running}"), problem, None);
                }
                None => {}
            }
            if result
                .as_deref()
                .is_some_and(|text| answer.is_none() || !is_running_result(text))
            {
                let problem = format!("the result of the checked question {question} cannot be read, or has no answer");
                report.found(Rule::Texts, format!("running_answers of {running}"), problem, None);
            }
        }
        kept_files(on, report, ("running_answers of", "is_drafted"), &files).await?;
    }
    let lost = sql!(
        "SELECT r.id FROM running_attempts r
         WHERE NOT EXISTS (SELECT 1 FROM taken_quizzes t WHERE t.page_id = r.page_id AND t.version = r.quiz_version)"
    );
    for (running,) in lost.fetch_all::<(Uuid,)>(&mut *on).await? {
        let problem = "its quiz is missing, so it never ends".to_owned();
        report.found(Rule::Texts, format!("running_attempts {running}"), problem, None);
    }
    Ok(())
}

/// Whether a running attempt has an answer with the file.
async fn is_in_running_attempt(on: &mut Snapshot, file: Uuid) -> Result<bool> {
    let answers = sql!(
        "SELECT s.answer FROM answer_files a JOIN running_attempts r ON r.page_id = a.page_id AND r.user_id = a.user_id
         JOIN running_answers s ON s.running_id = r.id WHERE a.file_id = $1 AND s.answer IS NOT NULL",
        file
    );
    let answers = answers.fetch_all::<(String,)>(&mut *on).await?;
    // An unreadable answer is reported as such.
    Ok(answers.iter().any(|(text,)| {
        running_answer_from_text(text).map_or(true, |answer| answer.given.files().iter().any(|named| named.id == file))
    }))
}

/// A file that is kept for a draft or a running attempt must be named by it; otherwise nothing ever deletes it.
async fn drafted_files(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = Uuid::nil();
    loop {
        let rows = sql!(
            "SELECT a.file_id, d.answer FROM answer_files a LEFT JOIN answer_drafts d ON d.page_id = a.page_id AND d.user_id = a.user_id
             WHERE a.is_drafted AND a.file_id > $1 ORDER BY a.file_id LIMIT $2",
            last,
            CHUNK
        )
        .fetch_all::<(Uuid, Option<String>)>(&mut *on)
        .await?;
        let Some((end, _)) = rows.last() else { return Ok(()) };
        last = *end;
        report.checked(Rule::PageFiles, rows.len() as u64);
        for (file, answer) in rows {
            let is_named = match answer.as_deref().map(work_from_text) {
                Some(Ok(kept)) => kept.work.files.iter().any(|named| named.id == file),
                Some(Err(_)) => true, // reported as unreadable
                None => false,
            };
            if !is_named && !is_in_running_attempt(on, file).await? {
                let problem = "it is kept for a draft or a running attempt that does not name it".to_owned();
                report.found(Rule::PageFiles, format!("answer_files {file}"), problem, None);
            }
        }
    }
}

/// Every file of an attempt or a draft must be recorded as such, so that the cleanup job keeps it. Takes the ids of the rows and of their files,
/// what the rows are called, and the condition on `answer_files`.
async fn kept_files(
    on: &mut Snapshot,
    report: &mut Report,
    (rows_of, is_kept): (&str, &'static str),
    files: &[(Uuid, Uuid)],
) -> Result<()> {
    report.checked(Rule::PageFiles, files.len() as u64);
    let mut kept: HashSet<Uuid> = HashSet::new();
    for files in files.chunks(kurso_db::LIST_LIMIT) {
        let rows = sql!("SELECT file_id FROM answer_files WHERE ")
            .push(is_kept)
            .push(" AND file_id IN ")
            .push_in(files.iter().map(|(_, file)| *file));
        kept.extend(
            rows.fetch_all::<(Uuid,)>(&mut *on)
                .await?
                .into_iter()
                .map(|(file,)| file),
        );
    }
    for (row, file) in files.iter().filter(|(_, file)| !kept.contains(file)) {
        let problem = format!("it has the file {file}, which does not exist, or which the cleanup job could delete");
        report.found(Rule::PageFiles, format!("{rows_of} {row}"), problem, None);
    }
    Ok(())
}
