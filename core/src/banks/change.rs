//! Adds, changes, tags and deletes questions of banks.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{BankId, BankQuestionId, FileId, UserId};
use kurso_base::messages::Message;
use kurso_base::values::QuestionTags;
use kurso_db::{LIST_LIMIT, Tx, sql};
use kurso_formats::quiz::{BankQuestionDraft, StoredBankQuestion};
use serde_json::Value;

use super::commands::{AddQuestions, DeleteQuestions, NewQuestion, TagQuestions, UpdateQuestion};
use super::list::{Question, questions_by_ids, stored};
use super::{Bank, BankRight, MAX_QUESTIONS, begin, commit, find_by_question, history, touch};
use crate::Kurso;
use crate::access::Viewer;
use crate::courses::page::references::References;
use crate::courses::quota;
use crate::search_index;

/// Rows per INSERT.
const ROWS: usize = 500;

/// The outcome of changing a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Updated {
    Saved(Question),
    /// Nothing was saved, because the stored question has another version.
    Conflict(Question),
}

/// Adds questions to a bank, in order; owner and editors. Fails with 409 if it would have more than [`MAX_QUESTIONS`], with 422 for a file
/// that the viewer may not use and for a link to a page.
pub async fn add_questions(
    kurso: &Kurso,
    viewer: &Viewer,
    bank: BankId,
    new: AddQuestions,
) -> Result<(Vec<Question>, Bank)> {
    let rows = prepared(new.questions.0).await?;
    let (mut tx, found) = begin(kurso, viewer, bank, BankRight::Edit).await?;
    let ids = insert(kurso, &mut tx, viewer, &found, &rows).await?;
    let bank = commit(tx, viewer, bank).await?;
    Ok((questions_by_ids(kurso, viewer, &ids).await?, bank))
}

/// A question to insert.
pub(crate) struct NewRow {
    id: BankQuestionId,
    stored: StoredBankQuestion,
    tags: QuestionTags,
    json: Value,
}

impl NewRow {
    fn of(new: NewQuestion) -> Result<Self> {
        let id = BankQuestionId::new();
        let stored = new.question.stored_as(id.0)?;
        Ok(NewRow {
            id,
            json: json_of(&stored)?,
            stored,
            tags: new.tags,
        })
    }
}

fn json_of(stored: &StoredBankQuestion) -> Result<Value> {
    serde_json::from_str(&stored.text).map_err(Error::internal)
}

/// Serializes the questions, on another thread because hundreds of them would block the async runtime for too long.
pub(crate) async fn prepared(new: Vec<NewQuestion>) -> Result<Vec<NewRow>> {
    let work = tokio::task::spawn_blocking(move || new.into_iter().map(NewRow::of).collect());
    work.await.map_err(Error::internal)?
}

/// Inserts questions into a locked bank. Returns their ids.
pub(crate) async fn insert(
    kurso: &Kurso,
    tx: &mut Tx,
    viewer: &Viewer,
    bank: &Bank,
    rows: &[NewRow],
) -> Result<Vec<BankQuestionId>> {
    let added = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    if bank.questions.saturating_add(added) > MAX_QUESTIONS {
        return Err(Error::Conflict(Message::BankFull(MAX_QUESTIONS)));
    }
    let places = (0..).map(|at| format!("questions[{at}].question"));
    References::of_values(places.zip(rows.iter().map(|row| &row.json)))
        .check_in_bank(&mut *tx, viewer)
        .await?;
    insert_checked(kurso, tx, viewer.id(), (bank.id, bank.owner.id), rows).await
}

