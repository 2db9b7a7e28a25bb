//! The query strings of the lists of discussions and answers.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::ids::PostId;
use kurso_base::pagination::Page;
use kurso_base::values::Checked as _;
use kurso_core::discussions::{AnswersFrom, AnswersWindow, DiscussionFilter};

use super::reader::Query;
use crate::App;
use crate::error::{Error, Result};

/// `filter`, `skip` and `limit`.
pub struct DiscussionsQuery {
    pub filter: DiscussionFilter,
    pub page: Page,
}

impl FromRequestParts<App> for DiscussionsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let filter = query.read("filter", |text| DiscussionFilter::check(text.to_owned()));
        let page = query.page();
        query.finish(DiscussionsQuery {
            filter: filter.unwrap_or_default(),
            page,
        })
    }
}

/// `skip`, `limit` and `at` of a list of answers.
pub struct DiscussionAnswersQuery(pub AnswersWindow);

impl FromRequestParts<App> for DiscussionAnswersQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let at = query.read("at", |text| PostId::check(text.to_owned()));
        let page = query.page();
        query.finish(DiscussionAnswersQuery(AnswersWindow {
            limit: page.limit,
            from: at.map_or(AnswersFrom::Skip(page.skip), AnswersFrom::With),
        }))
    }
}
