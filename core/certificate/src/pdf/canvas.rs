//! Drawing on the page of a tagged PDF: what is drawn is text or a figure in reading order, or an ornament.

use krilla::blend::BlendMode;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, Tag, TagGroup, TagKind};
use krilla::text::{GlyphId, KrillaGlyph};

use super::fonts::{Face, Fonts, Glyph};
use super::geometry::Frame;
use super::setting::Placed;
use super::text::{Line, Paragraph};
use crate::qr::Modules;
use crate::{Picture, Rgb};

pub(super) struct Canvas<'a> {
    surface: Surface<'a>,
    fonts: &'static Fonts,
    /// What was drawn, in reading order.
    groups: Vec<TagGroup>,
}

impl<'a> Canvas<'a> {
    pub fn new(surface: Surface<'a>, fonts: &'static Fonts) -> Self {
        Canvas {
            surface,
            fonts,
            groups: Vec::new(),
        }
    }

    /// Ends the drawing. Returns the tags in reading order.
    pub fn finish(self) -> Vec<TagGroup> {
        self.surface.finish();
        self.groups
    }

    /// Draws a text. Nothing happens if it is empty.
    pub fn text(&mut self, tag: TagKind, color: Rgb, paragraphs: &[Paragraph], placed: &Placed) {
        let lines = self.lines(color, paragraphs, placed);
        if !lines.is_empty() {
            self.groups.push(TagGroup::with_children(tag, lines));
        }
    }

    /// Draws a text whose lines the caller puts into a tag.
    pub fn lines(&mut self, color: Rgb, paragraphs: &[Paragraph], placed: &Placed) -> Vec<Node> {
        self.fill(color);
        let lines = placed.lines.iter().filter_map(|(at, line, x, y)| {
            let paragraph = paragraphs.get(*at)?;
            Some(self.line(paragraph, line, placed.size, Point::from_xy(*x, *y)).into())
        });
        lines.collect()
    }

    fn line(&mut self, paragraph: &Paragraph, line: &Line, size: f32, start: Point) -> Identifier {
        let id = self.surface.start_tagged(ContentTag::Span(SpanTag::empty()));
        let glyphs = paragraph.glyphs.get(line.glyphs.clone()).unwrap_or_default();
        let mut x = start.x;
        for run in glyphs.chunk_by(|one, next| one.face == next.face) {
            let face = run.first().map_or(Face::Text, |glyph| glyph.face);
            let glyphs: Vec<KrillaGlyph> = run.iter().map(krilla_glyph).collect();
            let start = Point::from_xy(x, start.y);
            self.surface
                .draw_glyphs(start, &glyphs, self.fonts.font(face), &paragraph.text, size, false);
            x += run.iter().map(|glyph| glyph.advance).sum::<f32>() * size;
        }
        self.surface.end_tagged();
        id
    }

    /// Draws a picture. `is_ink` lets the background through a scanned sheet.
    pub fn picture(&mut self, alt: &str, picture: &Picture, frame: Frame, is_ink: bool) {
        let (Some(size), (width, height)) = (Size::from_wh(frame.width, frame.height), picture.size()) else {
            return;
        };
        let image = Image::from_rgba8(picture.pixels().as_raw().clone(), width, height);
        self.figure(alt, |surface| {
            surface.push_transform(&Transform::from_translate(frame.x, frame.y));
            if is_ink {
                surface.push_blend_mode(BlendMode::Multiply);
            }
            surface.draw_image(image, size);
            if is_ink {
                surface.pop();
            }
            surface.pop();
        });
    }

    /// Draws a QR code, its quiet zone excluded.
    pub fn qr(&mut self, alt: &str, modules: &Modules, color: Rgb, frame: Frame) {
        let module = frame.width / modules.size() as f32;
        let mut path = PathBuilder::new();
        for (x, y, length) in modules.bars() {
            let bar = Frame::new(
                frame.x + x as f32 * module,
                frame.y + y as f32 * module,
                length as f32 * module,
                module,
            );
            if let Some(rect) = bar.rect() {
                path.push_rect(rect);
            }
        }
        self.fill(color);
        self.figure(alt, |surface| {
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        });
    }

    fn figure(&mut self, alt: &str, draw: impl FnOnce(&mut Surface<'a>)) {
        let id = self.surface.start_tagged(ContentTag::Other);
        draw(&mut self.surface);
        self.surface.end_tagged();
        let mut group = TagGroup::new(Tag::Figure(Some(alt.to_owned())));
        group.push(id);
        self.groups.push(group);
    }

    /// Fills a rectangle with a color, as an ornament.
    pub fn plate(&mut self, frame: Frame, color: Rgb) {
        self.fill(color);
        self.ornament(frame, ArtifactType::Background);
    }

    /// Draws a horizontal line, as an ornament.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, thickness: f32, color: Rgb) {
        self.fill(color);
        self.ornament(
            Frame::new(x, y - thickness / 2.0, width, thickness),
            ArtifactType::Layout,
        );
    }

    /// Draws the outline of a rectangle, as an ornament.
    pub fn outline(&mut self, frame: Frame, thickness: f32, color: Rgb) {
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: paint(color).into(),
            width: thickness,
            ..Stroke::default()
        }));
        self.ornament(frame, ArtifactType::Layout);
        self.surface.set_stroke(None);
    }

    fn ornament(&mut self, frame: Frame, kind: ArtifactType) {
        if let Some(path) = path(frame) {
            self.surface
                .start_tagged(ContentTag::Artifact(Artifact::new(kind, frame.rect())));
            self.surface.draw_path(&path);
            self.surface.end_tagged();
        }
    }

    fn fill(&mut self, color: Rgb) {
        self.surface.set_stroke(None);
        let fill = Fill {
            paint: paint(color).into(),
            opacity: NormalizedF32::ONE,
            ..Fill::default()
        };
        self.surface.set_fill(Some(fill));
    }
}

fn path(frame: Frame) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(frame.rect()?);
    path.finish()
}

fn paint(color: Rgb) -> rgb::Color {
    rgb::Color::new(color.red, color.green, color.blue)
}

fn krilla_glyph(glyph: &Glyph) -> KrillaGlyph {
    let id = GlyphId::new(glyph.id);
    KrillaGlyph::new(
        id,
        glyph.advance,
        glyph.x_offset,
        glyph.y_offset,
        0.0,
        glyph.start..glyph.end,
        None,
    )
}