/// As [`insert`], for questions that fit into the bank and refer only to files that the `author` may use.
pub(crate) async fn insert_checked(
    kurso: &Kurso,
    tx: &mut Tx,
    author: UserId,
    (bank, owner): (BankId, UserId),
    rows: &[NewRow],
) -> Result<Vec<BankQuestionId>> {
    let now = kurso.clock.now();
    for rows in rows.chunks(ROWS) {
        sql!(
            "INSERT INTO bank_questions
             (id, bank_id, version, question, kind, is_complete, folded, created_at, changed_at, changed_by) VALUES "
        )
        .push_values(rows, |sql, row| {
            let sql = sql.push_bind(row.id).push(", ").push_bind(bank).push(", 1, ");
            let sql = sql.push_bind(row.stored.text.as_str()).push(", ");
            let sql = sql.push_bind(row.stored.kind.as_str()).push(", ");
            let sql = sql.push_bind(row.stored.is_complete).push(", ");
            let sql = sql.push_bind(row.stored.folded.as_str()).push(", ");
            let sql = sql.push_bind(now).push(", ").push_bind(now).push(", ");
            sql.push_bind(author)
        })
        .execute(&mut *tx)
        .await?;
        let tags = rows
            .iter()
            .flat_map(|row| row.tags.iter().map(|tag| (row.id, tag.as_str())));
        give_tags(&mut *tx, tags.collect()).await?;
        keep_files(&mut *tx, rows.iter().map(|row| (row.id, &row.json))).await?;
        let texts = rows.iter().map(|row| (row.id, 1, row.stored.text.as_str()));
        search_index::index_questions(&mut *tx, bank, texts).await?;
    }
    touch(&mut *tx, bank, now).await?;
    let bytes = rows.iter().map(|row| row.stored.text.len()).sum();
    quota::check_bank_save(kurso, tx, owner, bytes).await?;
    Ok(rows.iter().map(|row| row.id).collect())
}

