//! The query string of the lists of discussions.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::pagination::Page;
use kurso_base::values::Checked as _;
use kurso_core::discussions::DiscussionFilter;

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
