//! The badges of a person whose account is deleted.

use kurso_base::ids::UserId;
use kurso_db::{Tx, sql};

/// Revokes the badges of a person whose account is about to be deleted. Their bits stay, which belong to nobody then.
pub(crate) async fn revoke_of_user(tx: &mut Tx, user: UserId) -> Result<(), sqlx::Error> {
    let insert = sql!(
        "INSERT INTO revoked_statuses (list, position) SELECT status_list, status_position FROM certificates WHERE user_id = $1
         ON CONFLICT DO NOTHING",
        user
    );
    insert.execute(tx).await?;
    Ok(())
}
