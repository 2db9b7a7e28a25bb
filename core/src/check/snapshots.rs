//! Consistency checks of snapshots: outlines and texts can be read, and their files are kept.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Report, Rule};
use crate::capture::{self, Outline, Text};
use crate::courses::page::references::References;
use kurso_base::error::Result;
use kurso_base::ids::SnapshotId;
use kurso_db::{Snapshot, sql};
use kurso_formats::content;
use kurso_formats::quiz::Quiz;
use uuid::Uuid;

/// Files in one statement.
const FILES: usize = 500;

#[derive(sqlx::FromRow)]
struct Row {
    module_count: i64,
    lesson_count: i64,
    page_count: i64,
    outline: Vec<u8>,
}

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let ids = sql!("SELECT id FROM course_snapshots ORDER BY id");
    for (id,) in ids.fetch_all::<(SnapshotId,)>(&mut *on).await? {
        check_one(on, report, id).await?;
    }
    Ok(())
}

async fn check_one(on: &mut Snapshot, report: &mut Report, id: SnapshotId) -> Result<()> {
    let at = || format!("course_snapshots {id}");
    report.checked(Rule::Snapshots, 1);
    let row = sql!(
        "SELECT module_count, lesson_count, page_count, outline FROM course_snapshots WHERE id = $1",
        id
    );
    let row = row.fetch_one::<Row>(&mut *on).await?;
    let Ok(outline) = capture::inflate::<Outline>(&row.outline) else {
        report.found(Rule::Snapshots, at(), "its outline cannot be read".to_owned(), None);
        return Ok(());
    };
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let counts = (
        outline.modules.len(),
        outline.lessons().count(),
        outline.pages().count(),
    );
    if (count(counts.0), count(counts.1), count(counts.2)) != (row.module_count, row.lesson_count, row.page_count) {
        report.found(
            Rule::Snapshots,
            at(),
            "its counts are not those of its outline".to_owned(),
            None,
        );
    }
    let mut pages: BTreeMap<i64, BTreeSet<Uuid>> = BTreeMap::new();
    for page in outline.pages() {
        pages.entry(page.seq).or_default().insert(page.id);
    }
    let mut keys: BTreeSet<String> = outline
        .modules
        .iter()
        .filter_map(|module| module.avatar.clone())
        .collect();
    for (seq, pages) in pages {
        let part = sql!(
            "SELECT texts FROM snapshot_texts WHERE snapshot_id = $1 AND seq = $2",
            id,
            seq
        );
        let part = part.fetch_optional::<(Vec<u8>,)>(&mut *on).await?;
        let texts = part
            .and_then(|(texts,)| capture::inflate::<Vec<Text>>(&texts).ok())
            .unwrap_or_default();
        let there: BTreeSet<Uuid> = texts.iter().map(|text| text.id).collect();
        if there != pages || !texts.iter().all(|text| is_readable(text, &mut keys)) {
            let problem = "the texts of its pages are missing or cannot be read".to_owned();
            report.found(Rule::Snapshots, format!("snapshot_texts {id} {seq}"), problem, None);
        }
    }
    check_files(on, report, id, keys).await
}

/// Whether documents and quizzes can be read. Adds the keys of their files.
fn is_readable(text: &Text, keys: &mut BTreeSet<String>) -> bool {
    let draft = text
        .draft
        .as_ref()
        .map(|draft| (draft.content.as_str(), draft.quiz.as_deref()));
    let mut all = std::iter::once((text.content.as_str(), text.quiz.as_deref())).chain(draft);
    all.all(|(content, quiz)| {
        let references = References::of_texts(content, quiz);
        keys.extend(references.file_keys().into_iter().map(str::to_owned));
        content::parse(content).is_ok() && quiz.is_none_or(|quiz| Quiz::from_text(quiz).is_ok())
    })
}

/// Every file of a snapshot that is stored must be recorded, so that the cleanup job keeps it.
async fn check_files(on: &mut Snapshot, report: &mut Report, id: SnapshotId, keys: BTreeSet<String>) -> Result<()> {
    let kept = sql!("SELECT file_id FROM snapshot_files WHERE snapshot_id = $1", id);
    let kept: HashSet<Uuid> = kept
        .fetch_all::<(Uuid,)>(&mut *on)
        .await?
        .into_iter()
        .map(|(id,)| id)
        .collect();
    let keys: Vec<String> = keys.into_iter().collect();
    for keys in keys.chunks(FILES) {
        let files = sql!("SELECT id, key FROM files WHERE key IN ").push_in(keys.iter().map(String::as_str));
        for (file, key) in files.fetch_all::<(Uuid, String)>(&mut *on).await? {
            if !kept.contains(&file) {
                let problem = format!("it shows the file {key}, but does not keep it");
                report.found(Rule::Snapshots, format!("course_snapshots {id}"), problem, None);
            }
        }
    }
    Ok(())
}
