//! Accounts: reading, creating, changing and deleting them.

mod change;
mod create;
mod delete;
mod delete_banks;
pub mod email_change;
mod texts;

pub use change::{ChangePassword, UpdateMe, UpdateUser, change_password, set_password, update, update_me};
pub use create::{CreateUser, add, create, signup};
pub(crate) use delete::delete_guest;
pub use delete::{delete, delete_me};
pub use texts::{MAX_TEXTS, TextKind, WrittenText, texts};

use crate::access::{User, Viewer, user_columns};
use crate::{Kurso, scan};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::UserId;
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_db::sql;
use kurso_db::{Db, Executor};

/// Returns the viewer's own account, or any account but a guest for a superuser. Others get 403, whether the account exists or not.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: UserId) -> Result<User> {
    if id == viewer.id() {
        return Ok(viewer.user.clone());
    }
    viewer.require_superuser()?;
    let user = by_id(&kurso.db, id).await?.filter(|user| !user.is_guest);
    user.ok_or(Error::NotFound(Message::UserGone))
}

/// Lists the accounts whose name or address contains the search terms, without guests, newest first, then by id; superusers only.
pub async fn list(kurso: &Kurso, viewer: &Viewer, search: &Search, page: Page) -> Result<Listed<User>> {
    viewer.require_superuser()?;
    if search.is_empty() {
        return Ok(list_all(&kurso.db, page).await?);
    }
    let part = "SELECT id, created_at, COALESCE(full_name, ''), email, '' FROM users WHERE id > $1 AND NOT is_guest ORDER BY id LIMIT $2";
    let found = scan::find(&kurso.db, part, search, page).await?;
    let data = sql!(concat!("SELECT ", user_columns!(), " FROM users WHERE id IN "))
        .push_in(found.data)
        .push(" ORDER BY created_at DESC, id DESC")
        .fetch_all(&kurso.db)
        .await?;
    let count = found.count;
    Ok(Listed { data, count })
}

/// Lists all accounts without guests, newest first, then by id. Checks no rights: for the operator of the server.
pub async fn list_all(db: &Db, page: Page) -> kurso_db::Result<Listed<User>> {
    let data = sql!(
        concat!(
            "SELECT ",
            user_columns!(),
            " FROM users WHERE NOT is_guest ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2"
        ),
        page.limit,
        page.skip
    )
    .fetch_all(db)
    .await?;
    let (count,) = sql!("SELECT COUNT(*) FROM users WHERE NOT is_guest")
        .fetch_one::<(i64,)>(db)
        .await?;
    Ok(Listed { data, count })
}

/// Returns the account with this id.
pub(crate) async fn by_id(on: impl Executor, id: UserId) -> kurso_db::Result<Option<User>> {
    sql!(concat!("SELECT ", user_columns!(), " FROM users WHERE id = $1"), id)
        .fetch_optional(on)
        .await
}

/// Returns the account with this e-mail address.
pub async fn by_email(on: impl Executor, email: &Email) -> kurso_db::Result<Option<User>> {
    sql!(
        concat!("SELECT ", user_columns!(), " FROM users WHERE email_key = $1"),
        email.key()
    )
    .fetch_optional(on)
    .await
}

/// Whether there are no accounts yet. The first start then creates the superuser and the demo course.
pub async fn is_empty(on: impl Executor) -> kurso_db::Result<bool> {
    Ok(sql!("SELECT id FROM users LIMIT 1")
        .fetch_optional::<(UserId,)>(on)
        .await?
        .is_none())
}
