//! New dates of many parts of a course at once, as a client sends them.

use serde_json::{Map, Value, json};

use crate::error::Loc;
use crate::expected_dates::ExpectedDates;
use crate::ids::{LessonId, ModuleId, OverrideId, PageId};
use crate::messages::Message;
use crate::schedule::ScheduleTime;
use crate::values::{Change, Checked, Problem};

/// What has dates: the course itself, a part of it, or an override.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DatesOf {
    #[default]
    Course,
    Module(ModuleId),
    Lesson(LessonId),
    Page(PageId),
    Override(OverrideId),
}

impl DatesOf {
    /// The ids of the module, the lesson, the page and the override. At most one of them is given; all are None for the course.
    pub fn ids(self) -> (Option<ModuleId>, Option<LessonId>, Option<PageId>, Option<OverrideId>) {
        match self {
            DatesOf::Course => (None, None, None, None),
            DatesOf::Module(id) => (Some(id), None, None, None),
            DatesOf::Lesson(id) => (None, Some(id), None, None),
            DatesOf::Page(id) => (None, None, Some(id), None),
            DatesOf::Override(id) => (None, None, None, Some(id)),
        }
    }
}

/// A change of the dates of one part or override. Dates that are `Keep` stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DatesEntry {
    pub of: DatesOf,
    pub starts_at: Change<ScheduleTime>,
    pub ends_at: Change<ScheduleTime>,
    pub enroll_until: Change<ScheduleTime>,
    pub available_from: Change<ScheduleTime>,
    pub available_until: Change<ScheduleTime>,
    pub due_at: Change<ScheduleTime>,
    pub late_until: Change<ScheduleTime>,
    /// What the editor has read.
    pub expected: ExpectedDates,
}

impl DatesEntry {
    /// The dates by their names in REST, in the order of [`ExpectedDates::DATES`].
    pub fn dates(&self) -> [(&'static str, Change<ScheduleTime>); 7] {
        [
            ("starts_at", self.starts_at),
            ("ends_at", self.ends_at),
            ("enroll_until", self.enroll_until),
            ("available_from", self.available_from),
            ("available_until", self.available_until),
            ("due_at", self.due_at),
            ("late_until", self.late_until),
        ]
    }
}

/// A list of 1 to [`DatesEntries::MAX`] changes.
#[derive(Clone, Debug, PartialEq)]
pub struct DatesEntries(pub Vec<DatesEntry>);

impl DatesEntries {
    /// The maximum number of entries: enough for all parts and overrides of a large course.
    pub const MAX: usize = 10_000;
}

/// The maximum number of errors that are reported for one list.
const MAX_PROBLEMS: usize = 100;

/// An error echoes a value only up to this length of its JSON, in bytes, so that a hundred errors stay short.
const SHOWN_BYTES: usize = 1_000;

/// The name of an unknown field is part of the location of its error up to this length in bytes.
const NAME_BYTES: usize = 100;

const IDS: [&str; 4] = ["module_id", "lesson_id", "page_id", "override_id"];
const EXPECTED: &str = "expected_dates";

/// The value that an error echoes: null instead of a long one.
fn shown(value: &Value) -> Value {
    let mut room = [0_u8; SHOWN_BYTES];
    match serde_json::to_writer(room.as_mut_slice(), value) {
        Ok(()) => value.clone(),
        Err(_) => Value::Null,
    }
}

impl Checked for DatesEntries {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let Value::Array(items) = plain else {
            return Err(Self::wrong_type());
        };
        if items.is_empty() {
            return Err(Problem::new("too_short", Message::TooFewItems(1)).with(json!({"min_length": 1})));
        }
        if items.len() > Self::MAX {
            let problem = Problem::new("too_long", Message::TooManyItems(Self::MAX));
            return Err(problem.with(json!({"max_length": Self::MAX})));
        }
        let (mut entries, mut problems) = (Vec::with_capacity(items.len()), Vec::new());
        for (at, item) in items.iter().enumerate() {
            let mut reader = Reader {
                map: None,
                found: Vec::new(),
            };
            entries.push(reader.entry(item));
            problems.extend(reader.found.into_iter().map(|mut problem| {
                problem.inside.insert(0, Loc::Index(at));
                problem.shown.get_or_insert_with(|| shown(item));
                problem
            }));
            if problems.len() >= MAX_PROBLEMS {
                break;
            }
        }
        let mut problems = problems.into_iter().take(MAX_PROBLEMS);
        match problems.next() {
            None => Ok(DatesEntries(entries)),
            Some(first) => Err(Problem {
                others: problems.collect(),
                ..first
            }),
        }
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// Reads one entry and collects its problems.
struct Reader<'a> {
    map: Option<&'a Map<String, Value>>,
    found: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn entry(&mut self, item: &'a Value) -> DatesEntry {
        let map = item.as_object();
        self.map = map;
        match map {
            Some(map) => self.refuse_unknown(map),
            None => self.found.push(ExpectedDates::wrong_type()),
        }
        let [module, lesson, page, over] = IDS;
        let ids = [
            self.id(module).map(DatesOf::Module),
            self.id(lesson).map(DatesOf::Lesson),
            self.id(page).map(DatesOf::Page),
            self.id(over).map(DatesOf::Override),
        ];
        let mut given = ids.into_iter().flatten();
        let of = given.next().unwrap_or_default();
        if given.next().is_some() {
            self.found.push(Problem::new("value_error", Message::DatesOfWhat));
        }
        DatesEntry {
            of,
            starts_at: self.read("starts_at"),
            ends_at: self.read("ends_at"),
            enroll_until: self.read("enroll_until"),
            available_from: self.read("available_from"),
            available_until: self.read("available_until"),
            due_at: self.read("due_at"),
            late_until: self.read("late_until"),
            expected: self.expected(),
        }
    }

