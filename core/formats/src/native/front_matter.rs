//! Reads and writes the TOML fields of courses, modules, lessons and pages.

use chrono::{DateTime, Utc};
use kurso_base::messages::Message;
use kurso_base::schedule::{CourseDates, Dates, Late, ScheduleTime, TimeZone};
use kurso_base::values::{Checked, Percentage, Problem};
use kurso_base::wire::time_text;
use toml::{Table, Value};

use super::document::quoted;
use crate::note::Note;
use crate::note::{Reason, TomlTrouble};
use crate::quiz::{Quiz, Reveal};

pub const PREREQUISITES: &str = "prerequisites";

/// Writes fields, one per line.
#[derive(Default)]
pub struct Fields(String);

impl Fields {
    pub fn text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.raw(name, quoted(value));
        }
    }

    /// A list of texts, which is left out when it is empty.
    pub fn texts(&mut self, name: &str, values: &[&str]) {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            self.raw(name, format!("[{}]", values.join(", ")));
        }
    }

    pub fn raw(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0.push_str(&format!("{name} = {value}\n"));
    }

    pub fn time(&mut self, name: &str, at: Option<DateTime<Utc>>) {
        if let Some(at) = at {
            self.raw(name, time_text(&at));
        }
    }

    pub fn course_dates(&mut self, dates: &CourseDates) {
        self.text("time_zone", dates.time_zone.as_deref());
        self.time("starts_at", dates.starts_at);
        self.time("ends_at", dates.ends_at);
        self.time("enroll_until", dates.enroll_until);
        if dates.hide_locked_titles {
            self.raw("hide_locked_titles", true);
        }
        if dates.sequential {
            self.raw("sequential", true);
        }
    }

    pub fn dates(&mut self, dates: &Dates) {
        self.time("available_from", dates.available_from);
        self.time("available_until", dates.available_until);
        self.time("due_at", dates.due_at);
    }

    pub fn late(&mut self, late: &Late) {
        self.time("late_until", late.late_until);
        let percents = [
            ("late_penalty_per_day", late.late_penalty_per_day),
            ("late_penalty_max", late.late_penalty_max),
        ];
        for (name, percent) in percents {
            percent.into_iter().for_each(|percent| self.raw(name, percent));
        }
    }

    /// Writes the quiz settings that differ from the defaults. The table header alone marks a quiz.
    pub fn quiz(&mut self, quiz: &Quiz) {
        let usual = Quiz::default();
        self.0.push_str("\n[quiz]\n");
        if quiz.pass_percent != usual.pass_percent {
            self.raw("pass_percent", quiz.pass_percent);
        }
        if let Some(attempts) = quiz.max_attempts {
            self.raw("max_attempts", attempts);
        }
        if quiz.shuffle_questions {
            self.raw("shuffle_questions", true);
        }
        if quiz.shuffle_options {
            self.raw("shuffle_options", true);
        }
        match quiz.reveal {
            Reveal::AfterPass => {}
            Reveal::AfterSubmit => self.raw("reveal", "\"after_submit\""),
            Reveal::Never => self.raw("reveal", "\"never\""),
        }
    }

    pub fn into_text(self) -> String {
        self.0
    }

    /// The fields as front matter of a page.
    pub fn into_front_matter(self) -> String {
        format!("+++\n{}+++\n", self.0)
    }
}

/// Splits a page into its fields, its text, and the line on which the text starts.
pub fn split(text: &str) -> (Option<&str>, &str, usize) {
    let none = (None, text, 1);
    let Some(rest) = text.strip_prefix("+++\n") else {
        return none;
    };
    let (fields, body) = match rest.strip_prefix("+++") {
        Some(body) => ("", body),
        None => match rest.split_once("\n+++") {
            Some((fields, body)) => (fields, body),
            None => return none,
        },
    };
    let Some(body) = body.strip_prefix('\n').or(body.is_empty().then_some(body)) else {
        return none;
    };
    let before = text.len() - body.len();
    let lines = text.get(..before).unwrap_or_default().matches('\n').count();
    (Some(fields), body, lines + 1)
}

