//! Parses the list of unpublished changes that a client publishes.

use serde_json::Value;

use crate::entries::{EntryReader, read_entries};
use crate::ids::PageId;
use crate::messages::Message;
use crate::values::{Checked, PageVersion, Problem};

/// The unpublished changes of one page, as the client showed them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageDraftEntry {
    pub page_id: PageId,
    /// The version of the draft.
    pub version: i64,
    /// The version that learners read.
    pub page_version: i64,
}

/// A list of 1 to [`PageDraftEntries::MAX`] drafts.
#[derive(Clone, Debug, PartialEq)]
pub struct PageDraftEntries(pub Vec<PageDraftEntry>);

impl PageDraftEntries {
    /// The maximum number of pages that are published together.
    pub const MAX: usize = 500;
}

impl Checked for PageDraftEntries {
    type Plain = Value;

    fn check(plain: Value) -> Result<Self, Problem> {
        let entries = read_entries(&plain, Self::MAX, entry)?;
        Ok(PageDraftEntries(entries.into_iter().flatten().collect()))
    }

    fn wrong_type() -> Problem {
        Problem::new("list_type", Message::NotAList)
    }
}

/// None for an entry that was refused.
fn entry(reader: &mut EntryReader<'_>) -> Option<PageDraftEntry> {
    let page_id = reader.required("page_id");
    let version = reader.required_number::<PageVersion>("version");
    let page_version = reader.required_number::<PageVersion>("page_version");
    Some(PageDraftEntry {
        page_id: page_id?,
        version: version?.get(),
        page_version: page_version?.get(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "01890000-0000-7000-8000-000000000001";

    #[test]
    fn every_wrong_field_of_every_entry_is_named() {
        let list = json!([
            {"page_id": ID, "version": 2, "page_version": 1},
            {"page_id": null, "version": "2"},
            7,
            {"page_id": "x", "version": 0, "page_version": null},
        ]);
        let problem = PageDraftEntries::check(list).unwrap_err();
        let errors = problem.all_at(&[], &Value::Null);
        let found: Vec<_> = errors
            .iter()
            .map(|error| (error.kind, serde_json::to_string(&error.loc).unwrap().replace('"', "")))
            .collect();
        let expected = [
            ("uuid_type", "[1,page_id]"),
            ("int_type", "[1,version]"),
            ("missing", "[1,page_version]"),
            ("model_attributes_type", "[2]"),
            ("uuid_parsing", "[3,page_id]"),
            ("greater_than_equal", "[3,version]"),
            ("int_type", "[3,page_version]"),
        ];
        assert_eq!(found, expected.map(|(kind, path)| (kind, path.to_owned())));
    }

    #[test]
    fn a_list_has_1_to_500_entries() {
        let one = json!({"page_id": ID, "version": 2, "page_version": 1});
        let size = |count: usize| PageDraftEntries::check(Value::from(vec![one.clone(); count]));
        assert!(size(0).is_err() && size(1).is_ok() && size(500).is_ok() && size(501).is_err());
    }
}
