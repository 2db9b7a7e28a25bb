//! The questions that are due.

use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CardId, CourseId, EnrollmentId, PageId};
use kurso_db::sql;
use kurso_formats::quiz::LearnerQuestion;

use super::question::{Card, Quizzes, card_columns, no_attempt_runs, readable, shown};
use crate::access::Viewer;
use crate::attempts::standing::standings;
use crate::learning::view::CourseView;
use crate::{Kurso, courses};

/// Maximum number of questions in a response.
const MAX_SHOWN: usize = 20;
/// The upper limit of `due_count`.
const MAX_COUNTED: usize = 100;
/// Maximum number of due cards that are read. Those whose questions cannot be asked now are skipped.
const LOOKED_AT: i64 = 1000;
/// Number of pages whose quizzes are in memory at a time.
const PAGES: usize = 25;

/// What a learner can practise now.
#[derive(Clone, Debug, Default)]
pub struct Practice {
    /// The number of questions that are due now, at most [`MAX_COUNTED`].
    pub due_count: usize,
    /// When the next question that is not due yet becomes due; None if there is none.
    pub next_due_at: Option<DateTime<Utc>>,
    /// Those that are due the longest first.
    pub questions: Vec<DueQuestion>,
}

/// A question that is due.
#[derive(Clone, Debug)]
pub struct DueQuestion {
    pub id: CardId,
    /// How often the learner has answered it so far, in attempts and in practice.
    pub reviews: i64,
    /// The course as the learner sees it.
    pub view: Arc<CourseView>,
    /// The index of its page in the tree of the view.
    pub place: usize,
    /// With the ids that the learner knows; without the key.
    pub question: LearnerQuestion,
}

/// The questions that are due for the viewer in all courses that they learn, at most [`MAX_SHOWN`] of them. Left out are questions of
/// pages that they may not read now or at which their attempt is running, and of quizzes that do not show them the answers. At most eight
/// statements, and three more per 25 quizzes; two if nothing is due.
pub async fn queue(kurso: &Kurso, viewer: &Viewer) -> Result<Practice> {
    let now = kurso.clock.now();
    let next = sql!(
        "SELECT MIN(k.due_at) FROM practice_cards k JOIN enrollments e ON e.id = k.enrollment_id
         WHERE e.user_id = $1 AND NOT k.is_stopped AND k.due_at > $2",
        viewer.id(),
        now
    );
    let (next_due_at,) = next.fetch_one::<(Option<DateTime<Utc>>,)>(&kurso.db).await?;
    let cards = sql!(
        concat!(
            "SELECT ",
            card_columns!(),
            " FROM practice_cards k JOIN enrollments e ON e.id = k.enrollment_id
             WHERE e.user_id = $1 AND NOT k.is_stopped AND k.due_at <= $2 AND ",
            no_attempt_runs!(),
            " ORDER BY k.due_at, k.id LIMIT $3"
        ),
        viewer.id(),
        now,
        LOOKED_AT
    );
    let cards = cards.fetch_all::<Card>(&kurso.db).await?;
    let mut practice = Practice {
        next_due_at,
        ..Practice::default()
    };
    if cards.is_empty() {
        return Ok(practice);
    }
    let of: BTreeSet<CourseId> = cards.iter().map(|card| card.course_id).collect();
    let courses = courses::in_reach_of(&kurso.db, viewer, of).await?;
    let views = CourseView::read_many(kurso, courses, now).await?;
    let views: HashMap<EnrollmentId, Arc<CourseView>> = views
        .into_iter()
        .filter_map(|view| Some((view.course.enrollment.as_ref()?.id, Arc::new(view))))
        .collect();
    let cards = cards.into_iter().filter_map(|card| {
        let view = views.get(&card.enrollment_id)?;
        Some((readable(view, card.page_id)?, view.clone(), card))
    });
    let mut cards = cards.peekable();
    while practice.due_count < MAX_COUNTED {
        let mut pages = BTreeSet::new();
        let next = || {
            cards.next_if(|(_, _, card)| {
                pages.insert(card.page_id);
                pages.len() <= PAGES
            })
        };
        let part: Vec<_> = iter::from_fn(next).collect();
        if part.is_empty() {
            break;
        }
        let of_part: Vec<Card> = part.iter().map(|(_, _, card)| card.clone()).collect();
        let quizzes = Quizzes::load(&kurso.db, &of_part).await?;
        let enrollments: BTreeSet<EnrollmentId> = of_part.iter().map(|card| card.enrollment_id).collect();
        let enrollments: Vec<EnrollmentId> = enrollments.into_iter().collect();
        let pages: BTreeSet<PageId> = of_part.iter().map(|card| card.page_id).collect();
        let pages: Vec<PageId> = pages.into_iter().collect();
        let standings = standings(&kurso.db, &enrollments, &pages).await?;
        for (place, view, card) in part {
            let standing = standings.get(&card.page_id).cloned().unwrap_or_default();
            let Some(only) = quizzes.asked(&card, &standing) else {
                continue;
            };
            practice.due_count = (practice.due_count + 1).min(MAX_COUNTED);
            if practice.questions.len() >= MAX_SHOWN {
                continue;
            }
            let aliases = kurso.quiz_key.aliases(card.enrollment_id.0);
            practice
                .questions
                .extend(shown(only, &aliases, card.attempt_no()).map(|question| DueQuestion {
                    id: card.id,
                    reviews: card.reviews,
                    view,
                    place,
                    question,
                }));
        }
    }
    Ok(practice)
}