    /// Refuses names that no entry has: with a misspelled id, the entry would be of the course itself.
    fn refuse_unknown(&mut self, map: &Map<String, Value>) {
        let is_known = |name: &str| IDS.contains(&name) || ExpectedDates::DATES.contains(&name) || name == EXPECTED;
        let unknown = map.iter().filter(|(name, _)| !is_known(name.as_str()));
        for (name, value) in unknown.take(MAX_PROBLEMS) {
            let problem = Problem::new("value_error", Message::DateNotHere);
            if name.len() > NAME_BYTES {
                self.found.push(problem);
            } else {
                self.refuse(name, problem, value);
            }
        }
    }

    /// Reads an id. Null is refused: the entry would be of the course itself.
    fn id<T: Checked<Plain = String>>(&mut self, name: &'static str) -> Option<T> {
        if self.value(name) == Some(&Value::Null) {
            self.refuse(name, T::wrong_type(), &Value::Null);
        }
        self.read(name).value()
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.and_then(|map| map.get(name))
    }

    fn read<T: Checked<Plain = String>>(&mut self, name: &'static str) -> Change<T> {
        let value = match self.value(name) {
            None => return Change::Keep,
            Some(Value::Null) => return Change::Clear,
            Some(value) => value,
        };
        let checked = match value {
            Value::String(text) => T::check(text.clone()),
            _ => Err(T::wrong_type()),
        };
        checked.map_or_else(
            |problem| {
                self.refuse(name, problem, value);
                Change::Keep
            },
            Change::Set,
        )
    }

    fn expected(&mut self) -> ExpectedDates {
        let name = EXPECTED;
        let value = match self.value(name) {
            None | Some(Value::Null) => return ExpectedDates::default(),
            Some(value) => value,
        };
        ExpectedDates::check(value.clone()).unwrap_or_else(|problem| {
            self.refuse(name, problem, value);
            ExpectedDates::default()
        })
    }

