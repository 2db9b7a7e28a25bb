//! Writes a draft over a stored course, whose parts keep their ids.

use std::collections::HashMap;

use uuid::Uuid;

use super::StoredIds;
use crate::courses::page;
use crate::deletion;
use crate::drafts::load::{Loaded, PageText};
use crate::drafts::rows::Writer;
use kurso_base::error::Result;
use kurso_base::ids::{LessonId, ModuleId, PageId};
use kurso_db::Tx;
use kurso_db::events::{Change, Event};
use kurso_db::sql;
use kurso_formats::native::{document, write_quiz};
use kurso_formats::quiz::{Question, Quiz};
use kurso_formats::{Body, CourseDraft, PageDraft};

/// When the texts of a page are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::drafts) enum Texts {
    /// A file writes them in the same way. Then the stored ones stay, and questions keep their stored ids.
    ByMeaning,
    /// They are equal, with the ids of questions.
    Exactly,
}

impl Texts {
    fn differ(self, stored: &PageText, page: &PageDraft) -> bool {
        match self {
            Texts::ByMeaning => is_rewritten(stored, page),
            Texts::Exactly => {
                let (title, content, quiz) = stored;
                *title != page.title || *content != page.content || *quiz != page.quiz
            }
        }
    }
}

/// Where a page stands.
struct Place<'a> {
    lesson: LessonId,
    position: i64,
    page: &'a PageDraft,
}

impl Place<'_> {
    /// Whether the row of the page needs no change.
    fn is_same(&self, other: &Place<'_>) -> bool {
        let row = |place: &Place<'_>| (place.lesson, place.position, place.page.published);
        row(self) == row(other)
            && self.page.key == other.page.key
            && self.page.dates == other.page.dates
            && self.page.late == other.page.late
    }
}

fn places(draft: &CourseDraft) -> impl Iterator<Item = Place<'_>> {
    draft.lessons().flat_map(|lesson| {
        (0..).zip(&lesson.pages).map(|(position, page)| Place {
            lesson: LessonId(lesson.id),
            position,
            page,
        })
    })
}

