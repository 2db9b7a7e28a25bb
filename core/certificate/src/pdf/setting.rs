//! Texts set in lines: the size at which a text fits, and the places of its lines.

use super::geometry::{Align, Frame};
use super::text::{Line, Paragraph};

/// Sizes to try, in order: at most so many lines, the largest and the smallest size in points.
pub(super) type Sizes<'a> = &'a [(usize, f32, f32)];

/// The height of an empty line, in lines.
const EMPTY_LINE: f32 = 0.5;

/// A text in lines of a certain width and size.
#[derive(Clone, Debug, Default)]
pub(super) struct Setting {
    pub size: f32,
    /// The distance of lines, in sizes.
    leading: f32,
    /// Paragraph and line. Empty paragraphs have one line without glyphs.
    lines: Vec<(usize, Line)>,
}

/// A text in its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub size: f32,
    /// Paragraph, line, left edge, baseline.
    pub lines: Vec<(usize, Line, f32, f32)>,
    /// What the lines cover.
    pub bounds: Frame,
}

impl Setting {
    /// Sets paragraphs at one size.
    pub fn at(paragraphs: &[Paragraph], width: f32, size: f32, leading: f32) -> Self {
        let lines = paragraphs.iter().enumerate().flat_map(|(at, paragraph)| {
            let lines = if paragraph.is_empty() {
                vec![Line {
                    glyphs: 0..0,
                    width: 0.0,
                    is_torn: false,
                }]
            } else {
                paragraph.wrap_evenly(width / size)
            };
            lines.into_iter().map(move |line| (at, line))
        });
        Setting {
            size,
            leading,
            lines: lines.collect(),
        }
    }

    /// Sets paragraphs at the first size at which they have few enough lines and no torn word; in the last of `sizes` words may be torn.
    /// If none fits, the smallest size is taken, with as many lines as needed. All sizes are multiplied by `scale`.
    pub fn fit(paragraphs: &[Paragraph], width: f32, sizes: Sizes<'_>, scale: f32, leading: f32) -> Self {
        let last = sizes.len().saturating_sub(1);
        for (at, (most, largest, smallest)) in sizes.iter().enumerate() {
            let steps = ((largest - smallest) / 0.5).max(0.0) as u16;
            for step in 0..=steps {
                let size = (largest - f32::from(step) * 0.5) * scale;
                let lines = || paragraphs.iter().flat_map(|paragraph| paragraph.wrap(width / size));
                if lines().count() <= *most && (at == last || lines().all(|line| !line.is_torn)) {
                    return Setting::at(paragraphs, width, size, leading);
                }
            }
        }
        let smallest = sizes.last().map_or(8.0, |(_, _, smallest)| *smallest);
        Setting::at(paragraphs, width, smallest * scale, leading)
    }

    pub fn height(&self) -> f32 {
        self.lines.iter().map(|line| self.line_height(line)).sum()
    }

    fn line_height(&self, (_, line): &(usize, Line)) -> f32 {
        self.size * self.leading * if line.glyphs.is_empty() { EMPTY_LINE } else { 1.0 }
    }

    /// Puts the lines below each other. `x` is the left edge, the centre or the right edge.
    pub fn place(&self, align: Align, x: f32, top: f32) -> Placed {
        let mut y = top;
        let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut lines = Vec::new();
        for line in &self.lines {
            let height = self.line_height(line);
            let (paragraph, line) = line.clone();
            let width = line.width * self.size;
            let start = match align {
                Align::Left => x,
                Align::Center => x - width / 2.0,
                Align::Right => x - width,
            };
            // Capital letters, two thirds of the size, stand in the middle of their line.
            let baseline = y + height / 2.0 + self.size / 3.0;
            if !line.glyphs.is_empty() {
                (left, right) = (left.min(start), right.max(start + width));
                lines.push((paragraph, line, start, baseline));
            }
            y += height;
        }
        let bounds = match lines.is_empty() {
            true => Frame::new(x, top, 0.0, 0.0),
            false => Frame::new(left, top, right - left, y - top),
        };
        Placed {
            size: self.size,
            lines,
            bounds,
        }
    }
}
