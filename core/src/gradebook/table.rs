//! One page of the gradebook. Of the whole class only what the order needs is read; the rest only for the rows that are shown.

use std::collections::HashMap;

use kurso_base::error::Result;
use kurso_base::ids::{CourseId, EnrollmentId, GroupId, UserId};
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::{Search, fold};
use kurso_base::sort;
use kurso_db::{DbOrTx, sql};

use super::cells::Graded;
use super::ledger::{Dues, Learner, Ledger, Verdicts};
use super::settings::Setup;
use crate::Kurso;
use crate::access::{Right, Viewer, shown_name};
use crate::courses;
use crate::courses::enrollment::AttemptSummaries;
use crate::courses::groups::{GroupFilter, GroupName};

/// A learner's row of the gradebook.
#[derive(Clone, Debug)]
pub struct Row {
    pub learner: Learner,
    pub full_name: Option<String>,
    pub email: String,
    pub group: Option<GroupName>,
    pub grades: Graded,
}

/// A part of a gradebook.
#[derive(Clone, Debug)]
pub struct Gradebook {
    /// The published items are the columns.
    pub setup: Setup,
    pub rows: Listed<Row>,
}

/// A filter and an order.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Matches the name or the mail address.
    pub search: Search,
    pub group: GroupFilter,
    pub order: Order,
}

/// The sort key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortKey {
    /// The name, or else the mail address; ignores case, and ё equals е.
    #[default]
    FullName,
    Email,
    /// The grade of the course. Learners without one come last in both directions.
    Total,
}

impl sort::SortKey for SortKey {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("full_name", SortKey::FullName),
        ("email", SortKey::Email),
        ("total", SortKey::Total),
    ];
}

/// A sort key and a direction. Ties are sorted by enrollment id, ascending, that is by time of enrollment.
pub type Order = sort::Order<SortKey>;

/// A learner as the class is searched and sorted.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Entry {
    #[sqlx(flatten)]
    pub key: Key,
    #[sqlx(default)]
    tries: Option<AttemptSummaries>,
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct Key {
    pub enrollment_id: EnrollmentId,
    pub user_id: UserId,
    group_id: Option<GroupId>,
    group_title: Option<String>,
    pub full_name: Option<String>,
    pub email: String,
}

impl Key {
    fn learner(&self) -> Learner {
        Learner {
            enrollment_id: self.enrollment_id,
            user_id: self.user_id,
            group_id: self.group_id,
        }
    }

    fn shown_name(&self) -> &str {
        shown_name(self.full_name.as_deref(), &self.email)
    }
}

macro_rules! select {
    ($columns:literal) => {
        concat!(
            "SELECT e.id AS enrollment_id, e.user_id, e.group_id, g.title AS group_title, u.full_name, u.email",
            $columns,
            " FROM enrollments e JOIN users u ON u.id = e.user_id LEFT JOIN groups g ON g.id = e.group_id WHERE "
        )
    };
}

/// One page of the gradebook of a course, for its staff; 403 for learners. At most twelve statements for any size of course and class, and
/// one more for learners whose progress is not stored.
pub async fn gradebook(
    kurso: &Kurso,
    viewer: &Viewer,
    course: CourseId,
    query: &Query,
    page: Page,
) -> Result<Gradebook> {
    let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
    let ledger = Ledger::load(kurso, course).await?;
    let rows = page_of(kurso, &ledger, query, page).await?;
    Ok(Gradebook {
        setup: ledger.setup,
        rows,
    })
}

async fn page_of(kurso: &Kurso, ledger: &Ledger, query: &Query, page: Page) -> Result<Listed<Row>> {
    let by_total = query.order.by == SortKey::Total;
    let text = if by_total {
        concat!(select!(", e.tries"), "e.course_id = $1")
    } else {
        concat!(select!(""), "e.course_id = $1")
    };
    let class = query.group.on(sql!(text, ledger.course.id));
    let mut class: Vec<Entry> = class.fetch_all(&kurso.db).await?;
    if !query.search.is_empty() {
        class.retain(|entry| {
            let name = entry.key.full_name.as_deref().unwrap_or_default();
            query.search.matches(&[name, &entry.key.email])
        });
    }
    let order = query.order;
    match order.by {
        SortKey::FullName => sort(&mut class, order, |key| fold(key.shown_name())),
        SortKey::Email => sort(&mut class, order, |key| fold(&key.email)),
        SortKey::Total => return by_grade(kurso, ledger, class, order.descending, page).await,
    }
    let Listed { data, count } = page.of(class);
    let ids: Vec<EnrollmentId> = data.iter().map(|entry| entry.key.enrollment_id).collect();
    Ok(Listed {
        data: read_rows(kurso, ledger, &ids).await?,
        count,
    })
}

