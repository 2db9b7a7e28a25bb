//! The query strings of author comments.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::pagination::Page;
use kurso_base::values::Checked as _;
use kurso_core::comments::{ThreadQuery, ThreadState};

use super::reader::Query;
use crate::App;
use crate::error::{Error, Result};

/// `state` of the threads of a page.
pub struct ThreadStateQuery(pub Option<ThreadState>);

/// Query parameters of the list of a course's threads: `state`, `mentioning_me`, `skip` and `limit`.
pub struct ThreadsQuery {
    pub threads: ThreadQuery,
    pub page: Page,
}

impl Query<'_> {
    fn thread_state(&mut self) -> Option<ThreadState> {
        self.read("state", |text| ThreadState::check(text.to_owned()))
    }
}

impl FromRequestParts<App> for ThreadStateQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let state = query.thread_state();
        query.finish(ThreadStateQuery(state))
    }
}

impl FromRequestParts<App> for ThreadsQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut query = Query::of(parts);
        let threads = ThreadQuery {
            state: query.thread_state(),
            mentioning_me: query.flag("mentioning_me"),
        };
        let page = query.page();
        query.finish(ThreadsQuery { threads, page })
    }
}
