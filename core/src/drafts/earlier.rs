//! Makes a stored course equal to what a snapshot has of it.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::load::{Loaded, load_in};
use super::rows::Writer;
use super::update::{StoredIds, Texts};
use crate::capture::{Outline, Text};
use crate::courses::page::{self, DraftText};
use crate::draws;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, PageId, UserId};
use kurso_db::{LIST_LIMIT, Tx, sql};
use kurso_formats::quiz::Quiz;
use kurso_formats::{CourseDraft, LessonDraft, ModuleDraft, PageDraft, UnreadDates, content};

/// Makes a course that the transaction has locked equal to a snapshot of it. Parts keep their ids, those that the snapshot does not have go to
/// the trash, and those that it has and the course does not are created. Returns the pages that had to be unpublished, because their quizzes
/// cannot draw enough questions any more.
pub(crate) async fn restore(
    tx: &mut Tx,
    course: CourseId,
    by: UserId,
    now: DateTime<Utc>,
    outline: &Outline,
    mut texts: HashMap<Uuid, Text>,
) -> Result<Vec<PageId>> {
    let drafts = drafts(&mut texts);
    let mut draft = draft_of(outline, &mut texts)?;
    let loaded = load_in(tx, course).await?;
    let unpublished = unpublish_unfillable(tx, &mut draft, &loaded).await?;
    let both = |now: HashSet<Uuid>, then: &mut dyn Iterator<Item = Uuid>| then.filter(|id| now.contains(id)).collect();
    let known = StoredIds {
        modules: both(
            loaded.draft.modules.iter().map(|module| module.id).collect(),
            &mut draft.modules.iter().map(|module| module.id),
        ),
        lessons: both(
            loaded.draft.lessons().map(|lesson| lesson.id).collect(),
            &mut draft.lessons().map(|lesson| lesson.id),
        ),
        pages: both(
            loaded.draft.pages().map(|page| page.id).collect(),
            &mut draft.pages().map(|page| page.id),
        ),
    };
    let files = files(tx, &draft).await?;
    let writer = Writer {
        course,
        user: by,
        now,
        files: &files,
    };
    writer.apply(tx, &draft, &loaded, &known, Texts::Exactly).await?;
    set_drafts(tx, course, by, now, drafts).await?;
    Ok(unpublished)
}

/// Takes the drafts out of the texts.
fn drafts(texts: &mut HashMap<Uuid, Text>) -> HashMap<PageId, DraftText> {
    let drafts = texts.iter_mut().filter_map(|(id, text)| {
        let draft = text.draft.take()?;
        let text = DraftText {
            title: draft.title,
            content: draft.content,
            quiz: draft.quiz,
        };
        Some((PageId(*id), text))
    });
    drafts.collect()
}

/// The snapshot as a draft with the ids, addresses and keys of the stored course.
fn draft_of(outline: &Outline, texts: &mut HashMap<Uuid, Text>) -> Result<CourseDraft> {
    let mut page = |page: &crate::capture::Page| -> Result<PageDraft> {
        let missing = || Error::internal(format!("the snapshot has no text of page {}", page.id));
        let text = texts.remove(&page.id).ok_or_else(missing)?;
        let quiz = match (page.kind.as_str(), text.quiz.as_deref()) {
            ("content", _) => None,
            // Nobody has written the quiz yet.
            (_, None) => Some(Quiz::default()),
            (_, Some(quiz)) => Some(Quiz::from_text(quiz)?),
        };
        Ok(PageDraft {
            id: page.id,
            key: page.key.clone(),
            title: page.title.clone(),
            content: content::parse(&text.content).map_err(Error::internal)?.into(),
            quiz,
            published: page.published,
            dates: page.dates,
            late: page.late,
            source: page.id.to_string(),
        })
    };
    let mut lesson = |lesson: &crate::capture::Lesson| -> Result<LessonDraft> {
        Ok(LessonDraft {
            id: lesson.id,
            key: lesson.key.clone(),
            title: lesson.title.clone(),
            dates: lesson.dates,
            prerequisites: lesson.needs.clone(),
            pages: lesson.pages.iter().map(&mut page).collect::<Result<_>>()?,
        })
    };
    let module = |module: &crate::capture::Module| -> Result<ModuleDraft> {
        Ok(ModuleDraft {
            id: module.id,
            key: module.key.clone(),
            title: module.title.clone(),
            description: module.description.clone(),
            avatar: module.avatar.clone(),
            dates: module.dates,
            prerequisites: module.needs.clone(),
            lessons: module.lessons.iter().map(&mut lesson).collect::<Result<_>>()?,
        })
    };
    Ok(CourseDraft {
        title: outline.title.clone(),
        description: outline.description.clone(),
        dates: outline.dates.clone(),
        modules: outline.modules.iter().map(module).collect::<Result<_>>()?,
        banks: vec![],
        files: vec![],
        unread_dates: UnreadDates::default(),
    })
}

/// Unpublishes pages whose quiz or publication is restored and draws from banks that have too few questions now, as an import does.
async fn unpublish_unfillable(tx: &mut Tx, draft: &mut CourseDraft, loaded: &Loaded) -> Result<Vec<PageId>> {
    let published: HashSet<Uuid> = loaded
        .draft
        .pages()
        .filter(|page| page.published)
        .map(|page| page.id)
        .collect();
    let mut unpublished = vec![];
    for page in draft.pages_mut().filter(|page| page.published) {
        let Some(quiz) = page.quiz.as_ref().filter(|quiz| quiz.has_draws()) else {
            continue;
        };
        let stored = loaded
            .texts
            .get(&PageId(page.id))
            .and_then(|(_, _, quiz)| quiz.as_ref());
        if published.contains(&page.id) && stored == Some(quiz) {
            continue;
        }
        match draws::require_fillable(&mut *tx, quiz).await {
            Ok(()) => {}
            Err(Error::Invalid(_)) => {
                page.published = false;
                unpublished.push(PageId(page.id));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(unpublished)
}

/// The files of the draft by their key.
async fn files(tx: &mut Tx, draft: &CourseDraft) -> Result<HashMap<String, FileId>> {
    let mut keys: HashSet<String> = draft.pages().flat_map(PageDraft::files).collect();
    keys.extend(draft.modules.iter().filter_map(|module| module.avatar.clone()));
    let keys: Vec<String> = keys.into_iter().collect();
    let mut files = HashMap::with_capacity(keys.len());
    for keys in keys.chunks(LIST_LIMIT) {
        let rows = sql!("SELECT key, id FROM files WHERE key IN ").push_in(keys.iter().map(String::as_str));
        files.extend(rows.fetch_all::<(String, FileId)>(&mut *tx).await?);
    }
    Ok(files)
}

/// Gives the pages of the course these drafts, and no others.
async fn set_drafts(
    tx: &mut Tx,
    course: CourseId,
    by: UserId,
    now: DateTime<Utc>,
    mut drafts: HashMap<PageId, DraftText>,
) -> Result<()> {
    let stored = sql!(
        "SELECT d.page_id FROM page_drafts d JOIN pages p ON p.id = d.page_id WHERE p.course_id = $1 ORDER BY d.page_id",
        course
    );
    let stored = stored.fetch_all::<(PageId,)>(&mut *tx).await?;
    let mut pages: Vec<PageId> = stored
        .into_iter()
        .map(|(page,)| page)
        .chain(drafts.keys().copied())
        .collect();
    pages.sort_unstable();
    pages.dedup();
    for page in pages {
        page::set_draft(tx, page, drafts.remove(&page), by, now).await?;
    }
    Ok(())
}
