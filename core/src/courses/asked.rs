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

/// Reads in progress, by what they name the course by.
#[derive(Debug)]
pub struct AskedCourses {
    by_id: Reads,
    by_page: Reads,
}

type Reads = Batcher<Wish, Option<Asked>>;

impl Default for AskedCourses {
    fn default() -> Self {
        AskedCourses {
            by_id: Batcher::new(MAX_ROWS, 1),
            by_page: Batcher::new(MAX_ROWS, 1),
        }
    }
}

#[derive(Debug)]
struct Wish {
    user: UserId,
    session: SessionId,
    /// The course, or a page of it.
    of: Uuid,
}

/// A session, and the course that its owner asks for.
#[derive(Debug, sqlx::FromRow)]
struct Asked {
    #[sqlx(flatten)]
    who: Authenticated,
    #[sqlx(flatten)]
    row: CourseRow,
}

#[derive(sqlx::FromRow)]
struct Numbered {
    place: i64,
    #[sqlx(flatten)]
    asked: Asked,
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
    ask(kurso, &kurso.asked_courses.by_id, &FIND, token, course.0).await
}

/// Returns the course of a page, as [`find_by_token`] does.
pub(crate) async fn find_by_token_and_page(kurso: &Kurso, token: &str, page: PageId) -> Option<Course> {
    ask(kurso, &kurso.asked_courses.by_page, &FIND_BY_PAGE, token, page.0).await
}

async fn ask(kurso: &Kurso, reads: &Reads, texts: &'static ValuesStatement, token: &str, of: Uuid) -> Option<Course> {
    let now = kurso.clock.now();
    let (user, session) = kurso.tokens.read(token, now).ok()?;
    let db = kurso.db.clone();
    let asked = reads.submit(Wish { user, session, of }, move |wishes| {
        let db = db.clone();
        async move {
            find(&db, texts, &wishes).await.unwrap_or_else(|error| {
                tracing::debug!(%error, "courses could not be read in a batch");
                vec![]
            })
        }
    });
    let asked = asked.await??;
    asked.row.seen_by(&asked.who.current(session, now)?)
}

async fn find(db: &Db, texts: &ValuesStatement, wishes: &[Wish]) -> kurso_db::Result<Vec<Option<Asked>>> {
    let numbered: Vec<(i64, &Wish)> = (0..).zip(wishes).collect();
    let rows = texts.bind_rows(&numbered, |sql, wish| {
        sql.bind(wish.map(|(place, _)| *place))
            .bind(wish.map(|(_, wish)| wish.user))
            .bind(wish.map(|(_, wish)| wish.session))
            .bind(wish.map(|(_, wish)| wish.of))
    });
    let mut found: Vec<Option<Asked>> = wishes.iter().map(|_| None).collect();
    for Numbered { place, asked } in rows.fetch_all(db).await? {
        if let Some(slot) = usize::try_from(place).ok().and_then(|place| found.get_mut(place)) {
            *slot = Some(asked);
        }
    }
    Ok(found)
}
