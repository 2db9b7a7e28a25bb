//! Converts images, players and frames.

use scraper::ElementRef;
use serde_json::{Value, json};

use super::blocks::{Converter, has_class, insert};
use super::flow::{Flow, Mark};
use super::{Media, embed};
use crate::latex::MAX_LATEX_CHARS;
use crate::note::Note;

/// Content width in pixels, the base of widths in percent.
const CONTENT_WIDTH: f64 = 750.0;

impl Converter<'_> {
    pub(super) fn image(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow) {
        self.resolve_ids();
        if let Some(latex) = equation(element) {
            return flow.inline(json!({ "type": "inlineMath", "attrs": { "latex": latex } }), marks);
        }
        let alt = self.truncate(element.attr("alt").unwrap_or_default().trim(), 1000);
        let src = element.attr("src").map(str::trim).unwrap_or_default();
        let Some(media) = self.host.image(src, self.line) else {
            // The description is better than nothing.
            return flow.text(&alt, marks);
        };
        if let Some(Mark::Link(href)) = marks.iter().find(|mark| matches!(mark, Mark::Link(_))) {
            self.note(Note::ImageLink(href.clone()));
        }
        let mut attrs = json!({ "src": media.address, "alt": alt });
        if let Some(title) = element.attr("title").map(str::trim).filter(|title| !title.is_empty()) {
            insert(&mut attrs, "caption", self.truncate(title, 1000));
        }
        if let Some(width) = self.display_width(element) {
            insert(&mut attrs, "width", width);
        }
        natural_size(&mut attrs, &media);
        flow.block_in_line(json!({ "type": "image", "attrs": attrs }));
    }

    fn display_width(&mut self, element: ElementRef<'_>) -> Option<u32> {
        let class = |(class, _): &&(&str, u32)| has_class(element, class);
        if let Some((_, width)) = self.options.class_widths.iter().find(class) {
            return Some(*width);
        }
        let style = element.attr("style").unwrap_or_default();
        let declared = style.split(';').filter_map(|rule| rule.split_once(':'));
        let css = declared
            .filter(|(name, _)| name.trim().eq_ignore_ascii_case("width"))
            .map(|(_, value)| value.trim())
            .next();
        let css = css.or_else(|| element.attr("width").map(str::trim))?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let (pixels, exact) = match css.strip_suffix('%') {
            Some(percent) => (number(percent)? / 100.0 * CONTENT_WIDTH, false),
            None => (number(css.strip_suffix("px").unwrap_or(css))?, true),
        };
        if !(1.0..=100_000.0).contains(&pixels) {
            return None;
        }
        let pixels = (pixels.round() as u32).clamp(16, 4000);
        if !exact {
            self.note(Note::ImageWidth {
                css: css.to_owned(),
                pixels,
            });
        }
        Some(pixels)
    }

    pub(super) fn player(&mut self, element: ElementRef<'_>, flow: &mut Flow, depth: usize) {
        self.resolve_ids();
        let sources = element
            .child_elements()
            .filter(|child| child.value().name() == "source");
        let sources = sources.filter_map(|source| source.attr("src"));
        let mut sources = element.attr("src").into_iter().chain(sources);
        let src = sources.next().unwrap_or_default();
        for other in sources.filter(|other| *other != src) {
            self.note(Note::OtherSource(other.to_owned()));
        }
        for track in element.child_elements().filter(|child| child.value().name() == "track") {
            let said = track.attr("src").or_else(|| track.attr("label"));
            self.note(Note::Subtitles(said.unwrap_or_default().to_owned()));
        }
        let Some(media) = self.host.media(src.trim(), self.line) else {
            return self.block_content(element, &[], flow, depth);
        };
        let mut attrs = json!({ "src": media.address });
        let kind = if media.content_type.starts_with("audio/") {
            "audio"
        } else {
            "video"
        };
        if let Some(title) = element.attr("title").map(str::trim).filter(|title| !title.is_empty()) {
            insert(&mut attrs, "caption", self.truncate(title, 1000));
        }
        flow.block(json!({ "type": kind, "attrs": attrs }));
    }

    pub(super) fn frame(&mut self, element: ElementRef<'_>, flow: &mut Flow) {
        self.resolve_ids();
        let src = element.attr("src").map(str::trim).unwrap_or_default();
        match embed::from_address(src) {
            Some((provider, id)) => {
                let mut attrs = json!({ "provider": provider, "id": id });
                if let Some(title) = element.attr("title").map(str::trim).filter(|title| !title.is_empty()) {
                    insert(&mut attrs, "caption", self.truncate(title, 1000));
                }
                flow.block(json!({ "type": "embed", "attrs": attrs }));
            }
            None => self.external_frame(element, src, flow),
        }
    }

    /// Canvas shows media files of the course in frames; other frames become links.
    fn external_frame(&mut self, element: ElementRef<'_>, src: &str, flow: &mut Flow) {
        let is_media = element
            .attr("data-media-type")
            .is_some_and(|kind| matches!(kind, "video" | "audio"));
        let title = element.attr("title").map(str::trim).filter(|title| !title.is_empty());
        if is_media && let Some(media) = self.host.media(src, self.line) {
            let kind = if media.content_type.starts_with("audio/") {
                "audio"
            } else {
                "video"
            };
            let mut attrs = json!({ "src": media.address });
            if let Some(title) = title {
                insert(&mut attrs, "caption", self.truncate(title, 1000));
            }
            return flow.block(json!({ "type": kind, "attrs": attrs }));
        }
        let name = format!("iframe src=\"{src}\"");
        let leads = !src.is_empty() && !src.starts_with("about:");
        let Some(href) = leads.then(|| self.host.link(src, self.line)).flatten() else {
            return self.note(Note::DroppedTag(name));
        };
        self.note(Note::Frame(name));
        let words = self.truncate(title.unwrap_or(src), 1000);
        flow.flush();
        flow.text(&words, &[Mark::Link(href)]);
        flow.flush();
    }
}

/// A formula that Canvas renders as an image on its server.
fn equation(element: ElementRef<'_>) -> Option<String> {
    let said = element.attr("data-equation-content").or_else(|| {
        let title = element.attr("title").filter(|_| has_class(element, "equation_image"));
        title.or_else(|| {
            let alt = element.attr("alt").filter(|_| has_class(element, "equation_image"))?;
            Some(alt.trim().strip_prefix("LaTeX:").unwrap_or(alt))
        })
    });
    let latex = said?.trim();
    (!latex.is_empty() && latex.chars().count() <= MAX_LATEX_CHARS).then(|| latex.to_owned())
}

fn natural_size(attrs: &mut Value, media: &Media) {
    if let (Some(width), Some(height)) = (media.width, media.height) {
        insert(attrs, "naturalWidth", width);
        insert(attrs, "naturalHeight", height);
    }
}
