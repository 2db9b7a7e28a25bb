//! Lists that can grow are connections, in the shape Relay gave them.

use std::borrow::Cow;

use async_graphql::connection::{CursorType as _, OpaqueCursor};
use async_graphql::{Context, Object, OutputType, Result, SimpleObject, TypeName};
use kurso_core::error::{Error, FieldError};
use kurso_core::messages::Message;
use kurso_core::page;
use kurso_core::search::Search;

use crate::cost;
use crate::error::wrap;

/// A list of which the answer holds a part.
pub struct List<T> {
    edges: Vec<Edge<T>>,
    page_info: PageInfo,
    total_count: i32,
}

/// A row and its place in the list.
struct Edge<T> {
    node: T,
    place: i64,
}

/// Where in a list a part of it stands.
#[derive(Clone, SimpleObject)]
pub struct PageInfo {
    /// Is there anything before this part?
    has_previous_page: bool,
    /// Is there anything after this part?
    has_next_page: bool,
    /// Of the first row; null when the part is empty.
    start_cursor: Option<String>,
    /// Of the last row, for the `after` of the next part; null when the part is empty.
    end_cursor: Option<String>,
}

/// A part of a list: `first` rows `after` a cursor.
#[Object(name_type)]
impl<T: OutputType> List<T> {
    /// How the list goes on.
    async fn page_info(&self) -> PageInfo {
        self.page_info.clone()
    }
    /// The rows, each with its cursor.
    async fn edges(&self, ctx: &Context<'_>) -> Result<&[Edge<T>]> {
        cost::spend(ctx, self.edges.len())?;
        Ok(&self.edges)
    }
    /// The rows.
    async fn nodes(&self, ctx: &Context<'_>) -> Result<Vec<&T>> {
        cost::spend(ctx, self.edges.len())?;
        Ok(self.edges.iter().map(|edge| &edge.node).collect())
    }
    /// How many there are in all.
    async fn total_count(&self) -> i32 {
        self.total_count
    }
}

/// A row of a list and where it stands.
#[Object(name_type)]
impl<T: OutputType> Edge<T> {
    /// The row.
    async fn node(&self) -> &T {
        &self.node
    }
    /// What `after` takes for the rows after this one.
    async fn cursor(&self) -> String {
        cursor(self.place)
    }
}

impl<T: OutputType> TypeName for List<T> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Connection", T::type_name()).into()
    }
}

impl<T: OutputType> TypeName for Edge<T> {
    fn type_name() -> Cow<'static, str> {
        format!("{}Edge", T::type_name()).into()
    }
}

fn cursor(place: i64) -> String {
    OpaqueCursor(place).encode_cursor()
}

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
pub fn list<T: OutputType>(page: page::Page, count: i64, nodes: Vec<T>) -> List<T> {
    let length = i64::try_from(nodes.len()).unwrap_or(i64::MAX);
    let end = page.skip.saturating_add(length);
    let edges: Vec<_> = (page.skip..)
        .zip(nodes)
        .map(|(place, node)| Edge { node, place })
        .collect();
    List {
        page_info: PageInfo {
            has_previous_page: page.skip > 0,
            has_next_page: end < count,
            start_cursor: edges.first().map(|edge| cursor(edge.place)),
            end_cursor: edges.last().map(|edge| cursor(edge.place)),
        },
        edges,
        total_count: i32::try_from(count).unwrap_or(i32::MAX),
    }
}