/// The learners that a filter selects, sorted by name or address.
pub(super) async fn sorted(kurso: &Kurso, ledger: &Ledger, group: GroupFilter) -> Result<Vec<EnrollmentId>> {
    let class = group.on(sql!(concat!(select!(""), "e.course_id = $1"), ledger.course.id));
    let mut class: Vec<Entry> = class.fetch_all(&kurso.db).await?;
    sort(&mut class, Order::default(), |key| fold(key.shown_name()));
    Ok(class.into_iter().map(|entry| entry.key.enrollment_id).collect())
}

/// All learners of the course with their grades, in no particular order.
pub(super) async fn all(kurso: &Kurso, ledger: &Ledger) -> Result<Vec<Row>> {
    let class = sql!(concat!(select!(", e.tries"), "e.course_id = $1"), ledger.course.id);
    let class: Vec<Entry> = class.fetch_all(&kurso.db).await?;
    let verdicts = ledger.verdicts(&mut DbOrTx::Db(&kurso.db), None).await?;
    grade(kurso, ledger, class, &verdicts).await
}

fn sort<V: Ord>(class: &mut [Entry], order: Order, key: impl Fn(&Key) -> V) {
    order.sort(class, |entry| key(&entry.key), |entry| entry.key.enrollment_id);
}

/// Sorts by the grade of the course, for which all rows are computed.
async fn by_grade(
    kurso: &Kurso,
    ledger: &Ledger,
    class: Vec<Entry>,
    descending: bool,
    page: Page,
) -> Result<Listed<Row>> {
    let verdicts = ledger.verdicts(&mut DbOrTx::Db(&kurso.db), None).await?;
    let mut rows = grade(kurso, ledger, class, &verdicts).await?;
    rows.sort_by_cached_key(|row| {
        let percent = row.grades.total.percent;
        let order = percent.map(|percent| if descending { -percent } else { percent });
        (order.is_none(), order, row.learner.enrollment_id)
    });
    Ok(page.of(rows))
}

/// The rows of these learners, in the order given. Those who left in between have none.
pub(super) async fn read_rows(kurso: &Kurso, ledger: &Ledger, ids: &[EnrollmentId]) -> Result<Vec<Row>> {
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let mut class = sql!(
        concat!(select!(", e.tries"), "e.course_id = $1 AND e.id IN "),
        ledger.course.id
    )
    .push_in(ids.iter().copied())
    .fetch_all::<Entry>(&kurso.db)
    .await?;
    let order: HashMap<EnrollmentId, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    class.sort_by_key(|entry| order.get(&entry.key.enrollment_id).copied());
    let users: Vec<UserId> = class.iter().map(|entry| entry.key.user_id).collect();
    let verdicts = ledger.verdicts(&mut DbOrTx::Db(&kurso.db), Some(&users)).await?;
    grade(kurso, ledger, class, &verdicts).await
}

async fn grade(
    kurso: &Kurso,
    ledger: &Ledger,
    class: Vec<Entry>,
    verdicts: &HashMap<UserId, Verdicts>,
) -> Result<Vec<Row>> {
    let (keys, tries): (Vec<_>, Vec<_>) = class.into_iter().map(|entry| (entry.key, entry.tries)).unzip();
    let tries = keys.iter().map(|key| key.enrollment_id).zip(tries);
    let bests = ledger.all_bests(kurso, tries).await?;
    let mut dues = Dues::default();
    let rows = keys.into_iter().zip(bests).map(|(key, bests)| {
        let learner = key.learner();
        let due = ledger.dues(&mut dues, &learner);
        Row {
            grades: ledger.grade(&bests, verdicts.get(&learner.user_id), &due),
            learner,
            group: GroupName::of(key.group_id, key.group_title),
            full_name: key.full_name,
            email: key.email,
        }
    });
    Ok(rows.collect())
}
