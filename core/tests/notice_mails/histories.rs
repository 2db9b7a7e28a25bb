//! Random histories of notices, choices, crashing workers and a failing mail server, compared with the [`reference`](super::reference).
//!
//! `KURSO_NOTICE_HISTORIES` sets the number of histories for each database.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use kurso_base::ids::{NoticeId, UserId};
use kurso_base::messages::Lang;
use kurso_base::schedule::{DayTime, QuietHours, TimeZone};
use kurso_core::notice_mails::digest;
use kurso_core::notice_mails::preferences::{self, ChooseNotices, ResetNotices, SetNoticeSettings};
use kurso_core::notices::{Kind, NoticeMail};
use kurso_core::testing::{About, Dice, Received};
use kurso_core::{both, mailer};
use kurso_db::sql;
use uuid::Uuid;

use super::reference::{self, Person, ZONES};
use super::world::{World, killed_after};

const KINDS: [Kind; 3] = [Kind::ImportantChange, Kind::CourseCompleted, Kind::ImportDone];
const MAILS: [NoticeMail; 4] = [NoticeMail::Off, NoticeMail::Once, NoticeMail::Daily, NoticeMail::Weekly];
const STEPS: usize = 24;

/// The seeds of the histories: 1 to 150, or those of `KURSO_NOTICE_HISTORIES`, such as `10000` or `2783-2783`.
fn seeds() -> std::ops::RangeInclusive<usize> {
    #[expect(clippy::disallowed_methods, reason = "a switch of the test")]
    let set = std::env::var("KURSO_NOTICE_HISTORIES").ok();
    let set = set.unwrap_or_else(|| "150".to_owned());
    let (first, last) = set.split_once('-').unwrap_or(("1", &set));
    let number = |text: &str| text.parse().expect("a number of histories");
    number(first)..=number(last)
}

/// One history: the state of the server, and the reference model.
struct History<'a> {
    world: &'a World,
    dice: Dice,
    people: Vec<Person>,
    /// The number of mails that the mail server has accepted so far, in all histories.
    seen: usize,
    /// Received mails, to distinguish a second copy of a mail from a second mail.
    received: BTreeSet<Uuid>,
    /// When each mail was queued. The server retries for [`RETRY_WINDOW`], and then gives a mail up.
    queued: BTreeMap<Uuid, DateTime<Utc>>,
    log: Vec<String>,
}

/// How long sending is retried (docs/operations.md). A history may leap so far that the mail server failed at the only attempts.
const RETRY_WINDOW: Duration = Duration::days(3);

