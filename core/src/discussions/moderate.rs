//! Hides posts, shows them again, and dismisses reports.

use kurso_base::error::Result;
use kurso_base::ids::PostId;
use kurso_base::messages::Message;
use kurso_base::values::ModerationReason;
use kurso_db::sql;

use super::stored::{self, Participant, Stored};
use super::{ChangedPost, notify, posts};
use crate::Kurso;
use crate::access::Viewer;
use crate::audit::{Act, Entry};
use crate::comments::start::refused;
use crate::courses::{self, Scope};

/// What is done with a post.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    any(test, feature = "testing"),
    derive(serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Moderation {
    /// Hides it from everybody but its author and the staff. Needs a reason.
    Hide,
    /// Shows it again.
    Show,
    /// Leaves it as it is. Like the others, it settles the reports.
    Dismiss,
}

kurso_base::values::choices! {
    Moderation: "hide" => Moderation::Hide, "show" => Moderation::Show, "dismiss" => Moderation::Dismiss;
}

/// A decision on a post.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct Moderate {
    pub action: Moderation,
    /// Why it is hidden.
    pub reason: Option<ModerationReason>,
}

/// Decides on a post, and settles its reports. Owner and teachers. Fails with 422 for hiding without a reason.
pub async fn moderate(kurso: &Kurso, viewer: &Viewer, id: PostId, decision: Moderate) -> Result<ChangedPost> {
    let (Participant { course, reader }, _) = stored::participant_by(kurso, viewer, id).await?;
    stored::require_moderator(&reader)?;
    let now = kurso.clock.now();
    let reason = match (decision.action, &decision.reason) {
        (Moderation::Hide, None) => return Err(refused("reason", Message::ReasonNeeded)),
        (Moderation::Hide, Some(reason)) => Some(reason.as_str().to_owned()),
        _ => None,
    };
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let stored = stored::reload(&mut tx, &reader, id).await?;
    let act = match decision.action {
        Moderation::Hide => Some(Act::PostHidden),
        Moderation::Show if stored.hidden_at.is_some() => Some(Act::PostShown),
        _ => None,
    };
    if let Some(act) = act {
        sql!(
            "UPDATE discussion_posts SET hidden_at = $2, hidden_by = $3, hidden_reason = $4, is_accepted = is_accepted AND $2 IS NULL
             WHERE id = $1",
            id,
            reason.as_ref().map(|_| now),
            reason.as_ref().map(|_| viewer.id()),
            reason
        )
        .execute(&mut tx)
        .await?;
        stored::renew(&mut tx, [stored.id]).await?;
        let entry = Entry::new(act).by(viewer.id()).to(stored.named_author());
        let entry = entry.in_course(course.id).about(stored.page_id).detail(id);
        entry.write(&mut tx, now).await?;
    }
    sql!(
        "UPDATE discussion_reports SET settled_at = $2, settled_by = $3 WHERE post_id = $1 AND settled_at IS NULL",
        id,
        now,
        viewer.id()
    )
    .execute(&mut tx)
    .await?;
    match decision.action {
        Moderation::Hide => notify::withdraw(&mut tx, stored.id, id).await?,
        _ => notify::settled(&mut tx, id).await?,
    }
    // Those who saw the question until now, or see it from now on.
    let seen = Stored {
        is_opening_hidden: stored.is_opening_hidden && !(stored.is_opening && act.is_some()),
        ..stored
    };
    stored::publish(&mut tx, course.id, &seen, viewer.id(), now);
    tx.commit().await?;
    posts::changed(kurso, &reader, (seen.id, id)).await
}
