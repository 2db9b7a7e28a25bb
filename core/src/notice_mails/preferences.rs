//! Notice preferences: language, time zone, quiet hours, and delivery by kind of notice and by course.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::notices::choices::{Choice, Delivery, Settings, SettingsRow, resolve, settings_columns};
use crate::notices::schedule::{mail_at, push_at};
use crate::notices::{Kind, NoticeMail};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, NoticeId, UserId};
use kurso_base::messages::Lang;
use kurso_base::schedule::{QuietHours, TimeZone};
use kurso_db::{Executor, Tx, sql};

/// The maximum number of courses listed.
const MAX_COURSES: i64 = 1_000;

/// How notices of a kind are delivered to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindChoice {
    pub kind: Kind,
    pub delivery: Delivery,
    /// Whether it is the default of the kind.
    pub is_default: bool,
}

/// The choices of a person for one course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CourseChoices {
    pub course: CourseId,
    pub title: String,
    /// Only the kinds with a choice for this course.
    pub choices: Vec<KindChoice>,
}

/// All notice preferences of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preferences {
    pub settings: Settings,
    /// Whether the settings are stored; otherwise they are the defaults.
    pub is_stored: bool,
    /// One choice per kind, for all courses without a choice of their own.
    pub choices: Vec<KindChoice>,
    /// The courses in which the person learns or teaches, ordered by title.
    pub courses: Vec<CourseChoices>,
}

/// New settings.
#[derive(Clone, Copy, Debug)]
pub struct SetNoticeSettings {
    pub language: Lang,
    pub time_zone: TimeZone,
    /// None: mails and pushes are sent at any time.
    pub quiet_hours: Option<QuietHours>,
}

/// A choice for one kind; without a course, for all courses that have no choice of their own.
#[derive(Clone, Copy, Debug)]
pub struct ChooseNotices {
    pub course_id: Option<CourseId>,
    pub kind: Kind,
    pub in_app: bool,
    pub mail: NoticeMail,
    /// None: as chosen before, if it was.
    pub push: Option<bool>,
}

/// A choice to remove.
#[derive(Clone, Copy, Debug)]
pub struct ResetNotices {
    pub course_id: Option<CourseId>,
    pub kind: Kind,
}

#[derive(sqlx::FromRow)]
struct ChoiceRow {
    course_id: Option<CourseId>,
    kind: Kind,
    in_app: bool,
    mail: NoticeMail,
    push: Option<bool>,
}

/// The viewer's preferences. Three statements.
pub async fn get(kurso: &Kurso, viewer: &Viewer) -> Result<Preferences> {
    let (settings, is_stored) = settings_of(&kurso.db, viewer.id()).await?;
    let stored = &choices_of(&kurso.db, viewer.id()).await?;
    let courses = sql!(
        "SELECT id, title FROM courses WHERE id IN (
           SELECT id FROM courses WHERE owner_id = $1 UNION SELECT course_id FROM collaborators WHERE user_id = $1
           UNION SELECT course_id FROM enrollments WHERE user_id = $1) ORDER BY title, id LIMIT $2",
        viewer.id(),
        MAX_COURSES
    )
    .fetch_all::<(CourseId, String)>(&kurso.db)
    .await?;
    let chosen = |course: Option<CourseId>| {
        let of_kind = move |kind: Kind| {
            let is_chosen = |choice: &Choice| choice.kind == kind && choice.course == course;
            KindChoice {
                kind,
                delivery: resolve(kind, course, stored),
                is_default: !stored.iter().any(is_chosen),
            }
        };
        Kind::ALL.into_iter().map(of_kind)
    };
    Ok(Preferences {
        settings,
        is_stored,
        choices: chosen(None).collect(),
        courses: courses
            .into_iter()
            .map(|(course, title)| CourseChoices {
                course,
                title,
                choices: chosen(Some(course)).filter(|choice| !choice.is_default).collect(),
            })
            .collect(),
    })
}

