//! Core errors as GraphQL errors: the same texts as REST and a stable `extensions.code`. Nothing internal leaks.

use async_graphql::{Context, ErrorExtensions as _, Value, indexmap::IndexMap};
use kurso_core::error::{Error, FieldError, Loc};
use kurso_core::messages::Lang;

/// A refusal's code, as clients switch on it.
pub fn code(error: &Error) -> &'static str {
    match error {
        Error::NotAuthenticated | Error::BadCredentials => "UNAUTHENTICATED",
        Error::Forbidden(_) => "FORBIDDEN",
        Error::NotFound(_) => "NOT_FOUND",
        Error::BadRequest(_) | Error::Invalid(_) | Error::TooLarge(_) | Error::WrongContentType => "BAD_USER_INPUT",
        Error::Conflict(_) | Error::Stale { .. } | Error::PageConflict(_) => "CONFLICT",
        Error::RateLimited { .. } => "RATE_LIMITED",
        Error::Busy => "UNAVAILABLE",
        Error::Internal(_) => "INTERNAL",
    }
}

/// `map_err(wrap(ctx))`: the error in the language of the request.
pub fn wrap(ctx: &Context<'_>) -> impl Fn(Error) -> async_graphql::Error {
    let lang = lang(ctx);
    move |error| to_graphql(error, lang)
}

pub fn to_graphql(error: Error, lang: Lang) -> async_graphql::Error {
    if let Error::Internal(cause) = &error {
        tracing::error!(%cause, "a GraphQL field failed");
    }
    let code = code(&error);
    async_graphql::Error::new(error.message().text(lang)).extend_with(|_, extensions| {
        extensions.set("code", code);
        match &error {
            Error::Invalid(fields) => {
                extensions.set("fields", fields.iter().map(|f| field(f, lang)).collect::<Vec<_>>());
            }
            Error::Stale { page, .. } => {
                if let Ok(page) = Value::from_json((**page).clone()) {
                    extensions.set("page", page);
                }
            }
            Error::RateLimited { retry_after } => extensions.set("retryAfter", *retry_after),
            _ => {}
        }
    })
}

/// `{field: "fullName", kind, message}`: the field by its GraphQL name.
fn field(error: &FieldError, lang: Lang) -> Value {
    let name = match error.loc.last() {
        Some(Loc::Name(name)) => camel_case(name),
        Some(Loc::Index(index)) => index.to_string(),
        None => String::new(),
    };
    let entries = [
        ("field", name),
        ("kind", error.kind.to_owned()),
        ("message", error.message.text(lang)),
    ];
    Value::Object(
        entries
            .into_iter()
            .map(|(key, text)| (async_graphql::Name::new(key), Value::String(text)))
            .collect::<IndexMap<_, _>>(),
    )
}

fn camel_case(name: &str) -> String {
    let mut upper = false;
    name.chars()
        .filter_map(|c| {
            if c == '_' {
                upper = true;
                return None;
            }
            let c = if upper { c.to_ascii_uppercase() } else { c };
            upper = false;
            Some(c)
        })
        .collect()
}

fn lang(ctx: &Context<'_>) -> Lang {
    ctx.data_opt::<Lang>().copied().unwrap_or_default()
}
