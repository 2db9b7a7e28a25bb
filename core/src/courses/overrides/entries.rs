//! Parses the list of overrides that a client sends.

use serde_json::Value;

use kurso_base::entries::{EntryReader, read_entries};
use kurso_base::messages::Message;
use kurso_base::values::{Change, Checked, Problem};

use super::set::{SetOverride, part_of};

/// Overrides of 1 to [`OverrideEntries::MAX`] parts for one group or learner. The request names the group or learner once, not in each entry. An
/// entry without limits stands for no override.
#[derive(Clone, Debug)]
pub struct OverrideEntries(pub Vec<SetOverride>);

impl OverrideEntries {
    /// The maximum number of entries.
    pub const MAX: usize = 100;

    /// The names of the fields of an entry.
    pub const IDS: [&'static str; 3] = ["module_id", "lesson_id", "page_id"];
    pub const DATES: [&'static str; 4] = ["available_from", "available_until", "due_at", "late_until"];
    pub const NUMBERS: [&'static str; 2] = ["extra_attempts", "time_factor"];
    pub const EXPECTED: &'static str = "expected";
}

impl Checked for OverrideEntries {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        read_entries(&plain, Self::MAX, entry).map(OverrideEntries)
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

fn entry(reader: &mut EntryReader<'_>) -> SetOverride {
    let [ids, dates, numbers] = [
        &OverrideEntries::IDS[..],
        &OverrideEntries::DATES[..],
        &OverrideEntries::NUMBERS[..],
    ];
    let is_known = |name: &str| {
        [ids, dates, numbers].iter().any(|names| names.contains(&name)) || name == OverrideEntries::EXPECTED
    };
    reader.refuse_unknown(is_known, &Message::OverrideNotHere);
    let [module, lesson, page] = OverrideEntries::IDS;
    let [from, until, due, late] = OverrideEntries::DATES;
    let [attempts, factor] = OverrideEntries::NUMBERS;
    let read = SetOverride {
        module_id: reader.not_null(module),
        lesson_id: reader.not_null(lesson),
        page_id: reader.not_null(page),
        available_from: reader.text(from),
        available_until: reader.text(until),
        due_at: reader.text(due),
        late_until: reader.text(late),
        extra_attempts: reader.read(attempts, Value::as_i64),
        time_factor: reader.read(factor, Value::as_f64),
        expected: reader.json(OverrideEntries::EXPECTED),
        expected_time_zone: Change::Keep,
        ..SetOverride::default()
    };
    if part_of(read.module_id, read.lesson_id, read.page_id).is_err() {
        reader.refuse_entry(Problem::new("value_error", Message::OverrideOfWhat));
    }
    read
}

#[cfg(test)]
mod tests {
    use kurso_base::error::Loc;
    use serde_json::json;

    use super::*;
    use crate::schedule::overrides::Override;

    #[test]
    fn every_field_of_an_entry_is_read() {
        let id = "01890000-0000-7000-8000-000000000001";
        let list = json!([
            {"page_id": id, "due_at": "2026-09-01", "available_until": null, "late_until": "2026-09-02T10:00", "extra_attempts": 2,
                "time_factor": 1.5, "available_from": "2026-08-01T00:00:00Z", "expected": {"due_at": null}},
            {"expected": null},
        ]);
        let read = OverrideEntries::check(list).unwrap().0;
        let first = &read[0];
        assert_eq!(first.page_id.map(|id| id.to_string()).as_deref(), Some(id));
        assert!(matches!(
            (first.due_at, first.late_until),
            (Change::Set(_), Change::Set(_))
        ));
        assert!(matches!(
            (first.available_from, first.available_until),
            (Change::Set(_), Change::Clear)
        ));
        let numbers = (first.extra_attempts.value(), first.time_factor.value());
        assert_eq!(
            (numbers.0.map(|n| n.get()), numbers.1.map(|n| n.get())),
            (Some(2), Some(1.5))
        );
        let expected = first.expected.value().map(|expected| expected.0);
        let lifted = Override {
            due_at: Change::Clear,
            ..Override::default()
        };
        assert_eq!(expected, Some(lifted));
        assert!(read[1].is_empty() && read[1].expected == Change::Clear);
    }

    #[test]
    fn every_wrong_entry_is_reported() {
        let id = "01890000-0000-7000-8000-000000000001";
        let list = json!([
            {"page_id": id, "lesson_id": id},
            {"lessonId": id},
            {"module_id": null, "due_at": 5, "extra_attempts": 1.5, "time_factor": "2", "expected": []},
        ]);
        let errors = OverrideEntries::check(list).unwrap_err().all_at(&[], &Value::Null);
        let path = |loc: &Vec<Loc>| serde_json::to_string(loc).unwrap().replace('"', "");
        let found: Vec<_> = errors.iter().map(|error| (error.kind, path(&error.loc))).collect();
        assert_eq!(
            found,
            [
                ("value_error", "[0]".to_owned()),
                ("value_error", "[1,lessonId]".to_owned()),
                ("uuid_type", "[2,module_id]".to_owned()),
                ("string_type", "[2,due_at]".to_owned()),
                ("int_type", "[2,extra_attempts]".to_owned()),
                ("float_type", "[2,time_factor]".to_owned()),
                ("model_attributes_type", "[2,expected]".to_owned()),
            ]
        );
        assert_eq!(OverrideEntries::check(json!([])).unwrap_err().kind, "too_short");
        let many = json!(vec![json!({}); OverrideEntries::MAX + 1]);
        assert_eq!(OverrideEntries::check(many).unwrap_err().kind, "too_long");
    }
}
