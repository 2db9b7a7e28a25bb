//! Reads a course together with the session of a token and the rights of its owner, which precedes everything that a learner
//! sees or does. Concurrent reads share one statement
//! ([decision 52](../../../docs/decisions/0052-request-coalescing.md)).

use std::sync::LazyLock;

use uuid::Uuid;

use super::Course;
use super::lookup::{CourseRow, course_columns, course_joins};
use crate::Kurso;
use crate::auth::{Authenticated, authenticated_columns};
use crate::batching::Batcher;
use kurso_base::ids::{CourseId, PageId, SessionId, UserId};
use kurso_db::Db;
use kurso_db::values::{MAX_ROWS, ValuesStatement};

/// Reads in progress, by how they name the course: by its id, or by the id of a page.
#[derive(Debug)]
pub struct CoursesByToken {
    by_id: Reads,
    by_page: Reads,
}

type Reads = Batcher<Request, Option<Authorized>>;

impl Default for CoursesByToken {
    fn default() -> Self {
        CoursesByToken {
            by_id: Batcher::new(MAX_ROWS, 1),
            by_page: Batcher::new(MAX_ROWS, 1),
        }
    }
}

#[derive(Debug)]
struct Request {
    user: UserId,
    session: SessionId,
    /// The course, or a page of it.
    of: Uuid,
}

/// A session, and the course that its owner asks for.
#[derive(Debug, sqlx::FromRow)]
struct Authorized {
    #[sqlx(flatten)]
    who: Authenticated,
    #[sqlx(flatten)]
    row: CourseRow,
}

#[derive(sqlx::FromRow)]
struct Numbered {
    /// The index of the request.
    place: i64,
    #[sqlx(flatten)]
    read: Authorized,
}

/// Reads the courses for the owners of these sessions; `joined` finds the course `c` by the request's `v.column4`.
fn texts(joined: &str) -> ValuesStatement {
    ValuesStatement::new(4, |values| {
        format!(
            "SELECT v.column1 AS place, {}, {} FROM {values} JOIN users u ON u.id = v.column2
             JOIN sessions s ON s.user_id = u.id AND s.id = v.column3 {joined} {}",
            authenticated_columns!(),
            course_columns!(),
            course_joins!("u.id")
        )
    })
}

static FIND: LazyLock<ValuesStatement> = LazyLock::new(|| texts("JOIN courses c ON c.id = v.column4"));

static FIND_BY_PAGE: LazyLock<ValuesStatement> =
    LazyLock::new(|| texts("JOIN pages p ON p.id = v.column4 JOIN courses c ON c.id = p.course_id"));

/// Returns the course as the owner of the token may see it. None if the request fails or needs more than that: then
/// [`crate::auth::authenticate`] and [`super::find`] return the error.
pub(crate) async fn find_by_token(kurso: &Kurso, token: &str, course: CourseId) -> Option<Course> {
    read(kurso, &kurso.courses_by_token.by_id, &FIND, token, course.0).await
}

/// Returns the course of a page, as [`find_by_token`] does.
pub(crate) async fn find_by_token_and_page(kurso: &Kurso, token: &str, page: PageId) -> Option<Course> {
    read(kurso, &kurso.courses_by_token.by_page, &FIND_BY_PAGE, token, page.0).await
}

async fn read(kurso: &Kurso, reads: &Reads, texts: &'static ValuesStatement, token: &str, of: Uuid) -> Option<Course> {
    let now = kurso.clock.now();
    let (user, session) = kurso.tokens.read(token, now).ok()?;
    let db = kurso.db.clone();
    let found = reads.submit(Request { user, session, of }, move |requests| {
        let db = db.clone();
        async move {
            find(&db, texts, &requests).await.unwrap_or_else(|error| {
                tracing::debug!(%error, "courses could not be read in a batch");
                vec![]
            })
        }
    });
    let found = found.await??;
    found.row.seen_by(&found.who.current(session, now)?)
}

async fn find(db: &Db, texts: &ValuesStatement, requests: &[Request]) -> kurso_db::Result<Vec<Option<Authorized>>> {
    let numbered: Vec<(i64, &Request)> = (0..).zip(requests).collect();
    let rows = texts.bind_rows(&numbered, |sql, request| {
        sql.bind(request.map(|(number, _)| *number))
            .bind(request.map(|(_, request)| request.user))
            .bind(request.map(|(_, request)| request.session))
            .bind(request.map(|(_, request)| request.of))
    });
    let mut found: Vec<Option<Authorized>> = requests.iter().map(|_| None).collect();
    for Numbered { place, read } in rows.fetch_all(db).await? {
        if let Some(slot) = usize::try_from(place).ok().and_then(|index| found.get_mut(index)) {
            *slot = Some(read);
        }
    }
    Ok(found)
}
