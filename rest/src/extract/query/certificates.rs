//! The query string of the pictures of certificates.

use axum::extract::FromRequestParts;
use http::request::Parts;
use kurso_base::error as core;
use kurso_base::values::{Checked as _, Problem};
use kurso_core::certificates::pictures::Picture;
use serde_json::Value;

use super::location;
use super::reader::{Query, query_value};
use crate::App;
use crate::error::{Error, Result};

/// `picture`, which is required.
pub struct CertificatePictureQuery(pub Picture);

impl FromRequestParts<App> for CertificatePictureQuery {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        const PICTURE: &str = "picture";
        let mut query = Query::of(parts);
        if query_value(query.text, PICTURE).is_none() {
            let missing = Problem::missing().at(location("query", PICTURE), Value::Null);
            query.errors.push(missing);
        }
        let picture = query.read(PICTURE, |text| Picture::check(text.to_owned()));
        let picture = query.finish(picture)?;
        let picture = picture.ok_or_else(|| core::Error::internal("a picture is invalid without an error"))?;
        Ok(CertificatePictureQuery(picture))
    }
}
