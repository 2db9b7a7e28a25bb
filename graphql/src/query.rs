//! What can be asked.

use std::sync::Arc;

use async_graphql::connection::{Connection, Edge, EmptyFields, OpaqueCursor};
use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::access::Right;
use kurso_core::courses;
use kurso_core::error::{Error, FieldError};
use kurso_core::ids::{CourseId, PageId};
use kurso_core::learning::view::CourseView;
use kurso_core::messages::Message;
use kurso_core::page::{self, Listed};

use crate::context::{self, kurso, viewer};
use crate::error::wrap;
use crate::types::{Course, Courses, Enrollment, Page, User};

pub struct Query;

/// Beside the nodes of a list.
#[derive(SimpleObject)]
pub struct Total {
    /// How many there are in all.
    total_count: i32,
}

type List<T> = Connection<OpaqueCursor<i64>, T, Total, EmptyFields>;

#[Object]
impl Query {
    /// The signed-in person.
    async fn me(&self, ctx: &Context<'_>) -> Result<User> {
        Ok(User(viewer(ctx)?.user.clone()))
    }

    /// A course the caller teaches or learns; NOT_FOUND for anyone else, whether it exists or not.
    async fn course(&self, ctx: &Context<'_>, id: ID) -> Result<Course> {
        let id: CourseId = context::id(ctx, "id", &id)?;
        let row = courses::find(&kurso(ctx).db, viewer(ctx)?, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Course::from_row(row))
    }

    /// A page for reading. Learners: published pages of courses they are enrolled in; staff: every page, as a preview.
    async fn page(&self, ctx: &Context<'_>, id: ID) -> Result<Page> {
        let id: PageId = context::id(ctx, "id", &id)?;
        let (view, place) = CourseView::load_by_page(kurso(ctx), viewer(ctx)?, id, Right::Read)
            .await
            .map_err(wrap(ctx))?;
        Ok(Page::alone(Arc::new(view), place))
    }

    /// Courses where the caller is owner, editor or teacher, newest change first.
    async fn my_courses(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: i32,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
    ) -> Result<List<Course>> {
        let page = window(ctx, first, after)?;
        let found = courses::taught_by(&kurso(ctx).db, viewer(ctx)?, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(page, found.count, Courses::of(found.data)))
    }

    /// Courses the caller learns, latest activity first.
    async fn my_enrollments(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many, at most 1000.", default = 100)] first: i32,
        #[graphql(desc = "The cursor of the last one seen.")] after: Option<String>,
    ) -> Result<List<Enrollment>> {
        let page = window(ctx, first, after)?;
        let Listed { data, count } = courses::learnt_by(&kurso(ctx).db, viewer(ctx)?, page)
            .await
            .map_err(wrap(ctx))?;
        Ok(list(
            page,
            count,
            Courses::of(data).into_iter().filter_map(Enrollment::of).collect(),
        ))
    }
}

/// The window that `first` and `after` name; BAD_USER_INPUT when they cannot.
fn window(ctx: &Context<'_>, first: i32, after: Option<String>) -> Result<page::Page> {
    use async_graphql::connection::CursorType as _;
    let refuse = |field, kind, message, input| wrap(ctx)(Error::invalid(FieldError::body(kind, field, message, input)));
    let limit = u64::try_from(first)
        .map_err(|_| refuse("first", "greater_than_equal", Message::IntegerTooSmall(0), first.into()))?;
    let skip = match after {
        None => 0,
        Some(cursor) => OpaqueCursor::<i64>::decode_cursor(&cursor)
            .ok()
            .and_then(|OpaqueCursor(place)| u64::try_from(place).ok()?.checked_add(1))
            .ok_or_else(|| refuse("after", "value_error", Message::BadCursor, cursor.into()))?,
    };
    Ok(page::Page::new(skip, limit))
}

fn list<T: async_graphql::OutputType>(page: page::Page, count: i64, nodes: Vec<T>) -> List<T> {
    let length = i64::try_from(nodes.len()).unwrap_or(i64::MAX);
    let total_count = i32::try_from(count).unwrap_or(i32::MAX);
    let end = page.skip.saturating_add(length);
    let mut list = Connection::with_additional_fields(page.skip > 0, end < count, Total { total_count });
    list.edges.extend(
        (page.skip..)
            .zip(nodes)
            .map(|(place, node)| Edge::new(OpaqueCursor(place), node)),
    );
    list
}
