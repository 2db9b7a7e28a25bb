//! A SQL statement with its bound arguments, built by `sql!` and run by an [`Executor`].

use std::borrow::Cow;
use std::fmt::Write as _;

use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

use super::{Executor, Result, Rows};

/// A value that both drivers can bind.
pub trait Arg<'q>: Send + Sync {
    fn sqlite(&self, to: &mut SqliteArguments) -> Result<(), BoxDynError>;
    fn postgres(&self, to: &mut PgArguments) -> Result<(), BoxDynError>;
}
impl<'q, T> Arg<'q> for T
where
    T: Encode<'q, Sqlite> + Type<Sqlite> + Encode<'q, Postgres> + Type<Postgres> + Send + Sync,
{
    fn sqlite(&self, to: &mut SqliteArguments) -> Result<(), BoxDynError> {
        to.add(self)
    }
    fn postgres(&self, to: &mut PgArguments) -> Result<(), BoxDynError> {
        to.add(self)
    }
}

/// A row that both drivers can decode: a struct with `#[derive(sqlx::FromRow)]`, or a tuple.
pub trait Record: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}
impl<T> Record for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> {}

/// A statement: its text and its bound arguments.
pub struct Sql<'q> {
    text: Cow<'static, str>,
    args: Vec<Box<dyn Arg<'q> + 'q>>,
    /// Whether the code has only a few texts of this statement, so that connections cache it as a prepared statement. PostgreSQL can then keep its
    /// plan, and planning can cost more than running. A text that depends on the length of a list would push others out of the cache.
    is_prepared: bool,
}

/// `sql!("SELECT … WHERE id = $1", id)` builds a statement and binds its arguments in order.
#[macro_export]
macro_rules! sql {
    ($text:expr $(, $arg:expr)* $(,)?) => { $crate::Sql::new($text)$(.bind($arg))* };
}

/// `args![id, &title]` lists values of different types for [`Sql::push_rows`].
#[macro_export]
macro_rules! args {
    ($($arg:expr),+ $(,)?) => { [$(Box::new($arg) as Box<dyn $crate::Arg<'_> + '_>),+] };
}

impl<'q> Sql<'q> {
    pub fn new(text: &'static str) -> Self {
        Self {
            text: text.into(),
            args: vec![],
            is_prepared: true,
        }
    }

    /// A statement of dynamic text, which may contain only names from the database's own catalogue.
    pub(super) fn built(text: String) -> Self {
        Self {
            text: text.into(),
            args: vec![],
            is_prepared: false,
        }
    }

