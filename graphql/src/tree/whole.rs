//! Operations that are nothing but one course, `query ($id: ID!) { course(id: $id) { … } }`, or one visited page,
//! `mutation ($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { … } }`, with plain fields. Such an operation is
//! parsed, validated and executed by the library once; a document that passed is planned, and from then on answered from the
//! plan, by statements that are shared with others.
//!
//! Nothing is decided here: whatever is not a plain success (a token that is not good, a course that is not there, variables of
//! another shape) is left to the general way, which says what is wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::Request;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use kurso_core::Kurso;
use kurso_core::learning;
use kurso_core::learning::view::CourseView;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use uuid::Uuid;

use super::argument::Argument;
use super::plan::{self, CourseField, ModuleField, Plan, VisitField};
use super::selected::unfold;
use super::template::Templates;
use super::write;

/// Bytes of documents kept with their plans.
const KEPT: u64 = 2 << 20;

/// An operation that can be written.
pub struct Whole {
    /// Of this plan alone.
    number: u64,
    operation: Option<String>,
    /// Of its one field in the answer.
    key: String,
    id: Argument,
    asked: Asked,
    /// How many selections of modules there are: templates are kept for one.
    modules: usize,
}

/// What an operation is.
enum Asked {
    Course(Plan<CourseField>),
    Visit(Plan<VisitField>),
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
        let (token, id) = (token?, whole.asked_for(request)?);
        // What fails here fails in the general way too, which finds words for it.
        match &whole.asked {
            Asked::Course(plan) => {
                let view = CourseView::load_by_token(kurso, token, id.into()).await.ok()??;
                let room = 160 * view.tree.pages.len() + 1024;
                Some(self.write(&whole, room, |json| {
                    write::course(json, &view, plan, self.modules(&whole, &view));
                }))
            }
            Asked::Visit(plan) => {
                let (view, place) = learning::mark_page_visited_by_token(kurso, token, id.into()).await?;
                Some(self.write(&whole, 1024, |json| {
                    write::visit(json, &view, place, plan, self.modules(&whole, &view));
                }))
            }
        }
    }

    /// Keeps the plan of a document that was validated and answered without an error.
    pub fn keep(&self, query: String, mut whole: Whole) {
        whole.number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.plans.insert(query, Arc::new(whole));
    }

    fn write(&self, whole: &Whole, room: usize, answer: impl FnOnce(&mut String)) -> String {
        let mut json = String::with_capacity(room);
        json.push_str("{\"data\":{\"");
        json.push_str(&whole.key);
        json.push_str("\":");
        answer(&mut json);
        json.push_str("}}");
        json
    }

    /// Writes the modules of a course, from their template if they have one.
    fn modules(&self, whole: &Whole, view: &CourseView) -> impl Fn(&mut String, &Plan<ModuleField>) {
        move |json, modules| {
            if whole.modules == 1 {
                self.templates.get(whole.number, view, modules).fill(json, view);
            } else {
                write::modules(json, view, modules);
            }
        }
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

    fn asked_for(&self, request: &Request) -> Option<Uuid> {
        if request.operation_name.is_some() && request.operation_name != self.operation {
            return None;
        }
        self.id.value(&request.variables)
    }
}

fn of_operation(document: &ExecutableDocument, name: Option<String>, operation: &OperationDefinition) -> Option<Whole> {
    if !operation.directives.is_empty() {
        return None;
    }
    let root = match operation.ty {
        OperationType::Query => "Query",
        OperationType::Mutation => "Mutation",
        OperationType::Subscription => return None,
    };
    let mut fields = Vec::new();
    unfold(&operation.selection_set.node, &document.fragments, root, &mut fields)?;
    let [field] = fields.as_slice() else { return None };
    let variables = &operation.variable_definitions;
    let (id, asked) = match (operation.ty, field.field.name.node.as_str()) {
        (OperationType::Query, "course") => {
            let id = Argument::id(field.field, "id", variables)?;
            (id, Asked::Course(plan::course(&fields)?))
        }
        (OperationType::Mutation, "markPageVisited") => {
            let id = Argument::input(field.field, "MarkPageVisitedInput", "pageId", variables)?;
            (id, Asked::Visit(plan::visit(&fields)?))
        }
        _ => return None,
    };
    Some(Whole {
        number: 0,
        operation: name,
        key: field.field.response_key().node.to_string(),
        id,
        modules: asked.modules(),
        asked,
    })
}

impl Asked {
    fn modules(&self) -> usize {
        let of_course = |plan: &Plan<CourseField>| {
            let modules = plan
                .iter()
                .filter(|(_, field)| matches!(field, CourseField::Modules(_)));
            modules.count()
        };
        match self {
            Asked::Course(plan) => of_course(plan),
            Asked::Visit(plan) => {
                let courses = plan.iter().map(|(_, field)| match field {
                    VisitField::Course(plan) => of_course(plan),
                    _ => 0,
                });
                courses.sum()
            }
        }
    }
}
