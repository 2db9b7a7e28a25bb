//! What becomes of the question banks of an account that is deleted.

use chrono::{DateTime, Utc};
use kurso_base::ids::{BankId, UserId};
use kurso_db::{Result, Tx, sql};

use crate::audit::{Act, Entry};

/// Gives each bank of the owner to its first editor. A bank without an editor goes to the oldest superuser if pages draw from it; otherwise it
/// is deleted. Fails with a foreign key violation if a page has just begun to draw from a bank that is to be deleted.
pub(super) async fn transfer(tx: &mut Tx, owner: UserId, actor: UserId, now: DateTime<Utc>) -> Result<()> {
    let banks = sql!(
        "SELECT b.id, COALESCE(
           (SELECT m.user_id FROM bank_members m JOIN users u ON u.id = m.user_id
            WHERE m.bank_id = b.id AND m.role = 'editor' ORDER BY u.is_active DESC, m.created_at, m.user_id LIMIT 1),
           (SELECT u.id FROM users u WHERE u.is_superuser AND u.id <> $1
              AND EXISTS (SELECT 1 FROM page_banks p WHERE p.bank_id = b.id)
            ORDER BY u.is_active DESC, u.created_at, u.id LIMIT 1)) AS new_owner
         FROM question_banks b WHERE b.owner_id = $1 ORDER BY b.id",
        owner
    )
    .fetch_all::<(BankId, Option<UserId>)>(&mut *tx)
    .await?;
    for (bank, new_owner) in banks {
        let Some(new_owner) = new_owner else {
            let entry = Entry::new(Act::BankDeleted).by(actor).to(owner);
            entry.detail(bank).write(&mut *tx, now).await?;
            // If there is no other superuser, no one can become the owner of a bank that pages draw from. It is deleted, and the quizzes of these pages can no longer be started.
            sql!(
                "DELETE FROM page_banks WHERE bank_id = $1 AND NOT EXISTS (SELECT 1 FROM users u WHERE u.is_superuser AND u.id <> $2)",
                bank,
                owner
            )
            .execute(&mut *tx)
            .await?;
            sql!(
                "DELETE FROM question_banks WHERE id = $1 AND owner_id = $2",
                bank,
                owner
            )
            .execute(&mut *tx)
            .await?;
            continue;
        };
        sql!("UPDATE question_banks SET owner_id = $2 WHERE id = $1", bank, new_owner)
            .execute(&mut *tx)
            .await?;
        // The owner of a bank is not one of its members.
        sql!(
            "DELETE FROM bank_members WHERE bank_id = $1 AND user_id = $2",
            bank,
            new_owner
        )
        .execute(&mut *tx)
        .await?;
        let entry = Entry::new(Act::BankHandedOver).by(actor).to(new_owner);
        entry.detail(bank).write(&mut *tx, now).await?;
    }
    Ok(())
}