/// Gives tags to questions. Those that a question already has stay.
async fn give_tags(tx: &mut Tx, tags: Vec<(BankQuestionId, &str)>) -> Result<()> {
    for tags in tags.chunks(LIST_LIMIT) {
        sql!("INSERT INTO bank_question_tags (question_id, tag) VALUES ")
            .push_values(tags, |sql, (question, tag)| {
                sql.push_bind(*question).push(", ").push_bind(*tag)
            })
            .push(" ON CONFLICT (question_id, tag) DO NOTHING")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// Records the files that questions show, so that they are not deleted while the questions or their versions refer to them.
async fn keep_files<'a>(tx: &mut Tx, questions: impl IntoIterator<Item = (BankQuestionId, &'a Value)>) -> Result<()> {
    let mut shown: BTreeMap<String, Vec<BankQuestionId>> = BTreeMap::new();
    for (id, question) in questions {
        let references = References::of_values([("", question)]);
        for key in references.file_keys() {
            shown.entry(key.to_owned()).or_default().push(id);
        }
    }
    let keys: Vec<&String> = shown.keys().collect();
    let mut pairs: Vec<(BankQuestionId, FileId)> = Vec::new();
    for keys in keys.chunks(LIST_LIMIT) {
        let files = sql!("SELECT key, id FROM files WHERE key IN ").push_in(keys.iter().map(|key| key.as_str()));
        for (key, file) in files.fetch_all::<(String, FileId)>(&mut *tx).await? {
            pairs.extend(shown.get(&key).into_iter().flatten().map(|question| (*question, file)));
        }
    }
    for pairs in pairs.chunks(LIST_LIMIT) {
        sql!("INSERT INTO bank_files (question_id, file_id) VALUES ")
            .push_values(pairs, |sql, (question, file)| {
                sql.push_bind(*question).push(", ").push_bind(*file)
            })
            .push(" ON CONFLICT (question_id, file_id) DO NOTHING")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// Changes a question or its tags; owner and editors. Nothing is saved if the stored question has another version. Tags alone leave the
/// version as it is.
pub async fn update_question(
    kurso: &Kurso,
    viewer: &Viewer,
    id: BankQuestionId,
    update: UpdateQuestion,
) -> Result<Updated> {
    let bank = find_by_question(&kurso.db, viewer, id, BankRight::Edit).await?;
    let (mut tx, bank) = begin(kurso, viewer, bank, BankRight::Edit).await?;
    let before = stored(&mut tx, id).await?;
    if before.version != update.version.get() {
        tx.rollback().await?;
        return Ok(Updated::Conflict(before));
    }
    let now = kurso.clock.now();
    let mut is_changed = false;
    if let Some(question) = update.question {
        is_changed |= rewrite(kurso, &mut tx, viewer, (&bank, &before), question, now).await?;
    }
    if let Some(tags) = update.tags {
        is_changed |= replace_tags(&mut tx, &before, &tags).await?;
    }
    if !is_changed {
        tx.rollback().await?;
        return Ok(Updated::Saved(before));
    }
    touch(&mut tx, bank.id, now).await?;
    let after = stored(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Updated::Saved(after))
}

/// Writes the next version of a question; the replaced one stays in the history. Returns false if the question is the same.
async fn rewrite(
    kurso: &Kurso,
    tx: &mut Tx,
    viewer: &Viewer,
    (bank, before): (&Bank, &Question),
    question: BankQuestionDraft,
    now: DateTime<Utc>,
) -> Result<bool> {
    let stored = question.stored_as(before.id.0)?;
    if stored.text == before.question {
        return Ok(false);
    }
    let json = json_of(&stored)?;
    let references = References::of_values([("question", &json)]);
    references.check_in_bank(&mut *tx, viewer).await?;
    history::keep(&mut *tx, before).await?;
    sql!(
        "UPDATE bank_questions SET version = $2, question = $3, kind = $4, is_complete = $5, folded = $6, changed_at = $7,
         changed_by = $8 WHERE id = $1",
        before.id,
        before.version + 1,
        stored.text.as_str(),
        stored.kind.as_str(),
        stored.is_complete,
        stored.folded.as_str(),
        now,
        viewer.id()
    )
    .execute(&mut *tx)
    .await?;
    keep_files(&mut *tx, [(before.id, &json)]).await?;
    let text = (before.id, before.version + 1, stored.text.as_str());
    search_index::index_questions(&mut *tx, bank.id, [text]).await?;
    history::forget_oldest(&mut *tx, before.id, &references).await?;
    quota::check_bank_save(kurso, tx, bank.owner.id, stored.text.len()).await?;
    Ok(true)
}

/// Returns false if the question has exactly these tags.
async fn replace_tags(tx: &mut Tx, before: &Question, tags: &QuestionTags) -> Result<bool> {
    let had: BTreeSet<&str> = before.tags.iter().map(String::as_str).collect();
    let wanted: BTreeSet<&str> = tags.iter().map(|tag| tag.as_str()).collect();
    if had == wanted {
        return Ok(false);
    }
    sql!("DELETE FROM bank_question_tags WHERE question_id = $1", before.id)
        .execute(&mut *tx)
        .await?;
    give_tags(tx, wanted.into_iter().map(|tag| (before.id, tag)).collect()).await?;
    Ok(true)
}

/// Removes tags from questions of a bank and then adds others; owner and editors. Ids of other questions are ignored. Fails with 422 if
/// a question would have too many tags.
pub async fn tag_questions(kurso: &Kurso, viewer: &Viewer, bank: BankId, change: TagQuestions) -> Result<Bank> {
    let (mut tx, _) = begin(kurso, viewer, bank, BankRight::Edit).await?;
    let ids = sql!("SELECT id FROM bank_questions WHERE bank_id = $1 AND id IN ", bank)
        .push_in(change.question_ids.0)
        .fetch_all::<(BankQuestionId,)>(&mut tx)
        .await?;
    let ids: Vec<BankQuestionId> = ids.into_iter().map(|(id,)| id).collect();
    let (add, remove) = (change.add.unwrap_or_default(), change.remove.unwrap_or_default());
    if !remove.is_empty() {
        sql!("DELETE FROM bank_question_tags WHERE question_id IN ")
            .push_in(ids.iter().copied())
            .push(" AND tag IN ")
            .push_in(remove.iter().map(|tag| tag.as_str()))
            .execute(&mut tx)
            .await?;
    }
    let given = ids.iter().flat_map(|id| add.iter().map(|tag| (*id, tag.as_str())));
    give_tags(&mut tx, given.collect()).await?;
    let crowded = sql!("SELECT COUNT(*) FROM bank_question_tags WHERE question_id IN ")
        .push_in(ids.iter().copied())
        .push(" GROUP BY question_id HAVING COUNT(*) > ")
        .push_bind(i64::try_from(QuestionTags::MAX).unwrap_or(i64::MAX))
        .push(" LIMIT 1")
        .fetch_optional::<(i64,)>(&mut tx)
        .await?;
    if crowded.is_some() {
        let message = Message::TooManyTags(QuestionTags::MAX);
        return Err(Error::invalid(FieldError::body(
            "too_long",
            "add",
            message,
            Value::Null,
        )));
    }
    touch(&mut tx, bank, kurso.clock.now()).await?;
    commit(tx, viewer, bank).await
}

/// Deletes questions of a bank; owner and editors. Ids of other questions are ignored. Copies in quizzes and what attempts drew stay.
pub async fn delete_questions(kurso: &Kurso, viewer: &Viewer, bank: BankId, gone: DeleteQuestions) -> Result<Bank> {
    let (mut tx, _) = begin(kurso, viewer, bank, BankRight::Edit).await?;
    sql!("DELETE FROM bank_questions WHERE bank_id = $1 AND id IN ", bank)
        .push_in(gone.question_ids.0)
        .execute(&mut tx)
        .await?;
    touch(&mut tx, bank, kurso.clock.now()).await?;
    commit(tx, viewer, bank).await
}
