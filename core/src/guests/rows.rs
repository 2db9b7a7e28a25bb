//! Moves the rows that belong to a person, not to an enrollment.

use kurso_base::error::Result;
use kurso_base::ids::UserId;
use kurso_db::{Tx, sql};

/// Moves rows of the guest ($2) to the account ($1), except those whose place is taken by one of the account: `t` is the row of the guest, and `o` that of
/// the account.
macro_rules! move_rows {
    ($tx:expr, $account:expr, $guest:expr, $table:literal, $taken:literal) => {
        sql!(
            concat!(
                "UPDATE ",
                $table,
                " AS t SET user_id = $1 WHERE t.user_id = $2 AND NOT EXISTS (SELECT 1 FROM ",
                $table,
                " o WHERE o.user_id = $1 AND ",
                $taken,
                ")"
            ),
            $account,
            $guest
        )
        .execute(&mut *$tx)
        .await?;
    };
}

/// Moves the rows of attempts that are the account's now.
macro_rules! of_attempts {
    ($tx:expr, $account:expr, $guest:expr, $table:literal) => {
        sql!(
            concat!(
                "UPDATE ",
                $table,
                " SET user_id = $1 WHERE user_id = $2 AND (
                   attempt_id IN (SELECT a.id FROM attempts a JOIN enrollments e ON e.id = a.enrollment_id WHERE e.user_id = $1)
                   OR attempt_id IN (SELECT a.id FROM ended_attempts a JOIN ended_enrollments e ON e.id = a.enrollment_id WHERE e.user_id = $1))"
            ),
            $account,
            $guest
        )
        .execute(&mut *$tx)
        .await?;
    };
}

/// Moves all of them. Attempts have been moved already.
pub(super) async fn move_all(tx: &mut Tx, account: UserId, guest: UserId) -> Result<()> {
    move_rows!(tx, account, guest, "notes", "FALSE");
    move_rows!(tx, account, guest, "bookmarks", "o.page_id = t.page_id");
    move_rows!(
        tx,
        account,
        guest,
        "task_ticks",
        "o.page_id = t.page_id AND o.item = t.item AND o.number = t.number"
    );
    newer_drafts(&mut *tx, account, guest).await?;
    move_rows!(tx, account, guest, "answer_drafts", "o.page_id = t.page_id");
    // Where the account has another enrollment, the guest's questions were asked as an enrollment that ends here says.
    move_rows!(
        tx,
        account,
        guest,
        "running_attempts",
        "o.page_id = t.page_id
         UNION ALL SELECT 1 FROM pages p JOIN enrollments e ON e.course_id = p.course_id WHERE p.id = t.page_id AND e.user_id = $1
         UNION ALL SELECT 1 FROM pages p JOIN ended_enrollments e ON e.course_id = p.course_id WHERE p.id = t.page_id AND e.user_id = $1"
    );
    move_rows!(
        tx,
        account,
        guest,
        "ended_enrollments",
        "o.course_id = t.course_id
         UNION ALL SELECT 1 FROM enrollments e WHERE e.user_id = $1 AND e.course_id = t.course_id"
    );
    of_attempts!(tx, account, guest, "open_answers");
    of_attempts!(tx, account, guest, "regraded_attempts");
    move_rows!(
        tx,
        account,
        guest,
        "grade_decisions",
        "COALESCE(o.page_id, o.course_id) = COALESCE(t.page_id, t.course_id)"
    );
    move_rows!(tx, account, guest, "nudges", "o.course_id = t.course_id");
    move_rows!(
        tx,
        account,
        guest,
        "notices",
        "o.kind = t.kind AND o.subject = t.subject"
    );
    move_rows!(
        tx,
        account,
        guest,
        "announcement_reads",
        "o.announcement_id = t.announcement_id"
    );
    move_rows!(
        tx,
        account,
        guest,
        "discussion_reads",
        "o.discussion_id = t.discussion_id"
    );
    Ok(())
}

/// Moves overrides of dates and attempts, before attempts are counted. What staff decided about the guest holds unless they decided something about the
/// account.
pub(super) async fn move_overrides(tx: &mut Tx, account: UserId, guest: UserId) -> Result<()> {
    move_rows!(
        tx,
        account,
        guest,
        "schedule_overrides",
        "COALESCE(o.page_id, o.lesson_id, o.module_id, o.course_id) = COALESCE(t.page_id, t.lesson_id, t.module_id, t.course_id)"
    );
    Ok(())
}

/// Where both have a draft of an answer, the account gets the newer text, with a version that no device has seen.
async fn newer_drafts(tx: &mut Tx, account: UserId, guest: UserId) -> Result<()> {
    sql!(
        "UPDATE answer_drafts SET answer = g.answer, saved_at = g.saved_at,
           version = CASE WHEN g.version > answer_drafts.version THEN g.version ELSE answer_drafts.version END + 1
         FROM answer_drafts g WHERE answer_drafts.user_id = $1 AND g.user_id = $2 AND g.page_id = answer_drafts.page_id
           AND g.answer IS NOT NULL AND (answer_drafts.answer IS NULL OR g.saved_at > answer_drafts.saved_at)",
        account,
        guest
    )
    .execute(tx)
    .await?;
    Ok(())
}
