//! Which pages draw from which banks, and who may store a draw.

use std::collections::{BTreeSet, HashSet};

use kurso_base::error::Result;
use kurso_base::ids::{PageId, UserId};
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::{At, Kind, Problem, Problems, Question, Quiz};
use serde_json::json;
use uuid::Uuid;

use super::drawing;

/// The bank and the tags of a draw; None for another question.
pub(super) fn bank_and_tags(question: &Question) -> Option<(Uuid, &[String])> {
    match &question.kind {
        Kind::Draw { bank_id, tags, .. } => Some((*bank_id, tags)),
        _ => None,
    }
}

/// The banks and tags of the draws of a quiz. The order of tags does not matter.
fn draws_of(quiz: &Quiz) -> HashSet<(Uuid, BTreeSet<&str>)> {
    let draws = quiz.questions.iter().filter_map(bank_and_tags);
    draws
        .map(|(bank, tags)| (bank, tags.iter().map(String::as_str).collect()))
        .collect()
}

/// Updates the record of the banks that a page draws from, after its quiz was changed from `earlier` to `quiz`. No statement if neither has
/// draws.
pub(crate) async fn follow(tx: &mut Tx, page: PageId, earlier: Option<&str>, quiz: Option<&str>) -> Result<()> {
    if drawing(earlier)?.is_some() {
        sql!("DELETE FROM page_banks WHERE page_id = $1", page)
            .execute(&mut *tx)
            .await?;
    }
    record(tx, page, drawing(quiz)?.as_ref()).await
}

/// Records the banks that a page draws from, which has no such record yet. No statement without draws.
pub(crate) async fn record(tx: &mut Tx, page: PageId, quiz: Option<&Quiz>) -> Result<()> {
    let banks = quiz.map(Quiz::banks).unwrap_or_default();
    if banks.is_empty() {
        return Ok(());
    }
    // A bank may have been deleted since a version that is restored was saved.
    sql!("INSERT INTO page_banks (page_id, bank_id) SELECT ")
        .push_bind(page)
        .push(", id FROM question_banks WHERE id IN ")
        .push_in(banks)
        .execute(tx)
        .await?;
    Ok(())
}

/// The banks among these that a user may read: their own and those shared with them; all for a superuser.
pub(crate) async fn readable(on: impl Executor, user: UserId, banks: BTreeSet<Uuid>) -> Result<HashSet<Uuid>> {
    let banks = sql!(
        "SELECT b.id FROM question_banks b WHERE (b.owner_id = $1
           OR EXISTS (SELECT 1 FROM bank_members m WHERE m.bank_id = b.id AND m.user_id = $1)
           OR EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.is_superuser)) AND b.id IN ",
        user
    )
    .push_in(banks);
    Ok(banks
        .fetch_all::<(Uuid,)>(on)
        .await?
        .into_iter()
        .map(|(bank,)| bank)
        .collect())
}

/// Fails with 422 if a draw of the quiz names a bank that the user may not read, unless the stored quiz has a draw with the same bank and
/// tags, so that colleagues can edit a quiz whose bank is not shared with them. One statement, none without new draws.
pub(crate) async fn require_readable(on: impl Executor, user: UserId, quiz: &Quiz, stored: Option<&str>) -> Result<()> {
    if !quiz.has_draws() {
        return Ok(());
    }
    let unknown = unreadable(on, user, quiz, drawing(stored)?.as_ref()).await?;
    let at = At::BODY.name("quiz");
    let at = at.name("questions");
    let mut problems = Problems::default();
    for (index, bank) in unknown {
        let at = at.index(index);
        let at = at.name("bank_id");
        problems.refuse(&at, "value_error", Problem::NoBank.message(), &json!(bank));
    }
    problems.finish(())
}

/// The places, from 0, of the draws that the user may not store, with their banks.
pub(crate) async fn unreadable(
    on: impl Executor,
    user: UserId,
    quiz: &Quiz,
    stored: Option<&Quiz>,
) -> Result<Vec<(usize, Uuid)>> {
    let kept = stored.map(draws_of).unwrap_or_default();
    let is_kept = |(bank, tags): (Uuid, &[String])| kept.contains(&(bank, tags.iter().map(String::as_str).collect()));
    let draws = quiz.questions.iter().enumerate();
    let draws = draws.filter_map(|(place, question)| Some((place, bank_and_tags(question)?)));
    let new: Vec<(usize, Uuid)> = draws
        .filter(|(_, draw)| !is_kept(*draw))
        .map(|(place, (bank, _))| (place, bank))
        .collect();
    if new.is_empty() {
        return Ok(new);
    }
    let banks: BTreeSet<Uuid> = new.iter().map(|(_, bank)| *bank).collect();
    let readable = readable(on, user, banks).await?;
    Ok(new.into_iter().filter(|(_, bank)| !readable.contains(bank)).collect())
}
