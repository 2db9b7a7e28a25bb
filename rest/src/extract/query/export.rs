//! The request of an export.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::error as core;
use kurso_base::ids::CourseId;
use kurso_core::access::Viewer;
use kurso_core::exports;

use super::super::{Path, bearer, both, with_path};
use super::reader::query_value;
use super::{GroupQuery, SeparatorQuery, TextsQuery};
use crate::App;
use crate::error::{Error, Result};

/// The viewer, course, format and group of an export. The token comes from the header or from the URL.
pub struct ExportRequest {
    pub viewer: Viewer,
    pub wanted: exports::Request,
}

impl FromRequestParts<App> for ExportRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let text = parts.uri.query().unwrap_or_default().to_owned();
        let token = query_value(&text, "token").filter(|_| bearer(&parts.headers).is_none());
        let viewer = match token {
            None => Some(Viewer::from_request_parts(parts, app).await?),
            Some(_) => None,
        };
        let path = Path::<CourseId>::from_request_parts(parts, app).await;
        let format = exports::Format::parse(query_value(&text, "format").as_deref());
        let group = GroupQuery::from_request_parts(parts, app).await;
        let texts = TextsQuery::from_request_parts(parts, app).await;
        let separator = SeparatorQuery::from_request_parts(parts, app).await;
        let path = both(with_path(path, format), both(group, texts));
        let (((course, format), (GroupQuery(group), TextsQuery(dates, drafts))), SeparatorQuery(separator)) =
            both(path, separator)?;
        let wanted = exports::Request {
            course,
            format,
            group,
            dates,
            drafts,
            separator,
        };
        let viewer = match (viewer, token) {
            (Some(viewer), _) => viewer,
            (None, Some(token)) => exports::viewer_of(&app.kurso, &token, wanted).await?,
            (None, None) => return Err(core::Error::NotAuthenticated.into()),
        };
        Ok(ExportRequest { viewer, wanted })
    }
}
