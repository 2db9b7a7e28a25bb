//! The fonts, compiled in, and shaping.

use std::str::FromStr as _;
use std::sync::LazyLock;

use krilla::text::Font;
use rustybuzz::{Direction, Language, UnicodeBuffer};

use crate::Error;

/// A font of the certificate. Each has Latin and Cyrillic with their extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    /// Cormorant SemiBold: the heading, the name.
    Display,
    /// Golos Text: everything else.
    Text,
    /// Golos Text SemiBold: the title of the course within a text.
    Strong,
}

impl Face {
    /// The font that is asked for a character that this one lacks.
    fn fallback(self) -> Face {
        match self {
            Face::Display => Face::Strong,
            Face::Text | Face::Strong => Face::Display,
        }
    }
}

/// A glyph with its place in the text of its paragraph.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    pub face: Face,
    pub id: u32,
    pub advance: f32,
    pub x_offset: f32,
    pub y_offset: f32,
    /// The bytes of its cluster.
    pub start: usize,
    pub end: usize,
}

pub(super) struct Fonts {
    display: Loaded,
    text: Loaded,
    strong: Loaded,
}

struct Loaded {
    font: Font,
    shaper: rustybuzz::Face<'static>,
}

static FONTS: LazyLock<Option<Fonts>> = LazyLock::new(|| {
    Some(Fonts {
        display: load(include_bytes!("../../fonts/Cormorant-SemiBold-subset.ttf"))?,
        text: load(include_bytes!("../../fonts/GolosText-Regular.ttf"))?,
        strong: load(include_bytes!("../../fonts/GolosText-SemiBold.ttf"))?,
    })
});

fn load(bytes: &'static [u8]) -> Option<Loaded> {
    let font = Font::new(bytes.into(), 0)?;
    let shaper = rustybuzz::Face::from_slice(bytes, 0)?;
    Some(Loaded { font, shaper })
}

impl Fonts {
    pub fn get() -> Result<&'static Fonts, Error> {
        FONTS
            .as_ref()
            .ok_or_else(|| Error::Pdf("the fonts of the program are damaged".to_owned()))
    }

    pub fn font(&self, face: Face) -> Font {
        self.loaded(face).font.clone()
    }

    fn loaded(&self, face: Face) -> &Loaded {
        match face {
            Face::Display => &self.display,
            Face::Text => &self.text,
            Face::Strong => &self.strong,
        }
    }

    /// The face that draws a character: the wanted one, or another that has the character. If none has it, Golos Text draws its box for
    /// missing glyphs, which is the more modest one.
    pub fn choose(&self, wanted: Face, character: char) -> Face {
        let has = |face| self.loaded(face).shaper.glyph_index(character).is_some();
        match (has(wanted), has(wanted.fallback())) {
            (true, _) => wanted,
            (false, true) => wanted.fallback(),
            (false, false) => Face::Text,
        }
    }

    /// Shapes `text[start..end]`, which is in one face. Right-to-left scripts, whose letters no face has, stay in logical order.
    pub fn shape(&self, face: Face, language: &str, text: &str, range: std::ops::Range<usize>) -> Vec<Glyph> {
        let Some(run) = text.get(range.clone()) else {
            return Vec::new();
        };
        let Loaded { shaper, .. } = self.loaded(face);
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(run);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        if let Ok(language) = Language::from_str(language) {
            buffer.set_language(language);
        }
        let shaped = rustybuzz::shape(shaper, &[], buffer);
        let units = shaper.units_per_em() as f32;
        let infos = shaped.glyph_infos();
        let glyphs = infos
            .iter()
            .zip(shaped.glyph_positions())
            .enumerate()
            .map(|(at, (info, position))| {
                let cluster = info.cluster;
                // A cluster ends where the next one begins.
                let next = infos
                    .iter()
                    .skip(at + 1)
                    .map(|info| info.cluster)
                    .find(|next| *next != cluster);
                let end = next.map_or(run.len(), |next| next as usize);
                Glyph {
                    face,
                    id: info.glyph_id,
                    advance: position.x_advance as f32 / units,
                    x_offset: position.x_offset as f32 / units,
                    y_offset: position.y_offset as f32 / units,
                    start: range.start + cluster as usize,
                    end: range.start + end,
                }
            });
        glyphs.collect()
    }
}
