//! How people want notices to be delivered: by their choice for the course, else by their choice for all courses, else by the default of the kind.
//! A choice may leave pushes open; then the next of these decides about them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::kind::Kind;
use super::schedule::{self, Hours, NoticeMail};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, UserId};
use kurso_base::messages::Lang;
use kurso_base::schedule::{DayTime, QuietHours, TimeZone};
use kurso_db::{Tx, sql};

/// How notices of a kind are delivered to a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Whether they appear in the list of notices.
    pub in_app: bool,
    pub mail: NoticeMail,
    /// Whether they are pushed to the devices of the person, if there are any.
    pub push: bool,
}

/// The delivery of one notice: whether it appears in the list, and when its mail and its push are due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channels {
    pub in_app: bool,
    pub mail_at: Option<DateTime<Utc>>,
    pub push_at: Option<DateTime<Utc>>,
}

/// A stored choice; without a course, for all courses that have no choice of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub course: Option<CourseId>,
    pub kind: Kind,
    pub in_app: bool,
    pub mail: NoticeMail,
    /// None if the choice leaves it open.
    pub push: Option<bool>,
}

/// The language and clock of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub lang: Lang,
    pub hours: Hours,
}

/// The defaults: mails are Russian unless the person has chosen English.
impl Default for Settings {
    fn default() -> Self {
        Settings {
            lang: Lang::Ru,
            hours: Hours::default(),
        }
    }
}

/// The default delivery of a kind.
pub fn default_of(kind: Kind) -> Delivery {
    let mail = match kind {
        Kind::Graded
        | Kind::Returned
        | Kind::ResultChanged
        | Kind::AttemptGiven
        | Kind::DeadlineNear
        | Kind::Mention
        | Kind::Announcement
        | Kind::Nudge
        | Kind::Answered
        | Kind::Reported => NoticeMail::Once,
        Kind::Comment | Kind::ImportantChange | Kind::Asked => NoticeMail::Daily,
        Kind::CourseCompleted => NoticeMail::Weekly,
        // An invitation has a mail of its own, and whoever imports is watching.
        Kind::Invited | Kind::ImportDone => NoticeMail::Off,
    };
    Delivery {
        in_app: true,
        mail,
        push: is_pushed_by_default(kind),
    }
}

/// Whether notices of a kind are pushed unless the person chooses otherwise: those about the person's own work, or written to the person.
fn is_pushed_by_default(kind: Kind) -> bool {
    match kind {
        Kind::Graded
        | Kind::Returned
        | Kind::AttemptGiven
        | Kind::DeadlineNear
        | Kind::Mention
        | Kind::Announcement
        | Kind::Nudge
        | Kind::Answered => true,
        Kind::ResultChanged
        | Kind::ImportantChange
        | Kind::Comment
        | Kind::Invited
        | Kind::ImportDone
        | Kind::CourseCompleted
        | Kind::Asked
        | Kind::Reported => false,
    }
}

/// Resolves the delivery of a notice to a person with these choices.
pub fn resolve(kind: Kind, course: Option<CourseId>, choices: &[Choice]) -> Delivery {
    let chosen = |course: Option<CourseId>| {
        let mut found = choices.iter();
        found.find(|choice| choice.kind == kind && choice.course == course)
    };
    let (of_course, of_all) = (course.and_then(|course| chosen(Some(course))), chosen(None));
    let default = default_of(kind);
    let push = of_course.and_then(|choice| choice.push);
    let push = push.or_else(|| of_all.and_then(|choice| choice.push));
    let chosen = of_course.or(of_all);
    Delivery {
        in_app: chosen.map_or(default.in_app, |choice| choice.in_app),
        mail: chosen.map_or(default.mail, |choice| choice.mail),
        push: push.unwrap_or(default.push),
    }
}

/// The columns of a [`SettingsRow`], all null for a person without settings.
macro_rules! settings_columns {
    () => {
        "s.lang AS stored_lang, s.time_zone, s.quiet_from, s.quiet_until"
    };
}
pub(crate) use settings_columns;

/// The stored settings of a person.
#[derive(sqlx::FromRow)]
pub(crate) struct SettingsRow {
    stored_lang: Option<Lang>,
    time_zone: Option<String>,
    quiet_from: Option<i32>,
    quiet_until: Option<i32>,
}

