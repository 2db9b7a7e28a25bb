//! What an operation costs: the sum over its fields, each as the types say by `#[graphql(complexity = …)]`, one where they say
//! nothing. The library adds it up when it validates, but keeps the sum to itself when it refuses; so we ask for it before.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::parser::types::{BaseType, DocumentOperations, ExecutableDocument, Type};
use async_graphql::{Request, ServerError, ValidationMode, ValidationResult, Value, Variables};
use futures_util::FutureExt as _;

use crate::Schema;

/// The schema once more, by which nothing is executed.
pub struct Prices(Schema);

impl Prices {
    pub fn new() -> Self {
        // The rules of validation and the library's own limits wait until the price is known.
        let schema = crate::builder()
            .validation_mode(ValidationMode::Fast)
            .limit_complexity(usize::MAX)
            .limit_depth(usize::MAX);
        Prices(schema.extension(Till).finish())
    }

    /// What the operation of this name costs. None when an argument that the cost depends on is no good, or when there is no
    /// such operation: then the schema refuses the request.
    pub fn of(&self, document: &ExecutableDocument, operation: Option<&str>, variables: &Variables) -> Option<u64> {
        let document = only(document, operation)?;
        // Lengths of lists are small values; a page's content need not be copied for them.
        let mut small = Variables::default();
        for (name, value) in variables.iter() {
            if matches!(
                value,
                Value::Null | Value::Number(_) | Value::Boolean(_) | Value::Enum(_)
            ) {
                small.insert(name.clone(), value.clone());
            }
        }
        let found = self.add_up(document.clone(), small);
        found.or_else(|| self.add_up(document, variables.clone()))
    }

    fn add_up(&self, document: ExecutableDocument, variables: Variables) -> Option<u64> {
        let found = Found::default();
        let mut request = Request::new("").variables(variables).data(found.clone());
        request.set_parsed_query(document);
        // Nothing in it waits.
        let _ = self.0.execute(request).now_or_never();
        match found.0.load(Ordering::Relaxed) {
            0 => None,
            cost => Some(cost - 1),
        }
    }
}

/// Whether the cost is the same whatever the variables are: the lengths of lists are whole numbers.
pub fn is_fixed(document: &ExecutableDocument) -> bool {
    let mut operations = document.operations.iter();
    let (Some((_, operation)), None) = (operations.next(), operations.next()) else {
        return false;
    };
    let mut variables = operation.node.variable_definitions.iter();
    !variables.any(|variable| is_whole_number(&variable.node.var_type.node))
}

fn is_whole_number(ty: &Type) -> bool {
    match &ty.base {
        BaseType::Named(name) => name.as_str() == "Int",
        BaseType::List(items) => is_whole_number(items),
    }
}

/// The operation that is run, with the fragments; the library would add up all of them.
fn only(document: &ExecutableDocument, name: Option<&str>) -> Option<ExecutableDocument> {
    let mut operations = document.operations.iter();
    let (_, operation) = operations.find(|(found, _)| name.is_none() || found.map(|found| found.as_str()) == name)?;
    Some(ExecutableDocument {
        operations: DocumentOperations::Single(operation.clone()),
        fragments: document.fragments.clone(),
    })
}

/// The cost and one; zero as long as it is not known.
#[derive(Clone, Default)]
struct Found(Arc<AtomicU64>);

/// Notes the cost and lets nothing come to execution.
struct Till;

impl ExtensionFactory for Till {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Till)
    }
}

#[async_graphql::async_trait::async_trait]
impl Extension for Till {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let result = next.run(ctx).await?;
        if let Some(Found(found)) = ctx.data_opt::<Found>() {
            let cost = u64::try_from(result.complexity).unwrap_or(u64::MAX);
            found.store(cost.saturating_add(1), Ordering::Relaxed);
        }
        Err(Vec::new())
    }
}
