//! What grades of a course are derived from: the settings, when items are due, what learners did, and what teachers decided.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, PageId, UserId};
use kurso_db::{DbOrTx, LIST_LIMIT, Sql, sql};

use super::cells::{Cell, DecisionKind, Graded, Verdict};
use super::grading::{self, Book};
use super::settings::{Setup, tree_of};
use crate::Kurso;
use crate::courses::Course;
use crate::courses::enrollment::AttemptSummaries;
use crate::courses::overrides::Own;
use crate::courses::timeline::Timeline;
use crate::courses::tree::Tree;
use crate::learning::progress::{self, Marks};
use crate::schedule;

/// A learner of the course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learner {
    pub enrollment_id: EnrollmentId,
    pub user_id: UserId,
    pub group_id: Option<GroupId>,
}

/// The best percents of a learner by column; None without an attempt.
pub(super) type Bests = Vec<Option<i64>>;

/// The decisions on the grades of a learner by column and on the grade of the course, each with its version, and the columns with waiting
/// answers.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdicts {
    cells: HashMap<usize, (Verdict, i64)>,
    total: Option<(Verdict, i64)>,
    waiting: HashSet<usize>,
}

/// All of a course that its grades depend on, except its learners.
#[derive(Debug)]
pub(super) struct Ledger {
    pub course: Course,
    pub tree: Arc<Tree>,
    pub setup: Setup,
    book: Book,
    /// The column of each page number of stored progress.
    by_mark_no: HashMap<i64, usize>,
    by_page: HashMap<PageId, usize>,
    /// The places of the columns in the tree.
    places: Vec<usize>,
    now: DateTime<Utc>,
}

/// Says which columns were due for learners. Those whom the same overrides concern share the answer.
#[derive(Debug, Default)]
pub(super) struct Dues(HashMap<Option<GroupId>, Arc<Vec<bool>>>);

impl Ledger {
    /// At most seven statements; three if the tree is cached.
    pub async fn load(kurso: &Kurso, course: Course) -> Result<Self> {
        let tree = tree_of(kurso, &course).await?;
        Self::of(kurso, course, tree).await
    }

    /// As [`Self::load`], with the tree of the course, which has all titles. Three statements.
    pub async fn of(kurso: &Kurso, course: Course, tree: Arc<Tree>) -> Result<Self> {
        let setup = Setup::read(kurso, course.id, &tree).await?;
        let items = setup.columns().map(|item| grading::Item {
            category: item.category_id.and_then(|id| setup.category(id)),
            points: item.points,
            extra_credit: item.extra_credit,
            is_excluded: item.is_excluded,
        });
        let categories = setup.categories.iter().map(|category| grading::Category {
            weight: category.weight,
            drop_lowest: usize::try_from(category.drop_lowest).unwrap_or(0),
        });
        let book = Book::new(categories.collect(), items.collect());
        let places: Vec<usize> = setup.columns().map(|item| item.place).collect();
        let columns = || places.iter().copied().enumerate();
        Ok(Ledger {
            by_mark_no: columns()
                .filter_map(|(at, place)| Some((tree.page(place).mark_no?, at)))
                .collect(),
            by_page: columns().map(|(at, place)| (tree.page(place).id, at)).collect(),
            book,
            places,
            now: kurso.clock.now(),
            course,
            tree,
            setup,
        })
    }

    /// The column of a page; None if it is not in the gradebook.
    pub fn column(&self, page: PageId) -> Option<usize> {
        self.by_page.get(&page).copied()
    }

    /// The best percents that stored summaries of attempts hold.
    pub fn bests(&self, tries: &AttemptSummaries) -> Bests {
        let mut bests = vec![None; self.places.len()];
        for (mark_no, best_percent) in tries.best_percents() {
            let column = self.by_mark_no.get(&mark_no);
            if let Some(best) = column.and_then(|column| bests.get_mut(*column)) {
                *best = Some(best_percent);
            }
        }
        bests
    }

    /// The best percents of a learner with these marks.
    pub fn bests_of(&self, marks: &Marks) -> Bests {
        let best = |place: &usize| marks.tried.get(place).map(|tried| tried.best_percent);
        self.places.iter().map(best).collect()
    }

    /// The best percents of learners. One statement per [`LIST_LIMIT`] of those whose summaries are not stored.
    pub async fn all_bests(
        &self,
        kurso: &Kurso,
        learners: impl IntoIterator<Item = (EnrollmentId, Option<AttemptSummaries>)>,
    ) -> Result<Vec<Bests>> {
        let learners: Vec<_> = learners.into_iter().collect();
        let missing: Vec<EnrollmentId> = learners
            .iter()
            .filter(|(_, tries)| tries.is_none())
            .map(|(id, _)| *id)
            .collect();
        let mut read: HashMap<EnrollmentId, Bests> = HashMap::new();
        for chunk in missing.chunks(LIST_LIMIT) {
            let of: Vec<_> = chunk.iter().map(|id| (*id, self.tree.as_ref())).collect();
            for (id, marks) in chunk.iter().zip(progress::read::marks(&kurso.db, &of).await?) {
                read.insert(*id, self.bests_of(&marks));
            }
        }
        let bests = learners.into_iter().map(|(id, tries)| match tries {
            Some(tries) => self.bests(&tries),
            None => read.remove(&id).unwrap_or_else(|| vec![None; self.places.len()]),
        });
        Ok(bests.collect())
    }

