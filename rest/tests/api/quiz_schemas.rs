//! Quizzes and attempts have exactly the fields that the OpenAPI document describes.

use kurso_core::testing::exam::exam;
use kurso_core::testing::{Backend, TestKurso};
use serde_json::{Value, json};

use crate::quiz::Exam;
use crate::support::Server;

/// The exam and a question that is answered with files.
fn all_types(reveal: &str) -> Value {
    let mut quiz = exam(reveal);
    let files = json!({"type": "file_upload", "prompt": "?", "max_files": 2, "extensions": ["pdf"], "guide": "guide"});
    quiz["questions"].as_array_mut().unwrap().push(files);
    quiz
}

#[tokio::test]
async fn quizzes_and_attempts_match_the_openapi_document() {
    let server = Server::start(TestKurso::new(Backend::Sqlite).await).await;
    let opened = Exam::open(&server, &all_types("after_submit")).await;
    let document: Value = serde_json::from_str(kurso_rest::openapi_json()).unwrap();
    let schema = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let check = |name: &str, value: &Value| {
        if let Err(problem) = conforms(&document, &schema(name), value) {
            panic!("{name}: {problem}");
        }
    };
    let school = &opened.school;
    let author = school
        .owner
        .get(&format!("/courses/get_page/{}", opened.page))
        .await
        .ok();
    check("AuthorPage", &author);
    let mut saved = json!({"quiz": all_types("after_pass")});
    check("PageUpdate", &saved);
    saved["quiz"] = author["quiz"].clone();
    check("PageUpdate", &saved);

    check("EnrolledPage", &opened.read().await);
    let mut body = opened.body(false).await;
    check("SubmitQuiz", &body);
    check("QuizAttempt", &opened.submit(&body).await.ok());
    body["version"] = json!(1);
    check("QuizConflict", &opened.submit(&body).await.json());
    check("QuizAttempt", &opened.submit(&opened.body(true).await).await.ok());
    check("EnrolledPage", &opened.read().await);
    let course = school.course;
    for (name, call) in [
        ("MyProgress", "my_progress"),
        ("ProgressFacts", "debug_progress"),
        ("EnrolledCourse", "enrolled_course"),
    ] {
        let found = school.learner.get(&format!("/courses/{call}/{course}")).await.ok();
        check(name, &found);
    }
    let fixed = school.owner.post(&format!("/courses/fix_progress/{course}")).await.ok();
    check("ProgressFixed", &fixed);
    // The check distinguishes the two schemas of a quiz.
    assert!(conforms(&document, &schema("LearnerQuiz"), &author["quiz"]).is_err());
}

/// Validates a value by the part of JSON Schema that the document uses. An undescribed field is an error.
fn conforms(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let mut named = Vec::new();
    check(document, schema, value, &mut named)?;
    let Some(map) = value.as_object() else { return Ok(()) };
    let free = schema == &json!({}) || (schema["type"] == "object" && schema["properties"].is_null());
    match map.keys().find(|key| !free && !named.contains(key)) {
        Some(key) if !named.contains(&"*".to_owned()) => Err(format!("`{key}` is not described")),
        _ => Ok(()),
    }
}

/// `named` collects the described fields of an object; `*` allows any.
fn check(document: &Value, schema: &Value, value: &Value, named: &mut Vec<String>) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).ok_or(reference)?;
        return check(document, target, value, named);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let mut problems = Vec::new();
        for option in options {
            match conforms(document, option, value) {
                Ok(()) => {
                    named.push("*".into());
                    return Ok(());
                }
                Err(problem) => problems.push(problem),
            }
        }
        return Err(format!("none of these: {problems:?}"));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        check(document, part, value, named)?;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let fits = types.contains(&kind) || (kind == "integer" && types.contains(&"number"));
    if !types.is_empty() && !fits {
        return Err(format!("{value} is no {types:?}"));
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.contains(value)
    {
        return Err(format!("{value} is none of {values:?}"));
    }
    if let Some(list) = value.as_array() {
        for entry in list {
            conforms(document, &schema["items"], entry).map_err(|problem| format!("[] {problem}"))?;
        }
    }
    let Some(map) = value.as_object() else { return Ok(()) };
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        if !map.contains_key(name) {
            return Err(format!("`{name}` is missing"));
        }
    }
    match schema["properties"].as_object() {
        None if schema["allOf"].is_null() => named.push("*".into()),
        None => {}
        Some(properties) => {
            for (name, property) in properties {
                named.push(name.clone());
                if let Some(value) = map.get(name) {
                    conforms(document, property, value).map_err(|problem| format!("{name}: {problem}"))?;
                }
            }
        }
    }
    Ok(())
}