impl Writer<'_> {
    /// Makes a stored course equal to the draft. `loaded` is the course as the transaction sees it, and `known` has the ids that both have.
    pub(in crate::drafts) async fn apply(
        &self,
        tx: &mut Tx,
        draft: &CourseDraft,
        loaded: &Loaded,
        known: &StoredIds,
        texts: Texts,
    ) -> Result<()> {
        sql!(
            "UPDATE courses SET title = $2, description = $3, starts_at = $4, ends_at = $5, enroll_until = $6, time_zone = $7,
             hide_locked_titles = $8, sequential = $9 WHERE id = $1",
            self.course,
            &draft.title,
            &draft.description,
            draft.dates.starts_at,
            draft.dates.ends_at,
            draft.dates.enroll_until,
            &draft.dates.time_zone,
            draft.dates.hide_locked_titles,
            draft.dates.sequential
        )
        .execute(&mut *tx)
        .await?;
        self.replace(tx, draft, &known.pages).await?;
        let before: HashMap<Uuid, Place<'_>> = places(&loaded.draft).map(|place| (place.page.id, place)).collect();
        for place in places(draft).filter(|place| known.pages.contains(&place.page.id)) {
            let is_moved = before.get(&place.page.id).is_none_or(|before| !before.is_same(&place));
            self.old_page(tx, place, is_moved, loaded, texts).await?;
        }
        self.remove_others(tx, loaded, known).await
    }

    /// Updates a stored page: its row if `is_changed`, and its content if that changed.
    async fn old_page(
        &self,
        tx: &mut Tx,
        place: Place<'_>,
        is_changed: bool,
        loaded: &Loaded,
        texts: Texts,
    ) -> Result<()> {
        let Place { lesson, position, page } = place;
        let id = PageId(page.id);
        if is_changed {
            sql!(
                "UPDATE pages SET lesson_id = $3, key = $4, position = $5, published = $6, available_from = $7,
                 available_until = $8, due_at = $9, late_until = $10, late_penalty_per_day = $11, late_penalty_max = $12
                 WHERE id = $1 AND course_id = $2",
                id,
                self.course,
                lesson,
                &page.key,
                position,
                page.published,
                page.dates.available_from,
                page.dates.available_until,
                page.dates.due_at,
                page.late.late_until,
                page.late.late_penalty_per_day,
                page.late.late_penalty_max
            )
            .execute(&mut *tx)
            .await?;
        }
        let text = loaded.texts.get(&id).filter(|text| texts.differ(text, page));
        if is_changed && !page.published {
            // The draft of a page that is restored is restored after it.
            let is_dropped = text.is_some() || texts == Texts::Exactly;
            page::draft::settle(tx, id, is_dropped, self.now).await?;
        }
        let Some(text) = text else {
            return Ok(());
        };
        let (_, content, quiz) = text;
        if texts == Texts::Exactly {
            let quiz = page.quiz.as_ref().map(Quiz::to_text).transpose()?;
            return self.rewrite(tx, page, &page.content, quiz).await;
        }
        let (same_text, same_quiz) = (has_text(content, page), has_quiz(quiz.as_ref(), page));
        let content = if same_text { content } else { &page.content };
        let quiz = match (quiz, &page.quiz) {
            (Some(before), Some(_)) if same_quiz => Some(before.to_text()?),
            (Some(before), Some(now)) => Some(with_ids_of(now.clone(), before).to_text()?),
            (_, quiz) => quiz.as_ref().map(Quiz::to_text).transpose()?,
        };
        self.rewrite(tx, page, content, quiz).await
    }

    async fn rewrite(&self, tx: &mut Tx, page: &PageDraft, content: &Body, quiz: Option<String>) -> Result<()> {
        let (id, title) = (PageId(page.id), page.title.clone());
        let version = page::rewrite(tx, id, title, content.to_string(), quiz, self.user, self.now).await?;
        self.tell(tx, id, Change::Written, version);
        Ok(())
    }

    fn tell(&self, tx: &mut Tx, page: PageId, what: Change, version: i64) {
        tx.publish(Event::Page {
            page,
            what,
            version,
            by: self.user,
            session: None,
            at: self.now,
        });
    }

    async fn remove_others(&self, tx: &mut Tx, loaded: &Loaded, known: &StoredIds) -> Result<()> {
        // A module first, so that it is one entry of the trash with the lessons and pages that are still in it.
        let modules = loaded.draft.modules.iter();
        for module in modules.filter(|module| !known.modules.contains(&module.id)) {
            deletion::put(tx, ModuleId(module.id), self.user, self.now).await?;
        }
        let lessons = loaded.draft.lessons();
        for lesson in lessons.filter(|lesson| !known.lessons.contains(&lesson.id)) {
            deletion::put(tx, LessonId(lesson.id), self.user, self.now).await?;
        }
        for page in loaded.draft.pages().filter(|page| !known.pages.contains(&page.id)) {
            let id = PageId(page.id);
            deletion::put(tx, id, self.user, self.now).await?;
            self.tell(tx, id, Change::Deleted, loaded.versions.get(&id).copied().unwrap_or(1));
        }
        Ok(())
    }
}

/// Whether the page differs from the stored one.
pub(in crate::drafts) fn is_rewritten(stored: &PageText, page: &PageDraft) -> bool {
    let (title, content, quiz) = stored;
    *title != page.title || !has_text(content, page) || !has_quiz(quiz.as_ref(), page)
}

fn has_text(content: &Body, page: &PageDraft) -> bool {
    *content == page.content || document::normalize(&content.read()) == document::normalize(&page.content.read())
}

fn has_quiz(quiz: Option<&Quiz>, page: &PageDraft) -> bool {
    match (quiz, &page.quiz) {
        (Some(a), Some(b)) => same_settings(a, b) && write_quiz(a) == write_quiz(b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

fn same_settings(a: &Quiz, b: &Quiz) -> bool {
    let settings = |quiz: &Quiz| Quiz {
        questions: vec![],
        ..quiz.clone()
    };
    settings(a) == settings(b)
}

/// Unchanged questions stay as stored; a changed one keeps the id of the stored question at its position if the type
/// is equal.
fn with_ids_of(mut now: Quiz, before: &Quiz) -> Quiz {
    let text = |question: &Question| {
        write_quiz(&Quiz {
            questions: vec![question.clone()],
            ..Quiz::default()
        })
    };
    let mut left: Vec<(String, Option<&Question>)> = before.questions.iter().map(|q| (text(q), Some(q))).collect();
    let mut changed = Vec::new();
    for (at, question) in now.questions.iter_mut().enumerate() {
        let said = text(question);
        let same = left.iter_mut().find(|(text, free)| free.is_some() && *text == said);
        match same.and_then(|(_, free)| free.take()) {
            Some(stored) => *question = stored.clone(),
            None => changed.push(at),
        }
    }
    for at in changed {
        let free = left.get_mut(at).and_then(|(_, free)| free.take());
        if let (Some(stored), Some(question)) = (free, now.questions.get_mut(at))
            && std::mem::discriminant(&stored.kind) == std::mem::discriminant(&question.kind)
        {
            question.id = stored.id;
        }
    }
    now
}
