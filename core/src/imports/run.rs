//! The job of an import: reads the file and stores the course. What was read for the preview is not kept, so the file
//! is read again after confirmation, by any node.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tempfile::TempDir;

use super::changes::{self, Changes};
use super::found::{Found, Outcomes, Tree, lines};
use super::{Payload, Target};
use crate::access::Viewer;
use crate::drafts;
use crate::drafts::store::Visibility;
use crate::drafts::{ForJob, store};
use crate::files::{File, upload};
use crate::jobs::{Claim, Control, Outcome};
use crate::{Kurso, users};
use kurso_base::error::{Error, Result, of_io};
use kurso_base::ids::{SessionId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_db::sql;
use kurso_formats::{CourseDraft, ImportError, Options, Progress, Report};

/// Runs the job. A retry after a failure does not create a second course.
pub(crate) fn run(kurso: Arc<Kurso>, claim: Arc<Claim>, control: Control) -> BoxFuture<'static, Outcome> {
    Box::pin(async move {
        match attempt(&kurso, &claim, &control).await {
            Ok(outcome) => outcome,
            Err(error) if error.is_temporary() => Outcome::Retry(error),
            // Cancelled, or held by another node.
            Err(Error::Conflict(Message::JobNotHeld)) => Outcome::Cancelled,
            Err(refusal) => Outcome::Failed(refusal.message()),
        }
    })
}

async fn attempt(kurso: &Arc<Kurso>, claim: &Claim, control: &Control) -> Result<Outcome> {
    if claim.job.effect_at.is_some() {
        return Ok(Outcome::Done);
    }
    let payload = Payload::of(&claim.job)?;
    let file = file_of(kurso, claim).await?;
    // Deleted when its last user drops it, which may be after this function returns.
    let folder = Arc::new(kurso.files.create_work_folder().await?);
    let source = tokio::select! {
        fetched = fetch(kurso, &file, folder.path()) => fetched?,
        () = control.stopped() => return Ok(Outcome::Cancelled),
    };
    let reading = tokio::task::spawn_blocking({
        let (control, folder, source, options) = (control.clone(), folder.clone(), source.clone(), payload.options());
        move || read(&source, &options, &folder, &control)
    });
    let read = tokio::select! {
        read = reading => read.map_err(Error::internal)?,
        () = control.stopped() => return Ok(Outcome::Cancelled),
    };
    let (mut draft, mut report) = match read {
        Ok(read) => read,
        Err(ImportError::Cancelled) => return Ok(Outcome::Cancelled),
        Err(error) => return Ok(Outcome::Failed(without_paths(&error, &source))),
    };
    store::validate(&mut draft, &mut report)?;
    // An update may keep draws of the stored course.
    if !matches!(payload.into, Target::Update(_)) {
        drafts::banks::settle(&kurso.db, claim.job.owner_id, &mut draft, None, &mut report).await?;
    }
    let mut tree = Tree::of(&draft);
    let stored = folder.path().join("stored");
    if let Target::Update(course) = payload.into {
        tokio::fs::create_dir_all(&stored).await.map_err(of_io)?;
        tree.changes = match (payload.storing, payload.straight) {
            (false, _) => {
                let owner = owner_of(kurso, claim.job.owner_id).await?;
                Some(changes::compared(kurso, &owner, course, &mut draft, &stored).await?)
            }
            (true, false) => confirmed_changes(kurso, claim).await?,
            (true, true) => None,
        };
    }
    let found = Found::of(&draft, &report);
    store_preview(kurso, claim, &found, &tree, &report).await?;
    if !payload.storing {
        return Ok(Outcome::Ready);
    }
    control.report(0, 0, "");
    let owner = owner_of(kurso, claim.job.owner_id).await?;
    let bytes = draft.files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    upload::require_room(kurso, owner.id(), bytes, file.size.unsigned_abs()).await?;
    let visibility = Visibility::of(payload.draft);
    match payload.into {
        Target::New => {
            let id = payload.new_course;
            store::store_as(kurso, owner.id(), id, draft, visibility, &mut report, Some(claim)).await?;
        }
        Target::Append(course) => {
            visibility.apply(&mut draft);
            store::append(kurso, &owner, course, draft, &mut report, Some(claim)).await?;
        }
        Target::Update(course) => {
            let going = tree.changes.as_ref().map(Changes::going);
            let job = ForJob { claim, going };
            drafts::update_as(kurso, &owner, course, draft, &mut report, &stored, Some(job)).await?;
        }
    }
    // Storing may add lines to the report.
    let outcomes = Outcomes::of(&report);
    if outcomes != found.outcomes {
        store_preview(kurso, claim, &Found { outcomes, ..found }, &tree, &report).await?;
    }
    Ok(Outcome::Done)
}

