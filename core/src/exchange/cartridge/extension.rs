//! `kurso/course.xml`: what a course of ours has and cartridges have no place for.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::html::escaped;
use super::xml::{attr, children, text_of};

#[derive(Default)]
pub struct Extension {
    pub there: bool,
    /// By the identifier of the module: its description, and the path of its picture.
    pub modules: HashMap<String, (Option<String>, Option<String>)>,
    /// Identifiers of pages that have no title.
    pub untitled: HashSet<String>,
}

impl Extension {
    pub fn read(root: Node<'_, '_>) -> Self {
        let id = |node| attr(node, "identifier").map(str::to_owned);
        Extension {
            there: true,
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

    /// The file; each list in the order it is given.
    pub fn write(modules: &[(String, Option<&str>, Option<String>)], untitled: &[String]) -> String {
        let mut text =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<course xmlns=\"urn:kurso:course:1\">\n");
        for (id, description, avatar) in modules {
            let avatar = avatar.as_ref().map(|path| format!(" avatar=\"{}\"", escaped(path)));
            let avatar = avatar.unwrap_or_default();
            match description {
                None if avatar.is_empty() => {}
                None => text.push_str(&format!("  <module identifier=\"{id}\"{avatar}/>\n")),
                Some(said) => text.push_str(&format!(
                    "  <module identifier=\"{id}\"{avatar}><description>{}</description></module>\n",
                    escaped(said)
                )),
            }
        }
        for id in untitled {
            text.push_str(&format!("  <page identifier=\"{id}\" untitled=\"true\"/>\n"));
        }
        text.push_str("</course>\n");
        text
    }
}
