//! Removes passwords and tokens from the input that an error shows.

use serde_json::Value;

/// Does a field name, or a body that was sent as text, mention a secret?
pub fn names_secret(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("password") || text.contains("token")
}

/// Returns the value with null in place of each password and token.
pub fn without_secrets(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.iter()
                .map(|(key, value)| {
                    let shown = if names_secret(key) {
                        Value::Null
                    } else {
                        without_secrets(value)
                    };
                    (key.clone(), shown)
                })
                .collect(),
        ),
        Value::Array(list) => Value::Array(list.iter().map(without_secrets).collect()),
        other => other.clone(),
    }
}
