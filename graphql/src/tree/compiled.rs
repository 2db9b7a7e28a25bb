//! Compiled operations: `query ($id: ID!) { course(id: $id) { … } }`, the same with `page`, and
//! `mutation ($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { … } }`, when all their fields have a plan.
//!
//! The library parses, validates and executes such an operation once. If it succeeds, its plan is cached by the text of the
//! document and answers the following requests, with statements that are batched across requests. It answers
//! successes only: a bad token, a missing course or variables of another form are left to the general path, which reports the
//! error.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::Request;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType};
use kurso_core::courses::{self, Counts};
use kurso_core::learning::Opened;
use kurso_core::learning::view::CourseView;
use kurso_core::{Kurso, learning};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use uuid::Uuid;

use super::argument::Argument;
use super::plan::{self, CourseField, ModuleField, Plan, RootPageField, VisitField};
use super::selection::inline;
use super::template::Templates;
use super::write::{self, CourseWriter};

/// Bytes of all documents in the cache, with their plans.
const CAPACITY: u64 = 2 << 20;

/// An operation that the fast path can answer.
pub struct CompiledOperation {
    /// Unique in the cache: the key of its templates.
    number: u64,
    name: Option<String>,
    /// The key of its only field in the answer.
    key: String,
    id: Argument,
    root: Root,
    /// Selections of modules. Only an operation with one uses templates.
    module_selections: usize,
    has_counts: bool,
}

enum Root {
    Course(Plan<CourseField>),
    Page(Plan<RootPageField>),
    Visit(Plan<VisitField>),
}

#[derive(Clone)]
struct ByText;

impl Weighter<String, Arc<CompiledOperation>> for ByText {
    fn weight(&self, text: &String, _: &Arc<CompiledOperation>) -> u64 {
        // A plan is several times as large as the text it was compiled from.
        u64::try_from(text.len()).unwrap_or(u64::MAX).saturating_mul(8)
    }
}

/// A cache of compiled operations by the text of their document, and of their templates.
pub struct CompiledOperations {
    operations: Cache<String, Arc<CompiledOperation>, ByText>,
    templates: Templates,
    numbers: AtomicU64,
}

impl Default for CompiledOperations {
    fn default() -> Self {
        CompiledOperations {
            operations: Cache::with_weighter(100, CAPACITY, ByText),
            templates: Templates::default(),
            numbers: AtomicU64::default(),
        }
    }
}

impl CompiledOperations {
    /// The answer to a request, when its document is in the cache and nothing fails. What fails here fails in the general path
    /// too, which reports it.
    pub async fn answer(&self, kurso: &Kurso, request: &Request, token: Option<&str>) -> Option<String> {
        let operation = self.operations.get(request.query.as_str())?;
        let (token, id) = (token?, operation.id(request)?);
        let mut json = String::new();
        match &operation.root {
            Root::Course(plan) => {
                let view = CourseView::load_by_token(kurso, token, id.into()).await.ok()??;
                let writer = self.writer(kurso, &operation, &view).await?;
                operation.write(&mut json, 160 * view.tree.pages.len(), |json| writer.course(json, plan));
            }
            Root::Page(plan) => {
                let (view, index) = CourseView::load_by_token_and_page(kurso, token, id.into())
                    .await
                    .ok()??;
                let writer = self.writer(kurso, &operation, &view).await?;
                operation.write(&mut json, 160 * view.tree.pages.len(), |json| {
                    writer.page(json, index, plan)
                });
            }
            Root::Visit(plan) => {
                let opened = Opened {
                    page: id.into(),
                    version: operation.id.number(&request.variables),
                };
                let (view, index) = learning::mark_page_visited_by_token(kurso, token, opened).await?;
                let writer = self.writer(kurso, &operation, &view).await?;
                operation.write(&mut json, 0, |json| writer.visit(json, index, plan));
            }
        }
        Some(json)
    }

    /// Caches an operation whose document was validated and answered without an error.
    pub fn insert(&self, query: String, mut operation: CompiledOperation) {
        operation.number = self.numbers.fetch_add(1, Ordering::Relaxed);
        self.operations.insert(query, Arc::new(operation));
    }

