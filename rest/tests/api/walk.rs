//! Calls of every operation of the OpenAPI document, so that a test covers later ones too.

use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Operations that are skipped, because they end the walk.
const SKIPPED: &[(&str, &str)] = &[
    ("POST", "/login/logout"),
    ("DELETE", "/login/sessions/{session_id}"),
    ("DELETE", "/users/me"),
    ("POST", "/courses/leave_course/{course_id}"),
];

/// All values of a parameter or a field, by its name.
pub type Ids = Vec<(&'static str, Vec<String>)>;

pub struct Call {
    pub method: Method,
    /// With its query.
    pub path: String,
    /// None for a GET.
    pub body: Option<Value>,
}

/// Every operation with all values of the parameters of its path, without optional parameters and with an empty body.
pub fn plain_calls(ids: &Ids) -> Vec<Call> {
    each_operation(|path, method, _, _| {
        let body = (method != Method::GET).then(|| json!({}));
        let call = |path| Call {
            method: method.clone(),
            path,
            body: body.clone(),
        };
        filled(path, ids).into_iter().map(call).collect()
    })
}

/// Every operation that takes optional parameters or a body, with all of them.
pub fn full_calls(ids: &Ids) -> Vec<Call> {
    each_operation(|path, method, operation, document| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let parameters: Vec<_> = parameters.filter(|parameter| parameter["in"] == "query").collect();
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        if parameters.is_empty() && schema.is_null() {
            return vec![];
        }
        // As many queries as the parameter with the most values has; the others repeat theirs.
        let values: Vec<(&str, Vec<Value>)> = parameters
            .iter()
            .map(|parameter| {
                let name = parameter["name"].as_str().unwrap();
                (name, samples(document, &parameter["schema"], name, ids))
            })
            .collect();
        let most = values.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
        let queries: Vec<String> = (0..most)
            .map(|turn| {
                let mut query = reqwest::Url::parse("http://any").unwrap();
                for (name, values) in &values {
                    let value = &values[turn % values.len()];
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    query.query_pairs_mut().append_pair(name, &text);
                }
                query.query().unwrap_or_default().to_owned()
            })
            .collect();
        let body = if schema.is_null() {
            (method != Method::GET).then(|| json!({}))
        } else {
            Some(samples(document, schema, "", ids).swap_remove(0))
        };
        let paths = filled(path, ids);
        let with = |path: &String, query: &String| Call {
            method: method.clone(),
            path: if query.is_empty() {
                path.clone()
            } else {
                format!("{path}?{query}")
            },
            body: body.clone(),
        };
        paths
            .iter()
            .flat_map(|path| queries.iter().map(move |query| with(path, query)))
            .collect()
    })
}

fn each_operation(calls: impl Fn(&str, Method, &Value, &Value) -> Vec<Call>) -> Vec<Call> {
    let document: Value = serde_json::from_str(kurso_rest::openapi_json()).unwrap();
    let mut all = vec![];
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method = method.to_uppercase();
            let mut skipped = SKIPPED.iter();
            if !skipped.any(|(skipped, end)| method == *skipped && path.ends_with(end)) {
                all.extend(calls(path, method.parse().unwrap(), operation, &document));
            }
        }
    }
    all
}

fn filled(path: &str, ids: &Ids) -> Vec<String> {
    let mut paths = vec![String::new()];
    for segment in path.split('/').skip(1) {
        let name = segment.strip_prefix('{').and_then(|name| name.strip_suffix('}'));
        let values = match name {
            None => vec![segment.to_owned()],
            Some(name) => known(name, ids).unwrap_or_else(|| vec![Uuid::now_v7().to_string()]),
        };
        let longer = paths
            .iter()
            .flat_map(|path| values.iter().map(move |value| format!("{path}/{value}")));
        paths = longer.collect();
    }
    paths
}

fn known(name: &str, ids: &Ids) -> Option<Vec<String>> {
    let found = ids.iter().find(|(known, _)| *known == name);
    found.map(|(_, values)| values.clone())
}

/// Values that a schema admits: for a name with known values those, otherwise one.
fn samples(document: &Value, schema: &Value, name: &str, ids: &Ids) -> Vec<Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.trim_start_matches('#');
        return samples(document, document.pointer(pointer).unwrap(), name, ids);
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        let mut choices = schema[choice].as_array().into_iter().flatten();
        if let Some(first) = choices.find(|choice| choice["type"] != "null") {
            return samples(document, first, name, ids);
        }
    }
    if let Some(first) = schema["enum"].get(0) {
        return vec![first.clone()];
    }
    let is = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        known => known == kind,
    };
    if is("object") || schema["properties"].is_object() {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let fields =
            properties.map(|(name, schema)| (name.clone(), samples(document, schema, name, ids).swap_remove(0)));
        vec![Value::Object(fields.collect::<Map<_, _>>())]
    } else if is("array") {
        let singular = name.strip_suffix('s').unwrap_or(name);
        vec![Value::Array(samples(document, &schema["items"], singular, ids))]
    } else if is("integer") || is("number") {
        vec![if schema["minimum"].is_null() || schema["minimum"] == 0 {
            json!(1)
        } else {
            schema["minimum"].clone()
        }]
    } else if is("boolean") {
        vec![json!(true)]
    } else {
        let texts = known(name, ids).unwrap_or_else(|| vec![text(schema, name)]);
        texts.into_iter().map(Value::String).collect()
    }
}

fn text(schema: &Value, name: &str) -> String {
    match schema["format"].as_str() {
        Some("uuid") => Uuid::now_v7().to_string(),
        Some("date-time") => "2026-12-01T09:00:00Z".to_owned(),
        Some("email") => "somebody@example.com".to_owned(),
        // What is searched for is in the contents that a test hides.
        _ if name == "search" || name == "text" => "731973".to_owned(),
        _ if name.ends_with("_id") => Uuid::now_v7().to_string(),
        _ if name == "sort" => "full_name".to_owned(),
        _ => "2026-12-01".to_owned(),
    }
}
