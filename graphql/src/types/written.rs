//! The tree of a course, written straight from the arena.
//!
//! The general executor makes a future and a value for every field of every page, which is most of what a tree query
//! costs. A selection of plain fields (no arguments, nothing that needs a statement or leads out of the tree) is read once
//! into a plan and written as JSON text; any other selection goes the general way. Both ways give the same answer, and a
//! test compares them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use async_graphql::parser::types::{ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::registry::Registry;
use async_graphql::{Context, ContextSelectionSet, OutputType, Positioned, SelectionField, ServerResult, Value};
use kurso_core::courses::tree::PageKind;
use kurso_core::learning::progress::Reason;
use kurso_core::learning::view::CourseView;

use super::Module;
use super::scalars::raw_json;

/// What `Course.modules` answers with: in the schema, `[Module!]!`.
pub enum Modules {
    /// JSON text.
    Written(String),
    Nodes(Vec<Module>),
}

/// The fields of one kind of object by their keys in the answer, in order.
type Plan<F> = Vec<(String, F)>;

enum PageField {
    TypeName,
    Id,
    Title,
    Number,
    Kind,
    Position,
    Published,
    IsVisited,
    IsCompleted,
    BestPercent,
    AttemptsLeft,
    Reason(Plan<ReasonField>),
}

#[derive(Clone, Copy)]
enum ReasonField {
    TypeName,
    Kind,
    BestPercent,
    AttemptsLeft,
}

enum LessonField {
    TypeName,
    Id,
    Title,
    Position,
    IsCompleted,
    PagesDone,
    PagesTotal,
    Pages(Plan<PageField>),
}

enum ModuleField {
    TypeName,
    Id,
    Title,
    Description,
    Position,
    AvatarUrl,
    Lessons(Plan<LessonField>),
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
        let field = ctx.field();
        let plan = plan(&[field], module_field)?;
        let mut json = String::with_capacity(160 * view.tree.pages.len() + 1024);
        list(&mut json, 0..view.tree.modules.len(), |json, place| {
            module(json, view, place, &plan)
        });
        Some(Modules::Written(json))
    }
}

