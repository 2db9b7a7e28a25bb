//! What `Course.modules` answers with.

use std::borrow::Cow;
use std::collections::HashMap;

use async_graphql::parser::types::{ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::registry::Registry;
use async_graphql::{Context, ContextSelectionSet, OutputType, Positioned, ServerResult, Value};
use kurso_core::learning::view::CourseView;

use super::Module;
use super::scalars::raw_json;
use crate::tree::{plan, write};

/// In the schema, `[Module!]!`.
pub enum Modules {
    /// JSON text.
    Written(String),
    Nodes(Vec<Module>),
}

/// Whether the trees a document asks for may be written as text: a field that stands twice in one place of the answer is
/// run twice by the executor, which then merges the values, and text it cannot merge. So `modules` must stand once in the
/// document, in nothing that is spread twice.
#[derive(Clone, Copy, Debug)]
pub struct MayWrite(bool);

impl MayWrite {
    pub fn of(document: &ExecutableDocument) -> Self {
        let mut found = Occurrences::default();
        for (_, operation) in document.operations.iter() {
            found.count(&operation.node.selection_set.node);
        }
        for fragment in document.fragments.values() {
            found.count(&fragment.node.selection_set.node);
        }
        MayWrite(found.modules == 1 && found.spreads.values().all(|times| *times == 1))
    }
}

#[derive(Default)]
struct Occurrences<'a> {
    modules: usize,
    spreads: HashMap<&'a str, usize>,
}

impl<'a> Occurrences<'a> {
    /// The parser bounds the depth.
    fn count(&mut self, set: &'a SelectionSet) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => {
                    self.modules += usize::from(field.node.name.node == "modules");
                    self.count(&field.node.selection_set.node);
                }
                Selection::FragmentSpread(spread) => {
                    *self.spreads.entry(spread.node.fragment_name.node.as_str()).or_default() += 1;
                }
                Selection::InlineFragment(fragment) => self.count(&fragment.node.selection_set.node),
            }
        }
    }
}

impl Modules {
    /// The tree as text, if the document and the selection below this field allow it.
    pub fn written(view: &CourseView, ctx: &Context<'_>) -> Option<Self> {
        let MayWrite(true) = ctx.data_opt::<MayWrite>()? else {
            return None;
        };
        let plan = plan::modules(&[ctx.field()])?;
        let mut json = String::with_capacity(160 * view.tree.pages.len() + 1024);
        write::modules(&mut json, view, &plan);
        Some(Modules::Written(json))
    }
}

/// The same type to the schema as a list of modules.
impl OutputType for Modules {
    fn type_name() -> Cow<'static, str> {
        Vec::<Module>::type_name()
    }

    fn qualified_type_name() -> String {
        Vec::<Module>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Vec::<Module>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        match self {
            Modules::Written(json) => Ok(raw_json(json.clone())),
            Modules::Nodes(nodes) => nodes.resolve(ctx, field).await,
        }
    }
}
