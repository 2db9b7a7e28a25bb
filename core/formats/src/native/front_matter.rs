//! Reads and writes the TOML fields of courses, modules, lessons and pages.

use chrono::{DateTime, NaiveDate, Utc};
use kurso_base::messages::Message;
use kurso_base::schedule::relative::Relative;
use kurso_base::schedule::{CourseDates, Dates, Late, Reading, ScheduleTime, TimeZone, is_near};
use kurso_base::values::{Checked, Percentage, Problem};
use kurso_base::wire::time_text;
use toml::{Table, Value};

use super::document::quoted;
use crate::note::Note;
use crate::note::{Reason, TomlTrouble};
use crate::quiz::{Checking, Quiz, Release, Reveal};

/// The value of `kind` that marks an assignment.
const ASSIGNMENT: &str = "assignment";

pub const PREREQUISITES: &str = "prerequisites";

/// What local times and relative dates of a course are counted from.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// The zone of local times; None if it is unknown.
    pub zone: Option<TimeZone>,
    /// The local day of the start; None if there is none.
    pub start: Option<NaiveDate>,
}

/// Writes fields, one per line.
#[derive(Default)]
pub struct Fields {
    text: String,
    /// The start from which dates are counted, with its zone; None writes moments.
    start: Option<(NaiveDate, TimeZone)>,
}

impl Fields {
    /// Fields whose dates are counted from a start.
    pub fn counted_from(start: Option<(NaiveDate, TimeZone)>) -> Self {
        Fields {
            start,
            ..Fields::default()
        }
    }

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
        self.text.push_str(&format!("{name} = {value}\n"));
    }

    pub fn time(&mut self, name: &str, at: Option<DateTime<Utc>>) {
        let Some(at) = at else { return };
        match self.start {
            None => self.raw(name, time_text(&at)),
            Some((start, zone)) => self.raw(name, quoted(&Relative::of(at, start, zone).to_string())),
        }
    }

    pub fn course_dates(&mut self, dates: &CourseDates) {
        self.text("time_zone", dates.time_zone.as_deref());
        if let Some(at) = dates.starts_at {
            self.raw("starts_at", time_text(&at));
        }
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

    /// Writes the kind of an assignment. That of other pages follows from what they have.
    pub fn kind(&mut self, quiz: &Quiz) {
        if quiz.is_assignment() {
            self.raw("kind", quoted(ASSIGNMENT));
        }
    }

    /// Writes the quiz settings that differ from the defaults. The table header alone marks a quiz.
    pub fn quiz(&mut self, quiz: &Quiz) {
        let usual = Quiz::default();
        self.text.push_str("\n[quiz]\n");
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
        if quiz.release == Release::Together {
            self.raw("release", "\"together\"");
        }
        if quiz.checking == Checking::EachQuestion {
            self.raw("checking", "\"each_question\"");
        }
        if let Some(seconds) = quiz.time_limit_seconds {
            self.raw("time_limit_seconds", seconds);
        }
        if quiz.grace_seconds != usual.grace_seconds {
            self.raw("grace_seconds", quiz.grace_seconds);
        }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    /// The fields as front matter of a page.
    pub fn into_front_matter(self) -> String {
        format!("+++\n{}+++\n", self.text)
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

    /// A date: a TOML date or time, a text in the form of the API, or one that is counted from the start. Local ones are in the zone; without
    /// one, they cannot be read.
    fn time(&mut self, name: &str, base: Base, read: Reading) -> Option<DateTime<Utc>> {
        let is_given = self.table.contains_key(name);
        let text = self.take(name, |value| match value {
            Value::Datetime(time) => Some(time.to_string()),
            Value::String(text) => Some(text),
            _ => None,
        });
        self.has_unread_dates |= is_given && text.is_none();
        let text = text?;
        let parsed = if Relative::is_meant(&text) {
            match (Relative::parse(&text), base.start) {
                (None, _) => Err(Message::BadDate),
                (_, None) => Err(Message::NoStart),
                (Some(relative), Some(start)) => relative.on(start).ok_or(Message::FarDate),
            }
        } else {
            ScheduleTime::parse(&text).map_err(|problem| problem.message)
        };
        match (parsed, base.zone) {
            (Ok(ScheduleTime::Instant(at)), _) => return Some(at),
            (Ok(time), Some(zone)) => match read(time, zone) {
                at if is_near(at) => return Some(at),
                _ => self.refuse_dates(Message::FarDate),
            },
            (Ok(_), None) => self.refuse_dates(Message::UnknownTimeZone),
            (Err(message), _) => self.refuse_dates(message),
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
    /// zone with all local times: what they mean is unknown, as it is if the zone cannot be read. `given` is the start of a course that has
    /// none in the file.
    pub fn course_dates(&mut self, given: Option<ScheduleTime>) -> (CourseDates, Base) {
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
        let mut base = Base { zone, start: None };
        let is_given = self.table.contains_key("starts_at");
        dates.starts_at = self.time("starts_at", base, ScheduleTime::opening);
        if let (false, Some(given), Some(zone)) = (is_given, given, zone) {
            dates.starts_at = Some(given.opening(zone));
        }
        base.start = dates.starts_at.zip(zone).map(|(start, zone)| zone.day_of(start));
        dates.ends_at = self.time("ends_at", base, ScheduleTime::closing);
        dates.enroll_until = self.time("enroll_until", base, ScheduleTime::closing);
        if !dates.misplaced().is_empty() {
            self.refuse_dates(Message::DatesOutOfOrder);
            (dates.starts_at, dates.ends_at, dates.enroll_until) = (None, None, None);
        }
        (dates, base)
    }

    /// The dates of a module, lesson or page. Dates out of order are reported and dropped.
    pub fn dates(&mut self, base: Base) -> Dates {
        let dates = Dates {
            available_from: self.time("available_from", base, ScheduleTime::opening),
            available_until: self.time("available_until", base, ScheduleTime::closing),
            due_at: self.time("due_at", base, ScheduleTime::closing),
        };
        if dates.misplaced().is_empty() {
            return dates;
        }
        self.refuse_dates(Message::DatesOutOfOrder);
        Dates::default()
    }

    /// The late policy of a page with these dates. One out of order, or of a page without a quiz, is reported and dropped.
    pub fn late(&mut self, base: Base, dates: &Dates, is_quiz: bool) -> Late {
        let late = Late {
            late_until: self.time("late_until", base, ScheduleTime::closing),
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

    /// Whether the page says that it is an assignment.
    pub fn is_assignment(&mut self) -> bool {
        let kind = self.take("kind", |value| match value.as_str()? {
            ASSIGNMENT => Some(true),
            "content" | "quiz" => Some(false),
            _ => None,
        });
        kind.unwrap_or(false)
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
                "pass_percent"
                    | "max_attempts"
                    | "shuffle_questions"
                    | "shuffle_options"
                    | "reveal"
                    | "release"
                    | "checking"
                    | "time_limit_seconds"
                    | "grace_seconds"
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