/// Parsed fields. Each is taken once; the rest is reported as unknown.
pub struct FrontMatter {
    table: Table,
    pub notes: Vec<Note>,
    /// Whether a date, or a penalty for lateness, could not be read.
    pub has_unread_dates: bool,
    /// Whether a flag could not be read.
    pub has_unread_flags: bool,
    /// Whether the prerequisites could not be read.
    pub has_unread_prerequisites: bool,
    /// Whether the text is no TOML.
    is_unreadable: bool,
}

impl FrontMatter {
    pub fn read(text: &str) -> Self {
        match toml::from_str::<Table>(text) {
            Ok(table) => FrontMatter {
                table,
                notes: vec![],
                has_unread_dates: false,
                has_unread_flags: false,
                has_unread_prerequisites: false,
                is_unreadable: false,
            },
            Err(error) => FrontMatter {
                table: Table::new(),
                has_unread_dates: true,
                has_unread_flags: true,
                has_unread_prerequisites: true,
                is_unreadable: true,
                notes: vec![Note::BadFrontMatter(Reason::Toml(TomlTrouble::of(&error, text)))],
            },
        }
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.take(name, |value| match value {
            Value::String(text) => Some(text.replace('\0', "\u{fffd}")),
            _ => None,
        })
    }

    /// The keys of the prerequisites; none without the field.
    pub fn prerequisites(&mut self) -> Vec<String> {
        let is_given = self.table.contains_key(PREREQUISITES);
        let keys = self.take(PREREQUISITES, |value| match value {
            Value::Array(list) => list.into_iter().map(|item| item.as_str().map(str::to_owned)).collect(),
            _ => None,
        });
        self.has_unread_prerequisites |= is_given && keys.is_none();
        keys.unwrap_or_default()
    }

    pub fn flag(&mut self, name: &str) -> Option<bool> {
        let is_given = self.table.contains_key(name);
        let flag = self.take(name, |value| value.as_bool());
        self.has_unread_flags |= is_given && flag.is_none();
        flag
    }

    /// A whole number within the bounds of its type.
    pub fn number<T: Checked<Plain = i64>>(&mut self, name: &str) -> Option<T> {
        let number = self.take(name, |value| value.as_integer())?;
        let refuse = |problem: Problem| self.notes.push(Note::BadFrontMatter(Reason::Message(problem.message)));
        T::check(number).map_err(refuse).ok()
    }

    /// A date: a TOML date or time, or a text in the form of the API. Local ones are in the zone; without one, they cannot be read.
    fn time(
        &mut self,
        name: &str,
        zone: Option<TimeZone>,
        read: fn(ScheduleTime, TimeZone) -> DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let is_given = self.table.contains_key(name);
        let text = self.take(name, |value| match value {
            Value::Datetime(time) => Some(time.to_string()),
            Value::String(text) => Some(text),
            _ => None,
        });
        self.has_unread_dates |= is_given && text.is_none();
        match (ScheduleTime::parse(&text?), zone) {
            (Ok(ScheduleTime::Instant(at)), _) => return Some(at),
            (Ok(time), Some(zone)) => return Some(read(time, zone)),
            (Ok(_), None) => self.refuse_dates(Message::UnknownTimeZone),
            (Err(problem), _) => self.refuse_dates(problem.message),
        }
        None
    }

    fn refuse(&mut self, message: Message) {
        self.notes.push(Note::BadFrontMatter(Reason::Message(message)));
    }

