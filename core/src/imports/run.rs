//! The work on an import: reading, and storing what was read.
//!
//! What was read for the preview is not kept: when it is confirmed, the file is read once more, on whichever node takes it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::changes::Changes;
use super::found::{Found, Outcomes, Tree, lines};
use super::{Into, Payload};
use crate::access::Viewer;
use crate::error::{Error, Result, of_io};
use crate::exchange::{self, CourseDraft, ForJob, ImportError, Progress, Report, store};
use crate::files::{File, upload};
use crate::ids::{SessionId, UserId};
use crate::jobs::{Claim, Control, Outcome};
use crate::messages::{Lang, Message};
use crate::users::User;
use crate::{Kurso, sql};

/// What came of it. Begun anew after a fault, it makes no second course.
pub(crate) async fn run(kurso: &Arc<Kurso>, claim: &Claim, control: &Control) -> Outcome {
    match attempt(kurso, claim, control).await {
        Ok(outcome) => outcome,
        Err(error) if error.may_pass() => Outcome::Again(error),
        // Cancelled, or in other hands.
        Err(Error::Conflict(Message::JobNotHeld)) => Outcome::Cancelled,
        Err(refusal) => Outcome::Failed(refusal.message()),
    }
}

async fn attempt(kurso: &Arc<Kurso>, claim: &Claim, control: &Control) -> Result<Outcome> {
    if claim.job.effect_at.is_some() {
        return Ok(Outcome::Done);
    }
    let payload = Payload::of(&claim.job)?;
    let file = file_of(kurso, claim).await?;
    // Dropped when the last who works in it has ended, which may be after this.
    let folder = Arc::new(kurso.files.work().await?);
    let source = tokio::select! {
        fetched = fetch(kurso, &file, folder.path()) => fetched?,
        () = control.stopped() => return Ok(Outcome::Cancelled),
    };
    let reading = tokio::task::spawn_blocking({
        let (control, folder, source, format) = (control.clone(), folder.clone(), source.clone(), payload.format());
        move || read(&source, format, &folder, &control)
    });
    let read = tokio::select! {
        read = reading => read.map_err(Error::internal)?,
        () = control.stopped() => return Ok(Outcome::Cancelled),
    };
    let (mut draft, mut report) = match read {
        Ok(read) => read,
        Err(ImportError::Cancelled) => return Ok(Outcome::Cancelled),
        Err(error) => return Ok(Outcome::Failed(without_folders(&error, &source))),
    };
    for page in draft.pages_mut() {
        store::settle(page, &mut report)?;
    }
    let mut tree = Tree::of(&draft);
    let stored = folder.path().join("stored");
    if let Into::Update(course) = payload.into {
        tokio::fs::create_dir_all(&stored).await.map_err(of_io)?;
        tree.changes = match (payload.storing, payload.straight) {
            (false, _) => {
                let owner = owner_of(kurso, claim.job.owner_id).await?;
                let found = exchange::compare(kurso, &owner, course, &mut draft, &stored).await?;
                Some(Changes::of(kurso, course, found).await?)
            }
            (true, false) => shown(kurso, claim).await?,
            (true, true) => None,
        };
    }
    let found = Found::of(&draft, &report);
    write_down(kurso, claim, &found, &tree, &report).await?;
    if !payload.storing {
        return Ok(Outcome::Ready);
    }
    control.tell(0, 0, "");
    let owner = owner_of(kurso, claim.job.owner_id).await?;
    let bytes = draft.files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    upload::require_room(kurso, owner.id(), bytes, file.size.unsigned_abs()).await?;
    match payload.into {
        Into::New => {
            let id = payload.new_course;
            store::store_as(kurso, owner.id(), id, draft, &mut report, Some(claim)).await?;
        }
        Into::Append(course) => store::append(kurso, &owner, course, draft, &mut report, Some(claim)).await?,
        Into::Update(course) => {
            let going = tree.changes.as_ref().map(Changes::going);
            let job = ForJob { claim, going };
            exchange::update_as(kurso, &owner, course, draft, &mut report, &stored, Some(job)).await?;
        }
    }
    // Storing may have had something to say, too.
    let outcomes = Outcomes::of(&report);
    if outcomes != found.outcomes {
        write_down(kurso, claim, &Found { outcomes, ..found }, &tree, &report).await?;
    }
    Ok(Outcome::Done)
}

fn read(
    source: &Path,
    format: Option<exchange::Format>,
    folder: &TempDir,
    control: &Control,
) -> Result<(CourseDraft, Report), ImportError> {
    let mut tell = |progress: Progress<'_>| {
        control.tell(progress.done, progress.total, progress.file);
        if control.is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    exchange::read(source, format, folder.path(), &mut tell)
}

/// What its person was shown that the update would do, when they confirmed it.
async fn shown(kurso: &Kurso, claim: &Claim) -> Result<Option<Changes>> {
    let tree = sql!("SELECT tree FROM jobs WHERE id = $1", claim.job.id)
        .fetch_optional::<(Option<String>,)>(&kurso.db)
        .await?
        .and_then(|(tree,)| tree);
    let tree = tree.map(|tree| serde_json::from_str::<Tree>(&tree)).transpose();
    Ok(tree.map_err(Error::internal)?.and_then(|tree| tree.changes))
}

async fn write_down(kurso: &Kurso, claim: &Claim, found: &Found, tree: &Tree, report: &Report) -> Result<()> {
    let found = serde_json::to_string(found).map_err(Error::internal)?;
    let tree = serde_json::to_string(tree).map_err(Error::internal)?;
    let report = serde_json::to_string(&lines(report)).map_err(Error::internal)?;
    claim.note(kurso, &found, &tree, &report).await
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

/// The bytes of the file in the folder, under the name they came with: what is read from it may go by its ending.
async fn fetch(kurso: &Kurso, file: &File, folder: &Path) -> Result<PathBuf> {
    let folder = folder.join("source");
    tokio::fs::create_dir_all(&folder).await.map_err(of_io)?;
    let path = folder.join(short(&file.filename));
    kurso.files.copy_to(&file.key, &path).await?;
    Ok(path)
}

/// A name that a folder can hold: at most 255 bytes there, and no way out of it.
fn short(name: &str) -> String {
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

/// Where the server has put the file is nobody's business.
fn without_folders(error: &ImportError, source: &Path) -> Message {
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

/// The person whose import it is, as they are now: what they may do is looked at when it is done.
async fn owner_of(kurso: &Kurso, id: UserId) -> Result<Viewer> {
    let user = sql!(
        "SELECT id, email, full_name, is_active, is_superuser, created_at FROM users WHERE id = $1 AND is_active",
        id
    );
    let user = user.fetch_optional::<User>(&kurso.db).await?;
    Ok(Viewer {
        user: user.ok_or(Error::BadRequest(Message::InactiveUser))?,
        session: SessionId::new(),
    })
}
