//! Dates, prerequisites and the late policy as Canvas writes them.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use kurso_base::schedule::{CourseDates, Dates, Late, Reading, ScheduleTime, TimeZone};
use kurso_base::values::{Checked as _, FEW, Percentage};
use roxmltree::Node;

use super::xml::{attr, child, children, text_of};
use super::{MAX_PAGES, page};
use crate::note::cartridge::Note;

/// Canvas writes times in UTC, in files of XML without a zone and in pages with the word.
fn parse(text: &str, read: Reading) -> Option<DateTime<Utc>> {
    let said = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S UTC");
    let text = said.map_or_else(|_| text.to_owned(), |time| time.format("%Y-%m-%dT%H:%M:%S").to_string());
    Some(read(ScheduleTime::parse(&text).ok()?, TimeZone::UTC))
}

/// Reads dates one by one and keeps what could not be read.
#[derive(Default)]
struct Reader {
    /// Names and values that are no dates.
    bad: Vec<(&'static str, String)>,
}

impl Reader {
    fn time(&mut self, name: &'static str, text: Option<String>, read: Reading) -> Option<DateTime<Utc>> {
        let text = text?;
        let at = parse(&text, read);
        if at.is_none() {
            self.bad.push((name, text));
        }
        at
    }
}

/// A line for each name and value that is no date.
fn bad_dates(bad: Vec<(&'static str, String)>) -> impl Iterator<Item = Note> {
    bad.into_iter().map(|(name, value)| Note::BadDate { name, value })
}

/// Finds the text of a date by its name.
pub type Lookup<'a> = &'a dyn Fn(&'static str) -> Option<String>;

/// The dates of a page, quiz, assignment or discussion.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct ItemDates {
    pub dates: Dates,
    /// Names and values of dates that could not be read or are out of order.
    pub unread: Vec<(&'static str, String)>,
    pub is_out_of_order: bool,
}

impl ItemDates {
    /// Reads each date from the first of the sources that has it: a discussion, say, and then its assignment.
    pub fn of(sources: &[Lookup<'_>]) -> Self {
        let first = |names: &[&'static str]| {
            let own = |text: &Lookup<'_>| names.iter().find_map(|name| Some((*name, text(name)?)));
            sources.iter().find_map(own)
        };
        let mut reader = Reader::default();
        let mut time = |found: Option<(&'static str, String)>, read| {
            let (name, text) = found?;
            reader.time(name, Some(text), read)
        };
        let opens = first(&["unlock_at", "delayed_post_at"]);
        let due = first(&["due_at", "todo_date"]);
        let closes = first(&["lock_at"]);
        let dates = Dates {
            available_from: time(opens.clone(), ScheduleTime::opening),
            available_until: time(closes.clone(), ScheduleTime::closing),
            due_at: time(due.clone(), ScheduleTime::closing),
        };
        if dates.misplaced().is_empty() {
            return ItemDates {
                dates,
                unread: reader.bad,
                is_out_of_order: false,
            };
        }
        ItemDates {
            dates: Dates::default(),
            unread: [opens, due, closes].into_iter().flatten().collect(),
            is_out_of_order: true,
        }
    }

    pub fn notes(&self) -> Vec<Note> {
        if self.is_out_of_order {
            let names: Vec<&str> = self.unread.iter().map(|(name, _)| *name).collect();
            return vec![Note::OutOfOrder(names.join(", "))];
        }
        bad_dates(self.unread.clone()).collect()
    }
}

/// What a module of Canvas asks for before it opens.
#[derive(Default, Debug)]
pub struct ModuleRules {
    pub dates: Dates,
    pub has_unread_dates: bool,
    /// The identifiers of the modules that it needs.
    pub needs: Vec<String>,
    /// Whether its items are done one after another.
    pub is_sequential: bool,
}

impl ModuleRules {
    /// `known` has the identifiers of all modules.
    pub fn read(module: Node<'_, '_>, known: &HashSet<&str>, notes: &mut Vec<Note>) -> Self {
        let mut reader = Reader::default();
        let dates = Dates {
            available_from: reader.time("unlock_at", text_of(module, "unlock_at"), ScheduleTime::opening),
            ..Dates::default()
        };
        let has_unread_dates = !reader.bad.is_empty();
        notes.extend(bad_dates(reader.bad));
        let mut needs = Vec::new();
        let mut beyond = 0;
        let all = child(module, "prerequisites");
        for need in all.into_iter().flat_map(|node| children(node, "prerequisite")) {
            let id = text_of(need, "identifierref");
            let is_module = attr(need, "type") == Some("context_module");
            match id.filter(|id| is_module && known.contains(id.as_str())) {
                Some(id) if needs.contains(&id) => {}
                Some(_) if needs.len() == FEW => beyond += 1,
                Some(id) => needs.push(id),
                None => notes.push(Note::UnknownNeed(text_of(need, "title").unwrap_or_default())),
            }
        }
        if beyond > 0 {
            notes.push(Note::MoreNeeds {
                count: beyond,
                most: FEW,
            });
        }
        let is_sequential = text_of(module, "require_sequential_progress").is_some_and(|value| value == "true");
        ModuleRules {
            dates,
            has_unread_dates,
            needs,
            is_sequential,
        }
    }
}

/// The texts of dates in the children of an element.
pub fn in_node(node: Node<'_, '_>) -> impl Fn(&'static str) -> Option<String> {
    move |name| text_of(node, name)
}

/// The texts of dates in the head of a page.
pub fn in_page(html: &str) -> impl Fn(&'static str) -> Option<String> {
    move |name| page::meta_of(html, name).filter(|text| !text.is_empty())
}

/// The identifiers of the modules in `module_meta.xml`.
pub fn module_ids<'a>(root: Node<'a, '_>) -> HashSet<&'a str> {
    let modules = children(root, "module").take(MAX_PAGES);
    modules.filter_map(|module| attr(module, "identifier")).collect()
}

/// Names of time zones in Canvas that differ from those of IANA.
const ZONES: [(&str, &str); 8] = [
    ("Eastern Time (US & Canada)", "America/New_York"),
    ("Central Time (US & Canada)", "America/Chicago"),
    ("Mountain Time (US & Canada)", "America/Denver"),
    ("Pacific Time (US & Canada)", "America/Los_Angeles"),
    ("Arizona", "America/Phoenix"),
    ("Alaska", "America/Juneau"),
    ("Hawaii", "Pacific/Honolulu"),
    ("Moscow", "Europe/Moscow"),
];

/// The zone of a name such as `(GMT-07:00) America/Denver`.
fn zone(text: &str) -> Option<TimeZone> {
    let bare = text.strip_prefix("(GMT").and_then(|rest| rest.split_once(") "));
    let name = bare.map_or(text, |(_, name)| name);
    let known = ZONES.iter().find(|(own, _)| *own == name);
    TimeZone::named(known.map_or(name, |(_, iana)| iana))
}

/// The dates in `course_settings.xml`, and whether all could be read. Canvas applies them only if enrollments are restricted to them;
/// otherwise the course has the dates of its term, which are not in the package.
pub fn course(root: Node<'_, '_>, notes: &mut Vec<Note>) -> (CourseDates, bool) {
    let mut dates = CourseDates::default();
    let mut is_read = true;
    if let Some(name) = text_of(root, "time_zone") {
        match zone(&name) {
            Some(zone) => dates.time_zone = Some(zone.name().to_owned()),
            None => {
                notes.push(Note::UnknownZone(name));
                is_read = false;
            }
        }
    }
    let (starts, ends) = (text_of(root, "start_at"), text_of(root, "conclude_at"));
    if starts.is_none() && ends.is_none() {
        return (dates, is_read);
    }
    if text_of(root, "restrict_enrollments_to_course_dates").is_some_and(|value| value == "false") {
        notes.push(Note::TermDates);
        return (dates, is_read);
    }
    let mut reader = Reader::default();
    dates.starts_at = reader.time("start_at", starts, ScheduleTime::opening);
    dates.ends_at = reader.time("conclude_at", ends, ScheduleTime::closing);
    is_read &= reader.bad.is_empty();
    notes.extend(bad_dates(reader.bad));
    if !dates.misplaced().is_empty() {
        notes.push(Note::OutOfOrder("start_at, conclude_at".to_owned()));
        (dates.starts_at, dates.ends_at, is_read) = (None, None, false);
    }
    (dates, is_read)
}

/// What late work loses in the whole course.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct LatePolicy {
    per_day: Option<i64>,
    most: Option<i64>,
}

impl LatePolicy {
    /// Reads `late_policy.xml`. Whole percents of a day are carried; a deduction for each hour and one for missing work are not.
    pub fn read(root: Node<'_, '_>, notes: &mut Vec<Note>) -> Self {
        let is_on = |name| text_of(root, name).is_some_and(|value| value == "true");
        let mut left = Vec::new();
        let mut percent = |name: &'static str| {
            let text = text_of(root, name)?;
            let number = text.parse::<f64>().ok().filter(|number| number.fract() == 0.0);
            #[allow(clippy::cast_possible_truncation, reason = "a whole number that is checked next")]
            let found = number.and_then(|number| Percentage::check(number as i64).ok());
            if found.is_none() {
                left.push(format!("{name} = {text}"));
            }
            found.map(Percentage::get)
        };
        let mut policy = LatePolicy::default();
        if is_on("late_submission_deduction_enabled") {
            let interval = text_of(root, "late_submission_interval");
            if interval.as_deref() == Some("hour") {
                left.push("late_submission_interval = hour".to_owned());
            } else {
                policy.per_day = percent("late_submission_deduction");
                if policy.per_day.is_some() && is_on("late_submission_minimum_percent_enabled") {
                    policy.most = percent("late_submission_minimum_percent").map(|least| 100 - least);
                }
            }
        }
        if is_on("missing_submission_deduction_enabled") {
            left.push("missing_submission_deduction".to_owned());
        }
        if !left.is_empty() {
            notes.push(Note::LatePolicy(left.join(", ")));
        }
        policy
    }

    /// The policy of a quiz with these dates. Canvas accepts attempts after the due date until the quiz closes.
    pub fn of_quiz(self, dates: &Dates) -> Late {
        let is_late_possible = dates.due_at.is_some() && dates.due_at != dates.available_until;
        if !is_late_possible {
            return Late::default();
        }
        Late {
            late_until: None,
            late_penalty_per_day: Some(self.per_day.unwrap_or(0)),
            late_penalty_max: self.most,
        }
    }
}
