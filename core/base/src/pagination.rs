//! Pagination: `skip` and `limit` of a list, and a page of results with the total count.

/// The part of a list that a request asks for: at most `limit` rows after the first `skip`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    pub skip: i64,
    pub limit: i64,
}

impl Page {
    pub const DEFAULT_LIMIT: i64 = 100;
    pub const MAX_LIMIT: i64 = 1000;

    /// Creates a page; a `limit` above 1000 is reduced to 1000.
    pub fn new(skip: u64, limit: u64) -> Self {
        let cut = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Page {
            skip: cut(skip),
            limit: cut(limit).min(Self::MAX_LIMIT),
        }
    }

    /// The part of a complete list that is on this page.
    pub fn of<T>(self, whole: Vec<T>) -> Listed<T> {
        let size = |number: i64| usize::try_from(number).unwrap_or_default();
        let count = i64::try_from(whole.len()).unwrap_or(i64::MAX);
        let data = whole.into_iter().skip(size(self.skip)).take(size(self.limit)).collect();
        Listed { data, count }
    }
}

impl Default for Page {
    fn default() -> Self {
        Page {
            skip: 0,
            limit: Self::DEFAULT_LIMIT,
        }
    }
}

/// The rows of a page, and the number of rows in the whole list.
#[derive(Clone, Debug)]
pub struct Listed<T> {
    pub data: Vec<T>,
    pub count: i64,
}

impl<T> Listed<T> {
    /// The same page of a list with each row converted.
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> Listed<U> {
        Listed {
            data: self.data.into_iter().map(convert).collect(),
            count: self.count,
        }
    }
}