    fn refuse(&mut self, name: &str, mut problem: Problem, value: &Value) {
        problem.inside.insert(0, name.into());
        problem.shown = Some(shown(value));
        self.found.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01890000-0000-7000-8000-000000000001";

    fn wrong(list: Value) -> Vec<(&'static str, String)> {
        let problem = DatesEntries::check(list).unwrap_err();
        let errors = problem.all_at(&[], &Value::Null);
        let path = |loc: &Vec<Loc>| serde_json::to_string(loc).unwrap().replace('"', "");
        errors.iter().map(|error| (error.kind, path(&error.loc))).collect()
    }

    #[test]
    fn an_entry_without_an_id_is_of_the_course() {
        let list =
            json!([{"starts_at": "2026-09-01", "ends_at": null}, {"page_id": ID, "expected_dates": {"due_at": null}}]);
        let read = DatesEntries::check(list).unwrap().0;
        assert_eq!((read[0].of, read[0].ends_at), (DatesOf::Course, Change::Clear));
        assert!(matches!(read[0].starts_at, Change::Set(ScheduleTime::Day(_))));
        assert_eq!(
            (read[1].of.ids().2.unwrap().to_string(), read[1].due_at),
            (ID.to_owned(), Change::Keep)
        );
        assert_eq!(read[1].expected.due_at, Change::Clear);
    }

    #[test]
    fn every_wrong_date_is_reported_with_its_entry() {
        let list = json!([
            {"due_at": "2026-09-01"},
            {"module_id": "x", "due_at": "soon"},
            5,
            {"module_id": ID, "page_id": ID, "expected_dates": {"due": null}},
        ]);
        assert_eq!(
            wrong(list),
            [
                ("uuid_parsing", "[1,module_id]".into()),
                ("value_error", "[1,due_at]".into()),
                ("model_attributes_type", "[2]".into()),
                ("value_error", "[3]".into()),
                ("value_error", "[3,expected_dates]".into()),
            ]
        );
        assert_eq!(wrong(json!(vec![5; 200])).len(), MAX_PROBLEMS);
    }

    #[test]
    fn a_misspelled_or_empty_id_is_no_entry_of_the_course() {
        let long = "x".repeat(200);
        let list = json!([{"lessonId": ID, "due_at": "2026-09-01"}, {"page_id": null, "starts_at": null}, {long: 1}]);
        assert_eq!(
            wrong(list),
            [
                ("value_error", "[0,lessonId]".into()),
                ("uuid_type", "[1,page_id]".into()),
                ("value_error", "[2]".into()),
            ]
        );
    }

    #[test]
    fn the_errors_of_a_long_list_are_short() {
        let long = json!("x".repeat(1_000_000));
        let mut items = vec![json!({"module_id": ID, "page_id": ID}); 98];
        items.push(json!({"due_at": long}));
        items.push(json!({"module_id": ID, "page_id": ID, "starts_at": long}));
        let list = Value::from(items);
        let errors = DatesEntries::check(list.clone()).unwrap_err().all_at(&[], &list);
        assert_eq!(errors.len(), MAX_PROBLEMS);
        assert_eq!(
            errors[0].input,
            json!({"module_id": ID, "page_id": ID}),
            "an error shows its entry"
        );
        assert_eq!(errors[98].input, Value::Null);
        let length: usize = errors.iter().map(|error| error.input.to_string().len()).sum();
        assert!(length < 300_000, "{length}");
    }

    #[test]
    fn a_list_is_bounded() {
        assert_eq!(wrong(json!([])), [("too_short", "[]".into())]);
        assert_eq!(wrong(json!({})), [("list_type", "[]".into())]);
        assert_eq!(
            wrong(json!(vec![json!({}); DatesEntries::MAX + 1])),
            [("too_long", "[]".into())]
        );
    }

    #[test]
    fn the_dates_of_an_entry_have_the_names_of_the_expected_ones() {
        assert_eq!(
            DatesEntry::default().dates().map(|(name, _)| name),
            ExpectedDates::DATES
        );
    }
}
