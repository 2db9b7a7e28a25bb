//! `imsmanifest.xml`: the resources of a package and their tree.

use std::collections::HashMap;
use std::path::{Component, Path};

use roxmltree::Node;

use super::xml::{attr, child, children, find, text_of};
use crate::folder::normalize_path;
use crate::note::cartridge::Note;

/// Limits of items and resources; the excess is reported and ignored.
const MAX_ITEMS: usize = 10_000;
const MAX_RESOURCES: usize = 50_000;
/// Files named by all resources together.
const MAX_FILES: usize = 100_000;
/// Nesting of folders in the tree.
const MAX_DEPTH: usize = 16;

/// The type of a resource. Versions of the profile differ only in the version numbers within the type names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResourceKind {
    WebContent,
    /// Part of another resource.
    Associated,
    Assessment,
    QuestionBank,
    Topic,
    WebLink,
    Tool,
    Assignment,
    Scorm,
    Unknown,
}

#[derive(Debug)]
pub struct Resource {
    pub id: String,
    /// Set by Brightspace only.
    pub title: String,
    pub kind: ResourceKind,
    /// The type as written in the manifest.
    pub kind_name: String,
    /// Paths relative to the root of the package.
    pub href: Option<String>,
    pub files: Vec<String>,
    pub dependencies: Vec<String>,
    /// Visible to teachers only.
    pub for_teachers: bool,
    /// The identifier of the resource this is a variant of.
    pub variant_of: Option<String>,
}

impl Resource {
    /// The entry file, or else the first file.
    pub fn main(&self) -> Option<&str> {
        self.href.as_deref().or(self.files.first().map(String::as_str))
    }
}

#[derive(Debug, Default)]
pub struct Item {
    pub id: String,
    pub title: String,
    pub target: Option<String>,
    pub children: Vec<Item>,
}

#[derive(Debug, Default)]
pub struct Manifest {
    /// The identifier of the package.
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub items: Vec<Item>,
    pub resources: Vec<Resource>,
    by_id: HashMap<String, usize>,
}

impl Manifest {
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    pub fn read(root: Node<'_, '_>, notes: &mut Vec<(String, Note)>) -> Self {
        let mut manifest = Manifest {
            id: attr(root, "identifier").unwrap_or_default().to_owned(),
            ..Manifest::default()
        };
        if let Some(metadata) = child(root, "metadata") {
            let said = |part, name| {
                let node = child(find(metadata, part)?, name)?;
                let words = find(node, "string").or_else(|| find(node, "langstring"));
                Some(super::xml::text(words.unwrap_or(node))).filter(|text| !text.is_empty())
            };
            manifest.title = said("general", "title");
            manifest.description = said("general", "description");
            if let Some(rights) = said("rights", "description") {
                notes.push((super::MANIFEST.into(), Note::Rights(rights)));
            }
        }
        let mut items = 0;
        let organizations = child(root, "organizations");
        for organization in organizations
            .into_iter()
            .flat_map(|node| children(node, "organization"))
        {
            let read = item(organization, 0, &mut items);
            let mut top = read.children;
            // The profile requires a single root item, which is not a module.
            let is_root = |item: &Item| {
                let named = !item.title.is_empty() && Some(&item.title) != manifest.title.as_ref();
                item.target.is_none() && !named
            };
            if let [only] = top.as_slice()
                && is_root(only)
            {
                top = top.into_iter().flat_map(|root| root.children).collect();
            }
            manifest.items.extend(top);
        }
        if items > MAX_ITEMS {
            notes.push((super::MANIFEST.into(), Note::TooManyItems(items - MAX_ITEMS)));
        }
        manifest.read_resources(root, notes);
        let mut items = std::mem::take(&mut manifest.items);
        items.iter_mut().for_each(|item| manifest.only_folder(item));
        manifest.items = items;
        manifest
    }

    /// Drops the target of folders: Brightspace gives each folder an empty resource.
    fn only_folder(&self, item: &mut Item) {
        let resource = item.target.as_ref().and_then(|id| self.resources.get(self.find(id)?));
        if !item.children.is_empty() && resource.is_some_and(|resource| resource.main().is_none()) {
            item.target = None;
        }
        item.children.iter_mut().for_each(|child| self.only_folder(child));
    }

    fn read_resources(&mut self, root: Node<'_, '_>, notes: &mut Vec<(String, Note)>) {
        let Some(list) = child(root, "resources") else { return };
        let base = attr(list, "base").unwrap_or_default();
        let mut files = 0;
        for (number, node) in children(list, "resource").enumerate() {
            if number >= MAX_RESOURCES || files >= MAX_FILES {
                let left = children(list, "resource").count() - number;
                notes.push((super::MANIFEST.into(), Note::TooManyItems(left)));
                break;
            }
            let resource = resource(node, base, MAX_FILES - files);
            files += resource.files.len();
            if self.by_id.contains_key(&resource.id) {
                notes.push((super::MANIFEST.into(), Note::IdentifierTwice(resource.id.clone())));
            } else {
                self.by_id.insert(resource.id.clone(), self.resources.len());
            }
            self.resources.push(resource);
        }
    }
}

fn item(node: Node<'_, '_>, depth: usize, count: &mut usize) -> Item {
    let mut made = Item {
        id: attr(node, "identifier").unwrap_or_default().to_owned(),
        title: text_of(node, "title").unwrap_or_default(),
        target: attr(node, "identifierref").map(str::to_owned),
        children: Vec::new(),
    };
    for child in children(node, "item") {
        *count += 1;
        if *count > MAX_ITEMS {
            continue;
        }
        if depth < MAX_DEPTH {
            made.children.push(item(child, depth + 1, count));
        } else {
            // Beyond the depth limit, all nested items are placed side by side.
            for below in child.descendants().filter(|node| super::xml::is(*node, "item")) {
                made.children.push(Item {
                    id: attr(below, "identifier").unwrap_or_default().to_owned(),
                    title: text_of(below, "title").unwrap_or_default(),
                    target: attr(below, "identifierref").map(str::to_owned),
                    children: Vec::new(),
                });
                *count += 1;
                if *count > MAX_ITEMS {
                    break;
                }
            }
        }
    }
    made
}

