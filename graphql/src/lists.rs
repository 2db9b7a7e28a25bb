//! Lists that can grow are connections.

use async_graphql::connection::{Connection, Edge, EmptyFields, OpaqueCursor};
use async_graphql::{Context, Result, SimpleObject};
use kurso_core::error::{Error, FieldError};
use kurso_core::messages::Message;
use kurso_core::page;
use kurso_core::search::Search;

use crate::error::wrap;

/// Beside the nodes of a list.
#[derive(SimpleObject)]
pub struct Total {
    /// How many there are in all.
    total_count: i32,
}

/// A list of which the answer holds a part.
pub type List<T> = Connection<OpaqueCursor<i64>, T, Total, EmptyFields>;

/// The window that `first` and `after` name; BAD_USER_INPUT when they cannot. Null is as good as nothing.
pub fn window(ctx: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<page::Page> {
    window_at(ctx, first, after, None)
}

/// The same for a list that is also shown by numbered pages: `skip` counts from the beginning, `after` wins over it.
pub fn window_at(
    ctx: &Context<'_>,
    first: Option<i32>,
    after: Option<String>,
    skip: Option<i32>,
) -> Result<page::Page> {
    use async_graphql::connection::CursorType as _;
    let refuse = |field, kind, message, input| wrap(ctx)(Error::invalid(FieldError::body(kind, field, message, input)));
    let whole = |field, number: i64| {
        u64::try_from(number)
            .map_err(|_| refuse(field, "greater_than_equal", Message::IntegerTooSmall(0), number.into()))
    };
    let limit = whole("first", first.map_or(page::Page::DEFAULT_LIMIT, i64::from))?;
    let skip = whole("skip", skip.map_or(0, i64::from))?;
    let skip = match after {
        None => skip,
        Some(cursor) => OpaqueCursor::<i64>::decode_cursor(&cursor)
            .ok()
            .and_then(|OpaqueCursor(place)| u64::try_from(place).ok()?.checked_add(1))
            .ok_or_else(|| refuse("after", "value_error", Message::BadCursor, cursor.into()))?,
    };
    Ok(page::Page::new(skip, limit))
}

/// What a `search` argument finds; BAD_USER_INPUT when it is too long.
pub fn words(ctx: &Context<'_>, search: Option<String>) -> Result<Search> {
    let typed = search.unwrap_or_default();
    if typed.chars().count() > Search::MAX {
        let message = Message::TooLong(Search::MAX);
        let error = FieldError::body("string_too_long", "search", message, typed.into());
        return Err(wrap(ctx)(Error::invalid(error)));
    }
    Ok(Search::of(&typed))
}

/// The part of a list that `page` names, of `count` in all.
pub fn list<T: async_graphql::OutputType>(page: page::Page, count: i64, nodes: Vec<T>) -> List<T> {
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
