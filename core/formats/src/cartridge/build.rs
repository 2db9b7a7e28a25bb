//! Builds the content of one page from one resource of a package.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use kurso_base::schedule::{Dates, Late};
use roxmltree::Node;
use serde_json::Value;
use zip::ZipArchive;

use super::assignment::Work;
use super::canvas_dates::{ItemDates, LatePolicy, Lookup, in_node, in_page};
use super::host::{Index, PageHost};
use super::labels::Labels;
use super::manifest::{self, Manifest, Resource, ResourceKind};
use super::meta::{self, Settings};
use super::page::{self, blocks_of, link, list, placeholder, text_paragraph};
use super::plan::Target;
use super::resources::{assignment, tool, topic, web_link};
use super::rubrics::Rubrics;
use super::xml::{child, text_of};
use super::{OWN_QUIZ, is_html, qti, xml};
use crate::blocks;
use crate::content;
use crate::course::BankDraft;
use crate::files::Files;
use crate::folder::Folder;
use crate::note::cartridge::Note as CartridgeNote;
use crate::note::{FileTrouble, Note};
use crate::quiz::Quiz;

/// Attached files per page.
pub const MAX_ATTACHED: usize = 100;

#[derive(Default)]
pub struct BuiltPage {
    pub title: Option<String>,
    pub blocks: Vec<Value>,
    pub quiz: Option<Quiz>,
    /// What learners hand in, which becomes the quiz.
    pub work: Option<Work>,
    pub published: bool,
    pub source: String,
    pub dates: Dates,
    pub late: Late,
    pub has_unread_dates: bool,
}

pub struct PageBuilder<'a> {
    pub folder: &'a Folder,
    pub manifest: &'a Manifest,
    pub index: Index,
    pub files: Files,
    pub labels: &'static Labels,
    /// Whether Kurso's own file has the dates, so that those of Canvas are not read.
    pub has_own_dates: bool,
    /// The late policy of the whole course.
    pub late: LatePolicy,
    pub rubrics: Rubrics,
    /// Notes about the page under construction.
    pub notes: Vec<Note>,
    /// Paths of files whose text became a page; these are not offered as attachments.
    pub read: HashSet<String>,
    /// The banks from which the quizzes read so far draw, by their identifiers.
    pub banks: BTreeMap<String, BankDraft>,
}

