//! Question banks: questions that a person collects and shares, for quizzes to copy or draw from
//! ([decision 103](../../../docs/decisions/0103-question-banks.md)).
//!
//! | right  | owner | editor | viewer | superuser |
//! |--------|-------|--------|--------|-----------|
//! | Read   |   ✓   |   ✓    |   ✓    |     ✓     |  the questions; use them and their files in quizzes
//! | Edit   |   ✓   |   ✓    |        |           |  questions and tags
//! | Manage |   ✓   |        |        |           |  the title, sharing
//! | Delete |   ✓   |        |        |     ✓     |
//!
//! Others, learners among them, get 404.

mod change;
mod commands;
mod history;
mod list;
mod sharing;

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result, is_foreign_key_violation};
use kurso_base::ids::{BankId, BankQuestionId, UserId};
use kurso_base::messages::Message;
use kurso_base::search::fold;
use kurso_db::{Executor, Tx, sql};
use kurso_formats::quiz::MAX_BANK_QUESTIONS;

pub use change::{Updated, add_questions, delete_questions, tag_questions, update_question};
pub(crate) use change::{insert as insert_questions, insert_checked as insert_checked_questions, prepared};
pub use commands::{
    AddQuestions, BankTitle, DeleteQuestions, MAX_ADDED, NewQuestion, NewQuestions, QuestionIds, ShareBank,
    TagQuestions, UpdateQuestion,
};
pub use history::{Version, versions, versions_of};
pub use list::{
    BankTag, MAX_LISTED, Question, QuestionList, QuestionQuery, Questions, question, questions, questions_by_ids,
    questions_of, tags_of,
};
pub use sharing::{Member, members_of, share, unshare};

use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::subscriptions::PersonName;

/// The most banks of a person.
pub const MAX_BANKS: i64 = 200;
/// The most questions of a bank.
pub const MAX_QUESTIONS: i64 = MAX_BANK_QUESTIONS as i64;

/// The role of a person in a bank, whose rights are in the table above. A superuser without a role is a viewer who may also delete the bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BankRole {
    Owner,
    Editor,
    Viewer,
}

impl BankRole {
    /// The name in both APIs.
    pub fn name(self) -> &'static str {
        match self {
            BankRole::Owner => "owner",
            BankRole::Editor => "editor",
            BankRole::Viewer => "viewer",
        }
    }
}

/// The role of a colleague with whom a bank is shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum MemberRole {
    Editor,
    Viewer,
}

kurso_base::values::choices! {
    MemberRole: "editor" => MemberRole::Editor, "viewer" => MemberRole::Viewer;
}