    /// The decisions on the grades of these learners, or of all learners of the course, and their columns with waiting answers. Two statements.
    pub async fn verdicts(&self, on: &mut DbOrTx<'_>, users: Option<&[UserId]>) -> Result<HashMap<UserId, Verdicts>> {
        let all = of_course(self.course.id);
        let rows = match users {
            Some([]) => return Ok(HashMap::new()),
            Some(users) => all.push(" AND user_id IN ").push_in(users.iter().copied()),
            None => all,
        };
        let mut verdicts = self.waiting(on, users).await?;
        for row in rows.fetch_all::<VerdictRow>(&mut *on).await? {
            let of = verdicts.entry(row.user_id).or_default();
            let decided = (row.verdict(), row.version);
            match row.page_id {
                None => of.total = Some(decided),
                // A page that is not published now keeps its decisions.
                Some(page) => {
                    if let Some(column) = self.column(page) {
                        of.cells.insert(column, decided);
                    }
                }
            }
        }
        Ok(verdicts)
    }

    /// The columns with attempts whose answers wait for a grader, for the release of their points, or for a revision. Answers to questions without points are
    /// left out, because they change no grade. One statement.
    async fn waiting(&self, on: &mut DbOrTx<'_>, users: Option<&[UserId]>) -> Result<HashMap<UserId, Verdicts>> {
        let all = sql!(
            "SELECT DISTINCT w.user_id, w.page_id FROM (
               SELECT o.user_id, o.page_id FROM open_answers o JOIN attempts a ON a.id = o.attempt_id
               WHERE o.course_id = $1 AND o.state IN ('waiting', 'graded') AND o.max_points > 0
               UNION ALL SELECT o.user_id, o.page_id FROM open_answers o JOIN attempts a ON a.id = o.attempt_id
               WHERE o.course_id = $1 AND o.is_returned AND a.waiting > 0) w",
            self.course.id
        );
        let rows = match users {
            Some(users) => all.push(" WHERE w.user_id IN ").push_in(users.iter().copied()),
            None => all,
        };
        let mut waiting: HashMap<UserId, Verdicts> = HashMap::new();
        for (user, page) in rows.fetch_all::<(UserId, PageId)>(&mut *on).await? {
            if let Some(column) = self.column(page) {
                waiting.entry(user).or_default().waiting.insert(column);
            }
        }
        Ok(waiting)
    }

    /// Which columns were due for a learner.
    pub fn dues(&self, known: &mut Dues, learner: &Learner) -> Arc<Vec<bool>> {
        let own = Own::of_learner(&self.course, &self.tree, learner.user_id, learner.group_id);
        if own.is_personal() {
            return Arc::new(self.due(&own));
        }
        let shared = known.0.entry(learner.group_id);
        shared.or_insert_with(|| Arc::new(self.due(&own))).clone()
    }

    fn due(&self, own: &Own) -> Vec<bool> {
        let timeline = Timeline::of(&self.course, &self.tree, own, &[], self.now);
        let due = |place: &usize| schedule::is_past(timeline.page_by_dates(*place).due_at, self.now);
        self.places.iter().map(due).collect()
    }

    /// The grades of a learner.
    pub fn grade(&self, bests: &Bests, verdicts: Option<&Verdicts>, dues: &[bool]) -> Graded {
        let items = self.book.items().iter().enumerate();
        let cells = items.map(|(at, item)| {
            let best = bests.get(at).copied().flatten();
            let verdict = verdicts.and_then(|verdicts| verdicts.cells.get(&at).copied());
            let is_waiting = verdicts.is_some_and(|verdicts| verdicts.waiting.contains(&at));
            let is_due = dues.get(at).copied().unwrap_or(false);
            Cell::of(
                item,
                best,
                verdict,
                is_waiting,
                is_due,
                self.setup.missing_counts_as_zero,
            )
        });
        let total = verdicts.and_then(|verdicts| verdicts.total);
        Graded::of(&self.setup, &self.book, cells.collect(), total)
    }
}

/// The decisions that hold in a course.
fn of_course<'q>(course: CourseId) -> Sql<'q> {
    sql!(
        "SELECT user_id, page_id, version, kind, points FROM grade_decisions WHERE course_id = $1 AND is_current",
        course
    )
}

#[derive(sqlx::FromRow)]
struct VerdictRow {
    user_id: UserId,
    page_id: Option<PageId>,
    version: i64,
    kind: DecisionKind,
    points: Option<i64>,
}

impl VerdictRow {
    fn verdict(&self) -> Verdict {
        match (self.kind, self.points) {
            (DecisionKind::Override, Some(points)) => Verdict::Override(points),
            (DecisionKind::Excused, _) => Verdict::Excused,
            (DecisionKind::Removed | DecisionKind::Override, _) => Verdict::Removed,
        }
    }
}
