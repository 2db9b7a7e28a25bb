//! What must be in the course when all have written: kept from their answers alone.
//!
//! Some modules and lessons last; lessons that last and the pages made in them roam among those, and nothing but their own
//! deletion ends them. Everything else stays in its parent and goes with it. So whether something lives can be told
//! without knowing who came before whom.

use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Module,
    Lesson,
    Page,
}

impl Kind {
    pub fn word(self) -> &'static str {
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
    /// What it goes with; None for modules and for what roams.
    pub parent: Option<usize>,
    /// Is never deleted.
    pub lasts: bool,
    deleted: bool,
}

#[derive(Debug, Default)]
pub struct Ledger {
    modules: Vec<Node>,
    lessons: Vec<Node>,
    pages: Vec<Node>,
    /// What somebody did not find.
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

    /// Takes in what an answer shows; says its place.
    pub fn add(&mut self, kind: Kind, answer: &Value, parent: Option<usize>) -> usize {
        let nodes = self.of_mut(kind);
        let place = nodes.len();
        nodes.push(Node {
            id: answer["id"].as_str().unwrap().to_owned(),
            kind,
            place,
            parent,
            lasts: false,
            deleted: false,
        });
        place
    }

    pub fn last(&mut self, kind: Kind, place: usize) {
        self.of_mut(kind)[place].lasts = true;
    }

    /// Takes in a copy with everything in it. One of a page that roams does so too.
    pub fn add_copy(&mut self, kind: Kind, copy: &Value, original: &Node) {
        match kind {
            Kind::Page => {
                self.add(Kind::Page, copy, original.parent);
            }
            Kind::Lesson => {
                let module = &copy["module_id"];
                let module = self.modules.iter().position(|m| m.id == *module).expect("its module");
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
        assert!(!node.deleted && !node.lasts, "deleted twice: {node:?}");
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

    pub fn pick_lasting(&self, kind: Kind, below: impl FnOnce(usize) -> usize) -> Node {
        let lasting: Vec<_> = self.of(kind).iter().filter(|node| node.lasts).collect();
        lasting[below(lasting.len())].clone()
    }

    /// The ids of all that must be there, sorted.
    pub fn living(&self) -> Vec<String> {
        let all = self.modules.iter().chain(&self.lessons).chain(&self.pages);
        let mut ids: Vec<_> = all
            .filter(|node| self.lives(node))
            .map(|node| node.id.clone())
            .collect();
        ids.sort();
        ids
    }

    /// Nobody was told that something is not there that is.
    pub fn assert_gone(&self) {
        for (kind, place) in &self.missed {
            let node = &self.of(*kind)[*place];
            assert!(!self.lives(node), "not found, but there: {node:?}");
        }
    }
}