impl SettingsRow {
    /// A zone that this release does not know is read as UTC, like that of a course.
    pub fn settings(&self) -> Settings {
        let zone = self.time_zone.as_deref().and_then(TimeZone::named);
        let time = |minutes: Option<i32>| minutes.and_then(DayTime::of_minutes);
        let quiet = time(self.quiet_from).zip(time(self.quiet_until));
        Settings {
            lang: self.stored_lang.unwrap_or(Settings::default().lang),
            hours: Hours {
                zone: zone.unwrap_or(TimeZone::UTC),
                quiet: quiet.and_then(|(from, until)| QuietHours::new(from, until)),
            },
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: UserId,
    #[sqlx(flatten)]
    settings: SettingsRow,
    course_id: Option<CourseId>,
    in_app: Option<bool>,
    mail: Option<NoticeMail>,
    push: Option<bool>,
    has_devices: bool,
    is_guest: bool,
}

/// What decides about the delivery to a person.
struct Wishes {
    hours: Hours,
    has_devices: bool,
    /// False for guests.
    has_address: bool,
    choices: Vec<Choice>,
}

/// The number of people per statement; SQLite allows 32,766 parameters.
const BATCH: usize = 10_000;

/// Resolves the delivery of a notice of this kind, which happens now, to these people. One statement per 10,000 people.
pub async fn channels_of(
    tx: &mut Tx,
    users: &[UserId],
    kind: Kind,
    course: Option<CourseId>,
    now: DateTime<Utc>,
) -> Result<HashMap<UserId, Channels>> {
    let mut people: HashMap<UserId, Wishes> = HashMap::new();
    for users in users.chunks(BATCH) {
        let rows = sql!(
            concat!(
                "SELECT u.id AS user_id, ",
                settings_columns!(),
                ", c.course_id, c.in_app, c.mail, c.push,
                   EXISTS (SELECT 1 FROM push_devices d WHERE d.user_id = u.id) AS has_devices, u.is_guest FROM users u LEFT JOIN notice_settings s ON s.user_id = u.id
                 LEFT JOIN notice_choices c ON c.user_id = u.id AND c.kind = $1 AND (c.course_id IS NULL OR c.course_id = $2)
                 WHERE u.id IN "
            ),
            kind,
            course
        )
        .push_in(users.iter().copied())
        .fetch_all::<Row>(&mut *tx)
        .await?;
        for row in rows {
            let wishes = people.entry(row.user_id).or_insert_with(|| Wishes {
                hours: row.settings.settings().hours,
                has_devices: row.has_devices,
                has_address: !row.is_guest,
                choices: vec![],
            });
            wishes
                .choices
                .extend(row.in_app.zip(row.mail).map(|(in_app, mail)| Choice {
                    course: row.course_id,
                    kind,
                    in_app,
                    mail,
                    push: row.push,
                }));
        }
    }
    let channels = people.into_iter().map(|(user, wishes)| {
        let delivery = resolve(kind, course, &wishes.choices);
        let is_pushed = delivery.push && wishes.has_devices;
        let channels = Channels {
            in_app: delivery.in_app,
            mail_at: schedule::mail_at(delivery.mail, now, now, &wishes.hours).filter(|_| wishes.has_address),
            push_at: is_pushed.then(|| schedule::push_at(now, now, &wishes.hours)),
        };
        (user, channels)
    });
    Ok(channels.collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::both;

    fn course(number: u128) -> CourseId {
        CourseId(Uuid::from_u128(number))
    }

    /// What a choice says: list, mail and push.
    fn delivery() -> impl Strategy<Value = (bool, NoticeMail, Option<bool>)> {
        let mails = [NoticeMail::Off, NoticeMail::Once, NoticeMail::Daily, NoticeMail::Weekly];
        (any::<bool>(), 0..mails.len(), any::<Option<bool>>())
            .prop_map(move |(in_app, mail, push)| (in_app, mails[mail], push))
    }

    fn choice(course: Option<CourseId>, kind: Kind, (in_app, mail, push): (bool, NoticeMail, Option<bool>)) -> Choice {
        Choice {
            course,
            kind,
            in_app,
            mail,
            push,
        }
    }

    /// Choices as the database keeps them: at most one for each kind and course.
    fn choices() -> impl Strategy<Value = Vec<Choice>> {
        let key = (0..4_u128, 0..Kind::ALL.len());
        proptest::collection::hash_map(key, delivery(), 0..20).prop_map(|chosen| {
            let chosen = chosen
                .into_iter()
                .map(|((number, kind), says)| choice((number > 0).then(|| course(number)), Kind::ALL[kind], says));
            chosen.collect()
        })
    }

    proptest! {
        #[test]
        fn a_course_choice_precedes_the_general_choice_and_the_default(
            choices in choices(), number in 0..5_u128, kind in 0..Kind::ALL.len()
        ) {
            let (kind, about) = (Kind::ALL[kind], (number > 0).then(|| course(number)));
            let stored = |of: Option<CourseId>| {
                choices.iter().find(|choice| choice.kind == kind && choice.course == of)
            };
            let default = default_of(kind);
            let (of_course, of_all) = (about.and_then(|course| stored(Some(course))), stored(None));
            let (in_app, mail) = match (of_course, of_all) {
                (Some(choice), _) | (None, Some(choice)) => (choice.in_app, choice.mail),
                (None, None) => (default.in_app, default.mail),
            };
            let push = match (of_course.map(|choice| choice.push), of_all.map(|choice| choice.push)) {
                (Some(Some(push)), _) | (Some(None) | None, Some(Some(push))) => push,
                _ => default.push,
            };
            prop_assert_eq!(resolve(kind, about, &choices), Delivery { in_app, mail, push });
        }

        #[test]
        fn a_choice_for_another_kind_or_course_changes_nothing(
            choices in choices(), other in delivery(), kind in 0..Kind::ALL.len()
        ) {
            let (kind, about) = (Kind::ALL[kind], Some(course(1)));
            let without: Vec<Choice> = choices.iter().copied()
                .filter(|choice| choice.kind == kind && choice.course.is_none_or(|of| of == course(1)))
                .collect();
            prop_assert_eq!(resolve(kind, about, &choices), resolve(kind, about, &without));
            let mut more = without.clone();
            more.push(choice(Some(course(9)), kind, other));
            prop_assert_eq!(resolve(kind, about, &more), resolve(kind, about, &without));
        }
    }

    #[test]
    fn by_default_all_kinds_are_listed_and_urgent_ones_mailed_at_once() {
        let mailed = |mail: NoticeMail| {
            let kinds = Kind::ALL.into_iter().filter(|kind| default_of(*kind).mail == mail);
            kinds.map(Kind::name).collect::<Vec<_>>()
        };
        assert!(Kind::ALL.into_iter().all(|kind| default_of(kind).in_app));
        assert_eq!(
            mailed(NoticeMail::Once),
            [
                "graded",
                "returned",
                "result_changed",
                "attempt_given",
                "deadline_near",
                "mention",
                "announcement",
                "nudge",
                "answered",
                "reported"
            ]
        );
        assert_eq!(mailed(NoticeMail::Daily), ["important_change", "comment", "asked"]);
        assert_eq!(mailed(NoticeMail::Weekly), ["course_completed"]);
        assert_eq!(mailed(NoticeMail::Off), ["invited", "import_done"]);
        let pushed = Kind::ALL.into_iter().filter(|kind| default_of(*kind).push);
        assert_eq!(
            pushed.map(Kind::name).collect::<Vec<_>>(),
            [
                "graded",
                "returned",
                "attempt_given",
                "deadline_near",
                "mention",
                "announcement",
                "nudge",
                "answered"
            ]
        );
    }

    both! {
        async fn delivery_to_many_people_is_resolved_in_one_statement(kurso: TestKurso) {
            let course = kurso.course(&kurso.person("owner").await, &[]).await;
            let [anna, boris, vera] = [kurso.person("anna").await, kurso.person("boris").await, kurso.person("vera").await];
            for (person, of, mail, push) in [
                (&anna, None, "off", Some(true)),
                (&boris, None, "off", Some(false)),
                (&boris, Some(course), "daily", None),
            ] {
                sql!(
                    "INSERT INTO notice_choices (id, user_id, course_id, kind, in_app, mail, push)
                     VALUES ($1, $2, $3, 'graded', FALSE, $4, $5)",
                    Uuid::now_v7(),
                    person.id(),
                    of,
                    mail,
                    push
                )
                .execute(&kurso.db)
                .await
                .unwrap();
            }
            let now = kurso.clock.now();
            for person in [&boris, &vera] {
                sql!(
                    "INSERT INTO push_devices (id, user_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at) VALUES ($1, $2, $3, '', '', '', $4, $4)",
                    Uuid::now_v7(),
                    person.id(),
                    person.id().to_string(),
                    now
                )
                .execute(&kurso.db)
                .await
                .unwrap();
            }
            let mut tx = kurso.db.begin().await.unwrap();
            let before = kurso.db.statements();
            let users = [anna.id(), boris.id(), vera.id(), UserId::new()];
            let channels = channels_of(&mut tx, &users, Kind::Graded, Some(course), now).await.unwrap();
            assert_eq!(kurso.db.statements() - before, 1);
            let channel = |in_app, mail_at, push_at| Channels { in_app, mail_at, push_at };
            let morning = "2026-11-22T08:00:00Z".parse().ok();
            assert_eq!(channels.len(), 3, "nobody is told who does not exist");
            assert_eq!(channels[&anna.id()], channel(false, None, None), "no device");
            assert_eq!(channels[&boris.id()], channel(false, morning, None), "turned off for all courses");
            assert_eq!(channels[&vera.id()], channel(true, Some(now + schedule::PAUSE), Some(now + schedule::PUSH_PAUSE)));
        }
    }
}
