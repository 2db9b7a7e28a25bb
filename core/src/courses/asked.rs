//! A course for whoever a token belongs to, with what the token's session and the person's rights are at that moment: the
//! read before everything a learner sees. Courses that are asked for in the same moment are read in one statement
//! ([decision 52](../../../docs/decisions/0052-together.md)).

use std::sync::LazyLock;

use super::{Course, CourseRow, course_columns, course_joins};
use crate::Kurso;
use crate::auth::{Authenticated, authenticated_columns};
use crate::db::values::{ROOM, about, lasting, values};
use crate::db::{self, Db};
use crate::ids::{CourseId, SessionId, UserId};
use crate::together::Together;

/// The reads that are on their way.
#[derive(Debug)]
pub struct AskedCourses(Together<Wish, Option<Asked>>);

impl Default for AskedCourses {
    fn default() -> Self {
        AskedCourses(Together::new(ROOM, 1))
    }
}

#[derive(Debug)]
struct Wish {
    user: UserId,
    session: SessionId,
    course: CourseId,
}

/// Who asks, and the course they ask for.
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

static FIND: LazyLock<&str> = LazyLock::new(|| {
    lasting(format!(
        "SELECT v.column1 AS place, {}, {} FROM {} JOIN users u ON u.id = v.column2
         JOIN sessions s ON s.user_id = u.id AND s.id = v.column3 JOIN courses c ON c.id = v.column4 {}",
        authenticated_columns!(),
        course_columns!(),
        values(4),
        course_joins!("u.id")
    ))
});

/// The course for whoever the token belongs to. None where more is to be said or done than to answer with the course:
/// [`crate::auth::authenticate`] and [`super::find`] say what.
pub(crate) async fn find_by_token(kurso: &Kurso, token: &str, course: CourseId) -> Option<Course> {
    let now = kurso.clock.now();
    let (user, session) = kurso.tokens.read(token, now).ok()?;
    let wish = Wish { user, session, course };
    let db = kurso.db.clone();
    let asked = kurso.asked_courses.0.ask(wish, move |wishes| {
        let db = db.clone();
        async move {
            find(&db, &wishes).await.unwrap_or_else(|error| {
                tracing::debug!(%error, "courses could not be read together");
                vec![]
            })
        }
    });
    let asked = asked.await??;
    asked.row.seen_by(&asked.who.current(session, now)?)
}

async fn find(db: &Db, wishes: &[Wish]) -> db::Result<Vec<Option<Asked>>> {
    let numbered: Vec<(i64, &Wish)> = (0..).zip(wishes).collect();
    let rows = about(*FIND, &numbered, |sql, wish| {
        sql.bind(wish.map(|(place, _)| *place))
            .bind(wish.map(|(_, wish)| wish.user))
            .bind(wish.map(|(_, wish)| wish.session))
            .bind(wish.map(|(_, wish)| wish.course))
    });
    let mut found: Vec<Option<Asked>> = wishes.iter().map(|_| None).collect();
    for Numbered { place, asked } in rows.fetch_all(db).await? {
        if let Some(slot) = usize::try_from(place).ok().and_then(|place| found.get_mut(place)) {
            *slot = Some(asked);
        }
    }
    Ok(found)
}
