//! Validates documents against the content model.

use kurso_base::wire::json_depth;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::address::{FileAddress, Href, is_embed_id};
use super::problem::{ContentError, ContentProblem as Problem};
use super::schema::{Attr, Holds, Kind, MAX_BYTES, MAX_DEPTH, NodeType, Role, mark_type, node_type};

/// JSON nests twice as deep as its nodes; marks and their attributes are deeper still.
const MAX_JSON_DEPTH: usize = 2 * MAX_DEPTH + 8;

type Check = Result<(), ContentError>;

/// Parses a document. Rejects text that is too large or too deep before any recursive step.
pub fn parse(json: &str) -> Result<Value, ContentError> {
    let refuse = |problem| {
        Err(ContentError {
            path: "content".into(),
            problem,
        })
    };
    if json.len() > MAX_BYTES {
        return refuse(Problem::TooLarge);
    }
    if json_depth(json) > MAX_JSON_DEPTH {
        return refuse(Problem::TooDeep);
    }
    // The parser's own limit of 128 is too low for a document of full depth; the depth was checked above.
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut reader);
    match value.and_then(|value: Value| reader.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(why) => refuse(Problem::BadJson(why.to_string())),
    }
}

/// Validates a page's content.
pub fn validate(document: &Value) -> Check {
    check_document(document, false)
}

/// Validates the text of a fill-in-the-blank question, which may contain `blank` nodes.
pub fn validate_with_blanks(document: &Value) -> Check {
    check_document(document, true)
}

fn check_document(document: &Value, blanks: bool) -> Check {
    let path = Path {
        parent: None,
        step: Step::Field("content"),
    };
    let is_doc = document.get("type").and_then(Value::as_str) == Some("doc");
    if !is_doc {
        return path.refuse(Problem::NotADocument);
    }
    Checker { blanks }.node(document, Place::Top, &path, 0)?;
    // After the depth check, because serialising JSON is recursive.
    let mut size = Size(0);
    if serde_json::to_writer(&mut size, document).is_err() {
        return path.refuse(Problem::TooLarge);
    }
    Ok(())
}

/// Counts the bytes written to it and fails at the limit.
struct Size(usize);

