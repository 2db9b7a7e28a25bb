//! The earlier versions of questions. Restoring one is an update with its text.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{BankQuestionId, UserId};
use kurso_base::wire;
use kurso_db::{LIST_LIMIT, Tx, sql};
use serde_json::Value;

use super::list::Question;
use super::{BankRight, find_by_question};
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::page::references::References;
use crate::subscriptions::PersonName;

/// The most versions of a question that are kept beside the stored one.
pub const KEPT: i64 = 100;

/// An earlier version of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    pub version: i64,
    /// The question in the author's form, as JSON text.
    pub question: String,
    /// When this version was saved.
    pub changed_at: DateTime<Utc>,
    /// None when the account is deleted.
    pub changed_by: Option<PersonName>,
}

#[derive(sqlx::FromRow)]
struct VersionRow {
    question_id: BankQuestionId,
    version: i64,
    question: String,
    changed_at: DateTime<Utc>,
    changed_by: Option<UserId>,
    changed_by_name: Option<String>,
}

/// The earlier versions of a question, the newest first.
pub async fn versions(kurso: &Kurso, viewer: &Viewer, id: BankQuestionId) -> Result<Vec<Version>> {
    find_by_question(&kurso.db, viewer, id, BankRight::Read).await?;
    let mut found = versions_of(kurso, &[id]).await?;
    Ok(found.remove(&id).unwrap_or_default())
}

/// The earlier versions of questions, each the newest first. One statement per [`LIST_LIMIT`] questions. The caller has checked that the
/// viewer reads their banks.
pub async fn versions_of(kurso: &Kurso, questions: &[BankQuestionId]) -> Result<HashMap<BankQuestionId, Vec<Version>>> {
    let mut found: HashMap<BankQuestionId, Vec<Version>> = HashMap::new();
    for questions in questions.chunks(LIST_LIMIT) {
        let rows = sql!(
            "SELECT v.question_id, v.version, v.question, v.changed_at, v.changed_by, u.full_name AS changed_by_name
             FROM bank_question_versions v LEFT JOIN users u ON u.id = v.changed_by WHERE v.question_id IN "
        )
        .push_in(questions.iter().copied())
        .push(" ORDER BY v.question_id, v.version DESC")
        .fetch_all::<VersionRow>(&kurso.db)
        .await?;
        for row in rows {
            found.entry(row.question_id).or_default().push(Version {
                version: row.version,
                question: row.question,
                changed_at: row.changed_at,
                changed_by: row.changed_by.map(|id| PersonName {
                    id,
                    full_name: row.changed_by_name,
                }),
            });
        }
    }
    Ok(found)
}

/// Copies the stored version of a question, which is about to be replaced, into the history.
pub(super) async fn keep(tx: &mut Tx, question: &Question) -> Result<()> {
    sql!(
        "INSERT INTO bank_question_versions (question_id, version, question, changed_at, changed_by)
         SELECT id, version, question, changed_at, changed_by FROM bank_questions WHERE id = $1",
        question.id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes all earlier versions but the last [`KEPT`], and releases the files to which only the deleted ones refer: neither the stored question
/// (`kept`) nor another version does.
pub(super) async fn forget_oldest(tx: &mut Tx, id: BankQuestionId, kept: &References) -> Result<()> {
    let gone = sql!(
        "DELETE FROM bank_question_versions WHERE question_id = $1 AND version <= (
           SELECT version FROM bank_question_versions WHERE question_id = $1 ORDER BY version DESC LIMIT 1 OFFSET $2)
         RETURNING question",
        id,
        KEPT
    )
    .fetch_all::<(String,)>(&mut *tx)
    .await?;
    let kept = kept.file_keys();
    for (text,) in gone {
        let question: Value = wire::read_stored(&text).unwrap_or_default();
        let dropped = References::of_values([("", &question)]);
        let mut keys = dropped.file_keys();
        keys.retain(|key| !kept.contains(key));
        if keys.is_empty() {
            continue;
        }
        // A key has 32 hexadecimal digits, so a text that contains it refers to the file.
        sql!("DELETE FROM bank_files WHERE question_id = ")
            .push_bind(id)
            .push(
                " AND file_id IN (SELECT f.id FROM files f WHERE NOT EXISTS (
                   SELECT 1 FROM bank_question_versions v WHERE v.question_id = $1 AND v.question LIKE '%' || f.key || '%')
                 AND f.key IN ",
            )
            .push_in(keys.iter().copied())
            .push(")")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}
