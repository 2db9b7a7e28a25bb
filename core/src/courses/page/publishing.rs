//! Publishes page drafts, which makes them visible to learners.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};

use super::quiz::require_ready;
use super::stored::{self, Author};
use super::{Importance, draft, importance};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::capture::{self, SnapshotReason};
use crate::courses::tree::PageKind;
use crate::courses::{Course, Scope, begin, find, quota, renew_tree};
use crate::draws;
use kurso_base::error::{Error, FieldError, Result, require_no_errors};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_db::events::Change;
use kurso_db::{DbOrTx, Executor, LIST_LIMIT, Tx, sql};

/// The versions of a page and its draft.
#[derive(Clone, Copy, Debug, PartialEq, sqlx::FromRow)]
pub struct DraftState {
    pub page_id: PageId,
    /// None without a draft.
    pub version: Option<i64>,
    pub page_version: i64,
}

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// These pages or their drafts are not those that the viewer was shown.
    #[error("conflict: {} pages have changed", .0.len())]
    Conflict(Vec<DraftState>),
    #[error(transparent)]
    Refused(#[from] Error),
}

impl From<sqlx::Error> for PublishError {
    fn from(error: sqlx::Error) -> Self {
        PublishError::Refused(error.into())
    }
}

/// Publishes drafts of a course, all of them or none. `importance` says how much the changes matter to learners who have read the pages. Returns
/// the pages with their new versions, in the order given. Fails with a conflict that names the pages changed since they were shown, with 404 for
/// a page of another course, and with 422 for incomplete quizzes.
pub async fn publish(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    entries: &PageDraftEntries,
    importance: Importance,
) -> Result<Vec<DraftState>, PublishError> {
    let course = find(&kurso.db, viewer, course, Right::Edit).await?;
    let now = kurso.clock.now();
    let mut tx = begin(&kurso.db, course.id, Scope::Content(now)).await?;
    snapshot_before(&mut tx, viewer, course.id, entries, now).await?;
    match publish_in(kurso, &mut tx, viewer, &course, entries, importance, now).await {
        Ok(published) => {
            tx.commit().await?;
            Ok(published)
        }
        Err(error) => {
            tx.rollback().await?;
            Err(error)
        }
    }
}

/// Takes an automatic snapshot before several drafts are published.
pub(crate) async fn snapshot_before(
    tx: &mut Tx,
    viewer: &Viewer,
    course: CourseId,
    PageDraftEntries(entries): &PageDraftEntries,
    now: DateTime<Utc>,
) -> Result<()> {
    if entries.len() > 1 {
        capture::before(tx, course, viewer.id(), SnapshotReason::BeforeBulkChange, now).await?;
    }
    Ok(())
}

/// As [`publish`], in a transaction that has locked the course for a change of its content; the caller commits it, or rolls it back after an
/// error.
pub(crate) async fn publish_in(
    kurso: &Kurso,
    tx: &mut Tx,
    viewer: &Viewer,
    course: &Course,
    PageDraftEntries(entries): &PageDraftEntries,
    importance: Importance,
    now: DateTime<Utc>,
) -> Result<Vec<DraftState>, PublishError> {
    let (course, owner) = (course.id, course.owner.id);
    let wanted = wanted(&mut DbOrTx::Tx(&mut *tx), course, entries).await?;
    let by = Author {
        user: viewer.id(),
        session: None,
    };
    let (mut published, mut errors) = (Vec::with_capacity(wanted.len()), vec![]);
    let (mut bytes, mut is_new_tree) = (0, false);
    // Page by page, because the texts of all pages may be too much for the memory.
    for Wanted { index, page, .. } in &wanted {
        let stored = stored::stored(&mut *tx, *page).await?;
        let Some(draft) = draft::of_page(&mut *tx, *page).await? else {
            continue;
        };
        errors.extend(unready(&mut *tx, *index, stored.page.kind, &draft).await?);
        if errors.is_empty() {
            bytes += draft.content.len() + draft.quiz.as_deref().map_or(0, str::len);
            let (page_version, changes_tree) = draft::adopt(&mut *tx, &stored, &draft, true, now).await?;
            is_new_tree |= changes_tree;
            if page_version != stored.page.version {
                importance::note(&mut *tx, (course, *page), page_version, importance, (viewer.id(), now)).await?;
            }
            draft::tell(&mut *tx, *page, Change::DraftPublished, page_version, by, now);
            published.push(DraftState {
                page_id: *page,
                version: None,
                page_version,
            });
        }
    }
    require_no_errors(errors)?;
    quota::check_save(kurso, &mut *tx, course, owner, bytes).await?;
    if is_new_tree {
        renew_tree(&mut *tx, course).await?;
    }
    let entry = Entry::new(Act::ChangesPublished).by(viewer.id()).in_course(course);
    let entry = match published.as_slice() {
        [one] => entry.about(one.page_id),
        all => entry.detail(all.len()),
    };
    entry.write(&mut *tx, now).await?;
    Ok(published)
}

