//! Reads videos: embedded players, files, links and transcripts.

use serde_json::{Value, json};

use super::definitions::{Definition, Definitions};
use super::page_context::{self, PageContext};
use super::problem::quoted_list;
use super::unit::{link, placeholder};
use crate::content::is_embed_id;
use crate::html_host::{self, LinkTarget};
use crate::note::olx::Note;
use crate::xml::Element;

pub fn read(found: &Definition, definitions: &mut Definitions<'_>, context: &mut PageContext) -> Vec<Value> {
    let element = &found.element;
    let title = found.title().unwrap_or_default();
    let mut blocks = Vec::new();
    let mut shown = false;
    if let Some(id) = youtube(element) {
        blocks.push(captioned(
            json!({ "type": "embed", "attrs": { "provider": "youtube", "id": id } }),
            title,
        ));
        shown = true;
    }
    let mut links = 0;
    for source in sources(element) {
        match page_context::resolve_address(&source) {
            LinkTarget::File(_) => match context.file(definitions, &source) {
                Ok(media) if media.content_type.starts_with("video/") && !shown => {
                    blocks.push(captioned(
                        json!({ "type": "video", "attrs": { "src": media.address } }),
                        title,
                    ));
                    shown = true;
                }
                Ok(media) => blocks.extend(html_host::attachment(&context.files, &media)),
                Err(trouble) => definitions
                    .report
                    .add(&found.place, crate::Note::LinkFile { href: source, trouble }),
            },
            LinkTarget::Keep(address) => {
                links += usize::from(shown);
                let words = context.localized("Video", "Видео");
                let words = if title.is_empty() { words } else { title };
                blocks.push(link(&format!("{words}: {}", name_of(&address)), &address));
            }
            _ => definitions
                .report
                .add(&found.place, crate::Note::LinkUnsupported(source)),
        }
    }
    if links > 0 {
        definitions.note(&found.place, Note::VideoLinks(links));
    }
    if blocks.is_empty() {
        definitions.note(&found.place, Note::NoVideo(title.to_owned()));
        blocks.push(placeholder(
            context.localized("A video was here", "Здесь было видео"),
            title,
            "",
        ));
    }
    let mut taken = 0;
    for name in transcripts(element) {
        if let Some(block) = context.attachment(definitions, &format!("/static/{name}"), &found.place) {
            blocks.push(block);
            taken += 1;
        }
    }
    if let Some(name) = old_transcript(element, definitions) {
        blocks.extend(context.attachment(definitions, &name, &found.place));
        taken += 1;
    }
    if taken > 0 {
        definitions.note(&found.place, Note::Transcripts(taken));
    }
    for name in ["handout", "track"] {
        if let Some(address) = element.attr_text(name) {
            match page_context::resolve_address(address) {
                LinkTarget::Keep(address) => blocks.push(link(&name_of(&address), &address)),
                _ => blocks.extend(context.attachment(definitions, address, &found.place)),
            }
        }
    }
    blocks
}

fn captioned(mut block: Value, title: &str) -> Value {
    let title: String = title.chars().take(1000).collect();
    if let (Some(attrs), false) = (block.get_mut("attrs").and_then(Value::as_object_mut), title.is_empty()) {
        attrs.insert("caption".into(), title.into());
    }
    block
}

/// The last segment of an address.
fn name_of(address: &str) -> String {
    let path = address
        .split(['?', '#'])
        .next()
        .unwrap_or(address)
        .trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// The id at normal speed, from `youtube="0.75:a,1.00:b"` or `youtube_id_1_0`.
fn youtube(element: &Element) -> Option<String> {
    let listed = element.attr_text("youtube").and_then(|list| {
        let mut speeds = list.split(',').filter_map(|one| one.trim().split_once(':'));
        speeds
            .clone()
            .find(|(speed, _)| speed.starts_with("1.0"))
            .or_else(|| speeds.next())
    });
    let id = element
        .attr_text("youtube_id_1_0")
        .or(listed.map(|(_, id)| id.trim()))?;
    is_embed_id("youtube", id).then(|| id.to_owned())
}

fn sources(element: &Element) -> Vec<String> {
    let mut sources: Vec<String> = quoted_list(element.attr_text("html5_sources").unwrap_or_default());
    sources.extend(element.attr_text("source").map(str::to_owned));
    let children = element.elements().filter(|child| child.is("source"));
    sources.extend(children.filter_map(|child| child.attr_text("src").map(str::to_owned)));
    let mut seen = std::collections::HashSet::new();
    sources.retain(|source| seen.insert(source.clone()));
    sources.truncate(20);
    sources
}

/// Transcript files of all languages.
fn transcripts(element: &Element) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let children = element.elements().filter(|child| child.is("transcript"));
    names.extend(children.filter_map(|child| child.attr_text("src").map(str::to_owned)));
    if let Some(Ok(Value::Object(listed))) = element.attr_text("transcripts").map(serde_json::from_str::<Value>) {
        names.extend(
            listed
                .into_iter()
                .filter_map(|(_, name)| Some(name.as_str()?.to_owned())),
        );
    }
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names.truncate(100);
    names
}

/// Older courses name the transcript after the video.
fn old_transcript(element: &Element, definitions: &Definitions<'_>) -> Option<String> {
    let sub = element.attr_text("sub")?;
    [".srt", ".srt.sjson"]
        .iter()
        .map(|ending| format!("static/subs_{sub}{ending}"))
        .find(|path| definitions.exists(path))
}
