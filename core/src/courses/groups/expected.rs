//! The groups that learners were in when a client read them. Sent with a move, they let the server report a conflict when two people move
//! the same learners.

use serde_json::Value;

use kurso_base::entries::{EntryReader, read_entries};
use kurso_base::ids::{EnrollmentId, GroupId};
use kurso_base::messages::Message;
use kurso_base::values::{Checked, LIST_SIZE, Problem};

/// Learners with the groups that they were in, None for no group: 1 to [`ExpectedGroups::MAX`] entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedGroups(pub Vec<(EnrollmentId, Option<GroupId>)>);

impl ExpectedGroups {
    /// The maximum number of entries: as many as a move may name learners.
    pub const MAX: usize = *LIST_SIZE.end();

    /// The names of the fields of an entry.
    pub const STUDENT: &'static str = "enrollment_id";
    pub const GROUP: &'static str = "group_id";
}

impl Checked for ExpectedGroups {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let entries = read_entries(&plain, Self::MAX, entry)?;
        Ok(ExpectedGroups(entries.into_iter().flatten().collect()))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// Returns None for an entry without a valid learner, which the reader has refused.
fn entry(reader: &mut EntryReader<'_>) -> Option<(EnrollmentId, Option<GroupId>)> {
    let (student, group) = (ExpectedGroups::STUDENT, ExpectedGroups::GROUP);
    // Without its group, the entry would say nothing: no group is null.
    reader.require(student);
    reader.require(group);
    let group = reader.text(group).value();
    Some((reader.not_null(student)?, group))
}

#[cfg(test)]
mod tests {
    use kurso_base::error::Loc;
    use serde_json::json;

    use super::*;

    const ID: &str = "01890000-0000-7000-8000-000000000001";

    #[test]
    fn every_entry_has_a_learner_and_a_group_or_null() {
        let read = ExpectedGroups::check(json!([
            {"enrollment_id": ID, "group_id": ID},
            {"enrollment_id": ID, "group_id": null},
        ]));
        let groups: Vec<_> = read.unwrap().0.into_iter().map(|(_, group)| group).collect();
        assert_eq!(groups, [ID.parse().ok(), None]);
    }

    #[test]
    fn every_wrong_entry_is_reported() {
        let list = json!([
            {"enrollment_id": ID},
            {"group_id": null},
            {"enrollment_id": null, "group_id": "x"},
            7,
        ]);
        let errors = ExpectedGroups::check(list).unwrap_err().all_at(&[], &Value::Null);
        let path = |loc: &Vec<Loc>| serde_json::to_string(loc).unwrap().replace('"', "");
        let found: Vec<_> = errors.iter().map(|error| (error.kind, path(&error.loc))).collect();
        assert_eq!(
            found,
            [
                ("missing", "[0,group_id]".to_owned()),
                ("missing", "[1,enrollment_id]".to_owned()),
                ("uuid_parsing", "[2,group_id]".to_owned()),
                ("uuid_type", "[2,enrollment_id]".to_owned()),
                ("model_attributes_type", "[3]".to_owned()),
            ]
        );
        assert_eq!(ExpectedGroups::check(json!([])).unwrap_err().kind, "too_short");
        assert_eq!(ExpectedGroups::check(json!({})).unwrap_err().kind, "list_type");
    }
}
