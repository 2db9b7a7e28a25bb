//! The expected items of the course, derived from the responses to the writers alone.
//!
//! Some modules and lessons are permanent. Permanent lessons, and pages created in them, move only between permanent parents, so
//! that only their own deletion removes them. Every other item stays in its parent and is deleted with it. Whether an item
//! must exist therefore does not depend on the order of concurrent calls.

use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Module,
    Lesson,
    Page,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Module => "module",
            Kind::Lesson => "lesson",
            Kind::Page => "page",
        }
    }

    fn above(self) -> Kind {
        match self {
            Kind::Module | Kind::Lesson => Kind::Module,
            Kind::Page => Kind::Lesson,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    pub id: String,
    pub kind: Kind,
    pub place: usize,
    /// The parent with which it is deleted; None for modules and for items that move between permanent parents.
    pub parent: Option<usize>,
    /// Whether it is never deleted.
    pub is_permanent: bool,
    deleted: bool,
}

#[derive(Debug, Default)]
pub struct Ledger {
    modules: Vec<Node>,
    lessons: Vec<Node>,
    pages: Vec<Node>,
    /// Items for which a writer got 404.
    missed: Vec<(Kind, usize)>,
}

impl Ledger {
    fn of(&self, kind: Kind) -> &Vec<Node> {
        match kind {
            Kind::Module => &self.modules,
            Kind::Lesson => &self.lessons,
            Kind::Page => &self.pages,
        }
    }

    fn of_mut(&mut self, kind: Kind) -> &mut Vec<Node> {
        match kind {
            Kind::Module => &mut self.modules,
            Kind::Lesson => &mut self.lessons,
            Kind::Page => &mut self.pages,
        }
    }

    pub fn id(&self, kind: Kind, place: usize) -> &str {
        &self.of(kind)[place].id
    }

    /// Adds the item of a response and returns its index.
    pub fn add(&mut self, kind: Kind, answer: &Value, parent: Option<usize>) -> usize {
        let nodes = self.of_mut(kind);
        let place = nodes.len();
        nodes.push(Node {
            id: answer["id"].as_str().unwrap().to_owned(),
            kind,
            place,
            parent,
            is_permanent: false,
            deleted: false,
        });
        place
    }

    pub fn keep(&mut self, kind: Kind, place: usize) {
        self.of_mut(kind)[place].is_permanent = true;
    }

    /// Adds a copy with its descendants. The copy of a page that may move may move too.
    pub fn add_copy(&mut self, kind: Kind, copy: &Value, original: &Node) {
        match kind {
            Kind::Page => {
                self.add(Kind::Page, copy, original.parent);
            }
            Kind::Lesson => {
                let module = &copy["module_id"];
                let module = self
                    .modules
                    .iter()
                    .position(|m| m.id == *module)
                    .expect("the module of the copy");
                self.add_lesson(copy, module);
            }
            Kind::Module => {
                let module = self.add(Kind::Module, copy, None);
                for lesson in copy["lessons"].as_array().unwrap() {
                    self.add_lesson(lesson, module);
                }
            }
        }
    }

    fn add_lesson(&mut self, lesson: &Value, module: usize) {
        let place = self.add(Kind::Lesson, lesson, Some(module));
        for page in lesson["pages"].as_array().unwrap() {
            self.add(Kind::Page, page, Some(place));
        }
    }

    pub fn delete(&mut self, kind: Kind, place: usize) {
        let node = &mut self.of_mut(kind)[place];
        assert!(!node.deleted && !node.is_permanent, "deleted twice: {node:?}");
        node.deleted = true;
    }

    pub fn missed(&mut self, node: &Node) {
        self.missed.push((node.kind, node.place));
    }

    fn lives(&self, node: &Node) -> bool {
        let above = node.kind.above();
        !node.deleted && node.parent.is_none_or(|parent| self.lives(&self.of(above)[parent]))
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.of(kind).iter().filter(|node| self.lives(node)).count()
    }

    pub fn pick(&self, kind: Kind, below: impl FnOnce(usize) -> usize) -> Option<Node> {
        let living: Vec<_> = self.of(kind).iter().filter(|node| self.lives(node)).collect();
        let which = below(living.len());
        living.get(which).map(|node| (*node).clone())
    }

    pub fn pick_permanent(&self, kind: Kind, below: impl FnOnce(usize) -> usize) -> Node {
        let permanent: Vec<_> = self.of(kind).iter().filter(|node| node.is_permanent).collect();
        permanent[below(permanent.len())].clone()
    }

    /// The sorted ids of all items that must exist.
    pub fn living(&self) -> Vec<String> {
        let all = self.modules.iter().chain(&self.lessons).chain(&self.pages);
        let mut ids: Vec<_> = all
            .filter(|node| self.lives(node))
            .map(|node| node.id.clone())
            .collect();
        ids.sort();
        ids
    }

    /// Asserts that no item that must exist got 404.
    pub fn assert_gone(&self) {
        for (kind, place) in &self.missed {
            let node = &self.of(*kind)[*place];
            assert!(!self.lives(node), "not found, but there: {node:?}");
        }
    }
}
