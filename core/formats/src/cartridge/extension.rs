//! `kurso/course.xml`: course data that Common Cartridge cannot hold.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::html::escaped;
use super::xml::{attr, children, text_of};

#[derive(Default)]
pub struct Extension {
    pub present: bool,
    /// Description and avatar path by module identifier.
    pub modules: HashMap<String, (Option<String>, Option<String>)>,
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

    /// The content of the file, in the order of the lists.
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