    /// Appends text to a statement made by [`Sql::built`].
    pub(super) fn and(mut self, text: &str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    pub fn bind(mut self, arg: impl Arg<'q> + 'q) -> Self {
        self.args.push(Box::new(arg));
        self
    }

    /// Excludes the statement from the cache. For texts that grow with the input, such as one condition per search word.
    #[must_use]
    pub fn unprepared(mut self) -> Self {
        self.is_prepared = false;
        self
    }

    pub fn push(mut self, text: &'static str) -> Self {
        self.text.to_mut().push_str(text);
        self
    }

    /// Appends `$n` and binds `arg` to it.
    pub fn push_bind(self, arg: impl Arg<'q> + 'q) -> Self {
        let mut sql = self.bind(arg);
        let n = sql.args.len();
        let _ = write!(sql.text.to_mut(), "${n}");
        sql
    }

    /// Appends `($n, $n+1, …)`. An empty list becomes `(NULL)`, which matches nothing.
    pub fn push_in<T: Arg<'q> + 'q>(self, list: impl IntoIterator<Item = T>) -> Self {
        let mut sql = self.push("(");
        for (i, arg) in list.into_iter().enumerate() {
            if i > 0 {
                sql = sql.push(", ");
            }
            sql = sql.push_bind(arg);
            sql.is_prepared &= i == 0;
        }
        if sql.text.ends_with('(') {
            sql = sql.push("NULL");
        }
        sql.push(")")
    }

    /// Appends `($1, $2), ($3, $4), …` for a multi-row INSERT; `columns` binds the values of one row.
    pub fn push_values<T>(self, rows: impl IntoIterator<Item = T>, columns: impl Fn(Sql<'q>, T) -> Sql<'q>) -> Self {
        let mut sql = self;
        for (i, row) in rows.into_iter().enumerate() {
            sql = columns(sql.push(if i > 0 { ", (" } else { "(" }), row).push(")");
            sql.is_prepared &= i == 0;
        }
        sql
    }

    /// Appends `($1, $2), ($3, $4), …` for a multi-row INSERT; `values` lists the values of one row, as [`args!`] does.
    pub fn push_rows<T, R: IntoIterator<Item = Box<dyn Arg<'q> + 'q>>>(
        self,
        rows: impl IntoIterator<Item = T>,
        values: impl Fn(T) -> R,
    ) -> Self {
        self.push_values(rows, |mut sql, row| {
            for (i, value) in values(row).into_iter().enumerate() {
                sql = if i > 0 { sql.push(", ") } else { sql };
                sql.args.push(value);
                let n = sql.args.len();
                let _ = write!(sql.text.to_mut(), "${n}");
            }
            sql
        })
    }

    pub async fn fetch_all<T: Record>(self, on: impl Executor) -> Result<Vec<T>> {
        match on.rows(self).await? {
            Rows::Sqlite(rows) => rows.iter().map(T::from_row).collect(),
            Rows::Postgres(rows) => rows.iter().map(T::from_row).collect(),
        }
    }

    /// The first row, or None.
    pub async fn fetch_optional<T: Record>(self, on: impl Executor) -> Result<Option<T>> {
        Ok(self.fetch_all(on).await?.into_iter().next())
    }

    /// The first row; fails with [`sqlx::Error::RowNotFound`] if there is none.
    pub async fn fetch_one<T: Record>(self, on: impl Executor) -> Result<T> {
        self.fetch_optional(on).await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// Returns the number of affected rows.
    pub async fn execute(self, on: impl Executor) -> Result<u64> {
        on.execute(self).await
    }

    /// The text for logs and metrics, without values; dynamic text is cut to 400 characters.
    pub(super) fn name(&self) -> Cow<'static, str> {
        match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(text) => text.chars().take(400).collect::<String>().into(),
        }
    }

    /// Whether the statement only reads; SQLite then runs it on a reading connection.
    pub(super) fn reads(&self) -> bool {
        let start = self.text.trim_start();
        ["SELECT", "WITH"]
            .iter()
            .any(|word| start.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word)))
    }

    pub(super) fn query<DB>(
        self,
        add: impl Fn(&dyn Arg<'q>, &mut DB::Arguments) -> Result<(), BoxDynError>,
    ) -> Result<sqlx::query::Query<'static, DB, DB::Arguments>>
    where
        DB: sqlx::Database + sqlx::database::HasStatementCache,
        DB::Arguments: sqlx::IntoArguments<DB>,
    {
        let named = highest_parameter(&self.text);
        if named != self.args.len() {
            let bound = self.args.len();
            return Err(sqlx::Error::Protocol(format!(
                "{bound} arguments for ${named}: {}",
                self.text
            )));
        }
        let mut args = DB::Arguments::default();
        for arg in &self.args {
            add(&**arg, &mut args).map_err(sqlx::Error::Encode)?;
        }
        let text: SqlStr = match self.text {
            Cow::Borrowed(text) => text.into_sql_str(),
            // The text consists of `&'static str` parts, `$n`, and names from the catalogue.
            Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
        };
        Ok(sqlx::query_with(text, args).persistent(self.is_prepared))
    }
}

/// The highest `n` of all `$n` in the text; 0 if it has none.
fn highest_parameter(text: &str) -> usize {
    text.split('$')
        .skip(1)
        .filter_map(|rest| {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            rest.get(..digits)?.parse().ok()
        })
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::highest_parameter;

    #[test]
    fn counts_the_parameters_a_text_names() {
        assert_eq!(highest_parameter("SELECT 1"), 0);
        assert_eq!(highest_parameter("SELECT $1 WHERE a = $12 OR b = $2"), 12);
        assert_eq!(highest_parameter("SELECT '$' || $1"), 1);
    }
}
