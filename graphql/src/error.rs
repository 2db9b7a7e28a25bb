//! Converts core errors to GraphQL errors: the texts of REST and a stable `extensions.code`. Internal causes are only logged.

use async_graphql::{Context, ErrorExtensions as _, Value, indexmap::IndexMap};
use chrono::{DateTime, Utc};
use kurso_base::error::{Error, FieldError, Loc};
use kurso_base::messages::Lang;
use kurso_base::wire::time_text;

use crate::language::lang;

/// The `extensions.code` of an error.
pub fn code(error: &Error) -> &'static str {
    match error {
        Error::NotAuthenticated | Error::BadCredentials => "UNAUTHENTICATED",
        Error::Forbidden(_) => "FORBIDDEN",
        Error::NotFound(_) => "NOT_FOUND",
        Error::BadRequest(_) | Error::Invalid(_) | Error::TooLarge(_) | Error::WrongContentType => "BAD_USER_INPUT",
        Error::Conflict(_) | Error::Stale { .. } => "CONFLICT",
        Error::Locked { .. } => "LOCKED",
        Error::Closed { .. } => "CLOSED",
        Error::RateLimited { .. } => "RATE_LIMITED",
        Error::Busy | Error::Unavailable(_) => "UNAVAILABLE",
        Error::Internal(_) => "INTERNAL",
    }
}

/// For `map_err(wrap(ctx))`: converts an error, in the language of the request.
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
            Error::Locked {
                opens_at,
                reasons,
                needs,
                ..
            } => {
                extensions.set("opensAt", time(opens_at));
                let reasons = reasons.iter().map(|reason| reason.to_ascii_uppercase());
                extensions.set("reasons", reasons.collect::<Vec<_>>());
                extensions.set("needs", needs.clone());
            }
            Error::Closed { closed_at, .. } => extensions.set("closedAt", time(closed_at)),
            Error::RateLimited { retry_after } => extensions.set("retryAfter", *retry_after),
            _ => {}
        }
    })
}

fn time(at: &Option<DateTime<Utc>>) -> Value {
    at.as_ref().map_or(Value::Null, |at| Value::String(time_text(at)))
}

/// `{field: "fullName", kind, message}`: the GraphQL name of the field, with the path inside a document:
/// `content.content[3].attrs.src`.
fn field(error: &FieldError, lang: Lang) -> Value {
    let entries = [
        ("field", path(&error.loc)),
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

/// The path without its first step, which says where REST reads the field. Names inside a document stay as they are. Names in the entries of
/// `dates`, `overrides`, `expected_groups`, `marks` and `pins`, and in `limits`, are fields of the schema and become camel case.
fn path(loc: &[Loc]) -> String {
    let mut path = String::new();
    let of_schema = ["dates", "overrides", "limits", "expected_groups", "marks", "pins"].map(Loc::from);
    let is_of_schema = loc.get(1).is_some_and(|first| of_schema.contains(first));
    for (index, step) in loc.iter().skip(1).enumerate() {
        match step {
            Loc::Name(name) if index == 0 => path.push_str(&camel_case(name)),
            Loc::Name(name) if is_of_schema => path = path + "." + &camel_case(name),
            Loc::Name(name) => path = path + "." + name,
            Loc::Index(index) => path = format!("{path}[{index}]"),
        }
    }
    path
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_their_names_in_the_schema() {
        let loc = |steps: &[&str]| -> Vec<Loc> { steps.iter().map(|step| (*step).into()).collect() };
        assert_eq!(path(&loc(&["query", "user_session_id"])), "userSessionId");
        assert_eq!(path(&loc(&["body"])), "");
        let mut inside = loc(&["body", "quiz", "questions"]);
        inside.extend([Loc::Index(2), "case_sensitive".into()]);
        assert_eq!(path(&inside), "quiz.questions[2].case_sensitive");
        let entry = [
            Loc::from("body"),
            Loc::from("dates"),
            Loc::Index(2),
            Loc::from("due_at"),
        ];
        assert_eq!(path(&entry), "dates[2].dueAt");
        assert_eq!(path(&loc(&["body", "limits", "due_at"])), "limits.dueAt");
    }
}
