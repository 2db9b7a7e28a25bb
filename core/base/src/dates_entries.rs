//! Parses the list of new dates that a client sends.

use serde_json::Value;

use crate::entries::{EntryReader, read_entries};
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

const IDS: [&str; 4] = ["module_id", "lesson_id", "page_id", "override_id"];
const EXPECTED: &str = "expected_dates";

impl Checked for DatesEntries {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        read_entries(&plain, Self::MAX, entry).map(DatesEntries)
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

fn entry(reader: &mut EntryReader<'_>) -> DatesEntry {
    let is_known = |name: &str| IDS.contains(&name) || ExpectedDates::DATES.contains(&name) || name == EXPECTED;
    reader.refuse_unknown(is_known, &Message::DateNotHere);
    let [module, lesson, page, over] = IDS;
    let ids = [
        reader.not_null(module).map(DatesOf::Module),
        reader.not_null(lesson).map(DatesOf::Lesson),
        reader.not_null(page).map(DatesOf::Page),
        reader.not_null(over).map(DatesOf::Override),
    ];
    let mut given = ids.into_iter().flatten();
    let of = given.next().unwrap_or_default();
    if given.next().is_some() {
        reader.refuse_entry(Problem::new("value_error", Message::DatesOfWhat));
    }
    DatesEntry {
        of,
        starts_at: reader.text("starts_at"),
        ends_at: reader.text("ends_at"),
        enroll_until: reader.text("enroll_until"),
        available_from: reader.text("available_from"),
        available_until: reader.text("available_until"),
        due_at: reader.text("due_at"),
        late_until: reader.text("late_until"),
        expected: reader.json(EXPECTED).value().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::entries::MAX_PROBLEMS;
    use crate::error::Loc;

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
