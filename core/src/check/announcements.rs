//! Consistency checks of announcements: groups belong to the same course, contents and excerpts are valid, and referenced files are recorded.

use uuid::Uuid;

use super::repair::Remedy;
use super::structure::each;
use super::{Report, Rule, shown_files};
use crate::announcements::excerpt;
use crate::courses::page::references::References;
use kurso_base::error::Result;
use kurso_base::ids::AnnouncementId;
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
        for (id, text, stored_excerpt) in &rows {
            let read = content::parse(text).and_then(|document| content::validate(&document).map(|()| document));
            let problem = match read {
                Err(error) => Some(format!("its content cannot be read: {error}")),
                Ok(document) if excerpt(&document) != *stored_excerpt => {
                    Some("its excerpt does not match its content".to_owned())
                }
                Ok(_) => None,
            };
            if let Some(problem) = problem {
                report.found(Rule::Texts, format!("announcements {id}"), problem, None);
            }
            let references = References::of_texts(text, None);
            shown.extend(references.file_keys().into_iter().map(|key| (*id, key.to_owned())));
        }
        let texts = shown_files::Texts {
            place: "announcements",
            recorded: "SELECT announcement_id, file_id FROM announcement_files WHERE announcement_id IN ",
            remedy: |id, file| Remedy::AnnouncementFile(AnnouncementId(id), file),
        };
        shown_files::check(on, report, &texts, &shown).await?;
    }
}