    /// Each message is said once.
    fn refuse_dates(&mut self, message: Message) {
        self.has_unread_dates = true;
        let note = Note::BadFrontMatter(Reason::Message(message));
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn penalty(&mut self, name: &str) -> Option<i64> {
        let is_given = self.table.contains_key(name);
        let penalty = self.number(name).map(Percentage::get);
        self.has_unread_dates |= is_given && penalty.is_none();
        penalty
    }

    /// The dates of a course, and the zone of local times in the other files. Dates out of order are reported and dropped. So is an unknown
    /// zone with all local times: what they mean is unknown, as it is if the zone cannot be read.
    pub fn course_dates(&mut self) -> (CourseDates, Option<TimeZone>) {
        let mut dates = CourseDates {
            hide_locked_titles: self.flag("hide_locked_titles").unwrap_or(false),
            sequential: self.flag("sequential").unwrap_or(false),
            ..CourseDates::default()
        };
        let mut zone = (!self.is_unreadable).then_some(TimeZone::UTC);
        if self.table.contains_key("time_zone") {
            zone = self.text("time_zone").and_then(|name| TimeZone::named(&name));
            match zone {
                Some(zone) => dates.time_zone = Some(zone.name().to_owned()),
                None => self.refuse_dates(Message::UnknownTimeZone),
            }
        }
        dates.starts_at = self.time("starts_at", zone, ScheduleTime::opening);
        dates.ends_at = self.time("ends_at", zone, ScheduleTime::closing);
        dates.enroll_until = self.time("enroll_until", zone, ScheduleTime::closing);
        if !dates.misplaced().is_empty() {
            self.refuse_dates(Message::DatesOutOfOrder);
            (dates.starts_at, dates.ends_at, dates.enroll_until) = (None, None, None);
        }
        (dates, zone)
    }

    /// The dates of a module, lesson or page. Dates out of order are reported and dropped.
    pub fn dates(&mut self, zone: Option<TimeZone>) -> Dates {
        let dates = Dates {
            available_from: self.time("available_from", zone, ScheduleTime::opening),
            available_until: self.time("available_until", zone, ScheduleTime::closing),
            due_at: self.time("due_at", zone, ScheduleTime::closing),
        };
        if dates.misplaced().is_empty() {
            return dates;
        }
        self.refuse_dates(Message::DatesOutOfOrder);
        Dates::default()
    }

    /// The late policy of a page with these dates. One out of order, or of a page without a quiz, is reported and dropped.
    pub fn late(&mut self, zone: Option<TimeZone>, dates: &Dates, is_quiz: bool) -> Late {
        let late = Late {
            late_until: self.time("late_until", zone, ScheduleTime::closing),
            late_penalty_per_day: self.penalty("late_penalty_per_day"),
            late_penalty_max: self.penalty("late_penalty_max"),
        };
        if late == Late::default() {
            return late;
        }
        if !is_quiz {
            self.refuse(Message::LateOnContentPage);
        } else if late.misplaced(dates).is_empty() {
            return late;
        } else {
            self.refuse_dates(Message::DatesOutOfOrder);
        }
        Late::default()
    }

    fn take<T>(&mut self, name: &str, read: impl Fn(Value) -> Option<T>) -> Option<T> {
        let read = read(self.table.remove(name)?);
        if read.is_none() {
            self.notes.push(Note::UnknownField(name.to_owned()));
        }
        read
    }

    /// The quiz settings as JSON in the format of the API.
    pub fn quiz(&mut self) -> Option<serde_json::Map<String, serde_json::Value>> {
        let table = self.take("quiz", |value| match value {
            Value::Table(table) => Some(table),
            _ => None,
        })?;
        let mut settings = serde_json::Map::new();
        for (name, value) in table {
            let known = matches!(
                name.as_str(),
                "pass_percent" | "max_attempts" | "shuffle_questions" | "shuffle_options" | "reveal"
            );
            let value = match value {
                Value::Integer(number) if known => number.into(),
                Value::Boolean(flag) if known => flag.into(),
                Value::String(text) if known => text.into(),
                _ => {
                    self.notes.push(Note::UnknownField(format!("quiz.{name}")));
                    continue;
                }
            };
            settings.insert(name, value);
        }
        Some(settings)
    }

    /// The notes, including unknown fields.
    pub fn finish(mut self) -> Vec<Note> {
        let left: Vec<String> = self.table.keys().cloned().collect();
        self.notes.extend(left.into_iter().take(20).map(Note::UnknownField));
        self.notes
    }
}