impl std::io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        if self.0 > MAX_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The location of a value. It is kept on the stack and converted to text only for an error.
#[derive(Clone, Copy)]
struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    fn field(&'a self, name: &'a str) -> Path<'a> {
        Path {
            parent: Some(self),
            step: Step::Field(name),
        }
    }

    fn index(&'a self, index: usize) -> Path<'a> {
        Path {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    fn refuse(&self, problem: Problem) -> Check {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(path) = at {
            steps.push(path.step);
            at = path.parent;
        }
        let mut text = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Field(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.extend(name.chars().filter(|c| !c.is_control()).take(40));
                }
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        Err(ContentError { path: text, problem })
    }
}

/// What the parent allows at this position.
#[derive(Clone, Copy)]
enum Place {
    Top,
    In {
        parent: &'static str,
        holds: Holds,
        index: usize,
    },
}

struct Checker {
    blanks: bool,
}

impl Checker {
    fn node(&self, value: &Value, place: Place, path: &Path<'_>, depth: usize) -> Check {
        if depth > MAX_DEPTH {
            return path.refuse(Problem::TooDeep);
        }
        let Some(node) = value.as_object() else {
            return path.refuse(Problem::NotAnObject);
        };
        let name = match node.get("type") {
            None => return path.refuse(Problem::MissingType),
            Some(Value::String(name)) => name,
            Some(_) => return path.field("type").refuse(Problem::NotAString),
        };
        let Some(rule) = node_type(name).filter(|rule| self.blanks || rule.role != Role::Blank) else {
            return path.field("type").refuse(Problem::UnknownNode(name.clone()));
        };
        if let Place::In { parent, holds, index } = place
            && !is_allowed(rule, holds, index)
        {
            return path.refuse(Problem::Misplaced {
                node: name.clone(),
                parent,
            });
        }
        let is_text = rule.name == "text";
        for field in node.keys() {
            let known =
                matches!(field.as_str(), "type" | "attrs" | "content" | "marks") || (is_text && field == "text");
            if !known {
                return path.refuse(Problem::UnknownField(field.clone()));
            }
        }
        self.attrs(node.get("attrs"), rule.name, rule.attrs, path)?;
        if let Some(marks) = node.get("marks") {
            let unmarked = matches!(
                place,
                Place::In {
                    holds: Holds::PlainText,
                    ..
                }
            );
            self.marks(
                marks,
                !unmarked && matches!(rule.role, Role::Inline | Role::Blank),
                &path.field("marks"),
            )?;
        }
        if is_text {
            text(node, path)?;
        }
        self.children(node.get("content"), rule, path, depth)
    }

    fn children(&self, content: Option<&Value>, rule: &'static NodeType, path: &Path<'_>, depth: usize) -> Check {
        let path = path.field("content");
        let wrong = || Problem::WrongContent {
            node: rule.name,
            holds: rule.holds,
        };
        let children = match content {
            None => &[][..],
            Some(Value::Array(children)) => children,
            Some(_) => return path.refuse(Problem::NotAList),
        };
        let enough = match rule.holds {
            Holds::Nothing => children.is_empty(),
            Holds::Inline | Holds::PlainText => true,
            Holds::Blocks | Holds::SomeOf(_) => !children.is_empty(),
            Holds::Exactly(names) => children.len() == names.len(),
        };
        if !enough {
            return path.refuse(wrong());
        }
        for (index, child) in children.iter().enumerate() {
            let place = Place::In {
                parent: rule.name,
                holds: rule.holds,
                index,
            };
            self.node(child, place, &path.index(index), depth + 1)?;
        }
        Ok(())
    }

    fn attrs(&self, attrs: Option<&Value>, owner: &str, rules: &'static [Attr], path: &Path<'_>) -> Check {
        let path = path.field("attrs");
        let none = Map::new();
        let attrs = match attrs {
            None => &none,
            Some(Value::Object(attrs)) => attrs,
            Some(_) => return path.refuse(Problem::NotAnObject),
        };
        for (name, value) in attrs {
            let Some(rule) = rules.iter().find(|rule| rule.name == name) else {
                return path.refuse(Problem::UnknownAttr {
                    node: owner.into(),
                    attr: name.clone(),
                });
            };
            let good = if value.is_null() {
                rule.nullable
            } else {
                has_type(rule.kind, value, attrs)
            };
            if !good {
                let problem = match value {
                    Value::String(text) if text.contains('\0') => Problem::ZeroCharacter,
                    _ => Problem::BadAttr {
                        attr: rule.name,
                        kind: rule.kind,
                        nullable: rule.nullable,
                    },
                };
                return path.field(rule.name).refuse(problem);
            }
        }
        match rules
            .iter()
            .find(|rule| rule.required && !attrs.contains_key(rule.name))
        {
            Some(rule) => path.refuse(Problem::MissingAttr(rule.name)),
            None => Ok(()),
        }
    }

    fn marks(&self, marks: &Value, allowed: bool, path: &Path<'_>) -> Check {
        let Some(marks) = marks.as_array() else {
            return path.refuse(Problem::NotAList);
        };
        if !allowed && !marks.is_empty() {
            return path.refuse(Problem::MarksNotAllowed);
        }
        let mut seen: Vec<&str> = Vec::new();
        for (index, mark) in marks.iter().enumerate() {
            let path = path.index(index);
            let Some(mark) = mark.as_object() else {
                return path.refuse(Problem::NotAnObject);
            };
            let name = match mark.get("type") {
                None => return path.refuse(Problem::MissingType),
                Some(Value::String(name)) => name,
                Some(_) => return path.field("type").refuse(Problem::NotAString),
            };
            let Some(rule) = mark_type(name) else {
                return path.field("type").refuse(Problem::UnknownMark(name.clone()));
            };
            if seen.contains(&rule.name) {
                return path.refuse(Problem::RepeatedMark(name.clone()));
            }
            seen.push(rule.name);
            if let Some(field) = mark.keys().find(|field| !matches!(field.as_str(), "type" | "attrs")) {
                return path.refuse(Problem::UnknownField(field.clone()));
            }
            self.attrs(mark.get("attrs"), rule.name, rule.attrs, &path)?;
        }
        Ok(())
    }
}

fn is_allowed(rule: &NodeType, holds: Holds, index: usize) -> bool {
    match holds {
        Holds::Nothing => false,
        Holds::Inline => matches!(rule.role, Role::Inline | Role::Blank),
        Holds::PlainText => rule.name == "text",
        Holds::Blocks => rule.role == Role::Block,
        Holds::SomeOf(names) => names.contains(&rule.name),
        Holds::Exactly(names) => names.get(index) == Some(&rule.name),
    }
}

fn text(node: &Map<String, Value>, path: &Path<'_>) -> Check {
    let path = path.field("text");
    match node.get("text") {
        Some(Value::String(text)) if text.is_empty() => path.refuse(Problem::EmptyText),
        Some(Value::String(text)) if text.contains('\0') => path.refuse(Problem::ZeroCharacter),
        Some(Value::String(_)) => Ok(()),
        None => path.refuse(Problem::EmptyText),
        Some(_) => path.refuse(Problem::NotAString),
    }
}

fn has_type(kind: Kind, value: &Value, attrs: &Map<String, Value>) -> bool {
    let text = value.as_str();
    match kind {
        Kind::Flag => value.is_boolean(),
        Kind::Whole { min, max } => value.as_i64().is_some_and(|number| (min..=max).contains(&number)),
        Kind::Text(max) => text.is_some_and(|text| !text.contains('\0') && !is_longer_than(text, max)),
        Kind::OneOf(names) => text.is_some_and(|text| names.contains(&text)),
        Kind::File => text.is_some_and(|text| FileAddress::parse(text).is_some()),
        Kind::Href => text.is_some_and(|text| Href::parse(text).is_some()),
        Kind::Uuid => text.is_some_and(|text| text.len() == 36 && Uuid::parse_str(text).is_ok()),
        Kind::EmbedId => {
            let provider = attrs.get("provider").and_then(Value::as_str).unwrap_or_default();
            text.is_some_and(|id| is_embed_id(provider, id))
        }
        Kind::Widths => value.as_array().is_some_and(|widths| {
            widths.len() <= 1000
                && widths
                    .iter()
                    .all(|width| width.as_i64().is_some_and(|w| (0..=10_000).contains(&w)))
        }),
    }
}

fn is_longer_than(text: &str, max: usize) -> bool {
    text.len() > max && text.chars().nth(max).is_some()
}
