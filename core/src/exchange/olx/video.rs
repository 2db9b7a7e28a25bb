//! Videos: of a service as its player, others by their files and addresses, and what was said in them.

use serde_json::{Value, json};

use super::definitions::{Definitions, Found};
use super::desk::{self, Desk};
use super::note::Note;
use super::problem::quoted_list;
use super::unit::{link, placeholder};
use crate::content::is_embed_id;
use crate::exchange::hosting::{self, Leads};
use crate::exchange::xml::Element;

pub fn read(found: &Found, of: &mut Definitions<'_>, desk: &mut Desk) -> Vec<Value> {
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
        match desk::leads(&source) {
            Leads::File(_) => match desk.file(of, &source) {
                Ok(media) if media.content_type.starts_with("video/") && !shown => {
                    blocks.push(captioned(
                        json!({ "type": "video", "attrs": { "src": media.address } }),
                        title,
                    ));
                    shown = true;
                }
                Ok(media) => blocks.extend(hosting::attachment(&desk.files, &media)),
                Err(trouble) => of
                    .report
                    .add(&found.place, crate::exchange::Note::LinkFile { href: source, trouble }),
            },
            Leads::Keep(address) => {
                links += usize::from(shown);
                let words = desk.say("Video", "Видео");
                let words = if title.is_empty() { words } else { title };
                blocks.push(link(&format!("{words}: {}", name_of(&address)), &address));
            }
            _ => of
                .report
                .add(&found.place, crate::exchange::Note::LinkUnsupported(source)),
        }
    }
    if links > 0 {
        of.note(&found.place, Note::VideoLinks(links));
    }
    if blocks.is_empty() {
        of.note(&found.place, Note::NoVideo(title.to_owned()));
        blocks.push(placeholder(desk.say("Here was a video", "Здесь было видео"), title, ""));
    }
    let mut taken = 0;
    for name in transcripts(element) {
        if let Some(block) = desk.attachment(of, &format!("/static/{name}"), &found.place) {
            blocks.push(block);
            taken += 1;
        }
    }
    if let Some(name) = old_transcript(element, of) {
        blocks.extend(desk.attachment(of, &name, &found.place));
        taken += 1;
    }
    if taken > 0 {
        of.note(&found.place, Note::Transcripts(taken));
    }
    for name in ["handout", "track"] {
        if let Some(address) = element.said(name) {
            match desk::leads(address) {
                Leads::Keep(address) => blocks.push(link(&name_of(&address), &address)),
                _ => blocks.extend(desk.attachment(of, address, &found.place)),
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

/// The last name of an address.
fn name_of(address: &str) -> String {
    let path = address
        .split(['?', '#'])
        .next()
        .unwrap_or(address)
        .trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// The id at normal speed: `youtube="0.75:a,1.00:b"` or an attribute of its own.
fn youtube(element: &Element) -> Option<String> {
    let listed = element.said("youtube").and_then(|list| {
        let mut speeds = list.split(',').filter_map(|one| one.trim().split_once(':'));
        speeds
            .clone()
            .find(|(speed, _)| speed.starts_with("1.0"))
            .or_else(|| speeds.next())
    });
    let id = element.said("youtube_id_1_0").or(listed.map(|(_, id)| id.trim()))?;
    is_embed_id("youtube", id).then(|| id.to_owned())
}

fn sources(element: &Element) -> Vec<String> {
    let mut sources: Vec<String> = quoted_list(element.said("html5_sources").unwrap_or_default());
    sources.extend(element.said("source").map(str::to_owned));
    let children = element.elements().filter(|child| child.is("source"));
    sources.extend(children.filter_map(|child| child.said("src").map(str::to_owned)));
    let mut seen = std::collections::HashSet::new();
    sources.retain(|source| seen.insert(source.clone()));
    sources.truncate(20);
    sources
}

/// Files of what is said, by language.
fn transcripts(element: &Element) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let children = element.elements().filter(|child| child.is("transcript"));
    names.extend(children.filter_map(|child| child.said("src").map(str::to_owned)));
    if let Some(Ok(Value::Object(listed))) = element.said("transcripts").map(serde_json::from_str::<Value>) {
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

/// The transcript of old courses, which is named after the video.
fn old_transcript(element: &Element, of: &Definitions<'_>) -> Option<String> {
    let sub = element.said("sub")?;
    [".srt", ".srt.sjson"]
        .iter()
        .map(|ending| format!("static/subs_{sub}{ending}"))
        .find(|path| of.exists(path))
}
