//! Transfer of a course to another owner. ([Decision 16](../../../../docs/decisions/0016-course-transfer.md))

use super::{Course, Scope, begin, find};
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::{Origin, limits};
use crate::mail::queue::{self, PendingMail};
use crate::mail::templates::{self, RenderedMail, Template};
use crate::{Kurso, users};
use kurso_base::email::Email;
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_db::events::Event;
use kurso_db::sql;

/// The account that becomes the owner.
#[derive(Clone, Debug)]
pub enum NewOwner {
    User(UserId),
    Email(Email),
}

impl NewOwner {
    /// The id takes precedence if both are given; None if neither is.
    pub fn of(user: Option<UserId>, email: Option<Email>) -> Option<Self> {
        user.map(NewOwner::User).or(email.map(NewOwner::Email))
    }

    /// The 422 for an id or address without an active account.
    fn unknown(&self) -> Error {
        let (field, input) = match self {
            NewOwner::User(id) => ("user_id", id.to_string()),
            NewOwner::Email(email) => ("email", email.shown().to_owned()),
        };
        Error::invalid(FieldError::body(
            "value_error",
            field,
            Message::UnknownAccount,
            input.into(),
        ))
    }
}

/// Makes another active account the owner and mails it; the old owner becomes an editor. The share code, the students and the rest
/// of the team stay. Owner and superusers only. The mails are rate-limited as invitations; so are requests that name unknown
/// accounts, because the response tells whether an address has an account.
pub async fn hand_over(
    kurso: &Kurso,
    viewer: &Viewer,
    origin: &Origin,
    lang: Lang,
    id: CourseId,
    new_owner: NewOwner,
) -> Result<Course> {
    let course = find(&kurso.db, viewer, id, Right::DeleteOrTransfer).await?;
    let now = kurso.clock.now();
    let account = viewer.id().to_string();
    let counters = kurso.limits.acquire_guess(&account, origin.address, now)?;

    let mut tx = begin(&kurso.db, id, Scope::Content(now)).await?;
    let found = match &new_owner {
        NewOwner::User(id) => sql!(
            "SELECT id, email_key FROM users WHERE is_active AND NOT is_guest AND id = $1",
            *id
        ),
        NewOwner::Email(email) => sql!(
            "SELECT id, email_key FROM users WHERE is_active AND email_key = $1",
            email.key()
        ),
    };
    let Some((to, address)) = found.fetch_optional::<(UserId, String)>(&mut tx).await? else {
        return Err(new_owner.unknown());
    };
    kurso.limits.refund(&counters, now);
    let from = course.owner.id;
    if to == from {
        return Ok(course); // dropping the transaction undoes the write of the lock
    }
    let counters = limits::team_mails(&viewer.user, origin.address, &address, now);
    kurso.limits.acquire(&counters, now)?;
    // The owner may have changed since the rights were checked.
    let changed = sql!(
        "UPDATE courses SET owner_id = $3 WHERE id = $1 AND owner_id = $2",
        id,
        from,
        to
    )
    .execute(&mut tx)
    .await
    .map_err(|error| match error {
        error if kurso_base::error::is_foreign_key_violation(&error) => new_owner.unknown(), // deleted meanwhile
        error => error.into(),
    })?;
    if changed == 0 {
        return Err(Error::Forbidden(Message::OwnerOnly));
    }
    sql!(
        "DELETE FROM collaborators WHERE course_id = $1 AND user_id = $2",
        id,
        to
    )
    .execute(&mut tx)
    .await?;
    sql!(
        "INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES ($1, $2, 'editor', $3)
         ON CONFLICT (course_id, user_id) DO UPDATE SET role = 'editor'",
        id,
        from,
        now
    )
    .execute(&mut tx)
    .await?;
    let entry = Entry::new(Act::CourseHandedOver).by(viewer.id()).to(to).in_course(id);
    entry.write(&mut tx, now).await?;
    let course = find(&mut tx, viewer, id, Right::Read).await?;
    tx.publish(Event::Person { user: from });
    let about = PendingMail::HandedOver {
        course: id,
        giver: viewer.id(),
        heir: to,
    };
    queue::enqueue(&mut tx, &about, lang, now).await?;
    tx.commit().await?;
    kurso.mail.wake();
    Ok(course)
}

/// Renders the mail to the new owner; None if the course was deleted or has another owner by now.
pub(crate) async fn render_mail(
    kurso: &Kurso,
    lang: Lang,
    course: CourseId,
    giver: UserId,
    heir: UserId,
) -> Result<Option<RenderedMail>> {
    let found = sql!(
        "SELECT c.title, u.email FROM courses c JOIN users u ON u.id = c.owner_id WHERE c.id = $1 AND c.owner_id = $2",
        course,
        heir
    )
    .fetch_optional::<(String, String)>(&kurso.db)
    .await?;
    let giver = users::by_id(&kurso.db, giver).await?;
    let (Some((title, to)), Some(giver)) = (found, giver) else {
        return Ok(None);
    };
    let link = kurso.mail.page(&format!("/edit-course/{course}"));
    let template = Template::HandedOver {
        giver: giver.shown_name(),
        course: &title,
        link: &link,
    };
    Ok(Some(templates::render(&template, lang, &to, kurso.clock.now())))
}
