//! Operations that are nothing but one course: `query ($id: ID!) { course(id: $id) { … } }` with plain fields. Such an
//! operation is parsed, validated and executed by the library once; a document that passed is planned, and from then on
//! answered from the plan with one statement.
//!
//! Nothing is decided here: whatever is not a plain success (a token that is not good, a course that is not there, variables of
//! another shape) is left to the general way, which says what is wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use async_graphql::{Request, Value};
use async_graphql_value::Value as Written;
use kurso_core::Kurso;
use kurso_core::ids::CourseId;
use kurso_core::learning::view::CourseView;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::plan::{self, CourseField, ModuleField, Plan};
use super::selected::{InDocument, unfold};
use super::template::Templates;
use super::write;

/// Bytes of documents kept with their plans.
const KEPT: u64 = 2 << 20;

/// An operation that can be written.
pub struct Whole {
    /// Of this plan alone.
    number: u64,
    operation: Option<String>,
    /// Of the course in the answer.
    key: String,
    id: CourseArgument,
    course: Plan<CourseField>,
    /// How many selections of modules there are: templates are kept for one.
    modules: usize,
}

enum CourseArgument {
    Variable(String),
    Literal(CourseId),
}

#[derive(Clone)]
struct ByText;

impl Weighter<String, Arc<Whole>> for ByText {
    fn weight(&self, text: &String, _: &Arc<Whole>) -> u64 {
        // A plan is some times as large as the text it was read from.
        u64::try_from(text.len()).unwrap_or(u64::MAX).saturating_mul(8)
    }
}

/// The plans of documents seen lately, and what was written by them.
pub struct Wholes {
    plans: Cache<String, Arc<Whole>, ByText>,
    templates: Templates,
    numbers: AtomicU64,
}

impl Default for Wholes {
    fn default() -> Self {
        Wholes {
            plans: Cache::with_weighter(100, KEPT, ByText),
            templates: Templates::default(),
            numbers: AtomicU64::default(),
        }
    }
}

impl Wholes {
    /// The answer to the request, if its document is known and all is well.
    pub async fn answer(&self, kurso: &Kurso, request: &Request, token: Option<&str>) -> Option<String> {
        let whole = self.plans.get(request.query.as_str())?;
        let id = whole.asked(request)?;
        // What fails here fails in the general way too, which finds words for it.
        let view = CourseView::load_by_token(kurso, token?, id).await.ok()??;
        Some(self.write(&whole, &view))
    }

    /// Keeps the plan of a document that was validated and answered without an error.
    pub fn keep(&self, query: String, mut whole: Whole) {
        whole.number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.plans.insert(query, Arc::new(whole));
    }

    fn write(&self, whole: &Whole, view: &CourseView) -> String {
        let mut json = String::with_capacity(160 * view.tree.pages.len() + 1024);
        json.push_str("{\"data\":{\"");
        json.push_str(&whole.key);
        json.push_str("\":");
        write::course(&mut json, view, &whole.course, |json, modules: &Plan<ModuleField>| {
            if whole.modules == 1 {
                self.templates.get(whole.number, view, modules).fill(json, view);
            } else {
                write::modules(json, view, modules);
            }
        });
        json.push_str("}}");
        json
    }
}

impl Whole {
    /// None for what goes the general way.
    pub fn of(document: &ExecutableDocument) -> Option<Self> {
        let mut operations = document.operations.iter();
        match (operations.next(), operations.next()) {
            (Some((name, operation)), None) => of_operation(document, name.map(ToString::to_string), &operation.node),
            _ => None,
        }
    }

    fn asked(&self, request: &Request) -> Option<CourseId> {
        if request.operation_name.is_some() && request.operation_name != self.operation {
            return None;
        }
        match &self.id {
            CourseArgument::Literal(id) => Some(*id),
            CourseArgument::Variable(name) => match request.variables.get(name.as_str())? {
                Value::String(text) => text.parse().ok(),
                _ => None,
            },
        }
    }
}

fn of_operation(document: &ExecutableDocument, name: Option<String>, operation: &OperationDefinition) -> Option<Whole> {
    if operation.ty != OperationType::Query || !operation.directives.is_empty() {
        return None;
    }
    let mut fields = Vec::new();
    unfold(&operation.selection_set.node, &document.fragments, "Query", &mut fields)?;
    let [root] = fields.as_slice() else { return None };
    let [(argument, value)] = root.field.arguments.as_slice() else {
        return None;
    };
    if root.field.name.node != "course" || argument.node != "id" {
        return None;
    }
    let id = match (&value.node, operation.variable_definitions.as_slice()) {
        (Written::String(id), []) => CourseArgument::Literal(id.parse().ok()?),
        (Written::Variable(name), [definition])
            if definition.node.name.node == *name
                && definition.node.var_type.node.to_string() == "ID!"
                && definition.node.default_value.is_none()
                && definition.node.directives.is_empty() =>
        {
            CourseArgument::Variable(name.to_string())
        }
        _ => return None,
    };
    let course = plan::course::<InDocument<'_>>(&fields)?;
    let modules = course
        .iter()
        .filter(|(_, field)| matches!(field, CourseField::Modules(_)));
    Some(Whole {
        number: 0,
        operation: name,
        key: root.field.response_key().node.to_string(),
        id,
        modules: modules.count(),
        course,
    })
}
