//! The colleagues with whom a bank is shared.

use std::collections::HashMap;

use kurso_base::error::{Error, FieldError, Result, is_foreign_key_violation};
use kurso_base::ids::{BankId, UserId};
use kurso_base::messages::Message;
use kurso_db::sql;

use super::commands::ShareBank;
use super::{Bank, BankRight, BankRole, MemberRole, begin, commit, find};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::auth::Origin;

/// A colleague with whom a bank is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub user: UserId,
    pub full_name: Option<String>,
    pub email: String,
    pub role: MemberRole,
}

#[derive(sqlx::FromRow)]
struct MemberRow {
    bank_id: BankId,
    user_id: UserId,
    full_name: Option<String>,
    email: String,
    role: MemberRole,
}

/// The members of banks, by time. One statement. The caller has checked that the viewer is an owner or editor of the banks.
pub async fn members_of(kurso: &Kurso, banks: &[BankId]) -> Result<HashMap<BankId, Vec<Member>>> {
    let rows = sql!(
        "SELECT m.bank_id, m.user_id, u.full_name, u.email, m.role FROM bank_members m JOIN users u ON u.id = m.user_id
         WHERE m.bank_id IN "
    )
    .push_in(banks.iter().copied())
    .push(" ORDER BY m.bank_id, m.created_at, m.user_id")
    .fetch_all::<MemberRow>(&kurso.db)
    .await?;
    let mut found: HashMap<BankId, Vec<Member>> = HashMap::new();
    for row in rows {
        found.entry(row.bank_id).or_default().push(Member {
            user: row.user_id,
            full_name: row.full_name,
            email: row.email,
            role: row.role,
        });
    }
    Ok(found)
}

fn unknown(email: &str) -> Error {
    let input = serde_json::Value::from(email);
    Error::invalid(FieldError::body("value_error", "email", Message::UnknownAccount, input))
}

/// Shares a bank with an active account, or changes the role of a member; owner only. Requests that name unknown accounts are rate-limited,
/// because the response tells whether an address has an account. Fails with 409 for the owner's address.
pub async fn share(kurso: &Kurso, viewer: &Viewer, origin: &Origin, id: BankId, with: ShareBank) -> Result<Bank> {
    find(&kurso.db, viewer, id, BankRight::Manage).await?;
    let now = kurso.clock.now();
    let counters = kurso
        .limits
        .acquire_guess(&viewer.id().to_string(), origin.address, now)?;
    let (mut tx, bank) = begin(kurso, viewer, id, BankRight::Manage).await?;
    let found = sql!(
        "SELECT id FROM users WHERE is_active AND email_key = $1",
        with.email.key()
    );
    let Some((user,)) = found.fetch_optional::<(UserId,)>(&mut tx).await? else {
        return Err(unknown(with.email.shown()));
    };
    kurso.limits.refund(&counters, now);
    if user == bank.owner.id {
        return Err(Error::Conflict(Message::BankOwnerIsNoMember));
    }
    sql!(
        "INSERT INTO bank_members (bank_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (bank_id, user_id) DO UPDATE SET role = excluded.role",
        id,
        user,
        with.role,
        now
    )
    .execute(&mut tx)
    .await
    .map_err(|error| match error {
        error if is_foreign_key_violation(&error) => unknown(with.email.shown()), // deleted meanwhile
        error => error.into(),
    })?;
    let entry = Entry::new(Act::BankShared).by(viewer.id()).to(user);
    let role = BankRole::from(with.role).name();
    entry.detail(format!("{role} {id}")).write(&mut tx, now).await?;
    commit(tx, viewer, id).await
}

/// Ends the sharing of a bank with a member; the owner, and members for themselves. Returns the bank, or None if the viewer can no longer
/// read it.
pub async fn unshare(kurso: &Kurso, viewer: &Viewer, id: BankId, member: UserId) -> Result<Option<Bank>> {
    let right = match member == viewer.id() {
        true => BankRight::Read,
        false => BankRight::Manage,
    };
    let (mut tx, _) = begin(kurso, viewer, id, right).await?;
    let deleted = sql!(
        "DELETE FROM bank_members WHERE bank_id = $1 AND user_id = $2",
        id,
        member
    );
    if deleted.execute(&mut tx).await? == 0 {
        return Err(Error::NotFound(Message::BankMemberNotFound));
    }
    let entry = Entry::new(Act::BankUnshared).by(viewer.id()).to(member);
    entry.detail(id).write(&mut tx, kurso.clock.now()).await?;
    let bank = match find(&mut tx, viewer, id, BankRight::Read).await {
        Ok(bank) => Some(bank),
        Err(Error::NotFound(_)) => None,
        Err(error) => return Err(error),
    };
    tx.commit().await?;
    Ok(bank)
}
