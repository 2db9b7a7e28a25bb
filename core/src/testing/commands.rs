//! Commands from JSON, for tests: `command(json!({"title": "One"}))`.

use kurso_base::values::Checked;
use kurso_formats::quiz::Submission;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::imports::{Mode, Plan, Target};

/// The command with these fields. Panics when a field is not valid.
pub fn command<T: DeserializeOwned>(fields: impl serde::Serialize) -> T {
    let fields = serde_json::to_value(fields).expect("JSON");
    serde_json::from_value(fields.clone()).unwrap_or_else(|error| panic!("no valid command: {error}: {fields}"))
}

/// The submission with this JSON. Panics when a value has a wrong type.
pub fn submission(body: &Value) -> Submission {
    Submission::read(body).expect("a submission")
}

/// The plan of an import with these fields of a form. Panics when a field is not valid.
pub fn import_plan(fields: &[(&str, &str)]) -> Plan {
    let field = |name| {
        fields
            .iter()
            .find(|field| field.0 == name)
            .map(|field| field.1.to_owned())
    };
    let mode = field("mode").map(|mode| Mode::check(mode).unwrap());
    let course = field("course_id").map(|id| id.parse().unwrap());
    Plan {
        into: Target::of(mode, course).unwrap().unwrap_or(Target::New),
        format: field("format").map(|format| Checked::check(format).unwrap()),
        preview: field("preview").is_none_or(|preview| preview != "false"),
        draft: field("draft").is_some_and(|draft| draft == "true"),
        headings: field("headings").map(|headings| Checked::check(headings).unwrap()),
        starts_at: field("starts_at").map(|start| Checked::check(start).unwrap()),
    }
}
