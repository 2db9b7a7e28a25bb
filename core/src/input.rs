//! Reading the fields of a body: every error of every field at once, in the order of the fields (contract 2,
//! rest-facts "The 422 body").

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::email::Email;
use crate::error::{Error, FieldError, Loc, Result};
use crate::ids;
use crate::messages::{Lang, Message};

/// The fields of one body; [`Fields::finish`] fails with all errors found.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    whole: &'a Value,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// The body as an object; anything else is one error at `["body"]`.
    pub fn of(body: &'a Value) -> Result<Self> {
        match body {
            Value::Object(map) => Ok(Fields {
                map,
                whole: body,
                errors: vec![],
            }),
            Value::Null => Err(whole_body("missing", Message::FieldRequired, Value::Null)),
            other => Err(whole_body("model_attributes_type", Message::NotAnObject, other.clone())),
        }
    }

    /// A required text of `min..=max` characters.
    pub fn text(&mut self, name: &str, min: usize, max: usize) -> Option<String> {
        self.required(name, |fields, value| fields.sized(name, value, min, max, false))
    }

    /// A required secret of `min..=max` characters; its value is never shown in an error.
    pub fn secret(&mut self, name: &str, min: usize, max: usize) -> Option<String> {
        self.required(name, |fields, value| fields.sized(name, value, min, max, true))
    }

    /// An optional text of at most `max` characters: absent, cleared by null, or given.
    pub fn optional_text(&mut self, name: &str, max: usize) -> Option<String> {
        match self.map.get(name) {
            None | Some(Value::Null) => None,
            Some(value) => self.sized(name, value, 0, max, false),
        }
    }

    /// A text that may be left out and may not be null, for a change.
    pub fn changed_text(&mut self, name: &str, min: usize, max: usize) -> Option<String> {
        self.given(name, |fields, value| fields.sized(name, value, min, max, false))
    }

    /// A secret that may be left out and may not be null, for a change.
    pub fn changed_secret(&mut self, name: &str, min: usize, max: usize) -> Option<String> {
        self.given(name, |fields, value| fields.sized(name, value, min, max, true))
    }

    /// A text that may be left out, for a change: `Some(None)` when null clears it.
    pub fn changed_nullable_text(&mut self, name: &str, min: usize, max: usize) -> Option<Option<String>> {
        self.given(name, |fields, value| match value {
            Value::Null => Some(None),
            value => fields.sized(name, value, min, max, false).map(Some),
        })
    }

    /// A yes or no that may be left out and may not be null.
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        self.given(name, |fields, value| match read_flag(value) {
            Ok(flag) => Some(flag),
            Err((kind, message)) => {
                fields.push(kind, name, message, value, None);
                None
            }
        })
    }

    /// A required e-mail address.
    pub fn email(&mut self, name: &str) -> Option<Email> {
        self.required(name, |fields, value| fields.address(name, value))
    }

    /// An e-mail address that may be left out and may not be null, for a change.
    pub fn changed_email(&mut self, name: &str) -> Option<Email> {
        self.given(name, |fields, value| fields.address(name, value))
    }

    /// An e-mail address; absent or null: None.
    pub fn optional_email(&mut self, name: &str) -> Option<Email> {
        let value = self.map.get(name).filter(|value| !value.is_null())?;
        self.address(name, value)
    }

    /// A whole number of `min` or more; absent or null: None. A number beyond 64 bits is the largest.
    pub fn optional_integer(&mut self, name: &str, min: i64) -> Option<i64> {
        let value = self.map.get(name).filter(|value| !value.is_null())?;
        let whole = match value {
            Value::Number(number) => number.as_i64().ok_or_else(|| number.as_f64().unwrap_or(f64::INFINITY)),
            _ => {
                self.push("int_type", name, Message::NotAnInteger, value, None);
                return None;
            }
        };
        let number = match whole {
            Ok(number) => number,
            Err(float) if float.fract() != 0.0 => {
                self.push("int_from_float", name, Message::FractionalInteger, value, None);
                return None;
            }
            // 3.0 is 3; `as` cuts what is too large to the largest.
            Err(float) => float as i64,
        };
        if number < min {
            let ctx = json!({"ge": min});
            let message = Message::IntegerTooSmall(min);
            self.push("greater_than_equal", name, message, value, Some(ctx));
            return None;
        }
        Some(number)
    }

    /// An id; absent or null: None.
    pub fn optional_id<T: From<Uuid>>(&mut self, name: &str) -> Option<T> {
        let value = self.map.get(name).filter(|value| !value.is_null())?;
        let Value::String(text) = value else {
            self.push("uuid_type", name, Message::NotAUuid, value, None);
            return None;
        };
        match Uuid::try_parse(text) {
            Ok(id) => Some(id.into()),
            Err(_) => {
                let reason = ids::why_no_uuid(text);
                let ctx = json!({"error": reason});
                self.push("uuid_parsing", name, Message::BadUuid(reason), value, Some(ctx));
                None
            }
        }
    }

    /// One of some words; absent or null: None.
    pub fn optional_word<T: Copy>(&mut self, name: &str, words: &[(&'static str, T)]) -> Option<T> {
        let value = self.map.get(name).filter(|value| !value.is_null())?;
        self.one_of(name, value, words)
    }

    fn one_of<T: Copy>(&mut self, name: &str, value: &Value, words: &[(&'static str, T)]) -> Option<T> {
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        if found.is_none() {
            let message = Message::NotOneOf(words.iter().map(|(word, _)| *word).collect());
            let expected = message.text(crate::messages::Lang::En);
            let expected = expected.trim_start_matches("Input should be ");
            let ctx = json!({"expected": expected});
            self.push("enum", name, message, value, Some(ctx));
        }
        found.map(|(_, meant)| *meant)
    }

    /// A required one of some words.
    pub fn word<T: Copy>(&mut self, name: &str, words: &[(&'static str, T)]) -> Option<T> {
        self.required(name, |fields, value| fields.one_of(name, value, words))
    }

    /// Whatever was sent, null included; None when absent.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name)
    }

    /// Takes in an error found elsewhere, to be told with the others.
    pub fn refuse(&mut self, error: FieldError) {
        self.errors.push(error);
    }

    /// All errors, or nothing.
    pub fn finish(self) -> Result<()> {
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(self.errors))
        }
    }

    fn given<T>(&mut self, name: &str, read: impl FnOnce(&mut Self, &'a Value) -> Option<T>) -> Option<T> {
        let map = self.map;
        map.get(name).and_then(|value| read(self, value))
    }

    fn address(&mut self, name: &str, value: &Value) -> Option<Email> {
        let loc = vec![Loc::from("body"), Loc::from(name)];
        read_email(loc, value).map_err(|error| self.errors.push(*error)).ok()
    }

    fn required<T>(&mut self, name: &str, read: impl FnOnce(&mut Self, &'a Value) -> Option<T>) -> Option<T> {
        let map = self.map;
        match map.get(name) {
            Some(value) => read(self, value),
            None => {
                self.push("missing", name, Message::FieldRequired, self.whole, None);
                None
            }
        }
    }

    fn sized(&mut self, name: &str, value: &Value, min: usize, max: usize, secret: bool) -> Option<String> {
        let shown = if secret { &Value::Null } else { value };
        let Value::String(text) = value else {
            self.push("string_type", name, Message::NotAString, shown, None);
            return None;
        };
        let length = text.chars().count();
        if length < min {
            let ctx = json!({"min_length": min});
            self.push("string_too_short", name, Message::TooShort(min), shown, Some(ctx));
        } else if length > max {
            let ctx = json!({"max_length": max});
            self.push("string_too_long", name, Message::TooLong(max), shown, Some(ctx));
        } else if !secret && text.contains('\0') {
            self.push("value_error", name, Message::ZeroByte, shown, None);
        } else {
            return Some(text.clone());
        }
        None
    }

    fn push(&mut self, kind: &'static str, name: &str, message: Message, input: &Value, ctx: Option<Value>) {
        let loc = vec![Loc::from("body"), Loc::from(name)];
        self.errors.push(FieldError {
            kind,
            loc,
            message,
            input: without_secrets(input),
            ctx,
        });
    }
}

/// An e-mail address found at `loc`.
pub fn read_email(loc: Vec<Loc>, value: &Value) -> Result<Email, Box<FieldError>> {
    let error = |kind, message, ctx| {
        Box::new(FieldError {
            kind,
            loc,
            message,
            input: without_secrets(value),
            ctx,
        })
    };
    let Value::String(text) = value else {
        return Err(error("string_type", Message::NotAString, None));
    };
    Email::parse(text).map_err(|problem| {
        let ctx = json!({"reason": problem.text(Lang::En)});
        error("value_error", Message::BadEmail(problem), Some(ctx))
    })
}

/// True and false, 1 and 0 (as whole numbers or 1.0 and 0.0), and the words that clients of the family know for them.
fn read_flag(value: &Value) -> Result<bool, (&'static str, Message)> {
    let unclear = ("bool_parsing", Message::BadBoolean);
    match value {
        Value::Bool(flag) => Ok(*flag),
        Value::Number(number) => match number.as_f64() {
            Some(0.0) => Ok(false),
            Some(1.0) => Ok(true),
            // No whole number of 64 bits.
            Some(other) if other.fract() != 0.0 || other.abs() >= 2f64.powi(63) => {
                Err(("bool_type", Message::NotABoolean))
            }
            _ => Err(unclear),
        },
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "t" | "yes" | "y" | "on" => Ok(true),
            "0" | "false" | "f" | "no" | "n" | "off" => Ok(false),
            _ => Err(unclear),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => Err(("bool_type", Message::NotABoolean)),
    }
}

fn whole_body(kind: &'static str, message: Message, input: Value) -> Error {
    let input = match input {
        // Also a body that was written as JSON twice, or sent as another kind of text.
        Value::String(text) if names_secret(&text) => Value::String(String::new()),
        input => without_secrets(&input),
    };
    Error::invalid(FieldError {
        kind,
        loc: vec!["body".into()],
        message,
        input,
        ctx: None,
    })
}

fn names_secret(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("password") || text.contains("token")
}

/// The value as an error may show it: passwords and tokens keep their key and lose their value.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(body: Value) -> Vec<(&'static str, String)> {
        let mut fields = match Fields::of(&body) {
            Ok(fields) => fields,
            Err(Error::Invalid(errors)) => return errors.iter().map(|e| (e.kind, format!("{:?}", e.loc))).collect(),
            Err(other) => panic!("{other}"),
        };
        fields.email("email");
        fields.secret("password", 8, 128);
        fields.optional_text("full_name", 255);
        match fields.finish() {
            Ok(()) => vec![],
            Err(Error::Invalid(errors)) => errors
                .into_iter()
                .map(|e| (e.kind, e.loc.last().map(|l| format!("{l:?}")).unwrap_or_default()))
                .collect(),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn reports_every_field_at_once() {
        let found = kinds(json!({"email": "nobody", "password": "short", "full_name": "x".repeat(256)}));
        let kinds: Vec<_> = found.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, ["value_error", "string_too_short", "string_too_long"]);
    }

    #[test]
    fn a_body_that_is_no_object_is_one_error() {
        assert_eq!(kinds(json!([1]))[0].0, "model_attributes_type");
        assert_eq!(kinds(Value::Null)[0].0, "missing");
    }

    #[test]
    fn a_missing_field_shows_the_body_without_its_secrets() {
        let body = json!({"password": "correct horse", "PassWord": "correct horse"});
        let mut fields = Fields::of(&body).unwrap();
        fields.email("email");
        let Err(Error::Invalid(errors)) = fields.finish() else {
            panic!("the email is missing")
        };
        assert_eq!(errors[0].input, json!({"password": null, "PassWord": null}));
    }

    #[test]
    fn no_refusal_shows_a_secret() {
        let twice = Value::String(json!({"email": "a@b.co", "Password": "correct horse"}).to_string());
        let Err(Error::Invalid(errors)) = Fields::of(&twice).map(|_| ()) else {
            panic!("a text is no object")
        };
        assert_eq!(errors[0].input, json!(""));
        let inside =
            json!({"email": {"password": "correct horse"}, "full_name": [{"token": "t"}], "flag": {"token": "t"}});
        let mut fields = Fields::of(&inside).unwrap();
        fields.email("email");
        fields.optional_text("full_name", 255);
        fields.flag("flag");
        let Err(Error::Invalid(errors)) = fields.finish() else {
            panic!("none of them is what it should be")
        };
        let shown: Vec<_> = errors.iter().map(|error| error.input.clone()).collect();
        assert_eq!(
            shown,
            [
                json!({"password": null}),
                json!([{"token": null}]),
                json!({"token": null})
            ]
        );
    }

    #[test]
    fn flags_are_read_as_clients_write_them() {
        for (value, flag) in [
            (json!(true), true),
            (json!(1), true),
            (json!(1.0), true),
            (json!("YES"), true),
            (json!("on"), true),
            (json!(0), false),
            (json!(-0.0), false),
            (json!("Off"), false),
            (json!("f"), false),
        ] {
            assert_eq!(read_flag(&value), Ok(flag), "{value}");
        }
        for (value, kind) in [
            (json!(2), "bool_parsing"),
            (json!(-1), "bool_parsing"),
            (json!("maybe"), "bool_parsing"),
            (json!(""), "bool_parsing"),
            (json!(0.5), "bool_type"),
            (json!(u64::MAX), "bool_type"),
            (json!(2.0), "bool_parsing"),
            (json!(null), "bool_type"),
            (json!([]), "bool_type"),
        ] {
            assert_eq!(read_flag(&value).unwrap_err().0, kind, "{value}");
        }
    }

    #[test]
    fn a_change_tells_what_is_left_out_from_what_is_cleared() {
        let body = json!({"full_name": null, "email": null});
        let mut fields = Fields::of(&body).unwrap();
        assert_eq!(fields.changed_nullable_text("full_name", 0, 255), Some(None));
        assert_eq!(fields.changed_nullable_text("description", 0, 255), None);
        assert_eq!(fields.changed_secret("password", 8, 128), None);
        assert_eq!(fields.changed_email("email"), None);
        let Err(Error::Invalid(errors)) = fields.finish() else {
            panic!("null is no e-mail")
        };
        assert_eq!((errors.len(), errors[0].kind), (1, "string_type"));
    }

    #[test]
    fn lengths_are_in_characters() {
        assert!(kinds(json!({"email": "a@b.co", "password": "ü".repeat(128)})).is_empty());
    }

    #[test]
    fn optional_fields_are_absent_given_or_refused() {
        let id = "01890000-0000-7000-8000-000000000001";
        let body = json!({
            "same": 7, "float": 3.0, "huge": 1e300, "negative": -1, "half": 0.5, "word": "7", "null": null,
            "flag": true, "id": id, "bad_id": "x", "kind": "quiz", "bad_kind": "page", "text": ""
        });
        let mut fields = Fields::of(&body).unwrap();
        let numbers: Vec<_> = ["same", "float", "huge", "negative", "half", "word", "null", "absent"]
            .iter()
            .map(|name| fields.optional_integer(name, 0))
            .collect();
        let expected = [Some(7), Some(3), Some(i64::MAX), None, None, None, None, None];
        assert_eq!(numbers, expected);
        let flags = ["flag", "null", "absent"].map(|name| fields.flag(name));
        assert_eq!(flags, [Some(true), None, None]);
        let ids =
            ["id", "bad_id", "same", "null"].map(|name| fields.optional_id::<Uuid>(name).map(|id| id.to_string()));
        assert_eq!(ids, [Some(id.to_owned()), None, None, None]);
        let words =
            ["kind", "bad_kind", "absent"].map(|name| fields.optional_word(name, &[("content", 1), ("quiz", 2)]));
        assert_eq!(words, [Some(2), None, None]);
        assert_eq!(fields.changed_text("null", 1, 5), None);
        assert_eq!(fields.changed_nullable_text("null", 1, 5), Some(None));
        assert_eq!(fields.changed_nullable_text("text", 1, 5), None);
        assert_eq!(fields.changed_nullable_text("absent", 1, 5), None);
        let Err(Error::Invalid(errors)) = fields.finish() else {
            panic!("much is wrong")
        };
        let kinds: Vec<_> = errors.iter().map(|error| error.kind).collect();
        let expected = [
            "greater_than_equal",
            "int_from_float",
            "int_type",
            "bool_type",
            "uuid_parsing",
            "uuid_type",
            "enum",
            "string_type",
            "string_too_short",
        ];
        assert_eq!(kinds, expected);
        assert_eq!(errors[6].ctx, Some(json!({"expected": "'content' or 'quiz'"})));
    }
}
