//! Records and withdraws notices in the transaction of their event.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use kurso_base::error::Result;
use kurso_base::ids::{CourseId, NoticeId, PageId, UserId};
use kurso_db::events::Event;
use kurso_db::{Sql, Tx, sql};
use uuid::Uuid;

use super::Kind;
use super::choices::{Channels, channels_of};

/// Rows per statement.
const ROWS: usize = 5_000;

/// An event that people are notified of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notice {
    pub kind: Kind,
    pub course: Option<CourseId>,
    /// The person who caused it, and who is not notified.
    pub by: Option<UserId>,
    pub at: DateTime<Utc>,
}

impl Notice {
    /// An event that a person caused in a course.
    pub fn in_course(kind: Kind, course: CourseId, by: UserId, at: DateTime<Utc>) -> Self {
        Notice {
            kind,
            course: Some(course),
            by: Some(by),
            at,
        }
    }
}

/// Who is notified, and of what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Receiver {
    pub user: UserId,
    /// Its type depends on the kind: see `docs/decisions/0117-notices.md`.
    pub subject: Uuid,
    pub page: Option<PageId>,
}

impl Receiver {
    pub fn new(user: UserId, subject: impl Into<Uuid>) -> Self {
        Receiver {
            user,
            subject: subject.into(),
            page: None,
        }
    }

    #[must_use]
    pub fn at(self, page: PageId) -> Self {
        Receiver {
            page: Some(page),
            ..self
        }
    }
}

/// A row to store.
struct Row {
    receiver: Receiver,
    channels: Channels,
}

/// Notifies people of an event, each as they have chosen. Renews their notices of the same subject. Two statements per [`ROWS`] people; none without
/// recipients.
pub(crate) async fn record(tx: &mut Tx, notice: Notice, receivers: Vec<Receiver>) -> Result<()> {
    const RENEW: &str =
        " ON CONFLICT (user_id, kind, subject) DO UPDATE SET id = excluded.id, course_id = excluded.course_id,
       page_id = excluded.page_id, actor_id = excluded.actor_id, happened_at = excluded.happened_at, read_at = NULL,
       mail_at = excluded.mail_at, push_at = excluded.push_at, in_app = excluded.in_app RETURNING id, user_id, in_app";
    store(tx, notice, receivers, RENEW).await
}

/// As [`record`], but leaves existing notices of the same subject unchanged.
pub(crate) async fn record_new(tx: &mut Tx, notice: Notice, receivers: Vec<Receiver>) -> Result<()> {
    const KEEP: &str = " ON CONFLICT (user_id, kind, subject) DO NOTHING RETURNING id, user_id, in_app";
    store(tx, notice, receivers, KEEP).await
}

async fn store(tx: &mut Tx, notice: Notice, receivers: Vec<Receiver>, on_conflict: &'static str) -> Result<()> {
    let mut seen = HashSet::new();
    let mut notified = receivers;
    notified.retain(|receiver| Some(receiver.user) != notice.by && seen.insert((receiver.user, receiver.subject)));
    // In a fixed order, so that transactions that notify the same people do not deadlock.
    notified.sort_unstable_by_key(|receiver| (receiver.user, receiver.subject));
    let mut newest: BTreeMap<UserId, NoticeId> = BTreeMap::new();
    for chunk in notified.chunks(ROWS) {
        let users: HashSet<UserId> = chunk.iter().map(|receiver| receiver.user).collect();
        let users: Vec<UserId> = users.into_iter().collect();
        let channels = channels_of(&mut *tx, &users, notice.kind, notice.course, notice.at).await?;
        let rows = chunk.iter().filter_map(|receiver| {
            let channels = *channels.get(&receiver.user)?;
            let is_told = channels.in_app || channels.mail_at.is_some() || channels.push_at.is_some();
            is_told.then_some(Row {
                receiver: *receiver,
                channels,
            })
        });
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        let stored = insert(notice, rows).push(on_conflict);
        for (id, user, in_app) in stored.fetch_all::<(NoticeId, UserId, bool)>(&mut *tx).await? {
            if in_app {
                let last = newest.entry(user).or_insert(id);
                *last = id.max(*last);
            }
        }
    }
    for (user, id) in newest {
        tx.publish(Event::Notices { user, newest: Some(id) });
    }
    Ok(())
}

fn insert(notice: Notice, rows: Vec<Row>) -> Sql<'static> {
    let insert = sql!(
        "INSERT INTO notices (kind, course_id, actor_id, happened_at, id, user_id, subject, page_id, mail_at, push_at, in_app) VALUES "
    );
    let insert = insert
        .bind(notice.kind)
        .bind(notice.course)
        .bind(notice.by)
        .bind(notice.at);
    insert.push_values(rows, |sql, Row { receiver, channels }| {
        sql.push("$1, $2, $3, $4, ")
            .push_bind(NoticeId::new())
            .push(", ")
            .push_bind(receiver.user)
            .push(", ")
            .push_bind(receiver.subject)
            .push(", ")
            .push_bind(receiver.page)
            .push(", ")
            .push_bind(channels.mail_at)
            .push(", ")
            .push_bind(channels.push_at)
            .push(", ")
            .push_bind(channels.in_app)
    })
}

/// Withdraws everybody's unread notices of these kinds about a subject. One statement.
pub(crate) async fn withdraw(tx: &mut Tx, kinds: &[Kind], subject: impl Into<Uuid>) -> Result<()> {
    let delete = sql!(
        "DELETE FROM notices WHERE subject = $1 AND read_at IS NULL AND kind IN ",
        subject.into()
    );
    withdrawn(tx, delete.push_in(kinds.iter().copied())).await
}

/// Withdraws a person's notices of these kinds about a page or, without a page, about a course, including notices that were read. One statement.
pub(crate) async fn withdraw_from(
    tx: &mut Tx,
    user: UserId,
    (course, page): (CourseId, Option<PageId>),
    kinds: &[Kind],
) -> Result<()> {
    let delete = sql!(
        "DELETE FROM notices WHERE user_id = $1 AND course_id = $2 AND ($3 IS NULL OR page_id = $3) AND kind IN ",
        user,
        course,
        page
    );
    withdrawn(tx, delete.push_in(kinds.iter().copied())).await
}

/// Executes a deletion or change of notices, and publishes it to their recipients.
pub(crate) async fn withdrawn(tx: &mut Tx, delete: Sql<'_>) -> Result<()> {
    let users = delete
        .push(" RETURNING user_id")
        .fetch_all::<(UserId,)>(&mut *tx)
        .await?;
    let users: HashSet<UserId> = users.into_iter().map(|(user,)| user).collect();
    for user in users {
        tx.publish(Event::Notices { user, newest: None });
    }
    Ok(())
}
