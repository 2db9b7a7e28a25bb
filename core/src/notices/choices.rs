//! How people want notices to be delivered: by their choice for the course, else by their choice for all courses, else by the default of the kind.

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
}

/// The delivery of one notice: whether it appears in the list, and when its mail is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channels {
    pub in_app: bool,
    pub mail_at: Option<DateTime<Utc>>,
}

/// A stored choice; without a course, for all courses that have no choice of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub course: Option<CourseId>,
    pub kind: Kind,
    pub delivery: Delivery,
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
    Delivery { in_app: true, mail }
}

/// Resolves the delivery of a notice to a person with these choices.
pub fn resolve(kind: Kind, course: Option<CourseId>, choices: &[Choice]) -> Delivery {
    let chosen = |course: Option<CourseId>| {
        let mut found = choices.iter();
        found.find(|choice| choice.kind == kind && choice.course == course)
    };
    let of_course = course.and_then(|course| chosen(Some(course)));
    of_course
        .or_else(|| chosen(None))
        .map_or(default_of(kind), |choice| choice.delivery)
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
    let mut people: HashMap<UserId, (Hours, Vec<Choice>)> = HashMap::new();
    for users in users.chunks(BATCH) {
        let rows = sql!(
            concat!(
                "SELECT u.id AS user_id, ",
                settings_columns!(),
                ", c.course_id, c.in_app, c.mail FROM users u LEFT JOIN notice_settings s ON s.user_id = u.id
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
            let (_, choices) = people
                .entry(row.user_id)
                .or_insert_with(|| (row.settings.settings().hours, vec![]));
            choices.extend(row.in_app.zip(row.mail).map(|(in_app, mail)| Choice {
                course: row.course_id,
                kind,
                delivery: Delivery { in_app, mail },
            }));
        }
    }
    let channels = people.into_iter().map(|(user, (hours, choices))| {
        let delivery = resolve(kind, course, &choices);
        let channels = Channels {
            in_app: delivery.in_app,
            mail_at: schedule::mail_at(delivery.mail, now, now, &hours),
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

    fn delivery() -> impl Strategy<Value = Delivery> {
        let mails = [NoticeMail::Off, NoticeMail::Once, NoticeMail::Daily, NoticeMail::Weekly];
        (any::<bool>(), 0..mails.len()).prop_map(move |(in_app, mail)| Delivery {
            in_app,
            mail: mails[mail],
        })
    }

    /// Choices as the database keeps them: at most one for each kind and course.
    fn choices() -> impl Strategy<Value = Vec<Choice>> {
        let key = (0..4_u128, 0..Kind::ALL.len());
        proptest::collection::hash_map(key, delivery(), 0..20).prop_map(|chosen| {
            let choice = |((number, kind), delivery): ((u128, usize), Delivery)| Choice {
                course: (number > 0).then(|| course(number)),
                kind: Kind::ALL[kind],
                delivery,
            };
            chosen.into_iter().map(choice).collect()
        })
    }

    proptest! {
        #[test]
        fn a_course_choice_precedes_the_general_choice_and_the_default(
            choices in choices(), number in 0..5_u128, kind in 0..Kind::ALL.len()
        ) {
            let (kind, about) = (Kind::ALL[kind], (number > 0).then(|| course(number)));
            let stored = |of: Option<CourseId>| {
                choices.iter().filter(|choice| choice.kind == kind && choice.course == of).map(|choice| choice.delivery).next()
            };
            let expected = match (about.and_then(|course| stored(Some(course))), stored(None)) {
                (Some(delivery), _) | (None, Some(delivery)) => delivery,
                (None, None) => default_of(kind),
            };
            prop_assert_eq!(resolve(kind, about, &choices), expected);
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
            more.push(Choice { course: Some(course(9)), kind, delivery: other });
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
    }

    both! {
        async fn delivery_to_many_people_is_resolved_in_one_statement(kurso: TestKurso) {
            let course = kurso.course(&kurso.person("owner").await, &[]).await;
            let [anna, boris, vera] = [kurso.person("anna").await, kurso.person("boris").await, kurso.person("vera").await];
            for (person, of, mail) in [(&anna, None, "off"), (&boris, None, "off"), (&boris, Some(course), "daily")] {
                sql!(
                    "INSERT INTO notice_choices (id, user_id, course_id, kind, in_app, mail) VALUES ($1, $2, $3, 'graded', FALSE, $4)",
                    Uuid::now_v7(),
                    person.id(),
                    of,
                    mail
                )
                .execute(&kurso.db)
                .await
                .unwrap();
            }
            let now = kurso.clock.now();
            let mut tx = kurso.db.begin().await.unwrap();
            let before = kurso.db.statements();
            let users = [anna.id(), boris.id(), vera.id(), UserId::new()];
            let channels = channels_of(&mut tx, &users, Kind::Graded, Some(course), now).await.unwrap();
            assert_eq!(kurso.db.statements() - before, 1);
            let channel = |in_app, mail_at| Channels { in_app, mail_at };
            let morning = "2026-11-22T08:00:00Z".parse().ok();
            assert_eq!(channels.len(), 3, "nobody is told who does not exist");
            assert_eq!(channels[&anna.id()], channel(false, None));
            assert_eq!(channels[&boris.id()], channel(false, morning));
            assert_eq!(channels[&vera.id()], channel(true, Some(now + schedule::PAUSE)));
        }
    }
}
