//! The data of a request that resolvers use: the core, the caller and the origin.

use std::sync::Arc;

use async_graphql::{Context, ID, Result};
use kurso_base::error::{Error, FieldError};
use kurso_base::ids;
use kurso_base::messages::Message;
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;

use crate::error::wrap;

/// The caller; None for an anonymous request, or one with an empty or bad token.
pub struct Caller(pub Option<Viewer>);

pub fn kurso<'a>(ctx: &Context<'a>) -> &'a Arc<Kurso> {
    ctx.data_unchecked::<Arc<Kurso>>()
}

/// The caller, or UNAUTHENTICATED.
pub fn viewer<'a>(ctx: &Context<'a>) -> Result<&'a Viewer> {
    match ctx.data_opt::<Caller>() {
        Some(Caller(Some(viewer))) => Ok(viewer),
        _ => Err(wrap(ctx)(Error::NotAuthenticated)),
    }
}

/// The caller, who must be a superuser; else FORBIDDEN. Resolvers check it before their input.
pub fn superuser<'a>(ctx: &Context<'a>) -> Result<&'a Viewer> {
    let viewer = viewer(ctx)?;
    viewer.require_superuser().map_err(wrap(ctx))?;
    Ok(viewer)
}

pub fn origin(ctx: &Context<'_>) -> Origin {
    ctx.data_opt::<Origin>().cloned().unwrap_or_default()
}

/// Parses an `ID` argument; BAD_USER_INPUT when it is not a UUID.
pub fn id<T: std::str::FromStr<Err = uuid::Error>>(ctx: &Context<'_>, name: &str, id: &ID) -> Result<T> {
    id.parse::<T>().map_err(|_| {
        let message = Message::BadUuid(ids::why_not_a_uuid(id));
        wrap(ctx)(Error::invalid(FieldError::body(
            "uuid_parsing",
            name,
            message,
            id.as_str().into(),
        )))
    })
}
