//! The cost of an operation: the sum of the costs of its fields, which types declare by `#[graphql(complexity = …)]`; 1 by
//! default. The library adds them up during validation, but its error does not tell the sum.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::parser::types::{BaseType, DocumentOperations, ExecutableDocument, Type};
use async_graphql::{Request, ServerError, ValidationMode, ValidationResult, Value, Variables};
use futures_util::FutureExt as _;

use crate::Schema;

/// A second schema, which validates and does not execute.
pub struct FieldCosts(Schema);

impl FieldCosts {
    pub fn new() -> Self {
        // The other schema applies the rules of validation; the limits of the library are not used.
        let schema = crate::builder()
            .validation_mode(ValidationMode::Fast)
            .limit_complexity(usize::MAX)
            .limit_depth(usize::MAX);
        FieldCosts(schema.extension(ReportCost).finish())
    }

    /// The cost of the operation of this name. None when there is no such operation, or when it is invalid: then the schema
    /// refuses the request.
    pub fn of(&self, document: &ExecutableDocument, operation: Option<&str>, variables: &Variables) -> Option<u64> {
        let document = only(document, operation)?;
        // Lengths of lists are plain values: documents among the variables need not be copied.
        let mut small = Variables::default();
        for (name, value) in variables.iter() {
            if matches!(
                value,
                Value::Null | Value::Number(_) | Value::Boolean(_) | Value::Enum(_)
            ) {
                small.insert(name.clone(), value.clone());
            }
        }
        let cost = self.add_up(document.clone(), small);
        cost.or_else(|| self.add_up(document, variables.clone()))
    }

    fn add_up(&self, document: ExecutableDocument, variables: Variables) -> Option<u64> {
        let found = Found::default();
        let mut request = Request::new("").variables(variables).data(found.clone());
        request.set_parsed_query(document);
        // Validation does not wait for anything.
        let _ = self.0.execute(request).now_or_never();
        match found.0.load(Ordering::Relaxed) {
            0 => None,
            cost => Some(cost - 1),
        }
    }
}

/// Whether the cost is the same for all variables: only lengths of lists matter, and they are integers.
pub fn is_fixed(document: &ExecutableDocument) -> bool {
    let mut operations = document.operations.iter();
    let (Some((_, operation)), None) = (operations.next(), operations.next()) else {
        return false;
    };
    let mut variables = operation.node.variable_definitions.iter();
    !variables.any(|variable| is_integer(&variable.node.var_type.node))
}

fn is_integer(ty: &Type) -> bool {
    match &ty.base {
        BaseType::Named(name) => name.as_str() == "Int",
        BaseType::List(items) => is_integer(items),
    }
}

/// The operation of this name with the fragments: the library adds up all operations.
fn only(document: &ExecutableDocument, name: Option<&str>) -> Option<ExecutableDocument> {
    let mut operations = document.operations.iter();
    let (_, operation) = operations.find(|(found, _)| name.is_none() || found.map(|found| found.as_str()) == name)?;
    Some(ExecutableDocument {
        operations: DocumentOperations::Single(operation.clone()),
        fragments: document.fragments.clone(),
    })
}

/// The cost plus one; zero when it is unknown.
#[derive(Clone, Default)]
struct Found(Arc<AtomicU64>);

/// Reports the cost and stops before execution.
struct ReportCost;

impl ExtensionFactory for ReportCost {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(ReportCost)
    }
}

#[async_graphql::async_trait::async_trait]
impl Extension for ReportCost {
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
