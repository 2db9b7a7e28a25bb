//! Writes images, players, videos of other sites and attachments.

use std::io;

use serde_json::Value;

use super::document::{PageWriter, number, text};
use super::escaped;
use crate::content::FileAddress;
use crate::course::FileDraft;
use crate::note::Note;

impl PageWriter<'_, '_> {
    fn file(&self, node: &Value) -> Option<&FileDraft> {
        let address = FileAddress::parse(text(node, "src")?)?;
        self.site.files.get(address.key).copied()
    }

    /// A paragraph and a note in place of a file that is not included.
    fn omitted_file(&mut self, name: &str, size: u64) -> io::Result<()> {
        self.report.add(self.place.clone(), Note::LeftOut(name.to_owned()));
        let labels = self.site.labels;
        let what = format!("{name} ({}): {}", labels.size(size), labels.left_out);
        write!(self.out, "<p class=\"left-out\">{}</p>", escaped(&what))
    }

    fn caption(&mut self, node: &Value) -> io::Result<()> {
        match text(node, "caption").filter(|caption| !caption.is_empty()) {
            Some(caption) => write!(self.out, "<figcaption>{}</figcaption>", escaped(caption)),
            None => Ok(()),
        }
    }

    pub fn image(&mut self, node: &Value) -> io::Result<()> {
        write!(self.out, "<figure>")?;
        let file = self.file(node).cloned();
        match file.as_ref().map(|file| (file, self.embedded.place(file))) {
            Some((file, Some(place))) => {
                let alt = escaped(text(node, "alt").unwrap_or_default());
                write!(self.out, "<img alt=\"{alt}\"")?;
                let natural = (number(node, "naturalWidth"), number(node, "naturalHeight"));
                match (number(node, "width"), natural) {
                    (Some(width), (Some(w), Some(h))) if w > 0 => {
                        write!(
                            self.out,
                            " width=\"{width}\" height=\"{}\"",
                            (h.saturating_mul(width) / w).max(1)
                        )?;
                    }
                    (Some(width), _) => write!(self.out, " width=\"{width}\"")?,
                    (None, (Some(w), Some(h))) => write!(self.out, " width=\"{w}\" height=\"{h}\"")?,
                    (None, _) => write!(self.out, " class=\"wide\"")?,
                }
                self.embedded.write(file, "src", place, self.out)?;
                write!(self.out, ">")?;
            }
            Some((file, None)) => self.omitted_file(&file.filename, file.size)?,
            None => {}
        }
        self.caption(node)?;
        write!(self.out, "</figure>")
    }

    pub fn player(&mut self, node: &Value, kind: &str) -> io::Result<()> {
        write!(self.out, "<figure>")?;
        let file = self.file(node).cloned();
        match file.as_ref().map(|file| (file, self.embedded.place(file))) {
            Some((file, Some(place))) => {
                let named = text(node, "caption").unwrap_or(&file.filename);
                write!(
                    self.out,
                    "<{kind} controls preload=\"none\" aria-label=\"{}\"",
                    escaped(named)
                )?;
                self.embedded.write(file, "src", place, self.out)?;
                write!(self.out, "></{kind}>")?;
            }
            Some((file, None)) => self.omitted_file(&file.filename, file.size)?,
            None => {}
        }
        self.caption(node)?;
        write!(self.out, "</figure>")
    }

    /// Videos of other sites are linked, so that nothing is loaded.
    pub fn embed(&mut self, node: &Value) -> io::Result<()> {
        let id = text(node, "id").unwrap_or_default();
        let known = match text(node, "provider").unwrap_or_default() {
            "youtube" => Some(("YouTube", format!("https://www.youtube.com/watch?v={id}"))),
            "rutube" => Some(("RUTUBE", format!("https://rutube.ru/video/{id}/"))),
            "vk" => Some(("VK Видео", format!("https://vkvideo.ru/video{id}"))),
            "vimeo" => Some(("Vimeo", format!("https://vimeo.com/{id}"))),
            _ => None,
        };
        let Some((name, address)) = known else { return Ok(()) };
        let said = format!("{} {name}", self.site.labels.watch);
        let said = match text(node, "caption").filter(|caption| !caption.is_empty()) {
            Some(caption) => format!("{caption} · {said}"),
            None => said,
        };
        write!(
            self.out,
            "<p class=\"card\"><a href=\"{}\" target=\"_blank\" rel=\"noopener noreferrer\">{}</a></p>",
            escaped(&address),
            escaped(&said)
        )
    }

    pub fn attachment(&mut self, node: &Value) -> io::Result<()> {
        let Some(file) = self.file(node).map(as_download) else {
            return Ok(());
        };
        let name = text(node, "filename").unwrap_or(&file.filename).to_owned();
        let Some(place) = self.embedded.place(&file) else {
            return self.omitted_file(&name, file.size);
        };
        write!(self.out, "<p class=\"card\"><a download=\"{}\"", escaped(&name))?;
        self.embedded.write(&file, "href", place, self.out)?;
        let labels = self.site.labels;
        write!(
            self.out,
            ">{}</a> <span>{} · {}</span></p>",
            escaped(&name),
            labels.download,
            labels.size(file.size)
        )
    }
}

/// The generic type prevents browsers from opening HTML or SVG files, which may contain scripts.
pub fn as_download(file: &FileDraft) -> FileDraft {
    FileDraft {
        content_type: "application/octet-stream",
        ..file.clone()
    }
}
