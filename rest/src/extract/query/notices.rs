//! The query strings of notices.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::error as core;
use kurso_base::ids::CourseId;
use kurso_base::values::{Checked as _, Problem};
use kurso_core::notice_mails::preferences::ResetNotices;
use kurso_core::notices::Kind;
use serde_json::Value;

use super::location;
use super::reader::{Query, query_value};
use crate::App;
use crate::error::{Error, Result};

/// The query parameters `kind`, which is required, and `course_id`.
pub struct NoticeChoiceQuery(pub ResetNotices);

impl FromRequestParts<App> for NoticeChoiceQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        const KIND: &str = "kind";
        let mut query = Query::of(parts);
        if query_value(query.text, KIND).is_none() {
            let missing = Problem::missing().at(location("query", KIND), Value::Null);
            query.errors.push(missing);
        }
        let kind = query.read(KIND, |text| Kind::check(text.to_owned()));
        let course_id = query.read("course_id", |text| CourseId::check(text.to_owned()));
        let kind = query.finish(kind)?;
        let kind = kind.ok_or_else(|| core::Error::internal("a kind is invalid without an error"))?;
        Ok(NoticeChoiceQuery(ResetNotices { course_id, kind }))
    }
}