fn read(
    source: &Path,
    options: &Options,
    folder: &TempDir,
    control: &Control,
) -> Result<(CourseDraft, Report), ImportError> {
    let mut tell = |progress: Progress<'_>| {
        control.report(progress.done, progress.total, progress.file);
        if control.is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    kurso_formats::read_with(source, options, folder.path(), &mut tell)
}

/// The effect of the update as the owner confirmed it.
async fn confirmed_changes(kurso: &Kurso, claim: &Claim) -> Result<Option<Changes>> {
    let tree = sql!("SELECT tree FROM jobs WHERE id = $1", claim.job.id)
        .fetch_optional::<(Option<String>,)>(&kurso.db)
        .await?
        .and_then(|(tree,)| tree);
    let tree = tree.map(|tree| serde_json::from_str::<Tree>(&tree)).transpose();
    Ok(tree.map_err(Error::internal)?.and_then(|tree| tree.changes))
}

async fn store_preview(kurso: &Kurso, claim: &Claim, found: &Found, tree: &Tree, report: &Report) -> Result<()> {
    let found = serde_json::to_string(found).map_err(Error::internal)?;
    let tree = serde_json::to_string(tree).map_err(Error::internal)?;
    let report = serde_json::to_string(&lines(report)).map_err(Error::internal)?;
    claim.store_preview(kurso, &found, &tree, &report).await
}

async fn file_of(kurso: &Kurso, claim: &Claim) -> Result<File> {
    let found = sql!(
        "SELECT f.id, f.key, f.filename, f.content_type, f.size, f.width, f.height, f.created_at
         FROM files f JOIN jobs j ON j.file_id = f.id WHERE j.id = $1",
        claim.job.id
    );
    let found = found.fetch_optional::<File>(&kurso.db).await?;
    found.ok_or(Error::NotFound(Message::FileNotFound))
}

/// Copies the file into the folder under its original name, because readers may depend on the extension.
pub(super) async fn fetch(kurso: &Kurso, file: &File, folder: &Path) -> Result<PathBuf> {
    let folder = folder.join("source");
    tokio::fs::create_dir_all(&folder).await.map_err(of_io)?;
    let path = folder.join(safe_name(&file.filename));
    kurso.files.copy_to(&file.key, &path).await?;
    Ok(path)
}

/// Shortens a name to 255 bytes and prevents path traversal.
fn safe_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if matches!(c, '/' | '\\' | '\0') { '_' } else { c })
        .collect();
    let mut start = name.len().saturating_sub(200);
    while !name.is_char_boundary(start) {
        start += 1;
    }
    match name.get(start..) {
        Some(tail) if !tail.chars().all(|c| c == '.') => tail.to_owned(),
        _ => "file".to_owned(),
    }
}

/// Removes the server's paths from the message.
pub(super) fn without_paths(error: &ImportError, source: &Path) -> Message {
    let text = |lang| {
        let mut text = error.text(lang);
        for folder in source.ancestors().skip(1).take(2) {
            text = text.replace(&format!("{}/", folder.display()), "");
        }
        text
    };
    Message::Text {
        en: text(Lang::En),
        ru: text(Lang::Ru),
    }
}

/// The owner with their current rights, which are checked when the job runs.
async fn owner_of(kurso: &Kurso, id: UserId) -> Result<Viewer> {
    let user = users::by_id(&kurso.db, id).await?.filter(|user| user.is_active);
    Ok(Viewer {
        user: user.ok_or(Error::BadRequest(Message::InactiveUser))?,
        session: SessionId::new(),
    })
}
