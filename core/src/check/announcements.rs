//! Consistency checks of announcements and nudges: groups are of their course, contents can be read, and files that they show are kept.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::repair::Remedy;
use super::structure::each;
use super::{Report, Rule};
use crate::announcements::excerpt;
use crate::courses::page::references::References;
use kurso_base::error::Result;
use kurso_base::ids::{AnnouncementId, FileId};
use kurso_db::{Snapshot, sql};
use kurso_formats::content;

/// Announcements per statement.
const CHUNK: i64 = 50;

const ROWS: [(&str, &str, &str, &str); 2] = [
    (
        "announcements",
        "its group is of another course",
        "SELECT a.id FROM announcements a JOIN groups g ON g.id = a.group_id WHERE g.course_id <> a.course_id",
        "SELECT COUNT(*) FROM announcements WHERE group_id IS NOT NULL",
    ),
    (
        "announcements",
        "it was read before it was published",
        "SELECT a.id FROM announcements a WHERE a.published_at IS NULL
         AND EXISTS (SELECT 1 FROM announcement_reads r WHERE r.announcement_id = a.id)",
        "SELECT COUNT(*) FROM announcements WHERE published_at IS NULL",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Companions, &ROWS).await?;
    let mut last = Uuid::nil();
    loop {
        let rows = sql!(
            "SELECT id, content, excerpt FROM announcements WHERE id > $1 ORDER BY id LIMIT $2",
            last,
            CHUNK
        );
        let rows = rows.fetch_all::<(Uuid, String, String)>(&mut *on).await?;
        let Some((end, ..)) = rows.last() else { return Ok(()) };
        last = *end;
        report.checked(Rule::Texts, rows.len() as u64);
        let mut shown = vec![];
        for (id, text, shown_in_lists) in &rows {
            let read = content::parse(text).and_then(|document| content::validate(&document).map(|()| document));
            let problem = match read {
                Err(error) => Some(format!("its content cannot be read: {error}")),
                Ok(document) if excerpt(&document) != *shown_in_lists => {
                    Some("its excerpt is not that of its content".to_owned())
                }
                Ok(_) => None,
            };
            if let Some(problem) = problem {
                report.found(Rule::Texts, format!("announcements {id}"), problem, None);
            }
            let references = References::of_texts(text, None);
            shown.extend(references.file_keys().into_iter().map(|key| (*id, key.to_owned())));
        }
        files(on, report, &shown).await?;
    }
}

/// Every file that an announcement shows must be recorded as used, so that the cleanup job keeps it.
async fn files(on: &mut Snapshot, report: &mut Report, shown: &[(Uuid, String)]) -> Result<()> {
    report.checked(Rule::PageFiles, shown.len() as u64);
    if shown.is_empty() {
        return Ok(());
    }
    let keys: HashSet<&str> = shown.iter().map(|(_, key)| key.as_str()).collect();
    let files = sql!("SELECT key, id FROM files WHERE key IN ").push_in(keys);
    let files: HashMap<String, FileId> = files.fetch_all(&mut *on).await?.into_iter().collect();
    let ids: HashSet<Uuid> = shown.iter().map(|(id, _)| *id).collect();
    let kept = sql!("SELECT announcement_id, file_id FROM announcement_files WHERE announcement_id IN ").push_in(ids);
    let kept: HashSet<(Uuid, FileId)> = kept.fetch_all(&mut *on).await?.into_iter().collect();
    for (id, key) in shown {
        let at = format!("announcements {id}");
        match files.get(key) {
            None => {
                let problem = format!("it shows the file {key}, which does not exist");
                report.found(Rule::PageFiles, at, problem, None);
            }
            Some(file) if !kept.contains(&(*id, *file)) => {
                let problem = format!("it shows the file {key}, which the cleanup job could delete");
                let remedy = Remedy::AnnouncementFile(AnnouncementId(*id), *file);
                report.found(Rule::PageFiles, at, problem, Some(remedy));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