    /// The view with the counts that the operation asks for. Writes modules from their template, if they have one.
    async fn writer<'a>(
        &'a self,
        kurso: &Kurso,
        operation: &'a CompiledOperation,
        view: &'a CourseView,
    ) -> Option<CourseWriter<'a, impl Fn(&mut String, &Plan<ModuleField>)>> {
        let counts = match operation.has_counts {
            true => courses::counts(&kurso.db, std::slice::from_ref(&view.course))
                .await
                .ok()?
                .pop()?,
            false => Counts::default(),
        };
        let modules = move |json: &mut String, modules: &Plan<ModuleField>| match operation.module_selections {
            // Hidden titles depend on the learner and the time.
            1 if !view.hides_titles() => self.templates.get(operation.number, view, modules).fill(json, view),
            _ => write::modules(json, view, modules),
        };
        Some(CourseWriter { view, counts, modules })
    }
}

impl CompiledOperation {
    /// Compiles the only operation of a document; None when it takes the general path.
    pub fn of(document: &ExecutableDocument) -> Option<Self> {
        let mut operations = document.operations.iter();
        match (operations.next(), operations.next()) {
            (Some((name, operation)), None) => compile(document, name.map(ToString::to_string), &operation.node),
            _ => None,
        }
    }

    fn id(&self, request: &Request) -> Option<Uuid> {
        if request.operation_name.is_some() && request.operation_name != self.name {
            return None;
        }
        self.id.value(&request.variables)
    }

    /// Writes an answer of about `size` bytes.
    fn write(&self, json: &mut String, size: usize, data: impl FnOnce(&mut String)) {
        json.reserve(size + 1024);
        json.push_str("{\"data\":{\"");
        json.push_str(&self.key);
        json.push_str("\":");
        data(json);
        json.push_str("}}");
    }
}

fn compile(
    document: &ExecutableDocument,
    name: Option<String>,
    operation: &OperationDefinition,
) -> Option<CompiledOperation> {
    if !operation.directives.is_empty() {
        return None;
    }
    let type_name = match operation.ty {
        OperationType::Query => "Query",
        OperationType::Mutation => "Mutation",
        OperationType::Subscription => return None,
    };
    let mut fields = Vec::new();
    inline(
        &operation.selection_set.node,
        &document.fragments,
        type_name,
        &mut fields,
    )?;
    let [field] = fields.as_slice() else { return None };
    let variables = &operation.variable_definitions;
    let (id, root) = match (operation.ty, field.name()) {
        (OperationType::Query, "course") => {
            let id = Argument::id(field.field, "id", variables)?;
            (id, Root::Course(plan::course(&fields)?))
        }
        (OperationType::Query, "page") => {
            let id = Argument::id(field.field, "id", variables)?;
            (id, Root::Page(plan::root_page(&fields)?))
        }
        (OperationType::Mutation, "markPageVisited") => {
            let id = Argument::input(field.field, "MarkPageVisitedInput", ("pageId", "version"), variables)?;
            (id, Root::Visit(plan::visit(&fields)?))
        }
        _ => return None,
    };
    Some(CompiledOperation {
        number: 0,
        name,
        key: field.key().to_owned(),
        id,
        module_selections: root.count(|field| matches!(field, CourseField::Modules(_))),
        has_counts: root.count(|field| matches!(field, CourseField::Count(_))) > 0,
        root,
    })
}

impl Root {
    /// How many fields of its courses match.
    fn count(&self, matches: fn(&CourseField) -> bool) -> usize {
        let of_course = |plan: &Plan<CourseField>| plan.iter().filter(|(_, field)| matches(field)).count();
        match self {
            Root::Course(plan) => of_course(plan),
            Root::Page(plan) => plan
                .iter()
                .map(|(_, field)| match field {
                    RootPageField::Course(plan) => of_course(plan),
                    _ => 0,
                })
                .sum(),
            Root::Visit(plan) => plan
                .iter()
                .map(|(_, field)| match field {
                    VisitField::Course(plan) => of_course(plan),
                    _ => 0,
                })
                .sum(),
        }
    }
}