/// Fails where [`publish`] would, except for the quota, and only reads.
pub(crate) async fn check(
    on: &mut DbOrTx<'_>,
    course: &Course,
    PageDraftEntries(entries): &PageDraftEntries,
) -> Result<(), PublishError> {
    let mut errors = vec![];
    for Wanted { index, page, kind } in wanted(on, course.id, entries).await? {
        if let Some(draft) = draft::of_page(&mut *on, page).await? {
            errors.extend(unready(&mut *on, index, kind, &draft).await?);
        }
    }
    require_no_errors(errors)?;
    Ok(())
}

/// A page whose draft is published, with its place in the request.
struct Wanted {
    index: usize,
    page: PageId,
    kind: PageKind,
}

/// The pages to publish, each once. Fails with a conflict that names those changed since they were shown, and with 404 for a page of another course.
async fn wanted(
    on: &mut DbOrTx<'_>,
    course: CourseId,
    entries: &[PageDraftEntry],
) -> Result<Vec<Wanted>, PublishError> {
    let states = states(on, course, entries.iter().map(|entry| entry.page_id)).await?;
    let (mut conflicts, mut wanted, mut seen) = (vec![], vec![], HashSet::new());
    for (index, entry) in entries.iter().enumerate() {
        let state = states.get(&entry.page_id);
        let (state, kind) = state.ok_or(Error::NotFound(Message::PageNotFound))?;
        let is_shown = (state.version, state.page_version) == (Some(entry.version), entry.page_version);
        match (is_shown, seen.insert(entry.page_id)) {
            (false, _) => conflicts.push(*state),
            (true, true) => wanted.push(Wanted {
                index,
                page: entry.page_id,
                kind: *kind,
            }),
            (true, false) => {}
        }
    }
    match conflicts.is_empty() {
        true => Ok(wanted),
        false => Err(PublishError::Conflict(conflicts)),
    }
}

async fn states(
    on: &mut DbOrTx<'_>,
    course: CourseId,
    pages: impl Iterator<Item = PageId>,
) -> Result<HashMap<PageId, (DraftState, PageKind)>> {
    #[derive(sqlx::FromRow)]
    struct Row {
        #[sqlx(flatten)]
        state: DraftState,
        kind: PageKind,
    }
    let pages: Vec<PageId> = pages.collect();
    let mut states = HashMap::with_capacity(pages.len());
    for pages in pages.chunks(LIST_LIMIT) {
        let rows = sql!(
            "SELECT p.id AS page_id, d.version, p.version AS page_version, p.kind
             FROM pages p LEFT JOIN page_drafts d ON d.page_id = p.id WHERE p.course_id = $1 AND p.id IN ",
            course
        )
        .push_in(pages.iter().copied())
        .fetch_all::<Row>(&mut *on)
        .await?;
        states.extend(rows.into_iter().map(|row| (row.state.page_id, (row.state, row.kind))));
    }
    Ok(states)
}

/// The errors that keep a draft from being published, with their location in the request.
async fn unready(on: impl Executor, index: usize, kind: PageKind, draft: &draft::PageDraft) -> Result<Vec<FieldError>> {
    let mut checked = require_ready(kind, draft.quiz.as_deref());
    if checked.is_ok()
        && let Some(quiz) = draws::drawing(draft.quiz.as_deref())?
    {
        checked = draws::require_fillable(on, &quiz).await;
    }
    match checked {
        Ok(()) => Ok(vec![]),
        Err(Error::Invalid(mut errors)) => {
            for error in &mut errors {
                error.loc.splice(1..1, ["pages".into(), index.into()]);
            }
            Ok(errors)
        }
        Err(error) => Err(error),
    }
}
