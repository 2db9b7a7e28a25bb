//! A slow and simple reference model of notice mails: choices, due times and queued mails. It finds the due time of a mail minute by minute, in
//! zones whose clocks never change, and shares no code with the server.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike as _, Duration, Timelike as _, Utc, Weekday};
use kurso_base::ids::{CourseId, NoticeId};
use kurso_core::notices::{Kind, NoticeMail};
use uuid::Uuid;

/// Zones with their minutes east of UTC.
pub const ZONES: [(&str, i64); 6] = [
    ("UTC", 0),
    ("Europe/Moscow", 180),
    ("Asia/Kathmandu", 345),
    ("Pacific/Kiritimati", 840),
    ("Pacific/Pago_Pago", -660),
    ("America/Bogota", -300),
];

#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    pub east: i64,
    /// The first and the last minute of the local day plus one.
    pub quiet: Option<(i64, i64)>,
}

impl Clock {
    fn is_quiet(self, at: DateTime<Utc>) -> bool {
        let local = at + Duration::minutes(self.east);
        let minute = i64::from(local.hour() * 60 + local.minute());
        match self.quiet {
            None => false,
            Some((from, until)) if from < until => from <= minute && minute < until,
            Some((from, until)) => from <= minute || minute < until,
        }
    }

    /// The first minute from `at` on that is not quiet.
    fn after_quiet(self, mut at: DateTime<Utc>) -> DateTime<Utc> {
        while self.is_quiet(at) {
            at += Duration::minutes(1);
        }
        at
    }

    fn due(self, mail: NoticeMail, happened: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let mut at = now;
        let is_reached = |at: DateTime<Utc>| {
            let local = at + Duration::minutes(self.east);
            let is_morning = local.hour() == 8 && local.minute() == 0;
            match mail {
                NoticeMail::Off => true,
                NoticeMail::Once => at >= happened + Duration::minutes(2),
                NoticeMail::Daily => is_morning,
                NoticeMail::Weekly => is_morning && local.weekday() == Weekday::Mon,
            }
        };
        while !is_reached(at) {
            at += Duration::minutes(1);
        }
        (mail != NoticeMail::Off).then(|| self.after_quiet(at))
    }
}

#[derive(Clone, Debug)]
pub struct Notice {
    pub kind: Kind,
    pub course: Option<CourseId>,
    pub happened: DateTime<Utc>,
    pub is_read: bool,
    pub due: Option<DateTime<Utc>>,
    /// The link of its line in a mail.
    pub link: String,
}

#[derive(Clone, Debug, Default)]
pub struct Person {
    pub clock: Clock,
    pub choices: BTreeMap<(Option<CourseId>, Kind), NoticeMail>,
    /// The courses that the person has left.
    pub left: BTreeSet<CourseId>,
    pub notices: BTreeMap<NoticeId, Notice>,
    /// The queued mails with their IDs, which are unknown at first.
    pub mails: Vec<(Option<Uuid>, BTreeSet<NoticeId>)>,
}

fn default_of(kind: Kind) -> NoticeMail {
    match kind {
        Kind::ImportantChange => NoticeMail::Daily,
        Kind::CourseCompleted => NoticeMail::Weekly,
        Kind::ImportDone => NoticeMail::Off,
        _ => panic!("no kind of these tests"),
    }
}

impl Person {
    pub fn chosen(&self, kind: Kind, course: Option<CourseId>) -> NoticeMail {
        let of_course = course.and_then(|course| self.choices.get(&(Some(course), kind)));
        let own = of_course.or_else(|| self.choices.get(&(None, kind)));
        own.copied().unwrap_or(default_of(kind))
    }

    /// Records an event that happens now. Returns when its mail is due.
    pub fn arrives(&mut self, id: NoticeId, kind: Kind, course: Option<CourseId>, link: String, now: DateTime<Utc>) {
        let due = self.clock.due(self.chosen(kind, course), now, now);
        let notice = Notice {
            kind,
            course,
            happened: now,
            is_read: false,
            due,
            link,
        };
        self.notices.insert(id, notice);
    }

    /// Applies a change of preferences.
    pub fn changed(&mut self, now: DateTime<Utc>) {
        let person = self.clone();
        for notice in self.notices.values_mut() {
            let Some(due) = notice.due else { continue };
            let mail = person.chosen(notice.kind, notice.course);
            if mail == NoticeMail::Off {
                notice.due = None;
            } else if due > now {
                notice.due = person.clock.due(mail, notice.happened, now);
            }
        }
    }

    /// Runs a worker.
    pub fn collected(&mut self, now: DateTime<Utc>) {
        let clock = self.clock;
        let due = self
            .notices
            .iter_mut()
            .filter(|(_, notice)| notice.due.is_some_and(|due| due <= now));
        let mut mail = BTreeSet::new();
        for (id, notice) in due {
            if clock.is_quiet(now) {
                notice.due = Some(clock.after_quiet(now));
                continue;
            }
            notice.due = None;
            if !notice.is_read {
                mail.insert(*id);
            }
        }
        if !mail.is_empty() {
            self.mails.push((None, mail));
        }
    }

    /// The links that a mail would contain if it were sent now.
    pub fn said(&self, mail: &BTreeSet<NoticeId>) -> BTreeSet<String> {
        let notices = mail.iter().filter_map(|id| self.notices.get(id));
        let told = notices.filter(|notice| {
            let may_read = notice.course.is_none_or(|course| !self.left.contains(&course));
            !notice.is_read && may_read && self.chosen(notice.kind, notice.course) != NoticeMail::Off
        });
        told.map(|notice| notice.link.clone()).collect()
    }
}
