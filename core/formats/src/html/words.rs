//! Text that only an attribute tells or hides: hidden elements, titles of abbreviations and links, icons.

use scraper::ElementRef;

use super::blocks::{Converter, has_class};
use super::flow::{Flow, Mark};
use crate::note::Note;
use kurso_base::text::one_line;

/// Classes of icon fonts, whose text is the name of an icon.
const ICONS: &[&str] = &[
    "material-icons",
    "material-icons-outlined",
    "material-icons-round",
    "material-icons-sharp",
    "material-icons-two-tone",
    "material-symbols-outlined",
    "material-symbols-rounded",
    "material-symbols-sharp",
];

pub fn is_icon(element: ElementRef<'_>) -> bool {
    ICONS.iter().any(|class| has_class(element, class))
}

/// Whether the page that the HTML comes from does not show the element.
pub fn is_hidden(element: ElementRef<'_>) -> bool {
    let style = element.attr("style").unwrap_or_default();
    let mut rules = style.split(';').filter_map(|rule| rule.split_once(':'));
    let hides = |(name, value): (&str, &str)| {
        let value = value.trim().to_ascii_lowercase();
        match name.trim().to_ascii_lowercase().as_str() {
            "display" => value.starts_with("none"),
            "visibility" => value.starts_with("hidden"),
            _ => false,
        }
    };
    element.attr("hidden").is_some() || rules.any(hides)
}

impl Converter<'_> {
    /// Reports text that the source hides.
    pub(super) fn hidden(&mut self, element: ElementRef<'_>) {
        let words = one_line(&element.text().collect::<String>());
        let has_media = element.descendants().any(|node| {
            let name = node.value().as_element().map(|element| element.name());
            matches!(name, Some("img" | "video" | "audio" | "iframe"))
        });
        if !words.is_empty() || has_media {
            self.note(Note::Hidden(words));
        }
    }

    /// The text of an abbreviation, and in brackets what it stands for.
    pub(super) fn abbreviation(&mut self, element: ElementRef<'_>, marks: &[Mark], flow: &mut Flow, depth: usize) {
        self.children(element, marks, flow, depth);
        let words: String = element.text().collect();
        if let Some(title) = title_beside(element, &words) {
            flow.text(&format!(" ({title})"), marks);
        }
    }

    /// Reports the title of a link unless its words say the same.
    pub(super) fn link_title(&mut self, element: ElementRef<'_>) {
        let words: String = element.text().collect();
        if let Some(title) = title_beside(element, &words).filter(|title| Some(*title) != element.attr("href")) {
            self.note(Note::LinkTitle(title.to_owned()));
        }
    }
}

fn title_beside<'e>(element: ElementRef<'e>, words: &str) -> Option<&'e str> {
    let title = element.attr("title").map(str::trim).filter(|title| !title.is_empty())?;
    (!words.to_lowercase().contains(&title.to_lowercase())).then_some(title)
}
