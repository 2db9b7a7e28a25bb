//! Consistency checks of question banks: their questions must be readable, what is stored beside them must agree, and the files that they
//! show must be recorded as used.

use uuid::Uuid;

use super::repair::Remedy;
use super::{Report, Rule, shown_files};
use crate::courses::page::references::References;
use kurso_base::error::Result;
use kurso_base::ids::BankQuestionId;
use kurso_base::wire;
use kurso_db::Snapshot;
use kurso_db::sql;
use kurso_formats::quiz::StoredBankQuestion;
use serde_json::Value;

/// Questions per statement.
const CHUNK: i64 = 500;

#[derive(sqlx::FromRow)]
struct QuestionRow {
    id: BankQuestionId,
    version: i64,
    question: String,
    /// This and the columns below are None for an earlier version.
    kind: Option<String>,
    is_complete: Option<bool>,
    folded: Option<String>,
}

/// The tables with questions: the name for reports, and a query for the rows that follow a question and version.
const PLACES: [(&str, &str); 2] = [
    (
        "bank_questions",
        "SELECT id, version, question, kind, is_complete, folded FROM bank_questions WHERE (id, version) > ($1, $2)
         ORDER BY id, version LIMIT $3",
    ),
    (
        "bank_question_versions",
        "SELECT question_id AS id, version, question, CAST(NULL AS TEXT) AS kind, CAST(NULL AS BOOLEAN) AS is_complete,
         CAST(NULL AS TEXT) AS folded FROM bank_question_versions WHERE (question_id, version) > ($1, $2)
         ORDER BY question_id, version LIMIT $3",
    ),
];

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    for (place, text) in PLACES {
        let mut last = (BankQuestionId(Uuid::nil()), i64::MIN);
        loop {
            let rows = sql!(text, last.0, last.1, CHUNK)
                .fetch_all::<QuestionRow>(&mut *on)
                .await?;
            let Some(end) = rows.last() else { break };
            last = (end.id, end.version);
            let mut shown: Vec<(Uuid, String)> = Vec::new();
            for row in &rows {
                check_question(place, row, report);
                let question: Value = wire::read_stored(&row.question).unwrap_or_default();
                let references = References::of_values([("", &question)]);
                shown.extend(references.file_keys().into_iter().map(|key| (row.id.0, key.to_owned())));
            }
            let texts = shown_files::Texts {
                place,
                recorded: "SELECT question_id, file_id FROM bank_files WHERE question_id IN ",
                remedy: |question, file| Remedy::BankFile(BankQuestionId(question), file),
            };
            shown_files::check(on, report, &texts, &shown).await?;
        }
    }
    Ok(())
}

fn check_question(place: &str, row: &QuestionRow, report: &mut Report) {
    report.checked(Rule::Texts, 1);
    let at = format!("{place} {}, version {}", row.id, row.version);
    let stored = match StoredBankQuestion::read(&row.question) {
        Ok(stored) => stored,
        Err(error) => {
            report.found(Rule::Texts, at, format!("it cannot be read: {error}"), None);
            return;
        }
    };
    if stored.question.id != row.id.0 {
        let problem = format!("its text has the id {}", stored.question.id);
        report.found(Rule::Texts, at.clone(), problem, None);
    }
    let (Some(kind), Some(is_complete), Some(folded)) = (&row.kind, row.is_complete, &row.folded) else {
        return;
    };
    if *kind != stored.kind || is_complete != stored.is_complete || *folded != stored.folded {
        let problem = "its type, completeness or text for the search is not that of the question".to_owned();
        report.found(Rule::Texts, at, problem, Some(Remedy::BankQuestion(row.id)));
    }
}
