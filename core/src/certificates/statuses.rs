//! The positions of certificates in status lists, and which of them are revoked.

use kurso_base::error::{Error, Result};
use kurso_certificate::badge::STATUS_LIST_LENGTH;
use kurso_db::{Executor, Tx, sql};

/// A bit of a status list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub list: i64,
    pub position: i64,
}

/// Takes the next position. Concurrent transactions wait for each other.
pub(super) async fn take(tx: &mut Tx) -> Result<Position> {
    // Another transaction may fill the list, or make the next one.
    for _ in 0..3 {
        let taken = sql!(
            "UPDATE status_lists SET taken = taken + 1 WHERE taken < $1 AND number = (SELECT MAX(number) FROM status_lists)
             RETURNING number, taken - 1",
            i64::from(STATUS_LIST_LENGTH)
        );
        if let Some((list, position)) = taken.fetch_optional::<(i64, i64)>(&mut *tx).await? {
            return Ok(Position { list, position });
        }
        let next = "INSERT INTO status_lists (number, taken) SELECT COALESCE(MAX(number), 0) + 1, 0 FROM status_lists WHERE TRUE
            ON CONFLICT DO NOTHING";
        sql!(next).execute(&mut *tx).await?;
    }
    Err(Error::Busy)
}

pub(super) async fn revoke(tx: &mut Tx, at: Position) -> Result<()> {
    let insert = sql!(
        "INSERT INTO revoked_statuses (list, position) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        at.list,
        at.position
    );
    insert.execute(tx).await?;
    Ok(())
}

pub(super) async fn restore(tx: &mut Tx, at: Position) -> Result<()> {
    let delete = sql!(
        "DELETE FROM revoked_statuses WHERE list = $1 AND position = $2",
        at.list,
        at.position
    );
    delete.execute(tx).await?;
    Ok(())
}

/// The revoked positions of a list; None if there is no such list. Two statements.
pub(super) async fn revoked(on: impl Executor + Copy, list: i64) -> Result<Option<Vec<u32>>> {
    let found = sql!("SELECT number FROM status_lists WHERE number = $1", list);
    if found.fetch_optional::<(i64,)>(on).await?.is_none() {
        return Ok(None);
    }
    let rows = sql!(
        "SELECT position FROM revoked_statuses WHERE list = $1 ORDER BY position",
        list
    );
    let rows = rows.fetch_all::<(i64,)>(on).await?;
    Ok(Some(
        rows.into_iter()
            .filter_map(|(position,)| u32::try_from(position).ok())
            .collect(),
    ))
}
