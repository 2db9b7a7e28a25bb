//! What a learner sees of their own grades: the published pages, where each value comes from and why, and the grade of the course.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_db::{DbOrTx, sql};

use super::cells::{Cell, Graded};
use super::ledger::{Dues, Learner, Ledger};
use super::settings::Setup;
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::learning::view::CourseView;

/// The grades of the viewer in a course.
#[derive(Clone, Debug)]
pub struct OwnGrades {
    /// Its items have all titles: show those of the grades.
    pub setup: Setup,
    pub grades: Vec<OwnGrade>,
    pub graded: Graded,
    /// Why a teacher decided the grade of the course.
    pub reason: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
}

/// A grade of the viewer.
#[derive(Clone, Debug)]
pub struct OwnGrade {
    pub page_id: PageId,
    /// None if the page is shown by its number, or its title is hidden.
    pub title: Option<String>,
    pub lesson_title: String,
    /// The index of its category.
    pub category: Option<usize>,
    /// Hundredths of a point.
    pub points: i64,
    pub extra_credit: bool,
    pub is_excluded: bool,
    pub due_at: Option<DateTime<Utc>>,
    pub cell: Cell,
    /// Percent of the score that the best attempt lost because it was late.
    pub penalty_percent: Option<i64>,
    /// Why a teacher decided it; None without a decision.
    pub reason: Option<String>,
    pub decided_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
struct Reason {
    page_id: Option<PageId>,
    reason: Option<String>,
    decided_at: DateTime<Utc>,
}

/// The grades of the viewer. Fails with 403 without an enrollment in the course. At most twelve statements.
pub async fn own(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<OwnGrades> {
    let view = CourseView::load(kurso, viewer, course, Right::Read).await?;
    let Some(enrollment) = &view.course.enrollment else {
        return Err(Error::Forbidden(Message::NotEnrolled));
    };
    let learner = Learner {
        enrollment_id: enrollment.id,
        user_id: enrollment.user_id,
        group_id: enrollment.group.as_ref().map(|group| group.id),
    };
    let ledger = Ledger::of(kurso, view.course.clone(), view.stored().clone()).await?;
    let verdicts = ledger
        .verdicts(&mut DbOrTx::Db(&kurso.db), Some(&[learner.user_id]))
        .await?;
    // The view has read the marks already.
    let bests = ledger.setup.columns().map(|item| view.best_percent(item.place));
    let bests = bests.collect();
    let dues = ledger.dues(&mut Dues::default(), &learner);
    let graded = ledger.grade(&bests, verdicts.get(&learner.user_id), &dues);
    let mut reasons = reasons(kurso, course, &learner).await?;
    let penalties = penalties(kurso, learner.enrollment_id, None).await?;
    let timeline = view.timeline();
    let cells = ledger.setup.columns().zip(&graded.cells.0);
    let grades = cells.map(|(item, cell)| {
        let page = view.page(item.place);
        let why = reasons.remove(&Some(item.page_id));
        OwnGrade {
            page_id: item.page_id,
            title: page.title.clone(),
            lesson_title: view.lesson(page.lesson).title.clone(),
            category: item.category_id.and_then(|id| ledger.setup.category(id)),
            points: item.points,
            extra_credit: item.extra_credit,
            is_excluded: item.is_excluded,
            due_at: timeline.page_by_dates(item.place).due_at,
            cell: *cell,
            penalty_percent: penalties.get(&item.page_id).copied(),
            decided_at: why.as_ref().map(|why| why.decided_at),
            reason: why.and_then(|why| why.reason),
        }
    });
    let grades = grades.collect();
    let total = reasons.remove(&None);
    Ok(OwnGrades {
        grades,
        graded,
        decided_at: total.as_ref().map(|why| why.decided_at),
        reason: total.and_then(|why| why.reason),
        setup: ledger.setup,
    })
}

/// Why teachers decided, by page. One statement.
async fn reasons(kurso: &Kurso, course: CourseId, learner: &Learner) -> Result<HashMap<Option<PageId>, Reason>> {
    let rows = sql!(
        "SELECT page_id, reason, decided_at FROM grade_decisions
         WHERE course_id = $1 AND user_id = $2 AND is_current AND kind <> 'removed'",
        course,
        learner.user_id
    );
    let rows = rows.fetch_all::<Reason>(&kurso.db).await?;
    Ok(rows.into_iter().map(|row| (row.page_id, row)).collect())
}

/// What the best attempts lost because they were late, on one page or on all; of equally good ones, the one that lost least. One
/// statement.
pub(super) async fn penalties(
    kurso: &Kurso,
    enrollment: EnrollmentId,
    page: Option<PageId>,
) -> Result<HashMap<PageId, i64>> {
    let mut rows = sql!(
        "SELECT a.page_id, MIN(a.penalty_percent) FROM attempts a
         WHERE a.enrollment_id = $1 AND a.percent = (SELECT MAX(b.percent) FROM attempts b
           WHERE b.enrollment_id = a.enrollment_id AND b.page_id = a.page_id)",
        enrollment
    );
    if let Some(page) = page {
        rows = rows.push(" AND a.page_id = ").push_bind(page);
    }
    let rows = rows.push(" GROUP BY a.page_id");
    Ok(rows.fetch_all::<(PageId, i64)>(&kurso.db).await?.into_iter().collect())
}