/// The settings of a person, and whether they are stored.
pub(crate) async fn settings_of(on: impl Executor, user: UserId) -> Result<(Settings, bool)> {
    let row = sql!(
        concat!(
            "SELECT ",
            settings_columns!(),
            " FROM notice_settings s WHERE s.user_id = $1"
        ),
        user
    )
    .fetch_optional::<SettingsRow>(on)
    .await?;
    Ok(row.map_or((Settings::default(), false), |row| (row.settings(), true)))
}

/// All choices of a person.
pub(crate) async fn choices_of(on: impl Executor, user: UserId) -> Result<Vec<Choice>> {
    let rows = sql!(
        "SELECT course_id, kind, in_app, mail, push FROM notice_choices WHERE user_id = $1",
        user
    );
    let rows = rows.fetch_all::<ChoiceRow>(on).await?;
    Ok(rows
        .into_iter()
        .map(|row| Choice {
            course: row.course_id,
            kind: row.kind,
            in_app: row.in_app,
            mail: row.mail,
            push: row.push,
        })
        .collect())
}

/// Stores the settings of the viewer. Mails and pushes that are not due yet move with them.
pub async fn set_settings(kurso: &Kurso, viewer: &Viewer, new: SetNoticeSettings) -> Result<Preferences> {
    viewer.require_account()?;
    let minutes =
        |time: fn(QuietHours) -> kurso_base::schedule::DayTime| new.quiet_hours.map(|quiet| time(quiet).minutes());
    let mut tx = kurso.db.begin().await?;
    sql!(
        "INSERT INTO notice_settings (user_id, lang, time_zone, quiet_from, quiet_until) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id) DO UPDATE SET lang = excluded.lang, time_zone = excluded.time_zone,
           quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until",
        viewer.id(),
        new.language,
        new.time_zone.name(),
        minutes(QuietHours::from),
        minutes(QuietHours::until)
    )
    .execute(&mut tx)
    .await?;
    reschedule(&mut tx, viewer.id(), kurso.clock.now()).await?;
    tx.commit().await?;
    get(kurso, viewer).await
}

/// Stores a choice of the viewer. Mails and pushes that are not due yet follow it. Fails with 404 for a course to which the viewer has no relation.
pub async fn choose(kurso: &Kurso, viewer: &Viewer, choice: ChooseNotices) -> Result<Preferences> {
    viewer.require_account()?;
    if let Some(course) = choice.course_id {
        courses::find(&kurso.db, viewer, course, Right::Read).await?;
    }
    let mut tx = kurso.db.begin().await?;
    let chosen = Choice {
        course: choice.course_id,
        kind: choice.kind,
        in_app: choice.in_app,
        mail: choice.mail,
        push: choice.push,
    };
    store(&mut tx, viewer.id(), choice.course_id, &[chosen]).await?;
    reschedule(&mut tx, viewer.id(), kurso.clock.now()).await?;
    tx.commit().await?;
    get(kurso, viewer).await
}

/// Takes back a choice of the viewer, if there is one. Fails as [`choose`].
pub async fn reset(kurso: &Kurso, viewer: &Viewer, choice: ResetNotices) -> Result<Preferences> {
    viewer.require_account()?;
    if let Some(course) = choice.course_id {
        courses::find(&kurso.db, viewer, course, Right::Read).await?;
    }
    let mut tx = kurso.db.begin().await?;
    let deleted = sql!(
        "DELETE FROM notice_choices WHERE user_id = $1 AND kind = $2",
        viewer.id(),
        choice.kind
    );
    let deleted = match choice.course_id {
        Some(course) => deleted.push(" AND course_id = ").push_bind(course),
        None => deleted.push(" AND course_id IS NULL"),
    };
    deleted.execute(&mut tx).await?;
    reschedule(&mut tx, viewer.id(), kurso.clock.now()).await?;
    tx.commit().await?;
    get(kurso, viewer).await
}

