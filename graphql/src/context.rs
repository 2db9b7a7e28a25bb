//! What a resolver works with: the product, the person, the origin of the request.

use std::sync::Arc;

use async_graphql::{Context, ID, Result};
use kurso_core::Kurso;
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::error::{Error, FieldError};
use kurso_core::messages::{Lang, Message};

use crate::error::wrap;

/// Who asks: None is anonymous, and so is an empty or a bad token (contract 1).
pub struct Asker(pub Option<Viewer>);

pub fn kurso<'a>(ctx: &Context<'a>) -> &'a Arc<Kurso> {
    ctx.data_unchecked::<Arc<Kurso>>()
}

/// The signed-in person, or UNAUTHENTICATED.
pub fn viewer<'a>(ctx: &Context<'a>) -> Result<&'a Viewer> {
    match ctx.data_opt::<Asker>() {
        Some(Asker(Some(viewer))) => Ok(viewer),
        _ => Err(wrap(ctx)(Error::NotAuthenticated)),
    }
}

pub fn origin(ctx: &Context<'_>) -> Origin {
    ctx.data_opt::<Origin>().cloned().unwrap_or_default()
}

/// The language of the answer.
pub fn lang(ctx: &Context<'_>) -> Lang {
    ctx.data_opt::<Lang>().copied().unwrap_or_default()
}

/// The language of the mails a request causes: its own, else Russian.
#[derive(Clone, Copy)]
pub struct MailLang(pub Lang);

pub fn mail_lang(ctx: &Context<'_>) -> Lang {
    ctx.data_opt::<MailLang>().map_or(Lang::Ru, |lang| lang.0)
}

/// Reads an `ID` argument; BAD_USER_INPUT when it is no UUID.
pub fn id<T: std::str::FromStr<Err = uuid::Error>>(ctx: &Context<'_>, name: &str, id: &ID) -> Result<T> {
    id.parse::<T>().map_err(|reason| {
        let message = Message::BadUuid(reason.to_string());
        wrap(ctx)(Error::invalid(FieldError::body(
            "uuid_parsing",
            name,
            message,
            id.as_str().into(),
        )))
    })
}
