//! A draft of the work for an assignment. It may break the rules of a submission, but not its sizes.

use serde_json::Value;
use uuid::Uuid;

use super::AnswerFiles;
use super::open::OpenChecks;
use super::read::{SentDocument, SentId, SentLink};
use crate::quiz::check::{check_count, check_text};
use crate::quiz::fields::At;
use crate::quiz::hand_in::{HandIn, MAX_LINK};
use crate::quiz::json::{Form as _, JsonReader, List, Schemas, Whole, object};
use crate::quiz::limits::{MAX_FILES, MAX_LINKS};
use crate::quiz::problem::Problem;
use kurso_base::error::Result;

/// What a learner has written so far, not yet compared with the files of the learner.
#[derive(Clone, Debug, Default)]
pub struct WorkDraft {
    /// The version of the draft that it was written on; 0 without one.
    pub version: i64,
    pub content: Option<Value>,
    pub file_ids: Option<Vec<String>>,
    pub links: Option<Vec<String>>,
}

/// The schemas of a draft; the draft itself is `AnswerDraftSave`.
pub fn work_schemas() -> Schemas {
    let mut schemas = Schemas::default();
    AnswerDraftSave::add_schemas(&mut schemas);
    schemas
}

object! {
    /// The work for an assignment that is not yet handed in. Without text, file and link it discards the draft.
    AnswerDraftSave -> WorkDraft {
        /// Version of the draft that it is based on; 0 without one. If another version is stored, the response is 409.
        version: Whole<i64, 0, { i64::MAX }>,
        /// A document without files, or a text, of at most 256 KiB.
        content: Option<SentDocument>,
        /// IDs that `upload_answer_file` returned.
        file_ids: Option<List<SentId, { MAX_FILES as usize }>>,
        /// Any texts: links may be incomplete until they are handed in.
        links: Option<List<SentLink, { MAX_LINKS as usize }>>,
    } => |_reader, _at| Some(WorkDraft { version: version.unwrap_or_default(), content, file_ids, links });
}

impl WorkDraft {
    /// Fails for a negative version.
    pub fn new(
        version: i64,
        content: Option<Value>,
        file_ids: Option<Vec<String>>,
        links: Option<Vec<String>>,
    ) -> Result<Self> {
        let mut reader = JsonReader::default();
        if version < 0 {
            let problem = Problem::OutOfBounds(0, i64::MAX).value_error();
            reader.problems.add(&At::BODY.name("version"), problem, &version.into());
        }
        reader.problems.finish(WorkDraft {
            version,
            content,
            file_ids,
            links,
        })
    }

    /// Reads the JSON of a draft; fails with every value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let mut reader = JsonReader::default();
        let read = AnswerDraftSave::read(&mut reader, &At::BODY, body);
        Ok(reader.problems.finish(read)?.unwrap_or_default())
    }

    /// The valid ids of its files, at most as many as an answer may have.
    pub fn file_ids(&self) -> Vec<Uuid> {
        let ids = self.file_ids.iter().flatten().filter_map(|id| Uuid::parse_str(id).ok());
        ids.take(MAX_FILES as usize).collect()
    }

    /// The work to store; None if nothing is left of it. `files` are those that the learner has uploaded for the page, at least those
    /// of [`WorkDraft::file_ids`]. Fails for files that are not among them, and for what is too long.
    pub fn work(&self, files: &AnswerFiles) -> Result<Option<HandIn>> {
        let mut checks = OpenChecks::of(files);
        let text = self.content.as_ref();
        let content = text.and_then(|text| checks.essay(&At::BODY.name("content"), text, None, None));
        let ids = self.file_ids.as_deref().unwrap_or_default();
        let files = checks.uploaded(&At::BODY.name("file_ids"), ids, MAX_FILES, &[]);
        let links = self.links.clone().unwrap_or_default();
        let at = At::BODY.name("links");
        let rule = check_count(links.len(), MAX_LINKS as usize);
        if checks.problems.holds(&at, rule, &Value::Null) {
            for (i, link) in links.iter().enumerate() {
                let rule = check_text(link, MAX_LINK);
                checks.problems.holds(&at.index(i), rule, &link.as_str().into());
            }
        }
        let is_written = content.is_some() || !files.is_empty() || links.iter().any(|link| !link.trim().is_empty());
        checks
            .problems
            .finish(is_written.then_some(HandIn { content, files, links }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::quiz::answers::{AnswerFile, FileLocation};
    use kurso_base::error::Error;

    fn uploaded() -> AnswerFiles {
        let file = AnswerFile {
            id: Uuid::from_u128(1),
            filename: "work.tar".into(),
            content_type: "application/octet-stream".into(),
            size: 1,
            location: FileLocation::Key("0".repeat(32)),
        };
        [(file.id, file)].into()
    }

    fn refused(body: Value) -> Vec<String> {
        match WorkDraft::read(&body).and_then(|draft| draft.work(&uploaded())) {
            Ok(work) => panic!("{work:?}"),
            Err(Error::Invalid(errors)) => errors
                .iter()
                .map(|error| {
                    let loc = serde_json::to_string(&error.loc[1..]).unwrap();
                    format!("{} {}", error.kind, loc.replace('"', ""))
                })
                .collect(),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_draft_need_not_be_ready() {
        let draft = json!({"version": 0, "content": "so far", "file_ids": [Uuid::from_u128(1)], "links": ["exam", ""]});
        let draft = WorkDraft::read(&draft).unwrap();
        assert_eq!(draft.file_ids(), [Uuid::from_u128(1)]);
        let work = draft.work(&uploaded()).unwrap().unwrap();
        assert_eq!(work.links, ["exam", ""]);
        assert_eq!(work.files.len(), 1);
        for nothing in [
            json!({"version": 3}),
            json!({"version": 3, "content": " ", "links": [" "], "file_ids": null}),
        ] {
            assert_eq!(WorkDraft::read(&nothing).unwrap().work(&uploaded()).unwrap(), None);
        }
    }

    #[test]
    fn a_draft_is_not_too_long_and_names_own_files() {
        let long = "a".repeat(2001);
        for (body, expected) in [
            (json!({}), vec!["missing [version]"]),
            (
                json!({"version": -1, "links": 1}),
                vec!["value_error [version]", "list_type [links]"],
            ),
            (
                json!({"version": 0, "file_ids": [Uuid::from_u128(2)]}),
                vec!["unknown_id [file_ids,0]"],
            ),
            (
                json!({"version": 0, "links": [long]}),
                vec!["string_too_long [links,0]"],
            ),
            (json!({"version": 0, "links": vec![""; 21]}), vec!["too_long [links]"]),
            (
                json!({"version": 0, "content": "я".repeat(200_000)}),
                vec!["value_error [content]"],
            ),
            (
                json!({"version": 0, "content": {"type": "doc", "content": [{"type": "script"}]}}),
                vec!["content_unknown_node [content,content,0,type]"],
            ),
        ] {
            assert_eq!(
                refused(body.clone()),
                expected,
                "{}",
                &body.to_string()[..60.min(body.to_string().len())]
            );
        }
    }
}
