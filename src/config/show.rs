//! `kurso config`: prints the effective settings and the source of each.

use clap::Args;
use serde_json::json;

use super::sources::{Effective, SECRETS, Secret};

#[derive(Args)]
pub struct Arguments {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// The output of the command; secrets are hidden.
pub fn show(effective: &[Effective], arguments: &Arguments) -> String {
    let shown: Vec<_> = effective.iter().map(|one| (one, value(one))).collect();
    if arguments.json {
        let list = shown
            .iter()
            .map(|(one, value)| json!({"name": one.name, "value": value, "source": one.source.to_string()}));
        return serde_json::Value::from_iter(list).to_string();
    }
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
    let names = width(&mut shown.iter().map(|(one, _)| one.name.chars().count()));
    let values = width(
        &mut shown
            .iter()
            .map(|(_, value)| value.as_deref().map_or(1, |value| value.chars().count())),
    );
    let lines = shown.iter().map(|(one, value)| {
        let value = value.as_deref().unwrap_or("—");
        format!("{:names$}  {value:values$}  {}", one.name, one.source)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn value(one: &Effective) -> Option<String> {
    let value = one.value.clone()?;
    Some(match SECRETS.iter().find(|(name, _)| *name == one.name) {
        None => value,
        Some((_, Secret::Whole)) => HIDDEN.to_owned(),
        Some((_, Secret::InUrl)) => without_password(&value),
    })
}

const HIDDEN: &str = "(hidden)";

/// The URL with its password replaced, `postgres://kurso:hidden@host/kurso`; `(hidden)` when it cannot be parsed.
fn without_password(text: &str) -> String {
    if let Some(path) = text.strip_prefix("sqlite:") {
        return format!("sqlite:{path}");
    }
    let Ok(mut url) = url::Url::parse(text) else {
        return HIDDEN.to_owned();
    };
    if url.password().is_some() && url.set_password(Some("hidden")).is_err() {
        return HIDDEN.to_owned();
    }
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    if pairs.iter().any(|(name, _)| name.contains("password")) {
        let hidden = |name: &str, value: String| {
            if name.contains("password") {
                "hidden".to_owned()
            } else {
                value
            }
        };
        let pairs = pairs
            .into_iter()
            .map(|(name, value)| (hidden(&name, value), name))
            .map(|(value, name)| (name, value));
        url.query_pairs_mut().clear().extend_pairs(pairs);
    }
    url.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::sources::Source;
    use super::*;

    #[test]
    fn secrets_are_hidden() {
        let shown = |name: &str, text: &str| {
            value(&Effective {
                name: name.into(),
                value: Some(text.into()),
                source: Source::Default,
            })
            .unwrap()
        };
        assert_eq!(shown("secret_key", "very secret"), "(hidden)");
        assert_eq!(
            shown("database_url", "postgres://a:very@h/d"),
            "postgres://a:hidden@h/d"
        );
        assert_eq!(
            shown("database_url", "postgres://h/d?user=a&password=very"),
            "postgres://h/d?user=a&password=hidden"
        );
        assert_eq!(shown("database_url", "sqlite:/a/b.db"), "sqlite:/a/b.db");
        assert_eq!(shown("smtp_url", "not an address: very"), "(hidden)");
        assert_eq!(shown("address", "127.0.0.1:1"), "127.0.0.1:1");
    }
}
