//! Consistency checks of questions under pages: what is derived from posts is right, texts can be read, and pictures are kept.

use kurso_base::wire;
use serde_json::Value;
use uuid::Uuid;

use super::structure::each;
use super::{Report, Rule};
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};
use kurso_formats::content;

/// Posts per statement.
const CHUNK: i64 = 200;

const DISCUSSIONS: [(&str, &str, &str, &str); 5] = [
    (
        "discussions",
        "it has no question",
        "SELECT id FROM discussions d WHERE NOT EXISTS (SELECT 1 FROM discussion_posts o WHERE o.discussion_id = d.id AND o.is_opening)",
        "SELECT COUNT(*) FROM discussions",
    ),
    (
        "discussions",
        "it has another number of answers",
        "SELECT id FROM discussions d WHERE reply_count <> (SELECT COUNT(*) FROM discussion_posts r
           WHERE r.discussion_id = d.id AND NOT r.is_opening AND r.hidden_at IS NULL)",
        "SELECT COUNT(*) FROM discussions",
    ),
    (
        "discussions",
        "its group is of another course",
        "SELECT d.id FROM discussions d JOIN pages p ON p.id = d.page_id JOIN groups g ON g.id = d.group_id WHERE g.course_id <> p.course_id",
        "SELECT COUNT(*) FROM discussions WHERE group_id IS NOT NULL",
    ),
    (
        "discussions",
        "more than one answer is accepted",
        "SELECT discussion_id FROM discussion_posts WHERE is_accepted GROUP BY discussion_id HAVING COUNT(*) > 1",
        "SELECT COUNT(*) FROM discussion_posts WHERE is_accepted",
    ),
    (
        "discussion_posts",
        "its author is gone, but not its text",
        "SELECT id FROM discussion_posts WHERE author_id IS NULL AND deleted_at IS NULL",
        "SELECT COUNT(*) FROM discussion_posts WHERE author_id IS NULL",
    ),
];

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    each(on, report, Rule::Companions, &DISCUSSIONS).await?;
    texts(on, report).await
}

async fn texts(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = Uuid::nil();
    loop {
        let rows = sql!(
            "SELECT id, body FROM discussion_posts WHERE id > $1 ORDER BY id LIMIT $2",
            last,
            CHUNK
        )
        .fetch_all::<(Uuid, String)>(&mut *on)
        .await?;
        let Some((end, _)) = rows.last() else { return Ok(()) };
        let first = last;
        last = *end;
        report.checked(Rule::Texts, rows.len() as u64);
        let kept = sql!(
            "SELECT s.post_id, f.key FROM discussion_files s JOIN files f ON f.id = s.file_id WHERE s.post_id > $1 AND s.post_id <= $2",
            first,
            last
        );
        let kept = kept.fetch_all::<(Uuid, String)>(&mut *on).await?;
        for (id, body) in &rows {
            let found = |rule, problem: &str| (rule, format!("discussion_posts {id}"), problem.to_owned());
            let problem = match wire::read_stored::<Value>(body) {
                Err(_) => Some(found(Rule::Texts, "its text cannot be read")),
                Ok(body) => {
                    let is_kept = |key: &String| kept.iter().any(|(post, kept)| post == id && kept == key);
                    let are_kept = content::files(&body).iter().all(is_kept);
                    (!are_kept).then(|| found(Rule::PageFiles, "a picture that it shows is not kept"))
                }
            };
            if let Some((rule, at, problem)) = problem {
                report.found(rule, at, problem, None);
            }
        }
    }
}