/// Reads what is selected below fields of the same key; None when one of them is not plain.
fn plan<F>(fields: &[SelectionField<'_>], read: impl Fn(&str, &[SelectionField<'_>]) -> Option<F>) -> Option<Plan<F>> {
    // Fields may stand in several fragments: those of one key are one field of the answer.
    let mut grouped: Vec<(&str, Vec<SelectionField<'_>>)> = Vec::new();
    for selected in fields.iter().flat_map(SelectionField::selection_set) {
        let key = selected.alias().unwrap_or(selected.name());
        match grouped.iter_mut().find(|(found, _)| *found == key) {
            Some((_, same)) => same.push(selected),
            None => grouped.push((key, vec![selected])),
        }
    }
    let mut plan = Vec::with_capacity(grouped.len());
    for (key, same) in grouped {
        let first = same.first()?;
        if !first.arguments().ok()?.is_empty() {
            return None;
        }
        plan.push((key.to_owned(), read(first.name(), &same)?));
    }
    Some(plan)
}

fn module_field(name: &str, same: &[SelectionField<'_>]) -> Option<ModuleField> {
    Some(match name {
        "__typename" => ModuleField::TypeName,
        "id" => ModuleField::Id,
        "title" => ModuleField::Title,
        "description" => ModuleField::Description,
        "position" => ModuleField::Position,
        "avatarUrl" => ModuleField::AvatarUrl,
        "lessons" => ModuleField::Lessons(plan(same, lesson_field)?),
        _ => return None,
    })
}

fn lesson_field(name: &str, same: &[SelectionField<'_>]) -> Option<LessonField> {
    Some(match name {
        "__typename" => LessonField::TypeName,
        "id" => LessonField::Id,
        "title" => LessonField::Title,
        "position" => LessonField::Position,
        "isCompleted" => LessonField::IsCompleted,
        "pagesDone" => LessonField::PagesDone,
        "pagesTotal" => LessonField::PagesTotal,
        "pages" => LessonField::Pages(plan(same, page_field)?),
        _ => return None,
    })
}

fn page_field(name: &str, same: &[SelectionField<'_>]) -> Option<PageField> {
    Some(match name {
        "__typename" => PageField::TypeName,
        "id" => PageField::Id,
        "title" => PageField::Title,
        "number" => PageField::Number,
        "kind" => PageField::Kind,
        "position" => PageField::Position,
        "published" => PageField::Published,
        "isVisited" => PageField::IsVisited,
        "isCompleted" => PageField::IsCompleted,
        "bestPercent" => PageField::BestPercent,
        "attemptsLeft" => PageField::AttemptsLeft,
        "reason" => PageField::Reason(plan(same, |name, _| reason_field(name))?),
        _ => return None,
    })
}

fn reason_field(name: &str) -> Option<ReasonField> {
    Some(match name {
        "__typename" => ReasonField::TypeName,
        "kind" => ReasonField::Kind,
        "bestPercent" => ReasonField::BestPercent,
        "attemptsLeft" => ReasonField::AttemptsLeft,
        _ => return None,
    })
}

fn module(json: &mut String, view: &CourseView, place: usize, plan: &Plan<ModuleField>) {
    let node = view.module(place);
    object(json, plan, |json, field| match field {
        ModuleField::TypeName => json.push_str("\"Module\""),
        ModuleField::Id => id(json, node.id.0),
        ModuleField::Title => text(json, &node.title),
        ModuleField::Description => optional(json, node.description.as_deref()),
        ModuleField::Position => number(json, node.position),
        ModuleField::AvatarUrl => optional(json, node.avatar_url.as_deref()),
        ModuleField::Lessons(plan) => {
            list(json, node.lessons.clone(), |json, place| {
                lesson(json, view, place, plan)
            });
        }
    });
}

fn lesson(json: &mut String, view: &CourseView, place: usize, plan: &Plan<LessonField>) {
    let node = view.lesson(place);
    object(json, plan, |json, field| match field {
        LessonField::TypeName => json.push_str("\"Lesson\""),
        LessonField::Id => id(json, node.id.0),
        LessonField::Title => text(json, &node.title),
        LessonField::Position => number(json, node.position),
        LessonField::IsCompleted => boolean(json, view.is_lesson_completed(place)),
        LessonField::PagesDone => count(json, view.lesson_progress(place).pages_done),
        LessonField::PagesTotal => count(json, view.lesson_progress(place).pages_total),
        LessonField::Pages(plan) => {
            let pages = view.pages_of(node).zip(1..);
            list(json, pages, |json, (place, number)| {
                page(json, view, place, number, plan)
            });
        }
    });
}

fn page(json: &mut String, view: &CourseView, place: usize, in_lesson: i64, plan: &Plan<PageField>) {
    let node = view.page(place);
    object(json, plan, |json, field| match field {
        PageField::TypeName => json.push_str("\"Page\""),
        PageField::Id => id(json, node.id.0),
        PageField::Title => optional(json, node.title.as_deref()),
        PageField::Number => number(json, in_lesson),
        PageField::Kind => json.push_str(match node.kind {
            PageKind::Content => "\"CONTENT\"",
            PageKind::Quiz => "\"QUIZ\"",
        }),
        PageField::Position => number(json, node.position),
        PageField::Published => boolean(json, node.published),
        PageField::IsVisited => boolean(json, view.marks.is_visited(place)),
        PageField::IsCompleted => boolean(json, view.marks.is_done(&view.tree, place)),
        PageField::BestPercent => optional_number(json, view.best_percent(place)),
        PageField::AttemptsLeft => optional_number(json, view.attempts_left(place)),
        PageField::Reason(plan) => match view.reason(place) {
            Some(why) => reason(json, why, plan),
            None => json.push_str("null"),
        },
    });
}

fn reason(json: &mut String, reason: Reason, plan: &Plan<ReasonField>) {
    let (kind, best_percent, attempts_left) = match reason {
        Reason::NotVisited => ("\"NOT_VISITED\"", None, None),
        Reason::QuizNotPassed {
            best_percent,
            attempts_left,
        } => ("\"QUIZ_NOT_PASSED\"", best_percent, attempts_left),
    };
    object(json, plan, |json, field| match field {
        ReasonField::TypeName => json.push_str("\"Reason\""),
        ReasonField::Kind => json.push_str(kind),
        ReasonField::BestPercent => optional_number(json, best_percent),
        ReasonField::AttemptsLeft => optional_number(json, attempts_left),
    });
}

fn object<F>(json: &mut String, plan: &Plan<F>, mut value: impl FnMut(&mut String, &F)) {
    json.push('{');
    for (i, (key, field)) in plan.iter().enumerate() {
        if i > 0 {
            json.push(',');
        }
        // A GraphQL name: letters, digits and underscores need no escape.
        json.push('"');
        json.push_str(key);
        json.push_str("\":");
        value(json, field);
    }
    json.push('}');
}

fn list<T>(json: &mut String, items: impl Iterator<Item = T>, mut item: impl FnMut(&mut String, T)) {
    json.push('[');
    for (i, what) in items.enumerate() {
        if i > 0 {
            json.push(',');
        }
        item(json, what);
    }
    json.push(']');
}

fn id(json: &mut String, id: uuid::Uuid) {
    let mut buffer = uuid::Uuid::encode_buffer();
    json.push('"');
    json.push_str(id.hyphenated().encode_lower(&mut buffer));
    json.push('"');
}

/// As GraphQL's Int, the way the general executor cuts it.
fn number(json: &mut String, number: i64) {
    let _ = write!(json, "{}", super::int(number)); // a String accepts any text
}

fn count(json: &mut String, count: usize) {
    let _ = write!(json, "{}", super::int(count)); // a String accepts any text
}

fn optional_number(json: &mut String, value: Option<i64>) {
    match value {
        Some(value) => number(json, value),
        None => json.push_str("null"),
    }
}

fn boolean(json: &mut String, value: bool) {
    json.push_str(if value { "true" } else { "false" });
}

fn optional(json: &mut String, value: Option<&str>) {
    match value {
        Some(value) => text(json, value),
        None => json.push_str("null"),
    }
}

fn text(json: &mut String, value: &str) {
    json.push('"');
    let mut rest = value;
    // Long runs that need no escape are copied whole: nearly every title is one.
    while let Some(at) = rest.find(|c: char| c < ' ' || matches!(c, '"' | '\\')) {
        let (plain, special) = rest.split_at(at);
        json.push_str(plain);
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            let _ = match c {
                '"' | '\\' => write!(json, "\\{c}"),
                c => write!(json, "\\u{:04x}", u32::from(c)),
            };
        }
        rest = chars.as_str();
    }
    json.push_str(rest);
    json.push('"');
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
