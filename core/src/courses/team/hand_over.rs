//! Handing a course over to another owner. ([Decision 16](../../../../docs/decisions/0016-handing-a-course-over.md))

use serde_json::Value;

use super::{Course, find};
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::{Origin, limits};
use crate::courses::lock;
use crate::email::Email;
use crate::error::{Error, FieldError, Result};
use crate::events::Event;
use crate::ids::{CourseId, UserId};
use crate::input::Fields;
use crate::mail::letters::{self, Letter, Occasion};
use crate::mail::queue::{self, About};
use crate::messages::{Lang, Message};
use crate::{Kurso, sql, users};

/// The body's `user_id` or `email`.
#[derive(Clone, Debug)]
pub enum Heir {
    User(UserId),
    Email(Email),
}

impl Heir {
    /// Reads `user_id` or `email`: one of them; with both, the id counts.
    pub fn from_body(body: &Value) -> Result<Self> {
        let mut fields = Fields::of(body)?;
        let user = fields.optional_id("user_id");
        let email = fields.optional_email("email");
        let given = ["user_id", "email"]
            .iter()
            .any(|name| fields.value(name).is_some_and(|v| !v.is_null()));
        if !given {
            fields.refuse(FieldError::body(
                "missing",
                "user_id",
                Message::FieldRequired,
                crate::input::without_secrets(body),
            ));
        }
        fields.finish()?;
        match (user, email) {
            (Some(user), _) => Ok(Heir::User(user)),
            (None, Some(email)) => Ok(Heir::Email(email)),
            (None, None) => Err(Error::internal("a checked body lacks a field")),
        }
    }

    /// 422: there is no active account like this.
    fn unknown(&self) -> Error {
        let (field, input) = match self {
            Heir::User(id) => ("user_id", id.to_string()),
            Heir::Email(email) => ("email", email.shown().to_owned()),
        };
        Error::invalid(FieldError::body(
            "value_error",
            field,
            Message::UnknownHeir,
            input.into(),
        ))
    }
}

/// Makes somebody else with an active account the owner, who is told by a mail; the old owner stays as an editor. The
/// share code, the students and the rest of the team stay as they are. The owner, or an admin. Who misses twenty times has
/// to wait: this is no way to find out who has an account.
pub async fn hand_over(
    kurso: &Kurso,
    viewer: &Viewer,
    origin: &Origin,
    lang: Lang,
    id: CourseId,
    heir: Heir,
) -> Result<Course> {
    let course = find(&kurso.db, viewer, id, Right::DisposeOf).await?;
    let now = kurso.clock.now();
    let counters = limits::failures(&viewer.id().to_string(), origin.address);
    kurso.limits.take(&counters, now)?;

    let mut tx = kurso.db.begin_in(id).await?;
    lock(&mut tx, id, now).await?;
    let found = match &heir {
        Heir::User(id) => sql!("SELECT id FROM users WHERE is_active AND id = $1", *id),
        Heir::Email(email) => sql!("SELECT id FROM users WHERE is_active AND email_key = $1", email.key()),
    };
    let Some((to,)) = found.fetch_optional::<(UserId,)>(&mut tx).await? else {
        return Err(heir.unknown());
    };
    kurso.limits.give_back(&counters, now);
    let from = course.owner.id;
    if to == from {
        return Ok(course); // rolls back what the lock has written
    }
    // The owner may have changed since the right was looked at.
    let changed = sql!(
        "UPDATE courses SET owner_id = $3 WHERE id = $1 AND owner_id = $2",
        id,
        from,
        to
    )
    .execute(&mut tx)
    .await
    .map_err(|error| match error {
        error if crate::error::is_foreign_key_violation(&error) => heir.unknown(), // deleted this very moment
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
    tx.tell(Event::Person { user: from });
    let about = About::HandedOver {
        course: id,
        giver: viewer.id(),
        heir: to,
    };
    queue::add(&mut tx, &about, lang, now).await?;
    tx.commit().await?;
    kurso.mail.wake();
    Ok(course)
}

/// The letter to the new owner; None when the course has gone, or has gone on.
pub(crate) async fn letter(
    kurso: &Kurso,
    lang: Lang,
    course: CourseId,
    giver: UserId,
    heir: UserId,
) -> Result<Option<Letter>> {
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
    let occasion = Occasion::HandedOver {
        giver: giver.shown_name(),
        course: &title,
        link: &link,
    };
    Ok(Some(letters::write(&occasion, lang, &to, kurso.clock.now())))
}