impl History<'_> {
    fn now(&self) -> DateTime<Utc> {
        self.world.kurso.clock.now()
    }

    fn note(&mut self, what: String) {
        let now = self.now();
        self.log.push(format!("{now}: {what}"));
    }

    async fn step(&mut self) {
        let at = self.dice.roll(self.people.len());
        match self.dice.roll(20) {
            0..=5 => self.arrive(at).await,
            6 => self.read(at).await,
            7 => self.withdraw(at).await,
            8..=9 => self.choose(at).await,
            10 => self.set(at).await,
            11 => self.leave_or_join(at).await,
            12..=13 => self.collect().await,
            14..=15 => self.send().await,
            _ => {
                let minutes = match self.dice.roll(4) {
                    0 => 1 + self.dice.roll(3),
                    1 => 1 + self.dice.roll(60),
                    2 => 60 * (1 + self.dice.roll(12)),
                    _ => 60 * (1 + self.dice.roll(60)),
                };
                self.world.kurso.clock.advance(Duration::minutes(minutes as i64));
                self.note(format!("{minutes} minutes later"));
                self.collect().await;
                self.send().await;
            }
        }
        self.compare().await;
    }

    async fn arrive(&mut self, at: usize) {
        let kind = KINDS[self.dice.roll(KINDS.len())];
        let course = &self.world.courses[self.dice.roll(self.world.courses.len())];
        let user = self.world.people[at].id();
        let (subject, page, link) = match kind {
            Kind::ImportantChange => {
                let page = course.pages[self.dice.roll(course.pages.len())];
                (page.0, Some(page), format!("/view-page/{page}"))
            }
            Kind::CourseCompleted => {
                let learner = course.learners[self.dice.roll(course.learners.len())].0;
                let link = format!("/edit-course/{}?tab=students&student={learner}", course.id);
                (learner, None, link)
            }
            _ => {
                let job = Uuid::now_v7();
                self.finished_import(job, user).await;
                (job, None, format!("/import?job={job}"))
            }
        };
        let link = format!("https://kurso.example{link}");
        if self.people[at].notices.values().any(|notice| notice.link == link) {
            return;
        }
        let about = About {
            kind,
            subject,
            course: Some(course.id).filter(|_| kind != Kind::ImportDone),
            page,
            actor: None,
        };
        let now = self.now();
        let (id, _) = self.world.kurso.notice(user, about).await;
        self.people[at].arrives(id, kind, about.course, link, now);
        self.note(format!("{at} gets {id} of {kind:?}"));
    }

    async fn finished_import(&self, job: Uuid, user: UserId) {
        sql!(
            "INSERT INTO jobs (id, kind, owner_id, state, payload, wanted_at, created_at, updated_at)
             VALUES ($1, 'import', $2, 'done', '{}', $3, $3, $3)",
            job,
            user,
            self.now()
        )
        .execute(&self.world.kurso.db)
        .await
        .unwrap();
    }

    /// A random notice of the person.
    fn any(&mut self, at: usize) -> Option<NoticeId> {
        let ids: Vec<NoticeId> = self.people[at].notices.keys().copied().collect();
        (!ids.is_empty()).then(|| ids[self.dice.roll(ids.len())])
    }

    async fn read(&mut self, at: usize) {
        let Some(id) = self.any(at) else { return };
        sql!("UPDATE notices SET read_at = $2 WHERE id = $1", id, self.now())
            .execute(&self.world.kurso.db)
            .await
            .unwrap();
        self.people[at].notices.get_mut(&id).unwrap().is_read = true;
        self.note(format!("{at} reads {id}"));
    }

    async fn withdraw(&mut self, at: usize) {
        let Some(id) = self.any(at) else { return };
        sql!("DELETE FROM notices WHERE id = $1", id)
            .execute(&self.world.kurso.db)
            .await
            .unwrap();
        self.people[at].notices.remove(&id);
        self.note(format!("{id} of {at} is withdrawn"));
    }

    async fn choose(&mut self, at: usize) {
        let kind = KINDS[self.dice.roll(KINDS.len())];
        let course = match self.dice.roll(3) {
            0 => None,
            n => Some(self.world.courses[n - 1].id),
        };
        if course.is_some_and(|course| self.people[at].left.contains(&course)) {
            return;
        }
        let (kurso, viewer) = (&self.world.kurso, &self.world.people[at]);
        let now = self.now();
        if self.dice.roll(4) == 0 {
            let choice = ResetNotices {
                course_id: course,
                kind,
            };
            preferences::reset(kurso, viewer, choice).await.unwrap();
            self.people[at].choices.remove(&(course, kind));
            self.note(format!("{at} resets {kind:?} {course:?}"));
        } else {
            let mail = MAILS[self.dice.roll(MAILS.len())];
            let choice = ChooseNotices {
                course_id: course,
                kind,
                in_app: true,
                mail,
                push: None,
            };
            preferences::choose(kurso, viewer, choice).await.unwrap();
            self.people[at].choices.insert((course, kind), mail);
            self.note(format!("{at} chooses {mail:?} for {kind:?} {course:?}"));
        }
        self.people[at].changed(now);
    }

    async fn set(&mut self, at: usize) {
        let (name, east) = ZONES[self.dice.roll(ZONES.len())];
        let quiet = (self.dice.roll(3) > 0).then(|| {
            let from = self.dice.roll(1440) as i32;
            let length = [30, 480, 720, 1439][self.dice.roll(4)];
            (from, (from + length) % 1440)
        });
        let time = |minutes: i32| DayTime::of_minutes(minutes).unwrap();
        let new = SetNoticeSettings {
            language: Lang::En,
            time_zone: TimeZone::named(name).unwrap(),
            quiet_hours: quiet.and_then(|(from, until)| QuietHours::new(time(from), time(until))),
        };
        preferences::set_settings(&self.world.kurso, &self.world.people[at], new)
            .await
            .unwrap();
        let now = self.now();
        self.people[at].clock = reference::Clock {
            east,
            quiet: quiet.map(|(from, until)| (i64::from(from), i64::from(until))),
        };
        self.people[at].changed(now);
        self.note(format!("{at} lives in {name} with quiet hours {quiet:?}"));
    }

    async fn leave_or_join(&mut self, at: usize) {
        let course = self.world.courses[self.dice.roll(2)].id;
        let user = self.world.people[at].id();
        if self.people[at].left.remove(&course) {
            self.world.join(course, user).await;
        } else {
            self.world.leave(course, user).await;
            self.people[at].left.insert(course);
        }
        self.note(format!("{at} leaves or joins {course}"));
    }

    /// Runs the workers of both nodes; some of them crash.
    async fn collect(&mut self) {
        let [first, second] = &self.world.working;
        for _ in 0..self.dice.roll(3) {
            killed_after(self.dice.roll(60), digest::queue_due(first)).await;
        }
        let (one, two) = tokio::join!(digest::queue_due(first), digest::queue_due(second));
        // SQLite allows one writer, and on PostgreSQL another transaction may have taken the rows; neither is an error.
        one.unwrap();
        two.unwrap();
        let now = self.now();
        self.note("workers collect".to_owned());
        for person in &mut self.people {
            person.collected(now);
        }
        self.identify().await;
    }

    /// Matches the mails that the reference has queued with the rows of the queue.
    async fn identify(&mut self) {
        let rows = sql!("SELECT id, about FROM mails").fetch_all::<(Uuid, String)>(&self.world.kurso.db);
        let mut rows: BTreeMap<Uuid, String> = rows.await.unwrap().into_iter().collect();
        // A node may have crashed after the mail server accepted a mail, before deleting the row.
        rows.retain(|id, _| !self.received.contains(id));
        for person in &self.people {
            for (id, _) in &person.mails {
                id.map(|id| rows.remove(&id));
            }
        }
        for (id, about) in rows {
            let about: serde_json::Value = serde_json::from_str(&about).unwrap();
            let user: UserId = serde_json::from_value(about["notices"]["user"].clone()).unwrap();
            let notices: Vec<NoticeId> = serde_json::from_value(about["notices"]["notices"].clone()).unwrap();
            let at = self.world.people.iter().position(|person| person.id() == user).unwrap();
            let set: BTreeSet<NoticeId> = notices.iter().copied().collect();
            assert_eq!(set.len(), notices.len(), "{}", self.log.join("\n"));
            let mut expected = self.people[at].mails.iter_mut();
            let found = expected.find(|(known, mail)| known.is_none() && *mail == set);
            let (known, _) =
                found.unwrap_or_else(|| panic!("an unexpected mail to {at}: {set:?}\n{}", self.log.join("\n")));
            *known = Some(id);
            self.queued.insert(id, self.world.kurso.clock.now());
        }
        for (at, person) in self.people.iter().enumerate() {
            let lost: Vec<_> = person.mails.iter().filter(|(id, _)| id.is_none()).collect();
            assert!(
                lost.is_empty(),
                "{at} lacks the mails {lost:?}\n{}",
                self.log.join("\n")
            );
        }
    }

    /// Sends mails through a node whose mail server works or fails, or that crashes.
    async fn send(&mut self) {
        let working = &self.world.working[self.dice.roll(2)];
        match self.dice.roll(4) {
            0 => mailer::send_due(&self.world.failing).await.unwrap(),
            1 => killed_after(self.dice.roll(80), mailer::send_due(working)).await,
            2 => {
                let [first, second] = &self.world.working;
                let (one, two) = tokio::join!(mailer::send_due(first), mailer::send_due(second));
                one.unwrap();
                two.unwrap();
            }
            _ => mailer::send_due(working).await.unwrap(),
        }
        self.note("mails are sent".to_owned());
        self.receive().await;
    }

    /// Compares the received mails with the reference.
    async fn receive(&mut self) {
        let received = self.world.server.received();
        let log = self.log.join("\n");
        for mail in &received[self.seen..] {
            let head = String::from_utf8_lossy(&mail.data);
            let id = head
                .lines()
                .find_map(|line| line.strip_prefix("Message-ID: <"))
                .unwrap();
            let id: Uuid = id.split('@').next().unwrap().parse().unwrap();
            let read = Received::read(&mail.data);
            let lines = read.text.lines().map(str::trim);
            let links: Vec<String> = lines
                .clone()
                .zip(lines.skip(1))
                .filter(|(text, _)| text.starts_with("- "))
                .map(|(_, link)| link.to_owned())
                .collect();
            let said: BTreeSet<String> = links.iter().cloned().collect();
            assert_eq!(said.len(), links.len(), "a notice is twice in a mail\n{log}");
            if self.received.contains(&id) {
                continue; // a node died after the server took it, before it could note that
            }
            let person = self.people.iter_mut().zip(&self.world.people);
            let (person, _) = person
                .into_iter()
                .find(|(_, viewer)| viewer.user.email == read.to)
                .unwrap();
            let mail = person.mails.iter().position(|(known, _)| *known == Some(id));
            let mail = mail.unwrap_or_else(|| panic!("a mail that is not expected: {read:?}\n{log}"));
            assert_eq!(said, person.said(&person.mails[mail].1), "{log}");
            person.mails.remove(mail);
            self.received.insert(id);
        }
        self.seen = received.len();
        // Mails that left the queue without being sent had no notices left.
        let rows = sql!("SELECT id FROM mails")
            .fetch_all::<(Uuid,)>(&self.world.kurso.db)
            .await
            .unwrap();
        let rows: BTreeSet<Uuid> = rows.into_iter().map(|(id,)| id).collect();
        let now = self.now();
        for person in &mut self.people {
            let gone = |id: &Option<Uuid>| id.is_none_or(|id| !rows.contains(&id));
            let is_given_up = |id: &Option<Uuid>| {
                let queued = id.and_then(|id| self.queued.get(&id));
                queued.is_some_and(|queued| now - *queued > RETRY_WINDOW)
            };
            let lost = person.mails.iter().filter(|(id, _)| gone(id) && !is_given_up(id));
            for (_, mail) in lost {
                assert_eq!(person.said(mail), BTreeSet::new(), "a mail is lost\n{log}");
            }
            person.mails.retain(|(id, _)| !gone(id));
        }
    }

    /// Asserts that each notice is due when the reference says.
    async fn compare(&self) {
        let rows = sql!("SELECT id, mail_at FROM notices")
            .fetch_all::<(NoticeId, Option<DateTime<Utc>>)>(&self.world.kurso.db)
            .await
            .unwrap();
        let stored: BTreeMap<NoticeId, Option<DateTime<Utc>>> = rows.into_iter().collect();
        let notices = self.people.iter().flat_map(|person| &person.notices);
        let expected = notices.map(|(id, notice)| (*id, notice.due)).collect();
        assert_eq!(stored, expected, "{}", self.log.join("\n"));
    }

    /// Advances the clock until all due mails have been sent.
    async fn finish(&mut self) {
        for _ in 0..200 {
            let notices = self.people.iter().flat_map(|person| person.notices.values());
            let next = notices.filter_map(|notice| notice.due).min();
            let queued = self.people.iter().any(|person| !person.mails.is_empty());
            // A mail waits for at most an hour after a failure, and for its lease after a crash.
            let retry = queued.then(|| self.now() + Duration::minutes(63));
            let Some(next) = next.into_iter().chain(retry).min() else {
                break;
            };
            let now = self.now();
            self.world.kurso.clock.advance((next - now).max(Duration::zero()));
            self.note("later".to_owned());
            self.collect().await;
            self.compare().await;
            mailer::send_due(&self.world.working[0]).await.unwrap();
            self.receive().await;
        }
        let log = self.log.join("\n");
        for person in &self.people {
            assert!(
                person.mails.is_empty(),
                "mails are never sent: {:?}\n{log}",
                person.mails
            );
            let waits = person.notices.values().find(|notice| notice.due.is_some());
            assert!(waits.is_none(), "a mail is never due: {waits:?}\n{log}");
        }
    }
}

both! {
    async fn each_notice_is_mailed_once_at_the_chosen_time(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let mut received = BTreeSet::new();
        for seed in seeds() {
            world.reset().await;
            let mut history = History {
                world: &world,
                dice: Dice::new(seed as u64 * 7919),
                people: vec![Person::default(); world.people.len()],
                seen: world.server.received().len(),
                received: std::mem::take(&mut received),
                queued: BTreeMap::new(),
                log: vec![format!("seed {seed}")],
            };
            for _ in 0..STEPS {
                history.step().await;
            }
            history.finish().await;
            received = history.received;
        }
        assert!(received.len() >= seeds().count(), "only {} mails", received.len());
    }
}