impl PageBuilder<'_> {
    pub fn note(&mut self, note: CartridgeNote) {
        self.notes.push(Note::Cartridge(note));
    }

    pub fn note_dates(&mut self, dates: &ItemDates) {
        dates.notes().into_iter().for_each(|note| self.note(note));
    }

    /// Calls `visit` with a host that resolves addresses relative to the folder of `path`.
    pub fn host<T>(&mut self, path: &str, visit: impl FnOnce(&mut PageHost<'_>) -> T) -> T {
        let dir = path.rsplit_once('/').map(|(dir, _)| dir.to_owned()).unwrap_or_default();
        let mut host = PageHost {
            folder: self.folder,
            index: &self.index,
            files: &mut self.files,
            dir,
            notes: Vec::new(),
        };
        let seen = visit(&mut host);
        self.notes.append(&mut host.notes);
        seen
    }

    /// Calls `visit` with the root of the XML file at `path`. Returns `None` and notes why if the file cannot be
    /// read.
    pub fn with_root<T>(&mut self, path: &str, visit: impl FnOnce(Node<'_, '_>, &mut PageHost<'_>) -> T) -> Option<T> {
        let folder = self.folder;
        let mut notes = Vec::new();
        let seen = self.host(path, |host| {
            xml::with_root(folder, path, &mut notes, |root, _| visit(root, host))
        });
        self.notes
            .extend(notes.into_iter().map(|(_, note)| Note::Cartridge(note)));
        if seen.is_some() {
            self.read.insert(path.to_owned());
        }
        seen
    }

    pub fn build(&mut self, target: &Target, title: &str) -> BuiltPage {
        match target {
            Target::Resource(at) => match self.manifest.resources.get(*at) {
                Some(resource) => self.resource(resource, title),
                None => self.missing(title),
            },
            Target::Missing(id) => self.missing(id),
            Target::Address { url, tool: false } => {
                self.note(CartridgeNote::WebLink);
                published_page(vec![link(if title.is_empty() { url } else { title }, url)])
            }
            Target::Address { url, tool: true } => {
                self.note(CartridgeNote::Tool);
                published_page(vec![placeholder(self.labels.tool, vec![link(url, url)])])
            }
            Target::Files(paths) => {
                let mut blocks = Vec::new();
                for path in paths {
                    if path.to_ascii_lowercase().ends_with(".h5p") {
                        self.note(CartridgeNote::Package("H5P"));
                    } else if let Some(kind) = self.package_kind(path) {
                        self.note(CartridgeNote::Package(kind));
                    }
                    match self.files.take(self.folder, Path::new(path)) {
                        Ok(file) => blocks.push(page::file(file)),
                        Err(trouble) => self.note(CartridgeNote::MissingFile(path.clone(), trouble)),
                    }
                }
                published_page(blocks)
            }
        }
    }

    fn missing(&mut self, id: &str) -> BuiltPage {
        self.note(CartridgeNote::MissingResource(id.to_owned()));
        published_page(vec![placeholder(self.labels.missing, vec![text_paragraph(id)])])
    }

    fn resource(&mut self, resource: &Resource, title: &str) -> BuiltPage {
        let labels = self.labels;
        let mut built = match resource.kind {
            ResourceKind::WebContent | ResourceKind::Associated => self.web_content(resource, title),
            ResourceKind::Topic => self.page_from_xml(resource, topic),
            ResourceKind::WebLink => self.page_from_xml(resource, |root, host| web_link(root, title, host)),
            ResourceKind::Tool => self.page_from_xml(resource, |root, host| tool(root, labels, host)),
            ResourceKind::Assignment => self.page_from_xml(resource, |root, host| assignment(root, labels, host)),
            ResourceKind::Assessment | ResourceKind::QuestionBank => match self.quiz(resource) {
                Some(built) => built,
                None => self.unreadable(resource),
            },
            ResourceKind::Scorm => {
                self.note(CartridgeNote::Package("SCORM"));
                self.as_attachments(resource, self.labels.package)
            }
            ResourceKind::Unknown => {
                self.note(CartridgeNote::UnknownType(resource.kind_name.clone()));
                self.as_attachments(resource, self.labels.unknown)
            }
        };
        if resource.kind == ResourceKind::Topic {
            self.topic_meta(resource, &mut built);
        }
        if let Some(work) = built.work.take() {
            self.hand_in(work, &resource.id, &mut built);
        }
        if built.title.is_none() && !resource.title.is_empty() {
            built.title = Some(resource.title.clone());
        }
        built.published &= !resource.for_teachers;
        if built.source.is_empty() {
            built.source = resource.main().unwrap_or(&resource.id).to_owned();
        }
        built
    }

    /// The path as it exists in the folder: manifests may percent-encode it.
    fn path(&self, path: &str) -> Result<String, FileTrouble> {
        match self.folder.find(Path::new(path)) {
            Ok(_) => Ok(path.to_owned()),
            Err(trouble) => {
                let decoded = crate::content::decoded(path);
                self.folder
                    .find(Path::new(&decoded))
                    .map(|_| decoded)
                    .map_err(|_| trouble)
            }
        }
    }

    fn web_content(&mut self, resource: &Resource, title: &str) -> BuiltPage {
        let Some(main) = resource.main() else {
            return self.missing(&resource.id);
        };
        if manifest::is_web(main) {
            self.note(CartridgeNote::WebLink);
            return published_page(vec![link(if title.is_empty() { main } else { title }, main)]);
        }
        let path = match self.path(main) {
            Ok(path) => path,
            Err(trouble) => {
                self.note(CartridgeNote::MissingFile(main.to_owned(), trouble));
                return published_page(vec![placeholder(self.labels.missing_file, vec![text_paragraph(main)])]);
            }
        };
        if is_html(&path) {
            return self.html(resource, &path);
        }
        let package = if path.to_ascii_lowercase().ends_with(".h5p") {
            Some("H5P")
        } else {
            self.package_kind(&path)
        };
        let taken = self.files.take(self.folder, Path::new(&path)).map(page::file);
        let block = match taken {
            Ok(block) => block,
            Err(trouble) => {
                self.note(CartridgeNote::MissingFile(path.clone(), trouble));
                placeholder(self.labels.missing_file, vec![text_paragraph(&path)])
            }
        };
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let blocks = match package {
            Some(kind) => {
                self.note(CartridgeNote::Package(kind));
                vec![placeholder(self.labels.package, vec![text_paragraph(kind)]), block]
            }
            None => {
                self.note(CartridgeNote::FilePage(path.clone()));
                vec![block]
            }
        };
        BuiltPage {
            title: Some(name),
            source: path,
            ..published_page(blocks)
        }
    }

    /// The package format of a zip that needs a player of its own.
    fn package_kind(&self, path: &str) -> Option<&'static str> {
        if !path.to_ascii_lowercase().ends_with(".zip") {
            return None;
        }
        let file = File::open(self.folder.find(Path::new(path)).ok()?).ok()?;
        let archive = ZipArchive::new(BufReader::new(file)).ok()?;
        match () {
            () if archive.index_for_name("h5p.json").is_some() => Some("H5P"),
            () if archive.index_for_name(super::MANIFEST).is_some() => Some("SCORM / IMS"),
            () => None,
        }
    }

    fn html(&mut self, resource: &Resource, path: &str) -> BuiltPage {
        let read = match xml::read(self.folder, path) {
            Ok(read) => read,
            Err(trouble) => {
                self.note(CartridgeNote::MissingFile(path.to_owned(), trouble));
                return self.as_attachments(resource, self.labels.unreadable);
            }
        };
        if read.broken {
            self.note(CartridgeNote::Encoding);
        }
        self.read.insert(path.to_owned());
        let mut blocks = self.host(path, |host| blocks_of(&read.text, host));
        let mut published = page::meta_of(&read.text, "workflow_state").as_deref() != Some("unpublished");
        let in_head = in_page(&read.text);
        let in_head: Option<Lookup<'_>> = (!self.has_own_dates).then_some(&in_head);
        let mut dates = in_head.map(|text| ItemDates::of(&[text])).unwrap_or_default();
        // Canvas assignments outside the profile have their settings in a file beside the HTML.
        let settings = resource
            .files
            .iter()
            .find(|path| path.ends_with("assignment_settings.xml"));
        let (mut work, mut quiz) = (None, None);
        if let Some(settings) = settings {
            let labels = self.labels;
            let read = self.with_root(settings, |root, host| {
                let own = text_of(root, OWN_QUIZ).and_then(|text| qti::read_quiz(&text, host));
                (meta::assignment(root, labels, in_head), own)
            });
            if let Some((settings, own)) = read {
                published &= !settings.unpublished;
                dates = settings.dates;
                quiz = own.filter(|quiz| Work::agrees(settings.work.as_ref(), quiz));
                if quiz.is_none() {
                    blocks.splice(0..0, list(&settings.lines));
                }
                work = settings.work.filter(|_| quiz.is_none());
            }
            if let Some(quiz) = &mut quiz {
                take_prompt(quiz, &mut blocks);
            } else if work.is_none() {
                self.note(CartridgeNote::Assignment);
            }
        }
        if !published {
            self.note(CartridgeNote::Unpublished);
        }
        self.note_dates(&dates);
        let title = page::title_of(&read.text).map(|title| {
            let bare = title.strip_prefix("Assignment: ").map(str::to_owned);
            bare.unwrap_or(title)
        });
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        BuiltPage {
            title: title.or(Some(name)),
            blocks,
            work,
            quiz,
            published,
            source: path.to_owned(),
            has_unread_dates: !dates.unread.is_empty(),
            dates: dates.dates,
            ..BuiltPage::default()
        }
    }

    /// Builds a page from the XML file that describes the resource.
    fn page_from_xml(
        &mut self,
        resource: &Resource,
        visit: impl FnOnce(Node<'_, '_>, &mut PageHost<'_>) -> BuiltPage,
    ) -> BuiltPage {
        let main = resource.main().map(str::to_owned);
        match main.and_then(|path| self.with_root(&path, visit)) {
            Some(mut built) => {
                if resource.kind == ResourceKind::Assignment {
                    // The variant repeats the text for readers that do not support the extension.
                    let variant = |other: &&Resource| other.variant_of.as_deref() == Some(resource.id.as_str());
                    if let Some(other) = self.manifest.resources.iter().find(variant) {
                        self.read
                            .extend(other.files.iter().filter(|path| is_html(path)).cloned());
                    }
                    self.read
                        .extend(resource.files.iter().filter(|path| is_html(path)).cloned());
                }
                if !built.published {
                    self.note(CartridgeNote::Unpublished);
                }
                built.source = resource.main().unwrap_or_default().to_owned();
                built
            }
            None => self.unreadable(resource),
        }
    }

    fn unreadable(&mut self, resource: &Resource) -> BuiltPage {
        if resource.main().is_none() {
            return self.missing(&resource.id);
        }
        self.as_attachments(resource, self.labels.unreadable)
    }

    /// A placeholder with `text`, followed by all files of the resource.
    fn as_attachments(&mut self, resource: &Resource, said: &str) -> BuiltPage {
        let mut paths: Vec<&String> = resource.href.iter().chain(&resource.files).collect();
        let mut seen = HashSet::new();
        paths.retain(|path| seen.insert(path.as_str()));
        let kind = format!("{} {}", self.labels.source, resource.kind_name);
        let mut blocks = vec![placeholder(said, vec![text_paragraph(&kind)])];
        for path in paths.into_iter().take(MAX_ATTACHED) {
            let path = self.path(path).unwrap_or_else(|_| path.clone());
            match self.files.take(self.folder, Path::new(&path)) {
                Ok(file) => blocks.push(page::file(file)),
                Err(trouble) => self.note(CartridgeNote::MissingFile(path, trouble)),
            }
        }
        published_page(blocks)
    }

    /// Applies the settings that Canvas keeps in a separate file for a discussion.
    fn topic_meta(&mut self, resource: &Resource, built: &mut BuiltPage) {
        let labels = self.labels;
        let others = resource.dependencies.iter().filter_map(|id| self.manifest.find(id));
        let others = others.filter_map(|at| self.manifest.resources.get(at));
        let path = others.filter_map(Resource::main).find(|path| path.ends_with(".xml"));
        let Some(path) = path.map(str::to_owned) else { return };
        let read = self.with_root(&path, |root, _| {
            if root.tag_name().name() != "topicMeta" {
                return Settings::default();
            }
            let own = in_node(root);
            let mut settings = Settings::default();
            match child(root, "assignment") {
                Some(node) => settings = meta::assignment(node, labels, Some(&own)),
                None => meta::dates(ItemDates::of(&[&own]), labels, &mut settings),
            }
            settings.unpublished = meta::is_unpublished(root);
            settings
        });
        let Some(settings) = read else { return };
        self.note_dates(&settings.dates);
        built.has_unread_dates = !settings.dates.unread.is_empty();
        built.dates = settings.dates.dates;
        built.blocks.splice(0..0, list(&settings.lines));
        if settings.unpublished {
            built.published = false;
            self.note(CartridgeNote::Unpublished);
        }
    }
}

/// Takes the prompt of an assignment, which stands below the text for other readers, out of the text. A prompt that was edited there stays in the
/// text and is no prompt any more.
fn take_prompt(quiz: &mut Quiz, blocks: &mut Vec<Value>) {
    let Some(question) = quiz.questions.first_mut() else {
        return;
    };
    let prompt = blocks::children(&question.prompt);
    if blocks.ends_with(prompt) {
        blocks.truncate(blocks.len() - prompt.len());
    } else {
        question.prompt = content::empty();
    }
}

pub fn published_page(blocks: Vec<Value>) -> BuiltPage {
    BuiltPage {
        blocks,
        published: true,
        ..BuiltPage::default()
    }
}