/// Stores choices of a person for a course, or for all courses without one of their own. Choices that leave pushes open keep what is stored
/// about them. One statement.
pub(super) async fn store(tx: &mut Tx, user: UserId, course: Option<CourseId>, choices: &[Choice]) -> Result<()> {
    let new = sql!("INSERT INTO notice_choices (id, user_id, course_id, kind, in_app, mail, push) VALUES ")
        .push_values(choices.iter().copied(), |sql, choice| {
            let sql = sql.push_bind(Uuid::now_v7()).push(", ").push_bind(user).push(", ");
            let sql = sql.push_bind(course).push(", ").push_bind(choice.kind).push(", ");
            let sql = sql
                .push_bind(choice.in_app)
                .push(", ")
                .push_bind(choice.mail)
                .push(", ");
            sql.push_bind(choice.push)
        });
    let new = match course {
        Some(_) => new.push(" ON CONFLICT (user_id, course_id, kind) WHERE course_id IS NOT NULL"),
        None => new.push(" ON CONFLICT (user_id, kind) WHERE course_id IS NULL"),
    };
    let new = new.push(
        " DO UPDATE SET in_app = excluded.in_app, mail = excluded.mail, push = COALESCE(excluded.push, notice_choices.push)",
    );
    new.execute(tx).await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct Pending {
    id: NoticeId,
    kind: Kind,
    course_id: Option<CourseId>,
    happened_at: DateTime<Utc>,
    mail_at: Option<DateTime<Utc>>,
    push_at: Option<DateTime<Utc>>,
}

/// Returns the new due time of a mail or push: that of `new`, unless it is due already. None if `new` is none.
fn moved(due: DateTime<Utc>, new: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    if due <= now { new.map(|_| due) } else { new }
}

/// Recomputes the due times of a person's mails and pushes after a change of preferences. Those that are already due are not moved, but are
/// dropped if the person has turned them off. At most one statement per new due time, and three more.
pub(super) async fn reschedule(tx: &mut Tx, user: UserId, now: DateTime<Utc>) -> Result<()> {
    let pending = sql!(
        "SELECT id, kind, course_id, happened_at, mail_at, push_at FROM notices
         WHERE user_id = $1 AND (mail_at IS NOT NULL OR push_at IS NOT NULL)",
        user
    )
    .fetch_all::<Pending>(&mut *tx)
    .await?;
    if pending.is_empty() {
        return Ok(());
    }
    let (settings, _) = settings_of(&mut *tx, user).await?;
    let choices = choices_of(&mut *tx, user).await?;
    let mut mails: BTreeMap<Option<DateTime<Utc>>, Vec<NoticeId>> = BTreeMap::new();
    let mut pushes = mails.clone();
    for notice in pending {
        let delivery = resolve(notice.kind, notice.course_id, &choices);
        if let Some(due) = notice.mail_at {
            let new = mail_at(delivery.mail, notice.happened_at, now, &settings.hours);
            let new = moved(due, new, now);
            if new != notice.mail_at {
                mails.entry(new).or_default().push(notice.id);
            }
        }
        if let Some(due) = notice.push_at {
            let new = delivery.push.then(|| push_at(notice.happened_at, now, &settings.hours));
            let new = moved(due, new, now);
            if new != notice.push_at {
                pushes.entry(new).or_default().push(notice.id);
            }
        }
    }
    // The worker may have taken one of them meanwhile.
    for (due, notices) in mails {
        let moved = sql!(
            "UPDATE notices SET mail_at = $1 WHERE mail_at IS NOT NULL AND id IN ",
            due
        );
        moved.push_in(notices).execute(&mut *tx).await?;
    }
    for (due, notices) in pushes {
        let moved = sql!(
            "UPDATE notices SET push_at = $1 WHERE push_at IS NOT NULL AND id IN ",
            due
        );
        moved.push_in(notices).execute(&mut *tx).await?;
    }
    Ok(())
}
