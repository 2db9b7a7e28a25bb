//! Finds the question that a card asks now.

use std::collections::{BTreeSet, HashMap};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CardId, CourseId, EnrollmentId, PageId};
use kurso_db::{Db, sql};
use kurso_formats::quiz::{Aliases, LearnerQuestion, LearnerQuiz, Quiz};
use uuid::Uuid;

use super::record::is_practised;
use crate::attempts::for_author;
use crate::attempts::review::shows_answers;
use crate::attempts::standing::Standing;
use crate::learning::view::CourseView;

/// A card, without its schedule.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Card {
    pub id: CardId,
    pub enrollment_id: EnrollmentId,
    pub course_id: CourseId,
    pub page_id: PageId,
    pub question_id: Uuid,
    pub quiz_version: i64,
    pub reviews: i64,
}

/// The columns of a [`Card`] `k` of an enrollment `e`.
macro_rules! card_columns {
    () => {
        "k.id, k.enrollment_id, e.course_id, k.page_id, k.question_id, k.quiz_version, k.reviews"
    };
}
pub(super) use card_columns;

/// Whether the learner has no attempt at the page of the card `k` of the enrollment `e` that is running.
macro_rules! no_attempt_runs {
    () => {
        "NOT EXISTS (SELECT 1 FROM running_attempts r WHERE r.page_id = k.page_id AND r.user_id = e.user_id)"
    };
}
pub(super) use no_attempt_runs;

impl Card {
    /// The attempt number from which the values and the order of options of the next review are made. It is negative, so no attempt has it.
    pub fn attempt_no(&self) -> i64 {
        -1 - self.reviews
    }
}

/// The quizzes of pages: as they are, and as they were taken.
pub(super) struct Quizzes {
    present: HashMap<PageId, Quiz>,
    taken: HashMap<(PageId, i64), Quiz>,
}

impl Quizzes {
    /// Reads the quizzes of cards, of at most [`kurso_db::LIST_LIMIT`] pages. Two statements.
    pub async fn load(db: &Db, cards: &[Card]) -> Result<Self> {
        let of: BTreeSet<(PageId, i64)> = cards.iter().map(|card| (card.page_id, card.quiz_version)).collect();
        let pages: BTreeSet<PageId> = of.iter().map(|(page, _)| *page).collect();
        let versions: BTreeSet<i64> = of.iter().map(|(_, version)| *version).collect();
        let pages: Vec<PageId> = pages.into_iter().collect();
        let present = parsed(for_author(db, &pages).await?).await?;
        let rows = sql!("SELECT page_id, version, quiz FROM taken_quizzes WHERE page_id IN ").push_in(pages);
        let rows = rows.push(" AND version IN ").push_in(versions);
        let rows = rows.fetch_all::<(PageId, i64, String)>(db).await?.into_iter();
        let rows = rows.map(|(page, version, text)| ((page, version), text));
        let rows: Vec<_> = rows.filter(|(key, _)| of.contains(key)).collect();
        let taken = parsed(rows).await?;
        Ok(Quizzes { present, taken })
    }

    /// A copy of the quiz with only the question of a card. Learners who have passed get the present question, others the one of their attempt, whose
    /// results show its answer. Drawn questions are asked only after passing, because the pool may have versions that the learner has not drawn. None
    /// if the quiz does not ask the question now, or does not show its answer to the learner.
    pub fn asked(&self, card: &Card, standing: &Standing) -> Option<Quiz> {
        let present = self.present.get(&card.page_id)?;
        if !shows_answers(present.reveal, standing.passed) {
            return None;
        }
        let taken = self.taken.get(&(card.page_id, card.quiz_version))?;
        let id = card.question_id;
        let only = match present.only(id) {
            Some(only) if standing.passed => only,
            Some(_) => taken.only(id)?,
            None if standing.passed && present.has_draws() => taken.only_drawn(id)?,
            None => return None,
        };
        let only = Quiz {
            reveal: present.reveal,
            ..only
        };
        only.questions.first().is_some_and(is_practised).then_some(only)
    }
}

/// Parses the texts away from the threads of the async runtime: each may have 2 MiB.
async fn parsed<Of, Texts>(texts: Texts) -> Result<HashMap<Of, Quiz>>
where
    Of: Eq + std::hash::Hash + Send + 'static,
    Texts: IntoIterator<Item = (Of, String)> + Send + 'static,
{
    let parse = move || {
        texts
            .into_iter()
            .map(|(of, text)| Ok((of, Quiz::from_text(&text)?)))
            .collect()
    };
    tokio::task::spawn_blocking(parse).await.map_err(Error::internal)?
}

/// The only question of a quiz as its learner sees it, without its key.
pub(super) fn shown(only: Quiz, aliases: &Aliases<'_>, attempt_no: i64) -> Option<LearnerQuestion> {
    LearnerQuiz::of(only, aliases, attempt_no).questions.pop()
}

/// Whether the learner may read the page of a card; returns its index in the tree.
pub(super) fn readable(view: &CourseView, page: PageId) -> Option<usize> {
    let place = view.tree.place(page).filter(|place| view.page(*place).published)?;
    view.require_readable(place).is_ok().then_some(place)
}
