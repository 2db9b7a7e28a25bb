//! Share codes of groups. Enrolling by one also joins its group.

use kurso_base::error::{Error, Result};
use kurso_base::ids::GroupId;
use kurso_base::messages::Message;
use kurso_db::sql;

use super::{Group, commit};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses::{Scope, begin, find, sharing};

/// Replaces the share code of a group with a new one, which takes effect at once; for the owner and teachers.
pub async fn generate_code(kurso: &Kurso, viewer: &Viewer, id: GroupId) -> Result<Group> {
    let course = find(&kurso.db, viewer, id, Right::ManageStudents).await?;
    // Two equal codes of 40 random bits are improbable, but not an error of the caller.
    for _ in 0..5 {
        let code = sharing::new_code();
        let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
        if sharing::is_taken(&mut tx, &code).await? {
            continue;
        }
        match sql!("UPDATE groups SET share_code = $2 WHERE id = $1", id, &code)
            .execute(&mut tx)
            .await
        {
            Ok(_) => {}
            Err(error) if kurso_base::error::is_unique_violation(&error) => continue,
            Err(error) => return Err(error.into()),
        }
        let entry = Entry::new(Act::GroupCodeRenewed).by(viewer.id()).in_course(course.id);
        entry.write(&mut tx, kurso.clock.now()).await?;
        return commit(tx, &course, id).await;
    }
    Err(Error::internal("no free share code in five tries"))
}

/// Removes the share code of a group; for the owner and teachers. Its learners stay. Removing none changes nothing.
pub async fn remove_code(kurso: &Kurso, viewer: &Viewer, id: GroupId) -> Result<Group> {
    let course = find(&kurso.db, viewer, id, Right::ManageStudents).await?;
    let mut tx = begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let removed = sql!(
        "UPDATE groups SET share_code = NULL WHERE id = $1 AND share_code IS NOT NULL",
        id
    );
    if removed.execute(&mut tx).await? > 0 {
        let entry = Entry::new(Act::GroupCodeRemoved).by(viewer.id()).in_course(course.id);
        entry.write(&mut tx, kurso.clock.now()).await?;
        return commit(tx, &course, id).await;
    }
    let group = super::read(&mut tx, &course, id).await?;
    group.ok_or(Error::NotFound(Message::GroupNotFound))
}
