//! `kurso/course.xml`: what Common Cartridge cannot hold of a course, written and read side by side.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::MODULE_ID;
use super::html::escaped;
use super::write::names::Plan;
use super::xml::{attr, children, text_of};
use crate::course::CourseDraft;
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::report::Report;

#[derive(Default)]
pub struct Extension {
    pub present: bool,
    /// Description and avatar path by the identifier of the module.
    modules: HashMap<String, (Option<String>, Option<String>)>,
    /// Identifiers of pages without a title.
    pub untitled: HashSet<String>,
}

impl Extension {
    pub fn read(root: Node<'_, '_>) -> Self {
        let id = |node| attr(node, "identifier").map(str::to_owned);
        Extension {
            present: true,
            modules: children(root, "module")
                .filter_map(|node| {
                    let avatar = attr(node, "avatar").map(str::to_owned);
                    Some((id(node)?, (text_of(node, "description"), avatar)))
                })
                .collect(),
            untitled: children(root, "page")
                .filter(|node| attr(*node, "untitled").is_some())
                .filter_map(id)
                .collect(),
        }
    }

    /// Sets the fields that the package holds in this file only. Avatars become the paths of their files.
    pub fn apply(&self, course: &mut CourseDraft) {
        for module in &mut course.modules {
            let id = module.key.as_ref().map(|key| format!("{MODULE_ID}{key}"));
            let found = id.and_then(|id| self.modules.get(&id)).cloned();
            (module.description, module.avatar) = found.unwrap_or_default();
        }
    }

    /// The content of the file, in the order of the course. The report lists the modules in it.
    pub fn write(course: &CourseDraft, plan: &Plan<'_>, report: &mut Report) -> String {
        let mut text =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<course xmlns=\"urn:kurso:course:1\">\n");
        for (module, named) in course.modules.iter().zip(&plan.modules) {
            let avatar = module.avatar.as_ref().and_then(|key| plan.files.get(key));
            let avatar = avatar.map(|(path, _)| format!(" avatar=\"{}\"", escaped(path)));
            if module.description.is_none() && avatar.is_none() {
                continue;
            }
            report.add(&module.title, Note::Cartridge(CartridgeNote::OnlyHere));
            let start = format!("  <module identifier=\"{}\"{}", named.id, avatar.unwrap_or_default());
            text.push_str(&match &module.description {
                None => format!("{start}/>\n"),
                Some(said) => format!("{start}><description>{}</description></module>\n", escaped(said)),
            });
        }
        for (page, named) in course.pages().zip(&plan.pages) {
            if page.title.is_none() {
                text.push_str(&format!("  <page identifier=\"{}\" untitled=\"true\"/>\n", named.id));
            }
        }
        text.push_str("</course>\n");
        text
    }
}
