//! Consistency check of the files that texts show: each must exist and be recorded as used, so that the cleanup job keeps it.

use std::collections::{BTreeSet, HashMap, HashSet};

use uuid::Uuid;

use super::repair::Remedy;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_base::ids::FileId;
use kurso_db::{LIST_LIMIT, Snapshot, sql};

/// The texts that show files.
pub(super) struct Texts<'a> {
    /// Names the text in findings, before its ID.
    pub place: &'a str,
    /// Selects the IDs of texts and of the files recorded for them, up to the list of text IDs.
    pub recorded: &'static str,
    /// Records a file for a text.
    pub remedy: fn(Uuid, FileId) -> Remedy,
}

/// Checks the files of texts: `shown` has the ID of a text and the key of a file that it shows.
pub(super) async fn check(
    on: &mut Snapshot,
    report: &mut Report,
    texts: &Texts<'_>,
    shown: &[(Uuid, String)],
) -> Result<()> {
    report.checked(Rule::PageFiles, shown.len() as u64);
    let keys: BTreeSet<&str> = shown.iter().map(|(_, key)| key.as_str()).collect();
    if keys.is_empty() {
        return Ok(());
    }
    let keys: Vec<&str> = keys.into_iter().collect();
    let mut files: HashMap<String, FileId> = HashMap::new();
    for keys in keys.chunks(LIST_LIMIT) {
        let rows = sql!("SELECT key, id FROM files WHERE key IN ").push_in(keys.iter().copied());
        files.extend(rows.fetch_all::<(String, FileId)>(&mut *on).await?);
    }
    let ids: BTreeSet<Uuid> = shown.iter().map(|(id, _)| *id).collect();
    let recorded = sql!(texts.recorded).push_in(ids);
    let recorded = recorded.fetch_all::<(Uuid, FileId)>(&mut *on).await?;
    let recorded: HashSet<_> = recorded.into_iter().collect();
    for (id, key) in shown {
        let at = format!("{} {id}", texts.place);
        match files.get(key) {
            None => {
                let problem = format!("it shows the file {key}, which does not exist");
                report.found(Rule::PageFiles, at, problem, None);
            }
            Some(file) if !recorded.contains(&(*id, *file)) => {
                let problem = format!("it shows the file {key}, which the cleanup job could delete");
                report.found(Rule::PageFiles, at, problem, Some((texts.remedy)(*id, *file)));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