fn resource(node: Node<'_, '_>, base: &str, most: usize) -> Resource {
    let own = attr(node, "base").unwrap_or_default();
    let path = |href: &str| match href.split_once('?') {
        _ if is_web(href) => href.to_owned(),
        Some((bare, _)) if super::is_html(bare) => path(&[base, own, bare]),
        _ => path(&[base, own, href]),
    };
    let kind_name = attr(node, "type").unwrap_or_default().to_owned();
    let scorm = attr(node, "scormtype").or_else(|| attr(node, "scormType"));
    let roles: Vec<String> = node
        .descendants()
        .filter(|node| super::xml::is(*node, "intendedEndUserRole"))
        .filter_map(|role| text_of(role, "value"))
        .collect();
    let for_learners = |role: &String| matches!(role.as_str(), "Learner" | "Student");
    let brightspace = attr(node, "material_type").and_then(|kind| match kind {
        "d2lquiz" | "d2lselfassess" | "d2lsurvey" => Some(ResourceKind::Assessment),
        "d2lquestionlibrary" => Some(ResourceKind::QuestionBank),
        _ => None,
    });
    Resource {
        id: attr(node, "identifier").unwrap_or_default().to_owned(),
        title: attr(node, "title").unwrap_or_default().to_owned(),
        kind: match scorm {
            Some(kind) if kind.eq_ignore_ascii_case("sco") => ResourceKind::Scorm,
            // Canvas question banks are outside the profile.
            _ if attr(node, "href").is_some_and(|href| href.ends_with(".xml.qti")) => ResourceKind::QuestionBank,
            // Brightspace declares every resource as webcontent.
            _ if brightspace.is_some() => brightspace.unwrap_or(ResourceKind::Unknown),
            _ => kind(&kind_name),
        },
        kind_name,
        href: attr(node, "href").map(path),
        files: children(node, "file")
            .filter_map(|file| attr(file, "href").map(path))
            .take(most)
            .collect(),
        dependencies: children(node, "dependency")
            .filter_map(|node| attr(node, "identifierref").map(str::to_owned))
            .take(100)
            .collect(),
        for_teachers: !roles.is_empty() && !roles.iter().any(for_learners),
        variant_of: child(node, "variant")
            .and_then(|variant| attr(variant, "identifierref"))
            .map(str::to_owned),
    }
}

/// Whether the address is on the web; older content packages use such addresses as resources.
pub fn is_web(href: &str) -> bool {
    let href = href.trim_start().as_bytes();
    [&b"http://"[..], b"https://"].iter().any(|scheme| {
        href.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

fn kind(name: &str) -> ResourceKind {
    let name = name.to_ascii_lowercase();
    let has = |part: &str| name.contains(part);
    match () {
        () if name == "webcontent" => ResourceKind::WebContent,
        () if has("question-bank") => ResourceKind::QuestionBank,
        () if has("imsqti") => ResourceKind::Assessment,
        () if has("imsdt") => ResourceKind::Topic,
        () if has("imswl") => ResourceKind::WebLink,
        () if has("basiclti") || has("imslti") => ResourceKind::Tool,
        () if name.starts_with("assignment") => ResourceKind::Assignment,
        () if has("learning-application-resource") || has("associatedcontent") => ResourceKind::Associated,
        () => ResourceKind::Unknown,
    }
}

/// Joins parts into one path with forward slashes. A path that leaves the package stays so and is refused when it is
/// opened.
pub fn path(parts: &[&str]) -> String {
    let mut whole = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        if !whole.is_empty() && !whole.ends_with('/') {
            whole.push('/');
        }
        whole.push_str(&part.replace('\\', "/"));
    }
    let flat = normalize_path(Path::new(&whole));
    let parts: Vec<_> = flat
        .components()
        .map(|part| match part {
            Component::RootDir => "".into(),
            part => part.as_os_str().to_string_lossy(),
        })
        .collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_types_of_all_versions_are_recognized() {
        for (name, expected) in [
            ("webcontent", ResourceKind::WebContent),
            ("imsqti_xmlv1p2/imscc_xmlv1p0/assessment", ResourceKind::Assessment),
            ("imsqti_xmlv1p2/imscc_xmlv1p3/question-bank", ResourceKind::QuestionBank),
            ("imsdt_xmlv1p0", ResourceKind::Topic),
            ("imswl_xmlv1p2", ResourceKind::WebLink),
            ("imsbasiclti_xmlv1p3", ResourceKind::Tool),
            ("assignment_xmlv1p0", ResourceKind::Assignment),
            (
                "associatedcontent/imscc_xmlv1p2/learning-application-resource",
                ResourceKind::Associated,
            ),
            ("resource/x-bb-document", ResourceKind::Unknown),
        ] {
            assert_eq!(kind(name), expected, "{name}");
        }
    }

    #[test]
    fn joined_paths_keep_leading_parent_components() {
        assert_eq!(path(&["a/", "./b", "c\\..\\d.html"]), "a/b/d.html");
        assert_eq!(path(&["", "", "../../x"]), "../../x");
        assert_eq!(path(&["", "", "/etc/passwd"]), "/etc/passwd");
    }
}
