//! The PDF of a certificate: one A4 page in landscape format, tagged for assistive technology, with subsets of its fonts.

mod canvas;
mod content;
mod fonts;
mod geometry;
mod layout;
mod palette;
mod setting;
#[cfg(test)]
mod tests;
mod text;

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};
use krilla::action::{Action, LinkAction};
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::configure::{Accessibility, Archival, Configuration, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::error::KrillaError;
use krilla::geom::Point;
use krilla::metadata::{self, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::tagging::{Node, Tag, TagGroup, TagTree};
use krilla::{Document, SerializeSettings};

use self::canvas::Canvas;
use self::content::Content;
use self::fonts::Fonts;
use self::layout::{FRAME_MARGIN, Layout, PAGE};
use self::palette::Palette;
use crate::qr::{self, Modules};
use crate::{Certificate, Design, Error, Rgb};

/// Whether a certificate would show nothing of a text: it is empty, or has only characters that are left out.
pub fn is_blank(text: &str) -> bool {
    text::clean_line(text, usize::MAX).is_empty()
}

/// Draws a certificate on one A4 page in landscape format.
///
/// Texts are selectable, and long ones get smaller or take more lines. The fonts have Latin and Cyrillic letters with their extensions;
/// letters of other scripts appear as empty boxes, pictographs and invisible characters are left out. Text that would not even fit at
/// half of its size is cut off with an ellipsis: beyond 3000 characters always, and names beyond 300. Colors that would be illegible on
/// the background are darkened or lightened.
///
/// The document declares PDF/A-2a and PDF/UA-1 unless a text has letters that the fonts lack. Equal input gives equal bytes.
///
/// # Errors
/// [`Error::QrTooLong`] for an address above 2331 bytes, [`Error::Pdf`] if the writer fails.
pub fn pdf(certificate: &Certificate, design: &Design) -> Result<Vec<u8>, Error> {
    let page = Page::new(certificate, design)?;
    match page.write(standards()) {
        // Boxes for missing glyphs are against both standards.
        Err(KrillaError::Validation(_)) => page.write(Configuration::default()),
        written => written,
    }
    .map_err(|error| Error::Pdf(error.to_string()))
}

/// PDF/A-2a for archives, PDF/UA-1 for accessibility.
fn standards() -> Configuration {
    let builder = ConfigurationBuilder::new().with_archival_validator(Archival::A2_A);
    builder
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .unwrap_or_default()
}

/// Everything that is drawn, in its place.
struct Page<'a> {
    certificate: &'a Certificate,
    design: &'a Design,
    fonts: &'static Fonts,
    palette: Palette,
    content: Content,
    layout: Layout,
    code: Modules,
}

impl<'a> Page<'a> {
    fn new(certificate: &'a Certificate, design: &'a Design) -> Result<Self, Error> {
        let fonts = Fonts::get()?;
        let content = Content::new(fonts, certificate, design);
        let (code, palette) = (qr::modules(&certificate.url)?, Palette::new(design));
        let needs_plate = (code.size(), !palette.suits_codes());
        Ok(Page {
            layout: Layout::new(
                fonts,
                &content,
                design.logo.as_ref(),
                design.signature.as_ref(),
                needs_plate,
            ),
            code,
            palette,
            certificate,
            design,
            fonts,
            content,
        })
    }

    fn write(&self, configuration: Configuration) -> Result<Vec<u8>, KrillaError> {
        let mut document = Document::new_with(SerializeSettings {
            configuration,
            ..SerializeSettings::default()
        });
        document.set_metadata(self.metadata());
        let mut outline = Outline::new();
        outline.push_child(OutlineNode::new(
            self.content.title.clone(),
            XyzDestination::new(0, Point::from_xy(0.0, 0.0)),
        ));
        document.set_outline(outline);

        let settings = PageSettings::from_wh(PAGE.width, PAGE.height).unwrap_or_default();
        let mut page = document.start_page_with(settings);
        let mut canvas = Canvas::new(page.surface(), self.fonts);
        self.draw(&mut canvas);
        let address = self.draw_address(&mut canvas);
        let groups = canvas.finish();

        let mut tree = TagTree::new().with_lang(Some(self.certificate.language.clone()));
        for group in groups {
            tree.push(group);
        }
        if let Some(rect) = self.layout.url.bounds.grown(2.0).rect().filter(|_| !address.is_empty()) {
            let target = Target::Action(Action::Link(LinkAction::new(self.certificate.url.clone())));
            let alt = format!("{}: {}", self.certificate.labels.verify, self.certificate.url);
            let id = page.add_tagged_annotation(Annotation::new_link(LinkAnnotation::new(rect, target), Some(alt)));
            let children = [id.into()].into_iter().chain(address).collect();
            let link = TagGroup::with_children(Tag::Link, children);
            tree.push(TagGroup::with_children(Tag::P, vec![link.into()]));
        }
        page.finish();
        document.set_tag_tree(tree);
        document.finish()
    }

    fn metadata(&self) -> Metadata {
        let Certificate {
            issuer,
            language,
            course,
            number,
            issued_at,
            ..
        } = self.certificate;
        let issuer = text::clean_line(issuer, 200);
        Metadata::new()
            .title(self.content.title.clone())
            .description(text::clean_line(course, 400))
            .authors(if issuer.is_empty() { Vec::new() } else { vec![issuer] })
            .creator("Kurso".to_owned())
            .language(language.clone())
            .document_id(text::clean_line(number, 100))
            .creation_date(date(*issued_at))
    }

    /// Draws everything but the address, in reading order.
    fn draw(&self, canvas: &mut Canvas<'_>) {
        let Page {
            content,
            layout,
            palette,
            design,
            ..
        } = self;
        let labels = &self.certificate.labels;
        canvas.plate(PAGE, palette.background);
        canvas.outline(PAGE.grown(-FRAME_MARGIN), 1.0, palette.frame);
        canvas.outline(PAGE.grown(-FRAME_MARGIN - 4.0), 0.4, palette.frame);

        if let (Some(logo), Some(frame)) = (&design.logo, layout.logo) {
            if let Some(plate) = palette.plate(logo) {
                canvas.plate(frame.grown(6.0), plate);
            }
            canvas.picture(&text::clean_line(&self.certificate.issuer, 200), logo, frame, false);
        }
        let mut draw = |tag, color, paragraphs: &[_], placed: &_| canvas.text(tag, color, paragraphs, placed);
        draw(Tag::P.into(), palette.muted, &content.issuer, &layout.issuer);
        let heading = Tag::Hn(std::num::NonZeroU16::MIN, Some(content.title.clone()));
        draw(heading.into(), palette.accent, &content.heading, &layout.middle.heading);
        draw(Tag::P.into(), palette.text, &content.name, &layout.middle.name);
        draw(Tag::P.into(), palette.text, &content.course, &layout.middle.course);
        draw(
            Tag::P.into(),
            palette.text,
            &layout.middle.paragraphs,
            &layout.middle.text,
        );
        let facts = content
            .facts
            .iter()
            .chain([&content.number])
            .filter(|fact| !fact.value.is_empty());
        for (fact, (label, value)) in facts.zip(&layout.facts) {
            draw(Tag::P.into(), palette.muted, &fact.label, label);
            draw(Tag::P.into(), palette.text, &fact.value, value);
        }
        draw(Tag::P.into(), palette.text, &content.signer, &layout.signer);
        draw(Tag::P.into(), palette.muted, &content.post, &layout.post);
        draw(Tag::P.into(), palette.muted, &content.verify, &layout.verify);

        if let Some((x, y, width)) = layout.middle.rule {
            canvas.rule(x, y, width, 1.4, palette.accent);
        }
        if let Some((x, y, width)) = layout.signature_rule {
            canvas.rule(x, y, width, 0.6, palette.rule);
        }
        if let (Some(signature), Some(frame)) = (&design.signature, layout.signature) {
            canvas.picture(&labels.signature, &palette.ink(signature), frame, palette.is_light());
        }
        let ink = match layout.qr_plate {
            None => palette.text,
            Some(plate) => {
                canvas.plate(plate, Rgb::WHITE);
                Rgb::BLACK
            }
        };
        canvas.qr(
            &format!("{}: {}", labels.verify, self.certificate.url),
            &self.code,
            ink,
            layout.qr,
        );
    }

    /// Draws the address. Returns its lines, which belong into a link.
    fn draw_address(&self, canvas: &mut Canvas<'_>) -> Vec<Node> {
        let Page {
            content,
            layout,
            palette,
            ..
        } = self;
        canvas.lines(palette.text, &content.url, &layout.url)
    }
}

fn date(time: DateTime<Utc>) -> metadata::DateTime {
    let part = |number: u32| u8::try_from(number).unwrap_or_default();
    let year = u16::try_from(time.year()).unwrap_or_default();
    let day = metadata::DateTime::new(year)
        .month(part(time.month()))
        .day(part(time.day()));
    let minute = day
        .hour(part(time.hour()))
        .minute(part(time.minute()))
        .second(part(time.second()));
    minute.utc_offset_hour(0).utc_offset_minute(0)
}