impl From<MemberRole> for BankRole {
    fn from(role: MemberRole) -> Self {
        match role {
            MemberRole::Editor => BankRole::Editor,
            MemberRole::Viewer => BankRole::Viewer,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BankRight {
    Read,
    Edit,
    Manage,
    Delete,
}

/// A bank as its reader sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bank {
    pub id: BankId,
    pub title: String,
    pub owner: PersonName,
    /// What the reader may do.
    pub role: BankRole,
    pub questions: i64,
    /// Pages whose quiz draws from it.
    pub pages: i64,
    pub updated_at: DateTime<Utc>,
}

impl Bank {
    /// Whether the reader sees with whom the bank is shared.
    pub fn shows_members(&self) -> bool {
        self.role != BankRole::Viewer
    }
}

#[derive(sqlx::FromRow)]
struct BankRow {
    id: BankId,
    title: String,
    owner_id: UserId,
    owner_full_name: Option<String>,
    member_role: Option<MemberRole>,
    questions: i64,
    pages: i64,
    updated_at: DateTime<Utc>,
}

impl BankRow {
    /// None if the viewer may not read the bank.
    fn seen_by(self, viewer: &Viewer) -> Option<Bank> {
        let role = match self.member_role {
            _ if self.owner_id == viewer.id() => BankRole::Owner,
            Some(role) => role.into(),
            None if viewer.user.is_superuser => BankRole::Viewer,
            None => return None,
        };
        Some(Bank {
            id: self.id,
            title: self.title,
            owner: PersonName {
                id: self.owner_id,
                full_name: self.owner_full_name,
            },
            role,
            questions: self.questions,
            pages: self.pages,
            updated_at: self.updated_at,
        })
    }
}

/// Selects banks with the role of the user `$1`.
macro_rules! select {
    () => {
        "SELECT b.id, b.title, b.owner_id, u.full_name AS owner_full_name, m.role AS member_role,
           (SELECT COUNT(*) FROM bank_questions q WHERE q.bank_id = b.id) AS questions,
           (SELECT COUNT(*) FROM page_banks p WHERE p.bank_id = b.id) AS pages, b.updated_at
         FROM question_banks b JOIN users u ON u.id = b.owner_id
         LEFT JOIN bank_members m ON m.bank_id = b.id AND m.user_id = $1 WHERE "
    };
}

/// Finds a bank for the viewer: 404 if it does not exist or is not shared with the viewer, 403 without the right.
pub async fn find(on: impl Executor, viewer: &Viewer, id: BankId, right: BankRight) -> Result<Bank> {
    let row = sql!(concat!(select!(), "b.id = $2"), viewer.id(), id);
    let row = row.fetch_optional::<BankRow>(on).await?;
    let bank = row
        .and_then(|row| row.seen_by(viewer))
        .ok_or(Error::NotFound(Message::BankNotFound))?;
    let may = match right {
        BankRight::Read => true,
        BankRight::Edit => matches!(bank.role, BankRole::Owner | BankRole::Editor),
        BankRight::Manage => bank.role == BankRole::Owner,
        BankRight::Delete => bank.role == BankRole::Owner || viewer.user.is_superuser,
    };
    match (may, right) {
        (true, _) => Ok(bank),
        (false, BankRight::Read | BankRight::Edit) => Err(Error::Forbidden(Message::BankForbidden)),
        (false, BankRight::Manage | BankRight::Delete) => Err(Error::Forbidden(Message::BankOwnerOnly)),
    }
}

/// Finds the bank of a question for the viewer: 404 if the question does not exist or its bank is not shared with the viewer, 403 without the
/// right.
async fn find_by_question(on: impl Executor, viewer: &Viewer, id: BankQuestionId, right: BankRight) -> Result<BankId> {
    #[derive(sqlx::FromRow)]
    struct Found {
        id: BankId,
        owner_id: UserId,
        role: Option<MemberRole>,
    }
    let found = sql!(
        "SELECT b.id, b.owner_id, m.role FROM bank_questions q JOIN question_banks b ON b.id = q.bank_id
         LEFT JOIN bank_members m ON m.bank_id = b.id AND m.user_id = $1 WHERE q.id = $2",
        viewer.id(),
        id
    );
    let missing = || Error::NotFound(Message::BankQuestionNotFound);
    let found = found.fetch_optional::<Found>(on).await?.ok_or_else(missing)?;
    let may_edit = found.owner_id == viewer.id() || found.role == Some(MemberRole::Editor);
    match right {
        _ if may_edit => Ok(found.id),
        _ if found.role.is_none() && !viewer.user.is_superuser => Err(missing()),
        BankRight::Read => Ok(found.id),
        _ => Err(Error::Forbidden(Message::BankForbidden)),
    }
}

/// The banks of the viewer and those shared with the viewer, by title. One statement.
pub async fn list(kurso: &Kurso, viewer: &Viewer) -> Result<Vec<Bank>> {
    let rows = sql!(
        concat!(select!(), "b.owner_id = $1 OR m.user_id IS NOT NULL"),
        viewer.id()
    )
    .fetch_all::<BankRow>(&kurso.db)
    .await?;
    let seen = rows.into_iter().filter_map(|row| row.seen_by(viewer));
    let mut banks: Vec<Bank> = seen.collect();
    banks.sort_by_cached_key(|bank| (fold(&bank.title), bank.id));
    Ok(banks)
}

/// A bank; 404 if it is not shared with the viewer.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: BankId) -> Result<Bank> {
    find(&kurso.db, viewer, id, BankRight::Read).await
}

/// Creates an empty bank of the viewer. Fails with 409 if the viewer has [`MAX_BANKS`].
pub async fn create(kurso: &Kurso, viewer: &Viewer, new: BankTitle) -> Result<Bank> {
    viewer.require_account()?;
    let id = BankId::new();
    let mut tx = kurso.db.begin().await?;
    insert(&mut tx, viewer.id(), id, new.title.as_str(), kurso.clock.now()).await?;
    commit(tx, viewer, id).await
}

/// Inserts an empty bank. Fails with 409 if the owner has [`MAX_BANKS`].
pub(crate) async fn insert(tx: &mut Tx, owner: UserId, id: BankId, title: &str, now: DateTime<Utc>) -> Result<()> {
    // Locks the account, so that banks created at the same time cannot exceed the limit.
    let locked = sql!("UPDATE users SET is_active = is_active WHERE id = $1", owner);
    if locked.execute(&mut *tx).await? == 0 {
        return Err(Error::NotFound(Message::UserGone));
    }
    let count = sql!("SELECT COUNT(*) FROM question_banks WHERE owner_id = $1", owner);
    if count.fetch_one::<(i64,)>(&mut *tx).await?.0 >= MAX_BANKS {
        return Err(Error::Conflict(Message::TooManyBanks(MAX_BANKS)));
    }
    sql!(
        "INSERT INTO question_banks (id, owner_id, title, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)",
        id,
        owner,
        title,
        now
    )
    .execute(&mut *tx)
    .await?;
    let entry = Entry::new(Act::BankCreated).by(owner);
    entry.detail(id).write(tx, now).await?;
    Ok(())
}

/// Renames a bank; its owner only.
pub async fn rename(kurso: &Kurso, viewer: &Viewer, id: BankId, new: BankTitle) -> Result<Bank> {
    let (mut tx, _) = begin(kurso, viewer, id, BankRight::Manage).await?;
    sql!(
        "UPDATE question_banks SET title = $2, updated_at = $3 WHERE id = $1",
        id,
        new.title.as_str(),
        kurso.clock.now()
    )
    .execute(&mut tx)
    .await?;
    commit(tx, viewer, id).await
}

/// Deletes a bank with its questions; owner and superusers. Copies of its questions in quizzes stay. Fails with 409 while the quizzes of
/// pages draw from it.
pub async fn delete(kurso: &Kurso, viewer: &Viewer, id: BankId) -> Result<()> {
    let (mut tx, bank) = begin(kurso, viewer, id, BankRight::Delete).await?;
    if bank.pages > 0 {
        return Err(Error::Conflict(Message::BankInUse(bank.pages)));
    }
    let deleted = sql!("DELETE FROM question_banks WHERE id = $1", id)
        .execute(&mut tx)
        .await;
    if let Err(error) = deleted {
        if !is_foreign_key_violation(&error) {
            return Err(error.into());
        }
        tx.rollback().await?; // a page has just begun to draw from it
        let bank = find(&kurso.db, viewer, id, BankRight::Delete).await?;
        return Err(Error::Conflict(Message::BankInUse(bank.pages.max(1))));
    }
    let entry = Entry::new(Act::BankDeleted).by(viewer.id()).to(bank.owner.id);
    entry.detail(id).write(&mut tx, kurso.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// Begins a change of a bank and locks its row. The right is checked before, so that nobody without it can hold the lock, and after, because
/// it may have changed.
pub(crate) async fn begin(kurso: &Kurso, viewer: &Viewer, id: BankId, right: BankRight) -> Result<(Tx, Bank)> {
    find(&kurso.db, viewer, id, right).await?;
    let mut tx = kurso.db.begin().await?;
    sql!("UPDATE question_banks SET title = title WHERE id = $1", id)
        .execute(&mut tx)
        .await?;
    let bank = find(&mut tx, viewer, id, right).await?;
    Ok((tx, bank))
}

/// Sets the time of the bank's last change.
async fn touch(tx: &mut Tx, id: BankId, now: DateTime<Utc>) -> Result<()> {
    sql!("UPDATE question_banks SET updated_at = $2 WHERE id = $1", id, now)
        .execute(tx)
        .await?;
    Ok(())
}

/// Commits a change of a bank, and returns the bank as it is after the change.
async fn commit(mut tx: Tx, viewer: &Viewer, id: BankId) -> Result<Bank> {
    let bank = find(&mut tx, viewer, id, BankRight::Read).await?;
    tx.commit().await?;
    Ok(bank)
}
