//! The query strings of operations on question banks.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::ids::BankQuestionId;
use kurso_base::values::{Checked as _, QuestionTags};
use kurso_core::banks::{MAX_LISTED, QuestionIds, QuestionQuery};
use serde_json::Value;

use super::location;
use super::reader::Query;
use crate::App;
use crate::error::{Error, Result};

/// `search`, `tag` (repeatable), `kind`, `skip` and `limit` of the questions of a bank.
pub struct BankQuestionsQuery(pub QuestionQuery);

/// `id` (repeatable) of questions.
pub struct QuestionIdsQuery(pub Vec<BankQuestionId>);

impl Query<'_> {
    /// All values of the name.
    fn all(&self, name: &str) -> Value {
        let values = url::form_urlencoded::parse(self.text.as_bytes()).filter(|(key, _)| key == name);
        values.map(|(_, value)| Value::from(value)).collect()
    }

    /// Reads all values of the name as a list.
    fn list<T>(&mut self, name: &str, read: impl FnOnce(Value) -> Result<T, kurso_base::values::Problem>) -> Option<T> {
        let values = self.all(name);
        let read = read(values.clone());
        read.map_err(|problem| self.errors.extend(problem.all_at(&location("query", name), &values)))
            .ok()
    }
}

impl FromRequestParts<App> for BankQuestionsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let search = query.search();
        let tags = query.list("tag", QuestionTags::check).unwrap_or_default();
        let kind = query.read("kind", |text| String::check(text.to_owned()));
        let page = query.page();
        let limit = page.limit.min(MAX_LISTED);
        query.finish(BankQuestionsQuery(QuestionQuery::new(
            &search, tags, kind, page.skip, limit,
        )))
    }
}

impl FromRequestParts<App> for QuestionIdsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let ids = query.list("id", QuestionIds::check);
        query.finish(QuestionIdsQuery(ids.map(|ids| ids.0).unwrap_or_default()))
    }
}
