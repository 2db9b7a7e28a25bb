//! Relay connections, for lists that can grow.

use std::borrow::Cow;
use std::str::FromStr;

use async_graphql::connection::{CursorType as _, OpaqueCursor};
use async_graphql::{Context, ID, Object, OutputType, Result, SimpleObject, TypeName};
use kurso_base::error::{Error, FieldError};
use kurso_base::messages::Message;
use kurso_base::pagination;
use kurso_base::search::Search;
use kurso_base::values::Checked as _;
use kurso_core::courses::groups::GroupFilter;

use crate::cost;
use crate::error::wrap;

/// The requested number of rows of a list without windows: at most `max`.
pub fn size(first: Option<i32>, default: usize, max: usize) -> usize {
    let first = first.map_or(default, |first| usize::try_from(first).unwrap_or_default());
    first.min(max)
}

/// Reads the cursor `after` of a list without windows. Fails with BAD_USER_INPUT for an invalid one.
pub fn read_cursor<T: FromStr>(ctx: &Context<'_>, after: Option<String>) -> Result<Option<T>> {
    let invalid = |cursor: String| {
        let error = FieldError::body("value_error", "after", Message::BadCursor, cursor.into());
        wrap(ctx)(Error::invalid(error))
    };
    let after = after.map(|cursor| cursor.parse().map_err(|_| invalid(cursor)));
    after.transpose()
}

/// A window of a list.
pub struct List<T> {
    edges: Vec<Edge<T>>,
    page_info: PageInfo,
    total_count: i32,
}

/// A row and its index in the list.
struct Edge<T> {
    node: T,
    index: i64,
}

/// Position of a window in its list.
#[derive(Clone, SimpleObject)]
pub struct PageInfo {
    /// Whether there are rows before this window.
    has_previous_page: bool,
    /// Whether there are rows after this window.
    has_next_page: bool,
    /// Cursor of the first row; null when the window is empty.
    start_cursor: Option<String>,
    /// Cursor of the last row, for `after`; null when the window is empty.
    end_cursor: Option<String>,
}

/// A window of a list: `first` rows `after` a cursor.
#[Object(name_type)]
impl<T: OutputType> List<T> {
    /// Position of this window in the list.
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
    /// Number of rows in the whole list.
    async fn total_count(&self) -> i32 {
        self.total_count
    }
}

/// A row of a list with its cursor.
#[Object(name_type)]
impl<T: OutputType> Edge<T> {
    /// The row.
    async fn node(&self) -> &T {
        &self.node
    }
    /// Cursor of this row, for `after`.
    async fn cursor(&self) -> String {
        cursor(self.index)
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

fn cursor(index: i64) -> String {
    OpaqueCursor(index).encode_cursor()
}

/// The window of `first` and `after`; BAD_USER_INPUT when they are invalid. Null counts as omitted.
pub fn window(ctx: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<pagination::Page> {
    window_at(ctx, first, after, None)
}

/// The same for a list that is also shown by numbered pages: `skip` rows from the start, unless `after` is given.
pub fn window_at(
    ctx: &Context<'_>,
    first: Option<i32>,
    after: Option<String>,
    skip: Option<i32>,
) -> Result<pagination::Page> {
    let refuse = |field, kind, message, input| wrap(ctx)(Error::invalid(FieldError::body(kind, field, message, input)));
    let natural = |field, number: i64| {
        u64::try_from(number)
            .map_err(|_| refuse(field, "greater_than_equal", Message::IntegerTooSmall(0), number.into()))
    };
    let limit = natural("first", first.map_or(pagination::Page::DEFAULT_LIMIT, i64::from))?;
    let skip = natural("skip", skip.map_or(0, i64::from))?;
    let skip = match after {
        None => skip,
        Some(cursor) => OpaqueCursor::<i64>::decode_cursor(&cursor)
            .ok()
            .and_then(|OpaqueCursor(index)| u64::try_from(index).ok()?.checked_add(1))
            .ok_or_else(|| refuse("after", "value_error", Message::BadCursor, cursor.into()))?,
    };
    Ok(pagination::Page::new(skip, limit))
}

/// Parses a `search` argument; BAD_USER_INPUT when it is too long or has a zero byte.
pub fn search(ctx: &Context<'_>, search: Option<String>) -> Result<Search> {
    search_text(ctx, "search", search.unwrap_or_default()).map(|typed| Search::of(&typed))
}

/// The text of a search; BAD_USER_INPUT when it is too long or has a zero byte.
pub fn search_text(ctx: &Context<'_>, argument: &str, typed: String) -> Result<String> {
    if typed.chars().count() > Search::MAX {
        let message = Message::TooLong(Search::MAX);
        let error = FieldError::body("string_too_long", argument, message, typed.into());
        return Err(wrap(ctx)(Error::invalid(error)));
    }
    if typed.contains('\0') {
        let error = FieldError::body("value_error", argument, Message::ZeroByte, typed.into());
        return Err(wrap(ctx)(Error::invalid(error)));
    }
    Ok(typed)
}

/// Parses a `groupId` argument; BAD_USER_INPUT when it is neither a UUID nor `none`.
pub fn group(ctx: &Context<'_>, group: Option<ID>) -> Result<GroupFilter> {
    let Some(ID(text)) = group else {
        return Ok(GroupFilter::All);
    };
    GroupFilter::check(text.clone()).map_err(|problem| {
        let loc = vec!["body".into(), "group_id".into()];
        wrap(ctx)(Error::invalid(problem.at(loc, text.into())))
    })
}

/// The window `page` of a list with `count` rows.
pub fn list<T: OutputType>(page: pagination::Page, count: i64, nodes: Vec<T>) -> List<T> {
    let length = i64::try_from(nodes.len()).unwrap_or(i64::MAX);
    let end = page.skip.saturating_add(length);
    let edges: Vec<_> = (page.skip..)
        .zip(nodes)
        .map(|(index, node)| Edge { node, index })
        .collect();
    List {
        page_info: PageInfo {
            has_previous_page: page.skip > 0,
            has_next_page: end < count,
            start_cursor: edges.first().map(|edge| cursor(edge.index)),
            end_cursor: edges.last().map(|edge| cursor(edge.index)),
        },
        edges,
        total_count: i32::try_from(count).unwrap_or(i32::MAX),
    }
}
